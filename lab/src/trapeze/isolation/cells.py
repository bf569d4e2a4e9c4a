# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cells of the hypervisor (fw/hypervisor/README.md) as partitions, and what a hostile one tries.

In Linux' place is a guest that has its interrupts enabled, stops the cell at a time and ends the run
(fw/hypervisor/instead_of_linux.S). So an image boots in no time, and a cell that never gives up has to be stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, map_header
from trapeze.isolation import attempts, image
from trapeze.isolation.attempts import Attempt
from trapeze.isolation.image import Image
from trapeze.isolation.partitions import ALL, Partition, Register, Service, Stop, Zone, whole
from trapeze.linux import image as linux_image
from trapeze.linux import layout
from trapeze.linux.cell import Cell, devices, shared_page
from trapeze.platform.configurations import Config

SOURCE = paths.FIRMWARE / "hypervisor" / "instead_of_linux.S"

STOPPED, GOES_ON = 77, 78
"""Exit codes of a run: the cell was stopped when it had to, or was not."""

STOP_AT = 8
"""Offset in the guest in Linux' place of the time at which it stops the cell."""

LATE = 12_000_000
"""Cycles from there to the end: a stop waits for the loading of the cell's memory alone, which takes 4.3 million."""

WORD = 0xFFFFFFFF

MASKS, BITS = 3, 32
"""Words of enables of a context, and their bits."""


