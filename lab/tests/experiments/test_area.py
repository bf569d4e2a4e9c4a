# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiments clic-area and core-area: what they compute from areas, what they refuse, and the real hardware."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace

import pytest
from rich.console import Console

from trapeze import experiment_files
from trapeze.commandline import bench
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Experiment
from trapeze.experiments.area import measure as area
from trapeze.experiments.area import report as area_report
from trapeze.reports.figures import Curve, Rows
from trapeze.results.rows import Row
from trapeze.synth import generic
from trapeze.synth.designs import Design
from trapeze.synth.generic import Whole

CLIC = experiment_files.load("clic-area")
CORE = experiment_files.load("core-area")


def parts(design: Design) -> dict[str, float]:
    """Areas that a linear CLIC would have, and a core with few and many banks, with and without atomic operations."""
    if design.top == "tz_amo":
        return {"rest": 90.0}
    if design.top == "tz_clic":
        number = int(design.parameters["NumSources"])
        return {"registers": 100.0 * number + 50, "gateways": 30.0 * number, "tree": 40.0 * number, "rest": 20.0}
    banks = int(design.fields.get("NumBanks", "32'h0").partition("h")[2], 16)
    atomics = 9.0 if design.fields.get("ExtA") == "32'h1" else 0.0
    sizes = {"if": 100.0, "id": 50.0 + atomics, "regfile": 200.0 + 50 * banks, "rest": 10.0}
    regions = int(design.fields.get("PmpRegions", "32'h0").partition("h")[2], 16)
    return sizes | ({"fastirq": 25.0} if banks else {}) | ({"csr": 9.0 + 7 * regions} if regions else {})


@pytest.fixture
def _areas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generic, "parts", parts)
    monkeypatch.setattr(generic, "whole", lambda design: Whole(sum(parts(design).values()), 7))
    monkeypatch.setattr(generic, "transistor_ge", lambda _: 100.0)


def measured(experiment: Experiment, quick: bool = False) -> dict[tuple[str, str], Row]:
    rows = bench.measure(experiment, quick).rows
    return {(row.id, row.metric): row for row in rows}


def value(rows: Mapping[tuple[str, str], Row], name: str, metric: str) -> float:
    return rows[name, metric].statistics.p50


@pytest.mark.usefixtures("_areas")
def test_slope_of_a_linear_controller() -> None:
    rows = measured(CLIC)
    for sources in ("64", "256", "1024", "4096"):
        assert value(rows, sources, "per-source") == 170
        assert value(rows, sources, "registers-per-source") == 100
        assert rows[sources, "per-source"].published == 176
    assert value(rows, "16", "area") == 16 * 170 + 70
    assert value(rows, "64/tree", "area") == 64 * 40
    assert value(rows, "16", "tree-share") == pytest.approx(100 * 640 / 2790, abs=0.05)
    assert ("16", "per-source") not in rows
    assert rows["64/tree", "area"].labels == {"scheme": "clic", "abi": "ilp32", "block": "tree", "sources": "64"}


@pytest.mark.usefixtures("_areas")
def test_overheads_of_a_core() -> None:
    rows = measured(replace(CORE, named=True))
    one, four = "fastirq-1bank/ilp32", "fastirq-4banks/ilp32"
    assert value(rows, one, "regfile-overhead") == 25
    assert value(rows, four, "regfile-overhead") == 100
    assert value(rows, one, "id-overhead") == 30
    assert value(rows, one, "core-overhead") == pytest.approx(100 * 75 / 360, abs=0.05)
    clic = 256 * 170 + 70
    assert value(rows, one, "system-overhead") == pytest.approx(100 * 75 / (360 + clic), abs=0.05)
    assert value(rows, one, "transistor-area") == 100
    assert rows[one, "core-overhead"].published == 10
    assert rows[four, "core-overhead"].published is None
    assert ("clic/ilp32", "core-overhead") not in rows
    assert rows[one, "area"].labels["banks"] == "1"


