# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs do at user level what they do at machine level, from one table."""

from __future__ import annotations

import re

import pytest

from trapeze.platform.isa import Csr
from verify.random import seeds
from verify.random.instructions import levels
from verify.random.instructions.levels import MACHINE, USER
from verify.random.lockstep.engines import Engines

SEEDS = (1, 2, 3)


def test_every_csr_of_user_mode_is_in_the_table() -> None:
    """And its role exists in machine mode."""
    assert {USER.csr(row.role) for row in levels.ROWS} == {one for one in Csr if one.name.startswith("U")}
    assert all(MACHINE.csr(row.role) for row in levels.ROWS)


@pytest.mark.parametrize("config", ["duo-user", "mcu-user"])
def test_programs_make_every_access(config: str) -> None:
    """Each instruction of each CSR of user mode, within a few programs."""
    text = "".join(seeds.make(seed, config, 300)[0].text for seed in range(1, 100) if seed % 4)
    made = {(op, int(csr, 0)) for op, csr in re.findall(r"\t(csrr\w*) \w+, (0x[0-9a-f]+)", text)}
    assert not {(op, row.role) for row in levels.ROWS for op in row.ops if (op, USER.csr(row.role)) not in made}


@pytest.mark.parametrize("config", ["mcu-user", "mcu-user-e"])
def test_short(config: str) -> None:
    """Alike on both engines; those of duo-user are run by test_posts.py."""
    for seed in SEEDS:
        seeds.check(seed, Engines.of(config), 300)
