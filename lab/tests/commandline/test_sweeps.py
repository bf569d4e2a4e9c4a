# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Sweeps of `trapeze run`: in parallel as one after the other, in pairs, from places; the worst and the best phase."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.reports import phases
from trapeze.results import store
from trapeze.results.rows import Row
from verify.dev.terminal import at_terminal
from verify.dev.testing import Trapeze

CONFIG = "mcu-fastirq"

PROGRAM = """
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	(void)arg;
}
__attribute__((noinline)) void critical(void)
{
	unsigned int key = irq_lock();
	for (volatile int i = 0; i < 5; i++) {
	}
	irq_unlock(key);
}
static volatile int zero;
__attribute__((noinline)) void never(void)
{
	zero = 2;
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_connect(IRQ_PLATFORM(4), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_enable(IRQ_PLATFORM(4));
	irq_unlock_all();
	if (zero) {
		never();
	}
	TRAPEZE_MARKER(5);
	for (volatile int i = 0; i < 10; i++) {
		critical();
	}
	return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a critical section."""
    folder = tmp_path_factory.mktemp("sweeps")
    (folder / "main.c").write_text(PROGRAM)
    return toolchain.build(configurations.load(CONFIG), [folder / "main.c"], folder / "main.elf")


def rows(path: Path, metric: str = "latency") -> list[dict[str, Any]]:
    """The rows of a metric in a result file."""
    return [row for row in store.load(path)["rows"] if row["metric"] == metric]


