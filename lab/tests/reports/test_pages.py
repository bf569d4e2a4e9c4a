# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Pages: what is on them, and that a browser shows it."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from trapeze import experiment_files
from trapeze.commandline import bench, compare
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Experiment
from trapeze.experiments.peers import harness
from trapeze.explaining import worst_case
from trapeze.reports import pages
from trapeze.reports.figures import Distribution
from trapeze.reports.pages import charts
from trapeze.reports.pages import run as run_page
from trapeze.results import store
from trapeze.results.rows import Failure, Row
from trapeze.synth import ecp5, generic, peers
from trapeze.synth.designs import Design
from verify.dev import browser

WIDTHS = (400, 1280, 1920)
THEMES = ("light", "dark")
BROWSER_MS = 6000
"""Milliseconds of the page's own time."""


def rows(experiment: Experiment, shift: float = 0) -> list[Row]:
    """Figures of some rows in all metrics: made up, each row with a spread of its own."""
    made = []
    for place, case in enumerate(experiment.cases[:12]):
        for level, metric in enumerate(experiment.metrics.values()):
            values = [4 + place + 2 * level + shift + step % 3 for step in range(60)]
            made.append(Row.of(values, engine="rtl", unit=metric.unit, **case.row(metric.name)))
    return made


def part(name: str, shift: float = 0) -> run_page.Part:
    experiment = experiment_files.load(name)
    figure = Distribution("T2 < 5", "cycles", {"a": ((100, 3), (104, 9))})
    return run_page.Part(
        experiment, rows(experiment, shift), [figure], pages.text(lambda console: console.print("x < 1,234"))
    )


def result(parts: list[run_page.Part]) -> dict[str, Any]:
    names = "+".join(one.experiment.name for one in parts)
    return store.build(names, [row for one in parts for row in one.rows])


def parts_of(design: Design) -> dict[str, float]:
    """Areas of a CLIC, or of a core with so many banks."""
    if design.top == "tz_clic":
        number = float(design.parameters["NumSources"])
        return {"registers": 120 * number + 50, "gateways": 30 * number, "tree": 50 * number, "rest": 200 + number}
    banks = int(design.fields.get("NumBanks", "32'h0").partition("h")[2], 16)
    return {"if": 2000.0, "id": 1500.0, "regfile": 10000.0 + 6000 * banks, "ex": 10000.0, "fastirq": 2000.0 * banks}


@pytest.fixture(scope="module")
def silicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of what synthesizes, with made-up answers of the tools."""
    found: dict[str, list[float]] = {
        "latency": [32, 34],
        "latency-divides": [32, 69],
        "iteration": [9],
        "checksum": [5],
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generic, "parts", parts_of)
        patch.setattr(generic, "whole", lambda design: generic.Whole(30000.0 + 100 * len(design.name), 7))
        patch.setattr(generic, "transistor_ge", lambda design: 40000.0 + len(design.name))
        patch.setattr(ecp5, "cells", lambda _: ecp5.Cells(5000, 300, 32, 957, 0, 4))
        patch.setattr(ecp5, "frequency", lambda design, seed, _: 40.0 + seed + len(design.name))
        patch.setattr(harness, "measure", lambda _: found)
        patch.setattr(peers, "design", lambda name: Design(name, name, ()))
        patch.setattr(peers, "in_pins", lambda name: Design(name, name, ()))
        parts = []
        for name in ("clic-area", "core-area", "peers"):
            experiment = experiment_files.load(name)
            kind = bench.KINDS[experiment.kind]
            measured = bench.measure(experiment, quick=False).rows
            printed = pages.text(partial(kind.show, experiment=experiment, rows=measured))
            parts.append(run_page.Part(experiment, measured, kind.figures(experiment, measured), printed))
    return run_page.write(tmp_path_factory.mktemp("silicon"), result(parts), parts, quick=False)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of two experiments."""
    parts = [part("irq-latency"), part("context-switch", 100)]
    return run_page.write(tmp_path_factory.mktemp("page"), result(parts), parts, quick=True)


