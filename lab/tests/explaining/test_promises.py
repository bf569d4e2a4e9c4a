# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What reasons promise, against plain definitions cycle by cycle: who is named, what adds up, and what is not known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from trapeze.explaining import breakdown, by_task, gates, over_budget
from trapeze.explaining.controller import MACHINE, Controller
from trapeze.explaining.gates import Change, Gate, Source, Timelines
from trapeze.explaining.masked import Stretches
from trapeze.explaining.replay import Replay
from trapeze.explaining.rerun import Rerun
from trapeze.platform import configurations
from trapeze.simulation.options import Options
from trapeze.simulation.records import FATES, MARKED, Arrivals, Interrupt, Run, Stamps
from trapeze.simulation.traces import Edge, Raised, Record, Retired, Stored, Taken, TaskState, Written

END = 40
LINE = 3
FEW = [Gate.ENABLE, Gate.MIE, Gate.FRAME]

shuts = st.sampled_from([True, True, False, None])
notes = st.lists(st.tuples(st.integers(1, END + 5), st.sampled_from(FEW), shuts), max_size=25)


@settings(max_examples=500)
@given(st.tuples(shuts, shuts, shuts), notes, st.integers(0, END), st.integers(0, END), st.booleans())
def test_a_wait_is_cut_by_who_held_it_longest(
    start: tuple[bool | None, ...], noted: list[tuple[int, Gate, bool | None]], one: int, two: int, taken: bool
) -> None:
    """From its end back: the gate that is shut since longest, of several the first one of `Gate`."""
    begin, end = sorted((one, two))
    lines = Timelines({gate: (shut, "") for gate, shut in zip(FEW, start, strict=True)})
    state = {gate: [shut] * (END + 9) for gate, shut in zip(FEW, start, strict=True)}
    for cycle, gate, shut in sorted(noted, key=lambda note: note[0]):
        lines.note(gate, Change(cycle, shut, None))
        state[gate][cycle:] = [shut] * (END + 9 - cycle)

    def since(gate: Gate, cycle: int) -> int:
        while cycle and state[gate][cycle - 1]:
            cycle -= 1
        return cycle

    wanted: list[tuple[int, int, Gate | None, bool]] = []
    at = end
    while at > begin:
        over = [gate for gate in FEW if state[gate][at - 1]]
        longest = min(over, key=lambda gate: since(gate, at), default=None)
        first = at - 1 if longest is None else max(begin, since(longest, at))
        while longest is None and first > begin and not any(state[gate][first - 1] for gate in FEW):
            first -= 1
        opened = longest is not None and any(not state[longest][cycle] for cycle in range(at, end + 1))
        wanted.insert(0, (first, at, longest, opened))
        at = first
    found = lines.stretches(begin, end)
    assert [(part.begin, part.end, part.gate, part.opened is not None) for part in found] == wanted
    changes = {gate: any(state[gate][at] != state[gate][begin] for at in range(begin, end + 1)) for gate in FEW}
    unknown = [gate for gate in FEW if state[gate][begin] is None and (changes[gate] or not taken)]
    assert lines.unknown(begin, end, taken) == unknown


@cache
def source(config: str, reset: bool) -> Source:
    return gates.source(configurations.load(config), 0, LINE, reset)


def stored(cycle: int, address: int, value: int, size: int) -> Retired:
    return Retired(cycle, 0x100, "sw", "a0,0(a1)", store=Stored(address, value, size), granted=(cycle - 1,))


