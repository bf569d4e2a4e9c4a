# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What is where in a run: functions of Linux, of the firmware below it and of the server."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from trapeze.experiments.rpc.timeline import Functions, Places
from trapeze.linux import kernel
from trapeze.platform.configurations import Config
from trapeze.simulation.events import Program
from trapeze.simulation.traces import functions


def _kernel(several_harts: bool, rpmsg: bool) -> Functions:
    """Linux' functions, and labels, as its parts in assembly have no types, by address."""
    symbols = Program(kernel.build(several_harts, rpmsg).symbols).symbols
    first = symbols["_text"].address  # what is below are constants
    found = {one.address: name for name, one in symbols.items() if one.address >= first and name[0] not in "$."}
    return [(range(at, end), found[at]) for at, end in pairwise(sorted(found))]


def of(image: Path, server: Path, config: Config, rpmsg: bool = False) -> Places:
    """Of an image that boots, and of the program of the hart beside; `rpmsg`: Linux is the one that has it.

    Raises:
        TrapezeError: there is no kernel.
    """
    memory = config.platform.region("dram")
    return Places(
        _kernel(len(config.platform.supervisors) > 1, rpmsg),
        functions(image),
        functions(server),
        range(memory.base, memory.end),
    )
