# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Kinds of experiments: each is a package with its part of the schema, and nothing else names it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from trapeze import experiment_files, experiments
from trapeze.commandline import bench
from trapeze.common import paths
from trapeze.common.errors import TrapezeError

FOLDER = Path(experiments.__file__).parent
PACKAGES = sorted(path.parent.name for path in FOLDER.glob("*/measure.py"))


def test_every_kind_has_a_package_and_a_schema() -> None:
    assert set(bench.KINDS) == set(experiment_files.parts())
    assert len(PACKAGES) == len({part["$id"] for part in experiment_files.parts().values()})
    for package in PACKAGES:
        assert (FOLDER / package / "experiment.schema.json").is_file()


def test_every_kind_is_used() -> None:
    """And its experiments keep to what it refuses."""
    used = {experiment_files.load(name).kind for name in experiment_files.names()}
    assert used == set(bench.KINDS)


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_else_names_a_kind(package: str) -> None:
    """A kind is added by adding its folder."""
    for path in (paths.LAB / "src").rglob("*.py"):
        if FOLDER / package in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.module != f"trapeze.experiments.{package}", path
                assert not (node.module or "").startswith(f"trapeze.experiments.{package}."), path


TEXT = """
schema: trapeze.experiment/1
question: q
kind: {kind}
metrics: {{latency: {{what: w, unit: cycles, better: lower}}}}
{more}
rows:
  - id: a
    config: mcu-clint
    {row}
"""


def load(folder: Path, kind: str, more: str = "", row: str = "") -> experiment_files.Experiment:
    """An experiment of a kind."""
    (folder / "x").mkdir(exist_ok=True)
    (folder / "x" / "experiment.yaml").write_text(TEXT.format(kind=kind, more=more, row=row))
    return experiment_files.load("x", folder)


def test_what_a_kind_says_is_its_own(tmp_path: Path) -> None:
    found = load(tmp_path, "probe", "clock: 50", "probe: {samples: 4, stress: 0}")
    assert found.own == {"clock": 50}
    assert found.cases[0].own == {"probe": {"samples": 4, "stress": 0}}
    nested = load(tmp_path, "irq-latency", row="nested: {depth: 2, apart: [3]}")
    assert nested.cases[0].own == {"nested": {"depth": 2, "apart": [3]}}
    assert load(tmp_path, "iterations").own == {}


@pytest.mark.parametrize(
    ("kind", "more", "row", "says"),
    [
        ("irq-latency", "clock: 50", "", "unknown key 'clock'"),
        ("irq-latency", "", "probe: {samples: 4, stress: 0}", "rows.0: unknown key 'probe'"),
        ("probe", "", "nested: {depth: 2, apart: [3]}", "rows.0: unknown key 'nested'"),
        ("back-to-back", "", "nested: {depth: 9, apart: [3]}", "rows.0.nested.depth: 9 is greater"),
        ("peers", "", "hardware: {banks: 1}", "rows.0.hardware: unknown key 'banks'"),
        ("prob", "", "", "kind: 'prob' is not a choice; did you mean 'probe'"),
        ("[]", "", "", "kind: "),
        ("rounds", "", "", "kind: 'rounds' is not a choice"),
    ],
)
def test_what_another_kind_says_is_refused(tmp_path: Path, kind: str, more: str, row: str, says: str) -> None:
    with pytest.raises(TrapezeError) as caught:
        load(tmp_path, kind, more, row)
    assert says in str(caught.value)
    assert "experiment.yaml" in str(caught.value)


def test_parts_describe_what_they_add() -> None:
    """The reference prints these words."""
    for schema in {part["$id"]: part for part in experiment_files.parts().values()}.values():
        for name, rule in schema["properties"].items():
            assert name in ("kind", "rows") or "description" in rule, (schema["$id"], name)
    assert json.loads(experiment_files.SCHEMA.read_text())["properties"]["kind"]["type"] == "string"
