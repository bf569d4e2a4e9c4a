# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What floods of user interrupts cost: interrupts of machine mode, and the receiver's program.

Both harts of `duo-user` send as fast as they can, each to the other and to itself, or only one does. Bounds are those
that hw/uintr/README.md states.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.edges import Edge
from trapeze.experiments.user_interrupts import measure
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import events, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from verify.dev import directed
from verify.random.lockstep.engines import Engines, Settings

CONFIG = configurations.load("duo-user")
LINE = 3
FIRST = 20_000
GAPS = range(200, 500)
"""Cycles from one edge to the next, drawn from a fixed seed: two floods have no common period to walk through."""
EDGES = 3000
ALONE = 4
"""Cycles from a line to machine mode's handler without anything else going on, in every cycle."""
FLOODED = 11
"""The same at most with floods from both harts: an access of a senduipi waits for its turn. Seen in a program of
GCC 14; 10 in that of GCC 12."""
MASKED = 7
"""Percent of its time that a program loses at most to a sender at full rate while user interrupts are disabled."""
HANDLED = 11
"""Cycles that it loses at most for each user interrupt while they are enabled, with the handler's five instructions."""

STRESSED = 62
"""Cycles from a senduipi to its handler at most, by the argument in hw/uintr/README.md, beside a receiver that does
nothing but access the shared bank."""

FLOOD = """
#include <stdio.h>

#include <trapeze/exit.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
#include <trapeze/map.h>
#include <trapeze/uintr.h>
#include <trapeze/user.h>

TZ_SHARED static struct uintr_thread threads[2];
TZ_SHARED static volatile unsigned int go;
static volatile unsigned int handled, own[16];

void on_post(void)
{
	handled++;
}

void on_line(void)
{
}

static void flood(void)
{
	uintr_enable();
	for (;;) {
		__asm__ volatile("flood_begin:\\n\\t"
					".rept 8\\n\\t"
					".insn r 0x73, 0, 0x47, x0, %0, x0\\n\\t"
					".insn r 0x73, 0, 0x47, x0, %1, x0\\n\\t"
					"lw t0, 0(%2)\\n\\tsw t0, 4(%2)\\n\\t"
					".endr\\n\\tflood_end:"
					: : "r"(0), "r"(1), "r"(own) : "t0", "memory");
	}
}

static unsigned int work(void)
{
	unsigned int begin = csr_read(CSR_CYCLE);

	for (unsigned int n = 0; n < 2000U; n++) {
		own[n % 16U] = own[(n + 7U) % 16U] + n;
	}
	return csr_read(CSR_CYCLE) - begin;
}

/* The same work without a flood, with one while user interrupts are disabled, and while they are enabled. */
static void measure(void)
{
	unsigned int alone, masked, enabled;

	uintr_disable();
	(void)work();
	alone = work();
	go = 1U;
	while (go == 1U) {
	}
	masked = work();
	uintr_enable();
	enabled = work();
	uintr_disable();
	printf("%u %u %u %u\\n", alone, masked, enabled, handled);
	trapeze_exit(0);
}

static void wait_and_flood(void)
{
	while (go == 0U) {
	}
	go = 2U;
	flood();
}

static void become(unsigned int hart, void (*program)(void))
{
	(void)irq_lock();
	csr_write(CSR_PMPADDR0, UINT32_MAX);
	csr_write(CSR_PMPCFG0, PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X);
	uintr_begin_direct(on_post, 0x80);
	uintr_switch_in(&threads[hart]);
	irq_level_bits_set(8);
	irq_trigger_set(IRQ_PLATFORM(3U), IRQ_TRIGGER_RISING);
	irq_level_set(IRQ_PLATFORM(3U), 255U);
	(void)irq_fast_connect(IRQ_PLATFORM(3U), on_line, true);
	irq_enable(IRQ_PLATFORM(3U));
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY);
	user_enter(program, (void *)(TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE / 2U));
}

static void second(void *arg)
{
	(void)arg;
	become(1, MEASURE ? wait_and_flood : flood);
}

int main(void)
{
	for (unsigned int n = 0; n < 2U; n++) {
		uintr_thread_init(&threads[n], UINTR_RUNNING);
	}
	for (unsigned int n = 0; n < 2U; n++) {
		(void)uintr_connect(&threads[n], 0U, &threads[1U - n], 40U);
		(void)uintr_connect(&threads[n], 1U, &threads[ONLY_OTHER ? 1U - n : n], 5U);
	}
	(void)hart_start(1U, second, NULL);
	become(0, MEASURE ? measure : flood);
}
"""


