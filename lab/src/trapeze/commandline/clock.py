# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --clock MHZ`: what cycles take in microseconds, beside the cycles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from trapeze.common.errors import TrapezeError
from trapeze.results.rows import CLOCKED, Row

DIGITS = 6
"""Behind the point of a microsecond in results."""


def parse(text: str | None, engine: str) -> float | None:
    """The frequency in MHz that --clock names.

    Raises:
        TrapezeError: it is none, or the engine has no cycles.
    """
    if text is None:
        return None
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 1e-6 <= found <= 1e6:
        raise TrapezeError(f"--clock {text}: is no frequency in MHz from 0.000001 to 1000000; give one, such as 100")
    if engine == "model":
        raise TrapezeError("--clock: the model counts instructions and has no cycles; use --engine rtl")
    return found


def beside(clock: float | None, cycles: Sequence[float]) -> str:
    """What stands behind `N cycles` or `N to M cycles`; nothing without a clock."""
    if clock is None or not cycles:
        return ""
    return f" ({' to '.join(f'{one / clock:.3f}' for one in dict.fromkeys(cycles))} µs)"


def clocked(row: Row, clock: float | None) -> Row:
    """A row of cycles with the same in microseconds; other rows as they are."""
    if clock is None or row.unit != "cycles":
        return row
    names = ("min", "p50", "p99", "max", "mean")
    values = {name: round(getattr(row.statistics, name) / clock, DIGITS) for name in names}
    return replace(row, more={**row.more, CLOCKED: {"clock_mhz": clock, **values}})
