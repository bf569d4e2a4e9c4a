# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run`: any firmware, with its own exit code, and a result file if wanted."""

from __future__ import annotations

import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from trapeze import config as configurations
from trapeze import output, records, results, simulator
from trapeze.config import Config
from trapeze.errors import TrapezeError
from trapeze.results import Row


def rows(record: records.Run, config: Config) -> list[Row]:
    """The rows of a plain run or a sweep: totals, and latencies by line."""
    stem = Path(record.elf).stem
    labels = {"scheme": config.scheme, "abi": config.abi}
    common = {"config": config.name, "engine": record.engine}
    made = []
    by_line: Mapping[int, Sequence[records.Stamps]]
    if record.sweep is None:
        totals = {"cycles": (record.cycles, "cycles"), "instructions": (record.instructions, "instructions")}
        made = [
            Row.of([value], id=stem, metric=metric, unit=unit, labels=labels | {"exit": record.reason}, **common)
            for metric, (value, unit) in totals.items()
        ]
        by_line = {line: [one for one in record.interrupts if one.line == line] for line in _lines(record)}
    else:
        by_line = {record.sweep_line or 0: record.sweep}
        cycles = [run.cycles for run in record.sweep]
        made = [Row.of(cycles, id=stem, metric="cycles", unit="cycles", labels=labels, **common)] if cycles else []
    for line, stamps in by_line.items():
        for metric in records.METRICS:
            values = [value for one in stamps if (value := one.distance(metric)) is not None]
            if values:
                fields = common | {"labels": labels | {"line": str(line)}}
                made.append(Row.of(values, id=f"{stem}/line{line}", metric=metric, unit="cycles", **fields))
    return made


def _lines(record: records.Run) -> list[int]:
    return sorted({one.line for one in record.interrupts if one.line is not None})


def run(elf: Path, config_name: str, options: simulator.Options, json: Path | None) -> int:
    """Run firmware, console on standard output.

    Returns:
        The simulator's exit code, which is the firmware's, or 124 after --max-cycles.

    Raises:
        TrapezeError: bad input that shows before the simulator starts, or a result that cannot be written.
    """
    config = configurations.load(config_name)
    if not elf.is_file():
        raise TrapezeError(f"{elf}: no such file; build one with `trapeze cc --config {config_name} FILE.c -o OUT.elf`")
    output.check_writable(json)
    output.check_writable(options.trace)
    if json is None:
        return _call(simulator.command_line(elf, config, options, None))
    with tempfile.TemporaryDirectory(prefix="trapeze-") as folder:
        path = Path(folder) / "run.json"
        code = _call(simulator.command_line(elf, config, options, path))
        if path.exists():
            results.write(json, results.build("run", rows(records.load(path), config)))
        return code


def _call(command: list[str]) -> int:
    process = subprocess.Popen(command)
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue  # the simulator got it too and ends by itself
        if code < 0:
            name = signal.Signals(-code).name
            raise TrapezeError(f"trapeze-sim was ended by {name}", exit_code=128 - code)
        return code
