# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Runs of `duo` as a user makes them: how they end, and what results, traces, budgets and debugger say of each hart."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import Taken, read
from verify.dev.testing import Trapeze

BODIES = {
    "zero": "return 0;",
    "five": 'printf("five\\n"); return 5;',
    "spin": "turning(); return 0;",
    "sleep": "dozing(); return 0;",
}
HEAD = """
#include <stdio.h>
#include <trapeze/timer.h>
static volatile int stop;
__attribute__((noinline, unused)) static void turning(void) { while (!stop) { } }
__attribute__((noinline, unused)) static void dozing(void)
{
	timer_cancel_alarm();
	while (!stop) { __asm__ volatile("wfi"); }
}
"""

SERVE = """
#include <stdio.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/irq_fast.h>
#include <trapeze/marker.h>

TZ_SHARED static volatile unsigned int events[2];

static void on_event(void)
{
	TRAPEZE_MARKER(1);
	events[hart_id()]++;
}

static void serve(void *arg)
{
	(void)arg;
	irq_fast_connect(IRQ_PLATFORM(3), on_event, true);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (events[hart_id()] == 0) { }
}

int main(void)
{
	hart_start(1, serve, NULL);
	hart_wait(1);
	printf("%u %u\\n", events[0], events[1]);
	return 0;
}
"""

Programs = Callable[[str, int], Path]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The image of a hart whose main() is one of BODIES."""
    folder = tmp_path_factory.mktemp("programs")

    def build(name: str, hart: int) -> Path:
        source, elf = folder / f"{name}.c", folder / f"{name}{hart}.elf"
        source.write_text(f"{HEAD}int main(void) {{ {BODIES[name]} }}\n")
        return elf if elf.exists() else toolchain.build(config.load("duo"), [source], elf, hart=hart)

    return build


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One program for both harts: hart 1 serves its line 3, once."""
    folder = tmp_path_factory.mktemp("serve")
    (folder / "serve.c").write_text(SERVE)
    return toolchain.build(config.load("duo"), [folder / "serve.c"], folder / "serve.elf", ["-g"])


@pytest.mark.parametrize(
    ("bodies", "code", "says"),
    [
        ("zero zero", 0, r"exit 0 of hart 1 after \d+ cycles"),
        ("spin five", 5, r"exit 5 of hart 1 after \d+ cycles"),
        ("five spin", 5, r"exit 5 of hart 0 after \d+ cycles"),
        (
            "zero spin",
            124,
            r"'zero0.elf', 'spin1.elf' did not exit within --max-cycles 30000; .*"
            r": hart 0 exited in cycle \d+, hart 1 is at 0x8\w+ \(turning(\+\w+)?\) since cycle 299\d\d",
        ),
        (
            "zero sleep",
            122,
            r"no interrupt can come that a hart waits for: hart 0 exited in cycle \d+, "
            r"hart 1 is in wfi at 0x8\w+ \(dozing\+\w+\) since cycle \d+, with no timer set",
        ),
        ("sleep sleep", 122, r"for: hart 0 is in wfi at .*\(dozing\+\w+\) since .*, hart 1 is in wfi at .*dozing"),
    ],
)
def test_how_a_run_ends(trapeze: Trapeze, program: Programs, bodies: str, code: int, says: str) -> None:
    """At the first exit code that is not 0; else at the last exit, at the sleep of all others, or at the limit."""
    elfs = [program(name, hart) for hart, name in enumerate(bodies.split())]
    limit = 30_000 if code == 124 else 1_000_000
    said = trapeze("run", *elfs, "--config", "duo", "--max-cycles", limit)
    assert said.code == code, said.err
    assert re.search(says, said.err), said.err
    assert said.out == ("five\n" if code == 5 else "")


def test_programs_of_other_harts(trapeze: Trapeze, program: Programs) -> None:
    """Files in the wrong order, or of one hart for both, would sleep for ever; one hart cannot run what needs two."""
    first, second = program("zero", 0), program("zero", 1)
    for elfs, hart in (((second, first), 0), ((first, first), 1)):
        said = trapeze("run", *elfs, "--config", "duo", "--engine", "model")
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert f"'{elfs[hart]}' is given to hart {hart} and runs main() on hart {1 - hart}; give the k-th" in said.err
    said = trapeze("run", first, "--config", "mcu-fastirq-a", "--engine", "model")
    assert said.code == 2
    assert "was built for duo; mcu-fastirq-a has harts: 1 instead of 2: run it with --config duo" in said.err
    assert re.search(r"harts +2 *\nmain_hart +1", trapeze("show", second).out)


