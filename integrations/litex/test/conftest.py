# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The package as its users have it: from its wheel, in an environment of its own with LiteX, from the package index."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import packages, paths
from verify.dev import litex


@pytest.fixture(scope="session")
def python() -> Path:
    """The interpreter of an environment with LiteX and the package."""
    packages.need(["litex"], "integrations/litex", "for LiteX's simulation")
    return litex.installed(paths.BUILD / "litex")
