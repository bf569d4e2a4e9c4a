# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Platforms of several harts: what a configuration says of each, and every contradiction."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.firmware import kernels
from trapeze.platform import configurations, cores
from trapeze.platform.configurations import Config
from trapeze.results.differences import differences
from trapeze.simulation.engine_files import RtlEngine
from verify.dev.testing import Trapeze

COMMON = """
schema: trapeze.config/1
summary: several harts
top: trapeze:hw:soc
map: duo
isa: {base: rv32i, extensions: [m, a, c]}
abi: ilp32
irq: {scheme: fastirq, lines: 48, banks: 1}
"""


def load(folder: Path, harts: str, text: str = COMMON) -> Config:
    """A configuration of these harts."""
    (folder / "x.yaml").write_text(text + (f"harts: {harts}\n" if harts else ""))
    return configurations.load("x", folder)


def test_one_hart_without_the_key(tmp_path: Path) -> None:
    """Files that do not name harts are of one, and result files say of it what they always said."""
    found = load(tmp_path, "")
    assert found.harts == (found.first,)
    assert (found.first.hart_id, found.map) == (0, "duo")
    assert "harts" not in found.to_json()
    assert found == load(tmp_path, "[{}]")


def test_harts_alike(tmp_path: Path) -> None:
    first, second = load(tmp_path, "[{}, {}]").harts
    assert (first.hart_id, second.hart_id) == (0, 1)
    assert {**vars(second), "hart_id": 0} == vars(first)
    assert first.isa == "rv32imac"
    assert [hart.parameters()["HartId"] for hart in (first, second)] == [0, 1]
    assert first.parameters()["ExtA"] == 1


def test_hart_ids(tmp_path: Path) -> None:
    """Entry k has the number k, upon what the file says for all."""
    found = load(tmp_path, "[{}, {hart_id: 0x10}, {}]", COMMON + "hart_id: 4\n")
    assert [hart.hart_id for hart in found.harts] == [4, 16, 6]


def test_harts_of_several_kinds(tmp_path: Path) -> None:
    """An entry says what differs, key by key."""
    small = "{isa: {base: rv32e, extensions: [c]}, abi: ilp32e, irq: {lines: 4, banks: 2}, reset_vector: 0x80000100}"
    found = load(tmp_path, f"[{{}}, {small}]")
    first, second = found.harts
    assert (second.isa, second.abi, second.scheme) == ("rv32ec", "ilp32e", "fastirq")
    assert (second.lines, second.sources, second.banks, second.reset_vector) == (4, 20, 2, 0x80000100)
    assert (first.lines, first.sources, first.banks, first.reset_vector) == (48, 64, 1, 0x80000000)
    assert found.first is first
    assert [hart["lines"] for hart in found.to_json()["harts"]] == [48, 4]
    assert found.to_json()["lines"] == 48


def test_harts_of_two_widths(tmp_path: Path) -> None:
    """Beside one of which there is no design, an entry need not name one either."""
    wide = COMMON.replace("top: trapeze:hw:soc\n", "").replace("rv32i", "rv64i").replace("ilp32", "lp64")
    wide = re.sub("irq: .*", "irq: {scheme: clint, lines: 16}", wide)
    narrow = "{isa: {base: rv32i}, abi: ilp32, irq: {scheme: fastirq, lines: 8, user: true}}"
    found = load(tmp_path, f"[{{}}, {narrow}]", wide)
    assert not found.has_rtl
    assert [(hart.base, hart.abi, hart.scheme) for hart in found.harts] == [
        ("rv64i", "lp64", "clint"),
        ("rv32i", "ilp32", "fastirq"),
    ]
    with pytest.raises(TrapezeError, match=r"harts\.1: abi"):
        load(tmp_path, f"[{{}}, {narrow.replace('ilp32', 'lp64')}]", wide)


def test_names_of_platforms_of_one_hart(tmp_path: Path) -> None:
    load(tmp_path, "[{}, {}]")
    (tmp_path / "one.yaml").write_text(COMMON)
    (tmp_path / "y.yaml").write_text("schema: trapeze.config/1\nsummary: y\nextends: x\n")
    assert configurations.names(tmp_path) == ["one", "x", "y"]
    assert configurations.names(tmp_path, variants=False) == ["one", "x"]
    assert configurations.names(tmp_path, several_harts=False) == ["one"]


