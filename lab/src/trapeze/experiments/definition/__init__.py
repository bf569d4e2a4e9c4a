# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Experiments: what `bench/<name>/experiment.yaml` says, and one module for each way of measuring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.configurations import Config

SCHEMA = Path(__file__).with_name("experiment.schema.json")

ANSWER = "yes/no"
"""The unit of what is no measure."""


@dataclass(frozen=True)
class Metric:
    """What is reported: `what` for people, its unit, and whether `lower` or `higher` is better."""

    name: str
    what: str
    unit: str
    better: str


@dataclass(frozen=True)
class Published:
    """A published figure and where it stands."""

    value: float
    source: str


@dataclass(frozen=True)
class Wait:
    """Random wait states: the chance of one on each port, in 1/256, and the seeds to measure with."""

    instruction: int
    data: int
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Nested:
    """Interrupts inside each other: how many, and how many cycles apart their lines rise, each one by itself."""

    depth: int
    apart: tuple[int, ...]


@dataclass(frozen=True)
class Probe:
    """What the latency probes measure: how many samples, and the stress generator's chance of an access, in 1/256."""

    samples: int
    stress: int


@dataclass(frozen=True)
class Hardware:
    """What is synthesized in place of the configuration's own, and the row that it is compared with, if any.

    `peer`: another core.
    """

    banks: int | None = None
    sources: int | None = None
    against: str | None = None
    peer: str | None = None


@dataclass(frozen=True)
class Case:
    """One row of an experiment before it is measured.

    Attributes:
        id: As in the result.
        config: Platform configuration.
        labels: Of the result's row, the configuration's scheme and ABI included.
        sources: Firmware, absolute.
        options: For the compiler.
        rtos: The real-time kernel that the firmware is built against, None for none.
        published: By metric.
        line: Platform line that is raised.
        quick: Whether it is measured with --quick.
        wait: Wait states, None without.
        nested: What the line's interrupt is nested in, None if in nothing.
        late: Whether the second of two interrupts comes later than the first.
        probe: What the latency probes measure, None where they do not.
        hardware: Of experiments that synthesize.
        only_by_name: Whether it is measured only where the experiment is asked for by name.
    """

    id: str
    config: Config
    labels: Mapping[str, str]
    sources: tuple[Path, ...]
    options: tuple[str, ...]
    published: Mapping[str, Published]
    rtos: str | None = None
    line: int = 0
    quick: bool = True
    wait: Wait | None = None
    nested: Nested | None = None
    late: bool = False
    probe: Probe | None = None
    hardware: Hardware = Hardware()
    only_by_name: bool = False

    @property
    def first_line(self) -> int:
        """The lowest of the lines that are raised where interrupts nest."""
        return self.line - (self.nested.depth - 1 if self.nested else 0)

    def labelled(self, labels: Mapping[str, str]) -> Case:
        """The same case with more labels."""
        return replace(self, labels={**self.labels, **labels})

    def elf(self, experiment: str) -> Path:
        """Where the firmware of this case is; timelines are beside it."""
        return paths.BUILD / "bench" / experiment / f"{self.id.replace('/', '-')}.elf"

    def firmware(self, experiment: str) -> Path:
        """Build the firmware of this case."""
        return toolchain.build(self.config, self.sources, self.elf(experiment), self.options, self.rtos)

    def row(self, metric: str) -> dict[str, Any]:
        """The fields of a result row that are known before measuring."""
        published = self.published.get(metric)
        return {
            "id": self.id,
            "config": self.config.name,
            "labels": self.labels,
            "metric": metric,
            "published": published.value if published else None,
            "source": published.source if published else None,
        }


@dataclass(frozen=True)
class Context:
    """A figure of others, for orientation."""

    what: str
    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Sampling:
    """How sure figures have to be: confidence level, error of a proportion, error of the mean as a part of it."""

    confidence: float
    error: float
    mean_error: float


@dataclass(frozen=True)
class Scenario:
    """A row of a table of others."""

    name: str
    mean: float
    p50: float
    max: float
    jitter: float
    stdev: float


@dataclass(frozen=True)
class Comparison:
    """A table of others: `what` it was measured on, of how many samples each row is."""

    what: str
    source: str
    unit: str
    n: int
    rows: tuple[Scenario, ...]


@dataclass(frozen=True)
class StageOf:
    """A part of what is measured: a metric, less the one that it goes on from."""

    name: str
    to: str
    since: str | None = None