@st.composite
def stores(draw: st.DrawFn) -> list[Stored]:
    """To a CLIC, and to what is beside it; aligned, as the core's accesses are."""
    own = source("mcu-clic", True)
    last = own.registers + 4 * own.hart.sources
    bases = st.sampled_from(
        [own.configuration - 4, own.configuration, own.registers - 4, own.registers, last - 8, last]
    )
    made = []
    for _ in range(draw(st.integers(0, 12))):
        size = draw(st.sampled_from([1, 2, 4]))
        address = draw(bases) + size * draw(st.integers(0, 8 // size - 1))
        made.append(Stored(address, draw(st.integers(0, 256**size - 1)), size))
    return made


@given(stores(), st.booleans())
def test_a_controller_is_what_was_stored_to_it(some: list[Stored], reset: bool) -> None:
    """Byte by byte, the last one last; what was not stored to is as after reset, or not known."""
    own = source("mcu-clic", reset)
    controller, memory, sources = Controller(own), dict[int, int](), own.hart.sources
    for store in some:
        controller.write(store)
        memory |= {store.address + at: one for at, one in enumerate(store.value.to_bytes(store.bytes, "little"))}
    after_reset = [0, 0, 0xC0, 0] if reset else [None] * 4
    for number in (0, 1, sources - 2, sources - 1):
        found = [memory.get(own.registers + 4 * number + at, after_reset[at]) for at in range(4)]
        assert [controller.byte(number, at) for at in range(4)] == found
        ctl, split = found[3], memory.get(own.configuration, 0 if reset else None)
        level = None
        if ctl is not None and split is not None:
            bits = f"{ctl:08b}"[: own.hart.ctl_bits].ljust(8, "1")
            level = int(bits[: split & 15].ljust(8, "1"), 2)
        assert controller.level(number, MACHINE) == level
    for store in some:
        inside = [own.configuration <= store.address < own.configuration + 4]
        inside.append(own.registers <= store.address < own.registers + 4 * sources)
        assert controller.holds(store.address) == any(inside)


STATUS = st.sampled_from([0x1800, 0x1808, 0x1880, 0x1888])


@dataclass
class Drawn:
    """A trace without interrupts of the line, and the cycle from which on every register has been written."""

    trace: list[Record]
    known: int


@st.composite
def traces(draw: st.DrawFn, config: str) -> Drawn:
    """What a program, other interrupts and the wire do."""
    own = source(config, True)
    clic = own.hart.has_clic
    csrs = {
        "mstatus": STATUS,
        **({"mintthresh": st.integers(0, 255)} if clic else {"mie": st.sampled_from([0, 1 << own.number])}),
    }
    if own.hart.scheme == "fastirq":
        csrs["mfastirq"] = st.integers(0, 3)
    cycle, wire, depth = 10, False, 0
    trace: list[Record] = []

    def register(name: str) -> None:
        trace.append(Retired(cycle, 0x200, "csrw", f"{name},a0", Written(name, draw(csrs[name]))))

    def controller(address: int, size: int) -> None:
        trace.append(stored(cycle, address, draw(st.integers(0, 256**size - 1)), size))

    for name in csrs:
        cycle += 10
        register(name)
    if clic:
        for address in (own.configuration, own.registers + 4 * own.number):
            cycle += 10
            controller(address, 4)
    trace += [Edge(cycle + 10, LINE, True), Taken(cycle + 14, "line 1", number=own.hart.line_base + 1, level=255)]
    trace.append(Retired(cycle + 20, 0x800, "mret", ""))
    wire = True
    cycle += 30
    known = cycle
    for _ in range(draw(st.integers(0, 15))):
        cycle += draw(st.integers(5, 20))
        kind = draw(st.sampled_from(["csr", "csr", "store", "edge", "trap", "mret", "other"]))
        if kind == "csr":
            register(draw(st.sampled_from(list(csrs))))
        elif kind == "store" and clic:
            at = draw(st.sampled_from([0, 1, 2, 3]))
            controller(own.registers + 4 * own.number + at, 1)
        elif kind == "edge":
            wire = not wire
            trace.append(Edge(cycle, LINE, wire))
        elif kind == "trap":
            depth += 1
            trace.append(Taken(cycle, "line 1", number=own.hart.line_base + 1, level=draw(st.integers(1, 255))))
        elif kind == "mret" and depth:
            depth -= 1
            trace.append(Retired(cycle, 0x800, "mret", ""))
        else:
            trace.append(Retired(cycle, 0x900, "addi", "a0,a0,1"))
    return Drawn(trace, known)


CONFIGS = ("mcu-clint", "mcu-clic", "mcu-fastirq")


@settings(max_examples=200)
@given(st.sampled_from(CONFIGS).flatmap(lambda config: st.tuples(st.just(config), traces(config))), st.data())
def test_what_a_trace_does_not_show_is_not_known(drawn: tuple[str, Drawn], data: st.DataObject) -> None:
    """A trace that begins late gives the reasons of the whole one, or says that it does not know."""
    config, made = drawn
    whole, late = source(config, True), source(config, False)
    end = made.trace[-1].cycle + 6
    cut = data.draw(st.integers(0, len(made.trace) - 1), label="cut")
    begin = data.draw(st.integers(made.trace[cut].cycle, end - 1), label="begin")
    shut = Counter[tuple[Gate, int]]()
    for held in Replay(whole).run(made.trace).shut(end):
        shut.update((held.gate, cycle) for cycle in range(held.begin, held.end) if held.gate is not None)
    seen = made.trace[cut:]
    stamps = Stamps(begin, None, None, None, fate="not-taken")
    for causes, complete in (
        (breakdown.explain_unmarked(stamps, made.trace, [], end, whole), True),
        (breakdown.explain_unmarked(stamps, seen, [], end, late), False),
    ):
        at = begin
        for one in causes:
            cycles = range(at, at + one.cycles)
            assert (one.part, one.begin) == ("wait", at)
            at += one.cycles
            if one.gate is not None:
                assert all(shut[one.gate, cycle] for cycle in cycles), one
            elif not one.what.startswith("not known: the trace begins too late to tell "):
                assert not any(shut[gate, cycle] for gate in Gate for cycle in cycles), one
            else:
                assert not complete, one
                # No register says which level runs, once a handler has returned.
                assert cut or begin < made.known or one.what.endswith("tell level"), one
        assert at == end


@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["line", "exception", "return", "other"])), max_size=20),
    st.integers(0, 3),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_parts_add_up(happened: list[tuple[int, str]], wait: int, entry: int, rest: int) -> None:
    """To the latency, whatever comes between, and no part is less than nothing; nested is what others ran."""
    t0, taken = 10, 10 + wait
    trace: list[Record] = [Retired(5, 0x10, "addi", "a0,a0,1"), Taken(taken, "line 3", number=19)]
    cycle, depth, nested = taken, 0, list[list[int]]()
    outer = ""
    for gap, what in happened:
        cycle += gap
        if what in ("line", "exception"):
            if not depth:
                outer = what
                nested += [[cycle, cycle]] if what == "line" else []
            depth += 1
            trace.append(Taken(cycle, "line 7", number=23) if what == "line" else Raised(cycle, "ecall"))
        elif what == "return" and depth:
            depth -= 1
            trace.append(Retired(cycle, 0x50, "mret", ""))
            if not depth and outer == "line":
                nested[-1][1] = cycle
        else:
            trace.append(Retired(cycle, 0x40, "addi", "a0,a0,1"))
    tx = max(taken + entry, cycle + 1) + rest
    if depth and outer == "line":
        nested[-1][1] = tx
    stamps = Stamps(t0, taken + entry, tx, tx + 1, taken=taken)
    causes = breakdown.explain(stamps, [*trace, Retired(tx + 1, 0x60, "slti", "zero,zero,1")], [])
    assert sum(one.cycles for one in causes) == tx - t0
    assert all(one.cycles >= 0 for one in causes)
    assert [one.cycles for one in causes if one.part == "nested"] == [last - first for first, last in nested]
    inside = sum(first <= cycle < last for first, last in nested for cycle in range(taken, taken + entry))
    assert sum(one.cycles for one in causes if one.part == "entry") == entry - inside
    never = replace(stamps, taken=None, tf=None, tx=None, tr=None, fate="not-taken")
    assert sum(one.cycles for one in breakdown.explain_unmarked(never, trace, [], t0 + 30)) == 30


