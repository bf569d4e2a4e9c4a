# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What two results were measured with that is not the same: conditions of single rows, and what is common to all.

Some differences are what one compares for (another firmware, another commit), and a figure that is worse is worse.
Under others (a configuration, wait states, edges) it is another figure, neither better nor worse: these are `apart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RUN = "run"
"""`experiment` of results of `trapeze run`, whose edges the user chose; those of others follow from the firmware."""

NAMED = 3
"""So many rows are named."""

HASH = 12
"""Digits of a hash that tell files apart for people."""

RowName = tuple[str, str]
"""Id and metric."""

Result = Mapping[str, Any]


@dataclass(frozen=True)
class Difference:
    """Something that is not the same.

    Attributes:
        what: For people.
        before: In the first result.
        after: In the second.
        rows: The rows it concerns, None for all.
        apart: Whether their figures are no longer to be held against each other.
    """

    what: str
    before: str
    after: str
    rows: tuple[RowName, ...] | None = None
    apart: bool = False

    @property
    def where(self) -> str:
        """Its rows, a few of them named."""
        if self.rows is None:
            return "all"
        ids = list(dict.fromkeys(name for name, _ in self.rows))
        more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
        return ", ".join(ids[:NAMED]) + more


def _text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _file(value: Mapping[str, str] | None) -> str:
    return "none" if value is None else f"{value['name']} {value['sha256'][:HASH]}"


def _commit(value: str | None) -> str:
    name, dash, dirty = (value or "unknown").partition("-")
    return name[:HASH] + dash + dirty


def _edges(run: Mapping[str, Any]) -> str:
    """The edges of a run; of many the first one, how many, and their hash."""
    if run["irq_count"] <= len(run["irq"]):
        return _text(run["irq"])
    return f"{run['irq'][0]} and {run['irq_count'] - 1} more, {run['irq_sha256'][:HASH]}"


@dataclass(frozen=True)
class _Facet:
    """One of the conditions of a run; `chosen`: only where the user chose it, that is of `trapeze run`."""

    what: str
    of: Callable[[Mapping[str, Any]], str]
    apart: bool = True
    chosen: bool = False


FACETS = (
    _Facet("firmware", lambda run: _file(run["elf"]), apart=False),
    _Facet("fetch wait states (--wait-instr)", lambda run: _text(run["wait_instr"])),
    _Facet("data wait states (--wait-data)", lambda run: _text(run["wait_data"])),
    _Facet("seed of the wait states", lambda run: _text(run["seed"])),
    _Facet("edges (--irq)", _edges, chosen=True),
    _Facet("sweep", lambda run: _text(run["sweep"]), chosen=True),
    _Facet("--max-cycles", lambda run: _text(run["max_cycles"]), apart=False, chosen=True),
    _Facet("--budget", lambda run: _text(run["budget"]), chosen=True),
    _Facet("console input", lambda run: _file(run["uart_in"])),
)


def _rows(result: Result) -> dict[RowName, Mapping[str, Any]]:
    return {(row["id"], row["metric"]): row for row in result["rows"]}


def _runs(result: Result) -> dict[RowName, list[Mapping[str, Any]]]:
    """The runs that each row comes from."""
    found: dict[RowName, list[Mapping[str, Any]]] = {}
    for run in result.get("runs", ()):
        for name, metrics in run["rows"].items():
            for metric in metrics:
                found.setdefault((name, metric), []).append(run)
    return found


def _grouped(
    what: str, pairs: Mapping[RowName, tuple[str, str]], every: Sequence[RowName], apart: bool
) -> Iterator[Difference]:
    """A difference for each two values, with the rows that have them."""
    groups: dict[tuple[str, str], list[RowName]] = {}
    for name, pair in pairs.items():
        if pair[0] != pair[1]:
            groups.setdefault(pair, []).append(name)
    for (before, after), names in groups.items():
        yield Difference(what, before, after, None if len(names) == len(every) else tuple(names), apart)


def _of_rows(before: Result, after: Result, every: Sequence[RowName]) -> Iterator[Difference]:
    old, new = _rows(before), _rows(after)
    for key, what in {"config": "configuration", "engine": "engine"}.items():
        yield from _grouped(what, {name: (old[name][key], new[name][key]) for name in every}, every, apart=True)
    runs = _runs(before), _runs(after)
    known = [name for name in every if all(name in some for some in runs)]
    chosen = before["experiment"] == after["experiment"] == RUN
    for facet in FACETS:
        if facet.chosen and not chosen:
            continue
        pairs = {}
        for name in known:
            seen = [list(dict.fromkeys(facet.of(run) for run in some[name])) for some in runs]
            pairs[name] = (", ".join(seen[0]), ", ".join(seen[1]))
        yield from _grouped(facet.what, pairs, every, facet.apart)


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _leaves(value: Mapping[str, Any], stem: str = "") -> dict[str, str]:
    """The entries of an object in objects, each under its whole name."""
    found: dict[str, str] = {}
    for key, one in value.items():
        parts = {str(number): part for number, part in enumerate(one)} if _is_list_of_objects(one) else one
        found |= _leaves(parts, f"{stem}{key}.") if isinstance(parts, Mapping) else {f"{stem}{key}": _text(one)}
    return found


def _unequal(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for key in dict.fromkeys([*old, *new]):
        pair = old.get(key, "none"), new.get(key, "none")
        if pair[0] != pair[1]:
            yield key, *pair


def _of_configurations(before: Result, after: Result, every: Sequence[RowName]) -> Iterator[Difference]:
    old, new = before.get("configurations", {}), after.get("configurations", {})
    of = {name: row["config"] for name, row in _rows(before).items() if name in every}
    for config in old.keys() & new.keys():
        names = tuple(name for name in every if of[name] == config)
        concerned = None if len(names) == len(every) else names
        leaves = _leaves(old[config]), _leaves(new[config])
        same = leaves[0].keys() & leaves[1].keys()
        for key, was, now in _unequal(*leaves):
            # What one of the files does not know another version of Trapeze has; the platform may be the same.
            yield Difference(f"{config}: {key}", was, now, concerned, apart=bool(names) and key in same)


def _of_all(before: Result, after: Result) -> Iterator[Difference]:
    commands = [(one.get("command") or "").split() for one in (before, after)]
    quick = ["--quick" in words for words in commands]
    if all(commands) and quick[0] != quick[1]:
        yield Difference("--quick", _text(quick[0]), _text(quick[1]), apart=True)
    for key, show in {"command": _text, "commit": _commit}.items():
        if before.get(key) != after.get(key):
            yield Difference(key, show(before.get(key)), show(after.get(key)))
    for key in ("tools", "host"):
        for name, was, now in _unequal(_leaves(before[key]), _leaves(after[key])):
            yield Difference(f"{key}: {name}", was, now)
    was, now = ("in the file" if "runs" in one else "not in the file" for one in (before, after))
    if was != now:
        yield Difference("firmware, edges, wait states", was, now)


def differences(before: Result, after: Result) -> list[Difference]:
    """Everything that is not the same, first what keeps figures apart; for the rows that both have."""
    every = [name for name in _rows(before) if name in _rows(after)]
    found = [*_of_rows(before, after, every), *_of_configurations(before, after, every), *_of_all(before, after)]
    return sorted(found, key=lambda one: not one.apart)


def kept_apart(found: Sequence[Difference], every: Sequence[RowName]) -> set[RowName]:
    """The rows whose figures are not to be held against each other."""
    return {name for one in found if one.apart for name in (every if one.rows is None else one.rows)}
