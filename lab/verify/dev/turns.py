# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Whose turn it is: `make test` runs a part of the dear tests, another part each time, and `make check` runs all.

A turn is a number that goes up by one with each commit and each day. Two rules say what is due in a turn:

* Tests of a configuration that is not in `STANDING` are due with the configuration, because its engine takes longer to
    build than they take to run.
* Tests that `lab/turns.toml` lists are dealt out to as many turns as it says, at most `PERIOD`, or come with an engine
  with waves. An entry that ends with `/` is a folder whose tests share an expensive step: all are due in the same turn.

Everything else is always due. So any `PERIOD` turns that follow each other run each test at least once.

This module is a pytest plugin, too: `pytest -p verify.dev.turns --turn N` runs what is due in turn N.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from trapeze.platform import configurations

if TYPE_CHECKING:
    import pytest

PERIOD = 10
"""Turns in which everything is due at least once."""

LIST = paths.ROOT / "lab" / "turns.toml"
SELECTED = paths.BUILD / "test" / "turn.json"
"""The number of tests, and how many of them a run with `--turn` has."""

STANDING = ("mcu-clint", "mcu-clic", "mcu-fastirq", "duo")
"""Configurations that are due in every turn: each interrupt scheme, two harts."""

WAVES = ("mcu-clint",)
"""Those whose engine with waves is."""

WITH_WAVES = "waves"
Period = int | Literal["waves"]
"""The number of turns in which a test comes once, or that it comes with its configuration's engine with waves."""


def number(root: Path = paths.ROOT) -> int:
    """Today's turn: how many commits there are, plus the day; without Git the day alone."""
    done = processes.run(["git", "rev-list", "--count", "HEAD"], cwd=root, capture_output=True, text=True)
    commits = int(done.stdout) if done.returncode == 0 else 0
    return commits + datetime.date.today().toordinal()


def configurations_due(turn: int) -> list[str]:
    """The configurations that have their turn: standing ones and a tenth of the others, of each kind about as many."""
    loaded = [configurations.load(name) for name in configurations.names() if name not in STANDING]
    others = sorted(loaded, key=lambda one: (one.variant, one.corner, one.name))
    return [*STANDING, *(one.name for one in others[turn % PERIOD :: PERIOD])]


def waves_due(turn: int) -> list[str]:
    """The configurations whose variant of the RTL engine with waves has its turn: of those that are due anyway."""
    without = [name for name in configurations.names(variants=False) if name not in WAVES]
    due = [name for name in configurations_due(turn) if name in without]
    passing, standing = ([name for name in due if (name in STANDING) == always] for always in (False, True))
    # Those that stand come last in a period, one in a turn, where no other configuration has one.
    left = PERIOD - 1 - turn % PERIOD
    return [*WAVES, *(passing or standing[left : left + 1])]


def periods(path: Path = LIST) -> dict[str, Period]:
    """The tests that take turns, by the beginning of their names, and in how many; or `WITH_WAVES`.

    Raises:
        TrapezeError: the file says something else.
    """
    try:
        found = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise TrapezeError(f"{path}: {error}") from None
    for name, period in found.items():
        if period != WITH_WAVES and (not isinstance(period, int) or not 2 <= period <= PERIOD):
            raise TrapezeError(f"{path}: '{name}': must be a number of turns from 2 to {PERIOD}, or '{WITH_WAVES}'")
    return found


@dataclass(frozen=True)
class Candidate:
    """What decides about a test: its name, as pytest has it, and the configuration that it names, if it does."""

    name: str
    config: str | None = None


def _entry(name: str, listed: Iterable[str]) -> str | None:
    """The longest entry of the list that the name of a test begins with."""
    return max((one for one in listed if name.startswith(one)), key=len, default=None)


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])


def due(tests: Sequence[Candidate], turn: int, listed: Mapping[str, Period]) -> list[bool]:
    """Which tests are due.

    Those of an entry are dealt out in the order of a hash, so that the parts are equal in number and neighbours in
    a list of parameters fall into different ones. Another hash says which part is first, so that entries of one test
    each do not all fall into the same turn.
    """
    with_engine, with_waves = configurations_due(turn), waves_due(turn)
    engines_take_turns = {name for name in configurations.names() if name not in STANDING}
    parts: dict[tuple[str, int], list[str]] = defaultdict(list)
    waiting = set()
    for test in tests:
        entry = _entry(test.name, listed)
        period = listed[entry] if entry else 1
        if period == "waves":
            if test.config not in with_waves:
                waiting.add(test.name)
        elif test.config in engines_take_turns:
            if test.config not in with_engine:
                waiting.add(test.name)
        elif entry:
            parts[entry, period].append(test.name)
    for (entry, period), names in parts.items():
        if entry.endswith("/"):
            waiting.update(names if (_hash(entry) - turn) % period else [])
            continue
        names.sort(key=_hash)
        waiting.update(name for index, name in enumerate(names, _hash(entry)) if (index - turn) % period)
    return [test.name not in waiting for test in tests]


def _candidate(item: pytest.Item, known: Collection[str]) -> Candidate:
    """What a test names by its parameters: a configuration, its name, or something that has one."""
    call = getattr(item, "callspec", None)
    for value in call.params.values() if call else ():
        owner = getattr(value, "config", value)
        name = getattr(owner, "name", owner)
        if isinstance(name, str) and name in known:
            return Candidate(item.nodeid, name)
    return Candidate(item.nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--turn`."""
    parser.addoption("--turn", type=int, default=None, help="run only what is due in this turn (verify.dev.turns)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that are not due."""
    turn = config.getoption("turn", None)
    if turn is None:
        return
    known = frozenset(configurations.names())
    tests = [_candidate(item, known) for item in items]
    chosen = due(tests, turn, periods())
    config.hook.pytest_deselected(items=[item for item, now in zip(items, chosen, strict=True) if not now])
    items[:] = [item for item, now in zip(items, chosen, strict=True) if now]
    if config.rootpath == paths.ROOT:
        SELECTED.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(SELECTED, json.dumps({"turn": turn, "tests": len(tests), "due": len(items)}) + "\n")