NAMED = [(range(0x100, 0x110), "first"), (range(0x110, 0x120), "second"), (range(0x200, 0x204), "third")]


@given(st.lists(st.tuples(st.integers(0xF8, 0x210), st.integers(1, 9)), min_size=1, max_size=20))
def test_places_and_the_largest_parts(ran: list[tuple[int, int]]) -> None:
    """A function and the offset in it; of equal parts, and of instructions that took as long, the first."""
    cycle, trace = 100, list[Record]()
    for pc, took in ran:
        cycle += took
        trace.append(Retired(cycle + 1, pc, "addi", "a0,a0,1"))
    steps = breakdown.steps(trace, 100, cycle, NAMED)

    def place(pc: int) -> str:
        inside = [(name, pc - where.start) for where, name in NAMED if where.start <= pc < where.stop]
        return hex(pc) if not inside else inside[0][0] + (f"+{inside[0][1]:#x}" if inside[0][1] else "")

    assert [(one.what, one.cycles) for one in steps] == [(f"`addi a0,a0,1` at {place(pc)}", took) for pc, took in ran]
    of = [place(pc).partition("+")[0] for pc, _ in ran]
    sizes = {name: sum(took for part, (_, took) in zip(of, ran, strict=True) if part == name) for name in of}
    order = sorted(sizes, key=lambda name: (-sizes[name], of.index(name)))
    found = breakdown.parts(steps)
    assert [(one.part, one.cycles) for one in found] == [(name, sizes[name]) for name in order]
    for one in found:
        some = [(took, pc) for part, (pc, took) in zip(of, ran, strict=True) if part == one.part]
        most = max(took for took, _ in some)
        first = next(pc for took, pc in some if took == most)
        named = most >= breakdown.LONG and len(some) > 1
        assert one.what == (f"{most} until `addi a0,a0,1` at {place(first)}" if named else "")


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 4)), min_size=1, max_size=20))
def test_the_worst_stretch_is_the_first_of_the_longest(some: list[tuple[int, int]]) -> None:
    found = Stretches()
    for begin, cycles in some:
        found.add(begin, begin + cycles)
    begin, cycles = max(some, key=lambda one: one[1])
    assert found.worst == (begin, begin + cycles)
    assert found.lengths == Counter(cycles for _, cycles in some)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab"), st.sampled_from(["waits", "ready", "runs"]))),
    st.integers(0, 40),
    st.integers(0, 40),
)
def test_waits_of_tasks_lie_between_the_events(drawn: list[tuple[int, str, str]], one: int, two: int) -> None:
    begin, end = sorted((one, two))
    states = (TaskState(*each) for each in sorted(drawn, key=lambda each: each[0]))
    trace = list[TaskState]()
    for state in states:  # a task waits for one thing at a time
        last = next((each.state for each in reversed(trace) if each.task == state.task and each.state != "runs"), "")
        trace += [state] if state.state != last else []
    found = by_task.waits(trace, begin, end)
    for task in "ab":
        waits, now, at = set[int](), "", 0
        for state in [
            *(state for state in trace if state.task == task and state.state != "runs"),
            TaskState(99, "", ""),
        ]:
            waits |= set(range(at, state.cycle)) if now == "waits" else set()
            at, now = state.cycle, state.state
        inside = sorted(cycle for cycle in waits if begin <= cycle < end)
        covered = [cycle for wait in found if wait.of.task == task for cycle in range(wait.begin, wait.end)]
        assert sorted(covered) == inside


def test_the_late_edge_of_a_stimulus_has_one_fate() -> None:
    """With it the fates are as many as the edges that were raised."""
    old = Interrupt(50, None, None, None, fate="running", taken=51, line=3)
    new = replace(old, tf=54, tx=900, tr=901, fate=MARKED)
    fates = {**dict.fromkeys(FATES, 0), MARKED: 4, "running": 1}
    many = Arrivals("3:every=9", 3, 0, 5, 0, None, fates, {"latency": ((4, 4),)}, None, None, old)
    run = Run("mcu-clic", "rtl", "x.elf", "budget", 0, 99, 99, (), (), None, None, late=(0, 3, 50), stimuli=(many,))
    alone = Rerun(Path("x.elf"), configurations.load("mcu-clic"), Options())
    (found,) = over_budget.with_late(run, over_budget.Late(0, 3, new, 900, alone)).stimuli
    assert sum(found.fates.values()) == found.raised
    assert (found.fates[MARKED], found.fates["running"]) == (5, 0)