def test_a_program_of_one_hart_is_for_hart_0(trapeze: Trapeze, program: Programs, tmp_path: Path) -> None:
    """On another one it would wait for the timer of hart 0."""
    first, source, other = program("zero", 0), tmp_path / "main.c", tmp_path / "other.elf"
    source.write_text("int main(void) { return 0; }\n")
    assert trapeze("cc", "--config", "mcu-fastirq", source, "-o", other).code == 0
    said = trapeze("run", first, other, "--config", "duo", "--engine", "model")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert f"'{other}' is given to hart 1 and was built for configuration 'mcu-fastirq' of one hart: " in said.err
    assert said.err.endswith("build it with --config duo --hart 1\n")
    said = trapeze("run", other, "--config", "duo", "--engine", "model")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert f"'{other}' was built for configuration 'mcu-fastirq' of one hart and 'duo' has 2: all would " in said.err
    assert said.err.endswith("build it with --config duo\n")


@pytest.mark.parametrize(("name", "main_hart"), [("amp", 1), ("amp-dsp", 1), ("mcu-fastirq", None)])
def test_a_program_beside_linux_says_its_hart(trapeze: Trapeze, tmp_path: Path, name: str, main_hart: int) -> None:
    source, elf = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text("int main(void) { return 0; }\n")
    assert trapeze("cc", "--config", name, source, "-o", elf).code == 0
    found = re.search(r"main_hart +(\d+)", trapeze("show", elf).out)
    assert (found and int(found[1])) == main_hart


def test_interrupts_of_hart_1(trapeze: Trapeze, serve: Path, tmp_path: Path) -> None:
    """Result, records and listing name it, and a budget can be written for it."""
    common = ("run", serve, "--config", "duo", "--irq", "1:3@6000", "--irq", "3@6000")
    said = trapeze(*common, "--trace", tmp_path / "t.jsonl", "--json", tmp_path / "r.json")
    assert (said.code, said.out) == (0, "0 1\n")
    assert "line 3 of hart 0, raised in cycle 6000: the interrupt was not taken" in said.err
    assert re.search(r"line 3 of hart 1, raised in cycle 6000: latency \d+, entry", said.err)
    rows = {(row["id"], row["metric"]): row for row in store.load(tmp_path / "r.json")["rows"]}
    latency = rows["serve/hart1/line3", "latency"]
    assert latency["labels"]["hart"] == "1"
    assert (rows["serve/hart0/line3", "taken"]["max"], rows["serve/hart1/line3", "taken"]["max"]) == (0, 1)
    (tmp_path / "b.toml").write_text(f'["serve/hart1/line3".latency]\nmax = {latency["max"]}\n')
    assert trapeze("check", tmp_path / "b.toml", tmp_path / "r.json").code == 0
    (tmp_path / "b.toml").write_text(f'["serve/hart1/line3".latency]\nmax = {latency["max"] - 1}\n')
    assert trapeze("check", tmp_path / "b.toml", tmp_path / "r.json").code == 1

    with (tmp_path / "t.jsonl").open() as file:
        taken = [one for one in read(file) if isinstance(one, Taken)]
    assert [(one.hart, one.name) for one in taken] == [(1, "line 3")]
    assert trapeze(*common, "--trace", tmp_path / "t.log").code == 0
    listing = (tmp_path / "t.log").read_text()
    assert re.search(r"^ +6000 >>> hart 1: line 3 rises$", listing, re.MULTILINE)
    assert {"0:M", "1:M"} <= set(re.findall(r"^ +\d+ (\d:M) ", listing, re.MULTILINE))
    assert trapeze(*common, "--trace", tmp_path / "t.json").code == 0
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    groups = {one["pid"]: one["args"]["name"] for one in events if one["name"] == "process_name"}
    assert {f"hart {hart} {group}" for hart in (0, 1) for group in ("pipeline", "software", "fastirq")} <= {
        *groups.values()
    }
    tracks = [one for one in events if one["name"] == "thread_name"]
    lines = {groups[one["pid"]] for one in tracks if one["args"]["name"] == "line 3"}
    assert lines == {"hart 0 interrupts", "hart 1 interrupts"}


