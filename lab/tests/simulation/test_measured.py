# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Which interrupt a marker belongs to, on the real simulator, and that no run of a sweep is left out unsaid."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.commandline import interrupt_report, runner
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.experiments import sweep_coverage
from trapeze.experiments.measured_window import Window
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Interrupt, Run, SweepRun
from trapeze.simulation.traces import functions
from verify.dev.testing import Trapeze

FIRMWARE = """
#include <stddef.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/marker.h>

#ifndef ENTRY
#define ENTRY_ARGUMENT void *arg
#define UNUSED (void)arg
#else
#define ENTRY_ARGUMENT void
#define UNUSED
#endif

static volatile unsigned int sink;
__attribute__((noinline)) static void work(unsigned int n) { for (unsigned int i = 0; i < n; i++) { sink += i; } }

#define HANDLER(line, before, marker, behind)                                             \\
	__attribute__((noinline)) static void on_##line(ENTRY_ARGUMENT)                        \\
	{                                                                                      \\
		UNUSED;                                                                            \\
		work(before);                                                                      \\
		marker;                                                                            \\
		work(behind);                                                                      \\
	}
HANDLER(1, 6, TRAPEZE_MARKER(1), 0)
HANDLER(2, 0, TRAPEZE_MARKER(1), 3)
#ifdef SILENT
HANDLER(3, 2, , 2)
#else
HANDLER(3, 2, TRAPEZE_MARKER(1), 2)
#endif

#ifdef ENTRY
#define CONNECT(line) irq_vectored_set(IRQ_PLATFORM(line), false); (void)irq_vector_set(IRQ_PLATFORM(line), on_##line)
#else
#define CONNECT(line) irq_connect(IRQ_PLATFORM(line), on_##line, NULL)
#endif
#define SET_UP(line)                                                                      \\
	irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);                               \\
	irq_level_set(IRQ_PLATFORM(line), 60 * line);                                          \\
	CONNECT(line);                                                                         \\
	irq_enable(IRQ_PLATFORM(line))

int main(void)
{
#ifdef ENTRY
	irq_entry_set(ENTRY);
#endif
	irq_level_bits_set(8);
	SET_UP(1);
	SET_UP(2);
	SET_UP(3);
	irq_unlock_all();
	for (int i = 0; i < LOOPS; i++) { __asm__ volatile(""); }
	return 0;
}
"""
CONFIG = "mcu-fastirq"
ENTRIES = {
    "vectored": (),
    "careful": ("-DENTRY=IRQ_ENTRY_CAREFUL",),
    "xnxti": ("-DENTRY=IRQ_ENTRY_XNXTI",),
    "jalxnxti": ("-DENTRY=IRQ_ENTRY_JALXNXTI",),
}


def build(folder: Path, config: str = CONFIG, options: Sequence[str] = (), loops: int = 2000) -> Path:
    """Three lines that nest: 3 preempts 2 preempts 1. The marker of 1 is at its end, that of 2 at its beginning."""
    source = folder / "nest.c"
    source.write_text(FIRMWARE)
    elf = folder / "nest.elf"
    return toolchain.build(configurations.load(config), [source], elf, [f"-DLOOPS={loops}", *options])


@pytest.mark.parametrize("config", ["mcu-fastirq", "mcu-clic"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_each_marker_belongs_to_its_handler(tmp_path: Path, config: str, entry: str) -> None:
    """Whatever preempts, follows or is handed out: the marker of a line is one in the function of that line."""
    elf = build(tmp_path, config, ENTRIES[entry], loops=6000)
    named = [(where, name) for where, name in functions(elf) if name.startswith("on_")]
    assert len(named) == 3
    rng = random.Random(5)
    irq = []
    for begin in range(3000, 14000, 400):  # bursts, so that a line does not rise while it is pending
        irq += [Edge(line, begin + rng.randrange(90), ":pulse") for line in (1, 2, 3)]
    run = simulator.measure(elf, configurations.load(config), Options(irq=tuple(irq), max_cycles=1_000_000)).run
    assert (run.reason, run.code) == ("exit", 0)
    place = {marker.tx: name for marker in run.markers for where, name in named if marker.pc in where}
    assert len(place) == len(irq)
    for one in run.interrupts:
        assert one.fate == "marked", one
        assert one.tx is not None
        assert place.pop(one.tx) == f"on_{one.line}", one
    assert not place
    handed_out = sum(one.epc is None for one in run.interrupts)
    assert (handed_out > 3) == (entry != "vectored")


def test_a_handler_that_is_preempted_keeps_its_marker(trapeze: Trapeze, tmp_path: Path) -> None:
    """The marker is at the handler's end, and another line comes meanwhile."""
    elf, path = build(tmp_path, options=["-DSILENT"]), tmp_path / "r.json"
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "3@3150", "--sweep", "1@2900..3149", "--json", path)
    assert said.code == 0, said.err
    assert "line 1: 250 runs, taken once in each" in said.err
    rows = {row["metric"]: row for row in store.load(path)["rows"]}
    assert [rows[metric]["n"] for metric in ("latency", "entry", "first-fetch", "retire")] == [250] * 4
    assert rows["latency"]["max"] > rows["latency"]["min"] + 20, "those that were preempted took longer"
    assert not any("lost" in row["labels"] for row in rows.values())
    assert "n = 250" in said.err


def test_a_marker_on_the_first_line(trapeze: Trapeze, tmp_path: Path) -> None:
    """Preempted before its first instruction, or between it and the marker: in every phase there is a figure."""
    elf, path = build(tmp_path), tmp_path / "r.json"
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "3@3150", "--sweep", "2@3050..3250", "--json", path)
    assert said.code == 0, said.err
    rows = {row["metric"]: row for row in store.load(path)["rows"]}
    assert [rows[metric]["n"] for metric in ("latency", "entry", "first-fetch", "retire")] == [201] * 4


