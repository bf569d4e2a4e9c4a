# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs: the whole command line of the compiler for a user's sources, images of this project, and QEMU for them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.firmware import (
    assembly_ranges,
    compiler,
    emulated,
    gcc_options,
    heap,
    kernels,
    monitored,
    reproducible,
    toolchain_file,
)
from trapeze.platform.configurations import Config
from trapeze.platform.hart import EXTENSIONS


@cache
def is_later_qemu() -> bool:
    """Whether QEMU's release is one from which on `later` of `fw/toolchain.yaml` holds."""
    raw = toolchain_file.data()["qemu"]
    if shutil.which(raw["command"]) is None:
        return False
    said = processes.run([raw["command"], "--version"], capture_output=True, text=True).stdout
    release = re.search(r"version (\d+)\.", said)
    return release is not None and int(release[1]) >= raw["later"]["since"]


def qemu_later() -> str:
    """What switches off extensions that only later releases of QEMU have, for a CPU without A and F."""
    names = toolchain_file.data()["qemu"]["later"]["without"] if is_later_qemu() else []
    return "".join(f",{name}=off" for name in names)


def qemu(config: Config, elf: Path, deterministic: bool = True) -> list[str]:
    """The command that runs an ELF on QEMU; several harts run as they come, whether `deterministic` or not."""
    raw = toolchain_file.data()["qemu"]
    values: dict[str, object] = {name: "on" if name in config.first.extensions else "off" for name in EXTENSIONS}
    values["harts"] = len(config.harts)
    cpu = raw["cpu"][config.first.base].format_map(values) + qemu_later()
    several = [word.format_map(values) for word in raw["harts"]]
    mode = several if len(config.harts) > 1 else raw["deterministic"] if deterministic else []
    return [raw["command"], *raw["flags"], *mode, "-cpu", cpu, "-kernel", str(elf)]


def command_line(
    config: Config,
    options: Sequence[str],
    rtos: str | None = None,
    hart: int | None = None,
    monitor: str | None = None,
    cell: bool = False,
) -> list[str]:
    """The whole compiler command for a user's options and sources.

    Args:
        config: The platform.
        options: The user's.
        rtos: A kernel to build against.
        hart: The hart that runs main(), of which the program is; none: compiler.firmware_hart().
        monitor: A monitor under which the program runs in user mode.
        cell: The program is a cell of the hypervisor; without kernel, hart and monitor.
    """
    if cell:
        config, hart = compiler.of_cell(config), compiler.cell_hart(config)
    else:
        hart = compiler.firmware_hart(config) if hart is None else hart
        config = compiler.of_hart(config, hart)
    options = gcc_options.scripts_named_to_gcc(options)
    if rtos is not None:
        config = kernels.scheme_of(rtos, config)
    flags = reproducible.of_folder(compiler.compile_flags(config, monitor))
    kernel = kernels.build(rtos, config, options, monitor) if rtos is not None else None
    command = [compiler.gcc(), *flags, *options, *(kernel.flags if kernel else ())]
    if not gcc_options.links(options):
        return command
    if gcc_options.names_language(options):
        command += ["-x", "none"]  # what follows is ours, and says by its suffix what it is
    if kernel:
        command += map(str, kernel.objects)
    if not {"-nostartfiles", "-nostdlib"} & set(options):
        command += [*map(str, compiler.kit(config, hart, monitor)), *heap.words(config, monitor, options)]
    return [*command, *compiler.link_flags(config, hart, monitor, gcc_options.own_script(options))]


def build(
    config: Config,
    sources: Sequence[Path],
    output: Path,
    options: Sequence[str] = (),
    rtos: str | None = None,
    hart: int | None = None,
    monitor: str | None = None,
    cell: bool = False,
) -> Path:
    """Compile and link one firmware image of this project, with its warnings as errors; the rest: command_line().

    Whoever else builds or reads the same image meanwhile finds a whole one.

    Returns:
        `output`.

    Raises:
        TrapezeError: it does not compile; the message holds the compiler's.
    """
    if toolchain_file.emulates(monitor):
        toolchain_file.monitor(config, str(monitor))
        build(config, sources, output, options, rtos, hart)
        emulated.write(config, str(monitor), output, output)
        return output
    with replacing(output) as made:
        words = [*compiler.warnings(sources), *options, *map(str, sources), "-o", str(made)]
        command = command_line(config, words, rtos, hart, monitor, cell)
        done = processes.run(command, capture_output=True, text=True)
        if done.returncode:
            raise TrapezeError(f"{output.name} does not build for {config.name}:\n{done.stderr.strip()}", exit_code=1)
        if gcc_options.links(options):
            finish(made, monitor)
    return output


def finish(linked: Path, monitor: str | None = None) -> None:
    """What an ELF needs when the linker has made it."""
    reproducible.finish(linked)
    assembly_ranges.finish(linked)
    if monitor is not None:
        monitored.finish(linked)
