# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The same programs on our model: what they compute, and the cycles that its policy of time gives them."""

from __future__ import annotations

from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.experiments.timing_accuracy.programs import Result, results
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options

MAX_INSTRUCTIONS = 200_000_000


def execute(elf: Path, config: Config, engine: str = "model") -> tuple[Result, ...]:
    """What a program prints on one of our engines.

    Raises:
        TrapezeError: it did not end with code 0.
    """
    outcome = simulator.measure(elf, config, Options(max_cycles=MAX_INSTRUCTIONS, engine=engine))
    if outcome.exit_code:
        raise TrapezeError(f"{elf.name} ended with {outcome.exit_code} on the engine '{engine}'", 1)
    return results(outcome.console.decode(errors="replace"))


def timed(elf: Path, config: Config) -> tuple[Result, ...] | None:
    """What a program prints where cycles are modelled; None for a configuration that says nothing of its time."""
    if config.first.timing is None:
        return None
    return execute(elf, config, "timed")
