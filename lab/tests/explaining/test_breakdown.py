# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --budget`, and the reasons that are given for a delay."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.explaining import breakdown, gates, worst_case
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Stamps
from trapeze.simulation.traces import Record, Retired, Taken, Written, functions, read
from verify.dev.testing import Trapeze

Build = Callable[[str], Path]
Trace = list[Record]

FIRMWARE = """
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static void on_event(void *arg) { TRAPEZE_MARKER(1); (void)arg; events++; }
__attribute__((noinline)) static void critical(void)
{
	unsigned int key = irq_lock();
	for (volatile int i = 0; i < 20; i++) { }
	irq_unlock(key);
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, 0);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	TRAPEZE_MARKER(2);
	while (events == 0) { critical(); }
	return 0;
}
"""
CONFIG = "mcu-fastirq"
PLENTY = 1000


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that masks its interrupt for most of its time."""
    folder = tmp_path_factory.mktemp("late")
    (folder / "late.c").write_text(FIRMWARE)
    return toolchain.build(configurations.load(CONFIG), [folder / "late.c"], folder / "late.elf", [])


def named(where: int) -> list[tuple[range, str]]:
    return [(range(where), "work"), (range(where, 2 * where), "handler")]


def test_late_interrupt(trapeze: Trapeze, firmware: Path, tmp_path: Path) -> None:
    """The sweep ends at the first late one; what masked it is named, with the trace; the timeline is of that run."""
    timeline, path = tmp_path / "late.json", tmp_path / "r.json"
    command = ["run", firmware, "--config", CONFIG, "--sweep", "3@3000..3400"]
    said = trapeze(*command, "--budget", 60, "--trace", timeline, "--json", path)
    assert said.code == 123
    assert "no marker within 60 cycles" in said.err
    assert "in cycle" in said.err
    assert "critical" in said.err
    assert ">>> line 3 rises" in said.err
    assert "slti    zero,zero,1" in said.err
    assert json.loads(timeline.read_text())["traceEvents"]
    assert json.loads(path.read_text())["rows"]
    assert trapeze(*command, "--budget", PLENTY).code == 0


def test_parts_add_up(firmware: Path, tmp_path: Path) -> None:
    """In every phase of some, on the real simulator."""
    config = configurations.load(CONFIG)
    for cycle in range(3000, 3200, 23):
        trace = tmp_path / "t.jsonl"
        run = simulator.measure(firmware, config, Options(irq=(Edge(3, cycle),), trace=trace)).run
        (stamps,) = run.interrupts
        with trace.open() as lines:
            causes = breakdown.explain(stamps, list(read(lines)), functions(firmware))
        assert stamps.tx is not None
        assert sum(one.cycles for one in causes) == stamps.tx - stamps.t0
        waited = [one for one in causes if one.part == "wait"]
        assert all("critical" in one.what for one in waited if one.cycles > 30)


def test_lines_that_rise_later(trapeze: Trapeze, firmware: Path, tmp_path: Path) -> None:
    """A line whose cycle does not come any more is no interrupt, wherever it stands on the command line."""
    path = tmp_path / "r.json"
    said = trapeze(
        "run", firmware, "--config", CONFIG, "--irq", "5@900000", "--irq", "3@3000", "--budget", 5, "--json", path
    )
    assert said.code == 123
    assert "line 3, raised in cycle 3000: " in said.err
    assert "Traceback" not in said.err
    assert {row["labels"].get("line", "3") for row in json.loads(path.read_text())["rows"]} == {"3"}


def test_no_marker(trapeze: Trapeze, build: Build) -> None:
    """A handler that says nothing is late, and the reason given."""
    elf = build(FIRMWARE.replace("TRAPEZE_MARKER(1);", ""))
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "3@3000", "--budget", 100)
    assert said.code == 123
    assert "no marker reached" in said.err


def test_not_taken(trapeze: Trapeze, build: Build) -> None:
    """A budget is not kept by an interrupt that nobody enabled, whether the program ends before it is over or after."""
    elf = build(FIRMWARE.replace("while (events == 0)", "for (int i = 0; i < 60; i++)"))
    for budget in (500, 10**6, 2**64 - 1):
        said = trapeze("run", elf, "--config", CONFIG, "--irq", "4@3000", "--budget", budget)
        assert said.code == 123
        assert "line 4, raised in cycle 3000: no marker reached, the first " in said.err
        assert "the interrupt was not taken" in said.err
        (wait,) = [line for line in said.err.splitlines() if line.startswith("wait ")]
        assert "not enabled in the controller since reset" in wait


def test_after_the_end(trapeze: Trapeze, firmware: Path) -> None:
    """A line whose cycle does not come has not kept its budget."""
    said = trapeze("run", firmware, "--config", CONFIG, "--irq", "3@3000", "--irq", "3@900000", "--budget", PLENTY)
    assert said.code == 123
    assert "over budget: line 3 was to rise in cycle 900000, but the program ended in cycle" in said.err


def test_the_line_that_is_late(trapeze: Trapeze, build: Build) -> None:
    """The late one of two: that of --irq in a sweep of the other, and the second to rise where the first is in time."""
    text = FIRMWARE.replace("events++; }", "events++; }\nstatic void on_other(void *arg) { (void)arg; }", 1)
    text = text.replace("irq_unlock_all();", "irq_connect(IRQ_PLATFORM(5), on_other, 0);\nirq_enable(IRQ_PLATFORM(5));")
    elf = build(text.replace("TRAPEZE_MARKER(2);", "irq_unlock_all();"))
    lines = ["--irq", "5@3000"]
    for options in ([*lines, "--sweep", "3@3300..3310"], [*lines, "--irq", "3@3300"]):
        said = trapeze("run", elf, "--config", CONFIG, *options, "--budget", PLENTY)
        assert said.code == 123
        assert "over budget: line 5, raised in cycle 3000: " in said.err
        assert "line 5, raised in cycle 3000: no marker reached" in said.err
        assert "its handler returned without" in said.err


def test_a_marker_that_is_far_away(trapeze: Trapeze, build: Build) -> None:
    """The parts are there, and no more of the trace than a screen or two."""
    elf = build(FIRMWARE.replace("i < 20", "i < 3000"))
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "3@3000", "--budget", PLENTY)
    assert said.code == 123
    (wait,) = [line for line in said.err.splitlines() if line.startswith("wait ")]
    assert int(wait.split()[1]) > 10_000
    assert "masked since `csrrci" in wait
    assert "slti    zero,zero,1" in said.err
    assert "lines, which --trace FILE.log has" in said.err
    assert len(said.err.splitlines()) < 300


def test_budgets_that_are_never_over(trapeze: Trapeze, firmware: Path) -> None:
    """Nothing wraps at the end of 64 bits."""
    for budget in (2**63, 2**64 - 3000, 2**64 - 2, 2**64 - 1):
        assert trapeze("run", firmware, "--config", CONFIG, "--irq", "3@3000", "--budget", budget).code == 0


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build C text."""

    def made(text: str) -> Path:
        (tmp_path / "main.c").write_text(text)
        return toolchain.build(configurations.load(CONFIG), [tmp_path / "main.c"], tmp_path / "main.elf", [])

    return made


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--budget", "12"], "--irq LINE@CYCLE, --stimulus"),
        (["--budget", "12", "--irq", "3@3000", "--engine", "model"], "use --engine rtl"),
        (["--budget", "12", "--irq", "3@3000", "--gdb", "0"], "--gdb"),
        (["--budget", "0", "--irq", "3@3000"], "--budget"),
    ],
)
def test_refused(trapeze: Trapeze, firmware: Path, options: list[str], says: str) -> None:
    said = trapeze("run", firmware, "--config", CONFIG, *options)
    assert said.code == 2
    assert says in said.error