@dataclass(frozen=True)
class _Plic:
    """Where the interrupt controller's registers are, and what of it is the cell's."""

    base: int
    end: int
    sources: int
    priority: int
    pending: int
    enables: int
    enables_stride: int
    threshold: int
    claim: int
    page_stride: int
    own: frozenset[int]
    context: int
    contexts: int

    def enable(self, context: int, word: int) -> int:
        """The address of a word of enables."""
        return self.enables + context * self.enables_stride + 4 * word

    def page(self, context: int) -> int:
        """The address of the page of a context, whose first word is the threshold."""
        return self.threshold + context * self.page_stride

    def mask(self, word: int) -> int:
        """The cell's sources in a word of bits."""
        return sum(1 << one % BITS for one in self.own if one // BITS == word)

    @property
    def distance(self) -> int:
        """From a page to its register of claims."""
        return self.claim - self.threshold


def _plic(config: Config) -> _Plic:
    region = config.platform.region(layout.PLIC)
    block = json.loads(paths.REGISTERS.read_text())["blocks"][layout.PLIC]["registers"]
    at = {one["name"]: one for one in block}
    before = layout.supervisors(config)
    place = [one.hart_id for one in before].index(config.harts[compiler.cell_hart(config)].hart_id)
    sources = (config.platform.region(name).plic_source for name in devices())
    return _Plic(
        base=region.base,
        end=region.end,
        sources=at["priority"]["count"],
        priority=region.base + at["priority"]["offset"],
        pending=region.base + at["pending"]["offset"],
        enables=region.base + at["enable_low"]["offset"],
        enables_stride=at["enable_low"]["stride"],
        threshold=region.base + at["context_threshold"]["offset"],
        claim=region.base + at["context_claim"]["offset"],
        page_stride=at["context_threshold"]["stride"],
        own=frozenset(one for one in sources if one is not None),
        context=2 * place + 1,
        contexts=2 * len(before),
    )


def is_cell(read: Image, config: Config) -> bool:
    """Whether an ELF is a cell's program: it begins where the memory of this configuration's cell does."""
    if read.width != 64 or len([hart for hart in config.harts if hart.supervisor]) < 2:
        return False
    return read.entry == compiler.place_of_cell(config, "memory")[0]


def build(cell: Cell, config: Config, folder: Path) -> Image:
    """The hypervisor with the cell, and the other guest in Linux' place.

    Raises:
        TrapezeError: the program is not one for a cell, or something does not build.
    """
    cell.check(config)
    own = layout.settings()["firmware"]
    guest, binary, nothing = folder / "guest.elf", folder / "guest.bin", folder / "nothing"
    words = [
        *(one for one in own["flags"] if not one.startswith("--specs")),  # no library, and not its linker script
        f"-DTRAPEZE_MAP_{config.map.upper()}",
        *map_header.flags(config),
        *(f"-DCELL_HART={compiler.cell_hart(config)}", f"-DSTOPPED={STOPPED}", f"-DGOES_ON={GOES_ON}"),
        *(f"-I{paths.ROOT / one}" for one in own["include"]),
    ]
    tool = compiler.gcc()
    for command in (
        [tool, *words, "-Wl,-n", "-Wl,-Ttext=0", "-Wl,--build-id=none", str(SOURCE), "-o", str(guest)],
        [tool.removesuffix("gcc") + "objcopy", "-O", "binary", "-j", ".text", str(guest), str(binary)],
    ):
        done = processes.run(command, capture_output=True, text=True)
        if done.returncode:
            raise TrapezeError(f"isolate: the guest in Linux' place does not build:\n{done.stderr.strip()}", 1)
    nothing.write_bytes(bytes(8))
    flat = folder / "cell.bin"
    cell.flat(flat)
    parts = {"SBI_KERNEL": binary, "SBI_DEVICE_TREE": nothing, "SBI_INITRD": nothing, linux_image.CELL_FILE: flat}
    made = folder / "hypervisor.elf"
    linux_image.link(made, config, parts, cell=cell)
    return image.load(made)


def _service(config: Config, plic: _Plic, hart: int) -> Service:
    """What the hypervisor may do for the cell, on its hart."""
    region, size = config.platform.region, layout.settings()["layout"]["firmware_size"]
    memory, copy = compiler.place_of_cell(config, "memory"), compiler.place_of_cell(config, "image")
    main, clint, console = layout.memory(config).base, region("clint").base, region("uart1")
    block = {one["name"]: one for one in json.loads(paths.REGISTERS.read_text())["blocks"]["clint"]["registers"]}
    bell = clint + block["msip"]["offset"] + hart * block["msip"]["stride"]
    timer = clint + block["mtimecmp_lo"]["offset"] + hart * block["mtimecmp_lo"]["stride"]
    clock = clint + block["mtime_lo"]["offset"]
    zones = [
        Zone(main, main + size, "rw", "the hypervisor's memory"),
        Zone(copy[0], sum(copy), "r", "the cell's image"),
        Zone(memory[0], sum(memory), "rw", "the cell's memory"),
        Zone(bell, bell + 4, "rw", "the software interrupt of its hart"),
        Zone(timer, timer + 8, "rw", "the timer of its hart"),
        Zone(clock, clock + 8, "r", "the time"),
        Zone(console.base, console.end, "rw", "its console"),
        *(Zone(one.base, one.end, "rw", "its device") for one in map(region, devices())),
        Zone(main, main + layout.memory(config).size, "", "Linux' memory"),
        *(Zone(one.base, one.end, "", one.title or one.name) for one in config.platform.regions),
    ]
    registers = {plic.priority + 4 * one: Register(WORD) for one in plic.own}
    # The context before is that of machine mode of the same hart, to which injected interrupts go.
    for context in (plic.context - 1, plic.context):
        registers |= {plic.enable(context, word): Register(plic.mask(word)) for word in range(MASKS)}
        registers[plic.page(context)] = Register(WORD)
        registers[plic.page(context) + plic.distance] = Register(values=tuple(plic.own))
    return Service(whole(zones, 64, "", "nothing of the cell's"), registers, (plic.base, plic.end))


def partition(cell: Cell, config: Config) -> Partition:
    """What of the platform is the cell's: fw/hypervisor/README.md."""
    region, plic, hart = config.platform.region, _plic(config), compiler.cell_hart(config)
    memory, copy = compiler.place_of_cell(config, "memory"), compiler.place_of_cell(config, "image")
    main, settings = layout.memory(config), layout.settings()
    offset, size = shared_page()
    page = region(layout.RING).base + offset
    firmware = main.base + settings["layout"]["firmware_size"]
    claims = plic.page(plic.context)
    delegated = cell.interrupts == "delegated"
    zones = [
        Zone(memory[0], sum(memory), ALL, "the cell's memory"),
        Zone(page, page + size, "rw", "the shared page"),
        *(Zone(one.base, one.end, "rw", "its device") for one in map(region, devices())),
        *([Zone(claims, claims + plic.page_stride, "rw", "its page of the PLIC")] if delegated else []),
        Zone(main.base, firmware, "", "the hypervisor's memory"),
        Zone(copy[0], sum(copy), "", "the cell's image"),
        Zone(main.base, main.end, "", "Linux' memory"),
        *(Zone(one.base, one.end, "", one.title or one.name) for one in config.platform.regions),
    ]
    return Partition(
        name=f"cell, {cell.interrupts} interrupts",
        hart=hart,
        mode=1,
        zones=whole(zones, 64, "", "nothing"),
        refused=STOPPED,
        guarded=firmware,
        stack=sum(memory),
        own_sources=tuple(plic.own),
        handler_mode=1,
        connect="csrw stvec, t0",
        enable="csrsi sstatus, 2",
        call="li a7, 4\necall",
        stop=Stop(main.base + settings["layout"]["kernel"] + STOP_AT, LATE),
        begins=memory[0],
        moved=memory[0] - copy[0],
        prologue="la t0, 8f\ncsrw stvec, t0",
        service=_service(config, plic, hart),
    )


# ---------------------------------------------------------------- attempts

REFUSED = 1_000
"""Instructions in which the hypervisor has handed an access back."""

ANSWERED = 4_000
"""Instructions in which the hypervisor has served what a cell asks for, loading apart."""

BASE, TIME, IPI, RFENCE, HSM, SRST, CELL = 0x10, 0x54494D45, 0x735049, 0x52464E43, 0x48534D, 0x53525354, 0x0943454C
"""Extensions of the SBI; the last one is the hypervisor's own (fw/hal/include/trapeze/cell.h)."""

LEGACY = range(9)
"""Those of version 0.1."""


ENDS = ("call 0x8 ", f"call {HSM:#x} 1 ", f"call {SRST:#x} ")
"""Calls after which the cell need not go on."""


def _call(extension: int, function: int, *arguments: int) -> str:
    given = [f"li a{number}, {value:#x}" for number, value in enumerate(arguments)]
    return "\n".join([*given, f"li a7, {extension:#x}", f"li a6, {function:#x}"])


def _calls(made: Partition, config: Config) -> Iterator[Attempt]:
    """Calls about other harts, and with addresses of the other side in every argument."""
    linux, firmware = made.guarded, layout.memory(config).base
    every, minus = (1 << len(config.harts)) - 1, (1 << 64) - 1
    own = 1 << made.hart
    pairs = [(0, linux), (0, minus), (1, 0), (1, 1 << 63), (made.hart, firmware), (made.hart, 0), (every ^ own, 0)]
    pairs += [(every, 0), (own | 1, 0), (minus, 0), (minus, minus), (firmware, linux), (linux, firmware), (64, 64)]
    extensions = [(one, 0) for one in LEGACY] + [
        (extension, function)
        for extension, functions in (
            *((BASE, 8), (TIME, 2), (IPI, 2), (RFENCE, 4), (HSM, 4), (SRST, 2), (CELL, 4)),
            *((0x4442434E, 3), (0x53555350, 1), (0x504D55, 4), (0x09000000, 1)),  # DBCN, SUSP, PMU; another vendor's
        )
        for function in range(functions)
    ]
    for extension, function in extensions:
        for first, second in pairs:
            name = f"call {extension:#x} {function} {first:#x} {second:#x}"
            text = _call(extension, function, first, second, firmware, linux) + "\nprobe: ecall"
            yield Attempt("call", name, text, "extension, function, arguments", window=ANSWERED)


def _registers(made: Partition, plic: _Plic) -> Iterator[Attempt]:
    """Registers of the PLIC that are not the cell's, wholly or in part: loaded, and stored to."""
    delegated = made.zone(plic.page(plic.context)).rights
    places = [(plic.priority + 4 * one, "priority", WORD if one in plic.own else 0) for one in range(plic.sources)]
    places += [(plic.pending + 4 * one, "pending", plic.mask(one)) for one in range(MASKS)]
    for context in range(plic.contexts):
        mine = context == plic.context
        places += [
            (plic.enable(context, one), f"enables of context {context}", plic.mask(one) if mine else 0)
            for one in range(MASKS)
        ]
        if not (mine and delegated):
            places += [
                (plic.page(context) + off, f"page of context {context}", WORD if mine else 0)
                for off in (0, plic.distance)
            ]
    for at, name, shown in places:
        for verb, code in (("load", "probe: lw t1, 0(t0)"), ("store", "li t1, -1\nprobe: sw t1, 0(t0)\nlw t1, 0(t0)")):
            text = f"li t0, {at:#x}\n{code}\nanswer: mv t2, t1"
            yield Attempt("source", f"source {verb} {at:#x}", text, f"PLIC, {name}", window=ANSWERED, shown=shown)


def _all_enabled(plic: _Plic) -> str:
    text = [f"li t1, -1\nli t0, {plic.enable(plic.context, word):#x}\nsw t1, 0(t0)" for word in range(MASKS)]
    text += [f"li t0, {plic.priority + 4 * one:#x}\nsw t1, 0(t0)" for one in range(1, BITS)]
    return "\n".join([*text, f"li t0, {plic.page(plic.context):#x}\nsw zero, 0(t0)"])


def _claims(plic: _Plic) -> Iterator[Attempt]:
    """Claims of a source of Linux' that is pending, after all was enabled that lets itself be enabled."""
    own = next(iter(plic.own))
    at = plic.page(plic.context) + plic.distance
    text = f"{_all_enabled(plic)}\nli t0, {at:#x}\nlw t1, 0(t0)\nli t2, {own}\nbne t1, t2, 7f\nli t1, 0"
    text += "\n7: probe: nop\nanswer: mv t2, t1"
    yield Attempt("source", "source claim", text, "a claim", window=100_000, shown=0)
    text = "\n".join(f"li t1, {one}\nsw t1, 0(t0)" for one in range(plic.sources))
    text = f"{_all_enabled(plic)}\nli t0, {at:#x}\n{text}\nprobe: nop"
    yield Attempt("source", "source complete", text, "every source, completed", window=200_000)


ENTRY = 0xCF
"""A page's entry that allows supervisor mode everything (privileged specification, 4.3.1: V, R, W, X, A, D)."""

GIGA = 30
"""Bits of an address within the largest page of Sv39."""


def _translated(made: Partition, config: Config, plic: _Plic) -> Iterator[Attempt]:
    """The same memories by translated addresses, and tables in them."""
    table, low, high, walk = made.stack - 0x100000, 4, 5, 6
    begin, main = made.guarded, layout.memory(config).base

    def on(pointer: int) -> str:
        entries = [ENTRY | number << 28 for number in range(4)]
        entries += [ENTRY, ENTRY | (main >> GIGA) << 28, pointer >> 2 | 1]
        stores = "\n".join(f"li t1, {value:#x}\nsd t1, {8 * place}(t0)" for place, value in enumerate(entries))
        return f"li t0, {table:#x}\n{stores}\nli t1, {8 << 60 | table >> 12:#x}\ncsrw satp, t1\nsfence.vma"

    targets = [main, begin, begin + 0x200000, compiler.place_of_cell(config, "image")[0]]
    targets += [one.base for one in config.platform.regions if not made.may("r", one.base)]
    targets += [plic.enable(1, 0), plic.page(1), plic.priority + 4]
    for at in dict.fromkeys(targets):
        page = low if at >> GIGA == 0 else high
        virtual = at % (1 << GIGA) + (page << GIGA)
        if at >> GIGA not in (0, main >> GIGA):
            continue
        for verb, code in (("load", "lw t1, 0(t0)"), ("store", "sw t1, 0(t0)")):
            text = f"{on(0)}\nli t0, {virtual:#x}\nprobe: {code}"
            name, where = f"translated {verb} {at:#x}", made.zone(at).name
            yield Attempt("translated", name, text, where, window=ANSWERED, mapped=at - virtual)
    for at in (begin, begin + 0x180000, compiler.place_of_cell(config, "image")[0], plic.base, main):
        text = f"{on(at & ~0xFFF)}\nli t0, {walk << GIGA:#x}\nprobe: lw t1, 0(t0)"
        yield Attempt("translated", f"tables {at:#x}", text, made.zone(at).name, window=ANSWERED)


def _interrupts(config: Config, plic: _Plic, rounds: int) -> str:
    """Its device's request, again and again; a handler that claims, completes and does not silence it."""
    registers = json.loads(paths.REGISTERS.read_text())["blocks"]["random"]["registers"]
    control = next(one["offset"] for one in registers if one["name"] == "control")
    parts = {one.name: one.base for one in config.platform.region(devices()[0]).parts}
    claim = plic.page(plic.context) + plic.distance
    leave = f"li t0, {rounds}\nbgeu s0, t0, 7f\n" if rounds else ""
    source = next(iter(plic.own))
    return (
        f"li s0, 0\nla t0, again\ncsrw stvec, t0\nli t0, {plic.priority + 4 * source:#x}\nli t1, 7\nsw t1, 0(t0)\n"
        f"li t0, {plic.enable(plic.context, source // BITS):#x}\nli t1, {1 << source % BITS:#x}\nsw t1, 0(t0)\n"
        f"li t0, {parts['random'] + control:#x}\nli t1, 2\nsw t1, 0(t0)\n"
        f"li t0, 0x200\ncsrw sie, t0\ncsrsi sstatus, 2\nprobe: j probe\n.balign 4\n"
        f"again: addi s0, s0, 1\nli t0, {claim:#x}\nlw t1, 0(t0)\nsw t1, 0(t0)\n{leave}sret\n"
    )


STORM = 30_000
"""Instructions of what goes on for a while."""


def _storms(made: Partition, config: Config, plic: _Plic) -> Iterator[Attempt]:
    after = f"7: {attempts.load(made.guarded, 4)}"
    text = _interrupts(config, plic, 20).replace("probe: j probe", "9: j 9b") + after
    yield Attempt("storm", "storm interrupts", text, "its own source", window=STORM)
    ring = "\n".join([_call(IPI, 0, 1 << made.hart, 0), "ecall", _call(RFENCE, 1, 0, (1 << 64) - 1), "ecall"])
    text = f"li s0, 20\n1: {ring}\naddi s0, s0, -1\nbnez s0, 1b\n{after}"
    yield Attempt("storm", "storm calls", text, "calls", window=STORM)
    text = f"la t0, 1f\ncsrw stvec, t0\nli s0, 20\nli t0, {made.guarded:#x}\n.balign 4\n"
    text += f"1: addi s0, s0, -1\nbeqz s0, 7f\nlw t1, 0(t0)\n{after}"
    yield Attempt("storm", "storm faults", text, "accesses that are refused", window=STORM)


def _time(made: Partition, config: Config, plic: _Plic) -> Iterator[Attempt]:
    calls = "\n".join([_call(TIME, 0, 0), "ecall", _call(IPI, 0, 1 << made.hart, 0), "ecall"])
    faults = f"la t0, probe\ncsrw stvec, t0\nli t0, {made.guarded:#x}\n.balign 4\nprobe: lw t1, 0(t0)\nj probe"
    registers = f"li t0, {plic.enable(plic.context, 0):#x}\nli t1, -1\nprobe: sw t1, 0(t0)\nj probe"
    for name, text, where in (
        ("loop", "probe: j probe", "runs for ever"),
        ("wfi", "probe: wfi\nj probe", "sleeps for ever"),
        ("calls", f"probe: nop\n{calls}\nj probe", "calls for ever"),
        ("faults", faults, "faults for ever"),
        ("interrupts", _interrupts(config, plic, 0), "its own interrupts for ever"),
        ("registers", registers, "registers of the PLIC for ever"),
        ("fences", ".option arch, +zifencei\nprobe: sfence.vma\nfence.i\nj probe", "fences for ever"),
        ("reboot", f"probe: nop\n{_call(SRST, 0, 1, 0)}\necall", "begins anew for ever"),
        ("end", f"probe: nop\n{_call(SRST, 0, 0, 0xF0000000 | GOES_ON)}\necall", "ends with an exit code"),
    ):
        yield Attempt("time", f"time {name}", text, where, window=STORM, hangs=True)


def _served(one: Attempt) -> Attempt:
    """An attempt whose window has what the hypervisor does about it; most can follow each other."""
    ends = one.own or one.name.startswith(ENDS)
    return replace(one, chained=not ends, window=max(one.window, REFUSED))


def all_of(made: Partition, config: Config) -> list[Attempt]:
    """Every attempt of a cell, in the order of the table.

    Args:
        made: Its partition.
        config: Of the platform.
    """
    plic = _plic(config)
    chained = [*attempts.common(made, config), *_calls(made, config), *_registers(made, plic)]
    return attempts.ordered(
        [
            *(_served(one) for one in chained),
            *_claims(plic),
            *_translated(made, config, plic),
            *_storms(made, config, plic),
            *_time(made, config, plic),
        ]
    )
