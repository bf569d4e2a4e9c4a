# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The assertions of the design, among them what its proofs assume, hold while programs run in lockstep."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.random import seeds
from trapeze.random.lockstep import corpus, engines
from trapeze.random.lockstep.engines import Engines, Settings
from trapeze.simulation import power_up

USUAL = "mcu-fastirq"
OTHERS = [name for name in seeds.usual() if name != USUAL]
CONFIGS = (USUAL, OTHERS[datetime.date.today().toordinal() % len(OTHERS)])
"""The usual one, and another one every day: each needs an engine of its own."""
FRESH = 4
"""Programs for each configuration, other ones every day."""
BLOCKS = 300


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_random_programs(config: str) -> None:
    """Seeds of the day; a failure names its own."""
    on = Engines.of(config, checked=True)
    for number in range(FRESH):
        seeds.check(power_up.of_today(config, number), on, BLOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_corpus(config: str, tmp_path: Path) -> None:
    """What once failed."""
    on = Engines.of(config, checked=True)
    for entry in corpus.collect():
        if entry.config == config:
            verdict = entry.run(on, tmp_path)
            assert verdict.passed, f"{entry.name}: {verdict.report}"


def test_one_that_does_not_hold_ends_the_run(tmp_path: Path) -> None:
    """A program breaks what the proofs of fastirq assume of it: a frame across the end of the address space."""
    source = tmp_path / "main.c"
    source.write_text(
        "#include <trapeze/csr.h>\n"
        "int main(void) { csr_set(CSR_MFASTIRQ, MFASTIRQ_ENABLE); csr_write(CSR_MFRAME, 0xfffffff0U); return 0; }\n"
    )
    elf = toolchain.build(configurations.load("mcu-fastirq"), [source], tmp_path / "main.elf")
    on = Engines.of("mcu-fastirq", checked=True)
    verdict = on.run(elf, Settings())
    assert verdict.kind == engines.CRASH
    assert "HintInside_A" in verdict.report
    assert "an assertion of the design failed" in verdict.report
    assert " in cycle " in verdict.report
    assert not verdict.passed
    assert Engines.of("mcu-fastirq").run(elf, Settings()).passed
