# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One hart of a platform: what it is, and the parameters that make the RTL so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

EXTENSIONS = {"m": "ExtM", "a": "ExtA", "c": "ExtC", "zba": "ExtZba", "zbb": "ExtZbb", "zbs": "ExtZbs"}
"""The SoC parameter that each extension of a configuration sets."""

FLOAT = ("f", "d")
"""Extensions that only rv64i can have, of which there is no design."""

CACHES = ("zicbom",)
"""Extensions for blocks of caches, likewise."""

ORDER = ("m", "a", *FLOAT, *EXTENSIONS, *CACHES)
"""Extensions as an ISA's name has them."""

ADDED = ("a",)
"""Extensions whose parameter only those platforms set that have them."""

SAVERS = ("SaverNone", "SaverBanks", "SaverInPlace")
"""The kinds of context savers, in the order of the RTL's `core_cfg_pkg::saver_e`."""

LINE_BASE = 16
"""Interrupt of platform line 0 with the CLINT, as an exception code (hw/irq/pkg: IrqPlatform)."""

TILE_PARAMETERS = ("IrqLineBase", "NumIrqLines", "IrqSync", "FastSharedPort", "ClicCtlBits", "ClicPipeline")
"""The parameters of a hart that are its tile's; the others are its core's."""

CTL_BITS = 8
"""Bits of a CLIC's ctl, unless a configuration says otherwise."""

SYNCHRONISER_CYCLES = 2
"""What the flip-flops of a synchroniser add (hw/common: tz_sync)."""

WHOLE_FRAMES = "xtzwhole"
"""In the ISA string of the model: fastirq's frames hold all registers but sp, gp and tp (sim/kernel/frame_layout.h)."""

PMP_KEYS = ("regions", "grain", "smepmp")
"""A configuration's physical memory protection as fields of a hart; result files have them if the hart has rows."""


@dataclass(frozen=True)
class Hart:
    """One hart of a platform: its core, and the interrupt controller that is its own.

    Attributes:
        base: `rv32i`, `rv32e` or `rv64i`.
        extensions: Beside the base, in the order of an ISA's name.
        abi: `ilp32`, `ilp32e`, `lp64` or `lp64d`.
        scheme: Interrupt controller: `clint`, `clic` or `fastirq`.
        lines: Number of platform lines.
        reset_vector: Address of the first instruction.
        hart_id: What mhartid reads as.
        line_base: Interrupt number of platform line 0.
        sources: Of the CLIC; 0 without one.
        ctl_bits: Bits of each source's ctl that the CLIC keeps.
        tree_pipeline: Whether the CLIC's search for the winner has a register stage.
        synchroniser: Whether two flip-flops stand between the pin of a platform line and the controller.
        banks: Spare banks of the caller-saved registers; 0 is fastirq in place, or another scheme.
        whole_frames: Whether frames hold all registers but sp, gp and tp.
        shared_port: Whether frames leave through the data port.
        user: Whether it has user-level interrupts (Suclic).
        uintr: Whether harts send user-level interrupts to one another.
        divider_bits: Quotient bits that a division finds in a cycle.
        load_bypass: Whether the instruction behind a load has its data in the cycle in which they arrive.
        gates: Whether register file and multiplier are written for standard cells.
        debug: Whether it has debug mode, for a debugger at a JTAG port.
        triggers: Hardware breakpoints and watchpoints (Sdtrig).
        regions: Rows of physical memory protection; 0 without it.
        grain: Its regions are of 2^(grain + 2) bytes at least.
        smepmp: Whether it has mseccfg (Smepmp), by which it binds machine mode, too.
        supervisor: Whether it has supervisor mode and Sv39.
        timing: Name of how its time passes on the engine `timed` (configs/timing); None: it has none, or its RTL says.
        memory_latency: In place of that of `timing`; None: that one.
    """

    base: str
    extensions: tuple[str, ...]
    abi: str
    scheme: str
    lines: int
    reset_vector: int
    hart_id: int
    line_base: int = LINE_BASE
    sources: int = 0
    ctl_bits: int = CTL_BITS
    tree_pipeline: bool = False
    synchroniser: bool = False
    banks: int = 0
    whole_frames: bool = False
    shared_port: bool = False
    user: bool = False
    uintr: bool = False
    divider_bits: int = 2
    load_bypass: bool = True
    gates: bool = False
    debug: bool = False
    triggers: int = 0
    regions: int = 0
    grain: int = 0
    smepmp: bool = False
    supervisor: bool = False
    timing: str | None = None
    memory_latency: int | None = None

    @property
    def has_clic(self) -> bool:
        """Whether the interrupt controller is a CLIC."""
        return self.sources > 0

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
    def line_delay(self) -> int:
        """Cycles from the pin of a platform line to the controller."""
        return SYNCHRONISER_CYCLES if self.synchroniser else 0

    def parameters(self) -> dict[str, int]:
        """The parameters of the RTL top, by name."""
        values = {"RV32E": int(self.base == "rv32e")}
        given = {parameter: name in self.extensions for name, parameter in EXTENSIONS.items() if name not in ADDED}
        values |= {parameter: int(has) for parameter, has in given.items()}
        values |= {EXTENSIONS[name]: 1 for name in ADDED if name in self.extensions}
        if self.has_clic:
            values |= {"IrqScheme": 1, "NumIrqSources": self.sources, "NumIrqLines": self.lines}
        if self.line_base != LINE_BASE or self.scheme == "fastirq":
            values["IrqLineBase"] = self.line_base
        if self.ctl_bits != CTL_BITS:
            values["ClicCtlBits"] = self.ctl_bits
        if self.tree_pipeline:
            values["ClicPipeline"] = 1
        if self.synchroniser:
            values["IrqSync"] = 1
        if self.scheme == "fastirq":
            values |= {"Saver": SAVERS.index("SaverBanks" if self.banks else "SaverInPlace")}
            values |= {"NumBanks": self.banks} if self.banks else {}
            values |= {"FastSharedPort": int(self.shared_port)}
        if self.whole_frames:
            values["WholeFrames"] = 1
        if self.user:
            values["UserIrq"] = 1
        if self.uintr:
            values["Uintr"] = 1
        if self.divider_bits != Hart.divider_bits:
            values["DivBitsPerCycle"] = self.divider_bits
        if not self.load_bypass:
            values["LoadBypass"] = 0
        if self.gates:
            values["Gates"] = 1
        if self.debug:
            values["Debug"] = 1
        if self.triggers:
            values["Triggers"] = self.triggers
        if self.regions:
            values |= {"PmpRegions": self.regions, "PmpGrain": self.grain, "Smepmp": int(self.smepmp)}
        return values | {"ResetVector": self.reset_vector, "HartId": self.hart_id}

    def core_parameters(self) -> dict[str, int]:
        """The parameters of the core by itself, by name."""
        return {name: value for name, value in self.parameters().items() if name not in TILE_PARAMETERS}

    def to_json(self) -> dict[str, Any]:
        """All that is set, after defaults, as result files keep it: the properties, and the parameters of the RTL."""
        own = asdict(self) | {"extensions": list(self.extensions), "parameters": self.parameters()}
        kept = {
            "user": self.user,
            "uintr": self.uintr,
            "supervisor": self.supervisor,
            "whole_frames": self.whole_frames,
            "debug": self.debug,
            "triggers": self.triggers > 0,
            "timing": self.timing is not None,
            "memory_latency": self.memory_latency is not None,
        }
        kept |= dict.fromkeys(PMP_KEYS, bool(self.regions))
        absent = [key for key, there in kept.items() if not there]
        return {key: value for key, value in own.items() if key not in absent}
