# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Engine `timed`: a tile on the model's platform is the design, cycle for cycle.

Beside a modelled hart, whatever crosses between the two does so in its cycle, whatever the quantum.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common import processes
from trapeze.common.edges import EdgeRange
from trapeze.firmware import compiler, toolchain
from trapeze.platform import configurations
from trapeze.platform.platform import SharedMemory
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import MARKER_WINDOW_BEGIN, MARKER_WINDOW_END, Run
from verify.dev.testing import Trapeze
from verify.random import seeds
from verify.random.lockstep import engines

CLINT, CLIC, RING, HOST = 0x200_0000, 0x280_1000, 0x8430_0000, 0x10_0000
FIRST, SECOND = 0x8000_0000, 0x8400_0000
AMP = configurations.load("amp")
BLOCKS = 150
PHASES = 64

Record = dict[str, Any]


def records(path: Path) -> list[Record]:
    """The records of a trace, without its header."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


# ---------------------------------------------------------------- the tile is the design


def traced(elf: Path, config: str, engine: str, settings: engines.Settings, path: Path) -> str:
    """What a run says on both outputs, its trace in `path`."""
    options = Options(engine=engine, irq=settings.irq, max_cycles=settings.max_cycles, trace=path)
    command = simulator.command_line(path.parent, elf, configurations.load(config), options)
    done = processes.run(command, capture_output=True)
    return str((done.stdout + done.stderr).decode(errors="replace"))


def same(config: str, seed: int, folder: Path) -> None:
    """A random program with its interrupts: every record of the trace is the same, with all its cycles."""
    program, settings = seeds.make(seed, config, BLOCKS)
    settings = replace(settings, wait_instr=0, wait_data=0, reset_seed=0)
    elf = engines.assemble(program.text, program.base, folder)
    said = [traced(elf, config, engine, settings, folder / f"{engine}.jsonl") for engine in ("rtl", "timed")]
    assert said[0] == said[1]
    rtl, timed = (records(folder / f"{engine}.jsonl") for engine in ("rtl", "timed"))
    for one, other in zip(rtl, timed, strict=True):
        assert one == other


@pytest.mark.parametrize("seed", [4, 6])
def test_equals_the_rtl(tmp_path: Path, seed: int) -> None:
    """Devices, timers, sleep, frames, memory protection, the latency measurement and its stress generator."""
    same("mcu-user", seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("config", ["mcu-clint", "mcu-clint-a", "mcu-clic", "mcu-fastirq"])
def test_every_scheme_equals_the_rtl(tmp_path: Path, config: str) -> None:
    for seed in range(1, 7):
        folder = tmp_path / str(seed)
        folder.mkdir()
        same(config, seed, folder)


def test_signals_rise_as_in_the_rtl(tmp_path: Path) -> None:
    """Of the latency measurement, whose probes they are held against: each in its cycle, under stress."""
    (case,) = [one for one in experiment_files.load("probe").cases if one.id == "fastirq/ilp32/stress"]
    config = configurations.load("mcu-user")
    elf = toolchain.build(config, case.sources, tmp_path / "x.elf", ["-DSAMPLES=20U", "-DSTRESS=128U"])
    rtl, timed = (simulator.watch(elf, config, Options(engine=engine)).run for engine in ("rtl", "timed"))
    for name in ("timer_irq", "data_ready", "read_done"):
        assert len(rtl.signals[name]) == 20
        assert timed.signals[name] == rtl.signals[name]


# ---------------------------------------------------------------- programs for two harts

Program = Callable[..., Path]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program in assembly, linked to an address."""
    folder = tmp_path_factory.mktemp("programs")

    def build(text: str, base: int, wide: bool = True) -> Path:
        elf = folder / f"{len(list(folder.iterdir()))}.elf"
        source = elf.with_suffix(".S")
        source.write_text(f"	.globl _start\n_start:{text}")
        isa = ["-march=rv64imafdc_zicsr", "-mabi=lp64d"] if wide else ["-march=rv32imac_zicsr", "-mabi=ilp32"]
        flags = [*isa, "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={base:#x}"]
        processes.run([compiler.gcc(), *flags, str(source), "-o", str(elf)], check=True)
        return elf

    return build


SLEEPS = "1:	wfi\n	j 1b\n"

EXITS = f"""
	li t1, {HOST}
	li t0, 0x5555
	sw t0, (t1)
9:	wfi
	j 9b
"""

