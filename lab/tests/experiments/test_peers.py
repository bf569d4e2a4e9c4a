# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment peers: other cores' sources, which figures stand in the table, what is refused."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from trapeze import experiment_files
from trapeze.commandline import bench
from trapeze.common.errors import TrapezeError
from trapeze.experiments.peers import figures as peers_figures
from trapeze.experiments.peers import harness
from trapeze.experiments.peers import measure as experiment_peers
from trapeze.reports.figures import Rows, Scatter
from trapeze.results.rows import Row
from trapeze.synth import ecp5, generic, peers, tools
from trapeze.synth.designs import Design
from trapeze.synth.ecp5 import Cells
from trapeze.synth.generic import Whole

PEERS = experiment_files.load("peers")


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages with files of the right names, and tools that have an answer for each design."""
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    for peer in peers.PEERS.values():
        root = tmp_path / peer.package.replace("==", "-") / peer.root
        for name in (*peer.first, f"{peer.folder}/{peer.without[0]}", f"{peer.folder}/some.sv"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"// {name}\n")
    monkeypatch.setattr(generic, "whole", lambda design: Whole(1000.0 * len(design.name), 7))
    monkeypatch.setattr(generic, "transistor_ge", lambda design: 1100.0 * len(design.name))
    monkeypatch.setattr(ecp5, "cells", lambda design: Cells(len(design.counted), 300, 32, 957, 0, 4))
    monkeypatch.setattr(ecp5, "frequency", lambda _, seed, device: 40.0 + seed + 2 * (device == ecp5.LARGE))
    figures = {"latency": [29, 30], "latency-divides": [29, 64], "iteration": [1000, 1002], "checksum": [5]}
    monkeypatch.setattr(harness, "measure", lambda _: figures)


@pytest.mark.usefixtures("_installed")
def test_sources_and_pins() -> None:
    design = peers.design("ibex")
    names = [source.name for source in design.sources]
    assert names[0] == "obi_pkg.sv"
    assert names.index("ibex_pkg.sv") < names.index("some.sv") < names.index("peer_ibex.sv")
    assert names.count("ibex_pkg.sv") == 1
    assert "ibex_tracer.sv" not in names
    fpga = peers.design("ibex-fpga")
    assert (fpga.top, fpga.sources) == (design.top, design.sources)
    assert set(fpga.defines) - set(design.defines) == {"IBEX_FPGA"}
    pins = peers.in_pins("cv32e40p")
    assert (pins.top, pins.counted) == ("peer_pins", "peer_cv32e40p")
    assert "PEER=peer_cv32e40p" in pins.defines


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(("quick", "named", "placements"), [(True, True, 0), (False, False, 1), (False, True, 3)])
def test_table(quick: bool, named: bool, placements: int) -> None:
    experiment = replace(PEERS, named=named)
    rows = {(row.id, row.metric): row for row in bench.measure(experiment, quick).rows}
    assert rows["ibex", "latency-divides"].config == "ibex"
    assert rows["ibex", "latency-divides"].statistics.max == 64
    if quick:
        assert {metric for _, metric in rows} == set(experiment_peers.MEASURED)
    else:
        assert rows["ibex", "area"].statistics.p50 == 4000
        assert rows["ibex", "lut4"].published == 5507
        assert rows["ibex", "lut4"].statistics.p50 == len("peer_ibex")
        assert rows["trapeze/clint", "lut4"].statistics.p50 == len("trapeze_core")
        assert rows["cv32e40p", "area"].statistics.p50 == 8000
    on_fpga = set() if quick else {"lut4", "flip-flops", "fmax"}
    assert {metric for core, metric in rows if core == "ibex-fpga"} == on_fpga
    assert (("trapeze/fastirq-inplace", "fmax") in rows) is (named and not quick)
    assert (("ibex", "transistor-area") in rows) is (named and not quick)
    assert ("trapeze/clic", "latency") not in rows
    fmax: Row | None = rows.get(("trapeze/clint", "fmax"))
    assert (fmax.statistics.n if fmax else 0) == placements
    text = io.StringIO()
    experiment_peers.show(Console(file=text, width=100), experiment, list(rows.values()))
    assert "29-64" in text.getvalue()
    assert "1,001" in text.getvalue()
    assert ("fmax best" in text.getvalue()) is (placements > 0)
    assert ("43.0" in text.getvalue()) is (placements == 3)
    assert ("36,100" in text.getvalue()) is (named and not quick)


@pytest.mark.usefixtures("_installed")
def test_figures() -> None:
    rows = bench.measure(PEERS, quick=False).rows
    frequency, worst, spread = peers_figures.figures(PEERS, rows)
    assert isinstance(frequency, Scatter)
    assert frequency.series["others"] == (("ibex", 4000, 43), ("cv32e40p", 8000, 43), ("ibex-pmp", 8000, 43))
    assert len(frequency.series["ours"]) == 7
    assert isinstance(worst, Scatter)
    assert worst.series["others"][0] == ("ibex", 4000, 64)
    assert isinstance(spread, Rows)
    assert spread.names == ("trapeze/clint", "ibex", "cv32e40p")
    assert spread.series["with divides in the program"] == ((29, 64),) * 3
    assert spread.published == (33, 33, 33)
    quick = peers_figures.figures(PEERS, [row for row in rows if row.metric != "fmax"])
    assert [figure.title for figure in quick] == [worst.title, spread.title]


@pytest.mark.usefixtures("_installed")
def test_another_result_of_the_program_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "measure", lambda name: {"checksum": [len(name)]})
    found = bench.measure(replace(PEERS, cases=tuple(case for case in PEERS.cases if case.id == "ibex")), quick=True)
    assert found.rows == ()
    assert [one.error for one in found.failed] == ["ibex: the program's checksum is not that of our own core"]


def test_image_is_as_long_as_its_memory(tmp_path: Path) -> None:
    source = tmp_path / "a.S"
    source.write_text(
        ".section .text.start\n.zero 0x80\n.globl _start\n_start: j _start\n.section .bss.b\n.balign 16\n.zero 32\n"
    )
    words = harness.image([source], ["-Wl,--no-gc-sections"], tmp_path).read_text().split()
    assert all(len(word) == 8 for word in words)
    assert set(words[: harness.FIRST // 4]) == {"00000000"}
    assert words[harness.FIRST // 4][-4:] == "a001"  # c.j to itself
    assert words[-8:] == ["00000000"] * 8
    source.write_text("nonsense")
    with pytest.raises(TrapezeError, match="does not build"):
        harness.image([source], [], tmp_path)


@pytest.mark.slow
def test_our_core_in_the_harness() -> None:
    """As in the SoC: the same latency at every phase, divides or not; every iteration computes something else."""
    found = harness.measure(harness.OURS)
    assert set(found["latency"]) == set(found["latency-divides"]) == {29}
    assert len(found["latency-divides"]) > len(found["latency"]) > 40
    assert len(set(found["iteration"])) == len(found["iteration"]) == 3
    assert found["checksum"] == [3248828326]


def test_edits_reach_the_copy(tmp_path: Path) -> None:
    source = tmp_path / "a.sv"
    source.write_text("logic a = b;")
    design = Design("a", "a", (source,), edits=(("logic a =", "logic a; assign a ="),))
    (tmp_path / "copy").mkdir()
    tools.copy(design, tmp_path / "copy")
    assert (tmp_path / "copy" / "000_a.sv").read_text() == "logic a; assign a = b;"
    assert source.read_text() == "logic a = b;"
    assert tools.digest(design) != tools.digest(replace(design, edits=()))
    with pytest.raises(TrapezeError, match="a: no source holds 'logic c', which was to be edited"):
        tools.copy(replace(design, edits=(("logic c", ""),)), tmp_path / "copy")


def test_peer_that_there_is_not() -> None:
    case = replace(PEERS.cases[0], own={"hardware": {"peer": "ibexx"}})
    with pytest.raises(TrapezeError, match="unknown peer 'ibexx'; did you mean 'ibex'"):
        bench.KINDS["peers"].check(replace(PEERS, cases=(case,)))


def test_package_that_cannot_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(TrapezeError, match=r"pip cannot install pythondata-cpu-ibex==.*; is a package index"):
        peers.install(peers.find("ibex"))
    assert not [path for path in tmp_path.iterdir() if path.is_dir() and path.suffix != ".part"]


def test_without_a_name_less_is_measured() -> None:
    clic = replace(experiment_files.load("clic-area"), named=False)
    assert [case.id for case in clic.chosen(quick=False)] == ["16", "64", "256", "1024"]
    assert clic.shortened
    assert [case.id for case in replace(clic, named=True).chosen(quick=False)][-1] == "4096"
    assert not replace(clic, named=True).shortened
    assert [one.named for one in bench.select(["clic-area"])] == [True]
    assert not any(one.named for one in bench.select([]))
