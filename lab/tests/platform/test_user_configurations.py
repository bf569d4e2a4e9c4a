# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations of the user's own: parameters that are set, and files anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations, user_configurations
from trapeze.results import store
from trapeze.simulation import building
from verify.dev.testing import Trapeze

PROGRAM = "#include <stdio.h>\nint main(void) { puts(BANKS); return 0; }\n"


def write(folder: Path, name: str, *lines: str) -> Path:
    """A file of a configuration."""
    path = folder / name
    path.write_text("\n".join(["schema: trapeze.config/1", "summary: mine", *lines]) + "\n")
    return path


def test_every_parameter_of_the_schema_can_be_set() -> None:
    assert {
        "banks",
        "lines",
        "sources",
        "regions",
        "gates",
        "extensions",
        "reset_vector",
        "map",
    } <= user_configurations.parameters().keys()
    assert not user_configurations.parameters().keys() & {"schema", "summary", "extends", "harts"}


@pytest.mark.parametrize(
    ("settings", "name", "values"),
    [
        (["banks=4"], "mcu-fastirq.banks-4", {"banks": 4}),
        (["irq.banks=4", "lines=20"], "mcu-fastirq.banks-4.lines-20", {"banks": 4, "lines": 20, "sources": 36}),
        (["lines=20", "banks=4"], "mcu-fastirq.banks-4.lines-20", {"banks": 4, "lines": 20}),
        (["extensions=m,c"], "mcu-fastirq.extensions-m-c", {"extensions": ("m", "c")}),
        (["tree_pipeline=true"], "mcu-fastirq.tree-pipeline-true", {"tree_pipeline": True}),
        (["reset_vector=0x80001000"], "mcu-fastirq.reset-vector-2147487744", {"reset_vector": 0x8000_1000}),
        (["regions=8", "smepmp=true"], "mcu-fastirq.regions-8.smepmp-true", {"regions": 8, "smepmp": True}),
    ],
)
def test_set(settings: list[str], name: str, values: dict[str, object]) -> None:
    config = user_configurations.choose("mcu-fastirq", settings)
    assert config.name == name
    assert {key: getattr(config.first, key) for key in values} == values
    assert config.extends == "mcu-fastirq"
    assert config.words == ("--config", "mcu-fastirq", *(word for one in settings for word in ("--set", one)))
    assert user_configurations.choose(name).harts == config.harts  # messages and results have the name


def test_set_of_one_hart() -> None:
    config = user_configurations.choose("duo", ["harts.1.banks=1"])
    assert [hart.banks for hart in config.harts] == [2, 1]
    assert configurations.load("duo").harts[1].banks == 2
    assert user_configurations.choose(config.name).harts == config.harts


def test_without_settings_it_is_the_one_of_that_name() -> None:
    assert user_configurations.choose("mcu-clint") == configurations.load("mcu-clint")


@pytest.mark.parametrize(
    ("config", "setting", "says"),
    [
        ("mcu-fastirq", "bank=4", "--set bank=4: unknown parameter 'bank'; did you mean 'banks'? choices: abi, banks"),
        ("mcu-fastirq", "banks", "--set banks: has no value; use --set banks=VALUE"),
        ("mcu-fastirq", "banks=9", "--set banks=9: irq.banks: 9 is greater than the maximum of 4"),
        ("mcu-fastirq", "banks=many", "--set banks=many: irq.banks: 'many' is not of type 'integer'"),
        ("mcu-fastirq", "banks=[", "--set banks=[: '[' is no value"),
        ("mcu-fastirq", "extensions=m,q", "isa.extensions.1: 'q' is not a choice"),
        ("mcu-fastirq", "map=moon", "--set map=moon: map: unknown memory map 'moon'"),
        ("mcu-fastirq", "harts.1.banks=1", "the configuration has one hart"),
        ("duo", "harts.2.banks=1", "there is no hart 2; use harts.0 to harts.1"),
        ("mcu-clint", "banks=1", "--set banks=1: irq.banks: not for scheme clint, only for fastirq"),
        ("mcu-fastirq", "summary=x", "unknown parameter 'summary'"),
    ],
)
def test_set_refuses(trapeze: Trapeze, config: str, setting: str, says: str) -> None:
    said = trapeze("show", config, "--set", setting)
    assert said.code == 2
    assert says in said.error


