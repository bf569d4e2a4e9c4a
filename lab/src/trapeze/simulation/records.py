# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulator's record of a run (schema `trapeze.run/1`) and the figures that follow from it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trapeze.common.schema import load_json
from trapeze.simulation import cycle_causes
from trapeze.simulation.cycle_causes import HartCycles

SCHEMA = Path(__file__).with_name("run.schema.json")

METRICS: Mapping[str, str] = {
    name: one["stamp"] for name, one in tomllib.loads(Path(__file__).with_name("metrics.toml").read_text()).items()
}
"""The stamp whose distance from t0 each metric of an interrupt is (design, section 4)."""

STAMPS = ("t0", "fate", "taken", "tf", "tx", "tr")
KEPT = ("worst", "best", "unmarked")

MARKED = "marked"
FATES = {
    "not-taken": "the interrupt was not taken",
    "not-begun": "it was taken, and the run ended before its handler began",
    "running": "the run ended in its handler, before TRAPEZE_MARKER(1)",
    "returned": "its handler returned without TRAPEZE_MARKER(1)",
    "not-attributed": "its handler went on in another context, where no marker can be attributed to it",
    MARKED: "its handler reached TRAPEZE_MARKER(1)",
}
"""How far an interrupt came, in words."""

MARKER_HANDLER = 1
MARKER_WINDOW_BEGIN = 2
MARKER_WINDOW_END = 3
MARKER_HANDLER_END = 5
MARKER_STONE = 6


@dataclass(frozen=True)
class Stamps:
    """One interrupt, in cycles since reset; None for what did not happen.

    Attributes:
        t0: The line was first sampled asserted.
        fate: How far it came, of `FATES`.
        taken: The core left the interrupted program for it.
        tf: Fetch request of the first handler instruction.
        tx: The handler's marker executed.
        tr: The handler's marker retired.
    """

    t0: int
    fate: str = field(default=MARKED, kw_only=True)
    taken: int | None = field(default=None, kw_only=True)
    tf: int | None
    tx: int | None
    tr: int | None

    def distance(self, metric: str) -> int | None:
        """Cycles from t0 to the stamp of a metric of `METRICS`."""
        stamp: int | None = getattr(self, METRICS[metric])
        return None if stamp is None else stamp - self.t0


@dataclass(frozen=True)
class Interrupt(Stamps):
    """An interrupt of a plain run.

    Attributes:
        line: None if no platform line raised it.
        hart: The hart whose line it is.
        epc: Where the interrupted program goes on; None if the interrupt was not taken.
    """

    line: int | None
    epc: int | None = None
    hart: int = 0


@dataclass(frozen=True)
class SweepRun(Stamps):
    """One run of a sweep.

    Attributes:
        taken_count: How often the line's interrupt was taken.
        exit: The firmware's exit code, None if it did not exit.
        reason: Why the run ended: `exit`, `max-cycles`, `budget`, `asleep`, or `until`.
        cycles: Until the end of the run.
        console_crc: Checksum of all console output since reset.
        others: What else rose, by --irq.
        outer: Of a pair of sweeps: the cycle in which the outer line rises.
        handler_markers: How many markers 1 executed, in whatever handler.
    """

    taken_count: int
    exit: int | None
    reason: str
    cycles: int
    console_crc: int
    handler_markers: int = field(default=0, kw_only=True)
    others: tuple[Interrupt, ...] = field(default=(), kw_only=True)
    outer: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Marker:
    """A retired marker: its number, its stamps in cycles, its address, and its hart."""

    n: int
    tf: int
    tx: int
    tr: int
    pc: int = 0
    hart: int = 0


@dataclass(frozen=True)
class Claim:
    """An interrupt that was taken though no line of the command line was raised for it.

    Attributes:
        hart: That took it.
        id: Its number.
        taken: The cycle in which the hart left the interrupted program.
        epc: Where that program goes on.
    """

    hart: int
    id: int
    taken: int
    epc: int


@dataclass(frozen=True)
class SpanRecord:
    """What a span took, each time; of a sweep in all runs.

    Attributes:
        name: Of the span.
        histogram: Cycles (of the model instructions), and how often they were taken.
        open: Starts that never ended.
        missed: Starts that came while one was open.
        unwoken: Of a span to a task: interrupts that were served without a wake of the task.
        worst: Cycles in which the first of the longest began and ended; None if none ended.
        first: Cycle of the first start; None if there was none.
        swept: Of a sweep: the cycle in which its line rises in the run of `worst`.
        outer: Of a pair of sweeps: the same of the outer line.
    """

    name: str
    histogram: tuple[tuple[int, int], ...]
    open: int
    missed: int
    worst: tuple[int, int] | None
    first: int | None = None
    swept: int | None = None
    outer: int | None = None
    unwoken: int = 0


