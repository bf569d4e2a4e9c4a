# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What proofs take for granted is looked at in simulation: each assumption has an assertion in the design.

An `assume` is labelled `..._M` if it is about the surroundings of what is proven; its label ends with the name of the
assertion: `FirstReqStable_M` is `ReqStable_A`. It is labelled `..._K` if it fixes what the proof itself has chosen: a
word that is watched, the stretch of time in which a cover is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from trapeze.common import paths

_COMMENT = re.compile(r"//.*")
_ASSUME = re.compile(r"(?:(\w+)\s*:\s*)?\bassume\b(?!\w)")
_ASSERT = re.compile(r"(\w+)_A\s*:\s*assert\b")


def _code(path: Path) -> str:
    return _COMMENT.sub("", path.read_text())


def assumptions(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each assumption: its file and its label, which may be empty."""
    for name, text in texts.items():
        for found in _ASSUME.finditer(text):
            yield name, found[1] or ""


def unwatched(texts: dict[str, str], asserted: set[str]) -> list[str]:
    """The assumptions that nothing in the design watches, and those whose label does not say what they are."""
    wrong = []
    for name, label in assumptions(texts):
        stem, _, kind = label.rpartition("_")
        if kind == "K" or (kind == "M" and any(stem.endswith(one) for one in asserted)):
            continue
        wrong.append(f"{name}: {label or 'an assumption without a label'}")
    return wrong


def test_each_assumption_is_an_assertion() -> None:
    design = {path.name: _code(path) for path in (paths.ROOT / "hw").glob("**/rtl/*.sv")}
    proofs = {path.name: _code(path) for path in (paths.ROOT / "hw").glob("**/formal/*.sv")} | design
    asserted = {name for text in design.values() for name in _ASSERT.findall(text)}
    assert len(list(assumptions(proofs))) > 40
    assert unwatched(proofs, asserted) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("assume property (x);", ["a: an assumption without a label"]),
        ("Wide_M: assume property (x);", ["a: Wide_M"]),
        ("Held: assume property (x);", ["a: Held"]),
        ("begin\n  assume (x);\nend", ["a: an assumption without a label"]),
        ("FirstStable_M: assume property (x); Word_K: assume (y);", []),
    ],
)
def test_an_assumption_without_one_is_found(text: str, says: list[str]) -> None:
    assert unwatched({"a": text}, {"Stable"}) == says