def test_budget_of_hart_1(trapeze: Trapeze, serve: Path) -> None:
    """The sweep ends at hart 1's first interrupt over it, with the reason in its own functions."""
    said = trapeze("run", serve, "--config", "duo", "--sweep", "1:3@1000..3000", "--budget", 20)
    assert said.code == 123
    late = r"over budget: line 3 of hart 1, raised in cycle \d+: no marker within 20 cycles"
    assert re.search(late, said.err), said.err
    assert re.search(r"wait +\d+ +masked since .*until\s+`csrsi mstatus,8` at\s+serve\+", said.err), said.err


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_gdb(serve: Path, tmp_path: Path, engine: str) -> None:
    """Harts are threads with registers of their own; a breakpoint may be one hart's. On the RTL with waves."""
    waves = tmp_path / "t.fst"
    options = Options(engine=engine, gdb=0, trace=waves if engine == "rtl" else None)
    command = simulator.command_line(tmp_path, serve, config.load("duo"), options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        port = re.search(r"localhost:(\d+)", process.stderr.readline())
        assert port
        steps = (
            *("info threads", "break serve", "break main thread 2", "break hart_wait thread 1", "continue"),
            *("print $mhartid", "info threads", "continue", "print $mhartid", "thread 1", "print $mhartid"),
            *("thread 2", "monitor irq 2:3", "delete", "monitor irq 1:3", "continue"),
        )
        words = [word for step in (f"target remote localhost:{port[1]}", *steps) for word in ("-ex", step)]
        gdb = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", "-ex", "set width 0", *words, str(serve)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        console, _ = process.communicate(timeout=60)
    for hart in (0, 1):
        assert f"Thread {hart + 1} (hart {hart}, mhartid {hart}, rv32imac_zba_zbb_zbs" in gdb.stdout
    # main() of hart 0 passes the breakpoint that is hart 1's.
    assert re.findall(r"^Thread (\d) hit Breakpoint \d, (\w+)", gdb.stdout, re.MULTILINE) == [
        ("1", "hart_wait"),
        ("2", "serve"),
    ]
    assert re.findall(r"^\$\d = (\d)$", gdb.stdout, re.MULTILINE) == ["0", "1", "0"]
    assert "there is no hart '2'; use 0 to 1" in gdb.stderr + gdb.stdout
    assert (process.returncode, console) == (0, "0 1\n")
    assert waves.exists() == (engine == "rtl")


TIMER = 7
"""The timer among the standard interrupts."""

MARKED = """
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
#include <trapeze/timer.h>

static volatile int woken;

static void wake(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	woken = 1;
}

static void second(void *arg)
{
	(void)arg;
	irq_connect(IRQ_TIMER, wake, NULL);
	TRAPEZE_MARKER(20);
	timer_set_alarm(timer_now() + 100);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	while (!woken) {
		irq_wait();
	}
	TRAPEZE_MARKER(21);
}

int main(void)
{
	hart_start(1, second, NULL);
	TRAPEZE_MARKER(10);
	TRAPEZE_MARKER(11);
	hart_wait(1);
	return 0;
}
"""


@pytest.mark.parametrize("engine", ["rtl", "model"])
def test_markers_of_each_hart(tmp_path: Path, engine: str) -> None:
    """None is lost where a hart's turn ends before it, on an engine whose harts take turns."""
    elf = tmp_path / "marked.elf"
    (tmp_path / "marked.c").write_text(MARKED)
    toolchain.build(config.load("duo"), [tmp_path / "marked.c"], elf)
    run = simulator.watch(elf, config.load("duo"), Options(engine=engine)).run
    assert sorted((one.hart, one.n) for one in run.markers) == [(0, 10), (0, 11), (1, 20), (1, 21)]
    begin, end = (one.tx for one in run.markers if one.hart == 1)
    claim = run.other_claims[-1]
    assert claim.hart == 1
    assert claim.id == TIMER
    assert begin < claim.taken < end
