# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: heat maps against the table, the front, synthesis, and the commands of worst runs."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trapeze.campaigns import fronts, grids, page, plan, silicon
from trapeze.campaigns.fronts import Point
from trapeze.campaigns.plan import Plan
from trapeze.campaigns.silicon import Silicon
from trapeze.campaigns.store import COLUMNS
from trapeze.common import paths
from trapeze.synth import ecp5, generic
from verify.dev.testing import Trapeze

FILE: dict[str, Any] = {
    "schema": plan.SCHEMA_NAME,
    "name": "phases",
    "program": {"elf": "main.elf"},
    "configs": [
        {"name": "mcu-fastirq", "set": {"banks": [0, 4], "shared_port": [False, True]}},
        {"name": "mcu-fastirq", "set": {"sources": [128]}},
    ],
    "edge": {"line": 3},
    "phases": {"from": 1000, "to": 1039},
    "waits": [{}, {"data": 64}],
    "max_cycles": 100_000,
    "silicon": ["area"],
}


@pytest.fixture
def campaign(tmp_path: Path) -> Plan:
    """A campaign over two parameters of a configuration, with a third one in another entry."""
    path = tmp_path / "campaign.yaml"
    path.write_text(yaml.safe_dump(FILE))
    return plan.load(path)


def measured(campaign: Plan) -> pa.Table:
    """A table of its cases, with made-up latencies, of which some are missing, and runs that failed."""
    rows = []
    for number in campaign.numbers(None):
        case = campaign.case(number)
        worst = None if number % 7 == 0 else 10 + number * 37 % 101
        row = dict.fromkeys(COLUMNS.names) | case.parameters()
        rows.append(row | {"number": number, "worst": worst, "code": int(number % 13 == 0), "ended": "exit, code 0"})
    return pa.Table.from_pylist(rows, COLUMNS)


def test_heat_maps_hold_the_worst_of_the_table(campaign: Plan) -> None:
    """Each cell is that of the rows with both values, by the plain words; what an entry leaves out is the default."""
    table = measured(campaign)
    found = grids.grids(campaign, table)
    maps = {frozenset((grid.down.name, grid.across.name)): grid for grid in found.shown}
    assert found.count == len(list(itertools.combinations(("banks", "shared_port", "sources", "waits", "phase"), 2)))
    assert [grid.within for grid in found.shown] == [False] * 6
    assert [grid.spread for grid in found.shown] == sorted((grid.spread for grid in found.shown), reverse=True)
    grid = maps[frozenset(("banks", "waits"))]
    chart = page.heat_map(grid, found.limits)["data"][0]
    assert (chart["y"], chart["x"]) == (["none", "instr 0, data 64"], ["0", "2", "4"])
    for (down, wait), (across, banks) in itertools.product(enumerate((0, 64)), enumerate((0, 2, 4))):
        # banks-2 is the default, which the entry with 128 sources has.
        word = "sources-128" if banks == 2 else f"banks-{banks}."
        rows = [row for row in table.to_pylist() if row["wait_data"] == wait and word in row["config"]]
        assert chart["z"][down][across] == max(row["worst"] for row in rows if row["worst"] is not None)
        assert grid.cells[down][across].runs == len(rows)
        assert grid.cells[down][across].failed == sum(row["code"] for row in rows)
    empty = maps[frozenset(("banks", "sources"))]
    assert {cell.worst for cells in empty.cells for cell in cells if not cell.runs} == {None}
    assert sum(cell.runs for cells in empty.cells for cell in cells) == table.num_rows


def test_many_numbers_share_columns(campaign: Plan) -> None:
    table = measured(campaign)
    phase = {one.name: one for one in grids.parameters(campaign, table)}["phase"]
    assert len(phase.labels) == grids.MOST_VALUES
    for label, value in zip((phase.labels[one] for one in phase.places), table["phase"].to_pylist(), strict=True):
        first, _, last = label.partition("-")
        assert int(first) <= value <= int(last or first)


