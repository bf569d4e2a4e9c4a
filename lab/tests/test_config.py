# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations: what there is, and every way a file can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze import config
from trapeze.errors import TrapezeError

GOOD = """
schema: trapeze.config/1
summary: a test
top: trapeze:hw:soc
isa: {base: rv32i, extensions: [m, c]}
abi: ilp32
irq: {scheme: clint, lines: 16}
"""


@pytest.mark.parametrize("name", config.names())
def test_every_configuration_loads(name: str) -> None:
    found = config.load(name)
    assert found.name == name
    assert found.parameters()["RV32E"] == int(name.endswith("-e"))


def test_there_are_both_baselines() -> None:
    assert {"mcu-clint", "mcu-clint-e"} <= set(config.names())


def test_defaults(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(GOOD)
    found = config.load("x", tmp_path)
    assert found.isa == "rv32imc"
    assert found.reset_vector == 0x80000000
    assert found.parameters() == {
        "RV32E": 0,
        "ExtM": 1,
        "ExtC": 1,
        "ExtZba": 0,
        "ExtZbb": 0,
        "ExtZbs": 0,
        "ResetVector": 0x80000000,
        "HartId": 0,
    }


def test_a_clic_has_its_own_parameters(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(GOOD.replace("scheme: clint, lines: 16", "scheme: clic, lines: 48"))
    found = config.load("x", tmp_path)
    assert found.lines == 48
    assert found.parameters()["IrqScheme"] == 1
    assert found.parameters()["NumIrqSources"] == 64


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("abi:", "abbi:", "unknown key 'abbi'; did you mean 'abi'"),
        ("abi: ilp32", "", "missing key 'abi'"),
        ("ilp32", "ilp31", "abi: 'ilp31' is not a choice; did you mean 'ilp32'"),
        ("abi: ilp32", "abi: ilp32e", "abi: 'ilp32' was expected"),
        ("rv32i", "rv64i", "isa.base: 'rv64i' is not a choice"),
        ("[m, c]", "[m, q]", "isa.extensions.1: 'q' is not a choice"),
        ("[m, c]", "[m, m]", "isa.extensions"),
        ("lines: 16", "lines: 17", "irq.lines: 16 was expected"),
        ("scheme: clint", "scheme: plic", "irq.scheme"),
        ("config/1", "config/2", "schema"),
        ("summary: a test", "summary: [", "not YAML"),
        ("abi: ilp32", "abi: ilp32\nhart_id: -1", "hart_id"),
        ("abi: ilp32", "abi: ilp32\nreset_vector: 0x80000002", "reset_vector"),
    ],
)
def test_wrong_files(tmp_path: Path, old: str, new: str, says: str) -> None:
    (tmp_path / "x.yaml").write_text(GOOD.replace(old, new, 1))
    with pytest.raises(TrapezeError, match=says) as caught:
        config.load("x", tmp_path)
    assert "\n" not in str(caught.value)
    assert "x.yaml" in str(caught.value)


def test_unknown_name() -> None:
    with pytest.raises(TrapezeError, match="unknown configuration 'mcu-clnt'; did you mean 'mcu-clint'"):
        config.load("mcu-clnt")
