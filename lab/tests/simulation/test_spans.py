# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Spans: what the manual's examples measure, held against what else is known of the same runs; and what is refused."""

from __future__ import annotations

import functools
import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.results import store
from trapeze.simulation import events
from trapeze.simulation.traces import Record, Retired, Taken, functions, read
from verify.dev import examples
from verify.dev.testing import Trapeze

PAGE = paths.ROOT / "docs" / "howto" / "measure-anything.md"
UART_DATA = 0x1000_0000


@dataclass(frozen=True)
class Example:
    """A program of the page, and the arguments of the command that measures a span of it."""

    elf: Path
    arguments: list[str]

    @property
    def config(self) -> str:
        """What it runs on."""
        return self.arguments[self.arguments.index("--config") + 1]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Example]:
    """The first command of the page that measures a span of this name; its program is built as the page says."""
    folder = tmp_path_factory.mktemp("page")
    examples.write_files(PAGE, folder)
    (folder / "line.txt").write_text("\n")
    found = [shlex.split(one) for one in examples.commands(PAGE)]

    def of(name: str) -> Example:
        run = next(words for words in found if "run" in words and name in words)
        build = next(words for words in found if "cc" in words and run[2] in words)
        elf = folder / run[2]
        if not elf.exists():
            from trapeze.firmware import cc

            words = [str(folder / word) if re.fullmatch(r"\w+\.(c|elf)", word) else word for word in build[2:]]
            assert cc.command(words) == 0
        return Example(elf, [str(folder / word) if word.endswith(".txt") else word for word in run[3:]])

    return of


@dataclass(frozen=True)
class Seen:
    """A run: the rows of its spans by name, and what a trace of the same run has."""

    rows: Mapping[str, Mapping[str, Any]]
    trace: list[Record]
    said: str

    def values(self, name: str) -> list[int]:
        """What a span took, ascending."""
        return [value for value, count in self.rows[name]["histogram"] for _ in range(count)]


def seen(trapeze: Trapeze, one: Example, folder: Path, *more: str) -> Seen:
    result, trace = folder / "r.json", folder / "t.jsonl"
    for extra in (["--json", str(result)], ["--trace", str(trace)]):
        done = trapeze("run", one.elf, *one.arguments, *more, *extra)
        assert done.code == 0, done.err
    rows = {row["labels"]["name"]: row for row in store.load(result)["rows"] if row["metric"] == "span"}
    with trace.open() as file:
        return Seen(rows, list(read(file)), done.err)


@functools.cache
def symbols(elf: Path) -> Mapping[str, events.Symbol]:
    return events.Program(elf).symbols


def address(one: Example, name: str) -> int:
    return symbols(one.elf)[name].address