def test_a_file_by_path(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    write(tmp_path, "base.yaml", "extends: mcu-fastirq", "irq: {lines: 20}")
    path = write(tmp_path / "deeper", "mine.yaml", "extends: ../base.yaml", "irq: {banks: 1}")
    config = user_configurations.choose(str(path))
    assert (config.first.lines, config.first.banks, config.first.scheme) == (20, 1, "fastirq")
    assert config.name.startswith("mine.")
    assert config.words == ("--config", str(path))
    assert user_configurations.choose(str(path), ["banks=3"]).name == f"{config.name}.banks-3"
    write(tmp_path / "deeper", "mine.yaml", "extends: ../base.yaml", "irq: {banks: 2}")
    assert user_configurations.choose(str(path)).name != config.name


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["extends: mcu-fastrq"], "mine.yaml: extends: unknown configuration 'mcu-fastrq'; did you mean"),
        (["extends: ./mine.yaml"], "mine.yaml: extends: goes round in a circle"),
        (["extends: ./none.yaml"], "none.yaml: no such file"),
        (["extends: mcu-fastirq", "irq: {bank: 2}"], "mine.yaml: irq: unknown key 'bank'"),
        (["isa: {base: rv32i, extensions: []}"], "mine.yaml: missing key 'top'"),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, trapeze: Trapeze, lines: list[str], says: str) -> None:
    said = trapeze("show", write(tmp_path, "mine.yaml", *lines))
    assert said.code == 2
    assert says in said.error


def test_no_such_file(trapeze: Trapeze) -> None:
    assert "none.yaml: no such file; name one like those of configs/" in trapeze("show", "./none.yaml").error


def test_run_cc_and_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    """A program for a variant, its engine, and an experiment of the user's own, all outside of the repository."""
    source, elf, result = tmp_path / "main.c", tmp_path / "p.elf", tmp_path / "r.json"
    source.write_text(PROGRAM)
    chosen = ["--config", write(tmp_path, "mine.yaml", "extends: mcu-fastirq", "irq: {lines: 20}"), "--set", "banks=4"]
    assert trapeze("cc", *chosen, '-DBANKS="banks"', source, "-o", elf).code == 0
    said = trapeze("run", elf, *chosen, "--engine", "model", "--json", result)
    assert (said.code, said.out) == (0, "banks\n")
    written = store.load(result)
    (name,) = written["configurations"]
    assert written["rows"][0]["config"] == name
    assert written["configurations"][name]["banks"] == 4
    assert "--set banks=4" in written["command"]
    assert (building.CONFIGS / f"{name}.json").exists()

    folder = tmp_path / "my-loop"
    folder.mkdir()
    (folder / "main.c").write_text(
        '#include <stdio.h>\nint main(void) { puts("loop cycles 12 instructions 7"); return 0; }\n'
    )
    (folder / "experiment.yaml").write_text(
        "schema: trapeze.experiment/1\nquestion: How long?\nkind: iterations\n"
        "metrics:\n  cycles: {what: an iteration, unit: cycles, better: lower}\n"
        "rows:\n  - {id: mine, config: mcu-clint, sources: [main.c]}\n"
    )
    for way in (folder, folder / "experiment.yaml"):
        said = trapeze("bench", way, "--json", result)
        assert said.code == 0, said.err
        assert [(row["id"], row["max"]) for row in store.load(result)["rows"]] == [("mine/loop", 12)]


def test_experiments_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(TrapezeError, match=r"no such experiment; name its experiment\.yaml"):
        experiment_files.load(f"{tmp_path}/none")
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe" / "experiment.yaml").write_text("kind: x\n")
    with pytest.raises(TrapezeError, match="'probe' has the name of an experiment of Trapeze; rename the folder"):
        experiment_files.load(f"{tmp_path}/probe")
    with pytest.raises(TrapezeError, match=r"unknown experiment 'mine'; .*one of your own by its path, \./mine"):
        experiment_files.load("mine")


def test_a_row_names_a_file_or_sets_parameters(tmp_path: Path) -> None:
    write(tmp_path, "mine.yaml", "extends: mcu-fastirq", "irq: {banks: 1}")
    folder = tmp_path / "my-rows"
    folder.mkdir()
    text = (
        "schema: trapeze.experiment/1\nquestion: q\nkind: iterations\n"
        "metrics:\n  cycles: {what: w, unit: cycles, better: lower}\n"
        "rows:\n  - {id: a, config: ../mine.yaml}\n  - {id: b, config: mcu-fastirq, set: [banks=4]}\n"
    )
    (folder / "experiment.yaml").write_text(text)
    assert [case.config.first.banks for case in experiment_files.load(f"{folder}/").cases] == [1, 4]
    (folder / "experiment.yaml").write_text(text.replace("banks=4", "banks=8"))
    with pytest.raises(TrapezeError, match=r"experiment\.yaml: b: config: --set banks=8: irq\.banks: 8 is greater"):
        experiment_files.load(f"{folder}/")