def test_in_parallel_as_one_after_the_other(
    trapeze: Trapeze, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    span = ("--from", "edge:3", "--to", "marker:1", "--name", "event")
    seen = []
    for jobs in (1, 2, 5):
        path = tmp_path / f"{jobs}.json"
        said = trapeze(
            *("run", program, "--config", CONFIG, "--sweep", "3@critical+0..99", *span, "--jobs", jobs, "--json", path)
        )
        assert said.code == 0, said.err
        seen.append((path.read_bytes(), said.err))
    assert seen[0] == seen[1] == seen[2]
    spans = rows(tmp_path / "1.json", "span")
    assert spans[0]["histogram"] == rows(tmp_path / "1.json")[0]["histogram"]


def test_the_worst_and_the_best_phase_and_why(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", program, "--config", CONFIG, "--sweep", "3@critical..critical+99", "--json", path)
    assert said.code == 0, said.err
    found = rows(path)[0]
    values = found["phases"]["values"]
    assert len(values) == found["n"] == 100
    for name, value in (("worst", found["max"]), ("best", found["min"])):
        line = re.search(rf"{name}: (\d+) cycles, --irq 3@(\d+): (.*)", said.err)
        assert line is not None, said.err
        assert int(line[1]) == value
        first = values.index(value)
        assert int(line[2]) == found["phases"]["from"] + first, "the first of them"
        parts = re.findall(r"(?:^|, )(?:wait|controller|entry|save) (\d+)", line[3])
        assert sum(map(int, parts)) == value, line[3]
    assert re.search(r"worst: .*wait \d+ \(masked since .* at critical", said.err), "interrupts were off"
    assert "latency over the cycle of the edge, cycles" in said.err


def test_a_pair_of_sweeps_has_a_run_for_each_pair(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze(
        *("run", program, "--config", CONFIG, "--sweep", "4@critical+0..2", "--sweep", "3@critical+0..9"),
        *("--json", path),
    )
    assert said.code == 0, said.err
    by_line = {row["labels"]["line"]: row for row in rows(path)}
    assert {line: row["n"] for line, row in by_line.items()} == {"3": 30, "4": 30}
    worst = re.search(r"worst: (\d+) cycles, --irq (\S+) --irq (\S+):", said.err)
    assert worst is not None, said.err
    again = trapeze("run", program, "--config", CONFIG, "--irq", worst[2], "--irq", worst[3])
    assert f"latency {worst[1]}" in again.err
    run = store.load(path)["runs"][0]
    assert re.fullmatch(r"4@\d+\.\.\d+", run["outer"])


def test_a_pair_has_reasons_and_figures_of_both_lines_over_both_phases(
    trapeze: Trapeze, program: Path, tmp_path: Path
) -> None:
    path, page = tmp_path / "r.json", tmp_path / "page"
    span = ("--from", "edge:4", "--to", "marker:1", "--name", "fourth")
    pair = ("--sweep", "4@critical+0..2", "--sweep", "3@critical+0..19", *span, "--masked")
    said = trapeze("run", program, "--config", CONFIG, *pair, "--json", path, "--html", page)
    assert said.code == 0, said.err
    assert "Interrupts masked, the longest stretches" in said.err, "without either line"
    by_line = {row["labels"]["line"]: row for row in rows(path)}
    shape = {line: (len(row["phases"]["values"]), len(row["phases"]["values"][0])) for line, row in by_line.items()}
    assert shape == {"3": (20, 3), "4": (3, 20)}
    for line, row in by_line.items():
        field = row["phases"]
        assert field["other"]["line"] == int({"3": "4", "4": "3"}[line])
        assert max(value for values in field["values"] for value in values) == row["max"]
        # The pair that is named is the pair in which the figure stands.
        worst = re.search(rf"line {line}, worst: (\d+) cycles, --irq 3@(\d+) --irq 4@(\d+):", said.err)
        assert worst is not None, said.err
        at = {"3": int(worst[2]), "4": int(worst[3])}
        own, other = at.pop(line), at.popitem()[1]
        assert field["values"][own - field["from"]][other - field["other"]["from"]] == int(worst[1]) == row["max"]
        assert f"(--irq 3@{worst[2]} --irq 4@{worst[3]}): " in row["labels"]["worst"]
    assert "latency over the cycle of the edge of line 3, cycles (smallest to largest over all cycles of line 4)" in (
        said.err
    )
    text = (page / "index.html").read_text()
    assert text.count('"type": "heatmap"') + text.count('"type":"heatmap"') == 2
    again(trapeze, program, rows(path, "span")[0], said.err)


def again(trapeze: Trapeze, program: Path, row: dict[str, Any], said: str) -> None:
    """The reason of a span's worst case names its run, in which the span takes as long, and where its cycles went."""
    reason = row["labels"]["worst"]
    assert f"  worst: {reason}" in said, said
    begin, end = row["worst"]
    found = re.match(rf"((?:--irq \S+ ?)+), cycles {begin} to {end}: (.*)", reason)
    assert found is not None, reason
    assert re.search(r"[a-z_]+ \d+", found[2]), "functions"
    span = ("--from", row["from"], "--to", row["to"])
    plain = trapeze("run", program, "--config", CONFIG, *found[1].split(), *span)
    assert f"worst from {begin} to {end}" in plain.err, plain.err


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_span_of_a_sweep_has_a_reason(trapeze: Trapeze, program: Path, tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "r.json"
    span = ("--from", "edge:3", "--to", "marker:1", "--name", "event")
    words = ("run", program, "--config", CONFIG, "--sweep", "3@critical+0..99", *span, "--jobs", jobs)
    said = trapeze(*words, "--json", path)
    assert said.code == 0, said.err
    again(trapeze, program, rows(path, "span")[0], said.err)
    assert trapeze(*words).err == said.err, "the terminal has the reason without a file, too"


def test_a_marker_is_a_place(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert trapeze("run", program, "--config", CONFIG, "--sweep", "3@marker:5+10..19", "--json", path).code == 0
    assert rows(path)[0]["n"] == 10, "19 counts from the marker, as 10 does"


def test_a_budget_ends_a_sweep_in_the_same_run(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    seen = []
    for jobs in (1, 3):
        path = tmp_path / "r.json"
        said = trapeze(
            *("run", program, "--config", CONFIG, "--sweep", "3@critical+0..99", "--budget", 40, "--jobs", jobs),
            *("--json", path),
        )
        assert said.code == 123
        (latency,) = rows(path)
        assert latency["max"] > 40, "the late one, too"
        assert f": {latency['max']} cycles, budget 40" in said.err
        assert re.match(r"raised in cycle \d+: wait \d+ \(masked since", latency["labels"]["worst"])
        assert latency["phases"]["values"][-1] == latency["max"]
        seen.append((rows(path), said.err))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("swept", "more", "said"),
    [
        ("3@10..0x1E8480:pulse", (), r"--sweep 3@10..2000000:pulse: the program ends in cycle \d+; sweep"),
        ("3@10..209", ("--max-cycles", 100), r"--sweep: cycle 209 is not below --max-cycles 100; raise --max-cycles"),
    ],
)
def test_an_error_names_the_whole_range(
    trapeze: Trapeze, program: Path, swept: str, more: tuple[object, ...], said: str
) -> None:
    """However many processes it is split over: the part that meets the error knows what it is a part of."""
    seen = {trapeze(*("run", program, "--config", CONFIG, "--sweep", swept, *more, "--jobs", n)).err for n in (1, 3)}
    assert len(seen) == 1
    assert re.match(f"trapeze-sim: error: {said}", seen.pop())


def children(process: int) -> list[int]:
    """The processes that one has started, and those that they have."""
    listed = " ".join(one.read_text() for one in Path(f"/proc/{process}/task").glob("*/children")).split()
    return [one for word in listed for one in (int(word), *children(int(word)))]


def test_the_keyboard_ends_all_processes_of_a_sweep(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    words = ["run", str(program), "--config", CONFIG, "--sweep", "3@1000..2900", "--sweep", "4@1000..2900"]
    with at_terminal([*words, "--jobs", "2", "--json", str(path)]) as terminal:
        end = time.monotonic() + 60
        while len(started := children(terminal.process)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        assert len(started) == 2
        terminal.type("\x03")
        terminal.expect("trapeze: interrupted")
        assert terminal.code() == 130
    assert not [one for one in started if Path(f"/proc/{one}/exe").exists()]
    assert not list(tmp_path.iterdir()), "no part of a result"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--sweep", "3@never..never+5"], "main.elf did not execute never up to cycle"),
        (["--sweep", "3@nowhere+0..5"], "main.elf has no symbol 'nowhere'"),
        (["--sweep", "3@main+0..x"], "main.elf has no symbol 'x'"),
        (["--sweep", "3@main+9..5"], "the range is reversed"),
        (["--sweep", "3@9000000..9000009"], "the program ends in cycle"),
        (["--sweep", "3@1..2", "--sweep", "3@1..2"], "both raise line 3; give two lines, or one range"),
        (["--sweep", "1@1..2", "--sweep", "2@1..2", "--sweep", "3@1..2"], "there are 3; give one, or two"),
        (["--jobs", "2"], "--jobs is for the runs of --sweep"),
    ],
)
def test_bad_input(trapeze: Trapeze, program: Path, words: list[str], says: str) -> None:
    said = trapeze("run", program, "--config", CONFIG, *words)
    assert (said.code, said.err.count("\n"), said.out) == (2, 1, ""), said.err
    assert says in said.err, said.err


def row_of(values: list[float]) -> Row:
    """A row of a sweep from cycle 1000 on."""
    more = {"phases": {"from": 1000, "values": values}}
    return Row.of(values, id="x", config=CONFIG, engine="rtl", metric="latency", unit="cycles", more=more)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_of_a_drawing_is_wider_than_the_terminal_and_no_peak_is_lost(width: int) -> None:
    values = [10.0] * 1000
    values[777] = 500.0
    drawn = phases.chart(row_of(values), width)
    assert all(len(line) < width for line in drawn[1:])
    assert drawn[1].count("*") == 1, "the peak"
    assert drawn[4].count("*") == 1, "what shares its column reaches down to the smallest"
    assert set(drawn[-2].partition("|")[2]) == {"*"}, "every column has a small one"
    assert phases.chart(row_of([1.0, 2.0] * 3), width) == [], "too few to draw"


def test_a_pair_is_drawn_over_both_phases() -> None:
    values = [[10.0, 20.0, None] for _ in range(40)]
    values[7][2] = 90.0
    field = {"from": 1000, "values": values, "other": {"hart": 1, "line": 5, "from": 70}}
    sample = [value for column in values for value in column if value is not None]
    fields = {"config": CONFIG, "engine": "rtl", "metric": "latency", "unit": "cycles"}
    made = Row.of(sample, id="x", labels={"line": "3"}, more={"phases": field}, **fields)
    drawn = phases.chart(made, 80)
    assert drawn[0].startswith("latency over the cycle of the edge of line 3, cycles (smallest to largest over all")
    assert "line 5 of hart 1" in drawn[0]
    assert drawn[1].partition("|")[2] == " " * 7 + "*", "the peak, in its column"
    figure = phases.plot(made)
    assert figure is not None
    (heat,) = figure["data"]
    assert (heat["x0"], heat["y0"], len(heat["z"]), len(heat["z"][0])) == (1000, 70, 3, 40)
    assert heat["z"][2][7] == 90.0


def test_a_figure_has_every_phase() -> None:
    figure = phases.plot(row_of([3.0, 4.0, 3.0]))
    assert figure is not None
    assert figure["data"][0]["x"] == [1000, 1001, 1002]
    assert figure["data"][0]["y"] == [3.0, 4.0, 3.0]
