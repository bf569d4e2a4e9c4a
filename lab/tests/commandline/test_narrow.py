# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""On a narrow terminal nothing that matters is cut off."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from markupsafe import Markup
from rich.console import Console

from trapeze import experiment_files
from trapeze.commandline import bench_summary, check, describe
from trapeze.platform import configurations
from trapeze.reports.pages import run as run_page
from trapeze.results.rows import Failure, Row
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


@pytest.mark.parametrize("width", [40, 80, 200])
def test_end_of_bench(width: int) -> None:
    """One table, how many figures stand how, those named that are not better or equal, what failed; time comes last."""
    text = io.StringIO()
    parts = [_part("irq-latency", "latency", {"fastirq/ilp32": [4], "clint/ilp32": [33], "clic/ilp32": [29, 40]})]
    parts += [_part("peers", "lut4", {"trapeze/clic": [6000], "ibex": [6000], "cv32e40p": [9238]})]
    parts += [_part("preemption", "holds", {"vertical/clint": [1], "vertical/clic": [0]})]
    failed = [Failure("compute", "O2/ilp32", "the firmware ended by max-cycles")]
    times = {"irq-latency": 63.4, "peers": 2.0, "preemption": 1.0}
    console = Console(file=text, width=width, highlight=False, markup=False, emoji=False)
    bench_summary.show(console, parts, failed, ["Left out unless named: rpc: trapeze bench rpc"], times)
    lines = text.getvalue().splitlines()
    assert max(len(line.rstrip()) for line in lines if not line.startswith("FAILED")) <= width
    assert "\N{HORIZONTAL ELLIPSIS}" not in text.getvalue()
    said = " ".join(text.getvalue().split())
    order = (
        "latency, cycles: pin sampled high",
        "6 figures held against others, by the worst value: "
        "1 better, 2 equal, 1 only the median better or equal, 2 worse",
        "irq-latency clic/ilp32, latency: 40 cycles, published 33: better at p50, -12 %",
        "peers trapeze/clic, lut4: 6,000 LUTs, published 5,507: worse, +9 %",
        "preemption vertical/clic, holds: no, published yes",
        "2 figures of the same thing as published, measured again: all within 9 %",
        "FAILED compute O2/ilp32: the firmware ended by max-cycles",
        "Left out unless named: rpc",
        "3 experiments, 8 figures, 66 s: irq-latency 63 s, peers 2 s, preemption 1 s",
    )
    places = [said.find(one) for one in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def _part(name: str, metric: str, values: Mapping[str, Sequence[float]]) -> run_page.Part:
    """Figures of some rows of an experiment, made up."""
    experiment = experiment_files.load(name)
    unit = experiment.metrics[metric].unit
    cases = {case.id: case for case in experiment.cases}
    rows = [Row.of(sample, engine="rtl", unit=unit, **cases[one].row(metric)) for one, sample in values.items()]
    return run_page.Part(experiment, rows, [], Markup())


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
