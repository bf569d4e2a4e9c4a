# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Places of a program as cycles: when a symbol, or a marker, is first executed in a run that nothing disturbs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from trapeze.common.edges import FirstCycle, Place
from trapeze.common.errors import TrapezeError
from trapeze.platform.configurations import Config
from trapeze.simulation import events, simulator
from trapeze.simulation.options import Options

NEVER = "2047"
"""A marker that no program has; a span up to it, which may take a cycle, ends the run behind its start."""


def first_cycles(elf: Path, config: Config, options: Options, option: str) -> FirstCycle:
    """What finds the first cycle of a place, each by a run up to there.

    Args:
        elf: The firmware.
        config: What it runs on.
        options: Of the run, of which edges, sweeps and files are left out.
        option: For messages, such as `--sweep`.
    """
    known: dict[tuple[int, Place], int] = {}
    programs = events.programs_of(elf, options.others, len(config.harts))
    quiet = Options(
        max_cycles=options.max_cycles,
        wait_instr=options.wait_instr,
        wait_data=options.wait_data,
        seed=options.seed,
        reset_seed=options.reset_seed,
        uart_in=options.uart_in,
        others=options.others,
    )

    def find(hart: int, place: Place) -> int:
        if (hart, place) in known:
            return known[hart, place]
        start = events.of_hart(place.kind, place.what, hart, programs, option)
        end = events.of_hart("marker", NEVER, hart, programs, option)
        span = events.Span("place", start, end, 1)
        run = simulator.watch(elf, config, replace(quiet, spans=(span,))).run
        first = run.spans[0].first
        if first is None:
            raise TrapezeError(
                f"{option}: {elf.name} did not execute {place} up to cycle {run.cycles - 1}, where it ended; use a "
                "place that it comes to"
            )
        known[hart, place] = first
        return first

    return find
