# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations that are there to be tested, and whose turn it is: engines take longer to build than to run."""

from __future__ import annotations

import datetime

from trapeze.platform import configurations

PART = 2
"""How many of them `make test` builds and runs a day."""


def every() -> list[str]:
    """All of them; `make soak` runs them."""
    return [name for name in configurations.names() if configurations.load(name).corner]


def turn(day: datetime.date | None = None) -> list[str]:
    """Those of a day, or of today."""
    names = every()
    first = PART * (day or datetime.date.today()).toordinal()
    return [names[(first + index) % len(names)] for index in range(PART)]
