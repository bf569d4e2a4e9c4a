# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulator as a process: one run of `trapeze-sim`, which is built before if need be."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import processes
from trapeze.common.edges import Edge, EdgeRange, Stimulus
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.common.limits import MAX_CYCLES
from trapeze.platform.configurations import Config
from trapeze.simulation import building, calls, conditions, events, records
from trapeze.simulation.conditions import Conditions

TRACES = ("fst", "vcd", "log", "json", "jsonl")
"""What a trace can be: suffixes, or words in front of the file."""

_PROGRESS = re.compile(r"^progress (\d+) (\d+)$")


STANDARD_INPUT = Path("-")
"""As the file of console input: of a terminal what is typed during the run."""


def word(value: object) -> str:
    """A value on a command line; a file whose name begins like an option is no option."""
    text = str(value)
    return f"./{text}" if isinstance(value, Path) and text.startswith("-") and value != STANDARD_INPUT else text


@dataclass(frozen=True)
class Options:
    """Options of one run, as on the command line of `trapeze run`."""

    irq: tuple[Edge, ...] = ()
    stimuli: tuple[Stimulus, ...] = ()
    stamps_of: int | None = None
    """An edge of a stimulus that rises in this cycle is recorded as one of `irq`, too."""

    sweep: EdgeRange | None = None
    sweep_part: tuple[int, int] | None = None
    """First and last cycle of `sweep` that this process runs, as one of several; its messages name the whole."""

    outer: EdgeRange | None = None
    """A second sweep: that one is made for each cycle of this one, see `sweeps`."""

    max_cycles: int | None = MAX_CYCLES
    budget: int | None = None
    """Cycles from an edge to its marker; the first interrupt that takes more ends the run."""

    trace: Path | None = None
    trace_from: int | None = None
    """What ends before this cycle is left out of the trace."""

    trace_to: int | None = None
    """Cycle after which the trace ends."""

    wait_instr: int = 0
    wait_data: int = 0
    seed: int = 0
    reset_seed: int = 0
    """Seed of registers and memory without reset; 0: zeros."""

    uart_in: Path | None = None
    keys: bool = False
    """The console receives every key that is typed on standard input, Ctrl-C among them."""

    uart_in_shown: Path | None = None
    """What the command line named, where that was not a file: `uart_in` holds a copy."""

    uart: str | None = None
    """`pty`: the console is a pseudo-terminal, whose name the simulator prints."""

    gdb: int | None = None
    """Port on which the run waits for GDB; 0: a free one, which the simulator prints."""

    engine: str = "rtl"
    """`rtl`, `model`, `timed` (the RTL of one hart on the model's platform), or `lockstep`: the RTL leads and the model
    follows."""

    others: tuple[Path, ...] = ()
    """Programs of harts 1 and up, if hart 0 has not the same one as all."""

    spans: tuple[events.Span, ...] = ()
    """What is measured from one event to another."""

    until: events.Until | None = None
    """What ends the run."""

    names_last: bool = False
    """Where a run ends badly, say which task ran, and whether its stack has overflowed."""

    turn: int | None = None
    """Instructions that each of several harts of the model executes in turn; None: 1."""

    last_hart: int | None = None
    """The run ends when this hart's program does, whatever other harts do."""

    restarts: tuple[tuple[int, int], ...] = ()
    """Harts of the model that are reset and get their program anew, each with the instruction of the run."""

    coherence: bool = False
    """Take the harts' caches as not coherent, and report accesses that lack cache maintenance."""

    symbols: tuple[tuple[int, Path], ...] = ()
    """Harts with files that have more symbols of their code, for such reports."""

    log: calls.EventLog | None = None
    """What is written down of calls of prepared jobs."""

    def arguments(self) -> list[str]:
        """As the simulator takes them, and `trapeze run`; what is not set is left out, and so are spans and `until`."""
        words = [part for one in self.irq for part in ("--irq", str(one))]
        words += [part for stimulus in self.stimuli for part in ("--stimulus", str(stimulus))]
        for name in (
            "outer",
            "sweep",
            "max_cycles",
            "budget",
            "trace",
            "trace_from",
            "trace_to",
            "uart_in",
            "uart",
            "gdb",
            "turn",
        ):
            if (value := getattr(self, name)) is not None:
                words += [f"--{name.replace('_', '-').replace('outer', 'sweep')}", word(value)]
        for name in ("wait_instr", "wait_data", "seed", "reset_seed"):
            if value := getattr(self, name):
                words += [f"--{name.replace('_', '-')}", str(value)]
        return [*words, "--coherence"] if self.coherence else words

    @property
    def names_tasks(self) -> bool:
        """Whether a span begins or ends with a task, or one ends the run."""
        ends = [] if self.until is None or isinstance(self.until.what, str) else [self.until.what]
        return any(one.kind == "task" for one in [*ends, *(e for s in self.spans for e in (s.start, s.end))])

    @property
    def waves(self) -> bool:
        """Whether the run needs the variant of the RTL engine that writes waves and shows registers."""
        return self.gdb is not None or self.trace_kind == "fst"

    @property
    def trace_kind(self) -> str:
        """What is traced: `fst`, `vcd`, `log`, `json` or `jsonl`, as the suffix says or what stands in front."""
        if self.trace is None:
            return ""
        named, colon, _ = str(self.trace).partition(":")
        return named if colon and named in TRACES else self.trace.suffix.removeprefix(".")

    @property
    def trace_file(self) -> Path | None:
        """The file of the trace, without the kind in front; None: there is none, or it goes to standard output.

        Raises:
            TrapezeError: there is nothing behind the kind.
        """
        named, colon, file = str(self.trace or "").partition(":")
        if colon and named in TRACES and not file:
            raise TrapezeError(f"--trace '{self.trace}': there is no file; give one behind it, or - for the output")
        path = Path(file) if colon and named in TRACES else self.trace
        return None if path is None or str(path) == "-" else path


