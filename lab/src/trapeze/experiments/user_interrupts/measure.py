# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Interrupts from a thread of one hart to a thread of another: four stages, as the UINTR measurements have them.

Hart 0 sends between markers 10 and 11, in each round one cycle later; hart 1 runs a background loop in user mode, and
its handler has markers 1 and 5. Stages, in cycles:

- `send`: the instruction or call by which a thread sends, from its execution to that of the next one;
- `delivery`: from the same beginning to the handler's first instruction;
- `receive`: from when hart 1 leaves the interrupted program to the handler's first instruction;
- `return`: from the marker at the handler's end, 5, to the interrupted instruction. Only rounds count in which
  that is a marker itself.

What counts is a round whose interrupt comes inside the background loop.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from trapeze.common.errors import TrapezeError, choices
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.user_interrupts import device_interrupts
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import (
    MARKER_HANDLER,
    MARKER_HANDLER_END,
    MARKER_WINDOW_BEGIN,
    MARKER_WINDOW_END,
    Claim,
    Marker,
    Run,
)

SENDER, RECEIVER = 0, 1
MARKER_SEND = 10
MARKER_SENT = 11
OPTIONS = Options(max_cycles=20_000_000)
STAGES = ("send", "delivery", "receive", "return")
METRICS = ("latency", "ratio")


@dataclass(frozen=True)
class Post:
    """One interrupt from hart to hart.

    Attributes:
        send: Marker before the instruction that sends.
        sent: Marker behind it.
        claim: Hart 1 leaves its program.
        handler: The handler's first instruction.
        end: The handler's marker at its end.
        after: The marker behind that, whatever it is; None behind the last handler of all.
    """

    send: Marker
    sent: Marker
    claim: Claim
    handler: Marker
    end: Marker
    after: Marker | None

    def stages(self) -> dict[str, int]:
        """Cycles of each stage that this one shows."""
        begin = self.send.tx + 1
        found = {
            "send": self.sent.tx - begin,
            "delivery": self.handler.tx - begin,
            "receive": self.handler.tx - self.claim.taken,
        }
        if self.after is not None and self.after.pc == self.claim.epc:
            found["return"] = self.after.tx - self.end.tx
        return found


def posts(run: Run, name: str) -> list[Post]:
    """All interrupts of a run, in their order.

    Raises:
        TrapezeError: some did not reach their handler.
    """
    ours = {n: [one for one in run.markers if one.hart == SENDER and one.n == n] for n in (MARKER_SEND, MARKER_SENT)}
    theirs = [one for one in run.markers if one.hart == RECEIVER]
    begins = [at for at, one in enumerate(theirs) if one.n == MARKER_HANDLER]
    ends = [at for at, one in enumerate(theirs) if one.n == MARKER_HANDLER_END]
    claims = [one for one in run.other_claims if one.hart == RECEIVER]
    counts = {len(ours[MARKER_SEND]), len(ours[MARKER_SENT]), len(begins), len(ends)}
    if len(counts) != 1 or 0 in counts:
        raise TrapezeError(
            f"{name}: {len(ours[MARKER_SEND])} interrupts sent, {len(begins)} handlers begun, {len(ends)} ended", 1
        )
    found = []
    for send, sent, begin, end in zip(ours[MARKER_SEND], ours[MARKER_SENT], begins, ends, strict=True):
        handler = theirs[begin]
        before = bisect.bisect_right(claims, handler.tx, key=lambda one: one.taken)
        if before == 0 or claims[before - 1].taken < send.tx:
            raise TrapezeError(
                f"{name}: the handler of cycle {handler.tx} was not entered for the send of {send.tx}", 1
            )
        after = theirs[end + 1] if end + 1 < len(theirs) else None
        found.append(Post(send, sent, claims[before - 1], handler, theirs[end], after))
    return found


def inside(run: Run, found: Sequence[Post]) -> Iterator[Post]:
    """Those that interrupt the background loop."""
    theirs = [one for one in run.markers if one.hart == RECEIVER]
    begins = [one.tr for one in theirs if one.n == MARKER_WINDOW_BEGIN]
    ends = [one.tx for one in theirs if one.n == MARKER_WINDOW_END]
    for one in found:
        at = bisect.bisect_right(begins, one.claim.taken) - 1
        if at >= 0 and one.claim.taken < ends[at]:
            yield one


def samples(case: Case, experiment: Experiment) -> dict[str, list[int]]:
    """Cycles by stage, in every round that counts.

    Raises:
        TrapezeError: the firmware found something wrong, or an interrupt is missing.
    """
    run = simulator.measure(case.firmware(experiment.name), case.config, OPTIONS).run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.how}", 1)
    shown = [one.stages() for one in inside(run, posts(run, case.id))]
    found = {stage: [one[stage] for one in shown if stage in one] for stage in STAGES}
    if lacking := [stage for stage, values in found.items() if not values]:
        raise TrapezeError(f"{case.id}: no round shows {', '.join(lacking)}", 1)
    return found


def _against(case: Case, experiment: Experiment) -> Case:
    """The row that a row is held against."""
    return next(one for one in experiment.cases if one.id == case.own["against"])


def _rows(case: Case, metric: str, unit: str, values: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    for stage, sample in values.items():
        fields = case.row(metric) | {"id": f"{case.id}/{stage}", "labels": {**case.labels, "test": stage}}
        yield Row.of(sample, engine="rtl", unit=unit, **fields)


def _published(row: Row, ratios: Mapping[str, Mapping[str, Any]]) -> Row:
    one = ratios.get(row.labels["test"])
    return row if one is None else replace(row, published=one["value"], source=one["source"])


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: each stage, or what arrives. There is nothing to leave out for `quick`."""
    del quick
    unit = experiment.metrics["latency"].unit
    if "arrives" in case.own:
        return [Row.of(device_interrupts.samples(case, experiment), engine="rtl", unit=unit, **case.row("latency"))]
    steps = 2 if "against" in case.own else 1
    found = samples(case, experiment)
    progress(1, steps)
    rows = list(_rows(case, "latency", unit, found))
    if "against" in case.own and "ratio" in experiment.metrics:
        other = samples(_against(case, experiment), experiment)
        ratios = {stage: [median(other[stage]) / median(values)] for stage, values in found.items()}
        published = experiment.own.get("ratios", {})
        rows += [_published(row, published) for row in _rows(case, "ratio", experiment.metrics["ratio"].unit, ratios)]
        progress(2, steps)
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, a stage or a row that there is not, or a platform of one hart.
    """
    experiment.allow_metrics(METRICS)
    if strange := experiment.own.get("ratios", {}).keys() - set(STAGES):
        raise TrapezeError(
            f"experiment {experiment.name}: ratios: '{sorted(strange)[0]}' is not one of {', '.join(STAGES)}"
        )
    known = [one.id for one in experiment.cases]
    for case in experiment.cases:
        if len(case.config.harts) < 2:
            raise TrapezeError(
                f"experiment {experiment.name}: {case.id}: configuration {case.config.name} has one hart"
            )
        if (other := case.own.get("against", case.id)) not in known:
            raise TrapezeError(
                f"experiment {experiment.name}: {case.id}: against: no row '{other}'; {choices(other, known)}"
            )
