# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Terminals of 40, 80 and 200 columns: no line is wider, and from 80 columns on nothing is cut off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from trapeze.commandline.cli import app
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from verify.dev.testing import Trapeze

CONFIG = "mcu-fastirq"
WIDTHS = (40, 80, 200)
COMMANDS = sorted(one.name or one.callback.__name__ for one in app.registered_commands if one.callback is not None)

PROGRAM = """
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static void on_event(void *arg)
{
	(void)arg;
	TRAPEZE_MARKER(1);
	events++;
}
__attribute__((noinline)) static void a_critical_section_with_a_long_name(void)
{
	unsigned int key = irq_lock();
	for (volatile int i = 0; i < 5; i++) {
	}
	irq_unlock(key);
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_connect(IRQ_PLATFORM(4), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_enable(IRQ_PLATFORM(4));
	irq_unlock_all();
	TRAPEZE_MARKER(5);
	for (int i = 0; i < 40; i++)
		a_critical_section_with_a_long_name();
	return 0;
}
"""

SPAN = ("--from", "edge:3", "--to", "marker:1", "--name", "event")
RUNS = {
    "sweep": ("--sweep", "3@marker:5+0..99", *SPAN),
    "pair": ("--sweep", "4@marker:5+0..1", "--sweep", "3@marker:5+0..19"),
    "stimulus": ("--stimulus", "3:every=300,from=marker:5,n=9", *SPAN),
    "masked": ("--irq", "3@2000", "--masked"),
    "budget": ("--irq", "3@2000", "--budget", "10"),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a critical section."""
    folder = tmp_path_factory.mktemp("widths")
    (folder / "main.c").write_text(PROGRAM)
    return toolchain.build(configurations.load(CONFIG), [folder / "main.c"], folder / "main.elf")


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The output is a terminal of so many columns."""
    columns: int = request.param
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(os, "isatty", lambda descriptor: descriptor in (1, 2))
    return columns


def fits(text: str, width: int) -> None:
    """Hold a text against a terminal; a single word, such as a path, may be longer than a line."""
    assert text
    wide = [line for line in text.splitlines() if len(line.rstrip()) > width and len(line.split()) > 1]
    assert not wide, f"{width} columns:\n" + "\n".join(wide)
    if width >= 80:
        assert "\N{HORIZONTAL ELLIPSIS}" not in text


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(trapeze: Trapeze, width: int, command: str) -> None:
    said = trapeze(*command.split(), "--help")
    assert said.code == 0
    fits(said.out, width)


@pytest.mark.parametrize("words", [["configs"], ["bench", "--list"], ["show", CONFIG], ["show", "duo"]])
def test_lists(trapeze: Trapeze, width: int, words: Sequence[str]) -> None:
    said = trapeze(*words)
    assert said.code == 0
    fits(said.out, width)


@pytest.mark.parametrize("kind", RUNS)
def test_summaries_of_run(trapeze: Trapeze, program: Path, width: int, kind: str) -> None:
    said = trapeze("run", program, "--config", CONFIG, *RUNS[kind])
    assert said.code == (123 if kind == "budget" else 0), said.err
    # What the simulator says itself is a line that the terminal breaks, and so are instructions of a trace.
    text = said.err.rpartition("\n\n")[2] if kind == "budget" else said.err
    fits("".join(line for line in text.splitlines(keepends=True) if not line.startswith("trapeze-sim: ")), width)
