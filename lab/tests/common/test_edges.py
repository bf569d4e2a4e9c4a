# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What users write of edges: each text is what it says, is printed as it can be read again, or is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.common.edges import Edge, EdgeRange, Place, Stimulus
from trapeze.common.errors import TrapezeError

LINES = st.integers(0, 4095)
CYCLES = st.integers(0, 2**62)
PULSES = st.integers(1, 2**62)
HIGH = {"": 0, ":level": 0, ":pulse": 1}
"""Cycles that a line is high by the shape of its edge; 0: until its interrupt is claimed."""

shapes = st.one_of(st.sampled_from(list(HIGH.items())), PULSES.map(lambda n: (f":pulse={n}", n)))
edges = st.builds(Edge, LINES, CYCLES, shapes.map(lambda one: one[0]), LINES)
ranges = st.tuples(LINES, st.tuples(CYCLES, CYCLES).map(sorted), shapes, LINES).map(
    lambda one: EdgeRange(one[0], one[1][0], one[1][1], one[2][0], one[3])
)


@st.composite
def numbers(draw: st.DrawFn, values: st.SearchStrategy[int]) -> tuple[str, int]:
    """A number, and one of the ways to write it."""
    value = draw(values)
    return draw(st.sampled_from([str(value), f"{value:#x}", f"0X{value:X}", f"00{value}"])), value


@given(numbers(LINES), numbers(LINES), numbers(CYCLES), numbers(CYCLES), shapes)
def test_an_edge_is_what_it_says(
    hart: tuple[str, int], line: tuple[str, int], one: tuple[str, int], two: tuple[str, int], shape: tuple[str, int]
) -> None:
    where = {"hart": hart[1], "line": line[1], "pulse": shape[1]}
    assert Edge.parse(f"{hart[0]}:{line[0]}@{one[0]}{shape[0]}").to_json() == {**where, "cycle": one[1]}
    assert Edge.parse(f"{line[0]}@{one[0]}{shape[0]}").to_json() == {**where, "cycle": one[1], "hart": 0}
    text = f"{hart[0]}:{line[0]}@{one[0]}..{two[0]}{shape[0]}"
    if one[1] > two[1]:
        with pytest.raises(TrapezeError, match="the range is reversed"):
            EdgeRange.parse(text)
        return
    found = EdgeRange.parse(text)
    assert found.to_json() == {**where, "from": one[1], "to": two[1], "text": str(found)}
    assert (found.at(two[1]).to_json(), found.raises(hart[1], line[1])) == ({**where, "cycle": two[1]}, True)
    assert not found.raises(hart[1] + 1, line[1])
    assert not found.raises(hart[1], line[1] + 1)


@given(edges, ranges)
def test_what_is_printed_is_read_again(edge: Edge, swept: EdgeRange) -> None:
    assert Edge.parse(str(edge)) == edge
    assert EdgeRange.parse(str(swept)) == swept


@given(edges, st.sampled_from(["hart", "line", "cycle", "pulse"]), st.integers(1, 2**70))
def test_what_is_too_large_is_refused(edge: Edge, what: str, more: int) -> None:
    """By each of an edge, a range and a stimulus."""
    limit = 4095 if what in ("hart", "line") else 2**62
    fields: dict[str, Any] = {"shape": f":pulse={limit + more}"} if what == "pulse" else {what: limit + more}
    wrong = replace(edge, **fields)
    with pytest.raises(TrapezeError, match="--irq"):
        Edge.parse(str(wrong))
    with pytest.raises(TrapezeError, match="--sweep"):
        EdgeRange.parse(str(EdgeRange(wrong.line, 0, wrong.cycle, wrong.shape, wrong.hart)))
    pulse = {"pulse": limit + more} if what == "pulse" else {}
    with pytest.raises(TrapezeError, match="--stimulus"):
        Stimulus.parse(text_of(wrong.hart, wrong.line, {"exp": 5, "from": wrong.cycle, **pulse}))


