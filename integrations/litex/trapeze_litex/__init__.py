# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Trapeze for LiteX. `register()` makes it known to LiteX: then `--cpu-type trapeze` works in any target."""

from __future__ import annotations

__version__ = "0.1.0"


def register() -> None:
    """Add the CPU to those that LiteX has."""
    from litex.soc.cores.cpu import CPUS

    from trapeze_litex.core import Trapeze

    CPUS["trapeze"] = Trapeze
