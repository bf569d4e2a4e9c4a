# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment rpc: Linux boots, runs jobs on the hart beside, and every stage of a call is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.results import store

pytestmark = pytest.mark.prove


def test_calls_and_their_stages(tmp_path: Path) -> None:
    """The experiment itself checks that products are right and that stages add up."""
    path = tmp_path / "rpc.json"
    assert cli.dispatch(["bench", "rpc", "--quick", "--json", str(path)]) == 0
    rows = {(row["id"], row["metric"]): row for row in store.load(path)["rows"]}
    for prefix, size in (("paper", 100), ("paper-amp", 20)):
        for metric in ("instructions", "cycles"):
            stages = [
                row["p50"] for (name, of), row in rows.items() if name.startswith(f"{prefix}/stage/") and of == metric
            ]
            whole = rows[f"{prefix}/size/{size}", metric]
            assert whole["min"] <= sum(stages) <= whole["max"], (prefix, metric)
    for stage in ("flush-input", "invalidate-output", "invalidate-input"):
        row = rows[f"paper/stage/{stage}", "instructions"]
        assert abs(row["p50"] / row["published"] - 1) < 0.05, stage
    empty = rows["fast/empty/idle", "cycles"]
    assert empty["n"] == 1000
    assert empty["p50"] <= 500
    assert (empty["max"] > 2 * empty["p50"] and "timer" in empty["labels"]["worst"]) or empty["max"] < 1500
    assert rows["fast-dsp/size/10", "overhead-cycles"]["p50"] < rows["paper/size/10", "overhead-cycles"]["p50"] / 2
    of_break_even = {name: row["p50"] for (name, metric), row in rows.items() if metric == "break-even"}
    assert of_break_even.keys() == {"paper/break-even", "fast-dsp/break-even/fresh", "fast-dsp/break-even/kept"}
    assert 30 < of_break_even["fast-dsp/break-even/kept"] < of_break_even["fast-dsp/break-even/fresh"] <= 50
    assert 30 < of_break_even["paper/break-even"] <= 50
    for size in (16, 496):
        trip = rows[f"rpmsg/stress/{size}", "cycles"]
        assert trip["n"] == 200
        assert trip["max"] < 10 * trip["p50"], "Linux does not stop the caller for its share of time"
        assert trip["labels"]["worst"]
    for prefix in ("paper", "paper-amp"):
        for metric in ("overhead", "overhead-cycles"):
            shares = [row["p50"] for (name, of), row in rows.items() if name.startswith(f"{prefix}/") and of == metric]
            assert shares == sorted(shares), "the smaller the job, the larger the share"
        for metric in ("instructions", "cycles"):
            file = paths.BUILD / "bench" / "rpc" / f"{prefix}-size-10-{metric}-worst.json"
            names = {one["name"] for one in json.loads(file.read_text())["traceEvents"]}
            assert names >= {"program", "kernel", "driver", "firmware", "server", "job", "ioctl", "spawn", "compute"}
