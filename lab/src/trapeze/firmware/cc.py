# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc`: the cross compiler with the flags, start-up code, linker script and HAL of a platform."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, emulated, gcc_options, job, kernels, monitored, toolchain, toolchain_file
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.platform.user_configurations import choose

_KERNEL_HEADER = re.compile(r"^\s*#\s*include\s*[<\"]FreeRTOS\.h[>\"]", re.MULTILINE)

USAGES = (
    "trapeze cc --config C [--rtos R] [--monitor M] [--hart H] [any gcc option] FILE... -o OUT.elf",
    "trapeze cc --config C --cell [any gcc option] FILE... -o OUT.elf",
    "trapeze cc --config C --job [any gcc option] FILE... -o OUT.bin",
    "trapeze cc --linux [any gcc option] FILE... -o OUT",
)

ABOUT = """Compile firmware with the platform's flags, start-up code, linker script and HAL. Every option but
--config, --rtos, --monitor, --hart, --cell and --job goes to the compiler as it is, after the platform's own, so that
it wins. With -c, -S, -E and the like nothing is linked; -nostartfiles and -nostdlib leave start-up code and HAL out."""

OPTIONS = {
    "--config C": "platform configuration; `trapeze configs` lists them; or a file of your own, such as ./mine.yaml",
    "--set K=V": "a parameter of it, such as banks=4; may be repeated, and goes with the same of `run`",
    "--rtos R": "build against a real-time kernel: freertos, or freertos-stock (the kernel's own port, to compare), "
    "freertos-protected (tasks in user mode behind memory protection), or freertos-jobs (with the server of jobs for "
    "Linux, and its main() if there is no other); a FreeRTOSConfig.h beside the sources or in a folder of -I comes "
    "before the default one",
    "--monitor M": "the program, its kernel too, runs in user mode, and a monitor that memory protection keeps from it "
    "in machine mode: paper (interrupts through the monitor, calls of it), soft (likewise, with few calls), direct "
    "(interrupts straight to the program, by hardware), emulate (the program for machine mode as it is, or its ELF, "
    "whose instructions for machine mode trap); takes a configuration with memory protection, such as mcu-user",
    "--monitor-rows L": "layout of memory protection: tight (each part of memory has what it needs), or paper (all is "
    "open but for the monitor, as a program needs that copies code)",
    "--monitor-watchdog N": "the program calls monitor_watchdog_kick() (trapeze/monitor.h) at least every N cycles, "
    "from its start on",
    "--monitor-restarts N": "what the program may not do starts it again, N times, before it ends the run",
    "--hart H": "platforms with several harts: hart H runs main() instead of the first that does not run Linux, for an "
    "image of its own",
    "--cell": "a program in supervisor mode that the hypervisor keeps apart from Linux, on a hart of its own: trapeze "
    "linux --cell; takes a configuration with two harts for Linux, such as amp-2",
    "--job": "a job for Linux programs to run on the hart beside, as a flat binary: docs/jobs.md",
    "--linux": "a program for Linux, linked statically, with the library of jobs: linux/README.md",
    "--help": "this text, if it is the only argument",
}

NAMES = 12
"""Columns of the options' names; a longer name has a line of its own."""

WIDEST = 120
"""Columns of the help on a terminal that has more."""


def usage(width: int) -> str:
    """The help, for so many columns."""

    def wrapped(text: str, first: str, rest: str) -> list[str]:
        return textwrap.wrap(
            text, min(width, WIDEST), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        )

    lines = [
        part for number, text in enumerate(USAGES) for part in wrapped(text, " " * 7 if number else "Usage: ", " " * 11)
    ]
    lines += ["", *wrapped(ABOUT, "  ", "  "), ""]
    hanging = " " * (NAMES + 3)
    for name, text in OPTIONS.items():
        if len(name) > NAMES:
            lines += [f"  {name}", *wrapped(text, hanging, hanging)]
        else:
            lines += wrapped(text, f"  {name:{NAMES + 1}}", hanging)
    return "\n".join(lines)


