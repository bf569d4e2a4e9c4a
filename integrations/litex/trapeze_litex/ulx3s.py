# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze_litex_ulx3s`: an SoC for the board ULX3S with an LFE5U-85F, from its Verilog to a bitstream.

The SoC is that of litex-boards. Different are its memory, block RAM instead of SDRAM; its clock, one that Trapeze
reaches, with an error where it does not; and the mapping by Yosys.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from trapeze_litex import register, tools

COMMAND = "trapeze_litex_ulx3s"

CRYSTAL = 25e6
"""Hz on the board."""

CLOCK = 25e6
"""Hz, unless the command line has another one."""

MAIN_RAM = 0x10000
"""Bytes of main memory, block RAM."""

REPORT = "report.json"
"""What nextpnr reports, beside the bitstream."""

WIRE = 900
"""Picoseconds that the mapping counts for a wire, about what one takes once the design is placed."""

PATH = 16_500
"""Picoseconds that a path may take by that count. Shorter ones cost look-up tables."""

MAPPING = (
    "{read_files}",
    'attrmap -tocase keep -imap keep="true" keep=1 -imap keep="false" keep=0 -remove keep=0',
    "{yosys_cmds}",
    "synth_ecp5 -abc9 -top {build_name} -run begin:map_luts",
    "techmap -map +/lattice/latches_map.v",
    f"abc9 -W {WIRE} -D {PATH}",
    "clean",
    "synth_ecp5 -abc9 -top {build_name} -run map_cells:edif",
    "tee -q -o cells.json stat -json",
    "write_json {output_name}.json",
)
"""The commands for Yosys, as LiteX's template. The mapping is the one that Trapeze's own boards have."""


DEVICES = ("LFE5U-85F", "LFE5U-45F")


def clock(word: str) -> float:
    """A clock in Hz that the board can have.

    Raises:
        ArgumentTypeError: It cannot.
    """
    from litex.gen import ClockDomain
    from litex.soc.cores.clock import ECP5PLL
    from migen import Signal

    try:
        asked = float(word)
        loop = ECP5PLL()
        loop.register_clkin(Signal(), CRYSTAL)
        loop.create_clkout(ClockDomain("sys"), asked)
        loop.compute_config()
    except (ValueError, AssertionError):
        raise ArgumentTypeError(
            f"{word} is no clock in Hz that a loop of the FPGA makes of the board's 25 MHz"
        ) from None
    return asked


def parser() -> Any:
    """The options: LiteX's, and a few of the board's."""
    from litex.build.parser import LiteXArgumentParser
    from litex_boards.platforms import radiona_ulx3s

    made = LiteXArgumentParser(platform=radiona_ulx3s.Platform, description="LiteX SoC with Trapeze on ULX3S")
    made.prog, made.usage = COMMAND, f"{COMMAND} --build [options, which --help lists]"
    made.add_target_argument("--device", default=DEVICES[0], choices=DEVICES, help="FPGA of the board.")
    made.add_target_argument("--revision", default="2.0", choices=("2.0", "1.7"), help="Of the board.")
    made.add_target_argument("--sys-clk-freq", default=CLOCK, type=clock, help="System clock in Hz.")
    made.set_defaults(cpu_type="trapeze", integrated_main_ram_size=MAIN_RAM)
    return made


def soc(arguments: Any, options: dict[str, Any]) -> Any:
    """The SoC.

    Args:
        arguments: Of the command line.
        options: LiteX's ones of them.
    """
    from litex_boards.targets import radiona_ulx3s

    made = radiona_ulx3s.BaseSoC(
        device=arguments.device, revision=arguments.revision, sys_clk_freq=arguments.sys_clk_freq, **options
    )
    toolchain = made.platform.toolchain
    toolchain._yosys_template = list(MAPPING)
    toolchain._pnr_opts = f"--report {REPORT}"
    return made


def timing(report: Path, asked: float) -> tuple[float, float]:
    """The system's clock in MHz: what the loop makes, and what nextpnr reached.

    Args:
        report: Its report.
        asked: The clock in MHz that was asked for; the loop makes one within a hundredth.

    Raises:
        ValueError: The report has no such clock.
    """
    clocks: dict[str, dict[str, float]] = json.loads(report.read_text())["fmax"]
    ours = [one for one in clocks.values() if abs(one["constraint"] / asked - 1) < 0.015]
    if not ours:
        raise ValueError(f"{report}: no clock of {asked:g} MHz")
    slowest = min(ours, key=lambda one: one["achieved"])
    return slowest["constraint"], slowest["achieved"]


def build(made: Any, builder: Any, options: dict[str, Any]) -> None:
    """Build the SoC, with a bitstream unless the command line says no.

    Raises:
        SystemExit: The tools cannot see the files, or the clock is not reached. No bitstream is left then.
    """
    from trapeze_litex.core import verilog

    tools.check_places(COMMAND, builder.gateware_dir, verilog())
    bits = [Path(builder.get_bitstream_filename(mode="sram", ext=ext)) for ext in (".bit", ".svf")]
    report = Path(builder.gateware_dir) / REPORT
    for old in (*bits, report):
        old.unlink(missing_ok=True)
    try:
        builder.build(**options | {"compress": True})
    except OSError as error:  # LiteX has it from the shell; the tool has said why
        sys.exit(f"{COMMAND}: {error}")
    if not report.exists():
        return
    wanted, found = timing(report, made.sys_clk_freq / 1e6)
    if found < wanted:
        for path in bits:
            path.unlink(missing_ok=True)
        sys.exit(
            f"{COMMAND}: the design reaches {found:.2f} MHz, {wanted - found:.2f} less than its clock of {wanted:g}; "
            "choose a lower --sys-clk-freq or another --nextpnr-seed"
        )
    print(f"{wanted:g} MHz asked, {found:.2f} MHz reached: {bits[0]}, {bits[1]}")


def main() -> None:
    """Run it with the options of the command line."""
    from litex.soc.integration.builder import Builder

    register()
    tools.check_variant(COMMAND)
    options = parser()
    arguments = options.parse_args()
    if not arguments.integrated_main_ram_size:
        options.error("--integrated-main-ram-size 0 would be SDRAM, which Trapeze has none of on an FPGA")
    made = soc(arguments, options.soc_argdict)
    builder = Builder(made, **options.builder_argdict)
    if arguments.build:
        with tools.on_path("yosys", "nextpnr-ecp5", "ecppack"):
            build(made, builder, options.toolchain_argdict)


if __name__ == "__main__":
    main()
