# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `fw/toolchain.yaml` says of the compiler, start-up code, kernels and monitors."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml
from trapeze.platform.configurations import Config

SCHEMA = Path(__file__).with_name("toolchain.schema.json")


@cache
def data() -> dict[str, Any]:
    """The content of `fw/toolchain.yaml`."""
    raw: dict[str, Any] = load_yaml(paths.FIRMWARE / "toolchain.yaml", SCHEMA)
    return raw


def monitors() -> list[str]:
    """The available monitors."""
    return sorted(data()["monitors"])


def own_interrupts(monitor: str) -> bool:
    """Whether the programs of a monitor take interrupts themselves, as in machine mode."""
    return bool(data()["monitors"][monitor]["own_interrupts"])


def emulates(monitor: str | None) -> bool:
    """Whether the programs of a monitor are those for machine mode."""
    return monitor is not None and bool(data()["monitors"][monitor]["emulates"])


def own_port(monitor: str) -> bool:
    """Whether kernels need a port for user mode under a monitor, in place of that for machine mode."""
    return bool(data()["monitors"][monitor]["own_port"])


def monitor(config: Config, name: str) -> dict[str, Any]:
    """A monitor's entry.

    Raises:
        TrapezeError: no such monitor, or the configuration cannot keep a program from it.
    """
    if name not in data()["monitors"]:
        raise TrapezeError(f"cc: --monitor: unknown monitor '{name}'; {choices(name, monitors())}")
    own = own_interrupts(name)
    schemes = data()["user_interrupts" if own else "user"]["schemes"]
    lacking = not config.harts[0].regions or (own and not config.harts[0].user)
    beside = bool(config.beside) and not own  # such a monitor and its programs use the CLINT of hart 0
    if lacking or beside or config.first.scheme not in schemes or len(config.harts) > 1:
        needed = " and user-level interrupts (irq.user)" if own else ""
        raise TrapezeError(
            f"cc: --monitor {name}: not for configuration {config.name}; it takes memory protection (pmp){needed}, "
            f"one hart and interrupts of {', '.join(schemes)}, as mcu-user has them"
        )
    found: dict[str, Any] = data()["monitors"][name]
    return found