class Charts(HTMLParser):
    """Collects the charts of a page, and what it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.charts: list[dict[str, Any]] = []
        self.fetched: list[str] = []
        self._data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See what the element wants."""
        named = dict(attrs)
        self._data = tag == "script" and named.get("type") == "application/json"
        wanted = named.get("src") or (named.get("href") if tag == "link" else None)
        if wanted and not wanted.startswith("data:"):
            self.fetched.append(wanted)

    def handle_data(self, data: str) -> None:
        """Read a chart."""
        if self._data:
            self.charts.append(json.loads(data))
            self._data = False


def test_page_is_whole(page: Path) -> None:
    """One file with everything in it; what was printed is there as it was."""
    text = page.read_text()
    found = Charts(text)
    assert found.fetched == []
    assert "x &lt; 1,234" in text
    assert "A quick run" in text
    assert text.count('class="chart"') == len(found.charts)
    titles = [chart["layout"]["title"]["text"] for chart in found.charts]
    assert titles.count("T2 < 5; diamond: worst case") == 2
    assert sum("What it consists of" in title for title in titles) == 2
    assert any("diamond: worst case" in title for title in titles)
    assert "commit" in text
    assert len(text) > 4_000_000, "the library that draws is part of the page"


def test_first_screen(page: Path) -> None:
    """The figure that answers each experiment's question, not the most flattering one; and how the figures stand."""
    one = part("irq-latency")
    assert one.experiment.answers is not None
    others = run_page.headlines([one])[0].line
    assert others.row.id == one.rows[0].id, "its row was not measured: the first one that is held against another"
    wanted = next(case for case in one.experiment.cases if case.id == one.experiment.answers.row)
    row = Row.of([5, 50], engine="rtl", unit="cycles", **wanted.row("latency"))
    line = run_page.headlines([replace(one, rows=[*one.rows, row])])[0].line
    assert (line.row.id, line.worst) == ("fastirq/ilp32", 50)
    assert line.worst > min(row.statistics.max for row in one.rows if row.metric == "latency" and row.published)
    standings = run_page.standings([one])
    assert sum(standings.values()) == sum(row.published is not None for row in one.rows)
    assert f"{others.row.published:g}" in page.read_text().split("</nav>")[0]


def test_first_screen_counts_answers() -> None:
    """What holds or not is no measure: how many are as published, and no bars of ones and noughts."""
    experiment = experiment_files.load("preemption")
    answers = [
        Row.of([case.published["holds"].value], engine="rtl", unit="yes/no", **case.row("holds"))
        for case in experiment.cases
        if case.published
    ]
    wrong = [Row.of([1 - (row.published or 0)], engine="rtl", **vars_of(row)) for row in answers[:1]]
    one = run_page.Part(experiment, [*wrong, *answers[1:]], [], Markup())
    (headline,) = run_page.headlines([one])
    assert (headline.same, headline.count) == (len(answers) - 1, len(answers))
    assert charts.charts(experiment, one.rows) == []


def vars_of(row: Row) -> dict[str, Any]:
    """What a row has beside its sample and engine."""
    return {name: getattr(row, name) for name in ("id", "config", "metric", "unit", "labels", "published", "source")}


def test_constants_are_numbers() -> None:
    """n equal values: one cell, no curve, no histogram."""
    experiment = experiment_files.load("irq-latency")
    metric = experiment.metrics["latency"]
    first, second = experiment.cases[:2]
    always = Row.of([29] * 60, engine="rtl", unit="cycles", **first.row("latency"))
    spread = Row.of([29, 30] * 30, engine="rtl", unit="cycles", **second.row("latency"))
    assert charts.distribution(metric, [always]) is None
    assert charts.histogram(metric, [always]) is None
    drawn = charts.distribution(metric, [always, spread])
    assert drawn is not None
    assert {one["legendgroup"] for one in drawn["data"]} == {second.id}


def test_tables_of_constants(tmp_path: Path) -> None:
    experiment = experiment_files.load("irq-latency")
    cases = experiment.cases[:2]
    always = [Row.of([29] * 60, engine="rtl", unit="cycles", **case.row("latency")) for case in cases]
    spread = Row.of([29, 30] * 30, engine="rtl", unit="cycles", **experiment.cases[2].row("latency"))
    for rows, says, headings in ((always, "<td>29</td>", 0), ([*always, spread], "always 29</td>", 1)):
        one = run_page.Part(experiment, rows, [], Markup())
        text = run_page.write(tmp_path, result([one]), [one], quick=False).read_text()
        assert text.count(says) == 2
        assert text.count(">p99.9</th>") == headings