@dataclass(frozen=True)
class Experiment:
    """One experiment, as its file says; `clock` in MHz; `stages` are drawn as parts of one bar."""

    name: str
    question: str
    kind: str
    on_request: bool
    metrics: Mapping[str, Metric]
    cases: tuple[Case, ...]
    context: tuple[Context, ...]
    clock: float | None = None
    sampling: Sampling | None = None
    comparison: Comparison | None = None
    stages: tuple[StageOf, ...] = ()
    named: bool = True

    def chosen(self, quick: bool) -> tuple[Case, ...]:
        """The rows to measure."""
        return tuple(case for case in self.cases if (case.quick or not quick) and (self.named or not case.only_by_name))

    @property
    def shortened(self) -> bool:
        """Whether something is left out because it was not asked for by name."""
        return not self.named and any(case.only_by_name for case in self.cases)


def names(folder: Path | None = None) -> list[str]:
    """The names of all experiments, sorted."""
    return sorted(path.parent.name for path in (folder or paths.BENCH).glob("*/experiment.yaml"))


def load(name: str, folder: Path | None = None) -> Experiment:
    """Read an experiment.

    Raises:
        TrapezeError: there is none of that name, or its file is wrong.
    """
    home = folder or paths.BENCH
    known = names(home)
    if name not in known:
        raise TrapezeError(f"unknown experiment '{name}'; {choices(name, known)}")
    path = home / name / "experiment.yaml"
    raw = load_yaml(path, SCHEMA)
    metrics = {key: Metric(key, **value) for key, value in raw["metrics"].items()}
    common = {"line": raw.get("line", 0), "all_extensions": raw.get("all_extensions", False)}
    cases = tuple(_case(path, common | row, metrics) for row in raw["rows"])
    if len({case.id for case in cases}) < len(cases):
        raise TrapezeError(f"{path}: rows: each id may come only once")
    context = tuple(Context(**one) for one in raw.get("context", []))
    sampling, others = raw.get("sampling"), raw.get("comparison")
    stages = tuple(StageOf(**one) for one in raw.get("stages", []))
    for wrong in {name for one in stages for name in (one.to, one.since)} - {None, *metrics}:
        raise TrapezeError(f"{path}: stages: unknown metric '{wrong}'; {choices(str(wrong), metrics)}")
    return Experiment(
        name=name,
        question=raw["question"],
        kind=raw["kind"],
        on_request=raw.get("on_request", False),
        metrics=metrics,
        cases=cases,
        context=context,
        clock=raw.get("clock"),
        sampling=Sampling(**sampling) if sampling else None,
        comparison=Comparison(**others | {"rows": tuple(Scenario(**one) for one in others["rows"])})
        if others
        else None,
        stages=stages,
    )


def _case(path: Path, row: dict[str, Any], metrics: Mapping[str, Metric]) -> Case:
    config = configurations.load(row["config"])
    published = {key: Published(**value) for key, value in row.get("published", {}).items()}
    if strange := set(published) - set(metrics):
        wrong = sorted(strange)[0]
        raise TrapezeError(f"{path}: {row['id']}: published: unknown metric '{wrong}'; {choices(wrong, metrics)}")
    sources = tuple(path.parent / source for source in row.get("sources", []))
    if lacking := [source for source in sources if not source.is_file()]:
        raise TrapezeError(f"{path}: {row['id']}: no such source: {lacking[0].relative_to(path.parent)}")
    wait, nested, probe = row.get("wait"), row.get("nested"), row.get("probe")
    case = Case(
        id=row["id"],
        config=config,
        labels={"scheme": config.scheme, "abi": config.abi, **row.get("labels", {})},
        sources=sources,
        options=(*([f"-march={config.isa}"] if row["all_extensions"] else []), *row.get("options", [])),
        published=published,
        rtos=row.get("rtos"),
        line=row["line"],
        quick=row.get("quick", True),
        wait=Wait(**wait | {"seeds": tuple(wait["seeds"])}) if wait else None,
        nested=Nested(nested["depth"], tuple(nested["apart"])) if nested else None,
        late=row.get("late", False),
        probe=Probe(**probe) if probe else None,
        hardware=Hardware(**row.get("hardware", {})),
        only_by_name=row.get("only_by_name", False),
    )
    if not 0 <= case.first_line <= case.line < config.lines:
        raise TrapezeError(f"{path}: {case.id}: configuration '{config.name}' has lines 0 to {config.lines - 1} only")
    return case
