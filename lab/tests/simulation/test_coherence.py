# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`--coherence`: programs of two harts with each kind of missing cache maintenance, and without."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.testing import Trapeze

RING, HOST, LINES = 0x8430_0000, 0x10_0000, 0x8080_0000
FIRST, SECOND = 0x8000_0000, 0x8400_0000

UNWRITTEN = r"reads .*: hart {other} wrote it at {there} and has not written the line back since \(cbo\.clean "
OLD = r"reads .*: its cache may hold the line as it was before hart {other} wrote it at {there} \(cbo\.inval "
DISCARDED = r"reads .*: hart {other} wrote it at {there}, and the cbo\.inval of hart {third} may have discarded that"
CODE_UNWRITTEN = r"fetches from .*: hart {other} wrote it at {there} and has not written the line back since \(cbo"
CODE_OLD = r"fetches from .*: its cache may hold the code as it was before hart {other} wrote it at {there} \(fence\.i"
BESIDE = r"writes .*: the cache of hart {other} may hold the line dirty, which hart {other} wrote at {there}"
OVER = r"reads .*: hart {other} wrote it at {there}, and .* a copy from before, to which hart \d wrote at {third} \("


@dataclass(frozen=True)
class Case:
    """A kind of missing maintenance.

    Attributes:
        name: Of the kind.
        steps: What the harts do, in this order: hart, operation, offset in a page of the case. `?` is the step that is
            left out, `a|b` one that is replaced; `*` is the store that is reported, `!` the step that has spoilt it,
            `@` the access that finds it, if it is not the last step.
        says: What is reported.
        at: The offset that is reported; None: the larger one of the access and the store.
    """

    name: str
    steps: str
    says: tuple[str, ...] = ()
    at: int | None = None


CACHED = (
    Case("input not written back", "0 sw 0*; ?0 clean 0; 1 lw 0", (UNWRITTEN,)),
    Case("input not flushed", "0 sw 0*; ?0 flush 0; 1 lw 0", (UNWRITTEN,)),
    Case("a byte of it", "0 sb 5*; ?0 clean 0; 1 lb 5", (UNWRITTEN,)),
    Case("input of the job before", "1 lw 0; 0 sw 0*; 0 clean 0; ?1 inval 0; 1 lw 0", (OLD,)),
    Case("the same, by a flush", "1 lw 0; 0 sw 0*; 0 clean 0; ?1 flush 0; 1 lw 0", (OLD,)),
    Case("output not written back", "1 sw 0*; ?1 flush 0; 0 lw 0", (UNWRITTEN,)),
    Case("output of the job before", "0 lw 0; 1 sw 0*; 1 flush 0; ?0 inval 0; 0 lw 0", (OLD,)),
    Case("read beside too early", "0 sw 0*; 1 lw 32; 0 clean 0; ?1 inval 0; 1 lw 0", (OLD,)),
    Case("zeros of an output not flushed", "0 sw 0*; ?0 flush 0; 1 sw 32", (BESIDE,)),
    Case("output not invalidated before", "0 sw 0*; ?0 inval 0; 1 sw 0", (BESIDE,)),
    Case("dirty line left behind", "1 sw 8*; ?1 flush 0; 0 sw 16", (BESIDE,)),
    Case("clean line left behind", "1 lw 0; ?1 inval 0; 0 sw 0*; 0 clean 0; 1 sw 8!; 1 flush 0; 0 lw 0", (OVER,)),
    Case("inval where a flush is due", "0 sw 0*; 0 flush|inval 0!; 1 lw 0", (DISCARDED,)),
    Case("clean where a flush is due", "0 sw 0; 0 flush|clean 0; 1 sw 0*; 1 flush 0; 0 lw 0", (OLD,)),
    Case("cleaned by the other hart", "0 sw 0*; 0|1 clean 0; 1 lw 0", (UNWRITTEN,)),
    Case("written again", "0 sw 0; 0 clean 0; 0 sw 0*; ?0 clean 0; 1 lw 0", (UNWRITTEN,)),
    Case("last line", "0 sw 0; 0 sw 64*; 0 clean 0; ?0 clean 64; 1 lw 0; 1 lw 64", (UNWRITTEN,)),
    Case("store in two lines", "0 sd 60*; 0 clean 0; ?0 clean 64; 1 lw 60; 1 lw 64", (UNWRITTEN,)),
    Case(
        "the way back of two",
        "0 sw 0; 0 flush 0; 1 lw 0; 1 sw 0; 1 flush 0; 0 lw 0; 0 sw 0*; ?0 flush 0; 1 lw 0",
        (UNWRITTEN,),
    ),
    Case("a lock", "0 lr 0; 0 sc 0*; ?0 flush 0; 1 lr 0", (UNWRITTEN,)),
    Case("a counter", "0 amo 0*; ?0 flush 0; 1 amo 0", (UNWRITTEN, BESIDE)),
    Case("code not written back", "0 code 0*; ?0 clean 0; 1 call 0", (CODE_UNWRITTEN,)),
    Case("code of hart 1", "1 code 0*; ?1 clean 0; 0 call 0", (CODE_UNWRITTEN,)),
    Case(
        "code of the job before",
        "0 code 0; 0 clean 0; 1 call 0; 0 code 0*; 0 clean 0; ?1 fence.i 0; 1 call 0",
        (CODE_OLD,),
    ),
    Case("code in two lines", "0 code 62*; 0 clean 62; ?0 clean 64; 1 call 62", (CODE_UNWRITTEN,), at=64),
    Case("read again and again", "0 sw 0*; ?0 clean 0; 1 again 0", (UNWRITTEN,)),
    Case("its own, where another's is dirty, too", "0 sw 0*; ?0 flush 0; 1 sw 0@; 1 lw 0", (BESIDE,)),
    Case("discarded and written anew", "0 sw 0; 0 inval 0; 0 sw 0; 0 flush 0; 1 lw 0"),
    Case("an old copy of its own store", "1 lw 0; 0 sw 0; 0 clean 0; 1 sw 0; 1 clean 0; 1 lw 0"),
    Case(
        "overwritten and written anew",
        "1 lw 0; 0 sw 0; 0 clean 0; 1 sw 8; 1 flush 0; 0 inval 0; 0 sw 0; 0 flush 0; 1 lw 0",
    ),
)
"""Of two harts with caches. The last three have no fault."""

