# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run`: any firmware, with its own exit code, and a result file if wanted."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from trapeze.commandline import (
    clock,
    console_input,
    cycle_report,
    interrupt_report,
    masked_report,
    run_sweeps,
    spans,
    stimulus_report,
)
from trapeze.commandline.views import NAME, Timelines, Views, explained
from trapeze.common import output, processes
from trapeze.common.console import err, say
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import FUNCTIONAL_TURN
from trapeze.explaining import breakdown, over_budget
from trapeze.explaining.monitor_stop import Places, ends_with_report, relay
from trapeze.explaining.rerun import Rerun
from trapeze.platform import user_configurations
from trapeze.platform.configurations import Config
from trapeze.results import provenance, store
from trapeze.results.rows import Failure, Row
from trapeze.results.statistics import Statistics, summarize
from trapeze.simulation import first_execution, records, simulator
from trapeze.simulation.conditions import Conditions

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


def run(
    elf: Path,
    config_name: str,
    options: simulator.Options,
    views: Views,
    asked: spans.RequestedSpans | None = None,
    wanted: run_sweeps.RequestedSweeps | None = None,
    settings: Sequence[str] = (),
    mhz: float | None = None,
    counted: cycle_report.Wanted | None = None,
) -> int:
    """Run firmware, console on standard output.

    Args:
        elf: The program, of hart 0 or of all.
        config_name: What it runs on.
        options: Of the run, without spans and sweeps.
        views: What is written of the figures.
        asked: The spans of the command line.
        wanted: The sweeps of the command line.
        settings: Parameters of the configuration, `KEY=VALUE` each.
        mhz: Clock by which cycles are shown in microseconds, too.
        counted: What is shown of where the cycles went; None: nothing.

    Returns:
        The simulator's exit code, which is the firmware's, 124 after --max-cycles, 123 after --budget; 121 if runs of a
        sweep that went well have no latency, or a span never ended.

    Raises:
        TrapezeError: bad input that shows before the simulator starts, or a result that cannot be written.
    """
    config = user_configurations.choose(config_name, settings)
    wanted = wanted or run_sweeps.RequestedSweeps()
    if options.gdb is not None and options.trace_kind == "vcd":
        raise TrapezeError("--gdb: its engine writes waves as FST; name the trace FILE.fst")
    if options.gdb is not None and options.engine == "lockstep":
        raise TrapezeError("--gdb stops one engine and lockstep runs two; use --engine rtl or --engine model")
    if options.gdb is not None and wanted.ranges:
        raise TrapezeError("--gdb debugs one run and --sweep makes many; use --irq LINE@CYCLE for the run to debug")
    programs = (elf, *options.others)
    for one in programs:
        require_program(one, config_name)
    if len(programs) > len(config.harts):
        raise TrapezeError(
            f"{programs[len(config.harts)]}: a program too many; {config_name} has {len(config.harts)} hart"
            f"{'s' if len(config.harts) > 1 else ''}; give at most one for each"
        )
    if asked is not None:
        measured, until = asked.resolve(elf, options.others, config)
        options = replace(options, spans=measured, until=until)
    if options.gdb is not None and options.until is not None:
        raise TrapezeError("--gdb stops where you say, and --until ends a run; use one of them")
    if options.gdb is not None and options.spans:
        raise TrapezeError("--gdb stops where you say, and spans measure a run; use one of them")
    options = wanted.resolve(elf, config, options)
    if options.engine != "model":  # which refuses all of them
        find = first_execution.first_cycles(elf, config, options, "--stimulus")
        options = replace(options, stimuli=tuple(one.from_place(find) for one in options.stimuli))
    if options.budget is not None:
        require_edges(options)
    options = _with_turn(options, config, views.any)
    if counted is not None:
        counted.prepare(config, options)
    output.check_writable(options.trace_file)
    output.check_distinct(
        {"the program": elf, "--uart-in": options.uart_in}
        | {f"the program of hart {number}": one for number, one in enumerate(options.others, 1)},
        views.files() | {"--trace": options.trace_file, cycle_report.NAME: None if counted is None else counted.page},
    )
    views.prepare()
    observed = options.gdb is None and bool(options.irq or options.stimuli or options.sweep or options.spans)
    known = Places(elf) if len(programs) == 1 and options.gdb is None else None
    told = replace(options, names_last=options.gdb is None)
    plain = not views.any and options.budget is None and not observed
    if plain and counted is None:
        return _call(simulator.command_line(elf, config, told, None), known)
    measured_by = provenance.here() if views.any else None
    if options.sweep is not None:
        made = wanted.run(elf, config, _first_pass(options))
        code, record = made.exit_code, made.run
    else:
        with simulator.scratch() as folder:
            path = folder / "run.json"
            try:
                code = _call(simulator.command_line(elf, config, told, path), known)
            except processes.Ended:
                # What was measured so far is printed and written, as after --max-cycles.
                code = processes.exit_code()
            record = records.load(path) if path.exists() else None
    if record is None:
        return code
    if counted is not None:
        counted.show(record, config, command_of(elf, config, options))
    if plain:
        return code
    watched = Rerun(elf, config, options)
    late = over_budget.find(watched, record) if code == OVER_BUDGET and record.late is not None else None
    if late is not None:
        record = over_budget.with_late(record, late)
    if code == OVER_BUDGET and late is None and record.late_span is not None and _narrows(watched):
        watched.narrow_trace(*record.late_span)
    pair = None if options.outer is None or options.sweep is None else (options.sweep, options.outer)
    found = rows(record, config, pair) if views.any or record.sweep else []
    found += spans.rows(record, options.spans, config)
    never = spans.never(record, options.spans)
    if views.masked and not processes.ending():
        stretches = masked_report.rows(watched, record)
        found += stretches
        masked_report.show(err(), stretches)
    timelines: Timelines = {}
    if not processes.ending():  # a reason takes another run
        found, timelines = explained(record, watched, found, views.html, views.any)
    found = [clock.clocked(row, mhz) for row in found]
    if views.any:
        command = command_of(elf, config, options)
        failed = [*never, *([_no_marker(late)] if late is not None and late.stamps.tx is None else [])]
        if processes.ending() and record.sweep:
            failed.append(Failure(NAME, elf.stem, run_sweeps.stopped(record, options)))
        runs = {Conditions.of(elf, config.name, options): found}
        result = store.build(
            NAME, found, command=command, runs=runs, failed=failed, measured_by=measured_by, configs=[config]
        )
        views.write(result, found, timelines)
    code = _say(watched, record, found, code, mhz)
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


