# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What Linux has of a platform: harts, main memory and devices; and `linux/image.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler
from trapeze.linux.cell import Cell
from trapeze.linux.kernel import SOURCES
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart
from trapeze.platform.platform import Region

MEMORY = "dram"
"""The region of a memory map that Linux lives in."""

RING = "ring"
"""The region of a memory map by which Linux and another hart exchange jobs (docs/remote-jobs.md)."""

PLIC = "plic"
"""The region of a memory map that is Linux' interrupt controller for devices, and the block of its registers."""

UART = "uart"
"""The region of a memory map that is Linux' console."""

MAILBOX = "mailbox_a"
"""The region of a memory map that is Linux' side of the mailbox to another hart."""

BELLS = "bell_pages"
"""The region of a memory map with doorbells that programs ring (docs/remote-jobs.md)."""

EXTERNAL = (11, 9)
"""External interrupts of a hart, of machine and of supervisor mode, in the order of its contexts of the PLIC."""

FINISHER = "host"
"""The region of a memory map that ends a run with an exit code."""


def supervisors(config: Config, cell: bool = False) -> list[Hart]:
    """The harts that run Linux, hart 0 first; with a `cell` without its hart."""
    taken = compiler.cell_hart(config) if cell else None
    return [hart for number, hart in enumerate(config.harts) if hart.supervisor and number != taken]


def several_harts(config: Config, cell: Cell | None = None) -> bool:
    """Whether Linux has several harts, virtual ones among them."""
    return len(supervisors(config, cell is not None)) > 1 if cell is None or not cell.vcpus else cell.vcpus > 1


def has_jobs(config: Config) -> bool:
    """Whether another hart can run jobs for Linux."""
    return config.platform.find(RING) is not None


def has_mailbox(config: Config) -> bool:
    """Whether Linux has a mailbox, which is either for jobs or for programs."""
    return config.platform.find(MAILBOX) is not None


@cache
def settings() -> dict[str, Any]:
    """`linux/image.toml`."""
    return tomllib.loads((SOURCES / "image.toml").read_text())


def memory(config: Config) -> Region:
    """Main memory.

    Raises:
        TrapezeError: the configuration has none, or its first hart cannot run Linux.
    """
    found = config.platform.find(MEMORY)
    if found is None or not config.first.supervisor:
        raise TrapezeError(f"linux: --config {config.name}: has no hart that boots Linux; app has one")
    return found


def job_hart(config: Config) -> Hart:
    """The hart that runs jobs for Linux.

    It is that of the mailbox's other side; without a mailbox the first one that has the ring and does not run Linux.

    Raises:
        TrapezeError: there is a ring and no such hart.
    """
    platform = config.platform
    mailbox = platform.find(MAILBOX)
    other = platform.find(mailbox.peer) if mailbox is not None and mailbox.peer is not None else None
    if other is not None and other.line_hart is not None:
        return platform.harts[other.line_hart]
    for number in platform.region(RING).harts:
        if not platform.harts[number].supervisor:
            return platform.harts[number]
    raise TrapezeError(
        f"linux: --config {config.name}: its map has a ring for jobs, but there is no hart beside Linux that runs them"
    )