def test_masked() -> None:
    trace: Trace = [
        Retired(5, 0x10, "csrrci", "a5,mstatus,8", Written("mstatus", 0x00000000)),
        Retired(20, 0x14, "div", "a0,a1,a2"),
        Retired(30, 0x18, "csrs", "mstatus,a5", Written("mstatus", 0x00000008)),
        Taken(30, "line 3", 0x1C),
        Retired(34, 0x40, "addi", "sp,sp,-16"),
        Retired(36, 0x44, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 31, 35, 36, taken=30), trace, named(0x40))
    assert [(one.part, one.cycles) for one in causes] == [("wait", 19), ("controller", 1), ("entry", 1), ("save", 4)]
    assert "masked since `csrrci a5,mstatus,8` at work+0x10 in cycle 5, until `csrs mstatus,a5` at work+0x18" in str(
        causes[0]
    )
    assert "wait 19 (masked" in breakdown.sentence(causes)


def test_kept_back_by_the_threshold() -> None:
    trace: Trace = [
        Retired(5, 0x10, "csrwi", "0x347,15", Written("0x347", 0x0000000F)),
        Retired(20, 0x14, "div", "a0,a1,a2"),
        Retired(30, 0x18, "csrwi", "0x347,0", Written("0x347", 0x00000000)),
        Taken(30, "line 3", 0x1C),
        Retired(36, 0x44, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 31, 35, 36, taken=30), trace, named(0x40))
    assert "masked since `csrwi 0x347,15` at work+0x10 in cycle 5, until `csrwi 0x347,0` at work+0x18" in str(causes[0])


