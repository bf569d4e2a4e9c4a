# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Berkeley SoftFloat, with which the model's harts compute that have F (docs/decisions/018-floating-point.md)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from trapeze.common import crates, paths
from trapeze.platform import configurations
from trapeze.platform.configurations import Config

_TARGETS = ("all", "model-float-test", "rv64-run-float")
"""Targets of the simulator that need it, beside the engines of configurations with F."""


def needed(targets: Iterable[str], others: Iterable[Config] = ()) -> bool:
    """Whether one of these targets of the simulator needs the library; `others`: configurations not in `configs/`."""
    known = [*map(configurations.load, configurations.every_name()), *others]
    floating = {f"model-{one.name}" for one in known if any("f" in hart.extensions for hart in one.harts)}
    return any(target in floating or target in _TARGETS for target in targets)


def sources() -> Path:
    """The library's folder, fetched if need be.

    Raises:
        TrapezeError: it cannot be fetched.
    """
    manifest = paths.SIMULATOR / "softfloat" / "Cargo.toml"
    return crates.sources(manifest, "softfloat-sys", "berkeley-softfloat-3", "floating point of the model")
