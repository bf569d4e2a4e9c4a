# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The program of docs/howto/protect-a-program.md: protected, interrupted at user level, refused a frame."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Edge
from trapeze.dev.examples import blocks
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator

PAGE = paths.ROOT / "docs" / "howto" / "protect-a-program.md"
IRQ = tuple(Edge(3, cycle) for cycle in (5000, 6000, 7000, 8000))


@pytest.mark.parametrize("engine", ["rtl", "lockstep"])
@pytest.mark.parametrize("name", ["mcu-user", "mcu-user-e"])
def test_program_of_the_page(tmp_path: Path, name: str, engine: str) -> None:
    (text,) = [text for _, language, text in blocks(PAGE) if language == "c"]
    (tmp_path / "protected.c").write_text(text + "\n")
    elf = toolchain.build(config.load(name), [tmp_path / "protected.c"], tmp_path / "protected.elf")
    outcome = simulator.measure(elf, config.load(name), simulator.Options(engine=engine, irq=IRQ, max_cycles=100_000))
    assert outcome.exit_code == 0
    said = re.search(r"^    (3 samples, .*)$", PAGE.read_text(), re.MULTILINE)
    assert said
    assert outcome.console.decode() == f"{said[1]}\n"
    taken = [one.taken for one in outcome.run.interrupts]
    assert [one is not None for one in taken] == [True, True, True, False]
