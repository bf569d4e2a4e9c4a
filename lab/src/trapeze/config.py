# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Named platform configurations: `configs/*.yaml`, checked against `configs/config.schema.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze import paths
from trapeze.errors import TrapezeError, choices
from trapeze.schema import load_yaml

EXTENSIONS = {"m": "ExtM", "c": "ExtC", "zba": "ExtZba", "zbb": "ExtZbb", "zbs": "ExtZbs"}
"""The SoC parameter that each extension of a configuration sets."""

LINE_BASE = 16
"""Interrupt of platform line 0, as an exception code and as a source of the CLIC (hw/irq/pkg: IrqPlatform)."""


@dataclass(frozen=True)
class Config:
    """One platform configuration.

    Attributes:
        name: As on the command line.
        summary: One line for people.
        top: CAPI2 core, without version, that holds the platform.
        base: `rv32i` or `rv32e`.
        extensions: Beside the base, in the order of the file.
        abi: `ilp32` or `ilp32e`.
        scheme: Interrupt controller.
        lines: Number of platform lines.
        reset_vector: Address of the first instruction.
        hart_id: Of the core.
    """

    name: str
    summary: str
    top: str
    base: str
    extensions: tuple[str, ...]
    abi: str
    scheme: str
    lines: int
    reset_vector: int
    hart_id: int

    @property
    def isa(self) -> str:
        """The ISA as gcc writes it, without Zicsr and Zifencei: `rv32imc_zba_zbb_zbs`."""
        single = "".join(name for name in self.extensions if len(name) == 1)
        multi = "".join(f"_{name}" for name in self.extensions if len(name) > 1)
        return f"{self.base}{single}{multi}"

    def parameters(self) -> dict[str, int]:
        """The parameters of the RTL top, by name."""
        values = {"RV32E": int(self.base == "rv32e")}
        values |= {parameter: int(name in self.extensions) for name, parameter in EXTENSIONS.items()}
        if self.scheme == "clic":
            values |= {"IrqScheme": 1, "NumIrqSources": LINE_BASE + self.lines}
        return values | {"ResetVector": self.reset_vector, "HartId": self.hart_id}


def names(folder: Path | None = None) -> list[str]:
    """The names of all configurations, sorted."""
    return sorted(path.stem for path in (folder or paths.CONFIGS).glob("*.yaml"))


def load(name: str, folder: Path | None = None) -> Config:
    """Read a configuration.

    Raises:
        TrapezeError: there is none of that name, or its file breaks the schema.
    """
    folder = folder or paths.CONFIGS
    known = names(folder)
    if name not in known:
        raise TrapezeError(f"unknown configuration '{name}'; {choices(name, known)}")
    return _config(name, load_yaml(folder / f"{name}.yaml", _schema(folder)))


def _schema(folder: Path) -> Path:
    own = folder / "config.schema.json"
    return own if own.exists() else paths.CONFIGS / own.name


def _config(name: str, raw: dict[str, Any]) -> Config:
    defaults = {
        key: rule["default"]
        for key, rule in json.loads((paths.CONFIGS / "config.schema.json").read_text())["properties"].items()
        if "default" in rule
    }
    full = defaults | raw
    return Config(
        name=name,
        summary=full["summary"],
        top=full["top"],
        base=full["isa"]["base"],
        extensions=tuple(full["isa"]["extensions"]),
        abi=full["abi"],
        scheme=full["irq"]["scheme"],
        lines=full["irq"]["lines"],
        reset_vector=full["reset_vector"],
        hart_id=full["hart_id"],
    )