def test_the_front_has_ties_and_names_what_dominates() -> None:
    """Equals are of the front together; a point that is as good in one and worse in the other is dominated."""
    points = [
        Point("slow", 30, 100, None),
        Point("beaten", 30, 110, None),
        Point("fast", 4, 200, None),
        Point("twin", 4, 200, None),
        Point("middle", 10, 150, None),
    ]
    judged = fronts.judged(points)
    assert [(one.point.name, one.by) for one in judged] == [
        ("fast", ()),
        ("twin", ()),
        ("middle", ()),
        ("slow", ()),
        ("beaten", ("slow",)),
    ]
    # A faster clock makes what was dominated one of the front.
    clocked = [Point("slow", 30, 100, 50.0), Point("beaten", 30, 110, 60.0), Point("worse", 31, 110, 60.0)]
    assert {one.point.name: one.by for one in fronts.judged(clocked)} == {
        "slow": (),
        "beaten": (),
        "worse": ("beaten",),
    }


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=9))
def test_every_dominated_point_is_by_one_of_the_front(costs: list[tuple[int, int]]) -> None:
    judged = fronts.judged([Point(str(place), worst, area, None) for place, (worst, area) in enumerate(costs)])
    front = {one.point.name: one.point for one in judged if not one.by}
    assert front
    for one in judged:
        worst, area = costs[int(one.point.name)]
        beaten = any(its[0] <= worst and its[1] <= area and its != (worst, area) for its in costs)
        assert bool(one.by) == beaten
        assert set(one.by) <= front.keys()


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ({"silicon": ["aera"]}, "silicon.0: 'aera' is not a choice; did you mean 'area'?"),
        ({"silicon": []}, "silicon: [] should be non-empty"),
        ({"silicon": True}, "silicon: True is not of type 'array'"),
        (
            {"silicon": ["area"], "configs": [{"name": "amp"}]},
            "silicon: configuration amp has no RTL to synthesize; leave it out",
        ),
    ],
)
def test_refusals_of_silicon(trapeze: Trapeze, tmp_path: Path, key: dict[str, object], says: str) -> None:
    path = tmp_path / "campaign.yaml"
    path.write_text(yaml.safe_dump(FILE | key))
    said = trapeze("campaign", path, "--dry-run")
    assert said.code == 2
    assert said.error.startswith(f"trapeze: error: {path}: ")
    assert says in said.error


def test_the_study_of_the_book_is_read() -> None:
    """Its page shows what it found; here its files are held to what it says of them."""
    folder = paths.BENCH / "fastirq-study"
    study, sources = plan.load(folder / "study.yaml"), plan.load(folder / "sources.yaml")
    banks = {(one.entry, one.value("banks"), one.value("shared_port")) for one in study.chosen.values()}
    assert banks >= {("fastirq.yaml", number, shared) for number in range(5) for shared in (False, True)}
    assert {one.value("sources") for one in sources.chosen.values()} == {16, 256, 1024, 4096}


def test_silicon_is_of_core_and_controller(campaign: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """The area is the core's and the CLIC's parts, the clock that of the best placement."""
    asked: list[str] = []

    def whole(design: Any) -> Any:
        asked.append(design.name)
        return generic.Whole(ge=1000.4, flip_flops=1)

    monkeypatch.setattr(generic, "whole", whole)
    monkeypatch.setattr(generic, "parts", lambda _: {"tree": 200.0, "registers": 30.0})
    monkeypatch.setattr(ecp5, "frequency", lambda _, seed: 50.0 + seed % 3)
    configs = campaign.configs[:2]
    found = silicon.measure(configs, ["area"], lambda *_: None)
    assert found == {one.name: Silicon(area=1230, clock=None) for one in configs}
    assert {name.split()[-1] for name in asked} == {"core"}
    found = silicon.measure(configs, ["clock"], lambda *_: None)
    assert found == {one.name: Silicon(area=None, clock=52.0) for one in configs}


class Elf:
    """In the place of the requests: the program of each case."""

    def elf(self, case: Any) -> Path:
        """Of any case."""
        del case
        return Path("main.elf")


def test_the_page(campaign: Plan, tmp_path: Path) -> None:
    """It has the commands of the worst runs, in order, and needs no other file."""
    table = measured(campaign)
    about = {"versions": {"trapeze": "1"}, "sample": None}
    cost = {name: Silicon(area=100.0 + place) for place, name in enumerate(campaign.chosen)}
    requests: Any = Elf()
    worst = page.worst_runs(campaign, requests, table)
    every = [row for row in table.to_pylist() if row["worst"] is not None]
    wanted = sorted(every, key=lambda row: (-row["worst"], row["number"]))[: page.WORST_RUNS]
    assert [row["number"] for row in worst] == [row["number"] for row in wanted]
    words = shlex.split(worst[0]["command"])
    assert words[: len(paths.COMMAND.split())] == paths.COMMAND.split()
    assert f"3@{worst[0]['phase']}" in words
    text = page.write(tmp_path, campaign, requests, table, about, cost).read_text()
    assert text.count('class="chart"') == 6 + 1 + 1
    assert "These are 6 of 10 pairs" in text
    assert worst[0]["command"] in text
    assert '<link rel="stylesheet"' not in text
