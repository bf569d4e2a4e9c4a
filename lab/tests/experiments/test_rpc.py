# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment rpc, on made-up records; lab/tests/linux/booted measures it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.rpc import measure, timeline
from trapeze.experiments.rpc.critical_path import IOREMAP, Bell, Region, steps, totals
from trapeze.linux import kernel
from trapeze.simulation.records import Marker, Run
from trapeze.simulation.traces import Record, Retired, Stored, Taken

DOORBELLS = (Bell(0x2000000), Bell(0x2000004))
REGIONS = [Region(64, write=True, code=True), Region(100), Region(128, read=False, write=True)]
"""Code of one line, an input and an output of two."""

LOOP = ("cbo.flush", "add", "bltu")
KERNEL, SBI, JOB, SERVER = 1 << 63, 0x80000000, 0x80100000, 0x84000000


class Made:
    """A record that grows by instructions, one a cycle."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.cycle = 100

    def executes(self, hart: int, pc: int, *names: str) -> Made:
        """Instructions one behind the other."""
        for at, name in enumerate(names):
            self.cycle += 1
            word, _, operands = name.partition(" ")
            self.records.append(Retired(self.cycle, pc + 4 * at, word, operands, hart=hart))
        return self

    def rings(self, hart: int, other: int) -> Made:
        """A store to another hart's doorbell."""
        self.cycle += 1
        pc = SERVER if hart else SBI
        self.records.append(Retired(self.cycle, pc, "sw", "", store=Stored(DOORBELLS[other].address, 1), hart=hart))
        return self

    def marks(self, hart: int, number: int) -> Made:
        """A marker."""
        return self.executes(hart, 0x10000 if hart == 0 else JOB, f"slti zero,zero,{number}")

    def ticks(self, hart: int, epc: int, count: int) -> Made:
        """An interrupt of the timer, and instructions of its handler."""
        self.records.append(Taken(self.cycle, "timer", epc, hart))
        return self.executes(hart, SERVER + 0x100, *["nop"] * count)


def call(lines_out: int = 5, tick: int = 0, back: Sequence[str] = ("sret",), lines_beside: int = 5) -> list[Record]:
    """A call, with so many lines in its way out and on the other hart, and a tick in its middle."""
    made = Made().marks(0, 16).executes(0, KERNEL, "ecall", "nop", "nop")
    for _ in range(lines_out):
        made.executes(0, KERNEL + 0x40, *LOOP)
    made.executes(0, KERNEL + 0x80, "nop").rings(0, 1)
    made.executes(1, SERVER, *["nop"] * 7)
    if tick:
        made.ticks(1, SERVER + 0x40, tick)
    for _ in range(lines_beside):
        made.executes(1, SERVER + 0x40, *LOOP)
    made.executes(1, SERVER + 0x80, "mret").marks(1, 18)
    made.cycle += 1000
    made.marks(1, 19).executes(1, SERVER, "nop", "nop")
    for _ in range(lines_beside):
        made.executes(1, SERVER + 0x40, *LOOP)
    made.rings(1, 0)
    made.cycle += 3  # until the hart sees it
    made.executes(0, KERNEL, "csrr")
    for _ in range(3):
        made.executes(0, KERNEL + 0x40, *LOOP)
    return made.executes(0, KERNEL, *back).marks(0, 17).records


def test_stages_add_up_to_the_call() -> None:
    trace = call(tick=5)
    found = totals(steps(trace, DOORBELLS, REGIONS))
    assert found == {
        "flush-code": 3,
        "flush-input": 6,
        "invalidate-output": 6,
        "ioctl": 5,  # with the store of the doorbell
        "spawn": 9,  # with the marker
        "invalidate-input": 9,
        "invalidate-unread": 6,
        "compute": 1001,
        "flush-output": 9,
        "flush-unwritten": 6,
        "end": 3,
        "invalidate-again": 9,
        "scheduler": 5,  # 3 of them waited for
        "tick": 5,
    }
    assert sum(found.values()) == trace[-1].cycle - trace[0].cycle - 1