ASKS = (
    f"""
	li s0, {CLINT}
	li s1, {RING}
	li s2, 0
	li s3, 100
1:	addi s2, s2, 1
	li t0, 13
	rem t0, s2, t0
2:	addi t0, t0, -1
	bgtz t0, 2b
	sw s2, (s1)
	li t0, 1
	sw t0, 4(s0)
3:	lw t1, 64(s1)
	bne t1, s2, 3b
	bne s2, s3, 1b
"""
    + EXITS
)
"""Writes a number to the ring, rings hart 1's doorbell, and waits for the number as an answer; a hundred times."""

ANSWERS = f"""
	li s0, {CLINT}
	li s1, {RING}
	la t0, handler
	ori t0, t0, 3
	csrw mtvec, t0
	li t0, {CLIC} + 12
	li t1, 0xffc00100
	sw t1, (t0)
	csrsi mstatus, 8
%(BETWEEN)s
	.balign 64
handler:
	sw zero, %(OWN)d(s0)
	lw t1, (s1)
	sw t1, 64(s1)
	mret
"""
WAITING = "1:	wfi\n	j 1b\n"
WATCHING = "1:	lw t0, (s1)\n	sw t0, 128(s1)\n	addi t2, t2, 1\n	j 1b\n"
NOTHING = "	.rept 64\n	nop\n	.endr\n"

RINGS_ITSELF = ANSWERS % {
    "OWN": 0,
    "BETWEEN": f"	li s3, 8\n1:	li t0, 1\n	sw t0, (s0)\n{NOTHING}	addi s3, s3, -1\n	bnez s3, 1b\n{EXITS}",
}


def claims(trace: list[Record], hart: int) -> list[int]:
    """The cycles in which a hart takes its doorbell."""
    return [one["cycle"] for one in trace if one["type"] == "claim" and one["hart"] == hart]


def stores(trace: list[Record], hart: int, address: int) -> list[int]:
    """The cycles in which a hart's stores of 1 reach an address."""
    written = (one for one in trace if one.get("store", {}).get("address") == address and one["hart"] == hart)
    return [one["granted"][0] for one in written if one["store"]["value"] == 1]


@pytest.fixture(scope="module")
def way(program: Program, tmp_path_factory: pytest.TempPathFactory) -> int:
    """The cycles from a store to msip to the claim on the design, where a hart rings itself."""
    folder = tmp_path_factory.mktemp("way")
    text = RINGS_ITSELF.replace(str(RING), str(0x8010_0000))
    settings = engines.Settings(max_cycles=100_000)
    traced(program(text, FIRST, wide=False), "mcu-user", "rtl", settings, folder / "t.jsonl")
    trace = records(folder / "t.jsonl")
    found = {b - a for a, b in zip(stores(trace, 0, CLINT), claims(trace, 0), strict=True)}
    assert len(found) == 1
    return found.pop()