def test_answers_are_ticks_and_crosses(tmp_path: Path) -> None:
    experiment = experiment_files.load("preemption")
    rows = [
        Row.of([int(case.labels["test"] != "by-level")], engine="rtl", unit="yes/no", **case.row("holds"))
        for case in experiment.cases
    ]
    one = run_page.Part(experiment, rows, [], Markup())
    text = run_page.write(tmp_path, result([one]), [one], quick=False).read_text()
    (made,) = re.findall(r'<table class="matrix">.*?</table>', text, re.DOTALL)
    lines = {re.sub("<[^>]*>", "", line).split(":")[0].strip(): line for line in made.split("<tr>")}
    assert [lines["vertical"].count(mark) for mark in "\u2713\u2717"] == [2, 0]
    assert [lines["by-level"].count(mark) for mark in "\u2713\u2717"] == [1, 2], "and that one was published as yes"
    assert "of two that are pending the order follows the level" in lines["by-level"]
    assert "as many upper bits of ctl are the level" in lines["mnlbits-3"]


def test_what_is_measured_again_is_no_verdict(tmp_path: Path) -> None:
    """The published figure of the same thing: how near we come, apart from what is better or worse."""
    experiment = experiment_files.load("peers")
    rows = [
        Row.of([6000], engine="ecp5", unit="LUTs", **case.row("lut4"))
        for case in experiment.cases
        if "lut4" in case.published
    ]
    one = run_page.Part(experiment, rows, [], Markup())
    assert run_page.standings([one]) == {"worse": 1, "within": 2}
    text = run_page.write(tmp_path, result([one]), [one], quick=False).read_text()
    assert '<span class="chip within">within 9 %</span>' in text
    assert "Of 1 figure that" in text


def test_order_of_the_page(page: Path, silicon: Path) -> None:
    """What answers the question comes first; whatever else there is stays as it was."""
    found = [re.findall(r'<h2 id="([a-z-]+)">', one.read_text()) for one in (page, silicon)]
    assert found[0] == ["irq-latency", "context-switch", "provenance"]
    assert found[1] == ["clic-area", "core-area", "peers", "provenance"]


def test_charts_of_silicon(silicon: Path) -> None:
    """Curves, stacks, planes and ranges, with what was published; one chart for each metric is not needed then."""
    text = silicon.read_text()
    titles = [chart["layout"]["title"]["text"] for chart in Charts(text).charts]
    for wanted in ("Area of the CLIC by sources", "What each source more than 16 costs", "Area of the core by part"):
        assert any(title.startswith(wanted) for title in titles)
    assert "What fastirq adds, ilp32, %" in titles
    assert "Area and frequency: up and to the left is better" in titles
    assert any(title.startswith("Latency at every phase") for title in titles)
    assert not any("ours and published" in title for title in titles)
    assert ">p99</th>" not in text.split('id="core-area"')[1].split("</section>")[0], "one value has no percentiles"


