# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Lines that a user of GDB raises: each is high until its interrupt is served, whatever entry its handler has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from verify.dev.gdb import debug

ENGINES = ("rtl", "model")
LEVELS = """\
#include <stddef.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif

volatile int events, turns;

static void on_event(void *arg)
{
	(void)arg;
	events++;
}

__attribute__((noinline)) void looks(void)
{
	turns++;
}

int main(void)
{
	SETTING;
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 400; i++) {
		looks();
	}
	return 40 + events;
}
"""
SHARED = "irq_vectored_set(IRQ_PLATFORM(3), 0)"
SCHEMES = {
    "clint": ("mcu-clint", "(void)0"),
    "vectored": ("mcu-clic", "(void)0"),
    "careful": ("mcu-clic", SHARED),
    "xnxti": ("mcu-clic", f"irq_entry_set(IRQ_ENTRY_XNXTI), {SHARED}"),
    "jalxnxti": ("mcu-clic", f"irq_entry_set(IRQ_ENTRY_JALXNXTI), {SHARED}"),
    "fastirq": ("mcu-fastirq", "(void)0"),
    "fastirq-careful": ("mcu-fastirq", SHARED),
    "fastirq-xnxti": ("mcu-fastirq", f"irq_entry_set(IRQ_ENTRY_XNXTI), {SHARED}"),
    "fastirq-jalxnxti": ("mcu-fastirq", f"irq_entry_set(IRQ_ENTRY_JALXNXTI), {SHARED}"),
}
"""The configuration, and what sets the scheme up. The trigger is the level, as after reset."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_level_is_served_once(tmp_path: Path, scheme: str, engine: str) -> None:
    name, setting = SCHEMES[scheme]
    source = tmp_path / "main.c"
    source.write_text(LEVELS.replace("SETTING", setting))
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", ("-g", "-O1"))
    said = debug(
        elf,
        engine,
        *("break looks", "continue", "monitor irq 3", "monitor irq 3", "ignore 1 100", "continue", "print events"),
        *("monitor irq 3", "monitor irq 3 off", "monitor irq 3 off", "ignore 1 100", "continue", "print events"),
        *("monitor irq 3", "ignore 1 100", "continue", "print events", "monitor irq 99 off", "delete", "continue"),
        name=name,
    )
    assert said.numbers() == [1, 1, 2], said.text
    assert said.exit_code == 42, said.text
    assert said.text.count("line 3 is high until its interrupt is served\n") == 4, said.text
    assert re.search(r"line 3 is low\nline 3 was low\n", said.text), said.text
    assert "there is no interrupt line '99'; use 0 to " in said.text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_shared_entry_that_asks_nobody(tmp_path: Path, engine: str) -> None:
    """A handler of the user's own reads mcause and returns: the level ends when it returns, not before."""
    text = """\
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>

volatile int events, turns;

__attribute__((aligned(64), interrupt)) static void entry(void)
{
	events++;
}

__attribute__((noinline)) void looks(void)
{
	turns++;
}

int main(void)
{
	csr_write(CSR_MTVEC, (unsigned)entry | 3U);
	irq_vectored_set(IRQ_PLATFORM(3), 0);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 200; i++) {
		looks();
	}
	return 40 + events;
}
"""
    source = tmp_path / "main.c"
    source.write_text(text)
    elf = toolchain.build(config.load("mcu-clic"), [source], tmp_path / "main.elf", ("-g", "-O1"))
    commands = ("break looks", "continue", "monitor irq 3", "ignore 1 100", "continue", "print events")
    said = debug(elf, engine, *commands, name="mcu-clic")
    assert said.numbers() in ([1], [2]), said.text  # once more where the line is still on its way when it returns
