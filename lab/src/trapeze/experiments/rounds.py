# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Firmware that runs a background loop in rounds (bench/irq-latency/rounds.c), and lines that rise in each of them.

Rounds begin a fixed number of cycles apart, and the first one without an interrupt is the last. One run finds the
window, one how far apart the rounds are; then one run raises lines in many rounds, at another phase in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.measured_window import Window, find_window
from trapeze.explaining.worst_case import MeasuredSpan
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import (
    MARKER_HANDLER,
    MARKER_HANDLER_END,
    MARKER_STONE,
    MARKER_WINDOW_BEGIN,
    MARKER_WINDOW_END,
    Interrupt,
    Marker,
    Run,
)

MAX_CYCLES = 20_000_000
ROUNDS = 600
"""Rounds of one run."""

EARLIER = 2
"""Rounds in front of one that is to be seen again: the hardware remembers which table entry it has fetched. Where the
second interrupt is late, that may be long ago."""


@dataclass(frozen=True)
class Nested:
    """Interrupts inside each other: how many, and how many cycles apart their lines rise, each one by itself."""

    depth: int
    apart: Sequence[int]


def nested(case: Case) -> Nested | None:
    """What the interrupt of a row's line is nested in, None if in nothing."""
    return case.part("nested", Nested)


def require_lines(experiment: Experiment) -> None:
    """Refuse a row whose interrupts nest deeper than the number of lines below its own.

    Raises:
        TrapezeError: names the row.
    """
    for case in experiment.cases:
        inner = nested(case)
        if inner is not None and case.line < inner.depth - 1:
            raise TrapezeError(
                f"experiment {experiment.name}: {case.id}: {inner.depth} nested interrupts take as many lines up to "
                f"line {case.line}; name line {inner.depth - 1} or a higher one"
            )


Raised = tuple[tuple[int, int], ...]
"""Edges of one round: lines and the cycles in which they rise, as if it were the first round."""


@dataclass(frozen=True)
class Round:
    """What one round showed.

    Attributes:
        markers: From the window's first to the last one before the next round, without stones.
        after: The marker behind the last handler's end, whatever it is.
        interrupts: One for each line that was raised, in the order of `Raised`.
    """

    markers: tuple[Marker, ...]
    after: Marker
    interrupts: tuple[Interrupt, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of the markers."""
        return tuple(marker.n for marker in self.markers)


def markers_of(handlers: int, unmarked: int = 0) -> tuple[int, ...]:
    """The markers of a round, in order, without stones.

    Args:
        handlers: One behind the other.
        unmarked: Handlers around them that have a marker at their end only.
    """
    inside = (MARKER_HANDLER, MARKER_HANDLER_END) * handlers + (MARKER_HANDLER_END,) * unmarked
    return (MARKER_WINDOW_BEGIN, *inside, MARKER_WINDOW_END)


def nest(case: Case, first: int, apart: int) -> Raised:
    """All lines of nested interrupts, the innermost first."""
    inner = nested(case)
    lines = range(case.line - (inner.depth - 1 if inner else 0), case.line + 1)
    return tuple((line, first + step * apart) for step, line in enumerate(lines))[::-1]


def split(run: Run, lines: int) -> list[Round]:
    """The rounds of a run in which so many lines rose in each; the last one is that without."""
    begins = [index for index, marker in enumerate(run.markers) if marker.n == MARKER_WINDOW_BEGIN]
    found = []
    for number, (begin, end) in enumerate(zip(begins, [*begins[1:], len(run.markers)], strict=True)):
        part = run.markers[begin:end]
        ends = [index for index, marker in enumerate(part) if marker.n == MARKER_HANDLER_END]
        after = part[min(ends[-1] + 1, len(part) - 1)] if ends else part[-1]
        markers = tuple(marker for marker in part if marker.n != MARKER_STONE)
        found.append(Round(markers, after, run.interrupts[number * lines : (number + 1) * lines]))
    return found


def check(found: Sequence[Round], wanted: Sequence[Raised], window: Window, name: str) -> list[Round]:
    """The rounds with interrupts, when all are there and lines rose where they had to.

    Raises:
        TrapezeError: something else.
    """
    if len(found) != len(wanted) + 1 or found[-1].shape != markers_of(0):
        raise TrapezeError(f"{name}: there are {len(found)} rounds, not {len(wanted)} and one without interrupts", 1)
    for one, raised in zip(found, wanted, strict=False):
        begin = one.markers[0].tr - window.first
        if [interrupt.t0 - begin for interrupt in one.interrupts] != [cycle for _, cycle in raised]:
            raise TrapezeError(f"{name}: the rounds do not begin a fixed number of cycles apart", 1)
    return list(found[:-1])


def options_of(raised: Sequence[Raised]) -> Options:
    """Options of a run in which lines rise in these rounds."""
    return Options(
        irq=tuple(Edge(line, cycle, ":pulse") for one in raised for line, cycle in one), max_cycles=MAX_CYCLES
    )


def _run(elf: Path, case: Case, raised: Sequence[Raised]) -> Run:
    run = simulator.measure(elf, case.config, options_of(raised)).run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: in {len(raised)} rounds the firmware ends by {run.how}", 1)
    return run


@dataclass(frozen=True)
class Stage:
    """Firmware whose rounds are known.

    Attributes:
        case: Row of the experiment.
        elf: Its firmware.
        window: The cycles of the loop in the first round.
        distance: From one round to the next.
        trial: The round that showed it.
        late: Whether the second of two interrupts comes later than the first.
    """

    case: Case
    elf: Path
    window: Window
    distance: int
    trial: Round
    late: bool = False

    @classmethod
    def prepare(cls, case: Case, elf: Path, trial: Callable[[int], Raised], late: bool = False) -> Stage:
        """Find out about the rounds.

        Args:
            case: Row of the experiment.
            elf: Its firmware.
            trial: Interrupts of a first round, given the first cycle of the window.
            late: Whether the second of two interrupts comes later than the first.

        Raises:
            TrapezeError: the firmware failed, or does not run in rounds.
        """
        window = find_window(_run(elf, case, ()), case.id)
        raised = trial(window.first)
        found = split(_run(elf, case, [raised]), len(raised))
        done = check(found, [raised], window, case.id)
        return cls(case, elf, window, found[1].markers[0].tr - found[0].markers[0].tr, done[0], late)

    def _apart(self, batch: Sequence[Raised]) -> list[Raised]:
        """Rounds of one run, one behind the other."""
        return [
            tuple((line, cycle + number * self.distance) for line, cycle in one) for number, one in enumerate(batch)
        ]

    def again(self, asked: Sequence[Raised], number: int, begin: int, end: int) -> MeasuredSpan:
        """A part of a round that was played, in a short run.

        Args:
            asked: All rounds that were played.
            number: Of the round.
            begin: Cycle in which the part begins, in the run that showed it.
            end: Cycle in which it ends.
        """
        place = number % ROUNDS
        before = place if self.late else min(place, EARLIER)
        earlier = (place - before) * self.distance
        return MeasuredSpan(
            begin - earlier, end - earlier, options_of(self._apart(asked[number - before : number + 1]))
        )

    def play(self, wanted: Sequence[Raised]) -> Iterator[Round]:
        """One round for each of these.

        Raises:
            TrapezeError: the firmware failed, or lines did not rise or were not taken.
        """
        for start in range(0, len(wanted), ROUNDS):
            batch = wanted[start : start + ROUNDS]
            yield from check(
                split(_run(self.elf, self.case, self._apart(batch)), len(batch[0])), batch, self.window, self.case.id
            )
