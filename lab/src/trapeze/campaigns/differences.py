# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Why a run is not the one in the store: which parts of its key differ, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trapeze.campaigns import keys
from trapeze.campaigns.keys import Requests
from trapeze.campaigns.plan import Case
from trapeze.campaigns.store import Row, Store

NAMES = {
    "engine": "the engine's library",
    "follow": "the library of the engine that follows",
    "platform": "the file of the platform",
    "programs": "the program",
    "simulator": "trapeze-sim",
    "config": "the configuration",
    "versions": "versions of schemas",
    "edges": "lines that rise",
    "wait": "wait states",
    "max_cycles": "max_cycles",
    "reset_seed": "the seed of registers without reset",
}
"""Parts of a key in words; others by their names."""

DIGESTS = ("engine", "follow", "platform", "programs", "simulator")

PARAMETERS = ("config", "flags", "wait_instr", "wait_data", "seed", "hart", "line", "phase")


def why(store: Store, requests: Requests, case: Case) -> list[str]:
    """What a case's run has to do with those that are stored, a line for each part that differs."""
    identity = requests.identity(case)
    wanted = keys.key(identity)
    stored = _closest(store, case, wanted)
    if stored is None:
        return [f"case {case.number}: nothing like it is stored; it will be run"]
    if stored["key"] == wanted:
        return [f"case {case.number}: is stored ({stored['ended']}); nothing of its key differs"]
    lines = [f"case {case.number}: its key is {wanted[:12]}, and that of the stored row {stored['key'][:12]}:"]
    return [
        *lines,
        *(f"  {one}" for one in _parameters(stored, case)),
        *(f"  {one}" for one in _parts(stored, identity)),
    ]


def _closest(store: Store, case: Case, wanted: str) -> Row | None:
    """The row with the key, else the latest with the same parameters, else the latest with the same number."""
    found: tuple[int, Row] | None = None
    parameters = case.parameters()
    for row in store.read(("number", "key", "ended", "identity", *PARAMETERS)):
        same = all(row[name] == value for name, value in parameters.items())
        likeness = 3 if row["key"] == wanted else 2 if same else 1 if row["number"] == case.number else 0
        if likeness and (found is None or likeness >= found[0]):
            found = (likeness, row)
    return None if found is None else found[1]


def _parameters(stored: Row, case: Case) -> Iterator[str]:
    """Parameters that differ, which are the reason for digests that do."""
    if stored["flags"] != case.parameters()["flags"]:
        yield f"flags of the compiler: {stored['flags'] or 'none'} there, {case.parameters()['flags'] or 'none'} now"


def _parts(stored: Row, identity: str) -> Iterator[str]:
    before: Mapping[str, Any] = json.loads(stored["identity"])
    now: Mapping[str, Any] = json.loads(identity)
    for name in sorted({*before, *now}):
        there, here = before.get(name), now.get(name)
        if there == here:
            continue
        what = NAMES.get(name, name)
        if name in DIGESTS:
            yield f"{what}: another content, SHA-256 {_short(there)} there, {_short(here)} now"
        elif isinstance(there, dict) and isinstance(here, dict):
            parts = [one for one in sorted({*there, *here}) if there.get(one) != here.get(one)]
            yield f"{what}: " + ", ".join(f"{one} {there.get(one)} there, {here.get(one)} now" for one in parts)
        else:
            yield f"{what}: {_text(there)} there, {_text(here)} now"


def _short(value: str | Sequence[str] | None) -> str:
    if value is None:
        return "none"
    return value[:12] if isinstance(value, str) else " ".join(one[:12] for one in value)


def _text(value: object) -> str:
    """A value; the lines that rise as on a command line."""
    if isinstance(value, list) and all(isinstance(one, dict) and "line" in one and "cycle" in one for one in value):
        return " ".join(f"{one['hart']}:{one['line']}@{one['cycle']}" for one in value) or "none"
    return json.dumps(value)
