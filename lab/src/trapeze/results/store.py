# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Result files: schema `trapeze.result/1`, written down in `result.schema.json`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trapeze.common.output import write_atomic
from trapeze.common.schema import load_json, validate
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.results import provenance
from trapeze.results.rows import Failure, Row
from trapeze.simulation.conditions import Conditions

SCHEMA = Path(__file__).with_name("result.schema.json")

Runs = Mapping[Conditions, Sequence[Row]]
"""The rows that come from runs under each conditions."""


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
    configs: Iterable[Config] = (),
) -> dict[str, Any]:
    """A whole result object, checked against the schema.

    Args:
        experiment: Name of the experiment, or of the command.
        rows: The figures.
        command: That measures the same again, without options that only name where results go.
        runs: The simulator's runs that the figures come from.
        failed: What was asked for and is not there.
        measured_by: Of `origin.here`, asked earlier.
        configs: Of rows, where they are not in `configs/`.
    """
    own = {one.name: one for one in configs if one.own}
    known = {*configurations.every_name(), *own}
    value: dict[str, Any] = {
        "schema": "trapeze.result/1",
        "experiment": experiment,
        **(measured_by or provenance.here()),
        "command": shlex.join(command) or None,
        "configurations": {
            name: (own[name] if name in own else configurations.load(name)).to_json()
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
