# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a hostile program tries, as assembly, and that assembled for the place where it is put into an image.

An attempt is a few instructions that need no data of the program and no stack. The label `probe` is at the instruction
that matters.
"""

from __future__ import annotations

import io
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler
from trapeze.isolation.partitions import Partition, Zone, first_source
from trapeze.platform.configurations import Config
from trapeze.platform.instructions import INSTRUCTIONS
from trapeze.platform.isa import FRAME_E_BYTES, FRAME_I_BYTES, Csr

ALIGNMENT = 64
"""Of handlers of interrupts: that of utvec and mtvec with a CLIC (docs/user-level-interrupts.md)."""

HANDLER_AT = 3 * ALIGNMENT
"""Where an attempt with a handler has it, from the last aligned address on."""

WINDOW = 150
"""Instructions of a trace that hold a simple attempt, and the beginning of the other side's answer."""

STORM_WINDOW = 60_000
"""Of one that goes on for a while."""

CALLS = 50
"""Calls of a storm, in a round."""

HANG = "\n8: j 8b"


@dataclass(frozen=True)
class Attempt:
    """One thing that a program tries.

    Attributes:
        kind: Its row in the table.
        name: By which it is repeated; the first word is part of its kind.
        text: Assembly.
        where: What it is aimed at.
        window: Instructions of it that are looked at.
        own: Whether the program may do it: it has to succeed, or else the attempts around it say nothing.
        hangs: Whether only the watchdog ends it.
        frames: Whether it is let through if hardware stores the frame of an interrupt of the program.
        shown: Bits that may be 1 in what the instruction at the label `answer` writes; None: there is no such label.
        mapped: Bytes from the address that the program uses at the probe to that which it means.
        chained: Whether others can follow it in the same run: whatever comes of it, the program goes on behind it.
    """

    kind: str
    name: str
    text: str
    where: str = ""
    window: int = WINDOW
    own: bool = False
    hangs: bool = False
    frames: bool = False
    shown: int | None = None
    mapped: int = 0
    chained: bool = False


@dataclass(frozen=True)
class Code:
    """An attempt as bytes, and the offsets of its labels; -1: it has no such one."""

    code: bytes
    probe: int
    answer: int = -1


def _points(zone: Zone) -> Iterator[tuple[int, int]]:
    """Addresses of a zone to try, and bytes: the first word, one in the middle, the last byte."""
    size = zone.end - zone.begin
    yield zone.begin, 4 if size >= 4 and zone.begin % 4 == 0 else 1
    if size > 8:
        yield zone.begin + size // 2 & ~3, 4
    if size > 1:
        yield zone.end - 1, 1


def load(at: int, count: int) -> str:
    """A load of one or four bytes, as the probe."""
    return f"li t0, {at:#x}\nprobe: {'lw' if count == 4 else 'lbu'} t1, 0(t0)"


def _store(at: int, count: int) -> str:
    return f"li t0, {at:#x}\nli t1, -1\nprobe: {'sw' if count == 4 else 'sb'} t1, 0(t0)"


def _accesses(partition: Partition, atomics: bool) -> Iterator[Attempt]:
    for zone in partition.zones:
        for at, count in _points(zone):
            if "r" not in zone.rights:
                yield Attempt("load", f"load {at:#x}", load(at, count), zone.name)
            if "w" not in zone.rights:
                yield Attempt("store", f"store {at:#x}", _store(at, count), zone.name)
                if atomics and count == 4:
                    text = f"li t0, {at:#x}\nli t1, -1\nprobe: amoswap.w t1, t1, (t0)"
                    yield Attempt("atomic", f"atomic {at:#x}", text, zone.name)
            if "x" not in zone.rights:
                to = at & ~1
                yield Attempt("fetch", f"fetch {to:#x}", f"li t0, {to:#x}\nprobe: jr t0", zone.name)


def _across(partition: Partition) -> Iterator[Attempt]:
    """Words half in one zone and half in the next, of which one is not the program's."""
    for low, high in pairwise(partition.zones):
        at = high.begin - 2
        for right, verb, make in (("r", "load", load), ("w", "store", _store)):
            if (right in low.rights) != (right in high.rights):
                text = make(at, 4)
                yield Attempt("across an edge", f"{verb} across {high.begin:#x}", text, f"{low.name}, {high.name}")


