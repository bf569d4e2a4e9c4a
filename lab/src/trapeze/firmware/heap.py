# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Allocation that is as aligned as `max_align_t`: `fw/hal/src/heap`, as a library of which a program gets what it uses.

A library, and no objects of the kit: one function must not draw the C library's allocator into a program that has its
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.files import locked, replacing
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform.configurations import Config

_WITHOUT = {"-nodefaultlibs", "-nostdlib", "-r"}
"""Options that leave out the C library, and with it this allocator."""


def _library(objects: Sequence[Path]) -> Path:
    """The objects, which are in one folder, as a library beside them."""
    library = objects[0].with_name("heap.a")
    with locked(library.with_suffix(".lock")):
        if not library.is_file():
            with replacing(library) as made:
                command = [toolchain_file.data()["archiver"], "rcsD", str(made), *map(str, objects)]
                processes.run(command, check=True, capture_output=True)
    return library


def words(config: Config, monitor: str | None, options: Sequence[str]) -> list[str]:
    """What the linker is told, behind start-up code and HAL, for a program of a user's options.

    Raises:
        TrapezeError: it does not compile.
    """
    if _WITHOUT & set(options):
        return []
    heap = toolchain_file.data()["heap"]
    flags = [*compiler.compile_flags(config, monitor), *toolchain_file.data()["library_flags"]]
    objects = compiler.compiled("heap", [paths.ROOT / source for source in heap["sources"]], flags)
    # In one group with the C library, whose own functions allocate, too. It is the one that the compiler adds later.
    group = ["-lgcc", str(_library(objects)), "-lc"]
    return [*(f"-Wl,--wrap={name}" for name in heap["wrap"]), "-Wl,--start-group", *group, "-Wl,--end-group"]
