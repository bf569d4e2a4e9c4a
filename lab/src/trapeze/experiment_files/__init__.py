# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `bench/<name>/experiment.yaml` says, or a file of that name in a folder of the user's own.

`experiment.schema.json` defines the properties of every experiment. A schema of the same name in the folder of each
kind, in `experiments/`, defines further properties of the file or of its rows, for that kind only. Experiments and rows
hold these as `own`. This package reads nothing of the kinds but their schemas.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jsonschema import Draft202012Validator

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import check, composed, read_yaml
from trapeze.firmware import toolchain
from trapeze.platform.configurations import Config
from trapeze.platform.user_configurations import SUFFIXES, choose, is_path

SCHEMA = Path(__file__).with_name("experiment.schema.json")

KINDS = SCHEMA.parents[1] / "experiments"
"""The folder of the kinds, each with its part of the schema."""

FILE = "experiment.yaml"
"""In the folder of an experiment."""

T = TypeVar("T")

ANSWER = "yes/no"
"""The unit of yes/no metrics."""

HELD, REPRODUCTION = "held", "reproduction"
"""The label, and its value, of a figure whose published one is of the same thing."""


def _part(own: Mapping[str, Any], name: str, make: Callable[..., T]) -> T | None:
    return make(**own[name]) if own.get(name) is not None else None


@dataclass(frozen=True)
class Metric:
    """What is reported: `what` for people, its unit, and whether `lower` or `higher` is better."""

    name: str
    what: str
    unit: str
    better: str


@dataclass(frozen=True)
class Published:
    """A published figure and where it stands; `reproduction`: of the same thing, which is measured again here."""

    value: float
    source: str
    reproduction: bool = False


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
        monitor: The monitor under which it runs in user mode, None for none.
        published: By metric.
        line: Platform line that is raised.
        quick: Whether it is measured with --quick.
        only_by_name: Whether it is measured only where the experiment is asked for by name.
        own: Properties of rows that only this kind of experiment has.
    """

    id: str
    config: Config
    labels: Mapping[str, str]
    sources: tuple[Path, ...]
    options: tuple[str, ...]
    published: Mapping[str, Published]
    rtos: str | None = None
    monitor: str | None = None
    line: int = 0
    quick: bool = True
    only_by_name: bool = False
    own: Mapping[str, Any] = field(default_factory=dict)

    def part(self, name: str, make: Callable[..., T]) -> T | None:
        """What the row says under a name of its kind, made of its keys; None if it says nothing."""
        return _part(self.own, name, make)

    def labelled(self, labels: Mapping[str, str]) -> Case:
        """The same case with more labels."""
        return replace(self, labels={**self.labels, **labels})

    def elf(self, experiment: str) -> Path:
        """Where the firmware of this case is; timelines are beside it."""
        return paths.BUILD / "bench" / experiment / f"{self.id.replace('/', '-')}.elf"

    def firmware(self, experiment: str) -> Path:
        """Build the firmware of this case."""
        elf = self.elf(experiment)
        return toolchain.build(self.config, self.sources, elf, self.options, self.rtos, monitor=self.monitor)

    def row(self, metric: str) -> dict[str, Any]:
        """The fields of a result row that are known before measuring."""
        published = self.published.get(metric)
        again = {HELD: REPRODUCTION} if published is not None and published.reproduction else {}
        return {
            "id": self.id,
            "config": self.config.name,
            "labels": {**self.labels, **again},
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
class StageOf:
    """A part of what is measured: a metric, less the one that it goes on from."""

    name: str
    to: str
    since: str | None = None


@dataclass(frozen=True)
class Answer:
    """The figure that answers an experiment's question: the id of its row, and its metric."""

    row: str
    metric: str


