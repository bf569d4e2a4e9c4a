# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model in lockstep where harts post user interrupts to each other: random programs, and what they are."""

from __future__ import annotations

import os
from collections import Counter as Counts
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from verify.random import seeds
from verify.random.harts import posts
from verify.random.lockstep.engines import Engines, assemble

POSTS = int(os.environ.get("TRAPEZE_POSTS", "100000"))
"""Posts of `test_random`, all parts together: those that were no exception. TRAPEZE_POSTS=10000000 makes ten
million."""
CHUNKS = 2
"""Parts, which may run side by side."""
FIRST_SEED = 1_000_000
"""Seed of the first part; the others' are multiples."""
CONFIG = "duo-user"


def _run(seed: int, on: Engines, blocks: int = seeds.BLOCKS) -> dict[str, int]:
    """What a program of posts has counted."""
    assert seed % 4 != 0, "seeds of other programs"
    return posts.report(seeds.check(seed, on, blocks).console)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random(chunk: int, record_property: Callable[[str, object], None]) -> None:
    """Programs of fixed seeds until this part has its share of posts: alike on both."""
    on, seen, done = Engines.of(CONFIG), Counts[str](), 0
    for number in count(FIRST_SEED * (chunk + 1)):
        if number % 4 == 0:
            continue
        seen.update(_run(number, on))
        done = seen["sent"] - seen["refused"]
        if done >= POSTS // CHUNKS:
            break
    record_property("posts", done)
    print(f"{done} posts compared; {dict(seen)}")
    assert all(seen[one.name.lower()] for one in posts.Counter)


def test_short() -> None:
    """A few programs with less in them."""
    on, seen = Engines.of(CONFIG), Counts[str]()
    for seed in (1, 2, 3):
        seen.update(_run(seed, on, 150))
    assert all(seen[one.name.lower()] for one in posts.Counter)


def test_other_programs_of_several_harts() -> None:
    """Those that post nothing run there, too."""
    assert seeds.check(4, Engines.of(CONFIG), 150).passed


def test_same_seed_same_program() -> None:
    """And another one is another."""
    one, again, other = (posts.generate(seed, CONFIG, 20).text for seed in (5, 5, 6))
    assert one == again
    assert one != other


@pytest.mark.parametrize("seed", range(5))
def test_it_assembles(seed: int, tmp_path: Path) -> None:
    """Also with many blocks: no branch is too far."""
    program = posts.generate(seed, CONFIG, 300)
    assert assemble(program.text, program.base, tmp_path).exists()
