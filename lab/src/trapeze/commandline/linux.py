# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze linux`: boots Linux on the model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.commandline import call_report, cycle_report, runner
from trapeze.commandline.run_request import RunRequest, require_program
from trapeze.common import output, paths, processes
from trapeze.common.console import err
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, toolchain
from trapeze.linux import image, kernel, layout
from trapeze.linux.cell import Cell
from trapeze.platform import user_configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import refusals, simulator
from trapeze.simulation.calls import EventLog
from trapeze.simulation.options import Options

SERVER = "jobs_start"
"""The function of a program that makes it serve jobs: fw/amp/include/trapeze/jobs.h."""

MESSAGES = "rpmsg_start"
"""The function of a program that makes it exchange messages by rpmsg: fw/rpmsg/include/trapeze/rpmsg.h."""

HART = 0
"""The hart that boots Linux."""


def _server(config: Config) -> Path:
    """The firmware that serves jobs, built if need be."""
    return toolchain.build(config, [], paths.BUILD / "linux" / f"jobs-{config.name}.elf", rtos="freertos-jobs")


def _serves_jobs(config: Config, firmware: Path) -> bool:
    """Whether the program of the other hart runs jobs for Linux.

    Where the two talk by a mailbox, that is the driver's only for a program with the server (`jobs_start()`), and other
    programs' own. An ELF that cannot be read is the simulator's to refuse.
    """
    return not layout.has_mailbox(config) or _has(firmware, SERVER)


def _has(firmware: Path, function: str) -> bool:
    """Whether a program has a function."""
    try:
        with firmware.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            return isinstance(symbols, SymbolTableSection) and symbols.get_symbol_by_name(function) is not None
    except (OSError, ELFError):
        return False


def _exchanges_messages(config: Config, firmware: Path) -> bool:
    """Whether the program of the other hart exchanges messages with Linux by rpmsg.

    Raises:
        TrapezeError: it also runs jobs, and the mailbox is for one of the two.
    """
    if not layout.has_mailbox(config) or not _has(firmware, MESSAGES):
        return False
    if _has(firmware, SERVER):
        raise TrapezeError(f"linux: --firmware {firmware}: has both {SERVER}() and {MESSAGES}(); leave one of them out")
    return True


def run(
    config_name: str,
    script: str | None,
    added: Sequence[Path],
    firmware: Path | None,
    uart_in: Path | None,
    max_cycles: int,
    trace: Path | None,
    gdb: int | None,
    restarts: Sequence[int] = (),
    engine: str = "model",
    coherence: bool = False,
    counted: cycle_report.Wanted | None = None,
    append: str = "",
    calls: bool = False,
    cell: Cell | None = None,
    checked: bool = False,
) -> int:
    """Build what boots, and run it with its console on standard output.

    Args:
        config_name: A configuration with a hart that boots Linux, or its file.
        script: What the shell runs; None: lines from the console, which has a shell on a terminal.
        added: Files to put into /bin of the initial file system.
        uart_in: What the console receives.
        max_cycles: Instructions after which the run ends.
        trace: Where a trace goes.
        gdb: Port on which the run waits for GDB.
        restarts: Instructions of the run at which the other hart is reset and its program loaded anew.
        engine: `model` or `timed`.
        coherence: Report accesses that lack cache maintenance.
        counted: What is shown of where the cycles went; None: nothing.
        append: The end of the kernel's command line.
        calls: List the calls of prepared jobs.
        cell: A program beside Linux on one of its harts, under the hypervisor.
        checked: The kernel checks itself and the driver.
        firmware: The program of the other hart; None: the server of jobs, on platforms with one.

    Returns:
        The exit code of the run.

    Raises:
        TrapezeError: there is nothing to run, a part of the image cannot be had or built, or the simulator refuses its
            input.
    """
    keys = script is None and uart_in is None
    if keys and not sys.stdin.isatty():
        raise TrapezeError(
            "linux: nothing to run, and standard input is no terminal; give --run SCRIPT or --uart-in FILE"
        )
    config = user_configurations.choose(config_name)
    if firmware is not None and len(config.harts) == 1:
        raise TrapezeError(
            f"linux: --firmware is for a hart beside that of Linux, which {config_name} has not; "
            "amp, amp-2 and amp-dsp have one"
        )
    if restarts and len(config.harts) == 1:
        raise TrapezeError(f"linux: --restart is for a hart beside that of Linux, which {config_name} has not")
    # Before a kernel is compiled, which takes minutes.
    early = Options(
        engine=engine, gdb=gdb, trace=trace, coherence=coherence, restarts=tuple((HART, at) for at in restarts)
    )
    refusals.check(early)
    if cell is not None:
        cell.check(config)
    image.command_line(append)
    if counted is not None:
        counted.prepare(config, early)
    if calls:
        call_report.prepare(config, early)
    if firmware is not None:
        require_program(firmware, config_name)
    if uart_in is not None and not uart_in.exists():
        raise TrapezeError(f"linux: --uart-in {uart_in}: no such file; name one that has the lines to type")
    output.check_writable(trace)
    if firmware is None and layout.has_jobs(config):
        firmware = _server(config)
    jobs = firmware is None or _serves_jobs(config, firmware)
    rpmsg = firmware is not None and _exchanges_messages(config, firmware)
    elf = image.build(
        config,
        script,
        added,
        jobs=jobs,
        rpmsg=rpmsg,
        keys=keys,
        shelled=script is not None,
        append=append,
        cell=cell,
        checked=checked,
    )
    symbols = kernel.build(several_harts=layout.several_harts(config, cell), rpmsg=rpmsg, checked=checked).symbols
    if gdb is not None:
        err().print(f"trapeze: symbols of this kernel, for GDB: {symbols}", soft_wrap=True)
    beside = compiler.beside_linux(config) if firmware is not None or restarts else HART
    options = Options(
        max_cycles=max_cycles,
        trace=trace,
        uart_in=uart_in,
        keys=keys,
        gdb=gdb,
        engine=engine,
        others=() if firmware is None else (*[elf] * (beside - 1), firmware),
        restarts=tuple((beside, at) for at in restarts),
        last_hart=HART if len(config.harts) > 1 else None,
        coherence=coherence,
        symbols=tuple((hart, symbols) for hart in config.platform.supervisors) if coherence else (),
    )
    if not calls:
        return runner.run(RunRequest(elf, config_name, options, counted=counted))
    with simulator.scratch() as folder:
        log = EventLog(folder / "calls.jsonl", config.platform)
        try:
            code = runner.run(RunRequest(elf, config_name, replace(options, log=log), counted=counted))
        except processes.Ended:
            # What was called so far is listed, as after --max-cycles.
            code = processes.exit_code()
        if log.path.exists():
            call_report.show(err(), log.calls(), engine)
    return code