@given(
    st.tuples(numbers(st.integers(0, 99)), numbers(st.integers(0, 99)), st.booleans(), st.booleans()),
    st.integers(0, 99),
)
def test_a_range_from_a_place_counts_from_there(
    made: tuple[tuple[str, int], tuple[str, int], bool, bool], reached: int
) -> None:
    """A number counts from the place in front of it; a second place counts for itself."""
    (first, a), (last, b), named, both = made
    at = {Place("pc", "main"): reached, Place("marker", "7"): 2 * reached + 200}
    text = f"2:3@main{f'+{first}' if named else ''}..{f'marker:7+{last}' if both else last}"
    begin = reached + (a if named else 0)
    end = (2 * reached + 200 if both else reached) + b
    if end < begin:
        with pytest.raises(TrapezeError, match="reversed"):
            EdgeRange.parse(text, first_cycle=lambda _, place: at[place])
    else:
        assert EdgeRange.parse(text, first_cycle=lambda _, place: at[place]) == EdgeRange(3, begin, end, "", 2)


def text_of(hart: int, line: int, keys: dict[str, Any]) -> str:
    return (f"{hart}:" if hart else "") + f"{line}:" + ",".join(f"{key}={value}" for key, value in keys.items())


SMALL = st.integers(1, 2**20)
optional = st.fixed_dictionaries({}, optional={"n": SMALL, "seed": st.integers(0, 2**62), "pulse": PULSES})


@given(LINES, LINES, optional, st.data())
def test_a_stimulus_is_what_it_says(hart: int, line: int, keys: dict[str, int], data: st.DataObject) -> None:
    """Periods, ranges of gaps, means and files; with the keys in any order."""
    gaps = data.draw(st.sampled_from(["every", "uniform", "exp", "file"]))
    least, more = data.draw(SMALL), data.draw(st.integers(0, 2**20))
    form: dict[str, object] = {"uniform": f"{least}..{least + more}", "file": "a b.txt"}
    words: dict[str, Any] = {gaps: form.get(gaps, least), **keys}
    wanted: dict[str, object] = {
        "from": least if gaps == "every" else 0,
        "burst": 1,
        "burst_gap": 0,
        "seed": 1,
        "pulse": 0,
    }
    wanted |= {"gaps": gaps, "hart": hart, "line": line, **keys}
    if gaps == "file":
        wanted["file"] = "a b.txt"
    else:
        wanted |= {"least": least, "most": least + more if gaps == "uniform" else least}
        if data.draw(st.booleans()):
            words["from"] = wanted["from"] = data.draw(CYCLES)
        count, gap = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 99))
        if gaps != "every" or (count - 1) * gap < least:
            words["burst"] = f"{count}x{gap}"
            wanted |= {"burst": count, "burst_gap": gap}
    text = text_of(hart, line, dict(data.draw(st.permutations(list(words.items())))))
    assert Stimulus.parse(text).to_json() == wanted | {"text": text}


@given(st.integers(-1, 1), st.integers(2, 9), st.integers(2, 30), st.integers(1, 99), st.integers(1, 99))
def test_a_stimulus_that_cannot_be_is_refused(more: int, count: int, gap: int, one: int, two: int) -> None:
    """A burst that is not over before the next one, and reversed gaps; no other one."""
    period = (count - 1) * gap + more
    for text, wrong in (
        (f"3:every={period},burst={count}x{gap}", more <= 0),
        (f"3:uniform={one}..{two}", one > two),
    ):
        if wrong:
            with pytest.raises(TrapezeError, match="--stimulus"):
                Stimulus.parse(text)
        else:
            assert str(Stimulus.parse(text)) == text


@given(st.sampled_from(["main", "marker:2", "a.b$c"]), st.integers(0, 99), st.integers(0, 2**30), st.booleans())
def test_a_stimulus_from_a_place_has_its_cycle(place: str, offset: int, reached: int, last: bool) -> None:
    words = ["every=9", f"from={place}+{offset}", "n=4"]
    one = Stimulus.parse("1:3:" + ",".join(words if last else words[::-1]))
    with pytest.raises(TrapezeError, match="is a place of a run in cycles"):
        one.to_json()
    asked = []
    known = one.from_place(lambda hart, at: asked.append((hart, str(at))) or reached)  # type: ignore[func-returns-value]
    assert asked == [(1, place)]
    assert known == Stimulus.parse(known.text)
    assert known.to_json()["from"] == reached + offset
    assert known.from_place(lambda *_: 0) is known
