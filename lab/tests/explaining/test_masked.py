# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The stretches in which interrupts were masked: by whom, until whom, how long; against what edges wait for."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common.edges import Edge
from trapeze.explaining import gates, masked
from trapeze.explaining.masked import Who
from trapeze.explaining.rerun import Rerun
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import events, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import Record, Retired, Taken, Written
from verify.dev.testing import Trapeze

NAMED = [(range(0x100, 0x200), "locks"), (range(0x200, 0x280), "unlocks"), (range(0x800, 0x900), "handler")]

PROGRAM = r"""
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static unsigned int key;
static void on_event(void *arg)
{
	(void)arg;
	TRAPEZE_MARKER(1);
	events++;
}
__attribute__((noinline)) static void lock(void) { key = irq_lock(); }
__attribute__((noinline)) static void unlock(void) { irq_unlock(key); }
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 10; i++) {
		lock();
		for (volatile int k = 0; k < i; k++) {
		}
		unlock();
	}
	return 0;
}
"""


def status(cycle: int, pc: int, enabled: bool) -> Retired:
    """An instruction that writes mstatus."""
    return Retired(cycle, pc, "csrw", "mstatus,a0", csr=Written("mstatus", 0x1800 | 8 * enabled))


def found(*trace: Record, config: str = "mcu-clint") -> dict[Who, list[tuple[int, int]]]:
    """The lengths of stretches, and how often each came."""
    sources = {0: gates.source(configurations.load(config), 0, 0, reset=True)}
    made = masked.stretches(trace, sources, {0: NAMED})
    return {who: sorted(one.lengths.items()) for who, one in made.items()}


def test_start_up_does_not_count_and_locks_do() -> None:
    trace = [status(10, 0x200, True), status(20, 0x100, False), status(27, 0x204, True), status(40, 0x100, False)]
    assert found(*trace) == {Who(0, "MIE", "locks", "unlocks"): [(7, 1)]}


def test_a_handler_masks_until_it_returns() -> None:
    trace: list[Record] = [
        status(10, 0x200, True),
        Taken(20, "line 3", 0x104, number=19),
        Retired(25, 0x800, "addi", "a0,a0,1"),
    ]
    trace.append(Retired(30, 0x804, "mret", ""))
    assert found(*trace) == {Who(0, "MIE", "entry of line 3", "handler"): [(9, 1)]}


def test_a_threshold_masks() -> None:
    def threshold(cycle: int, pc: int, value: int) -> Retired:
        return Retired(cycle, pc, "csrw", "mintthresh,a0", csr=Written("mintthresh", value))

    trace = [status(5, 0x200, True), threshold(10, 0x100, 0x80), threshold(14, 0x104, 0x90), threshold(30, 0x200, 0)]
    assert found(*trace, config="mcu-clic") == {Who(0, "threshold", "locks", "unlocks"): [(20, 1)]}


@pytest.mark.parametrize(
    ("config", "monitor", "how"),
    [
        ("mcu-clint", None, "MIE"),
        ("mcu-fastirq", None, "MIE"),
        ("mcu-user", None, "MIE"),
        ("mcu-user", "direct", "UIE"),
    ],
)
def test_run(trapeze: Trapeze, config: str, monitor: str | None, how: str, tmp_path: Path) -> None:
    """The longest stretch is the longest that an edge waits for; the list is in the terminal, in rows and in CSV."""
    (tmp_path / "p.c").write_text(PROGRAM)
    elf = toolchain.build(configurations.load(config), [tmp_path / "p.c"], tmp_path / "p.elf", monitor=monitor)
    result, table = tmp_path / "r.json", tmp_path / "r.csv"
    said = trapeze("run", elf, "--config", config, "--masked", "--json", result, "--csv", table)
    assert said.code == 0, said.err
    assert re.search(rf"\nlock +unlock +{how} +\d+", said.err), said.err
    rows = [row for row in store.load(result)["rows"] if row["metric"] == "masked"]
    (row,) = (row for row in rows if row["id"] == f"p/{how}/lock..unlock")
    assert row["n"] == 10
    assert (row["labels"]["by"], row["labels"]["until"], row["labels"]["how"]) == ("lock", "unlock", how)
    begin, end = row["worst"]
    assert end - begin == row["max"] > row["min"]
    assert [line["max"] for line in csv.DictReader(table.open()) if line["id"] == row["id"]] == [str(row["max"])]

    sweep = f"3@{begin - 8}..{end}"
    said = trapeze("run", elf, "--config", config, "--sweep", sweep, "--json", result)
    assert said.code == 0, said.err
    (latency,) = (one for one in store.load(result)["rows"] if one["metric"] == "entry")
    # An edge waits from the cycle behind it on, and one that comes with the mask waits for all of it.
    assert latency["max"] - latency["min"] in range(row["max"] - 2, row["max"] + 1)


@pytest.mark.parametrize(("monitor", "state"), [("paper", "monitor_state"), ("soft", "monitor_page")])
def test_masked_by_a_word(monitor: str, state: str, tmp_path: Path) -> None:
    """A program that masks by the monitor's word has what it has by ustatus; the lengths are those between stores."""
    enable = "irq_enable(IRQ_PLATFORM(3));"
    # A line that falls when the monitor is entered is to stay pending.
    edge = "irq_trigger_set(IRQ_PLATFORM(3), IRQ_TRIGGER_RISING);"
    (tmp_path / "p.c").write_text("#include <trapeze/irq_clic.h>" + PROGRAM.replace(enable, edge + enable))
    config, found = configurations.load("mcu-user"), {}
    for one in (monitor, "direct"):
        elf = toolchain.build(config, [tmp_path / "p.c"], tmp_path / f"{one}.elf", monitor=one)
        found[one] = Rerun(elf, config, Options(irq=(Edge(3, 1800),)))
    word = {who: one for who, one in masked.find(found[monitor]).items() if who.how == "word"}
    locks = Who(0, "word", "lock", "unlock")
    # A handler of irq_connect() runs with interrupts disabled; under direct only its level keeps others back.
    assert {who.by for who in word} == {"lock", "entry of line 3"}
    assert word[locks].lengths.total() == masked.find(found["direct"])[replace(locks, how="UIE")].lengths.total() == 10

    options = replace(found[monitor].options, trace=tmp_path / "t.jsonl")
    simulator.watch(found[monitor].elf, config, options)
    records = map(json.loads, (tmp_path / "t.jsonl").open())
    address, lengths, since = events.Program(found[monitor].elf).symbols[state].address + 16, Counter[int](), None
    open_ = False
    for one in records:
        if (store := one.get("store", {})).get("address") == address:
            if store["value"]:
                lengths.update([] if since is None else [one["cycle"] - since])
                open_, since = True, None
            elif open_ and since is None:
                since = one["cycle"]
    assert sum((one.lengths for one in word.values()), Counter()) == lengths


def test_nothing_masked(trapeze: Trapeze, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    elf = toolchain.build(configurations.load("mcu-clint"), [tmp_path / "p.c"], tmp_path / "p.elf")
    said = trapeze("run", elf, "--config", "mcu-clint", "--masked")
    assert said.code == 0
    assert "Interrupts were never masked after the program first let them in." in said.err