def test_masked_by_a_handler() -> None:
    trace: Trace = [
        Taken(3, "line 5", 0x1C),
        Retired(12, 0x44, "mret", ""),
        Taken(13, "line 3", 0x1C),
        Retired(18, 0x48, "slti", "zero,zero,1"),
    ]
    source = gates.Source(configurations.load("mcu-clint").first, 3)
    causes = breakdown.explain(
        Stamps(10, 14, 17, 18, taken=13), trace, named(0x40), source=replace(source, reset=False)
    )
    assert "masked by the handler of line 5, until `mret` at handler+0x4 in cycle 12" in causes[0].what


def test_held_by_an_instruction() -> None:
    trace: Trace = [
        Retired(9, 0x10, "addi", "a0,a0,1"),
        Retired(20, 0x14, "lw", "a0,0(a1)"),
        Taken(20, "line 3", 0x18),
        Retired(25, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 21, 24, 25, taken=20), trace, named(0x40))
    assert causes[0].cycles == 9
    assert "behind `lw a0,0(a1)` at work+0x14" in causes[0].what


def test_chained() -> None:
    """An emret that goes on to another handler is no return from that one."""
    trace: Trace = [
        Taken(11, "line 3", 0x18),
        Taken(20, "software", 0x44),
        Retired(21, 0x50, "emret", "", goes_on_to="software"),
        Retired(40, 0x58, "emret", ""),
        Retired(45, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 12, 44, 45, taken=11), trace, named(0x40))
    assert ("nested", 20, "software") in [(one.part, one.cycles, one.what) for one in causes]


def test_so_far() -> None:
    """What is known of an interrupt without a marker."""
    trace: Trace = [
        Retired(5, 0x10, "csrrci", "a5,mstatus,8", Written("mstatus", 0x00000000)),
        Retired(20, 0x14, "div", "a0,a1,a2"),
    ]
    waits = Stamps(10, None, None, None, fate="not-taken")
    (cause,) = breakdown.explain_unmarked(waits, trace, named(0x40), 30)
    assert (cause.part, cause.cycles) == ("wait", 20)
    assert cause.what == "masked since `csrrci a5,mstatus,8` at work+0x10 in cycle 5"
    plain = gates.Source(configurations.load("mcu-clint").first, 3, reset=False)
    (cause,) = breakdown.explain_unmarked(waits, [Taken(8, "line 5", 0x1C), *trace[1:]], named(0x40), 30, plain)
    assert cause.what == "masked by the handler of line 5: mstatus.MIE is 0"
    opening = Retired(29, 0x18, "csrs", "mstatus,a5", Written("mstatus", 0x00000008))
    held, free = breakdown.explain_unmarked(waits, [*trace, opening], named(0x40), 30)
    assert (held.cycles, free.cycles) == (19, 1)
    assert held.what.endswith("in cycle 5, until `csrs mstatus,a5` at work+0x18 in cycle 29")
    begun = Stamps(10, 13, None, None, taken=11, fate="returned")
    causes = breakdown.explain_unmarked(begun, [*trace, Retired(25, 0x44, "mret", "")], named(0x40), 30)
    assert [(one.part, one.cycles) for one in causes] == [("controller", 1), ("entry", 2), ("save", 17)]
    assert causes[-1].what == "2 instructions before the marker; its handler returned without TRAPEZE_MARKER(1)"


def test_no_bank() -> None:
    """Another interrupt came first, and nothing retired until its frame had left."""
    trace: Trace = [
        Taken(11, "line 6", 0x18),
        Taken(28, "line 7", 0x44),
        Retired(33, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 29, 31, 32, taken=28), trace, named(0x40))
    assert causes[0].what == "behind line 6, which came first, and until a register bank was free"


NESTED = FIRMWARE.replace(
    "int main",
    """__attribute__((noinline)) static void outer(void)
{
	unsigned int key = irq_lock();
	for (volatile int i = 0; i < 20; i++) { }
	critical();
	for (volatile int i = 0; i < 20; i++) { }
	irq_unlock(key);
}
int main""",
).replace("{ critical(); }", "{ outer(); }")


