# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What an access to shared memory takes a real-time hart beside a busy Linux, and what such accesses cost Linux.

Two runs of engine `timed` for each row, with the port that the row says in front of the memory. In one Linux is kept
busy, and the real-time hart counts the cycles of each of its accesses. In the other one a Linux program copies memory,
first while the real-time hart sleeps, then while it does nothing but load.
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
from trapeze.firmware import toolchain
from trapeze.linux import image, kernel, layout, program
from trapeze.platform.configurations import Config
from trapeze.platform.platform import SharedMemory
from trapeze.results.rows import Row
from trapeze.results.statistics import Statistics, summarize, summarize_counts
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Outcome

METRICS = ("access", "waits", "kept", "copies")
KINDS = ("load-dram", "load-ring", "store-ring")
"""Kinds of accesses, as bench/shared-memory/main.c names them."""

HART = 1
"""The real-time hart."""

MOST = 1024
"""Cycles from which on accesses are not told apart; main.c has the same number."""

SILENT, HAMMERED = (10, 11), (12, 13)
"""Markers around the copies; bench/shared-memory/says.h has the same numbers."""

MAX_CYCLES = 5_000_000_000
DEVICE = "/dev/rpmsg0"
STRESS = paths.ROOT / "linux" / "programs" / "stress.c"
INCLUDE = (paths.FIRMWARE / "rpmsg" / "include", paths.ROOT / "regs" / "jobs")
"""What the service needs beside its sources."""

MARKERS = tuple(f"-I{folder}" for folder in (paths.FIRMWARE / "hal" / "include", paths.ROOT / "regs" / "gen" / "c"))
"""What a program with markers includes."""

