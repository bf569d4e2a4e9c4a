# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run`: any firmware, with its own exit code, and a result file if wanted."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trapeze.commandline import (
    clock,
    console_input,
    interrupt_report,
    masked_report,
    run_sweeps,
    spans,
    stimulus_report,
)
from trapeze.commandline.run_request import ResolvedRun, RunRequest
from trapeze.commandline.views import NAME, Timelines, explained
from trapeze.common import processes
from trapeze.common.console import err, say
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.explaining import breakdown, over_budget
from trapeze.explaining.monitor_stop import Places, ends_with_report, relay
from trapeze.explaining.rerun import Rerun
from trapeze.platform.configurations import Config
from trapeze.results import provenance, store
from trapeze.results.rows import Failure, Row
from trapeze.results.statistics import Statistics, summarize
from trapeze.simulation import records, simulator
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options

INCOMPLETE = 121
"""Exit code if a run of a sweep or edges of a stimulus have no latency, or a span no figure, and nothing worse was."""

OVER_BUDGET = 123
"""Exit code of the simulator when --budget ended the run."""


def rows(record: records.Run, config: Config, pair: tuple[EdgeRange, EdgeRange] | None = None) -> list[Row]:
    """The rows of a plain run or a sweep: totals, and for each line how often it was taken and its latencies.

    The row `taken` of a sweep holds one value for each phase, so that min and max are 1 if every interrupt was taken
    exactly once; that of a plain run holds the total. A latency that not every interrupt has says so in its label
    `lost`. Of a pair of sweeps `pair` is the inner and the outer one. With several harts a line's rows name its
    hart in the label `hart`, and have that hart's scheme and ABI.
    """
    stem = Path(record.elf).stem

    def row(
        values: Sequence[float] | Statistics, metric: str, unit: str, edge: tuple[int, int] | None = None, **more: str
    ) -> Row:
        name = stem
        if edge is not None:
            hart, line = edge
            whose = {"hart": str(hart)} if record.harts > 1 else {}
            name += "".join(f"/{key}{value}" for key, value in whose.items()) + f"/line{line}"
            more |= whose | {"line": str(line)}
        sample = values if isinstance(values, Statistics) else summarize(values)
        return Row(
            id=name,
            metric=metric,
            unit=unit,
            statistics=sample,
            labels=config.labels(None if edge is None else edge[0]) | more,
            config=config.name,
            engine=record.engine,
        )

    def latencies(stamps: Sequence[records.Stamps], edge: tuple[int, int]) -> list[Row]:
        made = []
        for metric in records.METRICS:
            values = [value for one in stamps if (value := one.distance(metric)) is not None]
            lost = len(stamps) - len(values)
            if values:
                more = {"lost": f"{lost} of {len(stamps)}"} if lost else {}
                made.append(row(values, metric, "cycles", edge, **more))
        return made

    if record.sweep:
        edge = (record.sweep_hart, record.sweep_line or 0)
        cycles = row([run.cycles for run in record.sweep], "cycles", "cycles")
        taken = row([run.taken_count for run in record.sweep], "taken", "interrupts", edge)
        inner = latencies(record.sweep, edge)
        if pair is None:
            by_phase = [replace(one, more=run_sweeps.by_phase(record.sweep, one.metric)) for one in inner]
            return [cycles, taken, *by_phase]
        paired = (pair[1].hart, pair[1].line)
        others = [other for run in record.sweep for other in run.others if (other.hart, other.line) == paired]
        outer = row([int(one.taken is not None) for one in others], "taken", "interrupts", paired)
        both = [
            [replace(one, more=run_sweeps.by_both_phases(record.sweep, *pair, one.metric)[place]) for one in some]
            for place, some in enumerate((inner, latencies(others, paired)))
        ]
        return [cycles, taken, *both[0], outer, *both[1]]
    made = [row([record.instructions], "instructions", "instructions", exit=record.reason)]
    if record.engine != "model":  # which has no cycles
        made.insert(0, row([record.cycles], "cycles", "cycles", exit=record.reason))
    for edge in sorted({(one.hart, one.line) for one in record.interrupts if one.line is not None}):
        stamps = [one for one in record.interrupts if (one.hart, one.line) == edge]
        taken_ones = sum(one.taken is not None or one.tf is not None for one in stamps)
        made.append(row([taken_ones], "taken", "interrupts", edge))
        made += latencies(stamps, edge)
    for stimulus in record.stimuli:
        made += stimulus_report.rows(stimulus, row)
    return made


def run(asked: RunRequest) -> int:
    """Run firmware, console on standard output.

    Returns:
        The simulator's exit code, which is the firmware's, 124 after --max-cycles, 123 after --budget; 121 if runs of a
        sweep that went well have no latency, or a span never ended.

    Raises:
        TrapezeError: bad input that shows before the simulator starts, or a result that cannot be written.
    """
    one = asked.resolve()
    one.views.prepare()
    measured_by = provenance.here() if one.views.any else None
    code, record = _simulated(one)
    if record is None:
        return code
    if one.counted is not None:
        one.counted.show(record, one.config, simulator.repeated(one.elf, one.config, one.options))
    return code if one.plain else _reported(one, record, code, measured_by)


