# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the configurations of a campaign cost, by synthesis: area and clock.

Each answer is kept in the cache of `trapeze.synth`: what two configurations share, or another campaign has asked for,
is synthesized once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from trapeze.common import jobs
from trapeze.common.jobs import Progress
from trapeze.platform.configurations import Config
from trapeze.synth import designs, ecp5, generic
from trapeze.synth.designs import Design

AREA, CLOCK = "area", "clock"
"""Words of a campaign's file."""

SEEDS = range(1, ecp5.SEEDS + 1)
"""Placements, of which the best counts."""


@dataclass(frozen=True)
class Silicon:
    """Of a configuration; None: was not asked for.

    Attributes:
        area: Of core and interrupt controller, GE.
        clock: Of the core on an ECP5, MHz.
    """

    area: float | None = None
    clock: float | None = None


def _controller(config: Config) -> float:
    """GE of the interrupt controller; of a CLIC the sum of its parts, as in the experiment `clic-area`."""
    design = designs.controller(config)
    return sum(generic.parts(design).values()) if design.parts else generic.whole(design).ge


def _area(config: Config) -> float:
    return round(generic.whole(designs.core(config)).ge + _controller(config))


def _pins(config: Config) -> Design:
    return ecp5.in_pins(designs.core(config))


def _clock(config: Config) -> float:
    return max(ecp5.frequency(_pins(config), seed) for seed in SEEDS)


def _work(config: Config, wanted: Sequence[str]) -> list[Callable[[], object]]:
    made: list[Callable[[], object]] = []
    if AREA in wanted:
        made += [partial(generic.whole, designs.core(config)), partial(_controller, config)]
    if CLOCK in wanted:
        made += [partial(ecp5.frequency, _pins(config), seed) for seed in SEEDS]
    return made


def measure(configs: Sequence[Config], wanted: Sequence[str], note: Progress) -> dict[str, Silicon]:
    """Synthesize what is wanted of configurations, and give it by their names.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    jobs.together([one for config in configs for one in _work(config, wanted)], note)
    return {
        one.name: Silicon(
            area=_area(one) if AREA in wanted else None,
            clock=_clock(one) if CLOCK in wanted else None,
        )
        for one in configs
    }
