# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Conditions of a figure: what result files keep of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.edges import Edge
from trapeze.experiments.preemption import measure as preemption
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.simulation import conditions, simulator
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Outcome
from verify.dev.testing import Trapeze

HELLO = "int main(void) { return 7; }\n"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_run(trapeze: Trapeze, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    """Everything that a run depends on is in its result file, and no folder but those that the user named."""
    elf, said, path = firmware(HELLO), tmp_path / "said.txt", tmp_path / "r.json"
    said.write_text("hello")
    edges = ["--irq", "3@90", "--irq", "2@95:pulse"]
    settings = ["--wait-instr", 64, "--wait-data", 255, "--seed", 5, "--max-cycles", 50000, "--uart-in", said]
    more = ["--trace", tmp_path / "t.log", "--json", path]
    assert trapeze("run", elf, "--config", "mcu-clint", *edges, *settings, *more).code == 7
    found = store.load(path)
    (run,) = found["runs"]
    assert run["elf"] == {"name": elf.name, "sha256": sha256(elf)}
    assert run["uart_in"] == {"name": "said.txt", "sha256": sha256(said)}
    assert (run["irq"], run["irq_count"]) == (["3@90", "2@95:pulse"], 2)
    assert (run["wait_instr"], run["wait_data"], run["seed"]) == (64, 255, 5)
    assert (run["config"], run["engine"], run["sweep"], run["max_cycles"]) == ("mcu-clint", "rtl", None, 50000)
    assert {(name, metric) for name, metrics in run["rows"].items() for metric in metrics} == {
        (row["id"], row["metric"]) for row in found["rows"]
    }
    command = found["command"].split()
    assert command[:5] == ["trapeze", "run", str(elf), "--config", "mcu-clint"]
    assert command[5:9] == edges
    assert "--json" not in command
    assert "--trace" not in command
    again = tmp_path / "again.json"
    assert trapeze(*command[1:], "--json", again).code == 7
    assert store.load(again)["rows"] == found["rows"]
    kept = found["configurations"]["mcu-clint"]
    assert kept["parameters"] == config.load("mcu-clint").first.parameters()
    assert (kept["scheme"], kept["lines"], kept["extends"]) == ("clint", config.load("mcu-clint").first.lines, None)


def test_sweep(trapeze: Trapeze, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    trapeze("run", firmware(HELLO), "--config", "mcu-clint", "--sweep", "3@100..104", "--json", path)
    assert store.load(path)["runs"][0]["sweep"] == "3@100..104"


def test_many_edges(tmp_path: Path) -> None:
    """A result file does not grow with them, and still tells them apart."""
    elf = tmp_path / "x.elf"
    elf.write_bytes(b"x")
    many = [
        Conditions.of(elf, "c", Options(irq=tuple(Edge(1, n) for n in range(last)))).to_json() for last in (600, 601)
    ]
    assert [len(one["irq"]) for one in many] == [conditions.EDGES] * 2
    assert [one["irq_count"] for one in many] == [600, 601]
    assert many[0]["irq_sha256"] != many[1]["irq_sha256"]


def test_rows_that_share_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them has its conditions, whichever of them made it."""
    elf = tmp_path / "x.elf"
    elf.write_bytes(b"x")
    monkeypatch.setattr(preemption, "image", lambda *_: elf)
    monkeypatch.setattr(toolchain, "build", lambda *_: elf)
    run = Run("mcu-clint", "rtl", "x", "exit", 0, 1, 1, (), (), None, None)
    monkeypatch.setattr(simulator, "watch", lambda *_: Outcome(0, b"vertical yes\n", run))
    experiment = experiment_files.load("preemption")
    seen = []
    for _ in range(2):
        with conditions.noting() as noted:
            preemption.measure(experiment.cases[0], experiment, False, lambda *_: None)
        seen.append(list(noted))
    assert seen[0] == seen[1]
    assert [one.elf.sha256 for one in seen[0]] == [sha256(elf)]