def test_changed(tmp_path: Path) -> None:
    """Hart 0 with another property; the other harts stay as they are."""
    found = load(tmp_path, "[{}, {}]").changed(banks=3)
    assert [hart.banks for hart in found.harts] == [3, 1]


@pytest.mark.parametrize(
    ("name", "whole", "schemes", "abis"),
    [
        ("duo", ("fastirq", "ilp32"), ["fastirq"] * 2, ["ilp32"] * 2),
        ("amp", ("clint + fastirq", "lp64d + ilp32"), ["clint", "fastirq"], ["lp64d", "ilp32"]),
        ("amp-2", ("clint + fastirq", "lp64d + ilp32"), ["clint", "fastirq", "clint"], ["lp64d", "ilp32", "lp64d"]),
        ("amp-dsp", ("clint", "lp64d"), ["clint"] * 2, ["lp64d"] * 2),
    ],
)
def test_labels(name: str, whole: tuple[str, str], schemes: list[str], abis: list[str]) -> None:
    """A hart has its own scheme and ABI, the whole has all that there are."""
    config = configurations.load(name)
    assert config.labels() == {"scheme": whole[0], "abi": whole[1]}
    found = [config.labels(hart) for hart in range(len(config.harts))]
    assert [one["scheme"] for one in found] == schemes
    assert [one["abi"] for one in found] == abis


@pytest.mark.parametrize(
    ("harts", "schemes"),
    [
        ("[{}, {irq: {scheme: clint, lines: 16}}]", ["clic", "clint"]),
        ("[{irq: {scheme: clint, lines: 16}}, {}]", ["clint", "clic"]),
    ],
)
def test_a_kernel_that_uses_less_of_a_scheme(tmp_path: Path, harts: str, schemes: list[str]) -> None:
    """On each hart what it uses of that hart's scheme."""
    config = load(tmp_path, harts, COMMON.replace(", banks: 1", ""))
    assert [one.scheme for one in kernels.scheme_of("freertos-protected", config).harts] == schemes
    assert kernels.scheme_of("freertos", config) == config


def test_what_the_simulator_is_told(tmp_path: Path) -> None:
    """Each hart by itself, and hart 0 as the only one."""
    config = load(tmp_path, "[{}, {irq: {lines: 4, synchroniser: true}, reset_vector: 0x80000100}]")
    told = config.platform.to_json()
    assert [hart["hart_id"] for hart in told["harts"]] == [0, 1]
    assert [hart["lines"] for hart in told["harts"]] == [48, 4]
    assert [hart["line_delay"] for hart in told["harts"]] == [0, 2]
    assert told["harts"][1]["isa"] == "rv32imac_zicsr_zifencei"
    assert told["harts"][1]["reset_vector"] == 0x80000100
    assert (
        f'X(1, "rv32imac_zicsr_zifencei", "fastirq", 1ULL, {0x80000100}ULL, 4, 16, 2, '
        in RtlEngine.of(config, cores.Library()).text()
    )


def test_extensions_have_one_order(tmp_path: Path) -> None:
    """That of an ISA's name, in whatever order the file has them."""
    assert load(tmp_path, "", COMMON.replace("[m, a, c]", "[zbs, c, zba, a, m]")).first.isa == "rv32imac_zba_zbs"


def test_a_variant_with_other_harts(tmp_path: Path) -> None:
    load(tmp_path, "[{}, {irq: {banks: 2}}]")
    (tmp_path / "y.yaml").write_text("schema: trapeze.config/1\nsummary: y\nextends: x\nirq: {lines: 8}\n")
    assert [(hart.lines, hart.banks) for hart in configurations.load("y", tmp_path).harts] == [(8, 1), (8, 2)]