def _split(arguments: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """The values of our own options, everything else in order, and the parameters that are set."""
    own, rest, settings, words = {}, [], [], iter(arguments)
    remedy = {
        "--config": "`trapeze configs` lists them",
        "--set": "KEY=VALUE, such as banks=4",
        "--rtos": f"choices: {', '.join(kernels.names())}",
        "--monitor": f"choices: {', '.join(toolchain_file.monitors())}",
        "--hart": "0 is the first",
        "--monitor-rows": f"choices: {', '.join(monitored.ROWS)}",
        "--monitor-watchdog": "of cycles",
        "--monitor-restarts": "of restarts",
    }
    for word in words:
        name, equals, value = word.partition("=")
        if name not in remedy:
            rest.append(word)
            continue
        own[name] = value if equals else next(words, "")
        if not own[name]:
            kind = "number" if name in ("--hart", *monitored.OPTIONS[1:]) else "name"
            raise TrapezeError(f"cc: {name} needs a {kind}; {remedy[name]}")
        if name == "--set":
            settings.append(own.pop(name))
    return own, rest, settings


def _emulated(config: Config, options: Sequence[str], rtos: str | None, hart: int | None, monitor: str) -> int:
    """`trapeze cc --monitor emulate`: with an ELF that is there, or after compiling and linking one.

    Returns:
        The compiler's exit code.

    Raises:
        TrapezeError: there is no output, or the program does not fit.
    """
    given = [Path(word) for word in options if not word.startswith("-") and emulated.is_program(Path(word))]
    if gcc_options.links(options) and "-o" not in options[:-1]:
        raise TrapezeError("cc: --monitor emulate: names no output; add -o OUT.elf")
    if not gcc_options.links(options):
        return processes.run(toolchain.command_line(config, options, rtos, hart)).returncode
    place = list(options).index("-o") + 1
    output = Path(options[place])
    given = [one for one in given if one != output]
    if given:
        rest = [word for word in options if word not in ("-o", str(output), str(given[0]))]
        if rest:
            raise TrapezeError(f"cc: --monitor emulate: {given[0]} is linked already; leave '{rest[0]}' out")
        emulated.write(config, monitor, given[0], output)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        linked = Path(folder) / output.name
        words = [*options[:place], str(linked), *options[place + 1 :]]
        done = processes.run(toolchain.command_line(config, words, rtos, hart))
        if done.returncode:
            return done.returncode
        toolchain.finish(linked)
        emulated.write(config, monitor, linked, output)
    return 0


def _hint_at_kernel(options: Sequence[str]) -> None:
    """Name --rtos if a source that did not compile wants the kernel's header."""
    for word in options:
        source = Path(word)
        if source.is_file() and _KERNEL_HEADER.search(source.read_text(errors="replace")):
            print(f"trapeze: {word} includes FreeRTOS.h: add --rtos freertos", file=sys.stderr)
            return


def command(arguments: Sequence[str]) -> int:
    """`trapeze cc`: run the cross compiler.

    Returns:
        The compiler's exit code.

    Raises:
        TrapezeError: no or an unknown configuration, nothing to compile, no compiler.
    """
    own, options, settings = _split([word for word in arguments if word not in ("--job", "--cell")])
    name = own.get("--config")
    if name is None and options in (["--help"], ["-h"]):
        print(usage(shutil.get_terminal_size().columns))
        return 0
    if name is None:
        raise TrapezeError(f"cc: --config is missing; choices: {', '.join(configurations.names())}")
    config = choose(name, settings)
    if not options:
        raise TrapezeError("cc: nothing to compile; name source files and -o OUT.elf")
    if options[-1] in gcc_options.TAKE_A_WORD:  # it would take the first file of the kit, and -o would overwrite that
        raise TrapezeError(
            f"cc: {options[-1]} needs a word behind it, and nothing follows; give it, such as -o OUT.elf"
        )
    hart = own.get("--hart", str(compiler.firmware_hart(config)))
    if not hart.isdecimal():
        raise TrapezeError(f"cc: --hart {hart}: not a number; configuration {name} has {len(config.harts)} hart(s)")
    if "--job" in arguments:
        if extra := [one for one in ("--rtos", "--monitor", "--hart", *monitored.OPTIONS) if one in own]:
            raise TrapezeError(f"cc: --job: takes no {extra[0]}: a job runs where there is a server; leave it out")
        return job.command(config, options)
    if "--cell" in arguments:
        if extra := [one for one in ("--rtos", "--monitor", "--hart", *monitored.OPTIONS) if one in own]:
            raise TrapezeError(
                f"cc: --cell: takes no {extra[0]}: a cell is one program in supervisor mode; leave it out"
            )
        code = processes.run(toolchain.command_line(config, options, cell=True)).returncode
        if code == 0 and gcc_options.links(options):
            toolchain.finish(gcc_options.output(options))
        return code
    monitor = own.get("--monitor")
    if monitor is not None:
        toolchain_file.monitor(config, monitor)
    asked = monitored.words(config, monitor, toolchain_file.emulates(monitor), own)
    if monitor is not None and toolchain_file.emulates(monitor):
        return _emulated(config, options, own.get("--rtos"), int(hart), monitor)
    words = toolchain.command_line(config, [*options, *asked], own.get("--rtos"), int(hart), monitor)
    code = processes.run(words).returncode
    if code == 0 and gcc_options.links(options):
        toolchain.finish(gcc_options.output(options), monitor)
    if code and "--rtos" not in own:
        _hint_at_kernel(options)
    return code
