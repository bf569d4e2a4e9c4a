# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Berkeley SoftFloat, with which the model's harts compute that have F (docs/decisions/018-floating-point.md)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from trapeze.common import crates, paths
from trapeze.platform import configurations

_TARGETS = ("all", "model-float-test", "rv64-run-float")
"""Targets of the simulator that need it, beside the engines of configurations with F."""


def needed(targets: Iterable[str]) -> bool:
    """Whether one of these targets of the simulator needs the library."""
    own = {
        f"model-{name}"
        for name in configurations.every_name()
        if any("f" in hart.extensions for hart in configurations.load(name).harts)
    }
    return any(target in own or target in _TARGETS for target in targets)


def sources() -> Path:
    """The library's folder, fetched if need be.

    Raises:
        TrapezeError: it cannot be fetched.
    """
    manifest = paths.SIMULATOR / "softfloat" / "Cargo.toml"
    return crates.sources(manifest, "softfloat-sys", "berkeley-softfloat-3", "floating point of the model")
