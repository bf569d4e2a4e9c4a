# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations that are there to be tested, and whose turn it is: engines take longer to build than to run."""

from __future__ import annotations

from trapeze.platform import configurations

PART = 2
"""How many of them are built and run in a turn."""


def every() -> list[str]:
    """All of them; `make soak` runs them."""
    return [name for name in configurations.names() if configurations.load(name).corner]


def due(turn: int) -> list[str]:
    """Those of a turn (`trapeze.dev.turns`)."""
    names = every()
    return [names[(PART * turn + index) % len(names)] for index in range(PART)]