def _own(partition: Partition, memories: Sequence[tuple[int, int]]) -> Iterator[Attempt]:
    """Loads that have to succeed: of each memory of the program."""
    for zone in partition.zones:
        if "r" in zone.rights and any(begin < zone.end and zone.begin < end for begin, end in memories):
            at = max(zone.begin, next(begin for begin, end in memories if begin < zone.end and zone.begin < end))
            yield Attempt("its own memory", f"own {at:#x}", load(at, 4), zone.name, own=True)


def _csrs(partition: Partition) -> Iterator[Attempt]:
    """Those of a higher privilege: bits 9 and 8 of the number (privileged specification, 2.1)."""
    for csr in Csr:
        if csr >> 8 & 3 > partition.mode:
            where = csr.name.lower()
            yield Attempt("CSR read", f"csr-read {int(csr):#x}", f"probe: csrrs t1, {int(csr):#x}, zero", where)
            text = f"li t1, -1\nprobe: csrrw zero, {int(csr):#x}, t1"
            yield Attempt("CSR write", f"csr-write {int(csr):#x}", text, where)


PRIVILEGED = ("mret", "sret", "emret")
"""Instructions of machine and supervisor mode."""


def _instructions(partition: Partition) -> Iterator[Attempt]:
    """Those of a higher privilege: bits 29 and 28, as in the number of a CSR (privileged specification, 3.3.2)."""
    words = {one.name: one.match for one in INSTRUCTIONS}
    for name in PRIVILEGED:
        word = words[name]
        if word >> 28 & 3 <= partition.mode:
            continue
        yield Attempt("instruction", f"instruction {name}", f"probe: .4byte {word:#x}", name)


NUMBERS = (0, 1, 2, 3, 4, 7, 0x7FFFFFFF, 0xFFFFFFFF)
"""Of calls: those that monitors have, and others."""


def _calls(partition: Partition) -> Iterator[Attempt]:
    for number in NUMBERS:
        for argument in (0, 1, 0xFFFFFFFF, partition.guarded):
            text = f"li t0, {number:#x}\nli a0, {argument:#x}\nprobe: ecall"
            yield Attempt("call", f"call {number:#x} {argument:#x}", text, "number, argument", window=4000)


# ---------------------------------------------------------------- sources of interrupts

_BYTES = ("pending", "enable", "attributes", "level")
"""The registers of a source of a CLIC, a byte each (regs/clic.rdl)."""


def _sources(partition: Partition, views: Sequence[int]) -> Iterator[Attempt]:
    """The watchdog's source, by every view of the controller: pending, masked, at another level, another mode's."""
    watchdog = partition.watchdog
    if watchdog is None:
        return
    for view in views:
        for place, register in enumerate(_BYTES):
            at = view + 4 * watchdog.source + place
            for value in (0, 0xFF):
                text = f"li t0, {at:#x}\nli t1, {value:#x}\nprobe: sb t1, 0(t0){HANG}"
                name = f"source {watchdog.source} {register}={value:#x} at {at:#x}"
                yield Attempt("source", name, text, "the watchdog's", hangs=True)


def _raised(partition: Partition, view: int, sources: Sequence[int], attributes: int) -> str:
    """Makes sources pending and enabled at the highest level, by an edge."""
    text = []
    for source in sources:
        text += [f"li t0, {view + 4 * source:#x}", "li t1, 1", f"li t2, {attributes:#x}", "li a0, 255"]
        text += ["sb t2, 2(t0)", "sb a0, 3(t0)", "sb t1, 0(t0)", "sb t1, 1(t0)"]
        text += [f"li t0, {partition.want + source:#x}", "sb t1, 0(t0)"] if partition.want is not None else []
    return "\n".join(text)


def _raise_all(partition: Partition, view: int) -> str:
    """The same for all of the program's, as a loop."""
    raised = partition.own_sources[: partition.raised]
    first, last = raised[0], raised[-1]
    skip = partition.watchdog.source if partition.watchdog is not None else 0
    want = [f"li a1, {partition.want:#x}", "add a1, a1, t1", "sb a0, 0(a1)"] if partition.want is not None else []
    return "\n".join(
        [
            f"li t1, {first}",
            "5:",
            f"li a1, {skip}",
            "beq t1, a1, 6f",
            "slli t0, t1, 2",
            f"li a1, {view:#x}",
            "add t0, t0, a1",
            f"li a0, {_EDGE:#x}",
            "sb a0, 2(t0)",
            "li a0, 255",
            "sb a0, 3(t0)",
            "li a0, 1",
            *want,
            "sb a0, 0(t0)",
            "sb a0, 1(t0)",
            "6:",
            "addi t1, t1, 1",
            f"li a1, {last}",
            "bge a1, t1, 5b",
        ]
    )