@pytest.mark.usefixtures("_areas")
def test_what_atomic_operations_add() -> None:
    rows = measured(CORE)
    for name, without in (("clint-a/ilp32", 360), ("fastirq-2banks-a/ilp32", 485)):
        assert value(rows, name, "area") == without + 9
        assert value(rows, name, "atomic-overhead") == pytest.approx(900 / without, abs=0.05)
        assert value(rows, name, "amo-area") == 90
        assert (name, "core-overhead") not in rows
    assert {name for name, metric in rows if metric == "atomic-overhead"} == {"clint-a/ilp32", "fastirq-2banks-a/ilp32"}


@pytest.mark.usefixtures("_areas")
def test_what_memory_protection_adds() -> None:
    rows = measured(replace(CORE, named=True))
    assert value(rows, "user-4regions/ilp32", "protection-overhead") == pytest.approx(100 * 37 / 485, abs=0.05)
    assert value(rows, "user-16regions/ilp32", "per-region") == 7
    assert rows["user-16regions/ilp32", "per-region"].published == 1600
    assert rows["user-16regions/ilp32", "per-region"].labels["regions"] == "16"
    assert ("user-16regions/ilp32", "core-overhead") not in rows


@pytest.mark.usefixtures("_areas")
def test_quick_measures_the_parts_of_two_cores() -> None:
    rows = measured(CORE, quick=True)
    (one,) = {name for name, metric in rows if metric == "regfile-overhead"}
    assert {name.rpartition("/ilp32")[0] for name, _ in rows} == {"clic", one.removesuffix("/ilp32")}
    assert not {(one, "area"), (one, "core-overhead"), (one, "transistor-area")} & set(rows)
    assert "transistor-area" not in {metric for _, metric in measured(replace(CORE, named=False))}
    assert {name.partition("/")[0] for name, _ in measured(CLIC, quick=True)} == {"16", "64"}
    text = io.StringIO()
    area_report.show(Console(file=text, width=100), CORE, list(rows.values()))
    assert "regfile-overhead" in text.getvalue()
    assert area_report.core_figures(CORE, list(rows.values()))


@pytest.mark.usefixtures("_areas")
def test_tables_and_figures() -> None:
    text = io.StringIO()
    console = Console(file=text, width=100)
    rows = list(measured(CLIC).values())
    area_report.show(console, CLIC, rows)
    assert "per-source" in text.getvalue()
    assert "wires" in text.getvalue()
    curve, shares = area_report.clic_figures(CLIC, rows)
    assert isinstance(curve, Curve)
    assert curve.series["whole, 170.0 GE a source"][0] == (16, 16 * 170 + 70)
    assert [sources for sources, _ in curve.series["tree, 40.0 GE a source"]] == [16, 64, 256, 1024, 4096]
    assert curve.published["176 GE a source"][1] == (64, 176 * 64)
    assert isinstance(shares, Rows)
    assert shares.names == ("64 sources", "256 sources", "1024 sources", "4096 sources")
    assert shares.series["registers"] == ((0, 100),) * 4
    assert shares.published == (176,) * 4
    assert area_report.clic_figures(CLIC, [row for row in rows if row.labels["sources"] == "16"]) == []
    rows = list(measured(CORE).values())
    area_report.show(console, CORE, rows)
    stages, added = area_report.core_figures(CORE, rows)
    assert isinstance(stages, Rows)
    assert stages.stacked
    assert len(stages.names) == len(CORE.cases)
    assert stages.series["regfile"][stages.names.index("fastirq-2banks/ilp32")] == (0, 300)
    assert stages.series["fastirq"][stages.names.index("clint/ilp32e")] == (0, 0)
    assert isinstance(added, Rows)
    assert added.published == (10, 10, 21, 36)
    assert added.series["fastirq-4banks/ilp32"][added.names.index("regfile-overhead")] == (0, 100)
    (alone,) = area_report.core_figures(CORE, [row for row in rows if row.labels["scheme"] == "clint"])
    assert isinstance(alone, Rows)


