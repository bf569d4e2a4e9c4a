# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures in the terminal and on pages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from trapeze.reports.figures import Bars, Curve, Distribution, Rows, Scatter, draw
from trapeze.reports.pages.plots import GAP, ROOM, plot

BARS = Bars(
    title="T2, ns",
    unit="ns",
    names=("ours", "theirs"),
    series={"average": (638.15, 746.17), "maximum": (650, 760)},
    ours=1,
)
SPREAD = Distribution(title="T2, cycles", unit="cycles", series={"a": ((100, 3), (104, 9)), "b": ((120, 12),)})

STACK = Rows("area, GE", "GE", ("one", "two"), {"a": ((0, 10), (0, 20)), "b": ((0, 5), None)}, True, (12, None), "them")
RANGES = Rows("latency", "cycles", ("one", "two"), {"calm": ((29, 29), (32, 34)), "divides": ((0, 29), None)})
PLANE = Scatter("cores", "GE", "MHz", {"ours": (("a", 30000, 44.5), ("ab", 31000, 40)), "others": (("c", 36000, 38),)})
CURVE = Curve("area", "sources", "GE", {"rest": ((16, 20), (4096, 90)), "registers": ((16, 200), (4096, 50000))})


def test_bars_in_the_terminal() -> None:
    lines = draw(BARS, 80).plain.splitlines()
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "T2, ns" in lines[0]
    assert re.search(r"^ours +▇+ 638\.15\n +▇+ 650$", text, re.MULTILINE)
    assert re.search(r"^published: theirs +▇+ 746\.17\n +▇+ 760$", text, re.MULTILINE)
    assert "▇▇▇ average ▇▇▇ maximum" in lines[-1]
    assert "\x1b" not in text
    # Colours for the bars; names and values in that of the terminal, whether that is dark or light.
    coloured = {text[span.start : span.end].strip() for span in draw(BARS, 80).spans}
    assert len(coloured) > 1
    assert all(set(part) <= {"▇"} for part in coloured)


def test_distribution_in_the_terminal() -> None:
    text = draw(SPREAD, 80).plain
    assert max(map(len, text.splitlines())) <= 80
    assert "T2, cycles" in text
    assert {"█", "▒"} <= set(text)
    assert re.search(r"^ *12┤", text, re.MULTILINE)
    assert re.search(r"^ *99 .* 121 *$", text, re.MULTILINE)
    alone = draw(Distribution("x", "cycles", {"a": ((102, 400),)}), 80).plain
    assert re.search(r"^ *400┤", alone, re.MULTILINE)
    assert alone.count("█") > 20


def test_curve_in_the_terminal_and_on_a_page() -> None:
    text = draw(CURVE, 80).plain
    assert max(map(len, text.splitlines())) <= 80
    assert "area, GE (both axes logarithmic)" in text
    assert re.search(r"R+ rest", text)
    assert re.search(r"E+ registers", text)
    assert re.search(r"^ *16 +4096 *$", text, re.MULTILINE)
    made = plot(CURVE)
    assert [series["name"] for series in made["data"]] == ["rest", "registers"]
    assert made["data"][1]["y"] == [200, 50000]
    assert made["layout"]["xaxis"]["type"] == made["layout"]["yaxis"]["type"] == "log"


def test_one_figure_leaves_nothing_for_the_next() -> None:
    once = draw(SPREAD, 80)
    draw(BARS, 60)
    assert draw(SPREAD, 80) == once


def test_rows_in_the_terminal() -> None:
    text = draw(STACK, 80).plain
    assert re.search(r"^one +▇+ 15$", text, re.MULTILINE)
    assert "▇▇▇ a ▇▇▇ b" in text
    ranges = draw(replace(RANGES, published=(33, None)), 80).plain
    assert re.search(r"^ +▇+ 34", ranges, re.MULTILINE)
    assert re.search(r"^ +▇+ 33", ranges, re.MULTILINE)
    assert "published" in ranges.splitlines()[-1]


def test_rows_on_a_page() -> None:
    first, second, totals, published = plot(STACK)["data"]
    assert (first["x"], second["x"]) == ([10, 20], [5, None])
    assert (totals["x"], totals["text"]) == ([15, 20], [f"{GAP}15", f"{GAP}20"])
    assert published["x"] == [12, None]
    beyond = plot(replace(STACK, published=(17, None)))["data"][2]
    assert (beyond["x"], beyond["text"]) == ([17, 20], [f"{GAP}15", f"{GAP}20"])
    beside = plot(replace(STACK, stacked=False))
    assert [series["text"] for series in beside["data"][:2]] == [[f"{GAP}10", f"{GAP}20"], [f"{GAP}5", GAP]]
    assert {series["textposition"] for series in beside["data"][:2]} == {"outside"}
    assert beside["layout"]["xaxis"]["range"] == [0, ROOM * 20]
    calm, divides = plot(RANGES)["data"]
    assert (calm["base"], calm["x"], calm["text"]) == ([28.5, 31.5], [1, 3], ["29", "32-34"])
    assert (divides["base"], divides["x"], divides["text"]) == ([0, None], [29, None], ["29", ""])


def test_scatter_in_the_terminal_and_on_a_page() -> None:
    text = draw(PLANE, 80).plain
    assert all(re.search(rf"{letter}+ {name}\b", text) for letter, name in {"A": "a", "B": "ab", "C": "c"}.items())
    ours, others = plot(PLANE)["data"]
    assert (ours["x"], ours["y"], ours["text"]) == ([30000, 31000], [44.5, 40], ["a", "ab"])
    assert others["name"] == "others"
    first, last = plot(PLANE)["layout"]["xaxis"]["range"]
    assert first < 30000 < 36000 < last


def test_published_curve() -> None:
    both = replace(CURVE, published={"176 GE a source": ((16, 2816), (4096, 720896))})
    assert "published: 176 GE a source" in draw(both, 80).plain
    line = plot(both)["data"][-1]
    assert (line["name"], line["meta"], line["y"]) == ("published: 176 GE a source", "published", [2816, 720896])


def test_figures_without_values() -> None:
    with pytest.raises(ValueError, match="every series needs a value for each name"):
        Bars("x", "ns", ("a",), {"average": (1, 2)}, 1)
    with pytest.raises(ValueError, match="there must be one"):
        Distribution("x", "ns", {"a": ()})
    with pytest.raises(ValueError, match="all values above zero"):
        Curve("x", "sources", "GE", {"a": ((16, 0),)})
    with pytest.raises(ValueError, match="every series needs a value for each name"):
        replace(STACK, published=(1,))
    with pytest.raises(ValueError, match="parts of a stack begin at 0"):
        replace(RANGES, stacked=True)
    with pytest.raises(ValueError, match="every group needs a point"):
        Scatter("x", "GE", "MHz", {"ours": ()})


def test_plots_have_all_values() -> None:
    bars = plot(BARS)
    assert [(one["name"], one["x"]) for one in bars["data"]] == [("average", [638.15, 746.17]), ("maximum", [650, 760])]
    assert bars["data"][0]["y"] == ["ours", "published: theirs"]
    spread = plot(SPREAD)
    found = [(one["name"], one["x"], one["y"]) for one in spread["data"]]
    assert found[::2] == [("a", [100, 104], [3, 9])]
    assert "; b always 120;" in spread["layout"]["title"]["text"], "a constant is a number"
    assert found[1::2] == [("a: worst case", [104], [9])]