def _simulated(one: ResolvedRun) -> tuple[int, records.Run | None]:
    """The exit code, and the record where one is wanted and was written."""
    if one.options.sweep is not None:
        made = one.sweeps.run(one.elf, one.config, _first_pass(one.options))
        return made.exit_code, made.run
    alone = not one.options.others and one.options.gdb is None
    known = Places(one.elf) if alone else None
    told = replace(one.options, names_last=one.options.gdb is None)
    with simulator.scratch() as folder:
        path = folder / "run.json" if one.recorded else None
        command = simulator.command_line(folder, one.elf, one.config, told, path)
        try:
            code = _call(command, known, processes.open_files(one.files))
        except processes.Ended:
            if path is None:
                raise
            # What was measured so far is printed and written, as after --max-cycles.
            code = processes.exit_code()
        return code, records.load(path) if path is not None and path.exists() else None


def _reported(one: ResolvedRun, record: records.Run, code: int, measured_by: dict[str, Any] | None) -> int:
    """Say and write what was measured; returns the exit code."""
    config, options, views = one.config, one.options, one.views
    watched = Rerun(one.elf, config, options)
    late = over_budget.find(watched, record) if code == OVER_BUDGET and record.late is not None else None
    if late is not None:
        record = over_budget.with_late(record, late)
    if code == OVER_BUDGET and late is None and record.late_span is not None and _narrows(watched):
        watched.narrow_trace(*record.late_span)
    found = rows(record, config, one.pair) if views.any or record.sweep else []
    found += spans.rows(record, options.spans, config)
    if views.masked and not processes.ending():
        stretches = masked_report.rows(watched, record)
        found += stretches
        masked_report.show(err(), stretches)
    timelines: Timelines = {}
    if not processes.ending():  # a reason takes another run
        found, timelines = explained(record, watched, found, views.html, views.any)
    found = [clock.clocked(row, one.mhz) for row in found]
    if views.any:
        failed = spans.never(record, options.spans)
        failed += [_no_marker(late)] if late is not None and late.stamps.tx is None else []
        if processes.ending() and record.sweep:
            failed.append(Failure(NAME, one.elf.stem, run_sweeps.stopped(record, options)))
        result = store.build(
            NAME,
            found,
            command=simulator.repeated(one.elf, config, options),
            runs={Conditions.of(one.elf, config.name, options): found},
            failed=failed,
            measured_by=measured_by,
            configs=[config],
        )
        views.write(result, found, timelines)
    code = _say(watched, record, found, code, one.mhz)
    if late is not None:
        over_budget.report(late, options.trace if options.sweep is not None else None)
    return INCOMPLETE if spans.incomplete(record, options.spans) and code == 0 else code


def _narrows(watched: Rerun) -> bool:
    """Whether the trace of a run that a span has ended keeps to that span: it is a file, and has no bounds yet."""
    options = watched.options
    bounded = options.trace_from is not None or options.trace_to is not None
    return watched.possible and options.trace_file is not None and options.sweep is None and not bounded


def _say(watched: Rerun, record: records.Run, found: Sequence[Row], code: int, mhz: float | None) -> int:
    """What was measured; returns the exit code."""
    options = watched.options
    said = spans.summary(record, options.spans, found, mhz)
    if code != OVER_BUDGET:
        if record.sweep:
            said += [*interrupt_report.summary(found, mhz), *interrupt_report.lost(record)]
            said += [] if processes.ending() else run_sweeps.extremes(watched, record, found)
            code = code or (INCOMPLETE if interrupt_report.is_incomplete(record.sweep) else 0)
        else:
            said += [*interrupt_report.interrupts(record, mhz), *interrupt_report.never_rose(record, options.irq)]
            for one in record.stimuli:
                said += stimulus_report.summary(one, record, mhz)
                said += [] if processes.ending() else stimulus_report.extremes(watched, one)
                code = code or (INCOMPLETE if stimulus_report.is_incomplete(one) else 0)
    if said:
        say(said)
    return code


def _no_marker(late: over_budget.Late) -> Failure:
    """The failure of an interrupt over the budget without a latency: how far it came, and where its cycles went."""
    whose = f"hart{late.hart}/" if len(late.alone.config.harts) > 1 else ""
    why = f"raised in cycle {late.stamps.t0}: {late.took}: {breakdown.sentence(late.causes)}"
    return Failure(NAME, f"{late.alone.elf.stem}/{whose}line{late.line}", why)


def _first_pass(options: Options) -> Options:
    """Remove the trace from a sweep with a budget: it is made of the run that exceeds the budget."""
    if options.budget is None or options.sweep is None:
        return options
    return replace(options, trace=None, trace_from=None, trace_to=None)


def _call(command: list[str], known: Places | None, inherited: Sequence[int]) -> int:
    """Run the simulator with open files, and name the address of a report on the console as far as `known`."""
    reported = None
    if known is not None and not known.monitored:
        with simulator.scratch() as folder:
            code = _call([*command, "--console-tail", str(folder / "tail")], None, inherited)
            if ends_with_report(code) and (folder / "tail").exists():
                for line in (folder / "tail").read_bytes().splitlines():
                    known.explain(line)
        return code
    if known is not None:
        with simulator.scratch() as folder:
            last = folder / "pc"
            command = [*command, "--exit-pc", str(last)]
            with (
                console_input.terminal_kept(),
                processes.started(command, stdout=subprocess.PIPE, pass_fds=inherited) as process,
            ):
                if process.stdout is not None:
                    reported = relay(process.stdout.fileno(), known)
                code = process.wait()
            if reported is not None and last.exists() and known.reports(reported, code, int(last.read_text())):
                known.explain(reported)
    else:
        with console_input.terminal_kept(), processes.started(command, pass_fds=inherited) as process:
            code = process.wait()
    if code < 0:
        raise TrapezeError(f"trapeze-sim was ended by {signal.Signals(-code).name}", exit_code=128 - code)
    return code
