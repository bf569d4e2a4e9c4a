# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Both latencies of the Latencies IP paper in its scenarios, in cycles of engine `timed`.

A scenario is data of the row: what runs on hart 0 (`first`: a program in assembly; `linux`: a program for Linux, and
how much stands in its way; or `alone`: the measuring program itself, on the only hart), and where the measuring program
is: on the real-time hart, or with `cell` under the hypervisor, to which that says how interrupts come; with `vcpus` a
scheduler gives Linux and the cell the time of their harts. Every sample of the probes must
be what the host saw on their signals, to the cycle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import probe_file, probe_samples
from trapeze.experiments.probe_samples import MARKER_LAST_WORD, Report
from trapeze.experiments.probe_scenarios import parts
from trapeze.explaining import worst_case
from trapeze.explaining.worst_case import MeasuredSpan
from trapeze.firmware import compiler, toolchain
from trapeze.linux import image, kernel, layout
from trapeze.linux import program as programs
from trapeze.linux.cell import Cell
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run

METRICS = ("latency", "time", "agreed", "retired", *parts.PARTS)

HART = 1
"""The real-time hart, which has the measuring program where there are two."""

MAX_CYCLES = 5_000_000_000

DEVICE = "/dev/rpmsg0"
PAGE = "/dev/uio1"
"""What a cell shares with Linux; the first such device is the mailbox."""

STRESS = paths.ROOT / "linux" / "programs" / "stress.c"
INCLUDE = (paths.FIRMWARE / "rpmsg" / "include", paths.ROOT / "regs" / "jobs")
SLEEP = "sleep.S"
"""The program of a hart that nothing runs on."""

WIDTHS = {"rv64i": ("-march=rv64imac_zicsr", "-mabi=lp64"), "rv32i": ("-march=rv32imac_zicsr", "-mabi=ilp32")}
ASSEMBLY = ("-nostdlib", "-static", "-Wl,-n")
"""Of a program in assembly."""

