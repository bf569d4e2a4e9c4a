# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""On a narrow terminal nothing that matters is cut off."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from trapeze.commandline import check, describe
from trapeze.platform import configurations
from verify.dev.testing import row

NARROW = 40


def _console() -> tuple[Console, io.StringIO]:
    text = io.StringIO()
    return Console(file=text, width=NARROW, highlight=False, markup=False, emoji=False), text


def test_configs() -> None:
    console, text = _console()
    describe.configs(console)
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= NARROW
    assert "\N{HORIZONTAL ELLIPSIS}" not in text.getvalue()
    for name in configurations.every_name():
        assert name in lines
    whole = " ".join(text.getvalue().split())
    for name in configurations.every_name():
        assert f"summary: {configurations.load(name).summary}" in whole or configurations.load(name).variant


@pytest.mark.parametrize("count", [1, 2])
def test_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    console, text = _console()
    monkeypatch.setattr(check, "out", lambda: console)
    result = {"schema": "trapeze.result/1", "experiment": "x", "created": "2026-01-01T00:00:00Z", "commit": None}
    rows = [row(id=f"clint/ilp32/{number}") for number in range(count)]
    (tmp_path / "r.json").write_text(json.dumps(result | {"tools": {}, "host": {}, "rows": rows}))
    (tmp_path / "b.toml").write_text("".join(f'["{one["id"]}".latency]\nmax = 29\n' for one in rows))
    assert check.run(tmp_path / "b.toml", tmp_path / "r.json") == 1
    said = text.getvalue()
    assert "\N{HORIZONTAL ELLIPSIS}" not in said
    for word in ("latency", "max", "30", "<= 29", "EXCEEDED", "clint/ilp32/0"):
        assert word in said
    assert f"{count} budget{'s' if count > 1 else ''}, {count} exceeded" in said
