# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the core relies on in every memory map."""

from __future__ import annotations

import re

import pytest

from trapeze.common import paths
from trapeze.platform.platform import of_map

LSU = paths.ROOT / "hw" / "core" / "rtl" / "tz_lsu.sv"
"""Its `BlockBytes` is the size within which both words of a store are refused, or neither."""


@pytest.mark.parametrize("name", sorted(path.stem for path in paths.MAPS.glob("*.json")))
def test_no_region_begins_or_ends_inside_a_block(name: str) -> None:
    """An interrupt does not wait for the answer to the second word of a store that stays in one block."""
    found = re.search(r"localparam int unsigned BlockBytes = (\d+);", LSU.read_text())
    assert found, f"{LSU.name} has no BlockBytes"
    block = int(found[1])
    regions = of_map(name, 2)
    assert regions
    inside = [one.name for one in regions if one.base % block or one.size % block]
    assert inside == [], f"map {name}: these begin or end inside a block of {block} bytes"
