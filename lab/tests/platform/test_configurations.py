# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations: what there is, and every way a file can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.platform import cores
from trapeze.simulation import building
from trapeze.simulation.engine_files import RtlEngine

GOOD = """
schema: trapeze.config/1
summary: a test
top: trapeze:hw:soc
isa: {base: rv32i, extensions: [m, c]}
abi: ilp32
irq: {scheme: clint, lines: 16}
"""


@pytest.mark.parametrize("name", config.every_name())
def test_every_configuration_loads(name: str) -> None:
    found = config.load(name)
    assert found.name == name
    assert found.corner or found.first.parameters()["RV32E"] == int(name.endswith("-e"))
    assert found.has_rtl == (found.first.base != "rv64i")


def test_there_is_every_scheme_for_both_bases() -> None:
    every = {f"mcu-{scheme}{suffix}" for scheme in ("clint", "clic", "fastirq") for suffix in ("", "-e")}
    assert every == set(config.names(variants=False, several_harts=False))
    assert every < set(config.names())


def test_a_platform_of_the_model_alone(tmp_path: Path) -> None:
    wide = GOOD.replace("rv32i", "rv64i").replace("ilp32", "lp64")
    (tmp_path / "x.yaml").write_text(wide)
    with pytest.raises(TrapezeError, match=r"top: there is no design of an rv64i hart, .*; leave top out"):
        config.load("x", tmp_path)
    (tmp_path / "x.yaml").write_text(wide.replace("top: trapeze:hw:soc\n", ""))
    assert not config.load("x", tmp_path).has_rtl
    assert config.names(tmp_path) == []
    assert config.every_name(tmp_path) == ["x"]
    with pytest.raises(TrapezeError, match="configuration x has no RTL, only the model runs it; use --engine model"):
        building.engine(config.load("x", tmp_path))


def test_floating_point_is_of_wide_harts(tmp_path: Path) -> None:
    wide = GOOD.replace("rv32i", "rv64i").replace("ilp32", "lp64d").replace("top: trapeze:hw:soc\n", "")
    (tmp_path / "x.yaml").write_text(wide.replace("[m, c]", "[d, m, c, f]"))
    assert config.load("x", tmp_path).first.isa == "rv64imfdc"
    for extensions, text, says in (
        ("[m, c]", wide, "abi: lp64d needs extension d"),
        ("[m, c, d]", wide, "d needs f"),
        ("[m, c, f]", GOOD, "isa.extensions"),
    ):
        (tmp_path / "x.yaml").write_text(text.replace("[m, c]", extensions))
        with pytest.raises(TrapezeError, match=says):
            config.load("x", tmp_path)


