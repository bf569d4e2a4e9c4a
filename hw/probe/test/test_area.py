# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The latency probe is no larger than the published one, and than its README says."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import area  # noqa: E402 (found by the line above)

README = (HERE.parent / "README.md").read_text()

PUBLISHED = area.Area(flip_flops=94, luts=36, functions=0, half_brams=1, carries=0)
"""Alonso et al., Electronics 2024, 13(9), 1626, section 5.3: 94 flip-flops, 36 LUTs, half a BRAM."""
ROW = re.compile(r"^\| ([^|]*) \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) \|$", re.MULTILINE)
ROWS = {
    "`MISSED_WIDTH` 1": {"MISSED_WIDTH": 1},
    "default": {},
    "`BREAK`": {"BREAK": 1},
    "`WIDTH` 32": {"WIDTH": 32},
}


def test_pairs() -> None:
    """Two functions with at most five inputs together share a LUT; as many pairs as possible are made."""
    one, other, far = frozenset({1, 2, 3}), frozenset({3, 4, 5}), frozenset({6, 7, 8})
    assert area.pairs([one, other]) == 1
    assert area.pairs([one, far]) == 0
    assert area.pairs([one | other | far, one]) == 0
    assert area.pairs([frozenset({1}), frozenset({1, 2, 3, 4}), frozenset({5}), one | frozenset({4})]) == 2


@pytest.mark.slow
def test_paper_configuration() -> None:
    """The configuration of the paper is at most as large as its figure."""
    measured = area.measure(ROWS["`MISSED_WIDTH` 1"])
    assert measured.flip_flops <= PUBLISHED.flip_flops
    assert measured.luts <= PUBLISHED.luts
    assert measured.half_brams <= PUBLISHED.half_brams


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS)
def test_readme(row: str) -> None:
    """The table of the README holds what is measured."""
    rows = {found[1]: found for found in ROW.finditer(README)}
    measured = area.measure(ROWS[row])
    said = rows[row]
    assert (int(said[2]), int(said[3]), int(said[4])) == (measured.flip_flops, measured.luts, measured.functions)
    assert float(said[5]) == measured.half_brams / 2
