# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The assertions of the design, among them what its proofs assume, hold while programs run in lockstep."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import power_up
from verify.mutate.mutations import Mutation
from verify.mutate.workshop import Workshop
from verify.random import seeds
from verify.random.lockstep import corpus
from verify.random.lockstep.engines import Engines, Settings

CONFIGS = configurations.names(variants=False)
"""Those whose engines with assertions are built in any case, for waves."""
FRESH = 2
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


def test_one_that_fails_ends_the_run(tmp_path: Path) -> None:
    """A CLINT that answers unasked: the engine that is checked says which assertion failed where."""
    unasked = Mutation(
        name="clint/answers-unasked",
        file="hw/irq/clint/rtl/tz_clint.sv",
        breaks="the CLINT answers in every cycle",
        text="rvalid_q <= req_i.req;",
        replacement="rvalid_q <= 1'b1;",
        config="mcu-clint",
        survives=None,
    )
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }\n")
    elf = toolchain.build(configurations.load(unasked.config), [source], tmp_path / "program.elf")
    with Workshop("checked", "-O0").mutated(unasked, checked=True) as wrong:
        done = processes.run(wrong.command(tmp_path, elf, Settings()), capture_output=True, text=True)
    assert done.returncode == 120, done.stderr
    assert re.search(r"an assertion of the design failed at .*tz_obi_check\.sv:\d+", done.stderr), done.stderr
    assert Engines.of(unasked.config).run(elf, Settings()).passed
