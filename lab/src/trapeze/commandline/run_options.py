# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The command line of `trapeze run`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from trapeze.commandline.options import ConfigOption, Engine, EngineOption, JsonOption, SetOption, StatisticsOption
from trapeze.common.limits import FUNCTIONAL_TURN, MAX_CYCLES
from trapeze.simulation.options import Options


def run(
    elf: Annotated[
        list[Path], typer.Argument(metavar="ELF...", help="Firmware: the k-th is hart k's, one alone all harts'.")
    ],
    config: ConfigOption,
    settings: SetOption = None,
    engine: EngineOption = Engine.RTL,
    irq: Annotated[
        list[str] | None,
        typer.Option(
            "--irq", metavar="[HART:]LINE@CYCLE[:SHAPE]", help="Raise a line; SHAPE: level, pulse, pulse=N. Repeatable."
        ),
    ] = None,
    stimulus: Annotated[
        list[str] | None,
        typer.Option(
            "--stimulus",
            metavar="[HART:]LINE:SPEC",
            help="Raise a line many times; what that takes is counted. SPEC: every=N, uniform=A..B, exp=MEAN or "
            "file=PATH; behind commas n=COUNT, from=CYCLE (or a place, as of --sweep), seed=N, burst=COUNTxGAP, "
            "pulse=N. Repeatable.",
        ),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="[HART:]LINE@FROM..TO",
            help="One run for each cycle of the range, which raises the line. FROM and TO: cycles, or SYMBOL[+N] or "
            "marker:N[+N], of the cycle that first executes it. Twice: one run for each pair of cycles.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, max=1024, help="Processes of a sweep; without: one for each core."),
    ] = None,
    max_cycles: Annotated[
        int,
        typer.Option(
            "--max-cycles",
            metavar="N",
            min=1,
            max=2**63 - 1,
            help="Give up after N cycles, with exit code 124.",
            show_default=True,
        ),
    ] = MAX_CYCLES,
    span_from: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="EVENT", help="Measure from this event to that of the next --to. Repeatable."),
    ] = None,
    span_to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="EVENT",
            help="edge:LINE, claim:ID, signal:NAME, pc:SYMBOL, marker:N, store:SYMBOL[=VALUE], load:SYMBOL, task:NAME; "
            "H: behind the first colon is hart H's.",
        ),
    ] = None,
    span_name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="Name of the span in results; else its events.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="WHAT[=N]",
            help="End the run, with exit code 0, when this span ends the Nth time, or this event comes: a firmware "
            "need not end by itself.",
        ),
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            metavar="[NAME=]N",
            help="Stop at the first interrupt, or span NAME, that takes over N cycles or never ends, and say why.",
        ),
    ] = None,
    mhz: Annotated[
        str | None,
        typer.Option("--clock", metavar="MHZ", help="Say what was measured in microseconds, too, of such a clock."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            help="By suffix: .fst or .vcd waves, .log text, .json Perfetto, .jsonl; log:- is text on standard output.",
        ),
    ] = None,
    trace_from: Annotated[
        int | None, typer.Option("--trace-from", metavar="CYCLE", min=0, help="Leave out of it what ends before.")
    ] = None,
    trace_to: Annotated[
        int | None, typer.Option("--trace-to", metavar="CYCLE", min=0, help="Leave out of it what comes after.")
    ] = None,
    json: JsonOption = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the rows of the result as CSV, a line each.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="DIR", help="Write a page of the run, index.html, with its worst cases."),
    ] = None,
    masked: Annotated[
        bool,
        typer.Option("--masked", help="List the longest stretches in which interrupts were masked, by function."),
    ] = False,
    wait_instr: Annotated[
        int,
        typer.Option("--wait-instr", metavar="P", min=0, max=255, help="Chance of a fetch stall a cycle, in 1/256."),
    ] = 0,
    wait_data: Annotated[
        int, typer.Option("--wait-data", metavar="P", min=0, max=255, help="Chance of a data stall a cycle, in 1/256.")
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Seed of the wait states.")
    ] = 0,
    reset_seed: Annotated[
        int,
        typer.Option(
            "--reset-seed",
            metavar="N",
            min=0,
            max=2**32 - 1,
            help="Start registers without reset, and memory, with values from this seed; 0: zeros.",
        ),
    ] = 0,
    turn: Annotated[
        int | None,
        typer.Option(
            "--turn",
            metavar="N",
            min=1,
            max=1_000_000,
            help=f"Instructions (timed: cycles) that each of several modelled harts executes in turn; without: "
            f"{FUNCTIONAL_TURN} where nothing is measured or traced, else 1.",
        ),
    ] = None,
    coherence: Annotated[
        bool,
        typer.Option(
            "--coherence",
            help="Take the harts' caches as not coherent with each other, and report accesses that lack a flush; with "
            "any, exit code 126. Engines model and timed.",
        ),
    ] = False,
    statistics: StatisticsOption = None,
    uart_in: Annotated[
        Path | None,
        typer.Option(
            "--uart-in",
            metavar="FILE",
            help="What the console receives; -: standard input. Without: what is typed at a terminal, where nothing "
            "is measured.",
        ),
    ] = None,
    uart: Annotated[
        str | None,
        typer.Option(
            "--uart", metavar="pty", help="The console is a pseudo-terminal, whose name is printed, as for picocom."
        ),
    ] = None,
    gdb: Annotated[
        int | None,
        typer.Option("--gdb", metavar="PORT", min=0, max=65535, help="Wait for gdb-multiarch there; 0: a free port."),
    ] = None,
    halts: Annotated[
        int | None,
        typer.Option(
            "--halts",
            metavar="N",
            min=2,
            max=2**31 - 1,
            help="A debugger halts the harts again and again, after about N cycles; the program must not notice. With "
            "core.debug, such as --set debug=true.",
        ),
    ] = None,
    jtag: Annotated[
        int | None,
        typer.Option(
            "--jtag",
            metavar="PORT",
            min=0,
            max=65535,
            help="Wait for OpenOCD there, which gets the JTAG port of a platform with debug mode; 0: a free port.",
        ),
    ] = None,
) -> None:
    """Run firmware; the exit code is the firmware's.

    Others: 120 an assertion of the design fails, 121 runs of a sweep or edges of a stimulus have no latency, a span
    never ended or what --until names did not come, 122 it sleeps and nothing can wake it, 123 --budget, 124
    --max-cycles, 125 the engines of lockstep disagree, 126 --coherence, 130 Ctrl-C, 143 SIGTERM.
    """
    from trapeze.commandline import clock, console_input, cycle_report, run_sweeps, runner, spans
    from trapeze.commandline.run_request import RunRequest
    from trapeze.commandline.views import Views
    from trapeze.common.edges import Edge, Stimulus

    budgets = spans.budgets(budget or ())
    of_interrupts = budgets.pop(None, None)
    request = RunRequest(
        elf[0],
        config,
        Options(
            irq=tuple(map(Edge.parse, irq or ())),
            stimuli=tuple(map(Stimulus.parse, stimulus or ())),
            max_cycles=max_cycles,
            budget=of_interrupts,
            trace=trace,
            trace_from=trace_from,
            trace_to=trace_to,
            wait_instr=wait_instr,
            wait_data=wait_data,
            seed=seed,
            reset_seed=reset_seed,
            uart_in=uart_in,
            uart=uart,
            gdb=gdb,
            halts=halts,
            jtag=jtag,
            engine=engine.value,
            others=tuple(elf[1:]),
            turn=turn,
            coherence=coherence,
        ),
        Views(json, csv, html, masked),
        spans.RequestedSpans(tuple(span_from or ()), tuple(span_to or ()), tuple(span_name or ()), budgets, until),
        run_sweeps.RequestedSweeps(tuple(sweep or ()), jobs),
        settings or (),
        clock.parse(mhz, engine.value),
        cycle_report.Wanted.parse(statistics),
    )
    with console_input.console(request.options, measures=request.measures, many=bool(sweep)) as told:
        raise typer.Exit(runner.run(replace(request, options=told)))