def in_clock_cycles(trace: Sequence[Record]) -> list[Record]:
    """The same call where instructions of lines of code take 20 cycles each, the others one; harts run side by side."""
    made, cycle = [], 100
    for one in trace:
        cycle += 20 if isinstance(one, Retired) and one.name == "nop" else 1
        made.append(
            replace(one, cycle=cycle + (1000 if one.is_marker(19) else 0) if isinstance(one, Retired) else cycle)
        )
        cycle = made[-1].cycle
    beside = [Retired(200 + 30 * at, SERVER + 0x40, "wfi", "", hart=1) for at in range(2)]
    return [*beside, *made]  # what began sooner, on the other hart, comes first


def test_stages_in_clock_cycles_add_up_to_the_call() -> None:
    trace = in_clock_cycles(call())
    path = steps(trace, DOORBELLS, REGIONS)
    found = totals(path)
    assert sum(found.values()) == trace[-1].cycle - trace[2].cycle - 1
    assert found["ioctl"] == 5 + 3 * 19, "three instructions waited for code or data"
    assert found["flush-input"] == 6
    assert timeline.waits(path, "ioctl") == "5 instructions, 1 waits for code 20, 2 waits for data or devices 40"
    assert timeline.waits(path, "compute") == ""


def test_a_hart_beside_without_a_cache_that_a_mailbox_rings() -> None:
    """Linux sees the mailbox' registers by addresses of its own; what it stores elsewhere in a page does not ring."""
    seen = Bell(0x1002000C)
    bells = (DOORBELLS[0], seen)
    assert not seen.rung_by(Stored(KERNEL + 0x00C, 1))
    assert not seen.rung_by(Stored(IOREMAP.start + 0x5010, 1))
    assert not seen.rung_by(Stored(IOREMAP.start + 0x500C, 2))
    trace = [
        replace(one, store=Stored(IOREMAP.start + 0x500C, 1))
        if isinstance(one, Retired) and one.hart == 0 and one.store is not None
        else one
        for one in call(lines_beside=0)
    ]
    found = totals(steps(trace, bells, REGIONS, cached=False))
    assert (found["invalidate-input"], found["flush-output"], found["invalidate-again"]) == (0, 0, 9)
    with pytest.raises(TrapezeError, match="stage spawn: 0 lines of the cache are managed, not 5"):
        steps(trace, bells, REGIONS)


def test_doorbells_are_those_of_the_platform() -> None:
    of = {case.config.name: measure.doorbells(case.config) for case in experiment_files.load("rpc").cases[:2]}
    assert of == {"amp-dsp": [Bell(0x2000000), Bell(0x2000004)], "amp": [Bell(0x1002100C), Bell(0x1002000C)]}


def test_an_instruction_of_the_timeline_lasts_since_the_one_before_but_for_sleep() -> None:
    trace = [
        Retired(10, SERVER, "nop", "", hart=1),
        Retired(30, SERVER, "wfi", "", hart=1),
        Retired(90, SERVER + 0x40, "nop", "", hart=1),
        Retired(95, SERVER + 0x40, "nop", "", hart=1),
    ]
    events = json.loads(timeline.timeline(trace, [], places(), "cycles"))["traceEvents"]
    shown = [(one["name"], one["ts"], one["dur"]) for one in events if one["ph"] == "X" and one["tid"] == 2]
    assert shown == [("serve", 9, 21), ("job_begin", 89, 6)]


def test_a_tick_that_does_not_return_in_its_leg_is_no_tick() -> None:
    trace = call()
    at = next(index for index, one in enumerate(trace) if one.cycle > 125)
    trace.insert(at, Taken(125, "timer", 0xBAD, 1))
    assert totals(steps(trace, DOORBELLS, REGIONS))["tick"] == 0


@pytest.mark.parametrize("lines", [4, 6])
def test_other_lines_than_those_of_the_regions(lines: int) -> None:
    with pytest.raises(TrapezeError, match=f"stage ioctl: {lines} lines of the cache are managed, not 5"):
        steps(call(lines), DOORBELLS, REGIONS)


def test_a_call_that_is_not_whole() -> None:
    trace = call()
    with pytest.raises(TrapezeError, match="the trace has no marker 17 of hart 0"):
        steps(trace[:-1], DOORBELLS, REGIONS)
    silent = [replace(one, store=None) if isinstance(one, Retired) else one for one in trace]
    with pytest.raises(TrapezeError, match="hart 0 does not ring after cycle 101"):
        steps(silent, DOORBELLS, REGIONS)