_EDGE = 0xC2
"""Attributes of a source of machine mode by a rising edge (regs/clic.rdl); user mode's view keeps the mode as it is."""


def _handled(partition: Partition, body: str) -> str:
    """Code that runs at first and after each of the program's interrupts, with the number of the round in s0."""
    return (
        f"li sp, {partition.stack:#x}\nli s0, 0\n"
        f"li t0, handler_address\n{partition.connect}\nj again\n"
        f".org {HANDLER_AT}\nagain:\naddi s0, s0, 1\n{body}"
    )


def _to_machine_mode(partition: Partition, view: int) -> Iterator[Attempt]:
    """Sources of the program that it tries to give to machine mode, so that it runs there as their handler."""
    if partition.handler_mode != partition.mode:
        return
    for source in partition.own_sources:
        body = f"li t0, 1\nbgt s0, t0, 7f\n{_raised(partition, view, [source], _EDGE)}\n{partition.enable}\n7:"
        yield Attempt(
            "source", f"source {source} to machine mode", f"{_handled(partition, body)}\nprobe: nop", "its own"
        )


FRAME = {"rv32i": FRAME_I_BYTES, "rv32e": FRAME_E_BYTES}


def _frames(partition: Partition, view: int, size: int) -> Iterator[Attempt]:
    """Frames that hardware stores below a stack pointer: whole, or one word, where the program may not."""
    source = partition.own_sources[0]
    for zone in partition.zones:
        for pointer in (zone.begin + size, zone.end + size - 4) if "w" not in zone.rights else ():
            if pointer >> 32 or partition.may("w", pointer - size, size):
                continue
            body = (
                f"li t0, 1\nbgt s0, t0, 7f\ncsrwi {int(Csr.UFASTIRQ):#x}, 1\n"
                f"{_raised(partition, view, [source], _EDGE)}\nli sp, {pointer:#x}\n"
                f"probe: {partition.enable}\nnop\nnop\n7:"
            )
            yield Attempt("frame", f"frame {pointer - size:#x}", _handled(partition, body), zone.name, frames=True)


def _storms(partition: Partition, view: int) -> Iterator[Attempt]:
    """What goes on for a while; then a word of the other side's is still closed."""
    after = f"7: {load(partition.guarded, 4)}"
    raised = _raise_all(partition, view)
    body = f"li t0, {partition.rounds}\nbgt s0, t0, 7f\n{raised}\n{partition.enable}\nj again\n{after}"
    yield Attempt("storm", "storm interrupts", _handled(partition, body), "its own sources", window=STORM_WINDOW)
    text = f"li s0, {CALLS * partition.rounds}\n1: {partition.call}\naddi s0, s0, -1\nbnez s0, 1b\n{after}"
    yield Attempt("storm", "storm calls", text, "calls", window=STORM_WINDOW)


def _time(partition: Partition, view: int) -> Iterator[Attempt]:
    yield Attempt("time", "time loop", "probe: j probe", "runs for ever", hangs=True)
    yield Attempt("time", "time wfi", "probe: wfi\nj probe", "sleeps for ever", hangs=True)
    text = f"probe: {partition.call}\nj probe"
    yield Attempt("time", "time calls", text, "calls for ever", hangs=True)
    body = f"{_raise_all(partition, view)}\n{partition.enable}\nj again"
    text = _handled(partition, body).replace("again:", "again: probe:")
    yield Attempt("time", "time interrupts", text, "its own interrupts for ever", hangs=True)
    for number, ask in enumerate(partition.longer):
        yield Attempt("time", f"time longer {number}", f"probe: {ask}{HANG}", "another period", hangs=True)


def common(partition: Partition, config: Config) -> Iterator[Attempt]:
    """Those that do not depend on what is on the other side: accesses, CSRs, instructions.

    Args:
        partition: That they are made in.
        config: Of the platform.
    """
    memories = [(one.base, one.end) for one in config.platform.memories if partition.hart in one.harts]
    yield from _own(partition, memories)
    yield from _accesses(partition, "a" in config.harts[partition.hart].extensions)
    yield from _across(partition)
    yield from _csrs(partition)
    yield from _instructions(partition)


