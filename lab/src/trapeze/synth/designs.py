# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What is synthesized of a configuration, and the parts it is split into.

The core, the interrupt controller, and what executes atomic operations in front of a memory bank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from trapeze.platform import cores
from trapeze.platform.configurations import Config
from trapeze.platform.hart import CTL_BITS, SAVERS

REST = "rest"
"""The part that holds what is in no other."""


@dataclass(frozen=True)
class Design:
    """A top with its sources.

    Attributes:
        name: For people.
        top: Module.
        sources: SystemVerilog in compile order.
        parameters: Of the top, as SystemVerilog expressions.
        fields: Of the core's configuration (`core_cfg_pkg`), which is the top's parameter `Cfg`, as expressions; the
            others have their defaults.
        parts: Instances below the top that make up each part of the area, by name of the part; all else is `REST`.
        includes: Folders of files that are included.
        defines: Preprocessor macros.
        counted: Of a wrapper the module inside, which is what counts.
        edits: Text of sources that Yosys does not read, and the same as it does.
        repeats: Many of its instances are alike; of these one is mapped.
    """

    name: str
    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    counted: str = ""
    edits: tuple[tuple[str, str], ...] = ()
    repeats: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def overrides(self) -> dict[str, str]:
        """All parameters of the top, as expressions without spaces."""
        arguments = ",".join(f".{name}({value})" for name, value in self.fields.items())
        return {**self.parameters, **({"Cfg": f"core_cfg_pkg::core_cfg({arguments})"} if self.fields else {})}


GATES = "Gates"
"""Field of the core's configuration: register file and multiplier for standard cells, not for the blocks of an FPGA."""

CORE_PARTS = {
    "if": ("u_fetch",),
    "id": ("u_id",),
    "regfile": ("u_regfile",),
    "ex": ("u_ex",),
    "lsu": ("u_lsu",),
    "csr": ("u_csr", "u_trap"),
}
"""Parts of trapeze_core; its rest are the pipeline's registers and control."""

CLIC_PARTS = {"registers": ("u_regs",), "gateways": ("u_gateway",), "tree": ("u_tree",)}
"""Parts of tz_clic; its rest is the offer to the core."""


def _design(core: str, name: str, parameters: Mapping[str, str], parts: Mapping[str, tuple[str, ...]]) -> Design:
    files = cores.Library().resolve(core)
    return Design(name, files.toplevel, tuple(files.of_type("systemVerilogSource")), parameters, parts)


def core(config: Config) -> Design:
    """The core of a configuration, for standard cells, without the record of what it retires."""
    parts = dict(CORE_PARTS)
    if config.first.scheme == "fastirq":
        parts["fastirq"] = ("gen_fast.u_fastirq",)
    given = config.first.core_parameters()
    fields = {name: f"32'h{value:x}" for name, value in given.items()}
    fields["IrqScheme"] = f"irq_pkg::{'IrqClic' if config.first.has_clic else 'IrqClint'}"
    fields["Saver"] = f"core_cfg_pkg::{SAVERS[given.get('Saver', 0)]}"
    design = _design("trapeze:hw:core", f"{config.name} core", {}, parts)
    return replace(design, fields=fields | {"Rvfi": "0", GATES: "1"})


def atomics(config: Config) -> Design:
    """What executes atomic operations in front of one bank of memory: the largest of the configuration's map."""
    size = max(memory.size for memory in config.platform.memories)
    design = _design("trapeze:hw:common", "atomic operations", {"AddrMask": f"32'h{size - 1:x}"}, {})
    return replace(design, top="tz_amo")


def controller(config: Config, sources: int | None = None) -> Design:
    """The interrupt controller of a configuration.

    Args:
        config: The configuration.
        sources: Of a CLIC, in place of the configuration's.
    """
    if not config.first.has_clic:
        return _design("trapeze:hw:clint", f"{config.name} clint", {}, {})
    number = sources or config.first.sources
    name = f"{config.name} clic" if sources is None else f"clic with {number} sources"
    parameters = {"NumSources": str(number)}
    if config.first.ctl_bits != CTL_BITS:
        parameters["CtlBits"] = str(config.first.ctl_bits)
    return replace(_design("trapeze:hw:clic", name, parameters, CLIC_PARTS), repeats=True)
