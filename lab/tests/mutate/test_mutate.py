# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Mutations: the list fits the sources, and the part of it that is this commit's turn is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from verify.mutate import __main__ as command
from verify.mutate import gates, mutations
from verify.mutate.gates import Found
from verify.mutate.mutations import Mutation
from verify.random.lockstep.engines import Settings

PART = 1
"""Mutations that are tried here."""


def test_list_fits_the_sources() -> None:
    """Every text is in its source once, every room has some, and the survivors are explained."""
    every = mutations.load()
    mutations.check(every)
    assert sum(mutation.survives is None for mutation in every) >= 30
    assert {mutation.file.split("/")[1] for mutation in every} >= {"core", "irq", "soc"}
    assert all(len(mutation.survives) > 20 for mutation in every if mutation.survives is not None)


@pytest.mark.slow
def test_part_is_found() -> None:
    """This commit's mutations are found; `make mutate` tries all."""
    chosen = mutations.part(mutations.load(), mutations.turn(), PART)
    results = command.run(chosen, jobs=1)
    assert all(result.is_right for result in results), command.table(results)


def test_part_changes_with_its_key() -> None:
    """The same key gives the same part; many keys reach every mutation."""
    every = mutations.load()
    assert mutations.part(every, "a", 3) == mutations.part(every, "a", 3)
    reached = {one.name for key in range(600) for one in mutations.part(every, str(key), 3)}
    assert reached == {one.name for one in every if one.survives is None}


def _mutation(text: str, replacement: str, survives: str | None = None) -> Mutation:
    return Mutation("one", "file.sv", "something", text, replacement, "mcu-clint", survives)


def test_stale_text_is_an_error(tmp_path: Path) -> None:
    """A mutation that no longer fits, fits twice or changes nothing is not passed over."""
    (tmp_path / "file.sv").write_text("assign a = b;\nassign c = b;\n")
    mutations.check([_mutation("a = b", "a = !b")], tmp_path)
    for text, times in (("d = b", 0), ("= b", 2)):
        with pytest.raises(TrapezeError, match=f"occurs {times} times"):
            mutations.check([_mutation(text, "")], tmp_path)
    with pytest.raises(TrapezeError, match="changes nothing"):
        mutations.check([_mutation("a = b", "a = b")], tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[mutation]]\nname = "x"\n', "lacks breaks, file, text, with"),
        ('[[mutation]]\nname = "x"\nfile = "f"\nbreaks = "b"\ntext = "t"\nwith = ""\nwhy = "?"\n', "unknown why"),
        ("mutation = ", "Invalid value"),
    ],
)
def test_wrong_data_is_an_error(text: str, said: str, tmp_path: Path) -> None:
    """The message names file and mutation."""
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(TrapezeError, match=said) as caught:
        mutations.load(tmp_path)
    assert "a.toml" in str(caught.value)


def test_limit_leaves_out_what_comes_later() -> None:
    """The simulator would refuse interrupts in cycles that a run does not reach."""
    settings = Settings((Edge(3, 12), Edge(4, 99, ":pulse=3", 1), Edge(2, 100)), max_cycles=500)
    assert gates.limited(settings, 100) == Settings((Edge(3, 12), Edge(4, 99, ":pulse=3", 1)), max_cycles=100)


def test_table_shows_what_is_wrong() -> None:
    """Survivors without an explanation, and explanations without a survivor, stand out."""
    found = Found("random", "seed 1", "mismatch")
    right = command.Result(_mutation("a", "b"), found, 1.0)
    survivor = command.Result(_mutation("a", "b"), None, 1.0)
    explained = command.Result(_mutation("a", "b", "equivalent"), None, 1.0)
    stale = command.Result(_mutation("a", "b", "equivalent"), found, 1.0)
    assert [result.is_right for result in (right, survivor, explained, stale)] == [True, False, True, False]
    text = command.table([right, survivor, explained, stale])
    assert "SURVIVED" in text
    assert "though it is said to survive" in text
    killed = "0 by corpus, 0 by cycles, 0 by directed, 2 by random, 0 by benches, 0 by proofs"
    assert f"4 mutations: 2 found ({killed}), 1 explained survivors" in text
