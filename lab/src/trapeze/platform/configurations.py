# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Named platform configurations: `configs/*.yaml`, checked against `configs/config.schema.json`.

A file that `extends` another is a variant of it and holds only what differs.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml, validate

EXTENSIONS = {"m": "ExtM", "c": "ExtC", "zba": "ExtZba", "zbb": "ExtZbb", "zbs": "ExtZbs"}
"""The SoC parameter that each extension of a configuration sets."""

SAVERS = ("SaverNone", "SaverBanks", "SaverInPlace")
"""The kinds of context savers, in the order of the RTL's `core_cfg_pkg::saver_e`."""

LINE_BASE = 16
"""Interrupt of platform line 0 with the CLINT, as an exception code (hw/irq/pkg: IrqPlatform)."""

MAX_SOURCES = 4096
"""Sources that a CLIC can have: interrupt numbers have 12 bits."""

SOC_PARAMETERS = ("NumIrqLines", "IrqLineBase", "IrqSync", "ClicPipeline", "FastSharedPort")
"""The parameters of the SoC that its core does not have."""

SYNCHRONISER_CYCLES = 2
"""What the flip-flops of a synchroniser add (hw/common: tz_sync)."""

IRQ_KEYS = {
    "line_base": ("clic", "fastirq"),
    "sources": ("clic", "fastirq"),
    "tree_pipeline": ("clic", "fastirq"),
    "banks": ("fastirq",),
    "shared_port": ("fastirq",),
}
"""The schemes that a key of `irq` belongs to; all have the others."""


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
        scheme: Interrupt controller: `clint`, `clic` or `fastirq`.
        lines: Number of platform lines.
        reset_vector: Address of the first instruction.
        hart_id: Of the core.
        map: Name of the memory map.
        line_base: Interrupt number of platform line 0.
        sources: Of the CLIC; 0 without one.
        tree_pipeline: Whether the CLIC's search for the winner has a register stage.
        synchroniser: Whether two flip-flops stand between the pin of a platform line and the controller.
        banks: Spare banks of the caller-saved registers; 0 is fastirq in place, or another scheme.
        shared_port: Whether frames leave through the data port.
        extends: The configuration that this is a variant of, None if it is not one.
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
    map: str = "mcu"
    line_base: int = LINE_BASE
    sources: int = 0
    tree_pipeline: bool = False
    synchroniser: bool = False
    banks: int = 0
    shared_port: bool = False
    extends: str | None = None

    @property
    def has_clic(self) -> bool:
        """Whether the interrupt controller is a CLIC."""
        return self.sources > 0

    @property
    def variant(self) -> bool:
        """Whether this is a variant of another configuration, for measurements and single tests."""
        return self.extends is not None

    @property
    def isa(self) -> str:
        """The ISA as gcc writes it, without Zicsr and Zifencei: `rv32imc_zba_zbb_zbs`."""
        return self.isa_without(())

    def isa_without(self, unused: Collection[str]) -> str:
        """The same without some extensions."""
        used = [name for name in self.extensions if name not in unused]
        single = "".join(name for name in used if len(name) == 1)
        multi = "".join(f"_{name}" for name in used if len(name) > 1)
        return f"{self.base}{single}{multi}"

    @property
    def memory_map(self) -> Path:
        """The file of the memory map."""
        return paths.MAPS / f"{self.map}.json"

    @property
    def line_delay(self) -> int:
        """Cycles from the pin of a platform line to the controller."""
        return SYNCHRONISER_CYCLES if self.synchroniser else 0

    def parameters(self) -> dict[str, int]:
        """The parameters of the RTL top, by name."""
        values = {"RV32E": int(self.base == "rv32e")}
        values |= {parameter: int(name in self.extensions) for name, parameter in EXTENSIONS.items()}
        if self.has_clic:
            values |= {"IrqScheme": 1, "NumIrqSources": self.sources, "NumIrqLines": self.lines}
        if self.line_base != LINE_BASE or self.scheme == "fastirq":
            values["IrqLineBase"] = self.line_base
        if self.tree_pipeline:
            values["ClicPipeline"] = 1
        if self.synchroniser:
            values["IrqSync"] = 1
        if self.scheme == "fastirq":
            values |= {"Saver": SAVERS.index("SaverBanks" if self.banks else "SaverInPlace")}
            values |= {"NumBanks": self.banks} if self.banks else {}
            values |= {"FastSharedPort": int(self.shared_port)}
        return values | {"ResetVector": self.reset_vector, "HartId": self.hart_id}

    def to_json(self) -> dict[str, Any]:
        """All that is set, after defaults, as result files keep it: the properties, and the parameters of the RTL."""
        own = {name: value for name, value in asdict(self).items() if name not in ("name", "summary")}
        return own | {"extensions": list(self.extensions), "parameters": self.parameters()}

    def core_parameters(self) -> dict[str, int]:
        """The parameters of the core by itself, by name."""
        return {name: value for name, value in self.parameters().items() if name not in SOC_PARAMETERS}


