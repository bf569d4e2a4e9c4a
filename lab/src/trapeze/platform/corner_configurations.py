# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations that are there to be tested: they combine values that are rarely chosen."""

from __future__ import annotations

from trapeze.platform import configurations


def every() -> list[str]:
    """All of them."""
    return [name for name in configurations.names() if configurations.load(name).corner]