@dataclass(frozen=True)
class Arrivals:
    """The edges of one stimulus, together.

    Attributes:
        spec: The stimulus, as `--stimulus` takes it.
        line: That it raised.
        hart: Whose line it is.
        raised: Edges that raised the line.
        merged: Edges that came while the line was high, or while an earlier one waited, and raised nothing.
        left: Edges that would have come after the end of the run; None: it had no end of its own.
        fates: How many of the raised ones came how far, of `FATES`.
        histograms: By metric of `METRICS`: cycles from the edge, and how often they were taken.
        worst: The first of those with the longest latency; None if no marker executed.
        best: ... with the shortest.
        unmarked: The earliest one that has no marker.
    """

    spec: str
    line: int
    hart: int
    raised: int
    merged: int
    left: int | None
    fates: Mapping[str, int]
    histograms: Mapping[str, tuple[tuple[int, int], ...]]
    worst: Stamps | None
    best: Stamps | None
    unmarked: Stamps | None


@dataclass(frozen=True)
class Run:
    """A whole record.

    Attributes:
        signals: The cycles in which each of the platform's named signals rose; empty if the engine has no signals.
        sweep_hart: The hart whose line `sweep_line` is.
        late: Hart, line and cycle of the edge of the interrupt that did not keep the budget; None if each did.
        late_span: Cycles in which the first span that did not keep its budget began and ended, or in which the run
            ended before it; None if each did.
        harts: How many there are.
        spans: In the order of the command line.
        stimuli: In the order of the command line.
        statistics: Where the cycles of each hart went that knows it.
        other_claims: Interrupts of timers and of other harts, in the order in which they were taken.
    """

    config: str
    engine: str
    elf: str
    reason: str
    code: int | None
    cycles: int
    instructions: int
    markers: tuple[Marker, ...]
    interrupts: tuple[Interrupt, ...]
    sweep: tuple[SweepRun, ...] | None
    sweep_line: int | None
    sweep_hart: int = 0
    signals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    late: tuple[int, int, int] | None = None
    late_span: tuple[int, int] | None = None
    harts: int = 1
    spans: tuple[SpanRecord, ...] = ()
    other_claims: tuple[Claim, ...] = ()
    stimuli: tuple[Arrivals, ...] = ()
    statistics: tuple[HartCycles, ...] = ()

    @property
    def how(self) -> str:
        """How the run ended: its reason, such as `max-cycles`, and behind `exit` the code."""
        return self.reason if self.code is None else f"{self.reason}, code {self.code}"


def _span(raw: dict[str, Any]) -> SpanRecord:
    worst = raw["worst"]
    return SpanRecord(
        **_pick(raw, "name", "open", "missed", "unwoken", "first"),
        histogram=tuple((cycles, count) for cycles, count in raw["histogram"]),
        worst=None if worst is None else (worst["from"], worst["to"]),
        swept=None if worst is None else worst["swept"],
    )


def _arrivals(raw: dict[str, Any]) -> Arrivals:
    found = [None if raw[name] is None else Stamps(**_pick(raw[name], *STAMPS)) for name in KEPT]
    worst, best, unmarked = found
    return Arrivals(
        **_pick(raw, "spec", "line", "hart", "raised", "merged", "left", "fates"),
        histograms={metric: tuple(map(tuple, raw[stamp])) for metric, stamp in METRICS.items()},
        worst=worst,
        best=best,
        unmarked=unmarked,
    )


def _swept(raw: dict[str, Any]) -> SweepRun:
    own = ("taken_count", "exit", "reason", "cycles", "console_crc", "handler_markers")
    others = tuple(Interrupt(**_pick(one, *STAMPS, "line", "epc", "hart")) for one in raw.get("others", ()))
    return SweepRun(**_pick(raw, *STAMPS, *own), others=others)


def _pick(raw: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: raw[key] for key in keys}


def load(path: Path) -> Run:
    """Read a record.

    Raises:
        TrapezeError: the file cannot be read or is not such a record.
    """
    raw = load_json(path, SCHEMA, large=True)
    sweep = raw["sweep"]
    late = raw["late"]
    late_span = raw.get("late_span")
    return Run(
        **_pick(raw, "config", "engine", "elf", "cycles", "instructions"),
        reason=raw["exit"]["reason"],
        code=raw["exit"]["code"],
        markers=tuple(Marker(**_pick(marker, "n", "tf", "tx", "tr", "pc", "hart")) for marker in raw["markers"]),
        interrupts=tuple(Interrupt(**_pick(one, *STAMPS, "line", "epc", "hart")) for one in raw["interrupts"]),
        sweep=None if sweep is None else tuple(map(_swept, sweep["runs"])),
        sweep_line=None if sweep is None else sweep["line"],
        sweep_hart=0 if sweep is None else sweep["hart"],
        signals={name: tuple(cycles) for name, cycles in (raw["signals"] or {}).items()},
        other_claims=tuple(Claim(**_pick(one, "hart", "id", "taken", "epc")) for one in raw["other_claims"]),
        late=None if late is None else (late["hart"], late["line"], late["t0"]),
        late_span=None if late_span is None else (late_span["from"], late_span["to"] or raw["cycles"]),
        harts=len(raw["harts"]),
        spans=tuple(map(_span, raw["spans"])),
        stimuli=tuple(map(_arrivals, raw["stimuli"])),
        statistics=cycle_causes.of_record(raw["harts"]),
    )
