# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Events as users write them: addresses of symbols and offsets, harts, values, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.common.errors import TrapezeError
from trapeze.simulation import events
from trapeze.simulation.events import Program, Span, Symbol, Until

SYMBOLS = {"main": Symbol(0x8000_0000, 64), "word": Symbol(0x8000_1000, 4), "a+b": Symbol(0x100, 8)}


def programs(harts: int) -> list[Program]:
    """Programs with known symbols; those of each hart are elsewhere."""
    made = [Program(Path(f"{hart}.elf")) for hart in range(harts)]
    for hart, one in enumerate(made):
        moved = {name: Symbol(symbol.address + 0x1_0000 * hart, symbol.size) for name, symbol in SYMBOLS.items()}
        vars(one).update(symbols=moved, tasks=None)
    return made


OFFSETS = st.integers(0, 99)
places = st.tuples(
    st.sampled_from([*SYMBOLS, "0x8000"]), st.none() | st.tuples(OFFSETS, st.sampled_from(["{}", "0x{:x}", "00{}"]))
)


@given(
    st.sampled_from(["pc", "load", "store"]),
    places,
    st.none() | st.integers(-(2**31), 2**32 - 1),
    st.integers(1, 3),
    st.integers(0, 2),
)
def test_an_address_is_the_symbols_and_the_offset(
    kind: str, place: tuple[str, tuple[int, str] | None], value: int | None, harts: int, hart: int
) -> None:
    """Of the hart that is named; what is accessed is the rest of the symbol, one byte at least."""
    name, offset = place
    what = name + ("" if offset is None else "+" + offset[1].format(offset[0]))
    what += "" if value is None or kind != "store" else f"={value}"
    if hart >= harts:
        with pytest.raises(TrapezeError, match=f"there is no hart {hart}"):
            events.of_hart(kind, what, hart, programs(harts), "--to")
        return
    found = events.of_hart(kind, what, hart, programs(harts), "--to")
    symbol = SYMBOLS.get(name)
    begin = 0x8000 if symbol is None else symbol.address + 0x1_0000 * hart
    behind = offset[0] if offset is not None else 0
    rest = max(1, (1 if symbol is None else symbol.size) - behind)
    assert (found.kind, found.hart, found.address) == (kind, hart, begin + behind)
    assert found.size == (1 if kind == "pc" else rest)
    assert found.value == (None if value is None or kind != "store" else value % 2**32)
    # What it is called names it again, and the hart where there are several.
    assert str(found).startswith(f"{kind}:{hart}:") == (harts > 1)
    assert events.parse(str(found), "--to", programs(harts)) == found
    assert Until(found, 3).to_json() == {"event": found.to_json(), "count": 3}
    assert Span("x", found, found, 7).command() == [
        *("--from", str(found), "--to", str(found), "--name", "x", "--budget", "x=7")
    ]


@given(
    st.sampled_from(["edge", "claim", "marker"]),
    st.sampled_from([-1, 0, 1, 2047, 2048, 2**32 - 1, 2**32]),
    st.integers(0, 2),
)
def test_a_number_is_in_its_range(kind: str, number: int, hart: int) -> None:
    first, last = (1, 2047) if kind == "marker" else (0, 2**32 - 1)
    text = f"{kind}:{hart}:{number}"
    if first <= number <= last:
        assert events.parse(text, "--to", programs(3)).to_json().items() >= {"hart": hart, "number": number}.items()
    else:
        with pytest.raises(TrapezeError, match=r"--to .*; use "):
            events.parse(text, "--to", programs(3))


@pytest.mark.parametrize(
    "what", ["-4", "main+-4", "main+x", "main+0x", "", "0x10000000000000000", "word+99999999999999999999"]
)
def test_a_place_that_cannot_be_is_refused(what: str) -> None:
    for kind in ("pc", "load", "store"):
        with pytest.raises(TrapezeError, match=f"--to {kind}:"):
            events.parse(f"{kind}:{what}", "--to", programs(1))
