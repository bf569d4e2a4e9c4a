# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulator as a process: one run of `trapeze-sim`, which is built before if need be."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.platform.configurations import Config
from trapeze.simulation import building, conditions, events, records, refusals
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options

_PROGRESS = re.compile(r"^progress (\d+) (\d+)$")


SCHEMA = "trapeze.request/1"


def request(elf: Path, config: Config, options: Options) -> dict[str, object]:
    """What the simulator is to run, as JSON (sim/app/request.schema.json); builds the engines that it names.

    Raises:
        TrapezeError: options that exclude each other, or an engine that does not build.
    """
    refusals.check(options)
    lockstep = options.engine == "lockstep"
    leader = "rtl" if lockstep else options.engine
    library = building.engine(config, options.waves, leader, options.trace_kind == "vcd")
    made: dict[str, object] = {
        "schema": SCHEMA,
        "command": shlex.join(repeated(elf, config, options)),
        "config": config.name,
        "platform": str(building.platform_file(config, options.engine == building.TIMED)),
        "engine": str(library),
        "programs": [str(one) for one in (elf, *options.others)],
    }
    if lockstep:
        made["follow"] = str(building.engine(config, kind="model"))
    watched = options.trace_kind in ("json", "jsonl")
    if watched or options.names_tasks or options.names_last or options.gdb is not None:
        made["kernels"] = events.kernels(
            events.programs_of(elf, options.others, len(config.harts)),
            port=options.names_tasks,
            lists=options.gdb is not None,
            stacks=options.names_last,
            waits=watched,
        )
    return made | options.to_json()


def repeated(elf: Path, config: Config, options: Options) -> list[str]:
    """The command line of `trapeze run` for the same figures, whatever else it writes."""
    plain = replace(options, trace=None, trace_from=None, trace_to=None, gdb=None, jtag=None)
    plain = replace(plain, uart_in=plain.uart_in_shown or plain.uart_in, uart=None)
    engine = [] if options.engine == "rtl" else ["--engine", options.engine]
    programs = [str(one) for one in (elf, *options.others)]
    measured_spans = [word for span in options.spans for word in span.command()]
    until = [] if options.until is None else ["--until", str(options.until)]
    return ["trapeze", "run", *programs, *config.words, *engine, *plain.arguments(), *measured_spans, *until]


def command_line(folder: Path, elf: Path, config: Config, options: Options, record: Path | None = None) -> list[str]:
    """The simulator's command for one run; builds what it needs.

    Args:
        folder: Where its request is written; it must stay until the command has begun.
        elf: The program, of hart 0 or of all.
        config: What it runs on.
        options: Of the run.
        record: Where its record goes; None: nowhere.

    Raises:
        TrapezeError: see `request`.
    """
    return command_of(folder, request(elf, config, options), record)


def command_of(folder: Path, what: Mapping[str, object], record: Path | None = None) -> list[str]:
    """The same of a request that is known."""
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix="request-", suffix=".json", delete=False) as file:
        json.dump(what, file)
    recorded = [] if record is None else ["--json", str(record.absolute())]
    return [str(building.BUILD / "bin" / "trapeze-sim"), file.name, *recorded]


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the time of one run."""
    with tempfile.TemporaryDirectory(prefix="trapeze-") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Outcome:
    """A finished run: the exit code, what the console said, and the record."""

    exit_code: int
    console: bytes
    run: records.Run


def follow(stderr: Iterator[str], progress: Progress | None) -> str:
    """Report progress lines and return all others."""
    rest = []
    for line in stderr:
        step = _PROGRESS.match(line.strip())
        if step is None:
            rest.append(line)
        elif progress is not None:
            progress(int(step[1]), int(step[2]))
    return "".join(rest).strip()


def measure(elf: Path, config: Config, options: Options, progress: Progress | None = None) -> Outcome:
    """Run firmware for a figure, note the conditions and read the record.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    under = Conditions.of(elf, config.name, options)
    outcome = watch(elf, config, options, progress)
    conditions.note({under: None})
    return outcome


def watch(elf: Path, config: Config, options: Options, progress: Progress | None = None) -> Outcome:
    """Run firmware and read its record, to look at what has been measured already.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    with scratch() as folder:
        record = folder / "run.json"
        command = [*command_line(folder, elf, config, options, record), "--progress"]
        with (folder / "console").open("w+b") as console:
            with processes.started(command, stdout=console, stderr=subprocess.PIPE, text=True) as process:
                complaints = follow(iter(process.stderr or ()), progress)
            console.seek(0)
            text = console.read()
        if not record.exists():
            raise TrapezeError(f"{complaints or f'trapeze-sim ended with {process.returncode}'} (running {elf.name})")
        return Outcome(process.returncode, text, records.load(record))