@pytest.mark.parametrize(
    ("harts", "says"),
    [
        ("[]", "harts: "),
        ("2", "harts: 2 is not of type 'array'"),
        ("[{}, 1]", "harts.1: 1 is not of type 'object'"),
        ("[{}, {hart_id: 0}]", "harts.1: has hart_id 0, which harts.0 has; give it another one"),
        ("[{hart_id: 1}, {}]", "harts.1: has hart_id 1, which harts.0 has"),
        (
            "[{}, {top: trapeze:hw:other}]",
            "harts.1: unknown key 'top'; choices: abi, core, hart_id, irq, isa",
        ),
        ("[{}, {map: mcu}]", "harts.1: unknown key 'map'"),
        ("[{}, {harts: []}]", "harts.1: unknown key 'harts'"),
        ("[{}, {abi: ilp32e}]", "harts.1: abi: 'ilp32' was expected"),
        ("[{}, {isa: {base: rv32e}}]", "harts.1: abi: 'ilp32e' was expected"),
        ("[{}, {isa: {extensions: [q]}}]", "harts.1.isa.extensions.0: 'q' is not a choice"),
        ("[{}, {irq: {scheme: clic}}]", "harts.1: irq.banks: not for scheme clic, only for fastirq"),
        ("[{}, {irq: {sources: 20}}]", "harts.1: irq.sources: 20 is not possible"),
        ("[{}, {irq: {bank: 2}}]", "harts.1.irq: unknown key 'bank'; did you mean 'banks'"),
        ("[{}, {hart_id: -1}]", "harts.1.hart_id"),
    ],
)
def test_contradictions(tmp_path: Path, harts: str, says: str) -> None:
    with pytest.raises(TrapezeError) as caught:
        load(tmp_path, harts)
    message = str(caught.value)
    assert says in message
    assert "x.yaml" in message
    assert "\n" not in message


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of configurations that the commands list."""
    shutil.copy(paths.CONFIGS / "config.schema.json", tmp_path)
    monkeypatch.setattr(paths, "CONFIGS", tmp_path)
    return tmp_path


def test_listed(folder: Path, trapeze: Trapeze) -> None:
    """`configs` says how many harts there are of each kind."""
    load(folder, "[{}, {}, {irq: {banks: 2}}]")
    said = " ".join(trapeze("configs").out.split())
    assert "3 x rv32imac" in said
    assert "2 x fastirq, 48 lines, 64 sources, 1 bank, own" in said
    assert "port + 1 x fastirq, 48 lines, 64 sources, 2 banks" in said


def test_shown_alike(folder: Path, trapeze: Trapeze) -> None:
    """What is the same for all harts stands there once."""
    load(folder, "[{}, {}]")
    said = trapeze("show", "x").out
    lines = [line.split() for line in said.splitlines()]
    assert "Platform of 2 harts" in said
    assert ["mhartid", "0,", "1"] in lines
    assert ["abi", "ilp32"] in lines
    assert ["HartId", "0", "1"] in lines
    assert "Data bank, one for each hart" in said
    assert "CLIC, one for each hart" in said
    assert "UART, one" not in said
    assert said.count("Interrupt lines of harts 0, 1, ") == 1
    assert "--irq HART:LINE@CYCLE" in said


def test_shown_different(folder: Path, trapeze: Trapeze) -> None:
    """What differs has a column for each hart."""
    load(folder, "[{}, {isa: {base: rv32e}, abi: ilp32e, irq: {lines: 4}}]")
    said = trapeze("show", "x").out
    lines = [line.split() for line in said.splitlines()]
    assert ["abi", "ilp32", "ilp32e"] in lines
    assert ["mhartid", "0", "1"] in lines
    assert "Interrupt lines of hart 0, " in said
    assert "Interrupt lines of hart 1, " in said
    assert ["3..0", "19..16"] in [line[:2] for line in lines]


def test_one_hart_is_shown_as_ever(trapeze: Trapeze) -> None:
    said = trapeze("show", "mcu-fastirq").out
    assert "Platform\n" in said
    assert "hart 0" not in said
    assert "--irq LINE@CYCLE" in said
    assert "one for each hart" not in said


def test_differences_of_harts(tmp_path: Path) -> None:
    """`compare` names the hart; what only one of the files knows keeps no figures apart."""
    made: list[dict[str, Any]] = []
    for harts in ("[{}, {}]", "[{}, {irq: {banks: 2}}]"):
        row = {"id": "a", "metric": "m", "config": "x", "engine": "rtl"}
        made.append({"experiment": "e", "rows": [row], "runs": [], "tools": {}, "host": {}, "configurations": {}})
        made[-1]["configurations"] = {"x": load(tmp_path, harts).to_json()}
    found = {one.what: one.apart for one in differences(*made)}
    assert found["x: harts.1.banks"] is True
    assert not any(what.startswith("x: harts.0") for what in found)
    del made[0]["configurations"]["x"]["map"], made[0]["configurations"]["x"]["harts"]
    made[1]["configurations"]["x"]["harts"] = made[1]["configurations"]["x"]["harts"][:1]
    assert not any(one.apart for one in differences(*made))
