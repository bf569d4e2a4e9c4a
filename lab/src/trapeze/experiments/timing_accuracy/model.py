# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The same programs on our model: what they compute, and the cycles that its policy of time gives them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.experiments.timing_accuracy.programs import Result, results
from trapeze.platform import timing
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

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


def with_latency(config: Config, latency: int) -> Config:
    """The configuration with the memory of the RTL's run; it has another name, since its platform has another file.

    Raises:
        TrapezeError: it says nothing of its time.
    """
    if config.first.timing is None:
        raise TrapezeError(f"configuration {config.name} has no timing")
    if timing.load(config.first.timing)["memory_latency"] == latency:
        return config
    return replace(config.changed(memory_latency=latency), name=f"{config.name}.memory-latency-{latency}")


def timed(elf: Path, config: Config, latency: int) -> tuple[Result, ...] | None:
    """What a program prints where cycles are modelled; None for a configuration that says nothing of its time."""
    if config.first.timing is None:
        return None
    return execute(elf, with_latency(config, latency), "timed")