@dataclass(frozen=True)
class Experiment:
    """One experiment, as its file says.

    `stages` are drawn as parts of one bar; `names` explains parts of rows' names; `own`: properties of its kind only.
    """

    name: str
    question: str
    kind: str
    on_request: bool
    metrics: Mapping[str, Metric]
    cases: tuple[Case, ...]
    context: tuple[Context, ...]
    stages: tuple[StageOf, ...] = ()
    answers: Answer | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    own: Mapping[str, Any] = field(default_factory=dict)

    def part(self, name: str, make: Callable[..., T]) -> T | None:
        """What the file says under a name of its kind, made of its keys; None if it says nothing."""
        return _part(self.own, name, make)

    def chosen(self, quick: bool) -> tuple[Case, ...]:
        """The rows to measure."""
        return tuple(case for case in self.cases if (case.quick or not quick) and (self.named or not case.only_by_name))

    @property
    def shortened(self) -> bool:
        """Whether something is left out because it was not asked for by name."""
        return not self.named and any(case.only_by_name for case in self.cases)

    def allow_metrics(self, known: Collection[str]) -> None:
        """Refuse other metrics than those of its kind.

        Raises:
            TrapezeError: names one.
        """
        if strange := set(self.metrics) - set(known):
            raise TrapezeError(f"experiment {self.name}: '{sorted(strange)[0]}' is not one of {', '.join(known)}")

    def require_metrics(self, names: Collection[str]) -> None:
        """Refuse an experiment whose metrics are not exactly these.

        Raises:
            TrapezeError: names them.
        """
        if set(self.metrics) != set(names):
            raise TrapezeError(f"experiment {self.name}: its metrics must be {', '.join(names)}")

    def require_kernel(self, label: str, known: Collection[str]) -> None:
        """Refuse rows whose label names no existing test, or that are not built against a real-time kernel.

        Raises:
            TrapezeError: names the row.
        """
        for case in self.cases:
            if case.labels.get(label) not in known:
                raise TrapezeError(f"experiment {self.name}: {case.id}: label '{label}': one of {', '.join(known)}")
            if case.rtos is None:
                raise TrapezeError(f"experiment {self.name}: {case.id}: rtos is missing")


@cache
def _schemas() -> tuple[dict[str, Any], ...]:
    """What every file may say, the parts that stand beside the kinds, and what these share."""
    return tuple(json.loads(path.read_text()) for path in (SCHEMA, *sorted(KINDS.rglob("*.schema.json"))))


@cache
def parts() -> dict[str, dict[str, Any]]:
    """The schema of each kind."""
    found: dict[str, dict[str, Any]] = {}
    for schema in _schemas():
        rule = schema.get("properties", {}).get("kind", {})
        found |= dict.fromkeys(rule.get("enum", [rule["const"]] if "const" in rule else []), schema)
    return found


