# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Hostile programs under the monitor, which refuses and stays as it was; the watchdog, restarts, what is protected."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.firmware import monitored, toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

NAME = "mcu-user"
MONITORS = ["paper", "soft", "direct"]
REFUSED = 134
FOLDER = paths.FIRMWARE / "monitor/test"

ATTEMPTS = int(os.environ.get("TRAPEZE_ATTEMPTS", "100000"))
"""On the model; TRAPEZE_ATTEMPTS=10000000 takes some ten minutes for each scheme."""

IN_LOCKSTEP = ATTEMPTS // 10
CYCLES_EACH = 5_000
"""More than an attempt takes, with its share of those that the watchdog ends."""

LATE = {"paper": 2000, "soft": 2100, "direct": 300}
"""Cycles from the end of the watchdog's period to the program's way back, at most; fw/monitor/README.md states them."""

PHASES = 100


def run(
    folder: Path, monitor: str, sources: list[str], options: list[str], engine: str, cycles: int
) -> tuple[int, str]:
    config = configurations.load(NAME)
    words = [f"-I{FOLDER}", "-Wl,--defsym=monitor_resume=attack_resume", *options]
    elf = toolchain.build(config, [FOLDER / one for one in sources], folder / "main.elf", words, monitor=monitor)
    outcome = simulator.measure(elf, config, Options(engine=engine, max_cycles=cycles))
    return outcome.exit_code, outcome.console.decode()


def attack(folder: Path, monitor: str, attempts: int, seed: int, engine: str) -> None:
    options = [f"-DATTEMPTS={attempts}U", f"-DSEED={seed}U"]
    sources = ["hostile.c", "instructions.S"]
    code, console = run(folder, monitor, sources, options, engine, attempts * CYCLES_EACH + 10_000_000)
    assert code == 0, console
    lines = dict(line.split(": ") for line in console.splitlines()[1:-1])
    ends = {kind: [int(count) for count in counts.split(", ")] for kind, counts in lines.items()}
    assert sum(map(sum, ends.values())) == attempts
    # Each kind does what it is there for.
    for kind in ("load or store", "jump", "csr", "instruction", "call"):
        assert ends[kind][1] > 0, console
    assert ends["storm"][3] > 0
    assert ends["hang"][2] > 0
    late = int(console.rsplit(maxsplit=1)[-1])
    assert 0 < late <= LATE[monitor], console


@pytest.mark.parametrize("monitor", MONITORS)
def test_on_the_model(tmp_path: Path, monitor: str) -> None:
    attack(tmp_path, monitor, ATTEMPTS, 1, "model")


@pytest.mark.parametrize("monitor", MONITORS)
def test_in_lockstep(tmp_path: Path, monitor: str) -> None:
    attack(tmp_path, monitor, IN_LOCKSTEP, 2, "lockstep")


@pytest.mark.parametrize("monitor", MONITORS)
def test_watchdog_is_in_time(tmp_path: Path, monitor: str) -> None:
    """However the program holds it up, at whatever place it is."""
    code, console = run(tmp_path, monitor, ["delay.c"], [f"-DPHASES={PHASES}U"], "rtl", 20_000_000)
    assert code == 0, console
    late = {name: int(cycles) for name, cycles in (line.split() for line in console.splitlines())}
    assert set(late) == {"loop", "locked", "storm", "burst", "sp", "calls", "waiting", "noted"}
    assert all(0 < cycles <= LATE[monitor] for cycles in late.values()), late


@pytest.mark.parametrize("word", range(4, 12))
def test_words_of_a_frame_that_was_left(tmp_path: Path, word: int) -> None:
    """The old or the new words, as the hart has it: lockstep finds no difference."""
    assert run(tmp_path, "direct", ["left.c"], [f"-DWORD={word}U"], "lockstep", 100_000) == (0, "")


