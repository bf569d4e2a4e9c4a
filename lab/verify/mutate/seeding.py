# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Adding to the corpus: for a mutation, the first random program that finds it, cut down as far as it still does."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path

from verify.mutate.mutations import Mutation
from verify.mutate.workshop import workshops
from verify.random import seeds
from verify.random.lockstep import corpus, engines, shrink
from verify.random.lockstep.engines import Engines

_BLOCKS = 60
_TRIES = 400
"""Small programs are cut down faster, but there must be more of them."""


def small(mutation: Mutation, bad: Engines, good: Engines, folder: Path) -> corpus.Entry | None:
    """Find and cut down a program.

    Args:
        mutation: what it shall find.
        bad: engines with it.
        good: engines without.
        folder: for the attempts.

    Returns:
        The entry of the corpus; None if no program finds the mutation.
    """
    for seed in count(1):
        program, settings = seeds.make(seed, bad.config, _BLOCKS)
        if seed > _TRIES or program.parts is None:
            return None
        settings = replace(settings, max_cycles=300_000)
        whole = program.parts
        verdict = bad.run(engines.assemble(program.text, program.base, folder), settings)
        if verdict.kind in (engines.MISMATCH, engines.HANG):
            break
    settings = shrink.bounded(settings, verdict)
    settings = replace(settings, max_cycles=max(settings.max_cycles, 100_000))
    fails = shrink.Still(bad, good, program.base, shrink.signature(verdict), folder)
    parts, settings = shrink.shrink(whole, settings, fails, everything=True)
    elf = engines.assemble(parts.text(), program.base, folder)
    cycles = good.run(elf, settings).cycles
    settings = replace(settings, max_cycles=4 * cycles + 1000)
    path = corpus.FOLDER / f"{mutation.name.replace('/', '-')}.s"
    found = f"mutation {mutation.name}: {mutation.breaks}"
    return corpus.write(path, bad.config, settings, found, parts.text(), cycles)


def seed(chosen: list[Mutation]) -> int:
    """Do it for each of the mutations.

    Returns:
        0 if all have an entry now, else 1.
    """
    missing = 0
    with workshops(1) as (shop,), tempfile.TemporaryDirectory(prefix="trapeze-mutate-") as name:
        for mutation in chosen:
            with shop.mutated(mutation) as bad:
                entry = small(mutation, bad, Engines.of(mutation.config), Path(name))
            missing += entry is None
            lines = 0 if entry is None else len(entry.text.splitlines())
            print(f"{mutation.name}: {f'{lines} lines' if entry else 'nothing finds it'}", file=sys.stderr, flush=True)
    return int(missing > 0)
