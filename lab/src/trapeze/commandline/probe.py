# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze probe PORT`: a running board measures by its latency probes; rows, table and page are the experiment's."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.progress import Progress

from trapeze import experiment_files
from trapeze.commandline import bench, clock
from trapeze.common import output
from trapeze.common.console import err, out, progress
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import probe_file, probe_rows
from trapeze.firmware import compiler
from trapeze.onboard import board
from trapeze.onboard.board import Board
from trapeze.onboard.report import TESTS, Report, config_of
from trapeze.platform import configurations, user_configurations
from trapeze.platform.configurations import Config
from trapeze.reports.pages import run as run_page
from trapeze.results import provenance, spreadsheet, store
from trapeze.results.rows import Row

EXPERIMENT = "probe"
"""Whose rows these are: bench/probe."""

ENGINE = "board"

STRESS = {"idle": 0, "stress": 128}
"""What is asked of the stress generator by load, as in the experiment's file."""


HANDLERS = {"fastirq": "function"}
"""The label `handler` by scheme: what the firmware has the core or the HAL call."""


@dataclass(frozen=True)
class Asked:
    """A command line. Attributes are named as its options."""

    port: Path
    baud: int
    config: str | None
    settings: Sequence[str]
    samples: int
    json: Path | None
    html: Path | None
    csv: Path | None
    timeout: float

    def words(self) -> list[str]:
        """The command that measures the same again."""
        words = ["trapeze", "probe", str(self.port), "--baud", str(self.baud), "--samples", str(self.samples)]
        words += ["--config", self.config] if self.config is not None else []
        return words + [word for one in self.settings for word in ("--set", one)]


def _wanted(asked: Asked) -> Config | None:
    """The configuration that the command line names.

    Raises:
        TrapezeError: there is none of that name, or no name for the settings.
    """
    if asked.config is not None:
        return user_configurations.choose(asked.config, asked.settings)
    if asked.settings:
        raise TrapezeError("--set: of which configuration? give --config, too")
    return None


def _config(asked: Asked, report: Report) -> Config:
    """The configuration that the board's program was built for.

    Raises:
        TrapezeError: it is another one than the command line names, or one that only its owner has.
    """
    said, wanted = report.built_for, _wanted(asked)
    name = config_of(said)
    if wanted is None:
        if name not in configurations.every_name():
            raise TrapezeError(
                f"{asked.port}: the board's program was built for '{name}', which is none of Trapeze's configurations; "
                "give its file with --config",
                exit_code=1,
            )
        wanted = configurations.load(name)
    mine = compiler.note(wanted)
    if mine == said:
        return wanted
    if name != wanted.name:
        raise TrapezeError(
            f"{asked.port}: the board's program was built for {name}, not for {wanted.name}; give --config {name}, or "
            "load the other program",
            exit_code=1,
        )
    differs = next((word for word in said.split() if word not in mine.split()), said)
    raise TrapezeError(
        f"{asked.port}: the board's program was built for another {name}, with {differs}; give the same --set, or "
        "build the program anew",
        exit_code=1,
    )


def case_of(experiment: Experiment, config: Config, samples: int, stress: int) -> Case:
    """The row of the experiment that is measured so; one beside them if its file has none.

    The figures of another number of samples stand under an id of their own, and so do those of another configuration.
    """
    asked = {"samples": samples, "stress": stress}
    of_config = [case for case in experiment.cases if case.config.name == config.name]
    for case in of_config:
        if case.own.get("probe") == asked:
            return case
    load = "stress" if stress else "idle"
    first = config.first
    begin = f"{first.scheme}/{first.abi}" if of_config else config.name
    labels = {
        "scheme": first.scheme,
        "abi": first.abi,
        "handler": HANDLERS.get(first.scheme, "connected"),
        "load": load,
    }
    like = experiment.cases[0]
    number = "" if samples == probe_file.PAPERS_SAMPLES else f"-{samples}"
    return replace(like, id=f"{begin}/{load}{number}", config=config, labels=labels, published={}, own={"probe": asked})


def _require_right(asked: Asked, load: str, report: Report) -> None:
    """Refuse samples of which the program itself says that something was wrong.

    Raises:
        TrapezeError: names what it counted.
    """
    if not report.right:
        counts = ", ".join(f"{name} {value}" for name, value in report.counts.items())
        raise TrapezeError(
            f"{asked.port}: {load}: the board's program found something wrong: {counts}; nothing of it is a figure, "
            "check the clock of its bitstream",
            exit_code=1,
        )


def _measure(asked: Asked, one: Board, load: str, display: Progress) -> Report:
    """One load, with a bar that counts samples."""
    task = display.add_task(f"{asked.port}: {load}", total=asked.samples * len(TESTS))
    report = one.measure(asked.samples, STRESS[load], lambda come: display.update(task, completed=come))
    display.print(f"trapeze: {asked.port}: {load}: {asked.samples} samples of each latency", soft_wrap=True)
    return report


def _rows(asked: Asked, experiment: Experiment) -> tuple[Config, list[Row]]:
    found: list[Row] = []
    config = None
    with progress() as display, board.opened(asked.port, asked.baud, asked.timeout) as one:
        for load, stress in STRESS.items():
            report = _measure(asked, one, load, display)
            config = _config(asked, report)
            _require_right(asked, load, report)
            case = case_of(experiment, config, asked.samples, stress)
            mhz = report.clock_hz / 1e6 if report.clock_hz else None
            made = probe_rows.rows(case, experiment, report.samples, engine=ENGINE)
            found += [clock.clocked(row, mhz) for row in made]
    if config is None:
        raise ValueError("no load")
    return config, found


def run(asked: Asked) -> None:
    """Have a board measure, print its figures and write them.

    Raises:
        TrapezeError: bad input, a board that does not answer well, or a result that cannot be written.
    """
    page = asked.html and asked.html / run_page.NAME
    outputs = {"--json": asked.json, "--csv": asked.csv, "--html": page}
    output.check_distinct({"PORT": asked.port}, outputs)
    for path in (asked.json, asked.csv):
        output.check_writable(path)
    _wanted(asked)
    experiment = experiment_files.load(EXPERIMENT)
    origin = provenance.here()
    config, rows = _rows(asked, experiment)
    result = store.build(EXPERIMENT, rows, command=asked.words(), measured_by=origin, configs=[config])
    part = bench.show(out(), experiment, rows, drawn=asked.html is not None)
    if asked.json is not None:
        store.write(asked.json, result)
    if asked.csv is not None:
        output.write_atomic(asked.csv, spreadsheet.text(rows))
    if asked.html is not None:
        output.make_folder(asked.html)
        err().print(f"Page: {run_page.write(asked.html, result, [part], False)}", markup=False, soft_wrap=True)
    err().print(f"trapeze: measured by {config.name} at {shlex.quote(str(asked.port))}", soft_wrap=True)
