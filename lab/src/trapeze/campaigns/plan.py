# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A campaign's file as a value: the lists, and the cases that are their product.

A case has a number, and the number says what it is: nothing is kept for each of a million cases.
"""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.limits import MAX_CYCLES
from trapeze.common.schema import load_yaml
from trapeze.platform import user_configurations
from trapeze.platform.configurations import Config
from trapeze.simulation.options import Options

SCHEMA = Path(__file__).with_name("campaign.schema.json")

SCHEMA_NAME = "trapeze.campaign/1"

MOST = 1_000_000
"""Cases that are run without --sample: more is rather a mistake in a list than a wish, and takes days."""


@dataclass(frozen=True)
class Wait:
    """Wait states of fetches and of data accesses: chance in 1/256 a cycle."""

    instr: int = 0
    data: int = 0


@dataclass(frozen=True)
class Line:
    """The line that rises.

    Attributes:
        line: Platform line.
        hart: Whose line it is.
        pulse: Cycles high; None: until its interrupt is claimed.
    """

    line: int
    hart: int = 0
    pulse: int | None = None

    def at(self, cycle: int) -> Edge:
        """Its edge in a cycle."""
        return Edge(self.line, cycle, "" if self.pulse is None else f":pulse={self.pulse}", self.hart)


@dataclass(frozen=True)
class Case:
    """One run of a campaign.

    Attributes:
        number: Among all cases of the file.
        config: What it runs on.
        flags: Options of the compiler.
        wait: Wait states.
        seed: Of the wait states; 0 without any.
        edge: The line that rises; None: none does.
    """

    number: int
    config: Config
    flags: tuple[str, ...]
    wait: Wait
    seed: int
    edge: Edge | None

    def parameters(self) -> dict[str, Any]:
        """As columns of the store."""
        return {
            "config": self.config.name,
            "flags": shlex.join(self.flags),
            "wait_instr": self.wait.instr,
            "wait_data": self.wait.data,
            "seed": self.seed,
            "hart": None if self.edge is None else self.edge.hart,
            "line": None if self.edge is None else self.edge.line,
            "phase": None if self.edge is None else self.edge.cycle,
        }


@dataclass(frozen=True)
class Chosen:
    """A configuration and where it comes from.

    Attributes:
        entry: Its name in the file.
        config: With its parameters set.
    """

    entry: str
    config: Config

    def value(self, key: str) -> object:
        """What it has of a parameter, set or not; None: it has nothing of that name."""
        *hart, leaf = key.removeprefix("harts.").split(".")
        number = int(hart[0]) if hart and hart[0].isdigit() else 0
        if number >= len(self.config.harts):
            return None
        places = (self.config.harts[number], self.config.shared_memory, self.config)
        return next((getattr(one, leaf) for one in places if hasattr(one, leaf)), None)


@dataclass(frozen=True)
class Plan:
    """A campaign.

    Attributes:
        path: Its file.
        raw: What is in it.
        configs: Configurations with their parameters set.
        flags: Lists of options of the compiler.
        waits: Wait states.
        seeds: Of those that are not zero.
        line: The line that rises; None: none does.
        phases: Cycles in which it does.
    """

    path: Path
    raw: Mapping[str, Any]
    configs: tuple[Config, ...]
    flags: tuple[tuple[str, ...], ...]
    waits: tuple[Wait, ...]
    seeds: tuple[int, ...]
    line: Line | None
    phases: range
    engine: str
    max_cycles: int

    @property
    def name(self) -> str:
        """Of the campaign."""
        return str(self.raw["name"])

    @cached_property
    def seeded(self) -> tuple[tuple[Wait, int], ...]:
        """Wait states with each of their seeds; without wait states no seed changes anything, and there is one case."""
        return tuple((wait, seed) for wait in self.waits for seed in (self.seeds if wait != Wait() else (0,)))

    @property
    def silicon(self) -> tuple[str, ...]:
        """What is synthesized of each configuration: `area`, `clock`, both or nothing."""
        return tuple(self.raw.get("silicon", ()))

    @cached_property
    def chosen(self) -> dict[str, Chosen]:
        """The configurations by their names, in order."""
        entries = [str(entry["name"]) for entry, _ in _settings(self.raw["configs"])]
        return {one.name: Chosen(entry, one) for entry, one in zip(entries, self.configs, strict=True)}

    @property
    def set_keys(self) -> list[str]:
        """The parameters that some entry of `configs` sets, in order."""
        return list(dict.fromkeys(key for entry in self.raw["configs"] for key in entry.get("set", ())))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the lists, the one that changes fastest from case to case last."""
        return tuple(map(len, (self.configs, self.flags, self.seeded, self.phases)))

    @property
    def count(self) -> int:
        """Of all cases."""
        return math.prod(self.sizes)

    def case(self, number: int) -> Case:
        """A case by its number."""
        places = []
        rest = number
        for size in reversed(self.sizes):
            rest, place = divmod(rest, size)
            places.append(place)
        phase, seeded, flags, config = places
        edge = None if self.line is None else self.line.at(self.phases[phase])
        return Case(number, self.configs[config], self.flags[flags], *self.seeded[seeded], edge)

    def options(self, case: Case) -> Options:
        """Of the run of a case."""
        return Options(
            irq=() if case.edge is None else (case.edge,),
            max_cycles=self.max_cycles,
            wait_instr=case.wait.instr,
            wait_data=case.wait.data,
            seed=case.seed,
            engine=self.engine,
        )

    def numbers(self, sample: int | None) -> Sequence[int]:
        """The cases to run, ascending: all, or a sample.

        Raises:
            TrapezeError: there are more than `MOST`, and no sample is asked for.
        """
        if sample is None or sample >= self.count:
            if self.count > MOST:
                raise TrapezeError(
                    f"{self.path}: {self.count:,} cases ({self.product()}), and {MOST:,} at most are run; shorten a "
                    "list, or draw some with --sample N"
                )
            return range(self.count)
        if sample > MOST:
            raise TrapezeError(f"--sample {sample}: {MOST:,} cases at most are run; draw fewer")
        return _latin_hypercube(self.sizes, sample, int(self.raw.get("sample_seed", 1)))

    def product(self) -> str:
        """The lists and their lengths, in words."""
        names = ("configurations", "lists of flags", "waits with their seeds", "phases")
        return " x ".join(f"{size:,} {name}" for size, name in zip(self.sizes, names, strict=True) if size > 1) or "1"


