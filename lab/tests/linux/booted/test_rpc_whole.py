# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment rpc: Linux boots, runs jobs on the hart beside, and every stage of a call is found."""

from __future__ import annotations

import json
from pathlib import Path

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.results import store


def test_calls_and_their_stages(tmp_path: Path) -> None:
    """The experiment itself checks that products are right and that stages add up."""
    path = tmp_path / "rpc.json"
    assert cli.dispatch(["bench", "rpc", "--json", str(path)]) == 0
    rows = {(row["id"], row["metric"]): row for row in store.load(path)["rows"]}
    stages = [row["p50"] for row in rows.values() if row["labels"]["test"] == "stage"]
    whole = rows["paper/size/100", "instructions"]
    assert whole["min"] <= sum(stages) <= whole["max"]
    for stage in ("flush-input", "invalidate-output", "invalidate-input"):
        row = rows[f"paper/stage/{stage}", "instructions"]
        assert abs(row["p50"] / row["published"] - 1) < 0.05, stage
    shares = [row["p50"] for row in rows.values() if row["metric"] == "overhead"]
    assert shares == sorted(shares), "the smaller the job, the larger the share"

    shown = json.loads((paths.BUILD / "bench" / "rpc" / "paper-size-10-instructions-worst.json").read_text())
    names = {one["name"] for one in shown["traceEvents"]}
    assert names >= {"program", "kernel", "driver", "firmware", "server", "job", "ioctl", "spawn", "compute"}
