# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --stimulus`: each form, what is said and written, and bad input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import processes
from trapeze.common.edges import Stimulus
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.terminal import at_terminal
from verify.dev.testing import Trapeze

CONFIG = "mcu-fastirq"
LINE = 3

PROGRAM = """
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	(void)arg;
	events++;
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (events < GOAL) {
		unsigned int key = irq_lock();
		for (volatile int i = 0; i < 5; i++) {
		}
		irq_unlock(key);
	}
	return 0;
}
"""

BOTH = """
#include <stddef.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
TZ_SHARED static volatile unsigned int counts[2];
static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	counts[(unsigned int)arg]++;
}
static void listen(unsigned int hart, unsigned int goal)
{
	irq_connect(IRQ_PLATFORM(3), on_event, (void *)hart);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (counts[hart] < goal) {
	}
}
static void second(void *arg)
{
	(void)arg;
	listen(1, 30);
}
int main(void)
{
	hart_start(1, second, NULL);
	listen(0, 20);
	hart_wait(1);
	return 0;
}
"""


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Programs that end after so many interrupts of line 3."""
    folder = tmp_path_factory.mktemp("stimulus")
    (folder / "main.c").write_text(PROGRAM)
    config = configurations.load(CONFIG)
    return {
        goal: toolchain.build(config, [folder / "main.c"], folder / f"{goal}.elf", [f"-DGOAL={goal}"])
        for goal in (50, 1000, 20000)
    }


def latency(path: Path) -> dict[str, Any]:
    """The row of the latency in a result file."""
    return next(row for row in store.load(path)["rows"] if row["metric"] == "latency")


@pytest.mark.parametrize(
    "spec",
    ["every=300,from=2000", "uniform=100..500,from=2000", "exp=300,from=2000", "every=900,burst=3x300,from=2000"],
)
def test_each_form(trapeze: Trapeze, counting: dict[int, Path], tmp_path: Path, spec: str) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", counting[50], "--config", CONFIG, "--stimulus", f"{LINE}:{spec}", "--json", path)
    assert said.code == 0, said.err
    found = latency(path)
    assert found["n"] >= 50
    assert found["labels"]["stimulus"] == f"{LINE}:{spec}"
    assert re.search(rf"line 3, --stimulus 3:{re.escape(spec)}: \d+ edges", said.err)
    for name, value in (("worst", found["max"]), ("best", found["min"])):
        assert re.search(rf"{name}: {value} cycles, the edge in cycle \d+: (wait|controller) ", said.err), said.err
    assert store.load(path)["runs"][0]["stimuli"] == [{"spec": f"{LINE}:{spec}"}]


def test_the_same_edges_from_a_file_have_the_same_latencies(
    trapeze: Trapeze, counting: dict[int, Path], tmp_path: Path
) -> None:
    edges = tmp_path / "edges.txt"
    edges.write_text("".join(f"{2000 + 300 * number}\n" for number in range(60)))
    found = []
    for spec in (f"3:file={edges}", "3:every=300,from=2000,n=60"):
        path = tmp_path / "r.json"
        said = trapeze("run", counting[50], "--config", CONFIG, "--stimulus", spec, "--json", path)
        assert said.code == 0, said.err
        found.append(latency(path))
        assert re.search(r"(9|10) more never came: the run ended in cycle", said.err), said.err
    assert found[0]["histogram"] == found[1]["histogram"]
    one_by_one = trapeze(
        *("run", counting[50], "--config", CONFIG, "--json", path),
        *(word for number in range(60) for word in ("--irq", f"3@{2000 + 300 * number}")),
    )
    assert "never rose, because the run ended in cycle" in one_by_one.err
    assert latency(path)["histogram"] == found[0]["histogram"], "each edge by --irq"


def test_edges_that_come_too_early_are_merged(trapeze: Trapeze, counting: dict[int, Path], tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", counting[50], "--config", CONFIG, "--stimulus", "3:every=400,burst=2x1", "--json", path)
    assert said.code == 0, said.err
    merged = re.search(r"(\d+) more raised nothing: the line was still high", said.err)
    assert merged is not None
    assert int(merged[1]) >= 50
    assert latency(path)["labels"]["merged"].startswith(merged[1])


def test_edges_without_a_latency_end_the_run_as_those_of_a_sweep(trapeze: Trapeze, tmp_path: Path) -> None:
    text = PROGRAM.replace("TRAPEZE_MARKER(1);", "if (events % 4 != 3) { TRAPEZE_MARKER(1); }")
    (tmp_path / "main.c").write_text(text)
    elf = toolchain.build(configurations.load(CONFIG), [tmp_path / "main.c"], tmp_path / "some.elf", ["-DGOAL=40"])
    said = trapeze("run", elf, "--config", CONFIG, "--stimulus", "3:every=300,from=2000")
    assert "no latency of 10: its handler returned without TRAPEZE_MARKER(1)" in said.err
    assert said.code == 121
    (tmp_path / "main.c").write_text(PROGRAM.replace("TRAPEZE_MARKER(1);", ""))
    elf = toolchain.build(configurations.load(CONFIG), [tmp_path / "main.c"], tmp_path / "none.elf", ["-DGOAL=40"])
    said = trapeze("run", elf, "--config", CONFIG, "--stimulus", "3:every=300,from=2000")
    assert "no latency: the handler executed no TRAPEZE_MARKER(1)" in said.err
    assert said.code == 0, "a program without markers, as of a sweep"


@pytest.mark.parametrize("spec", ["3:exp=300,from=2000", "3:every=400,burst=2x1"])
def test_lockstep_has_the_same_figures(trapeze: Trapeze, counting: dict[int, Path], tmp_path: Path, spec: str) -> None:
    found = []
    for engine in ("rtl", "lockstep"):
        path = tmp_path / f"{engine}.json"
        words = ("--config", CONFIG, "--engine", engine, "--stimulus", spec, "--json", path)
        said = trapeze("run", counting[50], *words)
        assert said.code == 0, said.err
        found.append(latency(path))
    assert found[0]["histogram"] == found[1]["histogram"]
    assert found[0]["labels"] == found[1]["labels"]


def test_each_hart_has_edges_of_its_own(trapeze: Trapeze, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(BOTH)
    elf = toolchain.build(configurations.load("duo"), [tmp_path / "main.c"], tmp_path / "both.elf")
    path = tmp_path / "r.json"
    edges = ("--stimulus", "3:every=300,from=6000,n=20", "--stimulus", "1:3:uniform=200..400,from=6000,n=30")
    said = trapeze("run", elf, "--config", "duo", *edges, "--json", path)
    assert said.code == 0, said.err
    by_hart = {row["labels"]["hart"]: row for row in store.load(path)["rows"] if row["metric"] == "latency"}
    assert {hart: row["n"] for hart, row in by_hart.items()} == {"0": 20, "1": 30}
    assert "line 3 of hart 1, --stimulus 1:3:uniform=200..400,from=6000,n=30: 30 edges" in said.err
    assert len(re.findall(r"worst: \d+ cycles, the edge in cycle \d+: (?:wait|controller) ", said.err)) == 2


def test_a_budget_names_the_edge_and_its_reason_stands_last(
    trapeze: Trapeze, counting: dict[int, Path], tmp_path: Path
) -> None:
    path = tmp_path / "r.json"
    budget = ("--budget", 30, "--json", path)
    said = trapeze("run", counting[1000], "--config", CONFIG, "--stimulus", "3:exp=300,from=2000", *budget)
    assert said.code == 123
    late = re.search(r"over budget: line 3, raised in cycle (\d+): no marker within 30 cycles", said.err)
    assert late is not None
    last = said.err.rstrip().splitlines()
    title = next(number for number, line in enumerate(last) if line.startswith("line 3, raised in cycle"))
    assert f"cycle {late[1]}: " in last[title]
    assert any(line.startswith("save") for line in last[title:])
    assert not any("csrr" in line and line[:1].isdigit() for line in last[title:]), "the trace stands above"
    row = latency(path)
    assert f"cycle {late[1]}: {row['max']} cycles, budget 30" in last[title]
    assert row["max"] > 30 >= max((value for value, _ in row["histogram"][:-1]), default=0), "the late one alone"
    assert row["labels"]["worst"].startswith(f"raised in cycle {late[1]}: wait ")
    taken = next(one for one in store.load(path)["rows"] if one["metric"] == "taken")
    assert row["n"] == taken["max"]


def test_a_late_interrupt_without_a_marker_is_in_the_result(trapeze: Trapeze, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(PROGRAM.replace("TRAPEZE_MARKER(1);", ""))
    elf = toolchain.build(configurations.load(CONFIG), [tmp_path / "main.c"], tmp_path / "none.elf", ["-DGOAL=40"])
    path = tmp_path / "r.json"
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "3@3000", "--budget", 30, "--json", path)
    assert said.code == 123
    (failed,) = store.load(path)["failed"]
    assert failed["row"] == "none/line3"
    why = r"raised in cycle 3000: no marker reached, the first \d+ cycles: its handler returned without .*: .*save \d+"
    assert re.match(why, failed["error"]), failed


def test_from_a_place(trapeze: Trapeze, counting: dict[int, Path]) -> None:
    """The first edge rises in the cycle that first executes the place, or some cycles later."""
    first = {}
    for place in ("main", "main+7", "irq_connect+0x10"):
        words = ("--stimulus", f"3:every=400,from={place},n=20", "--max-cycles", 100_000)
        said = trapeze("run", counting[50], "--config", CONFIG, *words)
        found = re.search(r"--stimulus 3:every=400,from=(\d+),n=20: 20 edges", said.err)
        assert found is not None, said.err
        first[place] = int(found[1])
    sweep = trapeze("run", counting[50], "--config", CONFIG, "--sweep", "3@main..main", "--max-cycles", 50_000)
    assert f"3@{first['main']} in place of the sweep" in sweep.err or f"--irq 3@{first['main']}" in sweep.err
    assert first["main+7"] == first["main"] + 7


def test_memory_does_not_grow_with_the_edges(counting: dict[int, Path], tmp_path: Path) -> None:
    config = configurations.load(CONFIG)
    sizes, peaks = [], []
    for goal in (1000, 20000):
        record = tmp_path / "run.json"
        options = Options(stimuli=(Stimulus.parse("3:exp=60,from=2000"),))
        words = simulator.command_line(tmp_path, counting[goal], config, options, record)
        script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        done = processes.run(["python3", "-c", script, *words], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]))
        sizes.append(record.stat().st_size)
    assert sizes[1] < sizes[0] + 2000
    assert peaks[1] < peaks[0] + 1000, "kilobytes"


def test_a_terminal_shows_how_far_a_long_run_is(counting: dict[int, Path]) -> None:
    words = ["run", str(counting[20000]), "--config", CONFIG, "--stimulus", "3:exp=300,from=2000"]
    with at_terminal(words) as terminal:
        terminal.expect("; line 3: n ")
        terminal.expect(", p50 ")
        terminal.expect(", worst ")
        terminal.expect("trapeze-sim: exit 0 after")
        terminal.expect("worst: ")
        assert terminal.code() == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--stimulus", "3"], "there is no ':' behind the line"),
        (["--stimulus", "3:sometimes=9"], "there is no key 'sometimes'"),
        (["--stimulus", "3:n=9"], "it does not say how far edges are apart"),
        (["--stimulus", "3:every=0"], "every=0 is no number of at least 1"),
        (["--stimulus", "3:every=9,exp=9"], "there are two of every=, uniform=, exp= and file="),
        (["--stimulus", "3:uniform=9..1"], "uniform=9..1 is reversed"),
        (["--stimulus", "3:every=9,from=nowhere"], "50.elf has no symbol 'nowhere'"),
        (
            ["--stimulus", "3:every=9,from=marker:77", "--max-cycles", "9000"],
            "50.elf did not execute marker:77 up to cycle",
        ),
        (["--stimulus", "1:3:every=9,from=main"], "there is no hart 1; use 0"),
        (["--stimulus", "3:every=9,from=7x"], "from=7x is no number"),
        (["--stimulus", "3:file=/nonexistent"], "cannot read --stimulus file '/nonexistent'"),
        (["--stimulus", "99:every=9"], "has no interrupt line 99; use 0 to 47"),
        (["--stimulus", "1:3:every=9"], "has no hart 1; use 0"),
        (["--stimulus", "3:every=9", "--stimulus", "3:exp=9"], "something else raises line 3, too"),
        (["--stimulus", "3:every=9", "--irq", "3@9"], "something else raises line 3, too"),
        (["--stimulus", "3:every=9", "--sweep", "2@9..10"], "--sweep makes many; use one of them"),
        (["--stimulus", "3:every=9", "--engine", "model"], "engine 'model' has no cycles to inject at"),
        (["--json", "a.json", "--json", "b.json"], "--json b.json: there is one already, --json a.json; give one"),
        (["--trace", "a.log", "--trace=b.log"], "--trace b.log: there is one already, --trace a.log; give one"),
    ],
)
def test_bad_input(trapeze: Trapeze, counting: dict[int, Path], words: list[str], says: str) -> None:
    said = trapeze("run", counting[50], "--config", CONFIG, *words)
    assert (said.code, said.err.count("\n"), said.out) == (2, 1, "")
    assert says in said.err, said.err
