# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""docs/howto/kinds-of-experiments.md: what each kind asks of its files and firmware, by examples that are tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.experiments import registry
from trapeze.results import store
from verify.dev.examples import write_files
from verify.dev.testing import Trapeze

PAGE = paths.ROOT / "docs" / "howto" / "kinds-of-experiments.md"
KINDS = registry.kinds()
SECTION = re.compile(r"\n## ([a-z-]+)\n(.*?)(?=\n## |\Z)", re.DOTALL)
EXAMPLES = {
    found[1]: yaml[1]
    for found in SECTION.finditer(PAGE.read_text())
    if (yaml := re.search(r"```yaml\n(.*?)```", found[2], re.DOTALL)) is not None
}


def written(kind: str, folder: Path) -> Path:
    """The folder of a kind's example, with the files of the page."""
    write_files(PAGE, folder)
    home = folder / f"my-{kind}"
    home.mkdir()
    text = EXAMPLES[kind]
    (home / "experiment.yaml").write_text(text)
    for name in re.findall(r"[\[ ](\w+\.c)\b", text):
        if (folder / name).exists():
            (home / name).write_bytes((folder / name).read_bytes())
    return home


def test_every_kind_has_an_example() -> None:
    assert EXAMPLES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_example_is_one(kind: str, tmp_path: Path) -> None:
    experiment = experiment_files.load(str(written(kind, tmp_path)))
    assert experiment.kind == kind
    KINDS[kind].check(experiment)


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("irq-latency", ["one bank", "two banks"]),
        ("iterations", ["O1/loop", "O1/loop"]),
        ("preemption", ["nests"]),
        ("probe", ["idle/t1", "idle/t2"]),
    ],
)
def test_example_measures(trapeze: Trapeze, kind: str, rows: list[str], tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("bench", written(kind, tmp_path), "--quick", "--json", path)
    assert said.code == 0, said.err + said.out
    found = store.load(path)["rows"]
    assert [row["id"] for row in found] == rows
    if kind == "irq-latency":
        assert all(row["n"] == 64 for row in found)
    if kind == "preemption":
        assert found[0]["max"] == 1
