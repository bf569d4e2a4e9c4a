# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures in the terminal and on pages."""

from __future__ import annotations

import re

import pytest

from trapeze.figures import Bars, Curve, Distribution, draw, plot

BARS = Bars(
    title="T2, ns",
    unit="ns",
    names=("ours", "theirs"),
    series={"average": (638.15, 746.17), "maximum": (650, 760)},
    ours=1,
)
SPREAD = Distribution(title="T2, cycles", unit="cycles", series={"a": ((100, 3), (104, 9)), "b": ((120, 12),)})

CURVE = Curve("area", "sources", "GE", {"rest": ((16, 20), (4096, 90)), "registers": ((16, 200), (4096, 50000))})


def test_bars_in_the_terminal() -> None:
    lines = draw(BARS, 80).plain.splitlines()
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "T2, ns" in lines[0]
    assert re.search(r"^ours +▇+ 638\.15\n +▇+ 650\.00$", text, re.MULTILINE)
    assert re.search(r"^published: theirs +▇+ 746\.17\n +▇+ 760\.00$", text, re.MULTILINE)
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


def test_figures_without_values() -> None:
    with pytest.raises(ValueError, match="every series needs a value for each name"):
        Bars("x", "ns", ("a",), {"average": (1, 2)}, 1)
    with pytest.raises(ValueError, match="there must be one"):
        Distribution("x", "ns", {"a": ()})
    with pytest.raises(ValueError, match="all values above zero"):
        Curve("x", "sources", "GE", {"a": ((16, 0),)})


def test_plots_have_all_values() -> None:
    bars = plot(BARS)
    assert [(one["name"], one["y"]) for one in bars["data"]] == [("average", [638.15, 746.17]), ("maximum", [650, 760])]
    assert bars["data"][0]["x"] == [["this platform", "published"], ["ours", "theirs"]]
    spread = plot(SPREAD)
    assert [(one["name"], one["x"], one["y"]) for one in spread["data"]] == [
        ("a", [100, 104], [3, 9]),
        ("b", [120], [12]),
    ]
