# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The command line of `trapeze linux`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapeze.commandline.options import LinuxEngine, StatisticsOption
from trapeze.common.limits import MAX_CYCLES


def linux(
    config: Annotated[
        str,
        typer.Option("--config", metavar="C", help="Platform configuration with a hart that boots Linux, or its file."),
    ] = "app",
    script: Annotated[
        str | None,
        typer.Option(
            "--run", metavar="SCRIPT", help="A script for the shell, then power-off; its exit code is that of the run."
        ),
    ] = None,
    added: Annotated[
        list[Path] | None,
        typer.Option(
            "--add", metavar="FILE", help="A file that is in /bin there: a static program, a script, data; repeatable."
        ),
    ] = None,
    firmware: Annotated[
        Path | None,
        typer.Option(
            "--firmware",
            metavar="ELF",
            help="Program of hart 1, beside Linux; else the server of jobs.",
        ),
    ] = None,
    uart_in: Annotated[
        Path | None, typer.Option("--uart-in", metavar="FILE", help="Without --run: the lines that are typed.")
    ] = None,
    max_cycles: Annotated[
        int,
        typer.Option(
            "--max-cycles", metavar="N", min=1, max=2**63 - 1, help="Give up after N instructions, with exit code 124."
        ),
    ] = 20 * MAX_CYCLES,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="By suffix: .log text, .json Perfetto, .jsonl.")
    ] = None,
    gdb: Annotated[
        int | None,
        typer.Option(
            "--gdb",
            metavar="PORT",
            min=0,
            max=65535,
            help="Wait for gdb-multiarch there; 0: a free port. Not with amp and amp-2, whose harts have two widths.",
        ),
    ] = None,
    restarts: Annotated[
        list[int] | None,
        typer.Option(
            "--restart",
            metavar="N",
            min=0,
            max=2**63 - 1,
            help="After N instructions reset hart 1 and load its program anew; repeatable. Not with --trace or --gdb.",
        ),
    ] = None,
    coherence: Annotated[
        bool,
        typer.Option(
            "--coherence",
            help="Take the harts' caches as not coherent with each other, and report accesses that lack a flush; with "
            "any, exit code 126.",
        ),
    ] = False,
    engine: Annotated[
        LinuxEngine,
        typer.Option("--engine", help="What executes it; timed counts clock cycles, and hart 1 is the RTL."),
    ] = LinuxEngine.MODEL,
    statistics: StatisticsOption = None,
    append: Annotated[
        str,
        typer.Option("--append", metavar="TEXT", help="The end of the kernel's command line, such as isolcpus=1."),
    ] = "",
    checked_kernel: Annotated[
        bool,
        typer.Option(
            "--checked-kernel",
            help="With a kernel that checks itself and the driver: locks, memory, sleep. It is built at its first use.",
        ),
    ] = False,
    calls: Annotated[
        bool,
        typer.Option(
            "--calls",
            help="List how long calls of prepared jobs took, and their parts; in instructions, on timed in cycles.",
        ),
    ] = False,
    cell: Annotated[
        Path | None,
        typer.Option(
            "--cell",
            metavar="ELF",
            help="A program of `cc --cell`, under the hypervisor, on the second hart of Linux; amp-2 has one.",
        ),
    ] = None,
    cell_interrupts: Annotated[
        str,
        typer.Option(
            "--cell-interrupts",
            metavar="HOW",
            help="delegated: the hardware interrupts the cell; injected: the hypervisor does.",
        ),
    ] = "delegated",
    vcpus: Annotated[
        int,
        typer.Option(
            "--vcpus",
            metavar="N",
            min=0,
            max=4,
            help="With --cell: N virtual harts for Linux, one for the cell, by a scheduler on the two harts; 0: none.",
        ),
    ] = 0,
) -> None:
    """Boot Linux on the model of an application hart; the kernel is built first, once.

    The exit code is that of the script of --run, or 0 after a power-off, 2 after a panic or reboot; others as of run.
    """
    from trapeze.commandline import cycle_report
    from trapeze.commandline import linux as linuxes
    from trapeze.linux.cell import Cell

    counted = cycle_report.Wanted.parse(statistics)
    raise typer.Exit(
        linuxes.run(
            config,
            script,
            added or (),
            firmware,
            uart_in,
            max_cycles,
            trace,
            gdb,
            restarts or (),
            engine,
            coherence,
            counted,
            append,
            calls,
            None if cell is None else Cell(cell, cell_interrupts, vcpus),
            checked_kernel,
        )
    )