def changed(experiment: Experiment, name: str, **fields: object) -> Experiment:
    cases = tuple(replace(case, own={"hardware": fields}) if case.id == name else case for case in experiment.cases)
    return replace(experiment, cases=cases)


@pytest.mark.parametrize(
    ("experiment", "complaint"),
    [
        (changed(CLIC, "64", sources=64, against="15"), "64: against: unknown row '15'; choices: 1024, 16"),
        (changed(CLIC, "64", sources=64, against="256"), "64: against: '256' has to have fewer sources"),
        (changed(CLIC, "64", banks=1), "64: needs a configuration with a CLIC, and hardware: {sources: N} only"),
        (changed(CORE, "clic/ilp32", sources=64), "clic/ilp32: hardware: sources: only for clic-area"),
        (changed(CORE, "clic/ilp32", banks=1), "clic/ilp32: hardware: banks: needed with fastirq, and only there"),
        (changed(CORE, "fastirq-1bank/ilp32"), "hardware: banks: needed with fastirq, and only there"),
        (changed(CORE, "clint-a/ilp32"), "clint-a/ilp32: a core with A needs against: the same one without it"),
        (changed(CORE, "clint-a/ilp32", against="clic/ilp32"), "a core with A needs against: the same one without it"),
        (changed(CORE, "fastirq-2banks-a/ilp32", banks=1, against="fastirq-2banks/ilp32"), "needs against: the same"),
        (replace(CORE, metrics={"area": CORE.metrics["area"]}), "its metrics must be core-overhead"),
    ],
)
def test_what_is_refused(experiment: Experiment, complaint: str) -> None:
    with pytest.raises(TrapezeError) as caught:
        bench.KINDS[experiment.kind].check(experiment)
    assert complaint in str(caught.value)


@pytest.mark.slow
def test_real_controller_is_linear() -> None:
    """A small and a large one: what one source costs, and the tree's share."""
    cases = tuple(case for case in CLIC.cases if case.id in ("16", "64"))
    rows = measured(replace(CLIC, cases=cases))
    assert value(rows, "64", "registers-per-source") < 176
    assert 150 < value(rows, "64", "per-source") < 250
    assert value(rows, "64", "tree-share") < value(rows, "16", "tree-share") + 5


@pytest.mark.slow
def test_real_bank_costs_what_it_holds() -> None:
    """A bank of RV32E more: at least its flip-flops, and the rest of the core as it was."""
    cases = tuple(
        replace(case, quick=True) for case in CORE.cases if case.id in ("clic/ilp32e", "fastirq-1bank/ilp32e")
    )
    found = {case.id: generic.parts(area.core(case)) for case in cases}
    clic, fast = found["clic/ilp32e"], found["fastirq-1bank/ilp32e"]
    assert fast["regfile"] - clic["regfile"] > 10 * 32 * 5.67
    assert fast["fastirq"] > 0
    assert fast["lsu"] == pytest.approx(clic["lsu"], rel=0.05)


@pytest.mark.usefixtures("_areas")
@pytest.mark.parametrize("experiment", [CLIC, CORE], ids=["clic-area", "core-area"])
@pytest.mark.parametrize("missing", [0, 1, 2, -1])
def test_some_rows(experiment: Experiment, missing: int) -> None:
    """Whatever row is missing, or all but one, the others can be shown and drawn."""
    kind = bench.KINDS[experiment.kind]
    lost = experiment.cases[missing]
    for cases in ([lost], [case for case in experiment.cases if case is not lost]):
        rows = [
            row for row in bench.measure(experiment, quick=False).rows if row.id.startswith(tuple(c.id for c in cases))
        ]
        kind.figures(experiment, rows)
        kind.show(Console(file=io.StringIO(), width=100), experiment, rows)
