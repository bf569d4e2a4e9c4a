# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Traces that are bounded, that go to standard output, and waves as VCD."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.simulation.traces import Retired, read
from verify.dev.testing import Trapeze

CONFIG = "mcu-clint"
FIRST, LAST = 100, 140


@pytest.fixture
def hello(firmware: Callable[[str], Path]) -> Path:
    """A program that prints a line."""
    return firmware('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')


def bounded(trace: object) -> list[object]:
    """The options of a bounded trace."""
    return ["--config", CONFIG, "--trace", trace, "--trace-from", FIRST, "--trace-to", LAST]


def test_listing_and_records(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    for name in ("t.log", "t.jsonl"):
        assert trapeze("run", hello, *bounded(tmp_path / name)).code == 0
    listed = [int(found) for found in re.findall(r"^ +(\d+) M ", (tmp_path / "t.log").read_text(), re.MULTILINE)]
    retired = [one.cycle for one in read((tmp_path / "t.jsonl").open()) if isinstance(one, Retired)]
    assert listed == retired
    assert (min(retired), max(retired)) == (FIRST, LAST)


def test_timeline(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    assert trapeze("run", hello, *bounded(tmp_path / "t.json")).code == 0
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    ends = [one["ts"] + one.get("dur", 0) for one in events if "ts" in one]
    assert ends
    assert min(ends) >= FIRST
    assert max(ends) <= LAST + 1


def test_standard_output(trapeze: Trapeze, hello: Path) -> None:
    said = trapeze("run", hello, *bounded("log:-"))
    lines = said.out.splitlines()
    assert "hello" in lines
    assert sum(" M 8" in line for line in lines) > 10
    said = trapeze("run", hello, *bounded("jsonl:-"))
    kinds = [json.loads(line)["type"] for line in said.out.splitlines() if line != "hello"]
    assert (kinds[0], kinds[-1]) == ("header", "end")


def test_kind_in_front_of_a_file(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    assert trapeze("run", hello, *bounded(f"log:{tmp_path}/any.txt")).code == 0
    assert (tmp_path / "any.txt").read_text().startswith("# cycle of retirement")


def test_waves(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    assert trapeze("run", hello, *bounded(tmp_path / "part.fst")).code == 0
    assert trapeze("run", hello, "--config", CONFIG, "--trace", tmp_path / "whole.fst").code == 0
    assert 0 < (tmp_path / "part.fst").stat().st_size < (tmp_path / "whole.fst").stat().st_size


def test_vcd(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    assert trapeze("run", hello, *bounded(tmp_path / "t.vcd")).code == 0
    text = (tmp_path / "t.vcd").read_text()
    assert "$enddefinitions" in text
    times = [int(found) for found in re.findall(r"^#(\d+)$", text, re.MULTILINE)]
    assert (times[0] // 10, times[-1] // 10) == (FIRST, LAST)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--trace", "t.wave"], "--trace 't.wave': the suffix says what is written"),
        (["--trace", "log:"], "--trace 'log:': there is no file"),
        (["--trace", "fst:-"], "waves need a file"),
        (["--trace-to", "5"], "--trace-to bounds a trace; give one with --trace"),
        (["--trace", "t.log", "--trace-from", "9", "--trace-to", "5"], "--trace-from 9 is behind --trace-to 5"),
        (["--trace", "t.fst", "--trace-from", "5000000"], "the run ends in cycle"),
        (["--trace", "t.vcd", "--gdb", "0"], "--gdb: its engine writes waves as FST"),
    ],
)
def test_refused(
    trapeze: Trapeze, hello: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = trapeze("run", hello, "--config", CONFIG, *options)
    assert said.code == 2
    assert says in said.error
    assert not list(tmp_path.glob("t.*"))