def command_line(elf: Path, config: Config, options: Options, record: Path | None) -> list[str]:
    """The simulator's command for one run; builds what it needs."""
    follow = ["--follow", str(building.engine(config, kind="model"))] if options.engine == "lockstep" else []
    library = building.engine(
        config, options.waves, "rtl" if options.engine == "lockstep" else options.engine, options.trace_kind == "vcd"
    )
    programs = [word(one) for one in (elf, *options.others)]
    words = [
        str(building.BUILD / "bin" / "trapeze-sim"),
        *programs,
        "--engine",
        str(library),
        *follow,
        "--config",
        config.name,
        "--platform",
        str(building.platform_file(config, options.engine == building.TIMED)),
    ]
    if record is not None:
        words += ["--json", word(record)]
    watched = options.trace_kind in ("json", "jsonl")
    if watched or options.names_tasks or options.names_last or options.gdb is not None:
        own = events.programs_of(elf, options.others, len(config.harts))
        words += events.Kernels(own).arguments(
            port=options.names_tasks, lists=options.gdb is not None, stacks=options.names_last, waits=watched
        )
    words += [part for hart, path in options.symbols for part in ("--symbols", str(hart), word(path))]
    if options.log is not None:
        words += options.log.arguments()
    if options.keys:
        words.append("--keys")
    if options.last_hart is not None:
        words += ["--last-hart", str(options.last_hart)]
    if options.stamps_of is not None:
        words += ["--stamps-of", str(options.stamps_of)]
    if options.sweep_part is not None:
        words += ["--sweep-part", *map(str, options.sweep_part)]
    words += [part for hart, cycle in options.restarts for part in ("--restart", f"{hart}@{cycle}")]
    until = [] if options.until is None else options.until.arguments()
    return [*words, *options.arguments(), *(part for span in options.spans for part in span.arguments()), *until]


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
        command = [*command_line(elf, config, options, record), "--progress"]
        with (folder / "console").open("w+b") as console:
            with processes.started(command, stdout=console, stderr=subprocess.PIPE, text=True) as process:
                complaints = follow(iter(process.stderr or ()), progress)
            console.seek(0)
            text = console.read()
        if not record.exists():
            raise TrapezeError(f"{complaints or f'trapeze-sim ended with {process.returncode}'} (running {elf.name})")
        return Outcome(process.returncode, text, records.load(record))
