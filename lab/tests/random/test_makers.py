# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the makers of random programs for the CLIC, for fastirq and for several harts have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from verify.random import seeds
from verify.random.clic import program as clic
from verify.random.fastirq import program as fast
from verify.random.harts import program as harts
from verify.random.programs.generator import Program


@pytest.mark.parametrize(
    ("maker", "config", "size"), [(clic, "mcu-clic", 80), (fast, "mcu-fastirq", 200), (harts, "duo", 300)]
)
def test_same_seed_gives_same_program(maker: ModuleType, config: str, size: int) -> None:
    """A seed names one program and its circumstances, for the size that a number of blocks stands for too."""
    first, again, other = (maker.make(seed, config, 20) for seed in (5, 5, 6))
    assert first[0].text == again[0].text
    assert first[1] == again[1]
    assert first[0].text != other[0].text
    program, settings = seeds.make(5, config, size)
    assert program == first[0]
    assert replace(settings, reset_seed=0) == first[1]
    assert settings.reset_seed != 0
    assert maker.circumstances(5, config, 20) == first[1]


@pytest.mark.parametrize(
    "make",
    [
        lambda: clic.generate(3, "mcu-clic", 20),
        lambda: fast.generate(3, "mcu-fastirq", 20),
        lambda: harts.generate(3, "duo", 20),
    ],
    ids=["clic", "fast", "harts"],
)
def test_program_in_parts_is_the_program(make: Callable[[], Program]) -> None:
    """Nothing is outside the parts, and there is one for each block."""
    program = make()
    assert program.parts is not None
    assert program.parts.text() == program.text
    assert len(program.parts.blocks) >= 20
