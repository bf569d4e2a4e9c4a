# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Firmware that never ends: a run ends by --until, a sweep by its limit or by Ctrl-C; figures in microseconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.results import store
from verify.dev.terminal import at_terminal
from verify.dev.testing import Trapeze

CONFIG = "mcu-clint"
PROGRAM = """
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int rounds;
static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	(void)arg;
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (;;) {
		TRAPEZE_MARKER(5);
		rounds++;
		TRAPEZE_MARKER(6);
	}
}
"""
SPAN = ("--from", "marker:5", "--to", "marker:6", "--name", "round")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program without an end."""
    folder = tmp_path_factory.mktemp("until")
    (folder / "main.c").write_text(PROGRAM)
    return toolchain.build(configurations.load(CONFIG), [folder / "main.c"], folder / "main.elf")


def rows(path: Path) -> dict[str, dict[str, Any]]:
    return {row["metric"]: row for row in store.load(path)["rows"]}


@pytest.mark.parametrize("engine", ["rtl", "model"])
@pytest.mark.parametrize(
    ("until", "count"), [("round", 1), ("round=7", 7), ("marker:6=9", 9), ("store:rounds=4", 3), ("pc:main", 0)]
)
def test_an_event_ends_a_run(
    trapeze: Trapeze, program: Path, tmp_path: Path, until: str, count: int, engine: str
) -> None:
    """Spans are counted up to there and no further. The store of a value comes before the fourth span's end."""
    path = tmp_path / "r.json"
    words = ("run", program, "--config", CONFIG, "--engine", engine, *SPAN, "--until", until, "--json", path)
    said = trapeze(*words)
    assert "trapeze-sim: ended by --until in " in said.err
    assert said.code == (0 if count else 121), said.err
    found = rows(path)
    assert found["instructions"]["labels"]["exit"] == "until"
    assert store.load(path)["runs"][0]["until"] == until
    assert (found["span"]["n"] if "span" in found else 0) == count
    again = trapeze(*store.load(path)["command"].split()[1:2], program, *store.load(path)["command"].split()[3:])
    assert again.code == said.code, again.err


def test_what_does_not_come(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    said = trapeze("run", program, "--config", CONFIG, "--until", "marker:9", "--max-cycles", 3000)
    assert (said.code, "--until: came 0 times of 1 before the run ended" in said.err) == (124, True), said.err
    (tmp_path / "end.c").write_text("int main(void) { return 0; }\n")
    elf = toolchain.build(configurations.load(CONFIG), [tmp_path / "end.c"], tmp_path / "end.elf")
    said = trapeze("run", elf, "--config", CONFIG, "--until", "pc:main=2")
    assert (said.code, "came 1 times of 2" in said.err) == (121, True), said.err
    assert trapeze("run", elf, "--config", CONFIG, "--until", "pc:main").code == 0


def test_sweeps_end(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    """By --until, or by a limit that the command line gives: neither is a failure."""
    sweep = ("run", program, "--config", CONFIG, "--sweep", "3@1000..1039", "--jobs", 2)
    path = tmp_path / "r.json"
    said = trapeze(*sweep, "--until", "marker:6=300", "--clock", 50, "--json", path)
    assert (said.code, "--until marker:6=300 ended all 40 runs" in said.err) == (0, True), said.err
    latency = rows(path)["latency"]
    assert latency["us"] == {"clock_mhz": 50} | {
        name: pytest.approx(latency[name] / 50, abs=1e-5) for name in ("min", "p50", "p99", "max", "mean")
    }
    assert f"n = 40 ({latency['min'] / 50:.3f} µs)" in said.err
    said = trapeze(*sweep, "--max-cycles", 4000)
    assert said.code == 0, said.err
    assert "trapeze-sim: --max-cycles 4000 ended all 40 runs of the sweep" in said.err
    assert "error" not in said.err


@pytest.mark.parametrize("pair", [False, True])
def test_the_keyboard_leaves_what_a_sweep_has(program: Path, tmp_path: Path, pair: bool) -> None:
    path = tmp_path / "r.json"
    more = ["--irq", "4@1500"] if not pair else ["--sweep", "4@1000..1040"]
    words = ["run", str(program), "--config", CONFIG, *more, "--sweep", "3@1000..2900"]
    with at_terminal([*words, "--max-cycles", "40000", "--jobs", "2", "--json", str(path)]) as terminal:
        terminal.expect("/77941" if pair else "/1901")  # a run is over
        terminal.type("\x03")
        terminal.expect("runs of the sweep were over")
        assert terminal.code() == 130
    found = rows(path)
    assert 0 < found["latency"]["n"] <= found["taken"]["n"]
    assert json.loads(path.read_text())["failed"][0]["error"].startswith("stopped: ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--until", "nothing"], "--until nothing: there is no such span or event; choices: round"),
        (["--until", "round=0"], "--until round=0: '0' is no number of times above 0"),
        (["--until", "round=x"], "--until round=x: 'x' is no number of times above 0"),
        (["--until", "marker:x"], "--until marker:x: 'x' is no number"),
        (["--until", "pc:nowhere"], "main.elf has no symbol 'nowhere'"),
        (["--until", "edge:3"], "--until: no line rises"),
        (["--until", "round", "--gdb", "0"], "--gdb stops where you say, and --until ends a run"),
        (["--until", "round", "--until", "round"], "there is one already"),
        (["--clock", "fast"], "--clock fast: is no frequency in MHz"),
        (["--clock", "nan"], "--clock nan: is no frequency in MHz"),
        (["--clock", "0"], "--clock 0: is no frequency in MHz"),
        (["--clock", "10", "--engine", "model"], "--clock: the model counts instructions"),
    ],
)
def test_bad_values(trapeze: Trapeze, program: Path, words: list[str], says: str) -> None:
    said = trapeze("run", program, "--config", CONFIG, *SPAN, *words)
    assert (said.code, said.err.count("\n"), said.out) == (2, 1, ""), said.err
    assert says in said.err, said.err
