# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Berkeley SoftFloat, with which the model's harts compute that have F (docs/decisions/018-floating-point.md)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from trapeze.common import crates, paths

_TARGETS = ("all", "model", "model-float-test", "rv64-run-float")
"""Targets of the simulator that need it."""


def needed(targets: Iterable[str]) -> bool:
    """Whether one of these targets of the simulator needs the library."""
    return any(target in _TARGETS or target.startswith("timed-") for target in targets)


def sources() -> Path:
    """The library's folder, fetched if need be.

    Raises:
        TrapezeError: it cannot be fetched.
    """
    manifest = paths.SIMULATOR / "softfloat" / "Cargo.toml"
    return crates.sources(manifest, "softfloat-sys", "berkeley-softfloat-3", "floating point of the model")