def test_defaults(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(GOOD)
    found = config.load("x", tmp_path)
    assert found.first.isa == "rv32imc"
    assert found.first.reset_vector == 0x80000000
    assert found.first.parameters() == {
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
    assert found.first.lines == 48
    assert found.first.has_clic
    assert found.first.parameters()["IrqScheme"] == 1
    assert found.first.parameters()["NumIrqSources"] == 64
    assert found.first.parameters()["NumIrqLines"] == 48
    assert "Saver" not in found.first.parameters()


def interrupt_parameters(found: config.Config) -> dict[str, int]:
    """Those of the RTL that have to do with interrupts."""
    return {
        name: value
        for name, value in found.first.parameters().items()
        if name.startswith(("Irq", "NumIrq", "Saver", "NumBanks", "Fast", "Clic"))
    }


def test_fastirq(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(GOOD.replace("scheme: clint, lines: 16", "scheme: fastirq, lines: 48"))
    expected = {
        "IrqScheme": 1,
        "NumIrqSources": 64,
        "NumIrqLines": 48,
        "IrqLineBase": 16,
        "Saver": 1,
        "NumBanks": 2,
        "FastSharedPort": 0,
    }
    assert interrupt_parameters(config.load("x", tmp_path)) == expected
    text = (
        "scheme: fastirq, lines: 4, line_base: 12, sources: 4096, banks: 3, shared_port: true, synchroniser: true, "
        "tree_pipeline: true"
    )
    (tmp_path / "x.yaml").write_text(GOOD.replace("scheme: clint, lines: 16", text))
    expected = {
        "IrqScheme": 1,
        "NumIrqSources": 4096,
        "NumIrqLines": 4,
        "IrqLineBase": 12,
        "ClicPipeline": 1,
        "IrqSync": 1,
        "Saver": 1,
        "NumBanks": 3,
        "FastSharedPort": 1,
    }
    assert interrupt_parameters(config.load("x", tmp_path)) == expected


def variant(extends: str, rest: str = "") -> str:
    """A file that extends another."""
    return f"schema: trapeze.config/1\nsummary: differs\nextends: {extends}\n{rest}"


def test_variants(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(GOOD.replace("scheme: clint, lines: 16", "scheme: fastirq, lines: 48"))
    (tmp_path / "first.yaml").write_text(variant("base", "irq: {banks: 1}\nhart_id: 7"))
    (tmp_path / "second.yaml").write_text(variant("first", "irq: {sources: 256}\nisa: {extensions: [m]}"))
    assert config.names(tmp_path) == ["base", "first", "second"]
    assert config.names(tmp_path, variants=False) == ["base"]
    base, first, second = (config.load(name, tmp_path) for name in ("base", "first", "second"))
    assert (base.variant, first.variant, second.variant) == (False, True, True)
    assert (base.summary, first.summary, first.extends, second.extends) == ("a test", "differs", "base", "first")
    assert (base.first.banks, first.first.banks, second.first.banks) == (2, 1, 1)
    assert (base.first.sources, first.first.sources, second.first.sources) == (64, 64, 256)
    assert (base.first.isa, first.first.isa, second.first.isa) == ("rv32imc", "rv32imc", "rv32im")
    assert (base.first.hart_id, first.first.hart_id, second.first.hart_id) == (0, 7, 7)


def test_what_the_simulator_is_told() -> None:
    library = cores.Library()
    for name, variant, lines in (("mcu-clint", "OFF", "16, 16"), ("mcu-fastirq-16", "ON", "4, 12")):
        told = RtlEngine.of(config.load(name), library).text()
        assert f'set(variant "{variant}")' in told
        assert f", 0ULL, {0x80000000}ULL, {lines}, 0, " in told


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (variant("bse"), "extends: unknown configuration 'bse'; did you mean 'base'"),
        (variant("x"), "extends: goes round in a circle: x -> x"),
        (variant("y"), "extends: goes round in a circle: x -> y -> x"),
        (variant("base", "irq: {lines: 17}"), "irq.lines: 16 was expected"),
        (variant("base", "irq: {bank: 1}"), "irq: unknown key 'bank'; did you mean 'banks'"),
        (variant("base", "irq: 16"), "irq: 16 is not of type 'object'"),
        (variant("base", "abi: ilp32e"), "abi: 'ilp32' was expected"),
        (variant("[base]"), "extends"),
        ("schema: trapeze.config/1\nextends: base", "missing key 'summary'"),
    ],
)
def test_wrong_variants(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "base.yaml").write_text(GOOD)
    (tmp_path / "y.yaml").write_text(variant("x"))
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(TrapezeError, match=says.replace("[", r"\[")) as caught:
        config.load("x", tmp_path)
    assert "\n" not in str(caught.value)
    assert ".yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("abi:", "abbi:", "unknown key 'abbi'; did you mean 'abi'"),
        ("abi: ilp32", "", "missing key 'abi'"),
        ("ilp32", "ilp31", "abi: 'ilp31' is not a choice; did you mean 'ilp32'"),
        ("abi: ilp32", "abi: ilp32e", "abi: 'ilp32' was expected"),
        ("rv32i", "rv128i", "isa.base: 'rv128i' is not a choice"),
        ("base: rv32i", "supervisor: true, base: rv32i", "isa.supervisor"),
        ("[m, c]", "[m, q]", "isa.extensions.1: 'q' is not a choice"),
        ("[m, c]", "[m, m]", "isa.extensions"),
        ("lines: 16", "lines: 17", "irq.lines: 16 was expected"),
        ("scheme: clint", "scheme: plic", "irq.scheme"),
        ("lines: 16", "lines: 16, sources: 32", "irq.sources: not for scheme clint, only for clic, fastirq"),
        ("clint, lines: 16", "clic, lines: 16, banks: 2", "irq.banks: not for scheme clic, only for fastirq"),
        ("clint, lines: 16", "fastirq, lines: 16, banks: 5", "irq.banks: 5 is greater than the maximum of 4"),
        ("clint, lines: 16", "fastirq, lines: 48, sources: 63", "irq.sources: 63 .* line_base 16 and 48 lines need 64"),
        ("clint, lines: 16", "fastirq, lines: 48, line_base: 4090", "irq.sources: 4138 .* at most 4096"),
        ("clint, lines: 16", "fastirq, lines: 48, line_base: 11", "irq.line_base: 11 is less than the minimum"),
        ("clint, lines: 16", "fastirq", "irq: missing key 'lines'"),
        ("config/1", "config/2", "schema"),
        ("summary: a test", "summary: [", "not YAML"),
        ("abi: ilp32", "abi: ilp32\nhart_id: -1", "hart_id"),
        ("abi: ilp32", "abi: ilp32\nreset_vector: 0x80000002", "reset_vector"),
        ("abi: ilp32", "abi: ilp32\nmap: mcv", "map: unknown memory map 'mcv'; did you mean 'mcu'"),
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