@pytest.mark.parametrize("options", [["-DREADS"], []], ids=["reads", "goes on"])
def test_a_return_by_a_frame_that_was_left(tmp_path: Path, options: list[str]) -> None:
    """What the return has found there shows in registers, and in which interrupts come."""
    assert run(tmp_path, "direct", ["returned.c"], options, "lockstep", 100_000) == (0, "")


COSTS = {"paper": {"null": 20, "kick": 100}, "soft": {"null": 33, "kick": 100}, "direct": {"null": 20, "kick": 100}}
"""Cycles at most, of a call that does nothing and of a kick of the watchdog."""


@pytest.mark.parametrize("monitor", MONITORS)
def test_costs(tmp_path: Path, monitor: str) -> None:
    config = configurations.load(NAME)
    elf = toolchain.build(config, [FOLDER / "costs.c"], tmp_path / "main.elf", monitor=monitor)
    said = simulator.measure(elf, config, Options(max_cycles=1_000_000)).console.decode()
    cycles = {name: int(count) for name, count in (line.split() for line in said.splitlines())}
    assert set(cycles) == set(COSTS[monitor])
    assert all(0 < count <= COSTS[monitor][name] for name, count in cycles.items()), cycles


# ---------------------------------------------------------------- asked for by the build

STARTS = """
#include <stdio.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>
#include <trapeze/stress.h>
#include <trapeze/timer.h>
int value = 5;
const int constant = 7;
static int zero;
static void handler(void *arg) { (void)arg; }
int main(void)
{
	printf("value %d, zero %d\\n", value++, zero++);
	(void)irq_connect(17, handler, NULL);
	irq_enable(17);
	WHAT;
	return 3;
}
"""


def built(folder: Path, what: str, monitor: str, **asked: object) -> Path:
    source = folder / "main.c"
    source.write_text(STARTS.replace("WHAT", what))
    config = configurations.load(NAME)
    given = {f"--monitor-{name}": str(value) for name, value in asked.items()}
    options = monitored.words(config, monitor, False, given)
    return toolchain.build(config, [source], folder / "main.elf", options, monitor=monitor)


def outcome(elf: Path, engine: str) -> tuple[int, str]:
    found = simulator.measure(elf, configurations.load(NAME), Options(engine=engine, max_cycles=3_000_000))
    return found.exit_code, found.console.decode()


@pytest.mark.parametrize("engine", ["model", "lockstep"])
@pytest.mark.parametrize("monitor", MONITORS)
@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("*(volatile int *)0 = 1", "user mode: store access fault"),
        ("(void)irq_lock(); for (;;) {}", "watchdog: user mode at pc 0x8000"),
    ],
    ids=["fault", "hang"],
)
def test_starts_again(tmp_path: Path, monitor: str, what: str, says: str, engine: str) -> None:
    """From the state that it began in, as often as the build says; then the run ends."""
    code, console = outcome(built(tmp_path, what, monitor, watchdog=50_000, restarts=2), engine)
    assert code == REFUSED
    assert console.count("value 5, zero 0\n") == 3
    assert console.count(f"monitor: {says}") == 3
    assert re.findall("restart 0x0*([0-9]) of 0x0*2", console) == ["1", "2"]


@pytest.mark.parametrize("monitor", MONITORS)
def test_program_that_is_alive_goes_on(tmp_path: Path, monitor: str) -> None:
    what = "for (int i = 0; i < 100; i++) { monitor_watchdog_kick(); for (volatile int j = 0; j < 200; j++) {} }"
    elf = built(tmp_path, what, monitor, watchdog=20_000)
    assert outcome(elf, "lockstep") == (3, "value 5, zero 0\n")


@pytest.mark.parametrize("monitor", MONITORS)
def test_program_asks_for_the_watchdog(tmp_path: Path, monitor: str) -> None:
    """Once: neither too short a period nor another one is taken."""
    what = (
        "int first = monitor_watchdog_start(1000) + 2 * monitor_watchdog_start(9000); "
        "first += 4 * monitor_watchdog_start(90000); "
        'printf("%d\\n", first); for (;;) {}'
    )
    code, console = outcome(built(tmp_path, what, monitor), "lockstep")
    assert code == REFUSED
    assert "zero 0\n2\n" in console
    assert "monitor: watchdog: user mode at pc" in console


