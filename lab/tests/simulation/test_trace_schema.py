# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The schema of the records of a trace refuses what is no record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from trapeze.common import paths

SCHEMA = json.loads((paths.SIMULATOR / "kernel" / "trace.schema.json").read_text())


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "record",
    [
        {"type": "line", "hart": 0, "cycle": 5, "line": 3},
        {"type": "line", "hart": 0, "cycle": 5, "line": 3, "high": 1},
        {"type": "line", "hart": 0, "cycle": -5, "line": 3, "high": True},
        {"type": "end", "cycle": 5, "reason": "exit", "code": 0},
        {"type": "activity", "hart": 0, "cycle": 5, "kind": "level", "current": 0, "held": [], "leaving": []},
        {"type": "activity", "hart": 0, "cycle": 5, "kind": "level", "level": 1, "address": 4},
        {"type": "activity", "hart": 0, "cycle": 5, "kind": "frame-judge"},
        {"type": "activity", "hart": 0, "cycle": 5, "kind": "frame-judge", "searches": 1},
        {"type": "task", "hart": 0, "cycle": 5, "task": "one"},
        {"type": "task", "hart": 0, "cycle": 5, "task": "one", "state": "waits", "holder": "two"},
        {"type": "tick", "cycle": 5},
    ],
)
def test_refused(record: dict[str, Any]) -> None:
    assert not Draft202012Validator(SCHEMA).is_valid(record)
