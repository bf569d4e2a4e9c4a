# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The scheme `rpmsg`: round trips of messages by Linux' own remoteproc and rpmsg, in cycles of engine `timed`.

The hart beside runs a service that sends every message back. Trips are counted by size, with an idle Linux and with one
that other programs keep busy: their distribution, their parts, and what made the longest one long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc import parts, places
from trapeze.experiments.rpc.calls import Call
from trapeze.experiments.rpc.critical_path import LINUX
from trapeze.experiments.rpc.runs import METRIC, STRESS, Program, reason
from trapeze.experiments.rpc.timeline import Places, timeline
from trapeze.explaining import worst_case
from trapeze.firmware import toolchain
from trapeze.linux import image, kernel, layout
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.traces import Record, Retired

SCHEME = "rpmsg"
OWN = "messages"
SIZES = (16, 64, 256, 496)
FIRST = 16
"""Bytes of messages, and trips of each size that do not count: as bench/rpc/messages.c has them."""

DEVICE = "/dev/rpmsg0"
SAID = 3
"""Functions that a reason names."""

FIRMWARE = paths.FIRMWARE / "rpmsg" / "include"
INCLUDE = (FIRMWARE, paths.ROOT / "regs" / "jobs")
"""What the service needs beside its sources."""


def is_of(case: Case) -> bool:
    """Whether a row of the file is of this scheme."""
    return case.labels.get("scheme") == SCHEME


def check(case: Case, name: str) -> None:
    """Refuse a row that cannot be measured.

    Raises:
        TrapezeError: it does not say what is sent, or its platform has no mailbox, or it has no service.
    """
    if OWN not in case.own:
        raise TrapezeError(f"{name}: {OWN} is missing")
    if not layout.has_mailbox(case.config) or not case.sources:
        raise TrapezeError(f"{name}: config and sources: messages need a mailbox and a service behind it")


def by_size(each: Sequence[Call], count: int) -> dict[int, list[Call]]:
    """The trips that count, by bytes.

    Raises:
        TrapezeError: the record does not hold as many; it has at most 16,384 markers of a kind.
    """
    of_size = FIRST + count
    if len(each) != of_size * len(SIZES):
        wanted = f"{of_size} of each of {len(SIZES)} sizes"
        raise TrapezeError(f"{len(each)} trips in the record, not {wanted}; make fewer", 1)
    return {size: list(each[at * of_size + FIRST : (at + 1) * of_size]) for at, size in enumerate(SIZES)}


def by_function(records: Sequence[Record], call: Call, where: Places) -> Counter[str]:
    """Cycles of Linux' hart in a trip, by function; an instruction has those since the one before it, but for sleep."""
    found: Counter[str] = Counter()
    last: int | None = call.begin
    for one in records:
        if isinstance(one, Retired) and one.hart == LINUX and call.begin < one.cycle < call.end:
            found[where.function(LINUX, one.pc)] += 1 if last is None else one.cycle - last
            last = None if one.name == "wfi" else one.cycle
    return found


@dataclass(frozen=True)
class Maker:
    """Makes rows of a case."""

    case: Case
    experiment: Experiment
    where: Places

    def row(self, under: str, values: Sequence[float], **labels: str) -> Row:
        """A figure."""
        fields = self.case.row(METRIC) | {
            "id": f"{self.case.id}/{under}",
            "labels": {**self.case.labels, **labels},
        }
        return Row.of(values, engine=building.TIMED, unit=self.experiment.metrics[METRIC].unit, **fields)

    def why(self, name: str, program: Program, each: Sequence[Call]) -> str:
        """What made the longest trip long; writes its timeline."""
        at = max(range(len(each)), key=lambda at: each[at].cycles)
        longest, before = each[at], each[max(at - 1, 0)]
        usual = sorted(each, key=lambda one: one.cycles)[len(each) // 2]
        both = program.part(replace(longest, begin=before.begin))
        records = [one for one in both if one.cycle >= longest.begin]
        elf = self.case.elf(self.experiment.name)
        with replacing(worst_case.timeline(elf.with_stem(f"{elf.stem}-{name.replace('/', '-')}"), METRIC)) as made:
            made.write_text(timeline(records, longest.path, self.where, METRIC))
        longer = by_function(both, longest, self.where) - by_function(both, before, self.where)
        said = [f"{function} {cycles}" for function, cycles in longer.most_common(SAID)]
        return f"{reason(records, longest, usual.stages)}; more than in the trip before: {', '.join(said)}"

    def trips(self, load: str, program: Program, count: int) -> Iterator[Row]:
        """Rows of a run: of each size all trips, and their parts."""
        for size, each in by_size(program.run(), count).items():
            name, labels = f"{load}/{size}", {"load": load, "size": str(size)}
            worst = {worst_case.LABEL: self.why(name, program, each)}
            yield self.row(name, [one.cycles for one in each], test="trip", **labels, **worst)
            for stage in each[0].stages:
                values = [one.stages[stage] for one in each]
                yield self.row(f"{name}/{stage}", values, test="stage", stage=stage, **labels)


def service(case: Case, experiment: Experiment) -> Path:
    """The program of the hart beside."""
    words = [f"-I{folder}" for folder in INCLUDE]
    return toolchain.build(case.config, case.sources, case.elf(experiment.name), [*words, *case.options])


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case.

    Raises:
        TrapezeError: there is no kernel, a program failed, or a message was lost.
    """
    kernel.build(rpmsg=True)  # first: its packages have the compiler of programs, too
    echo, own = service(case, experiment), case.own[OWN]
    count = own["quick"] if quick else own["calls"]
    found: list[Row] = []
    with simulator.scratch() as folder:
        stress, messages = folder / "stress", folder / "messages"
        parts.program([paths.ROOT / STRESS], stress)
        parts.program(["-DMARKED", paths.BENCH / experiment.name / own["program"]], messages)
        for done, (load, how) in enumerate(own["loads"].items(), 1):
            words = [f"/bin/{messages.name}", DEVICE, count]
            if how.get("stress"):
                words += [f"/bin/{stress.name}", how["stress"]]
            built = image.build(case.config, " ".join(map(str, words)), [messages, stress], rpmsg=True)
            maker = Maker(case, experiment, places.of(built, echo, case.config, rpmsg=True))
            found += maker.trips(load, Program(built, echo, case), count)
            progress(done, len(own["loads"]))
    return found