def test_a_line_without_a_marker_gets_no_other_ones(trapeze: Trapeze, tmp_path: Path) -> None:
    elf, path = build(tmp_path, options=["-DSILENT"]), tmp_path / "r.json"
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "1@3000", "--sweep", "3@2990..3020", "--json", path)
    assert said.code == runner.INCOMPLETE
    assert "no latency in 31 of 31 runs" in said.err
    assert "31: its handler returned without TRAPEZE_MARKER(1); the first one: --irq 3@2990" in said.err
    rows = {row["metric"]: row for row in store.load(path)["rows"]}
    assert "latency" not in rows
    assert rows["entry"]["n"] == 31


def test_an_interrupt_that_is_not_always_taken(trapeze: Trapeze, tmp_path: Path) -> None:
    """The sweep goes on to the program's end: the last ones come too late."""
    elf, path = build(tmp_path), tmp_path / "r.json"
    length = simulator.measure(elf, configurations.load(CONFIG), Options()).run.cycles
    sweep = f"2@{length - 60}..{length - 2}"
    said = trapeze("run", elf, "--config", CONFIG, "--sweep", sweep, "--json", path)
    assert said.code == runner.INCOMPLETE
    row = next(row for row in store.load(path)["rows"] if row["metric"] == "latency")
    lost = 59 - row["n"]
    assert lost > 0
    assert row["labels"]["lost"] == f"{lost} of 59"
    assert f"no latency in {lost} of 59 runs" in said.err


def test_no_markers_at_all(trapeze: Trapeze, tmp_path: Path) -> None:
    """What a sweep of such a firmware says holds, and it says that it is not a latency."""
    elf = build(tmp_path, options=["-DTRAPEZE_MARKER_H_", "-DTRAPEZE_MARKER(n)="])
    said = trapeze("run", elf, "--config", CONFIG, "--sweep", "2@3000..3009")
    assert said.code == 0, said.err
    assert "line 2: 10 runs, taken once in each" in said.err
    assert "no latency: no handler executed TRAPEZE_MARKER(1)" in said.err


def test_a_plain_run_says_what_its_interrupts_took(trapeze: Trapeze, tmp_path: Path) -> None:
    elf = build(tmp_path, options=["-DSILENT"])
    said = trapeze("run", elf, "--config", CONFIG, "--irq", "2@3000", "--irq", "3@4000", "--irq", "0@5000")
    assert said.code == 0
    assert "line 2, raised in cycle 3000: latency " in said.err
    assert "line 3, raised in cycle 4000: its handler returned without TRAPEZE_MARKER(1) (entry 1" in said.err
    assert "line 0, raised in cycle 5000: the interrupt was not taken" in said.err


def swept(*fates: str, markers: int = 1) -> Run:
    """A sweep of line 5 from cycle 100 on."""
    runs = tuple(
        SweepRun(100 + at, 0, 1, 2, 1, 0, "exit", 90, 0, fate=fate, handler_markers=markers)
        for at, fate in enumerate(fates)
    )
    return Run("mcu-clic", "rtl", "x.elf", "exit", 0, 900, 800, (), (), runs, 5)


def test_what_was_lost_by_kind() -> None:
    record = swept("marked", "not-taken", "returned", "not-taken", "not-attributed", "running")
    said = interrupt_report.lost(record)
    assert said[0] == "  no latency in 5 of 6 runs, whose figures are missing above:"
    assert said[1].startswith("    2: the interrupt was not taken; the first one: --irq 5@101 ")
    assert len(said) == 5
    assert record.sweep is not None
    assert interrupt_report.is_incomplete(record.sweep)
    whole = swept("marked", "marked")
    assert interrupt_report.lost(whole) == []
    assert not interrupt_report.is_incomplete(whole.sweep or ())
    assert interrupt_report.is_incomplete(swept("returned", "not-taken", markers=0).sweep or ())
    assert not interrupt_report.is_incomplete(swept("returned", "running", markers=0).sweep or ())


def test_many_interrupts_of_a_plain_run() -> None:
    ones = tuple(Interrupt(at, 1, 2, 3, 5) for at in range(interrupt_report.SHOWN + 7))
    said = interrupt_report.interrupts(Run("mcu-clic", "rtl", "x.elf", "exit", 0, 900, 800, (), ones, None, None))
    assert len(said) == interrupt_report.SHOWN + 1
    assert said[-1] == "and 7 more"


def test_experiments_do_not_compute_on_fewer_phases() -> None:
    assert sweep_coverage.complete([1, 2], "latency", "row") == [1, 2]
    with pytest.raises(TrapezeError, match="row: 1 of 3 phases have no first-fetch"):
        sweep_coverage.complete([1, None, 3], "first-fetch", "row")
    run = swept("marked", "returned", "marked")
    runs = [replace(one, tx=None) if one.fate == "returned" else one for one in run.sweep or ()]
    with pytest.raises(TrapezeError, match="raised in cycle 101: the handler or its marker"):
        sweep_coverage.verify(replace(run, sweep=tuple(runs)), Window(100, 102), "row")
