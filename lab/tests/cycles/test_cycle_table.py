# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cycles of regs/isa/cycles.yaml against the RTL: every row's sequence is run between two markers and counted."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from trapeze.common import paths
from verify.dev import sequences

TABLES: dict[str, Any] = yaml.safe_load((paths.ROOT / "regs" / "isa" / "cycles.yaml").read_text())["tables"]
ROWS = [(name, number) for name, table in TABLES.items() for number in range(len(table["rows"]))]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """Cycles of each row of a table, from one run on the RTL for each table."""
    return {
        name: sequences.measure(
            tmp_path_factory.mktemp("cycles"),
            [sequences.marked(row["measured"]) for row in table["rows"]],
            table["config"],
        )
        for name, table in TABLES.items()
    }


@pytest.mark.parametrize(("table", "number"), ROWS, ids=[TABLES[name]["rows"][at]["what"] for name, at in ROWS])
def test_row(table: str, number: int, measured: dict[str, list[int]]) -> None:
    assert measured[table][number] == TABLES[table]["rows"][number]["total"]