def ordered(attempts: Iterable[Attempt]) -> list[Attempt]:
    """In the order of the table, each name once."""
    order: dict[str, list[Attempt]] = {}
    for one in {one.name: one for one in attempts}.values():
        order.setdefault(one.kind, []).append(one)
    return [one for some in order.values() for one in some]


def all_of(partition: Partition, config: Config) -> list[Attempt]:
    """Every attempt against a monitor's partition, in the order of the table.

    Args:
        partition: That they are made in.
        config: Of the platform.
    """
    regions = [config.platform.find(name) for name in ("clic", "clic_user")]
    views = [one.base + first_source() for one in regions if one is not None]
    hart, user = config.harts[partition.hart], partition.handler_mode == partition.mode
    mine = views[-1] if user else views[0]
    found = [
        *common(partition, config),
        *_calls(partition),
        *_sources(partition, views),
        *_to_machine_mode(partition, mine),
        *(_frames(partition, mine, FRAME[hart.base]) if user and hart.scheme == "fastirq" else ()),
        *_storms(partition, mine),
        *_time(partition, mine),
    ]
    return ordered(found)


# ---------------------------------------------------------------- bytes


SLEEP = struct.pack("<II", 0x10500073, 0xFFDFF06F)
"""wfi, and a jump back to it."""

CHAIN = 64
"""Attempts of a chain, at most."""


def chain(codes: Sequence[Code]) -> tuple[bytes, list[int]]:
    """Attempts one behind the other, each without its last instruction, which hangs; and where they begin."""
    joined, starts = b"", []
    for one in codes:
        starts.append(len(joined))
        joined += one.code[:-4]
    return joined + SLEEP, starts


_LABELS = {"probe": 0, "answer": 1}
"""Labels of an attempt, and what comes off its beginning where it has none."""


def _numbered(text: str, number: int) -> str:
    for label in (*_LABELS, "again"):
        text = text.replace(label, f"{label}_{number}")
    return text


def assemble(attempts: Sequence[Attempt], partition: Partition, config: Config, place: int) -> list[Code]:
    """The attempts for an address.

    Raises:
        TrapezeError: the assembler refuses one.
    """
    hart = config.harts[partition.hart]
    gap = place % ALIGNMENT
    source = [".option norvc", ".option norelax"]
    for number, one in enumerate(attempts):
        source += [f'.section .attempt{number}, "ax", @progbits', *([f".skip {gap}"] if gap else [])]
        text = one.text.replace("handler_address", f"{place - gap + HANDLER_AT:#x}")
        source += [partition.prologue, _numbered(text, number) + HANG]
    isa = hart.base + "".join(one for one in hart.extensions if one in ("m", "a"))
    abi = {"rv32i": "ilp32", "rv32e": "ilp32e", "rv64i": "lp64"}[hart.base]
    with tempfile.TemporaryDirectory(prefix="trapeze-") as folder:
        file, made = Path(folder) / "attempts.s", Path(folder) / "attempts.elf"
        file.write_text("\n".join(source) + "\n")
        # Linked, since addresses of labels are not resolved before. Sections that the linker does not know stay apart.
        link = [
            "-nostdlib",
            "-static",
            "-Wl,--no-relax",
            "-Wl,--build-id=none",
            "-Wl,-e,0",
            "-Wl,--no-warn-rwx-segments",
        ]
        command = [compiler.gcc(), f"-march={isa}_zicsr", f"-mabi={abi}", *link, str(file), "-o", str(made)]
        done = processes.run(command, capture_output=True, text=True)
        if done.returncode:
            raise TrapezeError(f"isolate: the attempts do not assemble:\n{done.stderr.strip()}", 1)
        elf = ELFFile(io.BytesIO(made.read_bytes()))
        table = elf.get_section_by_name(".symtab")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        probes = {one.name: one["st_value"] for one in symbols}
        sections = {one.name: (one["sh_addr"], one.data()) for one in elf.iter_sections()}
    found = []
    for number in range(len(attempts)):
        base, data = sections[f".attempt{number}"]
        labels = [probes.get(f"{name}_{number}", base + gap - wrong) - base - gap for name, wrong in _LABELS.items()]
        found.append(Code(data[gap:], *labels))
    return found
