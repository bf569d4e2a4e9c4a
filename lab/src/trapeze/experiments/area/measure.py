# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Area of the CLIC over its number of sources, and of the core over its configurations (CV32RT, IV-C, Figures 8 to 10).

Both in GE by Yosys (`trapeze.synth.generic`). The CLIC is measured with its hierarchy, so that its parts add up; the
core as a whole without, and split into parts with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from trapeze.common import jobs
from trapeze.common.console import progress
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.synth import designs, generic
from trapeze.synth.designs import Design

CLIC_METRICS = ("per-source", "registers-per-source", "tree-share", "area")
FASTIRQ_METRICS = ("core-overhead", "system-overhead", "id-overhead", "regfile-overhead")
ATOMIC_METRICS = ("atomic-overhead", "amo-area")
PROTECTION_METRICS = ("protection-overhead", "per-region")
CORE_METRICS = (*FASTIRQ_METRICS, *ATOMIC_METRICS, *PROTECTION_METRICS, "transistor-area", "area")
ID_STAGE = ("id", "regfile", "fastirq")
"""The parts of the core that the paper's ID stage holds; fastirq's drain is there in the paper."""

SYSTEM_SOURCES = 256
"""Sources of the CLIC that the paper's core was synthesized with."""


@dataclass(frozen=True)
class Hardware:
    """What is synthesized in place of the configuration's own, and the row that it is compared with, if any."""

    banks: int | None = None
    sources: int | None = None
    regions: int | None = None
    against: str | None = None


def hardware(case: Case) -> Hardware:
    """What a row says of its hardware."""
    return case.part("hardware", Hardware) or Hardware()


def clic(case: Case) -> Design:
    """The CLIC of a case."""
    return designs.controller(case.config, hardware(case).sources or case.config.first.sources)


def core_config(case: Case) -> Config:
    """The configuration of a case, with the banks and regions of memory protection that it says."""
    said = {"banks": hardware(case).banks, "regions": hardware(case).regions}
    return case.config.changed(**{key: value for key, value in said.items() if value is not None})


def core(case: Case) -> Design:
    """The core of a case."""
    return designs.core(core_config(case))


def _whole_clic(case: Case) -> Design:
    return designs.controller(case.config, SYSTEM_SOURCES)


def other(case: Case, experiment: Experiment) -> Case | None:
    """The row that a case is compared with."""
    return next((one for one in experiment.cases if one.id == hardware(case).against), None)


def has_atomics(case: Case) -> bool:
    """Whether the core has the A extension."""
    return "a" in case.config.first.extensions


def has_protection(case: Case) -> bool:
    """Whether the core has regions of memory protection."""
    return core_config(case).first.regions > 0


def _work(case: Case, experiment: Experiment, quick: bool) -> list[Callable[[], object]]:
    """What has to be synthesized for a case."""
    against = other(case, experiment)
    cases = [one for one in (case, against) if one is not None]
    if experiment.kind == "clic-area":
        return [partial(generic.parts, clic(one)) for one in cases]
    work: list[Callable[[], object]] = []
    for one in cases:
        work.append(partial(generic.parts, core(one)))
        if not quick:
            work.append(partial(generic.whole, core(one)))
    if not quick and has_atomics(case):
        work.append(partial(generic.whole, designs.atomics(case.config)))
    elif not quick and against is not None and not has_protection(case):
        work.append(partial(generic.parts, _whole_clic(case)))
    if not quick and experiment.named:
        work.append(partial(generic.transistor_ge, core(case)))
    return work


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Synthesize everything, several at a time; the answers are in the cache then."""
    work = [one for case in cases[::-1] for one in _work(case, experiment, quick)]
    with progress() as display:
        task = display.add_task(f"{experiment.name} synthesis")
        jobs.together(work, lambda done, total: display.update(task, completed=done, total=total))


def _row(case: Case, experiment: Experiment, metric: str, value: float, part: str | None = None) -> Row:
    fields = case.row(metric)
    labels: dict[str, str] = dict(case.labels) | {"block": part or experiment.kind.removesuffix("-area")}
    for key in ("banks", "sources", "regions"):
        if (set_to := getattr(hardware(case), key)) is not None:
            labels[key] = str(set_to)
    name = case.id if part is None else f"{case.id}/{part}"
    unit = experiment.metrics[metric].unit
    return Row.of([value], engine="generic", unit=unit, **(fields | {"id": name, "labels": labels}))


def _areas(case: Case, experiment: Experiment, parts: Mapping[str, float]) -> list[Row]:
    return [_row(case, experiment, "area", round(area), part) for part, area in parts.items()]


def measure_clic(case: Case, experiment: Experiment, quick: bool, advance: Progress) -> list[Row]:
    """The rows of one CLIC: area, its parts, the tree's share, and the area of each source more than in another row."""
    del quick
    parts = generic.parts(clic(case))
    total = sum(parts.values())
    rows = [_row(case, experiment, "area", round(total)), *_areas(case, experiment, parts)]
    rows.append(_row(case, experiment, "tree-share", round(100 * parts["tree"] / total, 1)))
    if (against := other(case, experiment)) is not None:
        base = generic.parts(clic(against))
        more = (hardware(case).sources or 0) - (hardware(against).sources or 0)
        slope = (total - sum(base.values())) / more
        registers = (parts["registers"] - base["registers"]) / more
        rows.append(_row(case, experiment, "per-source", round(slope, 1)))
        rows.append(_row(case, experiment, "registers-per-source", round(registers, 1)))
    advance(1, 1)
    return rows