def waits(elf: Path, cycle: int, trace: Path) -> tuple[list[breakdown.Cause], int]:
    """The reasons why line 3 waited that rose in a cycle, and the cycle in which it was taken."""
    config = configurations.load(CONFIG)
    (stamps,) = simulator.measure(elf, config, Options(irq=(Edge(3, cycle),), trace=trace)).run.interrupts
    assert stamps.taken is not None
    with trace.open() as lines:
        known = list(read(lines))
    causes = breakdown.explain(stamps, known, functions(elf), source=gates.source(config, 0, 3, True))
    return [one for one in causes if one.part == "wait"], stamps.taken


def test_nested_locks(build: Build, tmp_path: Path) -> None:
    """The lock that was taken while none was, before the edge; not that of a function called inside, nor its unlock."""
    elf = build(NESTED)
    for cycle in range(3000, 3260, 13):
        found, taken = waits(elf, cycle, tmp_path / "t.jsonl")
        if sum(one.cycles for one in found) < 3:
            continue
        (wait,) = found
        assert wait.gate == gates.Gate.MIE
        said = re.fullmatch(
            r"masked since `csrrci \S+` at outer\+\w+ in cycle (\d+), until `csrs \S+` at outer\+\w+ in cycle (\d+)",
            wait.what,
        )
        assert said, wait.what
        assert int(said[1]) <= cycle + 1
        assert int(said[2]) == taken


def test_locked_since_reset(build: Build, tmp_path: Path) -> None:
    """In start-up code nobody cleared MIE; what locks and unlocks there changes nothing."""
    elf = build(NESTED.replace("irq_unlock_all();", "outer();\n\tirq_unlock_all();"))
    found, taken = waits(elf, 850, tmp_path / "t.jsonl")
    (wait,) = found
    assert re.fullmatch(r"masked since reset, until `csrsi mstatus,8` at main\+0x\w+ in cycle (\d+): .*", wait.what)
    assert f"in cycle {taken}" in wait.what


def test_enabled_late(build: Build, tmp_path: Path) -> None:
    """The wait ends with the store to the source's enable, not with the unlock a thousand cycles earlier."""
    enable = "irq_enable(IRQ_PLATFORM(3));"
    text = FIRMWARE.replace(enable, "").replace(
        "TRAPEZE_MARKER(2);", "for (volatile int i = 0; i < 200; i++) { }\n\t" + enable
    )
    found, taken = waits(build(text), 1000, tmp_path / "t.jsonl")
    (wait,) = found
    assert wait.gate == gates.Gate.ENABLE
    said = re.fullmatch(
        r"not enabled in the controller since reset, until `sb \S+` at main\+0x\w+ in cycle (\d+)", wait.what
    )
    assert said, wait.what
    assert int(said[1]) == taken - 1


def test_asked_for_by_a_program() -> None:
    """An interrupt that xnxti handed out has no entry of its own."""
    trace: Trace = [
        Taken(3, "line 5", 0x1C),
        Retired(12, 0x44, "csrrsi", "a0,0x345,8"),
        Retired(21, 0x44, "csrrsi", "a0,0x345,8"),
        Retired(28, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, None, 27, 28, taken=20), trace, named(0x40))
    assert [(one.part, one.cycles) for one in causes] == [("wait", 9), ("controller", 1), ("save", 7)]


def test_asleep() -> None:
    """Beside what keeps the interrupt back it is said that the core sleeps."""
    trace: Trace = [
        Retired(5, 0x10, "csrrci", "a5,mstatus,8", Written("mstatus", 0)),
        Retired(40, 0x14, "wfi", ""),
        Retired(44, 0x18, "csrs", "mstatus,a5", Written("mstatus", 8)),
        Taken(44, "line 3", 0x1C),
        Retired(49, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 45, 48, 49, taken=44), trace, named(0x40))
    assert causes[0].what.endswith("in cycle 44; asleep in `wfi` at work+0x14 until cycle 40")
    (cause,) = breakdown.explain_unmarked(Stamps(10, None, None, None, fate="not-taken"), trace[:1], named(0x40), 900)
    assert cause.what.endswith("in cycle 5; no instruction ended since cycle 5")