def test_timelines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timelines of worst cases are in the page; the way to others is."""
    experiment = experiment_files.load("irq-latency")
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    first, second = experiment.cases[:2]
    folder = first.elf(experiment.name).parent
    folder.mkdir(parents=True)
    worst_case.timeline(first.elf(experiment.name)).write_text('{"traceEvents": []}')
    worst_case.timeline(second.elf(experiment.name)).write_bytes(random.Random(1).randbytes(run_page.TIMELINE_BYTES))
    measured = [
        Row.of(
            [4, 5],
            engine="rtl",
            unit="cycles",
            **case.labelled({worst_case.LABEL: f"raised, {case.id}"}).row("latency"),
        )
        for case in (first, second)
    ]
    one = run_page.Part(experiment, measured, [], Markup())
    text = run_page.write(tmp_path, result([one]), [one], quick=False).read_text()
    name = f"worst-irq-latency-{first.id.replace('/', '-')}-latency"
    (link,) = re.findall(r'href="data:application/gzip;base64,([^"]+)" download="([^"]+)"', text)
    assert link[1] == f"{name}.json.gz"
    assert json.loads(gzip.decompress(base64.b64decode(link[0]))) == {"traceEvents": []}
    assert f'href="#{name}">5</a>' in text
    assert f'<tr id="{name}">' in text
    assert f"raised, {second.id}" in text
    assert "too long for this page" in text


def test_worst_case_is_marked() -> None:
    experiment = experiment_files.load("irq-latency")
    metric = experiment.metrics["latency"]
    chart = charts.distribution(metric, rows(experiment))
    assert chart is not None
    assert f"{charts.SERIES} of 12 rows" in chart["layout"]["title"]["text"]
    steps = charts.histogram(metric, rows(experiment))
    assert steps is not None
    for bar, mark in zip(steps["data"][::2], steps["data"][1::2], strict=True):
        assert (mark["x"], mark["y"]) == ([bar["x"][-1]], [bar["y"][-1]])
    curves = [one for one in chart["data"] if one["mode"] == "lines"]
    marks = [one for one in chart["data"] if one["mode"] == "markers"]
    for curve, mark in zip(curves, marks, strict=True):
        assert mark["x"] == [max(curve["x"])]
        assert curve["y"][-1] == 1
        assert curve["y"] == sorted(curve["y"])


def test_stages_add_up() -> None:
    experiment = experiment_files.load("irq-latency")
    chart = charts.stages(experiment, rows(experiment))
    assert chart is not None
    totals = [sum(values) for values in zip(*(series["x"] for series in chart["data"]), strict=True)]
    means = {row.id: row.statistics.mean for row in rows(experiment) if row.metric == "retire"}
    assert totals == pytest.approx([means[name] for name in chart["data"][0]["y"]])


def test_page_that_cannot_be_written(tmp_path: Path) -> None:
    parts = [part("irq-latency")]
    with pytest.raises(TrapezeError, match=r"index\.html: cannot be written"):
        run_page.write(tmp_path / "none", result(parts), parts, quick=False)


def browse(page: Path, width: int, theme: str, folder: Path) -> tuple[str, str]:
    """Open a page in Chromium, inside of a frame of this width: narrower than its windows can be.

    Returns:
        The page's elements when it has been drawn, and what the browser complained of.
    """
    frame = folder / f"frame-{width}-{theme}.html"
    frame.write_text(
        f'<iframe id="page" src="{page.resolve().as_uri()}?theme={theme}" style="width: {width}px; height: 3000px">'
        "</iframe>"
        "<script>setTimeout(() => { const inside = document.getElementById('page').contentDocument;"
        "const wide = inside.documentElement.scrollWidth - inside.documentElement.clientWidth;"
        "const facts = {};"
        "const all = [...inside.querySelectorAll('.scroll')];"
        "facts.cut = all.filter((one) => one.scrollHeight > one.clientHeight + 1).length;"
        "const navigation = inside.querySelector('nav');"
        "facts.navigation = navigation ? navigation.scrollWidth - navigation.clientWidth : 0;"
        "const sign = (one) => inside.defaultView.getComputedStyle(one, '::before').content;"
        "facts.signs = [...new Set([...inside.querySelectorAll('.chip')].map(sign))].join(' ');"
        "inside.defaultView.dispatchEvent(new Event('beforeprint'));"
        "facts.closed = inside.querySelectorAll('details:not([open])').length;"
        "facts.printed = inside.documentElement.dataset.theme;"
        "inside.defaultView.dispatchEvent(new Event('afterprint'));"
        "document.body.innerHTML = ''; const copy = document.createElement('div');"
        "copy.append(document.importNode(inside.documentElement, true));"
        "copy.dataset.wide = wide;"
        "Object.assign(copy.dataset, facts);"
        "document.body.append(copy); }, 3000);</script>"
    )
    return browser.elements(frame.as_uri(), folder, BROWSER_MS, allow_files=True)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["page", "silicon"])
def test_browser(name: str, width: int, theme: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every chart is drawn, nothing is wider than the page, and the console is silent."""
    page: Path = request.getfixturevalue(name)
    elements, complaints = browse(page, width, theme, tmp_path)
    assert complaints == ""
    wanted = len(Charts(page.read_text()).charts)
    assert len(re.findall(r'<figure class="chart">', elements)) == wanted
    drawn = re.findall(r'class="js-plotly-plot"', elements)
    assert len(drawn) == wanted
    assert f'data-theme="{theme}"' in elements
    assert 'data-wide="0"' in elements
    assert 'data-cut="0"' in elements, "tables show every row"
    assert 'data-navigation="0"' in elements, "it goes on in the next line"
    assert 'data-closed="0"' in elements, "what is closed on the screen is printed"
    assert 'data-printed="light"' in elements
    (signs,) = re.findall(r'data-signs="([^"]*)"', elements)
    assert "none" not in signs, "a verdict is more than a colour"


