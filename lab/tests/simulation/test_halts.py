# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A debugger halts the harts again and again (`run --halts`).

The program does not notice, in lockstep; interrupts that no halt met are as fast as without. It is irq-latency's
background loop, while lines rise.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Edge
from trapeze.firmware import toolchain
from trapeze.platform import user_configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.testing import Trapeze

BENCH = paths.ROOT / "bench/irq-latency"
DEBUG_MODE = 2
LINES = (3, 5)
FIRST, APART = 12_000, 700
"""Cycles: the set-up is over by the first interrupt; from one to the next, about, which is no multiple of the loop."""
BEHIND_SET_UP = 400_000
"""Cycle: the set-up is over, also where a debugger halts and sets triggers as often as it can."""
SETTLES = 200
"""Cycles: a halt so near has met an interrupt, or the handlers for which it waits."""

MAIN = """
#include "background.h"
#include "lines.h"

int main(void)
{
	lines_setup();
	for (int i = 0; i < ROUNDS; i++) {
		if (background() != BACKGROUND_CHECKSUM) { return 1; }
	}
	return lines_wrong() == 0U && interrupt_count != 0U ? 0 : 2;
}
"""


def build(folder: Path, config: str, rounds: int) -> Path:
    """The background loop, several times."""
    main = folder / "main.c"
    main.write_text(MAIN)
    handlers = {"mcu-clint": ["handler_full.S"], "mcu-clic": ["handler_clic.S"]}.get(config, [])
    options = [f"-DROUNDS={rounds}", f"-I{BENCH}", *([] if handlers else ["-DHANDLER_IS_FUNCTION"])]
    sources = [main, *(BENCH / name for name in ("lines.c", "background.S", "service.S", *handlers))]
    return toolchain.build(user_configurations.choose(config, ()), sources, folder / "halts.elf", options)


def debugged(trace: Path) -> list[int]:
    """The cycles in which the hart executed instructions of debug mode."""
    records = (json.loads(line) for line in trace.read_text().splitlines())
    return [one["cycle"] for one in records if one.get("mode") == DEBUG_MODE]


@pytest.mark.parametrize(
    ("config", "latency", "ahead"),
    [("mcu-fastirq", 4, 1), ("mcu-clic", 26, 0), ("mcu-clint", 29, 0), ("mcu-fastirq-inplace", 4, 1)],
)
def test_interrupts_that_no_halt_met(tmp_path: Path, config: str, latency: int, ahead: int) -> None:
    """They take what they take without a debugger.

    With fastirq they may be a cycle faster (`ahead`): where an interrupt of the line had to wait before, because a halt
    made two come at once, the core still has its table entry (tz_vector_ahead). So it is after any masked stretch.
    """
    elf = build(tmp_path, config, rounds=80)
    chosen = user_configurations.choose(config, ("debug=true",))
    edges = tuple(Edge(LINES[n % 2], FIRST + APART * n + n % 97, ":pulse") for n in range(1500))
    trace = tmp_path / "halts.jsonl"
    asked = Options(irq=edges, halts=150, engine="lockstep", trace=trace, max_cycles=10_000_000, seed=7)
    run = simulator.measure(elf, chosen, asked).run
    assert (run.reason, run.code) == ("exit", 0)
    stopped = debugged(trace)
    marked = [(one.t0, one.tx) for one in run.interrupts if one.tx is not None]
    unmet = [(t0, tx) for t0, tx in marked if bisect_left(stopped, t0 - SETTLES) == bisect_left(stopped, tx + SETTLES)]
    taken = Counter(tx - t0 for t0, tx in unmet)
    assert set(taken) <= {latency, latency - ahead}
    assert taken[latency] > 5
    assert len(marked) - len(unmet) > 5


def halted(trapeze: Trapeze, folder: Path, config: str, rounds: int) -> int:
    """Run the program in lockstep, with interrupts, halts and single steps; returns the number of halts."""
    elf = build(folder, config, rounds)
    rises = f"{LINES[0]}:every=977,from={BEHIND_SET_UP},pulse=3"
    words = ["--engine", "lockstep", "--halts", "20", "--seed", "1", "--stimulus", rises, "--max-cycles", "99000000"]
    ended = trapeze("run", elf, "--config", config, *words)
    assert ended.code == 0, ended
    return int(re.findall(r"(\d+) halts", ended.err)[0])


def test_the_program_does_not_notice(trapeze: Trapeze, tmp_path: Path) -> None:
    """It ends as without a debugger."""
    assert halted(trapeze, tmp_path, "mcu-fastirq-debug", rounds=120) > 100


def test_thousands_of_halts(trapeze: Trapeze, tmp_path: Path) -> None:
    """The same, at more moments than the loop has cycles."""
    assert halted(trapeze, tmp_path, "mcu-fastirq-debug", rounds=2400) > 2000


def test_debug_mode_costs_no_cycle(trapeze: Trapeze, tmp_path: Path) -> None:
    """The same program ends in the same cycle with and without it, interrupts included."""
    elf = build(tmp_path, "mcu-fastirq", rounds=12)
    words = ["--stimulus", f"{LINES[0]}:every=701,from=4000,pulse=3"]
    ends = []
    for config in ("mcu-fastirq", "mcu-fastirq-debug"):
        said = trapeze("run", elf, "--config", config, *words)
        assert said.code == 0, said
        ends.append(re.findall(r"after (\d+) cycles, (\d+) instructions", said.err))
    assert ends[0] == ends[1] != []


def test_instructions_that_count(tmp_path: Path) -> None:
    """minstret counts what a hart executes in debug mode; lockstep compares each value that the program reads."""
    source = tmp_path / "main.c"
    source.write_text(
        "#include <trapeze/csr.h>\nint main(void) { unsigned int sum = 0; "
        "for (int i = 0; i < 2000; i++) { sum += csr_read(CSR_MINSTRET); } return sum == 0U ? 1 : 0; }\n"
    )
    chosen = user_configurations.choose("mcu-fastirq-debug", ())
    elf = toolchain.build(chosen, [source], tmp_path / "count.elf")
    asked = Options(halts=200, engine="lockstep", max_cycles=3_000_000)
    assert simulator.watch(elf, chosen, asked).exit_code == 0