@pytest.mark.parametrize("monitor", MONITORS)
def test_stress_ends_where_the_watchdog_begins(tmp_path: Path, monitor: str) -> None:
    """A program cannot keep the bus busy behind the rows that close the generator."""
    loop = (
        "uint32_t {0} = (uint32_t)timer_cycles(); for (volatile int i = 0; i < 200; i++) {{}} "
        "{0} = (uint32_t)timer_cycles() - {0}; "
    )
    what = (
        loop.format("alone")
        + "*(volatile uint32_t *)(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_RATE_OFFSET) = 255; "
        + loop.format("beside")
        + "(void)monitor_watchdog_start(100000); "
        + loop.format("behind")
        + 'printf("%u %u %u\\n", (unsigned)alone, (unsigned)beside, (unsigned)behind)'
    )
    code, console = outcome(built(tmp_path, what, monitor), "rtl")
    alone, beside, behind = (int(word) for word in console.splitlines()[1].split())
    assert code == 3
    assert behind <= alone + 10 < alone * 1.2 < beside, console


COPIES = [
    ("volatile uint32_t code = 0x8067; ((void (*)(void))&code)()", "fetch access fault", "the stack"),
    ("static volatile uint32_t code = 0x8067; ((void (*)(void))&code)()", "fetch access fault", "the data"),
    ("*(volatile uint32_t *)main = 0", "store access fault", "the program's code"),
]


@pytest.mark.parametrize("monitor", MONITORS)
@pytest.mark.parametrize(("what", "kind", "region"), COPIES)
def test_program_that_copies_code(tmp_path: Path, monitor: str, what: str, kind: str, region: str) -> None:
    """The report names the layout that it takes."""
    code, console = outcome(built(tmp_path, what, monitor), "lockstep")
    assert code == REFUSED
    assert re.search(rf"{kind}, .*, {region}, sp 0x8020[0-9a-f]{{4}}, the stack\n", console)
    assert console.endswith("monitor: a program that copies or changes code takes cc --monitor-rows paper\n")
    assert outcome(built(tmp_path, what, monitor, rows="paper"), "lockstep")[0] == 3


@pytest.mark.parametrize("monitor", MONITORS)
@pytest.mark.parametrize(
    ("what", "region"),
    [
        ("*(volatile int *)&constant = 1", "the constants"),
        ("*(volatile int *)0x80400000 = 1", "nothing that the program has"),
        ("((void (*)(void))0x10000000)()", "the UART"),
        ("*(volatile int *)0x8007fffc = 1", "no part of imem that is used"),
    ],
)
def test_nothing_beyond_what_a_part_needs(tmp_path: Path, monitor: str, what: str, region: str) -> None:
    code, console = outcome(built(tmp_path, what, monitor), "lockstep")
    assert code == REFUSED
    assert f", {region}, sp 0x" in console


@pytest.mark.parametrize(
    ("given", "monitor", "says"),
    [
        ({"--monitor-rows": "papers"}, "paper", "no layout 'papers'; did you mean 'paper'"),
        ({"--monitor-watchdog": "5"}, "paper", "--monitor-watchdog 5: takes a number from 1,024"),
        ({"--monitor-restarts": "x"}, "soft", "--monitor-restarts x: takes a number from 1"),
        ({"--monitor-restarts": "1", "--monitor-rows": "paper"}, "soft", "leave one of the two out"),
        ({"--monitor-watchdog": "5000"}, "emulate", "not for --monitor emulate; choose paper, soft or direct"),
        ({"--monitor-watchdog": "5000"}, None, "add --monitor NAME"),
    ],
)
def test_wrong_input(given: dict[str, str], monitor: str | None, says: str) -> None:
    with pytest.raises(Exception, match=re.escape(says)):
        monitored.words(configurations.load(NAME), monitor, monitor == "emulate", given)
