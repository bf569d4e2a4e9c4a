# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The program of docs/howto/protect-a-program.md: protected, interrupted at user level, refused a frame."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Edge
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.examples import blocks

PAGE = paths.ROOT / "docs" / "howto" / "protect-a-program.md"
IRQ = tuple(Edge(3, cycle) for cycle in (5000, 6000, 7000, 8000))


MENDED = """\
	if (cause == MCAUSE_FRAME_STORE_FAULT) {
		frame->x[2] = (csr_value_t)(&user + 1);
		return true;
	}
"""
"""What gives the program another stack pointer, for on_exception()."""


def played(folder: Path, text: str, name: str, engine: str) -> simulator.Outcome:
    """A run of a program."""
    (folder / "protected.c").write_text(text)
    elf = toolchain.build(config.load(name), [folder / "protected.c"], folder / "protected.elf")
    return simulator.measure(elf, config.load(name), Options(engine=engine, irq=IRQ, max_cycles=100_000))


def program() -> str:
    """The page's."""
    (text,) = [text for _, language, text in blocks(PAGE) if language == "c"]
    return text + "\n"


@pytest.mark.parametrize("engine", ["rtl", "lockstep"])
@pytest.mark.parametrize("name", ["mcu-user", "mcu-user-e"])
def test_program_of_the_page(tmp_path: Path, name: str, engine: str) -> None:
    outcome = played(tmp_path, program(), name, engine)
    assert outcome.exit_code == 0
    said = re.search(r"^    (3 samples, .*)$", PAGE.read_text(), re.MULTILINE)
    assert said
    assert outcome.console.decode() == f"{said[1]}\n"
    taken = [one.taken for one in outcome.run.interrupts]
    assert [one is not None for one in taken] == [True, True, True, False]


def test_interrupt_is_taken_once_the_frame_can_be_stored(tmp_path: Path) -> None:
    """As the page says of machine mode that mends sp and returns: the interrupt that was refused comes."""
    text = program().replace("\tprintf(", MENDED + "\tprintf(")
    text = text.replace("\tuser.samples++;", '\tif (++user.samples == 4) {\n\t\t__asm__ volatile("ecall");\n\t}')
    outcome = played(tmp_path, text, "mcu-user", "rtl")
    assert outcome.console == b"4 samples, then exception 8, outside of every region\n"
    assert all(one.taken is not None for one in outcome.run.interrupts)