def require_program(path: Path, config_name: str) -> None:
    """Refuse a program that is not a file.

    Raises:
        TrapezeError: the message says what the path is, and how to build a program.
    """
    if path.is_file():
        return
    kind = "no such file" if not path.exists() else "a folder" if path.is_dir() else "not a regular file"
    raise TrapezeError(f"{path}: {kind}; build one with `trapeze cc --config {config_name} FILE.c -o OUT.elf`")


def command_of(elf: Path, config: Config, options: simulator.Options) -> list[str]:
    """The command line of `trapeze run` for the same figures, whatever else it writes."""
    plain = replace(options, trace=None, trace_from=None, trace_to=None, gdb=None)
    plain = replace(plain, uart_in=plain.uart_in_shown or plain.uart_in, uart=None)
    engine = [] if options.engine == "rtl" else ["--engine", options.engine]
    programs = [str(one) for one in (elf, *options.others)]
    measured_spans = [word for span in options.spans for word in span.command()]
    until = [] if options.until is None else ["--until", str(options.until)]
    return ["trapeze", "run", *programs, *config.words, *engine, *plain.arguments(), *measured_spans, *until]


def require_edges(options: simulator.Options) -> None:
    """Refuse a budget without an edge from which it could count.

    Raises:
        TrapezeError: the message says what is missing, or which options exclude each other.
    """
    if options.engine == "model":
        raise TrapezeError("--budget counts cycles, which the engine 'model' has not; use --engine rtl")
    if options.gdb is not None:
        raise TrapezeError("--gdb stops where you say, and --budget where an interrupt is late; use one of them")
    if not options.irq and not options.stimuli and options.sweep is None:
        raise TrapezeError(
            "--budget counts from the edge of a line; say which one rises when, with --irq LINE@CYCLE, "
            "--stimulus LINE:SPEC or --sweep LINE@FROM..TO"
        )


def _with_turn(options: simulator.Options, config: Config, measured: bool) -> simulator.Options:
    """Add the turn of functional runs if the model runs several harts and their interleaving is not observed.

    Raises:
        TrapezeError: a turn is given, but the model does not run several harts.
    """
    if options.turn is not None:
        if options.engine not in ("model", "timed"):
            raise TrapezeError("--turn is for the model, whose harts execute one after the other; use --engine model")
        return options
    looked = (
        options.irq
        or options.stimuli
        or options.sweep
        or options.spans
        or options.until
        or options.trace
        or options.log
        or options.gdb is not None
        or measured
    )
    several = options.engine in ("model", "timed") and len(config.harts) > 1
    return replace(options, turn=FUNCTIONAL_TURN) if several and not looked else options


def _first_pass(options: simulator.Options) -> simulator.Options:
    """Remove the trace from a sweep with a budget: it is made of the run that exceeds the budget."""
    if options.budget is None or options.sweep is None:
        return options
    return replace(options, trace=None, trace_from=None, trace_to=None)


def _call(command: list[str], known: Places | None) -> int:
    """Run the simulator, and name the address of a report on the console as far as `known`."""
    reported = None
    if known is not None and not known.monitored:
        with simulator.scratch() as folder:
            code = _call([*command, "--console-tail", str(folder / "tail")], None)
            if ends_with_report(code) and (folder / "tail").exists():
                for line in (folder / "tail").read_bytes().splitlines():
                    known.explain(line)
        return code
    if known is not None:
        with simulator.scratch() as folder:
            last = folder / "pc"
            command = [*command, "--exit-pc", str(last)]
            with console_input.terminal_kept(), processes.started(command, stdout=subprocess.PIPE) as process:
                if process.stdout is not None:
                    reported = relay(process.stdout.fileno(), known)
                code = process.wait()
            if reported is not None and last.exists() and known.reports(reported, code, int(last.read_text())):
                known.explain(reported)
    else:
        with console_input.terminal_kept(), processes.started(command) as process:
            code = process.wait()
    if code < 0:
        raise TrapezeError(f"trapeze-sim was ended by {signal.Signals(-code).name}", exit_code=128 - code)
    return code