def places() -> timeline.Places:
    return timeline.Places(
        [(range(KERNEL, KERNEL + 0x40), "entry"), (range(KERNEL + 0x40, KERNEL + 0x1000), "clean")],
        [(range(SBI, SBI + 0x1000), "ring")],
        [(range(SERVER, SERVER + 0x40), "serve"), (range(SERVER + 0x40, SERVER + 0x1000), "job_begin")],
        range(SBI, SERVER),
    )


def test_reasons_and_timeline() -> None:
    trace = call()
    path = steps(trace, DOORBELLS, REGIONS)
    assert timeline.reason(path, "ioctl", places()) == "entry 3, clean 1, ring 1"
    assert timeline.reason(path, "compute", places()) == ""
    events = json.loads(timeline.timeline(trace, path, places()))["traceEvents"]
    stages = [one for one in events if one["ph"] == "X" and one["pid"] == timeline.CALL]
    assert [one["name"] for one in stages][:5] == [
        "ioctl",
        "flush-code",
        "flush-input",
        "invalidate-output",
        "ioctl",
    ]
    assert sum(one["dur"] for one in stages) == trace[-1].cycle - trace[0].cycle - 1
    programs = [one["name"] for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) == (1, 1)]
    assert programs == ["server", "job", "server"]


def run(*markers: tuple[int, int, int]) -> Run:
    """A record with markers: hart, number, cycle."""
    made = tuple(Marker(n=n, tf=at, tx=at, tr=at, hart=hart) for hart, n, at in markers)
    return Run("amp-dsp", "model", "x.elf", "exit", 0, 9, 9, made, (), None, None)


def test_calls_between_markers() -> None:
    shown = run((0, 12, 10), (0, 13, 21), (0, 12, 30), (0, 13, 36), (0, 12, 40), (0, 13, 51), (0, 12, 60), (0, 13, 62))
    assert measure.plain_calls(shown, 12, 13, 2) == [15, 11]
    with pytest.raises(TrapezeError, match="marker 14 of hart 0: 0 times, and marker 15 0 times"):
        measure.plain_calls(shown, 14, 15, 20)


def test_calls_that_ran_jobs() -> None:
    (one,) = measure.jobs(run((0, 16, 100), (1, 18, 150), (1, 19, 190), (0, 17, 201)))
    assert (one.cycles, one.overhead) == (100, 60)
    with pytest.raises(TrapezeError, match="1 calls ran 2 jobs"):
        measure.jobs(run((0, 16, 1), (1, 18, 2), (1, 19, 3), (1, 18, 4), (1, 19, 5), (0, 17, 6)))
    with pytest.raises(TrapezeError, match="the call of cycle 3 does not enclose its job"):
        measure.jobs(run((0, 16, 3), (1, 18, 1), (1, 19, 2), (0, 17, 6)))


def test_refuses() -> None:
    experiment = experiment_files.load("rpc")
    case = experiment.cases[0]
    bare = replace(case, own={name: value for name, value in case.own.items() if name != "job"})
    with pytest.raises(TrapezeError, match="rpc: paper: job is missing"):
        measure.check(replace(experiment, cases=(bare,)))
    strange = replace(case, own={**case.own, "of_stages": {"tea": {}}})
    with pytest.raises(TrapezeError, match="of_stages: 'tea' is not one of flush-code, "):
        measure.check(replace(experiment, cases=(strange,)))
    strange = replace(case, own={**case.own, "in_cycles": {"of_stages": {"milk": {}}}})
    with pytest.raises(TrapezeError, match="of_stages: 'milk' is not one of flush-code, "):
        measure.check(replace(experiment, cases=(strange,)))
    alone = replace(case, rtos=None)
    with pytest.raises(TrapezeError, match="rpc: paper: config and rtos: jobs need a hart beside Linux"):
        measure.check(replace(experiment, cases=(alone,)))


def test_without_a_kernel_the_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> kernel.Kernel:
        raise TrapezeError("linux: as root run: apt-get install linux-source")

    monkeypatch.setattr(kernel, "build", none)
    experiment = experiment_files.load("rpc")
    with pytest.raises(TrapezeError, match="as root run"):
        measure.measure(experiment.cases[0], experiment, False, lambda *_: None)
