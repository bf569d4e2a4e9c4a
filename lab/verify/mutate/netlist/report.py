# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The score of drawn mutations, by room and gate: as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from verify.mutate import gates
from verify.mutate.netlist.trial import Outcome

_WIDTH = 12


def score(outcomes: Sequence[Outcome]) -> float:
    """The share of those not proven to change nothing that was found, in percent."""
    real = [one for one in outcomes if not one.equivalent]
    return 100.0 * sum(one.found is not None for one in real) / len(real) if real else 100.0


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    by_gate = [sum(one.found is not None and one.found.gate == gate for one in outcomes) for gate in gates.GATES]
    numbers = [
        len(outcomes),
        *by_gate,
        sum(one.equivalent for one in outcomes),
        sum(one.survived for one in outcomes),
    ]
    return f"{name:14}" + "".join(f"{number:{_WIDTH}}" for number in numbers) + f"{score(outcomes):{_WIDTH - 2}.1f} %"


def table(outcomes: Sequence[Outcome]) -> str:
    """A row for each room, one for all, and what survived."""
    heads = ("drawn", *gates.GATES, "equivalent", "survived", "found")
    lines = [f"{'room':14}" + "".join(f"{head:>{_WIDTH}}" for head in heads)]
    for room in sorted({one.drawn.room for one in outcomes}):
        lines.append(_line(room, [one for one in outcomes if one.drawn.room == room]))
    lines.append(_line("all", outcomes))
    lines += [one.row() for one in outcomes if one.survived]
    return "\n".join(lines)


def write(path: Path, outcomes: Sequence[Outcome], seed: int) -> None:
    """Write all outcomes as JSON."""
    rows = [
        {key: value for key, value in asdict(one.drawn).items() if key != "command"}
        | {
            "found": asdict(one.found) if one.found is not None else None,
            "proof": asdict(one.proof) if one.proof is not None else None,
            "reason": one.reason,
            "seconds": round(one.seconds, 1),
        }
        for one in outcomes
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps({"seed": seed, "score": round(score(outcomes), 1), "mutations": rows}, indent=1))


def survivors(path: Path, seed: int) -> set[tuple[str, int, str]]:
    """Configuration, number and change of the mutations that survived, by what `write` wrote.

    Raises:
        TrapezeError: there is no such file, or it is of another seed.
    """
    written = json.loads(path.read_text()) if path.exists() else {}
    if written.get("seed") != seed:
        raise TrapezeError(f"{path}: has no outcomes of seed {seed}; run it without --again first")
    return {
        (one["config"], one["number"], one["what"])
        for one in written["mutations"]
        if one["found"] is None and not (one["proof"] or {}).get("holds")
    }