def _latin_hypercube(sizes: Sequence[int], count: int, seed: int) -> list[int]:
    """Numbers of cases: each list is cut into `count` equal parts, and each part of each list is drawn from once.

    Short lists have several parts to a value, so that two draws can be the same case; others are drawn in their place.
    """
    random = np.random.default_rng(seed)
    drawn = np.zeros(count, dtype=np.int64)
    for size in sizes:
        place = (random.permutation(count) + random.random(count)) * size / count
        drawn = drawn * size + np.minimum(place.astype(np.int64), size - 1)
    found = set(map(int, drawn))
    while len(found) < count:
        found.add(int(random.integers(math.prod(sizes))))
    return sorted(found)


def load(path: Path) -> Plan:
    """Read a campaign's file.

    Raises:
        TrapezeError: the file, and the place in it, that is wrong.
    """
    raw: dict[str, Any] = load_yaml(path, SCHEMA)
    if "elf" in raw["program"] and "flags" in raw:
        raise TrapezeError(
            f"{path}: flags: the program is an ELF, compiled already; name its sources, or leave them out"
        )
    if ("edge" in raw) != ("phases" in raw):
        lacking, there = ("phases", "edge") if "edge" in raw else ("edge", "phases")
        raise TrapezeError(f"{path}: {there}: needs {lacking}: which line rises, and in which cycles")
    if raw.get("engine") == "model" and "edge" in raw:
        raise TrapezeError(f"{path}: edge: the engine 'model' has no cycles to raise a line in; use engine: rtl")
    phases = raw.get("phases", {"from": 0, "to": 0})
    if phases["to"] < phases["from"]:
        raise TrapezeError(f"{path}: phases: the range is reversed, from cycle {phases['from']} to {phases['to']}")
    for name in ("flags", "seeds"):
        _require_distinct(path, name, raw.get(name, ()))
    _require_distinct(path, "waits", [{"instr": 0, "data": 0} | one for one in raw.get("waits", ())])
    if "seeds" in raw and all(Wait(**one) == Wait() for one in raw.get("waits", [{}])):
        raise TrapezeError(f"{path}: seeds: are those of wait states, and there are none in waits; leave seeds out")
    configs = tuple(_configs(path, raw["configs"]))
    _require_distinct(path, "configs", [one.name for one in configs])
    for one in configs if "silicon" in raw else ():
        if not one.has_rtl:
            raise TrapezeError(f"{path}: silicon: configuration {one.name} has no RTL to synthesize; leave it out")
    return Plan(
        path,
        raw,
        configs,
        tuple(map(tuple, raw.get("flags", [[]]))),
        tuple(Wait(**one) for one in raw.get("waits", [{}])),
        tuple(raw.get("seeds", [0])),
        Line(**raw["edge"]) if "edge" in raw else None,
        range(phases["from"], phases["to"] + 1, phases.get("step", 1)),
        raw.get("engine", "rtl"),
        raw.get("max_cycles", MAX_CYCLES),
    )


def _require_distinct(path: Path, name: str, values: Sequence[object]) -> None:
    """Refuse a list with a value twice, which would be two cases that are the same."""
    for place, one in enumerate(values):
        if one in values[:place]:
            raise TrapezeError(f"{path}: {name}: {one!r} is there twice; give it once")


def _configs(path: Path, listed: Sequence[Mapping[str, Any]]) -> Iterator[Config]:
    known = user_configurations.parameters()
    dotted = {".".join(way) for way, _ in known.values()}
    for place, one in enumerate(listed):
        settings: Mapping[str, Sequence[Any]] = one.get("set", {})
        where = f"{path}: configs.{place}"
        for key in settings:
            if key not in known and key not in dotted and not key.startswith("harts."):
                raise TrapezeError(f"{where}.set: unknown parameter '{key}'; {choices(key, known)}")
        for _, values in _settings([one]):
            words = [f"{key}={_word(value)}" for key, value in zip(settings, values, strict=True)]
            try:
                yield user_configurations.choose(one["name"], words, path.parent)
            except TrapezeError as error:
                raise TrapezeError(f"{where}: {error}") from None


def _settings(listed: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], tuple[Any, ...]]]:
    """Each configuration of the file: its entry, and the values of what that sets."""
    for one in listed:
        for values in itertools.product(*one.get("set", {}).values()):
            yield one, values


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