def test_rows_that_failed(tmp_path: Path) -> None:
    """They are on the first screen with their error, however long that is, and it does not make the page wider."""
    error = "ld: cannot find " + "x" * 400
    one = part("irq-latency")
    lost = [Failure("irq-latency", "fastirq/ilp32", error)]
    page = run_page.write(tmp_path, store.build("irq-latency", one.rows, failed=lost), [one], quick=False)
    assert error in page.read_text().split("</nav>")[0]
    elements, complaints = browse(page, 400, "light", tmp_path)
    assert complaints == ""
    assert 'data-wide="0"' in elements


def test_browser_complains(tmp_path: Path) -> None:
    """The checks above are able to fail."""
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<!DOCTYPE html><script>nothing.there()</script><div style='width: 450px; height: 1px'></div>")
    elements, complaints = browse(wrong, 400, "light", tmp_path)
    assert "nothing is not defined" in complaints
    assert 'data-wide="0"' not in elements


# ---------------------------------------------------------------- what changed


def test_compare() -> None:
    before, after = result([part("irq-latency")]), result([part("irq-latency")])
    first, second, third, *_ = after["rows"]
    first.update(max=first["max"] + 5, mean=first["mean"] + 1)
    second.update(p50=second["p50"] - 1)
    third.update(id="something/else")
    found = compare.compare(before, after)
    assert [one.verdict for one in found.changes] == ["worse", "better"]
    assert found.new == (f"something/else {third['metric']}",)
    assert len(found.gone) == 1
    assert found.same == len(before["rows"]) - 3
    assert "2 of" in found.summary


def test_compare_mixed() -> None:
    before, after = result([part("irq-latency")]), result([part("irq-latency")])
    after["rows"][0].update(p50=0, max=1000)
    after["rows"][1]["histogram"][0] = [3.5, 1]
    assert [one.verdict for one in compare.compare(before, after).changes] == ["mixed", "other samples"]


def test_compare_draws_what_moved(tmp_path: Path) -> None:
    before, after = result([part("irq-latency")]), result([part("irq-latency")])
    after["rows"][0].update(p50=after["rows"][0]["p50"] + 1)
    after["rows"][1].update(max=after["rows"][1]["max"] + 1)
    for name, value in {"a": before, "b": after}.items():
        store.write(tmp_path / f"{name}.json", value)
    compare.run(tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.html")
    (chart,) = Charts((tmp_path / "c.html").read_text()).charts
    row = before["rows"][0]
    assert chart["data"][0]["y"] == [f"{row['id']} {row['metric']}"]


def test_compare_command(trapeze: Any, tmp_path: Path) -> None:
    a, b, page = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "what.html"
    store.write(a, result([part("irq-latency")]))
    store.write(b, result([part("irq-latency", 1)]))
    said = trapeze("compare", a, b, "--html", page)
    assert said.code == 0, said.err
    assert "worse" in said.out
    assert max(map(len, said.out.splitlines()[:-1])) <= 100
    elements, complaints = browse(page, 400, "dark", tmp_path)
    assert complaints == ""
    assert "js-plotly-plot" in elements
    same = trapeze("compare", a, a)
    assert same.out.startswith("0 of ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a.json", "none.json"], "none.json"),
        (["a.json", "b.json", "--html", "x.txt"], "must end with .html"),
        (["a.json", "c.json"], "no row is in both"),
        (["a.json", "d.json"], "not to be compared"),
    ],
)
def test_compare_refuses(
    arguments: list[str], says: str, trapeze: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = {name: result([part("irq-latency")]) for name in "abcd"}
    for row in made["c"]["rows"]:
        row["id"] += "/other"
    made["d"]["rows"][0]["unit"] = "ns"
    for name, value in made.items():
        store.write(tmp_path / f"{name}.json", value)
    said = trapeze("compare", *arguments)
    assert said.code == 2
    assert says in said.err
    assert "Traceback" not in said.err
    assert not (tmp_path / "x.txt").exists()