def _more(now: float, before: float) -> float:
    """Per cent."""
    return round(100 * (now - before) / before, 1)


def _atomic_overheads(case: Case, against: Case) -> dict[str, float]:
    """What the A extension adds to a core, and in front of a bank."""
    whole, base = (generic.whole(core(one)).ge for one in (case, against))
    return {"atomic-overhead": _more(whole, base), "amo-area": round(generic.whole(designs.atomics(case.config)).ge)}


def _protection_overheads(case: Case, against: Case) -> dict[str, float]:
    """What user level and memory protection add to a core without them, or each region to one with fewer."""
    whole, base = (generic.whole(core(one)).ge for one in (case, against))
    more = core_config(case).first.regions - core_config(against).first.regions
    if has_protection(against):
        return {"per-region": round((whole - base) / more)}
    return {"protection-overhead": _more(whole, base)}


def _overheads(case: Case, against: Case, quick: bool) -> dict[str, float]:
    """How much more a core is than another one, by what makes the difference."""
    if has_protection(case):
        return _protection_overheads(case, against)
    return _atomic_overheads(case, against) if has_atomics(case) else _fastirq_overheads(case, against, quick)


def _fastirq_overheads(case: Case, against: Case, quick: bool) -> dict[str, float]:
    """What fastirq adds to a core and to the parts of it that the paper names."""
    found: dict[str, float] = {}
    if not quick:
        whole, base_whole = (generic.whole(core(one)).ge for one in (case, against))
        shared = sum(generic.parts(_whole_clic(case)).values())
        found["core-overhead"] = _more(whole, base_whole)
        found["system-overhead"] = _more(whole + shared, base_whole + shared)
    parts, base = (generic.parts(core(one)) for one in (case, against))
    stage, base_stage = (sum(one.get(part, 0) for part in ID_STAGE) for one in (parts, base))
    found["id-overhead"] = _more(stage, base_stage)
    found["regfile-overhead"] = _more(parts["regfile"], base["regfile"])
    return found


def measure_core(case: Case, experiment: Experiment, quick: bool, advance: Progress) -> list[Row]:
    """The rows of one core: area, its parts, and how much more that is than in another row.

    With `quick` its parts only; transistors where the experiment is asked for by name.
    """
    parts = generic.parts(core(case))
    rows = _areas(case, experiment, parts)
    if not quick:
        rows.insert(0, _row(case, experiment, "area", round(generic.whole(core(case)).ge)))
        if experiment.named:
            rows.append(_row(case, experiment, "transistor-area", round(generic.transistor_ge(core(case)))))
    if (against := other(case, experiment)) is not None:
        more = _overheads(case, against, quick)
        rows += [_row(case, experiment, metric, value) for metric, value in more.items()]
    advance(1, 1)
    return rows


def _check(experiment: Experiment, metrics: Sequence[str]) -> None:
    experiment.require_metrics(metrics)
    known = [case.id for case in experiment.cases]
    for case in experiment.cases:
        against = hardware(case).against
        if against is not None and against not in known:
            said = f"experiment {experiment.name}: {case.id}: against"
            raise TrapezeError(f"{said}: unknown row '{against}'; {choices(against, known)}")


def check_clic(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: other metrics, no CLIC, no number of sources, or a comparison with what is not smaller.
    """
    _check(experiment, CLIC_METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}"
        other_keys = hardware(case).banks is not None or hardware(case).regions is not None
        if not case.config.first.has_clic or hardware(case).sources is None or other_keys:
            raise TrapezeError(f"{name}: needs a configuration with a CLIC, and hardware: {{sources: N}} only")
        against = other(case, experiment)
        if against is not None and (hardware(against).sources or 0) >= (hardware(case).sources or 0):
            raise TrapezeError(f"{name}: against: '{against.id}' has to have fewer sources")


def _but_for_atomics(case: Case, against: Case) -> bool:
    """Whether the other core is the same but for the A extension."""
    given, base = (core_config(one).first.core_parameters() for one in (case, against))
    return not has_atomics(against) and {**base, "ExtA": 1} == {**given, "ExtA": 1}


def check_core(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: other metrics, banks without fastirq, sources, A or memory protection without its partner.
    """
    _check(experiment, CORE_METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}"
        if hardware(case).sources is not None:
            raise TrapezeError(f"{name}: hardware: sources: only for clic-area")
        if (hardware(case).banks is not None) != (case.config.first.scheme == "fastirq"):
            raise TrapezeError(f"{name}: hardware: banks: needed with fastirq, and only there")
        against = other(case, experiment)
        if has_atomics(case) and (case.quick or against is None or not _but_for_atomics(case, against)):
            raise TrapezeError(f"{name}: a core with A needs against: the same one without it, and quick: false")
        fewer = against is not None and core_config(against).first.regions < core_config(case).first.regions
        if has_protection(case) and (case.quick or not fewer):
            raise TrapezeError(f"{name}: memory protection needs against: one with fewer regions, and quick: false")