def test_from_the_timer_to_its_handler(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """Each alarm once, in the cycle in which the first instruction of the handler's function executes."""
    one = example("timer")
    found = seen(trapeze, one, tmp_path)
    retired = [r for r in found.trace if isinstance(r, Retired) and r.pc == address(one, "on_timer")]
    row = found.rows["timer"]
    assert row["n"] == len(retired) == 20
    assert (row["unit"], row["from"], row["to"], row["missed"], row["open"]) == (
        "cycles",
        "signal:mtip",
        "pc:on_timer",
        0,
        0,
    )
    # An instruction retires in the cycle after it executes.
    first, last = row["worst"]
    assert last - first == row["max"]
    assert last in [r.cycle - 1 for r in retired]
    assert "span timer: " in found.said
    assert f"n = 20; worst from {first} to {last}" in found.said


def test_a_critical_section_and_a_state(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """By labels, and by the values that are stored."""
    one = example("lock")
    found = seen(trapeze, one, tmp_path)
    at = {name: address(one, name) for name in ("locked", "unlocking", "state")}
    executed = [r for r in found.trace if isinstance(r, Retired)]
    begins = [r.cycle for r in executed if r.pc == at["locked"]]
    ends = [r.cycle for r in executed if r.pc == at["unlocking"]]
    assert found.values("lock") == sorted(end - begin for begin, end in zip(begins, ends, strict=True))
    stores = [r for r in executed if r.store is not None and r.store.address == at["state"]]
    ones = [r.cycle for r in stores if r.store is not None and r.store.value == 1]
    twos = [r.cycle for r in stores if r.store is not None and r.store.value == 2]
    assert found.values("state") == sorted(two - one for one, two in zip(ones, twos, strict=True))
    assert min(map(len, (begins, ones))) > 20


@pytest.mark.parametrize("engine", ["lockstep", "model"])
def test_other_engines(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path, engine: str) -> None:
    """Lockstep has the same figures; the model counts instructions and says so."""
    one = example("lock")
    path = {}
    for name in ("rtl", engine):
        path[name] = tmp_path / f"{name}.json"
        assert trapeze("run", one.elf, *one.arguments, "--engine", name, "--json", path[name]).code == 0
    rows = {name: [row for row in store.load(file)["rows"] if row["metric"] == "span"] for name, file in path.items()}
    if engine == "lockstep":
        for before, after in zip(rows["rtl"], rows["lockstep"], strict=True):
            assert after == {**before, "engine": "lockstep"}
        return
    assert {row["unit"] for row in rows["model"]} == {"instructions"}
    lock = next(row for row in rows["model"] if row["labels"]["name"] == "lock")
    inside = [
        r
        for r in seen(trapeze, one, tmp_path).trace
        if isinstance(r, Retired) and address(one, "locked") < r.pc <= address(one, "unlocking")
    ]
    first = [r.pc for r in inside].index(address(one, "unlocking")) + 1
    assert lock["min"] == lock["max"] == first
    said = trapeze("run", one.elf, *one.arguments[:2], "--engine", "model", "--from", "signal:mtip", "--to", "pc:main")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "this engine has no signals; use the rtl engine" in said.err


def test_from_a_byte_to_its_answer(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """The UART's interrupt to the byte out; the byte read to the byte written, which is a part of it."""
    one = example("byte")
    found = seen(trapeze, one, tmp_path)
    executed = [r for r in found.trace if isinstance(r, Retired)]
    (taken,) = (r.cycle for r in found.trace if isinstance(r, Taken))
    (sent,) = (r.cycle for r in executed if r.store is not None and r.store.address == UART_DATA)
    assert [found.rows[name]["n"] for name in ("answer", "byte")] == [1, 1]
    begin, end = found.rows["answer"]["worst"]
    assert begin <= taken < found.rows["byte"]["worst"][0] < end == found.rows["byte"]["worst"][1] < sent


def test_from_hart_to_hart(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """Hart 0's store of its neighbour's msip to the handler there: ten rings, in order."""
    one = example("bell")
    found = seen(trapeze, one, tmp_path)
    answered = [r for r in found.trace if isinstance(r, Retired) and r.hart == 1 and r.pc == address(one, "on_bell")]
    row = found.rows["bell"]
    assert row["n"] == len(answered) == 10
    taken = [r for r in found.trace if isinstance(r, Taken) and r.hart == 1]
    assert row["min"] >= min(a.cycle - 1 - t.cycle for a, t in zip(answered, taken, strict=True))


def test_from_an_edge_to_a_task(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """The first instruction of the task lies behind the handler and the port's last return."""
    one = example("wake")
    result = tmp_path / "r.json"
    assert trapeze("run", one.elf, *one.arguments, "--json", result).code == 0
    row = next(row for row in store.load(result)["rows"] if row["metric"] == "span")
    assert row["n"] == 51
    words = list(one.arguments)
    words[words.index("--sweep") : words.index("--sweep") + 2] = ["--irq", "3@100000"]
    found = seen(trapeze, Example(one.elf, words), tmp_path)
    executed = [r for r in found.trace if isinstance(r, Retired)]
    named = functions(one.elf)
    first, last = found.rows["wake"]["worst"]
    behind = [r for r in executed if r.cycle - 1 >= first]
    returns = [r for r in behind if r.name in ("mret", "emret") and r.cycle - 1 < last]
    assert returns, "the switch ends with a return"
    at_last = next(r for r in behind if r.cycle - 1 == last)
    assert executed[executed.index(returns[-1]) + 1] is at_last
    (function,) = (name for where, name in named if at_last.pc in where)
    assert not re.match("freertos_|__irq|vTaskSwitchContext", function), function


def test_with_a_sweep(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """The row of a span has all runs, and is the sweep's own latency."""
    one = example("event")
    result = tmp_path / "r.json"
    assert trapeze("run", one.elf, *one.arguments, "--json", result).code == 0
    by_metric = {row["metric"]: row for row in store.load(result)["rows"]}
    assert by_metric["span"]["histogram"] == by_metric["latency"]["histogram"]
    assert by_metric["span"]["n"] == 101


def test_budgets(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """The first span over its budget ends the run, is named, and is what a trace shows; others take what they like."""
    one = example("lock")
    common = ["run", one.elf, "--config", one.config, "--from", "pc:locked", "--to", "pc:unlocking", "--name", "lock"]
    whole = trapeze(*common)
    longest = int(re.search(r"span lock: (?:\d+ to )?(\d+),", whole.err)[1])  # type: ignore[index]
    assert trapeze(*common, "--budget", f"lock={longest}").code == 0
    trace = tmp_path / "late.jsonl"
    said = trapeze(*common, "--budget", f"lock={longest - 1}", "--trace", trace)
    assert said.code == 123
    assert re.search(rf"span 'lock', which may take {longest - 1} cycles, took {longest}, from \d+ to \d+", said.err)
    begin, end = map(int, re.search(r"from (\d+) to (\d+)", said.err).groups())  # type: ignore[union-attr]
    with trace.open() as lines:
        cycles = [one.cycle for one in read(lines) if isinstance(one, Retired)]
    assert begin - 200 <= min(cycles) <= begin < end <= max(cycles) <= end + 200
    never = trapeze(*common[:4], "--from", "pc:main", "--to", "pc:_start", "--name", "n", "--budget", "n=100")
    assert never.code == 123
    assert "span 'n', which may take 100 cycles, began in" in never.err


def test_what_never_happens(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """It has no row; the run says so, and so does the result."""
    one = example("timer")
    result = tmp_path / "r.json"
    words = ["run", one.elf, "--config", one.config, "--json", result]
    said = trapeze(*words, "--from", "pc:main", "--to", "pc:_start", "--from", "marker:9", "--to", "pc:main")
    assert said.code == 121
    assert "span pc:main..pc:_start: no figure, pc:main came 1 times, and pc:_start never after it" in said.err
    assert "span marker:9..pc:main: no figure, marker:9 never came" in said.err
    written = store.load(result)
    assert [one["row"] for one in written["failed"]] == ["span/pc:main..pc:_start", "span/marker:9..pc:main"]


def test_a_track_for_each_name(trapeze: Trapeze, example: Callable[[str], Example], tmp_path: Path) -> None:
    """In a timeline."""
    one = example("lock")
    trace = tmp_path / "t.json"
    assert trapeze("run", one.elf, *one.arguments, "--trace", trace).code == 0
    entries = json.loads(trace.read_text())
    entries = entries["traceEvents"] if isinstance(entries, dict) else entries
    (process,) = [e["pid"] for e in entries if e.get("name") == "process_name" and e["args"]["name"] == "spans"]
    tracks = {e["args"]["name"] for e in entries if e.get("name") == "thread_name" and e["pid"] == process}
    assert tracks == {"lock", "state"}
    slices = [e for e in entries if e.get("ph") == "X" and e["pid"] == process]
    assert len(slices) > 40
    assert all(e["name"] == f"{e['dur']} cycles" for e in slices)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--from", "pc:on_timr", "--to", "pc:main"], r"work.elf has no symbol 'on_timr'; the nearest are on_timer"),
        (["--from", "pc:main", "--to", "task:worker"], "work.elf has no FreeRTOS"),
        (["--from", "pc:2:main", "--to", "pc:main"], "there is no hart 2; use 0"),
        (["--to", "pc:main"], "--to without --from: a span has two events"),
        (["--from", "pc:main"], "--from without --to"),
        (["--from", "when:main", "--to", "pc:main"], "there is no such event; choices: claim, edge"),
        (["--from", "signal:mtimp", "--to", "pc:main"], "no such signal; use one of timer_irq, data_ready"),
        (["--from", "claim:9999", "--to", "pc:main"], "no such interrupt; use 0 to"),
        (
            ["--from", "edge:3", "--to", "marker:1"],
            "no line rises; say which one and when with --irq, --stimulus or --sweep",
        ),
        (["--irq", "3@9", "--from", "edge:99", "--to", "marker:1"], "no such line; use 0 to 47"),
        (["--from", "marker:0", "--to", "marker:1"], "markers are 1 to 2047"),
        (["--from", "marker:one", "--to", "marker:1"], "'one' is no number; use marker:"),
        (["--from", "store:state=x", "--to", "marker:1"], "'x' is no value; give a number"),
        (["--from", "pc:main", "--to", "marker:1", "--name", "a", "--name", "b"], "--name: 2 for 1 spans"),
        ([*["--from", "pc:main", "--to", "marker:1", "--name", "a"] * 2], "two spans of this name"),
        (
            ["--from", "pc:main", "--to", "marker:1", "--name", "a", "--budget", "b=3"],
            "there is no such span; choices: a",
        ),
        (["--budget", "0"], "is no number of cycles above 0"),
        (["--from", "pc:main", "--to", "marker:1", "--gdb", "0"], "spans measure a run; use one of them"),
    ],
)
def test_bad_input(trapeze: Trapeze, example: Callable[[str], Example], words: list[str], says: str) -> None:
    one = example("timer")
    said = trapeze("run", one.elf, "--config", one.config, *words)
    assert (said.code, said.err.count("\n"), said.out) == (2, 1, "")
    assert re.search(says, said.err), said.err
    assert "Traceback" not in said.err


def test_an_event_by_its_parts_is_the_one_that_is_written(firmware: Callable[[str], Path]) -> None:
    programs = events.programs_of(firmware("int main(void)\n{\n\treturn 0;\n}\n"), (), 2)
    for kind, what in {
        "pc": "main",
        "marker": "1",
        "edge": "3",
        "claim": "5",
        "load": "main",
        "store": "main=1",
    }.items():
        assert events.of_hart(kind, what, 0, programs, "x") == events.parse(f"{kind}:{what}", "x", programs)
        assert events.of_hart(kind, what, 1, programs, "x") == events.parse(f"{kind}:1:{what}", "x", programs)
    assert events.signal("mtip") == events.parse("signal:mtip", "x", programs)
    for kind, what, hart in (("pc", "mian", 0), ("marker", "x", 1), ("pc", "main", 2)):
        with pytest.raises(TrapezeError) as parts:
            events.of_hart(kind, what, hart, programs, "--to")
        with pytest.raises(TrapezeError) as written:
            events.parse(f"{kind}:{hart}:{what}" if hart else f"{kind}:{what}", "--to", programs)
        assert str(parts.value) == str(written.value)