def test_instructions_of_nested_handlers() -> None:
    """They are counted where their cycles are."""
    trace: Trace = [
        Taken(11, "line 3", 0x18),
        Retired(14, 0x40, "addi", "sp,sp,-16"),
        Taken(15, "line 7", 0x44),
        *(Retired(18 + n, 0x50, "addi", "a0,a0,1") for n in range(100)),
        Retired(118, 0x54, "mret", ""),
        Retired(120, 0x44, "addi", "a0,a0,1"),
        Retired(121, 0x48, "slti", "zero,zero,1"),
    ]
    causes = breakdown.explain(Stamps(10, 12, 120, 121, taken=11), trace, named(0x40))
    assert [(one.part, one.cycles) for one in causes][-2:] == [("nested", 103), ("save", 5)]
    assert causes[-1].what == "2 instructions before the marker"


SPAN: Trace = [
    Retired(10, 0x00, "slti", "zero,zero,10"),
    Retired(11, 0x04, "addi", "a0,a0,1"),
    Retired(17, 0x40, "lw", "a0,0(a1)"),
    Retired(18, 0x44, "lw", "a1,4(a1)"),
    Taken(20, "timer", 0x48),
    Retired(24, 0x10, "addi", "a2,a2,1"),
    Retired(25, 0x14, "emret", ""),
    Retired(29, 0x48, "slti", "zero,zero,11"),
    Retired(31, 0x4C, "addi", "a2,a2,1"),
]


def test_between_two_instructions() -> None:
    """Every cycle belongs to a part; what waited for long is named."""
    found = breakdown.steps(SPAN, 9, 28, named(0x40))
    assert sum(one.cycles for one in found) == 28 - 9
    assert found[-1] == breakdown.Step("handler", "`slti zero,zero,11` at handler+0x8", 4)
    causes = breakdown.parts(found)
    assert [(one.part, one.cycles) for one in causes] == [("handler", 11), ("entry of timer", 6), ("work", 2)]
    assert [one.what for one in causes] == ["6 until `lw a0,0(a1)` at handler", "", ""]
    lw = "`lw a0,0(a1)` at handler"
    quicker = [breakdown.Step("handler", lw, 2), breakdown.Step("work", "other", 1), *found[2:]]
    assert breakdown.excess(found, quicker) == f"4 for {lw}, 1 for `addi a0,a0,1` at work+0x4, 1 less elsewhere"


def test_worst_span_is_seen_again(firmware: Path) -> None:
    """From a marker of the program to the handler's; another number of cycles than before is an error."""
    case = replace(experiment_files.load("irq-latency").cases[0], config=configurations.load(CONFIG))
    spans = []
    for cycle in (3000, 3040, 3080):
        options = Options(irq=(Edge(3, cycle),))
        run = simulator.measure(firmware, case.config, options).run
        first, last = (next(one.tx for one in run.markers if one.n == number) for number in (2, 1))
        spans.append(worst_case.MeasuredSpan(first, last, options))
    said = worst_case.explain_span(case, firmware, spans, "way")
    most = max(spans, key=lambda one: one.cycles)
    assert said.startswith(f"cycles {most.begin} to {most.end}: ")
    assert "entry of line 3 " in said
    more = most.cycles - min(one.cycles for one in spans)
    assert f"; {more} more than the best one: " in said
    path = worst_case.timeline(firmware, "way")
    assert path.name == "late-way-worst.json"
    events = json.loads(path.read_text())["traceEvents"]
    assert any(one.get("name") == "taken: line 3" for one in events)
    with pytest.raises(TrapezeError, match="again: there is no marker in the last one"):
        worst_case.explain_span(case, firmware, [replace(most, end=most.end + 1)])


def test_worst_case_is_seen_again(firmware: Path) -> None:
    """The timeline and the reason of the one that took most; another result than before is an error."""
    case = replace(experiment_files.load("irq-latency").cases[0], config=configurations.load(CONFIG))
    seen = []
    for cycle in range(3000, 3100, 9):
        options = Options(irq=(Edge(3, cycle),))
        (stamps,) = simulator.measure(firmware, case.config, options).run.interrupts
        seen.append(worst_case.MeasuredInterrupt((stamps.tx or 0) - cycle, options, 3, cycle))
    said = worst_case.explain(case, firmware, seen)
    most = max(seen, key=lambda one: one.cycles)
    assert said.startswith(f"raised in cycle {most.cycle}: wait ")
    assert "critical" in said
    events = json.loads(worst_case.timeline(firmware).read_text())["traceEvents"]
    assert any(one.get("name") == "taken: line 3" for one in events)
    with pytest.raises(TrapezeError, match=f"again: {most.cycles} cycles, not {most.cycles + 1}"):
        worst_case.explain(case, firmware, [replace(most, cycles=most.cycles + 1)])