def build(folder: Path, defines: Sequence[str]) -> Path:
    """The program, from one source."""
    (folder / "flood.c").write_text(FLOOD)
    return toolchain.build(CONFIG, [folder / "flood.c"], folder / "flood.elf", defines)


def cycles(run: Run) -> list[int]:
    """The cycles of the one span of a run."""
    (span,) = run.spans
    return [value for value, count in span.histogram for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("hart", [0, 1])
def test_floods_do_not_delay_machine_mode(tmp_path: Path, hart: int) -> None:
    """Each hart floods the other and itself: a line of machine mode keeps its bound, wherever it interrupts."""
    elf = build(tmp_path, ["-DONLY_OTHER=0", "-DMEASURE=0"])
    programs = [events.Program(elf)] * 2
    span = events.Span(
        "line",
        events.parse(f"edge:{hart}:{LINE}", "--from", programs),
        events.parse(f"pc:{hart}:on_line", "--to", programs),
    )
    rng = random.Random(1)
    rises = list(accumulate((rng.choice(GAPS) for _ in range(EDGES)), initial=FIRST))[1:]
    edges = tuple(Edge(LINE, cycle, ":pulse=4", hart) for cycle in rises)
    options = Options(irq=edges, spans=(span,), max_cycles=rises[-1] + 200)
    run = simulator.measure(elf, CONFIG, options).run
    found = cycles(run)
    print(f"hart {hart}: {len(found)} interrupts of machine mode in {min(found)} to {max(found)} cycles")
    assert len(found) == EDGES
    assert ALONE <= min(found) <= max(found) <= FLOODED
    # Each instruction of the flood was the one that waited; so was the handler of posts.
    symbols = programs[0].symbols
    begin, end = symbols["flood_begin"].address, symbols["flood_end"].address
    interrupted = {one.epc for one in run.interrupts if one.line == LINE and one.epc is not None}
    assert len({pc for pc in interrupted if begin <= pc < end}) >= 8 * 3
    assert any(symbols["on_post"].address <= pc < symbols["on_post"].address + 16 for pc in interrupted)


@pytest.mark.slow
def test_loss_of_a_receiver(tmp_path: Path) -> None:
    """What a program loses to a sender at full rate, with user interrupts disabled and enabled."""
    elf = build(tmp_path, ["-DONLY_OTHER=1", "-DMEASURE=1"])
    outcome = simulator.measure(elf, CONFIG, Options(max_cycles=2_000_000))
    assert outcome.exit_code == 0
    alone, masked, enabled, handled = map(int, outcome.console.split())
    print(f"{alone} cycles alone, {masked} disabled, {enabled} enabled, {handled} interrupts")
    assert alone < masked <= alone * (1 + MASKED / 100)
    assert handled > 1000
    assert enabled <= masked + handled * HANDLED


@pytest.mark.slow
def test_delivery_under_stress() -> None:
    """The receiver hammers the bank that the post goes through, in every phase of its loop."""
    experiment = experiment_files.load("user-interrupts")
    (case,) = (one for one in experiment.cases if one.id == "uintr/stress")
    found = measure.samples(case, experiment)["delivery"]
    print(f"{len(found)} deliveries under stress in {min(found)} to {max(found)} cycles")
    assert len(found) > 400
    assert max(found) <= STRESSED


@pytest.mark.slow
@pytest.mark.parametrize("config", [CONFIG.name])
@pytest.mark.parametrize("wait", [0, 96])
def test_assertions_on_turns(config: str, wait: int) -> None:
    """Floods from both harts on the design with its assertions: how often an access lets others go first."""
    test = directed.read(directed.FOLDER / "uintr" / "uintr_flood.c")
    settings = Settings(wait_instr=wait, wait_data=wait, seed=3, max_cycles=5_000_000)
    verdict = Engines.of(config, checked=True).run(directed.build(test, CONFIG), settings)
    assert verdict.passed, verdict.report
