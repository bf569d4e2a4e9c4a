# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Types and values that tests of the laboratory share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a command line returned and printed."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line on standard error, which names the program."""
        lines = self.err.strip().splitlines()
        if len(lines) != 1 or not lines[0].startswith(("trapeze: error: ", "trapeze-sim: error: ")):
            raise AssertionError(f"not one line of error: {self.err!r}")
        return lines[0]


Trapeze = Callable[..., Said]
"""Runs a command line: a fixture of the laboratory's tests."""


def row(**changes: Any) -> dict[str, Any]:
    """A row of a result file."""
    values = {
        "id": "clint/ilp32",
        "config": "mcu-clint",
        "engine": "rtl",
        "labels": {"scheme": "clint"},
        "metric": "latency",
        "unit": "cycles",
        "n": 2,
        "min": 29,
        "p50": 29,
        "p99": 30,
        "p99.9": 30,
        "max": 30,
        "mean": 29.5,
        "stdev": 0.7,
        "jitter": 0.5,
        "histogram": [[29, 1], [30, 1]],
        "published": 33,
        "source": "a paper",
    }
    return values | changes