def names(folder: Path | None = None, variants: bool = True) -> list[str]:
    """The names of all configurations, sorted.

    Args:
        folder: Where their files are.
        variants: Those that extend another one, too.
    """
    folder = folder or paths.CONFIGS
    found = sorted(path.stem for path in folder.glob("*.yaml"))
    return [name for name in found if variants or not load(name, folder).variant]


def load(name: str, folder: Path | None = None) -> Config:
    """Read a configuration.

    Raises:
        TrapezeError: there is none of that name, or its file breaks the schema.
    """
    folder = folder or paths.CONFIGS
    known = names(folder)
    if name not in known:
        raise TrapezeError(f"unknown configuration '{name}'; {choices(name, known)}")
    raw = _read(name, folder, known, ())
    return _config(name, raw, str(folder / f"{name}.yaml"))


def _schema(folder: Path) -> Path:
    own = folder / "config.schema.json"
    return own if own.exists() else paths.CONFIGS / own.name


def _read(name: str, folder: Path, known: list[str], seen: tuple[str, ...]) -> dict[str, Any]:
    """The content of a file upon that of the file it extends; checked. `seen`: what led here, outermost first."""
    path = folder / f"{name}.yaml"
    raw: dict[str, Any] = load_yaml(path, _schema(folder))
    if "extends" not in raw:
        return raw
    base, way = raw["extends"], (*seen, name)
    if base not in known:
        raise TrapezeError(f"{path}: extends: unknown configuration '{base}'; {choices(base, known)}")
    if base in way:
        raise TrapezeError(f"{path}: extends: goes round in a circle: {' -> '.join((*way, base))}")
    under = _read(base, folder, known, way)
    whole = _merge(under, raw)
    # Without the key the schema asks for everything.
    validate({key: value for key, value in whole.items() if key != "extends"}, _schema(folder), str(path))
    return whole


def _merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Mappings key by key, everything else as `over` has it."""
    both = {key: _merge(under[key], over[key]) for key in under.keys() & over.keys() if isinstance(under[key], dict)}
    return under | over | both


def _defaults(rules: dict[str, Any]) -> dict[str, Any]:
    return {key: rule["default"] for key, rule in rules.items() if "default" in rule}


def _irq(raw: dict[str, Any], rules: dict[str, Any], where: str) -> dict[str, Any]:
    """The fields that come from `irq`, complete; `where` names the file."""
    scheme = raw["scheme"]
    for key in raw:
        if key in IRQ_KEYS and scheme not in IRQ_KEYS[key]:
            raise TrapezeError(f"{where}: irq.{key}: not for scheme {scheme}, only for {', '.join(IRQ_KEYS[key])}")
    own = {key: value for key, value in _defaults(rules).items() if scheme in IRQ_KEYS.get(key, (scheme,))} | raw
    if scheme in IRQ_KEYS["sources"]:
        needed = own["line_base"] + own["lines"]
        own.setdefault("sources", needed)
        if not needed <= own["sources"] <= MAX_SOURCES:
            raise TrapezeError(
                f"{where}: irq.sources: {own['sources']} is not possible; line_base {own['line_base']} and "
                f"{own['lines']} lines need {needed}, and a CLIC has at most {MAX_SOURCES}"
            )
    return own


def _map(name: str, where: str) -> str:
    """The name of a memory map that there is."""
    known = sorted(path.stem for path in paths.MAPS.glob("*.json"))
    if name not in known:
        raise TrapezeError(f"{where}: map: unknown memory map '{name}'; {choices(name, known)}")
    return name


def _config(name: str, raw: dict[str, Any], where: str) -> Config:
    rules = json.loads((paths.CONFIGS / "config.schema.json").read_text())["properties"]
    full = _defaults(rules) | raw
    return Config(
        name=name,
        summary=full["summary"],
        top=full["top"],
        base=full["isa"]["base"],
        extensions=tuple(full["isa"]["extensions"]),
        abi=full["abi"],
        reset_vector=full["reset_vector"],
        hart_id=full["hart_id"],
        map=_map(full["map"], where),
        extends=full.get("extends"),
        **_irq(full["irq"], rules["irq"]["properties"], where),
    )