def _own(part: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """The names that a kind's part of the schema adds to those of the file, and of a row."""
    properties = part["properties"]
    return {*properties} - {"kind", "rows"}, {*properties.get("rows", {}).get("items", {}).get("properties", {})}


@cache
def _validator(kind: str | None) -> Draft202012Validator:
    """The schema of a kind's files; None: of a kind that there is not, which it refuses."""
    whole = json.loads(SCHEMA.read_text())
    whole["properties"]["kind"]["enum"] = sorted(parts())
    if kind is not None:
        part = parts()[kind]
        of_file, of_row = _own(part)
        place = f"{part['$id']}#/properties"
        whole["properties"] |= {name: {"$ref": f"{place}/{name}"} for name in of_file}
        row = whole["properties"]["rows"]["items"]["properties"]
        row |= {name: {"$ref": f"{place}/rows/items/properties/{name}"} for name in of_row}
    return composed(whole, _schemas())


def _require(value: Any, name: str) -> None:
    """Check the content of a file.

    Raises:
        TrapezeError: it breaks the schema.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    check(value, _validator(kind if isinstance(kind, str) and kind in parts() else None), name)


def names(folder: Path | None = None) -> list[str]:
    """The names of all experiments, sorted."""
    return sorted(path.parent.name for path in (folder or paths.BENCH).glob(f"*/{FILE}"))


def _own_file(path: Path, known: Collection[str]) -> Path:
    """The file of an experiment that is not in `bench/`, by its path or that of its folder.

    Raises:
        TrapezeError: there is none, or its folder has the name of one in `bench/`, under which its figures would stand.
    """
    file = (path if path.suffix in SUFFIXES else path / FILE).resolve()
    if not file.is_file():
        raise TrapezeError(f"{path}: no such experiment; name its {FILE} or the folder that holds it")
    name = file.parent.name
    if name in known and not file.is_relative_to(paths.BENCH):
        raise TrapezeError(f"{path}: its folder '{name}' has the name of an experiment of Trapeze; rename the folder")
    return file


def load(name: str, folder: Path | None = None) -> Experiment:
    """Read an experiment, by its name or by the path of its file or folder.

    Raises:
        TrapezeError: there is none of that name, or its file is wrong.
    """
    home = folder or paths.BENCH
    known = names(home)
    if is_path(name):
        path = _own_file(Path(name), known)
        name = path.parent.name
    elif name not in known:
        raise TrapezeError(
            f"unknown experiment '{name}'; {choices(name, known)}; one of your own by its path, ./{name}"
        )
    else:
        path = home / name / FILE
    raw = read_yaml(path, lambda value: _require(value, str(path)))
    of_file, of_row = _own(parts()[raw["kind"]])
    metrics = {key: Metric(key, **value) for key, value in raw["metrics"].items()}
    common = {"line": raw.get("line", 0), "all_extensions": raw.get("all_extensions", False)}
    cases = tuple(_case(path, common | row, metrics, of_row) for row in raw["rows"])
    if len({case.id for case in cases}) < len(cases):
        raise TrapezeError(f"{path}: rows: each id may come only once")
    context = tuple(Context(**one) for one in raw.get("context", []))
    stages = tuple(StageOf(**one) for one in raw.get("stages", []))
    for wrong in {name for one in stages for name in (one.to, one.since)} - {None, *metrics}:
        raise TrapezeError(f"{path}: stages: unknown metric '{wrong}'; {choices(str(wrong), metrics)}")
    answers = Answer(**raw["answers"]) if "answers" in raw else None
    if answers is not None and answers.metric not in metrics:
        raise TrapezeError(f"{path}: answers: unknown metric '{answers.metric}'; {choices(answers.metric, metrics)}")
    if answers is not None and not any(f"{answers.row}/".startswith(f"{case.id}/") for case in cases):
        raise TrapezeError(
            f"{path}: answers: no row '{answers.row}'; {choices(answers.row, [one.id for one in cases])}"
        )
    return Experiment(
        name=name,
        question=raw["question"],
        kind=raw["kind"],
        on_request=raw.get("on_request", False),
        metrics=metrics,
        cases=cases,
        context=context,
        stages=stages,
        answers=answers,
        names=raw.get("names", {}),
        own={name: raw[name] for name in of_file & raw.keys()},
    )


def _case(path: Path, row: dict[str, Any], metrics: Mapping[str, Metric], own: set[str]) -> Case:
    try:
        config = choose(row["config"], row.get("set", ()), path.parent)
    except TrapezeError as error:
        raise TrapezeError(f"{path}: {row['id']}: config: {error}") from None
    published = {key: Published(**value) for key, value in row.get("published", {}).items()}
    if strange := set(published) - set(metrics):
        wrong = sorted(strange)[0]
        raise TrapezeError(f"{path}: {row['id']}: published: unknown metric '{wrong}'; {choices(wrong, metrics)}")
    sources = tuple(path.parent / source for source in row.get("sources", []))
    if lacking := [source for source in sources if not source.is_file()]:
        raise TrapezeError(f"{path}: {row['id']}: no such source: {lacking[0].relative_to(path.parent)}")
    case = Case(
        id=row["id"],
        config=config,
        labels={"scheme": config.first.scheme, "abi": config.first.abi, **row.get("labels", {})},
        sources=sources,
        options=(*([f"-march={config.first.isa}"] if row["all_extensions"] else []), *row.get("options", [])),
        published=published,
        rtos=row.get("rtos"),
        monitor=row.get("monitor"),
        line=row["line"],
        quick=row.get("quick", True),
        only_by_name=row.get("only_by_name", False),
        own={name: row[name] for name in own & row.keys()},
    )
    if not 0 <= case.line < config.first.lines:
        raise TrapezeError(
            f"{path}: {case.id}: configuration '{config.name}' has lines 0 to {config.first.lines - 1} only"
        )
    return case
