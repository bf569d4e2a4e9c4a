# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a command asks to run, as one value, and the same checked and resolved against the program and its platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trapeze.commandline import cycle_report, run_sweeps, spans
from trapeze.commandline.views import Views
from trapeze.common import output
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import FUNCTIONAL_TURN
from trapeze.platform import user_configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import first_execution, refusals
from trapeze.simulation.options import Options


@dataclass(frozen=True)
class ResolvedRun:
    """A run whose options go together and name cycles and addresses.

    Attributes:
        elf: The program, of hart 0 or of all.
        config: What it runs on.
        options: Of the run.
        views: What is written of the figures.
        sweeps: The sweeps of the command line.
        mhz: Clock by which cycles are shown in microseconds, too.
        counted: What is shown of where the cycles went; None: nothing.
    """

    elf: Path
    config: Config
    options: Options
    views: Views
    sweeps: run_sweeps.RequestedSweeps
    mhz: float | None
    counted: cycle_report.Wanted | None

    @property
    def plain(self) -> bool:
        """Nothing is measured of the program."""
        options = self.options
        debugged = options.gdb is not None or options.jtag is not None
        observed = not debugged and bool(options.irq or options.stimuli or options.sweep or options.spans)
        return not self.views.any and options.budget is None and not observed

    @property
    def recorded(self) -> bool:
        """Whether the simulator's record is wanted."""
        return not self.plain or self.counted is not None

    @property
    def pair(self) -> tuple[EdgeRange, EdgeRange] | None:
        """The inner and the outer sweep, where there are two."""
        inner, outer = self.options.sweep, self.options.outer
        return None if inner is None or outer is None else (inner, outer)

    @property
    def files(self) -> list[Path]:
        """What the simulator reads and writes of what the command line names."""
        options = self.options
        named = (*(one.file for one in options.stimuli), options.uart_in, options.trace_file)
        return [self.elf, *options.others, *(one for one in named if one is not None)]

    def check_files(self) -> None:
        """Refuse outputs that cannot be written, or that are an input or another output.

        Raises:
            TrapezeError: the message names the option.
        """
        page = None if self.counted is None else self.counted.page
        others = {f"the program of hart {number}": one for number, one in enumerate(self.options.others, 1)}
        output.check_writable(self.options.trace_file)
        output.check_distinct(
            {"the program": self.elf, "--uart-in": self.options.uart_in} | others,
            self.views.files() | {"--trace": self.options.trace_file, cycle_report.NAME: page},
        )


@dataclass(frozen=True)
class RunRequest:
    """What a command line asks for.

    Attributes:
        elf: The program, of hart 0 or of all.
        config_name: What it runs on.
        options: Of the run, without spans and sweeps.
        views: What is written of the figures.
        spans: The spans of the command line.
        sweeps: Its sweeps.
        settings: Parameters of the configuration, `KEY=VALUE` each.
        mhz: Clock by which cycles are shown in microseconds, too.
        counted: What is shown of where the cycles went; None: nothing.
    """

    elf: Path
    config_name: str
    options: Options
    views: Views = field(default_factory=Views)
    spans: spans.RequestedSpans = field(default_factory=spans.RequestedSpans)
    sweeps: run_sweeps.RequestedSweeps = field(default_factory=run_sweeps.RequestedSweeps)
    settings: Sequence[str] = ()
    mhz: float | None = None
    counted: cycle_report.Wanted | None = None

    @property
    def measures(self) -> bool:
        """Whether a figure depends on the run, so that nobody may type during it."""
        options = self.options
        asked = self.views.any or self.spans.starts or self.spans.until or self.sweeps.ranges
        return bool(asked or options.irq or options.stimuli or options.budget is not None)

    def resolve(self) -> ResolvedRun:
        """Check it, and put cycles and addresses in the place of the program's names; that may take short runs.

        Raises:
            TrapezeError: bad input that shows before the simulator starts.
        """
        config = user_configurations.choose(self.config_name, self.settings)
        sweeps, until = bool(self.sweeps.ranges), self.spans.until is not None
        refusals.check(self.options, sweeps=sweeps, spans=bool(self.spans.starts), until=until)
        _require_debug_mode(self.options, config)
        self._require_programs(config)
        measured, end = self.spans.resolve(self.elf, self.options.others, config)
        options = replace(self.options, spans=measured, until=end)
        refusals.check(options, sweeps=sweeps)
        options = self.sweeps.resolve(self.elf, config, options)
        if options.engine != "model":  # which refuses all of them
            find = first_execution.first_cycles(self.elf, config, options, "--stimulus")
            options = replace(options, stimuli=tuple(one.from_place(find) for one in options.stimuli))
        options = _with_turn(options, config, self.views.any)
        if self.counted is not None:
            self.counted.prepare(config, options)
        made = ResolvedRun(self.elf, config, options, self.views, self.sweeps, self.mhz, self.counted)
        made.check_files()
        return made

    def _require_programs(self, config: Config) -> None:
        programs = (self.elf, *self.options.others)
        for one in programs:
            require_program(one, self.config_name)
        if len(programs) > len(config.harts):
            raise TrapezeError(
                f"{programs[len(config.harts)]}: a program too many; {self.config_name} has {len(config.harts)} hart"
                f"{'s' if len(config.harts) > 1 else ''}; give at most one for each"
            )


def require_program(path: Path, config_name: str) -> None:
    """Refuse a program that is not a file.

    Raises:
        TrapezeError: the message says what the path is, and how to build a program.
    """
    if path.is_file():
        return
    kind = "no such file" if not path.exists() else "a folder" if path.is_dir() else "not a regular file"
    raise TrapezeError(f"{path}: {kind}; build one with `trapeze cc --config {config_name} FILE.c -o OUT.elf`")


def _require_debug_mode(options: Options, config: Config) -> None:
    if options.jtag is None or config.harts[0].debug:
        return
    raise TrapezeError(
        f"--jtag: configuration '{config.name}' has no debug mode; add --set debug=true, or use mcu-fastirq-debug or "
        "duo-debug"
    )


def _with_turn(options: Options, config: Config, measured: bool) -> Options:
    """Add the turn of functional runs if the model runs several harts and their interleaving is not observed."""
    looked = (
        options.irq
        or options.stimuli
        or options.sweep
        or options.spans
        or options.until
        or options.trace
        or options.log
        or options.gdb is not None
        or options.jtag is not None
        or measured
    )
    several = options.engine in ("model", "timed") and len(config.harts) > 1
    return replace(options, turn=FUNCTIONAL_TURN) if options.turn is None and several and not looked else options