def crossing(program: Program, between: str, turn: int, path: Path) -> list[Record]:
    """The trace of both harts."""
    elfs = program(ASKS, FIRST), program(ANSWERS % {"OWN": 4, "BETWEEN": between}, SECOND, wide=False)
    options = Options(engine="timed", others=elfs[1:], turn=turn, max_cycles=1_000_000, last_hart=0, trace=path)
    done = processes.run(simulator.command_line(path.parent, elfs[0], AMP, options), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return records(path)


def in_order(trace: list[Record]) -> Iterator[tuple[str, int, int, int]]:
    """The accesses to the ring by time, as (kind, address, value, hart); in a cycle the tile's come first."""
    found = []
    for one in trace:
        for kind in ("load", "store"):
            if kind in one and RING <= one[kind]["address"] < RING + 256:
                when = one["granted"][0], -one["hart"]
                found.append((when, kind, one[kind]["address"], one[kind]["value"], one["hart"]))
    return ((kind, address, value, hart) for _, kind, address, value, hart in sorted(found))


@pytest.mark.parametrize("between", [WAITING, WATCHING], ids=["asleep", "awake"])
def test_nothing_waits_for_the_quantum(program: Program, way: int, between: str, tmp_path: Path) -> None:
    """Doorbells take as long from hart to hart as on one hart of the design, each of a hundred.

    Each load of shared memory sees the last store before it, and none behind it. The quantum changes no record. Public
    reports of other simulators: interrupts wait for the end of a quantum (Renode 862), or are missed there (vcml 8).
    """
    found = [crossing(program, between, turn, tmp_path / f"{turn}.jsonl") for turn in (1, 100, 10_000)]
    assert found[0] == found[1] == found[2]
    trace = found[0]
    rings = stores(trace, 0, CLINT + 4)
    assert len(rings) == 100
    assert [b - a for a, b in zip(rings, claims(trace, 1), strict=True)] == [way] * 100
    memory: dict[int, int] = {}
    for kind, address, value, _ in in_order(trace):
        if kind == "load":
            assert memory.get(address, 0) == value
        memory[address] = value


PROBE = 0x1001_0000
FETCHES = f"""
	li s0, {RING}
	la t0, body
	la t1, end
	mv t2, s0
1:	lw t3, (t0)
	sw t3, (t2)
	addi t0, t0, 4
	addi t2, t2, 4
	bltu t0, t1, 1b
	li s1, {PROBE}
	li s2, 0
	li s3, 1000
	jalr s0
	addi s2, s2, -2000
	li t0, 0x5555
	beqz s2, 2f
	li t0, 0x13333
2:	li t1, {HOST}
	sw t0, (t1)
3:	wfi
	j 3b
body:
	.option norvc
	lw t0, (s1)
	addi s2, s2, 1
	addi s2, s2, 1
	addi s3, s3, -1
	bnez s3, body
	ret
end:
"""
"""Reads the latency measurement a thousand times, by instructions in the ring, and counts them."""

WALKS = """
1:	li s0, 0x80100000
	li s1, 0x80200000
2:	sd t0, (s0)
	addi s0, s0, 64
	bltu s0, s1, 2b
	j 1b
"""
"""Lines come and go all the time."""


@pytest.mark.parametrize("port", [None, SharedMemory(turn=0)], ids=["no-port", "port"])
def test_fetches_beside_the_latency_measurement(program: Program, port: SharedMemory | None) -> None:
    """A fetch from outside of the tile is answered by what is there, while a load waits at the latency measurement."""
    elfs = program(WALKS, FIRST), program(FETCHES, SECOND, wide=False)
    options = Options(engine="timed", others=elfs[1:], max_cycles=1_000_000, last_hart=1)
    run = simulator.watch(elfs[0], replace(AMP, shared_memory=port), options).run
    assert (run.reason, run.code) == ("exit", 0)


TICKS = """
	li s0, %(CLINT)d
	li s1, %(RING)d
	li t0, %(CLIC)d + 28
	li t1, 0xffc00100
	sw t1, (t0)
	csrr s2, mcycle
	lw t0, 0x%(MTIME)x(s0)
	lw t1, 0x%(MTIME)x+4(s0)
	li t2, %(SLEEP)d
	add t2, t2, t0
	sltu t3, t2, t0
	add t1, t1, t3
	li t3, -1
	li t4, %(CLINT)d + 0x4000 + 8 * %(HART)d
	sw t3, 4(t4)
	sw t2, (t4)
	sw t1, 4(t4)
	wfi
	csrr s3, mcycle
	sub s3, s3, s2
	sw s3, (s1)
"""
"""Sleeps until the timer comes, and stores how many cycles passed."""


def slept(program: Program, config: str, engine: str, cycles: int, path: Path) -> int:
    """What such a program stores."""
    hart = 1 if config == "amp" else 0
    ring = RING if hart else 0x8010_0000
    numbers = {"CLINT": CLINT, "RING": ring, "CLIC": CLIC, "MTIME": 0xBFF8, "SLEEP": cycles, "HART": hart}
    text = (TICKS % numbers).replace("lw t0, 0xbff8(s0)", "li a0, 0x200bff8\n	lw t0, (a0)")
    text = text.replace("lw t1, 0xbff8+4(s0)", "lw t1, 4(a0)") + EXITS
    elf = program(text, SECOND if hart else FIRST, wide=False)
    elfs = (program(SLEEPS, FIRST), elf) if hart else (elf,)
    options = Options(engine=engine, others=elfs[1:], max_cycles=2**40, trace=path, last_hart=hart or None)
    command = simulator.command_line(path.parent, elfs[0], configurations.load(config), options)
    processes.run(command, capture_output=True)
    (found,) = [one["store"]["value"] for one in records(path) if one.get("store", {}).get("address") == ring]
    return int(found)


def test_a_sleeping_tile_counts_the_cycles(program: Program, tmp_path: Path) -> None:
    """Its clock jumps, and mcycle with it: the same number as on the design, and for a long sleep as many more.

    Public report of another simulator: cycles in which the design stands never reach the program (CFU-Playground 566).
    """
    short = slept(program, "mcu-user", "rtl", 1000, tmp_path / "rtl.jsonl")
    assert slept(program, "mcu-user", "timed", 1000, tmp_path / "timed.jsonl") == short
    assert slept(program, "mcu-user", "timed", 2_000_001_000, tmp_path / "long.jsonl") == short + 2_000_000_000
    assert slept(program, "amp", "timed", 1000, tmp_path / "amp.jsonl") == short


# ---------------------------------------------------------------- interrupt latency


def window(run: Run) -> tuple[int, int]:
    """The cycles of the background loop, whether or not its result is that of the configuration."""
    (begin,) = [one.tr for one in run.markers if one.n == MARKER_WINDOW_BEGIN]
    (end,) = [one.tx for one in run.markers if one.n == MARKER_WINDOW_END]
    assert end is not None
    return begin, end - 1


def latencies(elfs: tuple[Path, ...], config: str, engine: str, line: int, phases: int | None) -> list[int | None]:
    """The latency of a line in each cycle of the loop of the last program."""
    hart = len(elfs) - 1
    options = Options(engine=engine, others=elfs[1:], max_cycles=2_000_000, last_hart=hart or None)
    chosen = configurations.load(config)
    first, last = window(simulator.watch(elfs[0], chosen, options).run)
    last = last if phases is None else first + phases - 1
    swept = replace(options, sweep=EdgeRange(line, first, last, hart=hart))
    runs = simulator.watch(elfs[0], chosen, swept).run.sweep or ()
    assert [one.t0 for one in runs] == list(range(first, last + 1))
    assert {one.taken_count for one in runs} == {1}
    return [one.distance("latency") for one in runs]


def rows() -> list[str]:
    """The rows of irq-latency for the schemes of amp's hart 1.

    PMP closes all of a user program's memory there, so that of mcu-fastirq is left out; and so are wait states and
    nested interrupts, which are measured in other ways.
    """
    found = experiment_files.load("irq-latency").cases
    return [
        one.id
        for one in found
        if one.config.name in ("mcu-fastirq", "mcu-user")
        and not re.search("wait|nested", one.id)
        and one.id != "fastirq-user/ilp32"
    ]


def compare(program: Program, row: str, folder: Path, phases: int | None) -> None:
    """A row on amp's hart 1 beside itself on the design."""
    experiment = experiment_files.load("irq-latency")
    (case,) = [one for one in experiment.cases if one.id == row]
    own = case.firmware("irq-latency")
    beside = toolchain.build(AMP, case.sources, folder / "amp.elf", case.options, case.rtos, monitor=case.monitor)
    wanted = latencies((own,), case.config.name, "rtl", case.line, phases)
    assert latencies((program(SLEEPS, FIRST), beside), "amp", "timed", case.line, phases) == wanted


@pytest.mark.parametrize("row", ["user/ilp32"])
def test_latency_on_amp_is_that_of_the_design(program: Program, row: str, tmp_path: Path) -> None:
    compare(program, row, tmp_path, PHASES)


@pytest.mark.slow
@pytest.mark.parametrize("row", rows())
def test_every_latency_on_amp_is_that_of_the_design(program: Program, row: str, tmp_path: Path) -> None:
    compare(program, row, tmp_path, None)


# ---------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--config", "duo"], "configuration duo has 2 RV32 harts, and engine timed takes one from the RTL"),
        (["--config", "mcu-user", "--gdb", "0"], "shows no registers, because a hart of it is the RTL"),
        (["--config", "mcu-user", "--wait-instr", "9"], "engine 'timed' has no wait states"),
        (["--config", "mcu-user", "--trace", "x.fst"], "engine 'timed' is built without waves"),
    ],
)
def test_refusals(trapeze: Trapeze, program: Program, words: list[str], why: str) -> None:
    said = trapeze("run", program(SLEEPS, FIRST, wide=False), "--engine", "timed", *words)
    assert said.code == 2, said.err
    assert why in said.err
