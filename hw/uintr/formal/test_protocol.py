# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The protocol of user interrupts from hart to hart is right in every interleaving; the model finds seeded mistakes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from trapeze.common import bounded_processes, processes

MODEL = Path(__file__).resolve().parent / "uintr.pml"
SECONDS = 600
"""Seconds of processor time for one search."""


class Size(NamedTuple):
    """Size of a search: number of senders, posts of each sender, and changes that each kernel makes."""

    senders: int
    posts: int
    turns: int


SMALL = Size(1, 2, 1)
TWO_SENDERS = Size(2, 1, 1)
TWO_TURNS = Size(1, 2, 2)

DEFECTS = {
    "SN_IGNORED": (SMALL, "!(sn[t])"),
    "ON_CLEARED_LATE": (SMALL, "wanted[t]==0"),
    "TWO_STEPS": (SMALL, "wanted[t]==0"),
    "LOOKS_BEFORE_SN": (SMALL, "wanted[t]==0"),
    "NO_LOOK": (SMALL, "wanted[t]==0"),
    "SAVES_FIRST": (SMALL, "wanted[t]&"),
    "LOOKS_BEFORE_BLOCKING": (SMALL, "told[t]"),
    "DESTINATION_EARLY": (SMALL, "wanted[t]==0"),
}
"""Each seeded mistake: the size of the search that finds it, and a part of the assertion that it breaks."""


def search(folder: Path, size: Size, defect: str | None = None) -> str:
    """Output of SPIN's verifier for the model, with a mistake or without one."""
    defines = [f"-DSENDERS={size.senders}", f"-DPOSTS={size.posts}", f"-DTURNS={size.turns}"]
    defines += [f"-DDEFECT_{defect}"] if defect else []
    done = processes.run(["spin", "-a", *defines, str(MODEL)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    # -w: the code that SPIN writes has warnings.
    processes.run(["gcc", "-O1", "-w", "-DSAFETY", "-o", "pan", "pan.c"], cwd=folder, check=True)
    done = bounded_processes.run([str(folder / "pan"), "-m100000", "-w22"], SECONDS, cwd=folder)
    said: str = done.stdout
    assert "max search depth too small" not in said
    return said


@pytest.mark.parametrize("size", [SMALL, TWO_SENDERS], ids=str)
def test_nothing_is_lost_and_nothing_comes_twice(tmp_path: Path, size: Size) -> None:
    """No interleaving breaks an assertion, and all statements of the judge are reached."""
    said = search(tmp_path, size)
    assert "errors: 0" in said, said
    states = re.search(r"(\d+) states, stored", said)
    assert states is not None
    assert int(states[1]) > 100_000
    reached = re.search(r"unreached in proctype Judge\n\t\((\d+) of", said)
    assert reached is not None, said
    assert reached[1] == "0", said


@pytest.mark.prove
def test_with_more_turns(tmp_path: Path) -> None:
    """The same where each hart changes its thread twice."""
    assert "errors: 0" in search(tmp_path, TWO_TURNS)


@pytest.mark.parametrize("defect", DEFECTS)
def test_mistakes_are_found(tmp_path: Path, defect: str) -> None:
    """Each seeded mistake breaks the assertion that is about it."""
    size, assertion = DEFECTS[defect]
    said = search(tmp_path, size, defect)
    assert "assertion violated" in said, said
    assert assertion in said, said


def test_every_mistake_of_the_model_is_tried() -> None:
    """Every mistake that the model contains is tested."""
    assert set(re.findall(r"DEFECT_(\w+)", MODEL.read_text())) == set(DEFECTS)
