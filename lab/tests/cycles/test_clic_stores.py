# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Stores to the CLIC in a row hold no interrupt up, however many they are: in every cycle, on the real hardware."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.edges import EdgeRange
from trapeze.experiments.measured_window import find_window
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

FIRMWARE = """
#include <trapeze/clic.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/marker.h>

#define LINE        IRQ_PLATFORM(3)
#define CONFIG      TRAPEZE_CLIC_BASE
#define WORD(irq)   (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4U * (irq))
#define STORES      ".rept 20\\n\\t" STORE " %1, (%0)\\n\\t" STORE " %2, (%0)\\n\\t.endr"
#define LOOP        "li a0, 12\\n1:\\t" STORE " %1, (%0)\\n\\taddi a0, a0, -1\\n\\tbnez a0, 1b"

static volatile int events;
unsigned int memory;

static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	(void)arg;
	events = 1;
}

int main(void)
{
	irq_level_bits_set(8U);
	irq_trigger_set(LINE, IRQ_TRIGGER_RISING);
	irq_level_set(LINE, 128U);
	(void)irq_connect(LINE, on_event, 0);
	irq_enable(LINE);
	irq_unlock_all();
	TRAPEZE_MARKER(2);
	__asm__ volatile(BODY : : "r"(ADDRESS), "r"(FIRST), "r"(SECOND) : "a0", "memory");
	TRAPEZE_MARKER(3);
	return 0;
}
"""
NOTHING = ("STORES", '"sw"', "&memory", 0, 0)
"""Stores that the CLIC does not see."""
BODIES = {
    "mcliccfg": ("STORES", '"sb"', "CONFIG", 8, 8),
    "changing mnlbits": ("STORES", '"sb"', "CONFIG", 8, 4),
    "ctl": ("STORES", '"sb"', "WORD(LINE) + 3", 128, 128),
    "changing ctl": ("STORES", '"sb"', "WORD(LINE) + 3", 128, 255),
    "ie": ("STORES", '"sb"', "WORD(LINE) + 1", 1, 1),
    "attributes and ctl": ("STORES", '"sh"', "WORD(LINE) + 2", "0x8003", "0x8003"),
}


def worst(folder: Path, config: str, body: tuple[object, ...]) -> int:
    """The largest latency over all cycles in which the line can rise while the stores go on."""
    source, elf = folder / "stores.c", folder / "stores.elf"
    names = ("BODY", "STORE", "ADDRESS", "FIRST", "SECOND")
    source.write_text("".join(f"#define {name} {value}\n" for name, value in zip(names, body, strict=True)) + FIRMWARE)
    loaded = configurations.load(config)
    toolchain.build(loaded, [source], elf, [])
    window = find_window(simulator.measure(elf, loaded, Options()).run, config)
    swept = simulator.measure(elf, loaded, Options(sweep=EdgeRange(3, window.first, window.last))).run.sweep
    assert swept is not None
    assert len(swept) == window.length > 30
    assert all(run.taken_count == 1 and run.exit == 0 and run.tx is not None for run in swept)
    return max(run.tx - run.t0 for run in swept if run.tx is not None)


def own_access(config: str) -> int:
    """Cycles: with the tree's stage a store behind a store waits for one; like any access, it is not given up."""
    return int(configurations.load(config).first.tree_pipeline)


CONFIGS = ["mcu-clic", "mcu-clic-pipelined", "mcu-fastirq"]


@pytest.mark.parametrize("config", CONFIGS)
def test_stores_hold_no_interrupt_up(tmp_path: Path, config: str) -> None:
    undisturbed = worst(tmp_path, config, NOTHING) + own_access(config)
    found = {name: worst(tmp_path, config, body) for name, body in BODIES.items()}
    assert found == dict.fromkeys(found, undisturbed)


@pytest.mark.parametrize("config", CONFIGS)
def test_no_loop_of_stores_starves_an_interrupt(tmp_path: Path, config: str) -> None:
    loop = ("LOOP", *NOTHING[1:])
    undisturbed = worst(tmp_path, config, loop)
    found = {name: worst(tmp_path, config, ("LOOP", *body[1:])) for name, body in BODIES.items()}
    assert found == dict.fromkeys(found, undisturbed)