UNCACHED = (
    Case("input not written back", "0 sw 0*; ?0 clean 0; 1 lw 0", (UNWRITTEN,)),
    Case("output of the job before", "0 lw 0; 1 sw 0*; ?0 inval 0; 0 lw 0", (OLD,)),
    Case("zeros of an output not flushed", "0 sw 0*; ?0 flush 0; 1 sw 4", (BESIDE,)),
    Case("output written beside", "0 lw 0; 1 sw 0*; ?0 inval 0; 0 sw 4!; 0 flush 0; 1 lw 0", (OVER,)),
    Case("inval where a flush is due", "0 sw 0*; 0 flush|inval 0!; 1 lw 0", (DISCARDED,)),
    Case("code not written back", "0 code 0*; ?0 clean 0; 1 call 0", (CODE_UNWRITTEN,)),
    Case("code of hart 1", "1 code 0; 0 call 0; 1 code 0*; ?0 fence.i 0; 0 call 0", (CODE_OLD,)),
    Case("read without a cache", "1 lw 0; 0 sw 0; 0 clean 0; 1 lw 0"),
)
"""Of a hart with a cache and one without."""

BLOCK = ".insn i 0x0f, 2, x0, t0, {}"
OPERATIONS = {
    "lw": "lw t2, (t0)",
    "lb": "lb t2, (t0)",
    "again": "lw t2, (t0)\n\taddi t3, t3, -1\n\tbgez t3, 1b",
    "sw": "sw t1, (t0)",
    "sb": "sb t1, (t0)",
    "sd": "sd t1, (t0)",
    "lr": "lr.w t2, (t0)",
    "sc": "sc.w t2, t1, (t0)",
    "amo": "amoadd.w t2, t1, (t0)",
    "code": "sw s2, (t0)",
    "call": "jalr t0",
    "inval": BLOCK.format(0),
    "clean": BLOCK.format(1),
    "flush": BLOCK.format(2),
    "fence.i": "fence.i",
}
CODE = 0x8082_0001
"""c.nop, ret."""


@dataclass(frozen=True)
class Step:
    """One of a case as the program has it."""

    hart: int
    operation: str
    offset: int
    mark: str

    @staticmethod
    def all_of(case: Case, faulty: bool) -> list[Step]:
        """The steps of a case, with its fault or without."""
        steps = []
        for text in case.steps.split("; "):
            hart, operation, offset = text.removeprefix("?").rstrip("*!@").split()
            if text.startswith("?") and faulty:
                continue
            chosen = [one.split("|")[-1 if faulty else 0] for one in (hart, operation)]
            steps.append(Step(int(chosen[0]), chosen[1], int(offset), text[-1]))
        return steps


def programs(cases: tuple[Case, ...], faulty: bool) -> tuple[str, str]:
    """What each hart executes: all cases, step by step, by a count in the ring."""
    texts = [f"\tli s0, {RING}\n\tli s2, {CODE}\n", f"\tli s0, {RING}\n\tli s2, {CODE}\n"]
    count = 0
    for number, case in enumerate(cases):
        for place, step in enumerate(Step.all_of(case, faulty)):
            texts[step.hart] += (
                f"\tli t3, {count}\n1:\tlw t4, (s0)\n\tbne t3, t4, 1b\n"
                f"\tli t0, {LINES + 4096 * number + step.offset}\n\tli t1, {number + 7}\n"
                f"case{number}_{place}:\n1:\t{OPERATIONS[step.operation]}\n"
                f"done{number}_{place}:\n\tfence\n\tli t3, {count + 1}\n\tsw t3, (s0)\n"
            )
            count += 1
    end = f"\tli t0, 0x5555\n\tli t1, {HOST}\n\tsw t0, (t1)\n1:\tj 1b\n"
    return texts[0] + end, texts[1] + end


