# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations that are there to be tested, and whose turn it is: engines take longer to build than to run."""

from __future__ import annotations

import datetime

from trapeze.platform import configurations

PART = 2
"""How many of them `make test` builds and runs a day."""

MANY_SOURCES = 1024
"""With more, building the engine takes very long: such a configuration is run by name alone."""


def every() -> list[str]:
    """All of them."""
    return [name for name in configurations.names() if configurations.load(name).corner]


def with_turns() -> list[str]:
    """Those that `make test` builds now and then, and `make soak` always."""
    return [name for name in every() if name not in by_name()]


def by_name() -> list[str]:
    """Those that only `make soak CONFIG=...` builds."""
    return [name for name in every() if configurations.load(name).sources > MANY_SOURCES]


def turn(day: datetime.date | None = None) -> list[str]:
    """Those of a day, or of today."""
    names = with_turns()
    first = PART * (day or datetime.date.today()).toordinal()
    return [names[(first + index) % len(names)] for index in range(PART)]