_OWN_LINE = re.compile(rf"^\[hart {HART}\] ?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Linux:
    """Linux on hart 0: its program's source, and how many programs of each kind are in the way."""

    program: str
    stress: int = 0


@dataclass(frozen=True)
class Scenario:
    """What a row measures: samples, those of --quick, and what is on hart 0."""

    samples: int
    quick: int
    first: str = ""
    linux: Mapping[str, object] | None = None
    alone: bool = False
    cell: str = ""
    vcpus: int = 0

    @property
    def block(self) -> str:
        """The beginning of the names of the latency measurement's signals."""
        return "app_" if self.cell else ""

    def hart(self, config: Config) -> int:
        """The hart that measures."""
        return 0 if self.alone else compiler.cell_hart(config) if self.cell else HART

    @property
    def beside(self) -> Linux | None:
        """Linux, if it is on hart 0."""
        return None if self.linux is None else Linux(**self.linux)  # type: ignore[arg-type]


def scenario(case: Case) -> Scenario:
    """What a row measures.

    Raises:
        TrapezeError: it does not say.
    """
    found = case.part("scenario", Scenario)
    if found is None:
        raise TrapezeError(f"{case.id}: 'scenario' is missing; write what is on hart 0")
    return found


def said_by(console: bytes, asked: Scenario) -> bytes:
    """What the measuring program printed, among what Linux did."""
    if asked.alone:
        return console
    text = console.decode(errors="replace").replace("\r", "")
    return "".join(f"{line}\n" for line in _OWN_LINE.findall(text)).encode()


def evaluate(console: bytes, exit_code: int, run: Run, case: Case, wanted: int) -> tuple[Report, tuple[int, ...]]:
    """What one run has to show: the samples, and the cycles from the end of each T2 to a retirement.

    Raises:
        TrapezeError: a program failed or found something wrong, or probe and host do not agree.
    """
    if run.reason != "exit" or exit_code != 0:
        last = console.decode(errors="replace").replace("\r", "").splitlines()[-3:]
        raise TrapezeError(f"{case.id}: the run ended with {run.how}: {' / '.join(last)}", 1)
    report = probe_samples.parse(said_by(console, scenario(case)), case.id)
    if wrong := [name for name, count in report.counts.items() if count and name != "words"]:
        raise TrapezeError(f"{case.id}: {wrong[0]} {report.counts[wrong[0]]}", 1)
    if len(report.samples["t1"]) != wanted:
        raise TrapezeError(f"{case.id}: {len(report.samples['t1'])} samples, not {wanted}", 1)
    probe_samples.check_table(report, case.id)
    probe_samples.compare(report, run, case.id, scenario(case).block)
    exact = not case.config.harts[scenario(case).hart(case.config)].supervisor
    return report, probe_samples.retirements(run, case.id, scenario(case).block, exact)


def interrupts_within(run: Run, begin: int, end: int, hart: int = HART) -> list[str]:
    """The interrupts that a hart took between two cycles, but for the generator's own, which is the first one."""
    taken = sorted((one.taken, one.id) for one in run.other_claims if one.hart == hart)
    return [f"interrupt {number} in cycle {cycle}" for cycle, number in taken if begin < cycle < end][1:]


def reasons(case: Case, elf: Path, first: Path, options: Options, run: Run) -> dict[str, str]:
    """Where the cycles of each test's worst sample went; with a timeline of T2."""
    hart = scenario(case).hart(case.config)
    ends = [marker.tx for marker in run.markers if (marker.hart, marker.n) == (hart, MARKER_LAST_WORD)]
    ready = run.signals[f"{scenario(case).block}data_ready"]
    retires = 0 if case.config.harts[hart].supervisor else 1  # modelled, or the RTL
    spans = [MeasuredSpan(begin, end, options, hart, first, retires) for begin, end in zip(ready, ends, strict=True)]
    worst = max(spans, key=lambda one: one.cycles)
    others = ", ".join(interrupts_within(run, worst.begin, worst.end, hart)) or "none"
    number = spans.index(worst)
    why = worst_case.explain_span(case, elf, spans, "t2")
    return {
        "t1": "the random data generator's own time, in which no instruction takes part",
        "t2": f"sample {number}; {why}; other interrupts of hart {hart} meanwhile: {others}",
    }


def rows(
    case: Case,
    experiment: Experiment,
    report: Report,
    retired: Sequence[int],
    why: Mapping[str, str],
    shares: Mapping[str, Sequence[int]],
) -> list[Row]:
    """The rows of one run: each test and metric. Published figures, and `shares` by part, are of T2."""
    made = []
    for test, cycles in report.samples.items():
        values: dict[str, Sequence[float]] = {
            "latency": cycles,
            "time": [1000 * value / probe_file.clock(experiment) for value in cycles],
            "agreed": [1] * len(cycles),  # else there is no figure
        }
        if test == "t2":
            values |= {"retired": retired, **shares}
        for name, metric in experiment.metrics.items():
            if name not in values:
                continue
            fields = case.row(name) | {"id": f"{case.id}/{test}"}
            fields["labels"] = {**fields["labels"], "test": test}
            if name == "latency" and why:
                fields["labels"][worst_case.LABEL] = why[test]
            if test != "t2":
                fields |= {"published": None, "source": None}
            made.append(Row.of(values[name], engine=building.TIMED, unit=metric.unit, **fields))
    return made


def _linux_program(source: Path, made: Path, options: Sequence[str] = ()) -> Path:
    words = ["-O2", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", str(made)]
    done = processes.run(programs.command_line(words), capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"{source.name} does not build:\n{done.stderr.strip()}", 1)
    return made


def _assembly(case: Case, source: Path, hart: int, made: Path) -> Path:
    """A program in assembly for a hart.

    Raises:
        TrapezeError: it does not build.
    """
    about = case.config.harts[hart]
    words = [compiler.gcc(), *WIDTHS[about.base], *ASSEMBLY, f"-Wl,-Ttext={about.reset_vector:#x}"]
    done = processes.run([*words, str(source), "-o", str(made)], capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"{source.name} does not build:\n{done.stderr.strip()}", 1)
    return made


def hart_0(case: Case, experiment: Experiment, elf: Path, folder: Path) -> Path:
    """The program of hart 0; `elf` is the one that measures.

    Raises:
        TrapezeError: it does not build.
    """
    asked, sources = scenario(case), paths.BENCH / experiment.name
    if asked.alone:
        return elf
    if (beside := asked.beside) is not None:
        program = _linux_program(sources / beside.program, folder / "beside", ["-DCELL"] if asked.cell else [])
        stress = _linux_program(STRESS, folder / "stress")
        words = [f"/bin/{program.name}", PAGE if asked.cell else DEVICE]
        if beside.stress:
            words += [f"/bin/{stress.name}", str(beside.stress)]
        cell = Cell(elf, asked.cell, asked.vcpus) if asked.cell else None
        return image.build(case.config, " ".join(words), [program, stress], rpmsg=cell is None, jobs=False, cell=cell)
    return _assembly(case, sources / asked.first, 0, folder / "first.elf")


def firmware(case: Case, experiment: Experiment, samples: int) -> Path:
    """The measuring program."""
    asked = scenario(case)
    by_rpmsg = asked.linux is not None and not asked.cell
    beside = ["-DBESIDE", *(f"-I{folder}" for folder in INCLUDE)] if by_rpmsg else []
    words = [f"-DSAMPLES={samples}U", *beside, *case.options]
    return toolchain.build(case.config, case.sources, case.elf(experiment.name), words, cell=asked.cell != "")


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case; `quick` takes fewer samples, and leaves out parts and the reason of the worst one.

    Raises:
        TrapezeError: a program does not build or failed, or probe and host do not agree.
    """
    asked = scenario(case)
    if asked.linux is not None:
        kernel.build(
            several_harts=asked.vcpus > 1, rpmsg=not asked.cell
        )  # first: its packages have the compiler of programs, too
    samples = asked.quick if quick else asked.samples
    elf = firmware(case, experiment, samples)
    with simulator.scratch() as folder:
        first = hart_0(case, experiment, elf, folder)
        options = Options(engine=building.TIMED, max_cycles=MAX_CYCLES)
        if asked.cell:
            # The cell is in the image, and its hart shares that memory; the real-time hart sleeps.
            asleep = _assembly(case, paths.BENCH / experiment.name / SLEEP, HART, folder / "asleep.elf")
            options = replace(options, others=(asleep,), last_hart=0)
        elif not asked.alone:
            # With Linux the run ends when Linux powers off, and its exit code is that of its program.
            options = replace(options, others=(elf,), last_hart=HART if asked.linux is None else 0)
        outcome = simulator.measure(first, case.config, options)
        progress(1, 2)
        report, retired = evaluate(outcome.console, outcome.exit_code, outcome.run, case, samples)
        why: Mapping[str, str] = {}
        shares: Mapping[str, Sequence[int]] = {}
        if not quick:  # each of the two runs everything again, with a trace
            why = reasons(case, elf, first, options, outcome.run)
            ready, done = (outcome.run.signals[f"{asked.block}{name}"] for name in probe_samples.TESTS["t2"])
            seen = [parts.Sample(*pair) for pair in zip(ready, done, strict=True)][: parts.SAMPLES]
            shares = parts.measure(first, case.config, options, elf, asked.hart(case.config), seen)
        progress(2, 2)
    return rows(case, experiment, report, retired, why, shares)


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the engine of every configuration."""
    del experiment, quick
    engines = [target for case in cases for target in building.targets(case.config, [building.TIMED])]
    building.ensure(["trapeze-sim", *dict.fromkeys(engines)], [case.config for case in cases])


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, no clock, no sampling, or a row that does not say what it measures.
    """
    name = f"experiment {experiment.name}"
    experiment.allow_metrics(METRICS)
    for key in ("clock", "sampling"):
        if experiment.own.get(key) is None:
            raise TrapezeError(f"{name}: '{key}' is missing")
    for case in experiment.cases:
        try:
            asked = scenario(case)
        except TrapezeError as error:
            raise TrapezeError(f"{name}: {error}") from None
        place = f"{name}: {case.id}"
        for label in ("scenario", "opt"):
            if label not in case.labels:
                raise TrapezeError(f"{place}: label '{label}' is missing")
        if f"-{case.labels['opt']}" not in case.options:
            raise TrapezeError(f"{place}: options: the label 'opt' is {case.labels['opt']}, so they must have it")
        if (asked.linux is not None) + (asked.first != "") + asked.alone != 1:
            raise TrapezeError(f"{place}: scenario: say what is on hart 0, 'first', 'linux' or 'alone'")
        if asked.cell and asked.linux is None:
            raise TrapezeError(f"{place}: scenario: a cell is beside Linux; say 'linux'")
        if asked.linux is not None and not layout.has_mailbox(case.config):
            raise TrapezeError(f"{place}: config: messages need a mailbox")
        if asked.alone != (len(case.config.harts) == 1):
            raise TrapezeError(
                f"{place}: config: {case.config.name} has {len(case.config.harts)} harts; 'alone' is of one"
            )
        if not asked.alone and len(case.config.harts) <= HART:
            raise TrapezeError(f"{place}: config: {case.config.name} has no hart {HART}")