_LINE = re.compile(rf"^\[hart {HART}\] ({'|'.join(KINDS)}) (\d+) (\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Beside:
    """How many accesses, those of --quick, and the programs of Linux."""

    accesses: int
    quick: int
    program: str
    stress: int
    copies: str


def beside(case: Case) -> Beside:
    """What a row measures.

    Raises:
        TrapezeError: it does not say.
    """
    found = case.part("beside", Beside)
    if found is None:
        raise TrapezeError(f"{case.id}: 'beside' is missing; write how many accesses, and the programs of Linux")
    return found


def platform(case: Case) -> Config:
    """The row's configuration, with its port."""
    return replace(case.config, shared_memory=case.part("memory", SharedMemory))


def accesses(console: bytes, wanted: int, name: str) -> dict[str, Statistics]:
    """The cycles of the accesses by kind, as the real-time hart printed them among what Linux did.

    Raises:
        TrapezeError: a kind is missing, or does not have as many accesses as it should, or one was too long.
    """
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for kind, cycles, count in _LINE.findall(console.decode(errors="replace").replace("\r", "")):
        found[kind].append((int(cycles), int(count)))
    for kind, counts in found.items():
        if (total := sum(count for _, count in counts)) != wanted:
            raise TrapezeError(f"{name}: {kind}: {total} accesses, not {wanted}", 1)
        if (longest := max(cycles for cycles, _ in counts)) >= MOST:
            raise TrapezeError(f"{name}: {kind}: an access of {longest} cycles or more", 1)
    return {kind: summarize_counts(counts) for kind, counts in found.items()}


def between(run: Run, markers: tuple[int, int], name: str) -> int:
    """The cycles of Linux' hart between two markers.

    Raises:
        TrapezeError: they are not there once each.
    """
    when = [[one.tr for one in run.markers if (one.hart, one.n) == (0, number)] for number in markers]
    if [len(one) for one in when] != [1, 1]:
        raise TrapezeError(f"{name}: markers {markers[0]} and {markers[1]} are not there once each", 1)
    return when[1][0] - when[0][0]


def _linux_program(source: Path, made: Path) -> Path:
    words = ["-O2", "-Wall", "-Wextra", "-Werror", *MARKERS, str(source), "-o", str(made)]
    done = processes.run(program.command_line(words), capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"{source.name} does not build:\n{done.stderr.strip()}", 1)
    return made


def _run(case: Case, elf: Path, words: Sequence[str], programs: Sequence[Path]) -> Outcome:
    """A run of Linux with a script, which ends with it.

    Raises:
        TrapezeError: the program failed.
    """
    config = platform(case)
    first = image.build(config, " ".join(words), list(programs), rpmsg=True, jobs=False)
    options = Options(engine=building.TIMED, max_cycles=MAX_CYCLES, others=(elf,), last_hart=0)
    outcome = simulator.measure(first, config, options)
    if outcome.run.reason != "exit" or outcome.exit_code != 0:
        last = outcome.console.decode(errors="replace").replace("\r", "").splitlines()[-3:]
        raise TrapezeError(f"{case.id}: the run ended with {outcome.run.how}: {' / '.join(last)}", 1)
    return outcome


def rows(case: Case, experiment: Experiment, found: Mapping[str, Statistics], times: Sequence[int]) -> list[Row]:
    """The rows of both runs; `times` are those of the copies without and with accesses beside."""
    least = {kind: one.min for kind, one in found.items()}  # of an access that does not wait
    silent, hammered = times
    made = []
    for name, metric in experiment.metrics.items():
        statistics: dict[str, Statistics] = {}
        if name == "access":
            statistics = dict(found)
        elif name == "waits":
            statistics = {
                kind: summarize_counts([(int(value - least[kind]), count) for value, count in one.histogram])
                for kind, one in found.items()
            }
        elif name == "kept":
            statistics = {"linux": summarize([100 * silent / hammered])}
        elif name == "copies":
            statistics = {"silent": summarize([silent]), "hammered": summarize([hammered])}
        for test, one in statistics.items():
            fields = case.row(name) | {"id": f"{case.id}/{test}"}
            fields["labels"] = {**fields["labels"], "test": test}
            made.append(Row(statistics=one, engine=building.TIMED, unit=metric.unit, **fields))
    return made


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case; `quick` makes fewer accesses.

    Raises:
        TrapezeError: a program does not build or failed, or not all accesses are there.
    """
    asked = beside(case)
    kernel.build(rpmsg=True)  # first: its packages have the compiler of programs, too
    wanted = asked.quick if quick else asked.accesses
    words = [f"-DCOUNT={wanted}U", *(f"-I{folder}" for folder in INCLUDE), *case.options]
    elf = toolchain.build(case.config, case.sources, case.elf(experiment.name), words)
    sources = paths.BENCH / experiment.name
    with simulator.scratch() as folder:
        busy = _linux_program(sources / asked.program, folder / "beside")
        stress = _linux_program(STRESS, folder / "stress")
        script = [f"/bin/{busy.name}", DEVICE, f"/bin/{stress.name}", str(asked.stress)]
        found = accesses(_run(case, elf, script, [busy, stress]).console, wanted, case.id)
        progress(1, 2)
        copies = _linux_program(sources / asked.copies, folder / "copies")
        run = _run(case, elf, [f"/bin/{copies.name}", DEVICE], [copies]).run
        progress(2, 2)
    times = [between(run, markers, case.id) for markers in (SILENT, HAMMERED)]
    return rows(case, experiment, found, times)


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the engine of every configuration."""
    del experiment, quick
    engines = [target for case in cases for target in building.targets(case.config, [building.TIMED])]
    building.ensure(["trapeze-sim", *dict.fromkeys(engines)], [platform(case) for case in cases])


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, a row that does not say what it measures, or a platform without a mailbox.
    """
    experiment.allow_metrics(METRICS)
    for case in experiment.cases:
        place = f"experiment {experiment.name}: {case.id}"
        try:
            beside(case)
        except TrapezeError as error:
            raise TrapezeError(f"experiment {experiment.name}: {error}") from None
        harts = case.config.harts
        if not layout.has_mailbox(case.config) or len(harts) <= HART or harts[HART].supervisor:
            raise TrapezeError(f"{place}: config: {case.config.name} has no real-time hart with messages of Linux")