def build(folder: Path, text: str, hart: int, wide: bool) -> Path:
    """A program in assembly, linked to where its hart begins."""
    elf = folder / f"{hart}.elf"
    source = elf.with_suffix(".S")
    source.write_text(f"\t.globl _start\n_start:\n{text}")
    isa = (
        ["-march=rv64imac_zicsr_zifencei", "-mabi=lp64"] if wide else ["-march=rv32imac_zicsr_zifencei", "-mabi=ilp32"]
    )
    flags = [*isa, "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={SECOND if hart else FIRST:#x}"]
    flags += [f"-Wl,--section-start=.lines={LINES + 64:#x}"]
    processes.run(["riscv64-unknown-elf-gcc", *flags, str(source), "-o", str(elf)], check=True)
    return elf


def expected(cases: tuple[Case, ...]) -> list[str]:
    """Patterns of what is reported, in order."""
    patterns = []
    for number, case in enumerate(cases):
        steps = Step.all_of(case, faulty=True)
        marked = {step.mark: place for place, step in enumerate(steps)}
        for says in case.says:
            store, found, third = marked["*"], marked.get("@", len(steps) - 1), marked.get("!", 0)
            there, spoilt = f"case{number}_{store}", f"case{number}_{third}"
            spoiler = f"{steps[third].hart} at {spoilt}" if says == DISCARDED else spoilt
            wrote = says.format(other=steps[store].hart, there=there, third=spoiler)
            head, _, tail = wrote.partition(" ")
            # Instructions that are fetched have no name of their own: they are where the case has its page.
            at = r"\(0x\w+\)" if head == "fetches" else rf"\(case{number}_{found}\)"
            offset = max(steps[found].offset, steps[store].offset) if case.at is None else case.at
            address = LINES + 4096 * number + offset
            patterns.append(rf"hart {steps[found].hart} {head} (?=(from )?{address:#x} {at}){tail}")
    return patterns


@pytest.mark.parametrize(
    ("config", "cases"), [("amp-dsp", CACHED[:12]), ("amp-dsp", CACHED[12:]), ("amp", UNCACHED)], ids=["1", "2", "3"]
)
@pytest.mark.parametrize("faulty", [False, True])
def test_kinds(trapeze: Trapeze, tmp_path: Path, config: str, cases: tuple[Case, ...], faulty: bool) -> None:
    """Every fault is reported, once, with both instructions; nothing is in the same programs without faults."""
    both = config == "amp-dsp"
    elfs = [build(tmp_path, text, hart, both or hart == 0) for hart, text in enumerate(programs(cases, faulty))]
    said = trapeze("run", *elfs, "--config", config, "--engine", "model", "--coherence", "--turn", 50)
    found = [line.split("incoherent: ")[1] for line in said.err.splitlines() if "incoherent: " in line]
    wanted = expected(cases) if faulty else []
    assert len(found) == len(wanted), said.err
    for pattern, line in zip(wanted, found, strict=True):
        assert re.match(pattern, line), (pattern, line)
    assert said.code == (126 if faulty else 0), said.err


BESIDE_A_RESTART = f"""
	li s0, {RING}
	li t0, {LINES}
1:	lw t1, (s0)
	beqz t1, 1b
	sw t1, (t0)
	{OPERATIONS["clean"]}
	sw t1, 64(t0)
	fence
	li t1, 2
	sw t1, (s0)
	li t1, 3
2:	lw t2, (s0)
	bne t1, t2, 2b
	li t0, 0x5555
	li t1, {HOST}
	sw t0, (t1)
3:	j 3b
"""
"""Writes a line that hart 1 holds, and one that hart 1's program brings along, without a clean."""

RESTARTED = f"""
	li s0, {RING}
	li t0, {LINES}
	lw t1, (s0)
	bnez t1, 2f
	lw t1, (t0)
	li t1, 1
	sw t1, (s0)
1:	wfi
	j 1b
2:	lw t1, (t0)
	lw t2, 64(t0)
	li t1, 77
	bne t1, t2, 1b
	li t1, 3
	sw t1, (s0)
	j 1b
	.section .lines, "aw"
	.word 77
"""
"""Reads a line before the restart and behind it, and there also the one that has been loaded again."""


def test_a_restart(tmp_path: Path) -> None:
    """The cache of a hart is empty behind it, and what its program brings along is in no cache."""
    elfs = [build(tmp_path, text, hart, wide=True) for hart, text in enumerate((BESIDE_A_RESTART, RESTARTED))]
    options = Options(
        max_cycles=100_000, engine="model", others=(elfs[1],), last_hart=0, restarts=((1, 20_000),), coherence=True
    )
    command = simulator.command_line(tmp_path, elfs[0], configurations.load("amp-dsp"), options)
    said = processes.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
