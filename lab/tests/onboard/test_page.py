# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page about measuring a board: its commands in order, with a simulated board in the place of a real one."""

from __future__ import annotations

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.experiments.probe import measure
from trapeze.results import store
from verify.dev.boards import simulated
from verify.dev.examples import commands, write_files

PAGE = paths.ROOT / "docs" / "howto" / "measure-a-board.md"
PORT = "/dev/ttyUSB0"
CONFIG = "mcu-fastirq"


def bench(path: Path) -> None:
    """What `trapeze bench probe` measures of the page's configuration, of which the page has a board."""
    experiment = experiment_files.load("probe")
    cases = [case for case in experiment.cases if case.id in ("fastirq/ilp32/idle", "fastirq/ilp32/stress")]
    rows = [row for case in cases for row in measure.measure(case, experiment, False, lambda *_: None)]
    store.write(path, store.build("probe", rows))


@pytest.mark.slow
def test_commands(tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    ran, said = [], ""
    with ExitStack() as stack:
        port = None
        for command in commands(PAGE):
            verb = command.split()[1]
            ran.append(verb)
            if verb == "run":  # that is the board, which has run since the first measurement
                assert command == f"./trapeze run board.elf --config {CONFIG} --uart pty"
                continue
            if verb == "bench":
                assert command == "./trapeze bench probe --json simulation.json"
                bench(tmp_path / "simulation.json")
                continue
            if verb == "probe":
                port = port or stack.enter_context(simulated(tmp_path / "board.elf", CONFIG))
                command = command.replace(PORT, port)
            done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=200)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            said = done.stdout if verb == "compare" else said
    assert ran == ["cc", "probe", "check", "bench", "compare", "run", "cc"]
    assert (tmp_path / "board.csv").is_file()
    assert (tmp_path / "board" / "index.html").is_file()
    ours = json.loads((tmp_path / "board.json").read_text())["rows"]
    theirs = json.loads((tmp_path / "simulation.json").read_text())["rows"]
    differ = {"engine", "labels", "us"}
    found, expected = (
        {(row["id"], row["metric"]): {key: row[key] for key in row.keys() - differ} for row in rows}
        for rows in (ours, theirs)
    )
    assert found == {key: row for key, row in expected.items() if key[1] in ("latency", "time")}
    assert len(found) == 8
    assert "0 of 8 figures changed" in said
