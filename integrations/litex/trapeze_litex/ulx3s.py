# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze_litex_ulx3s`: an SoC for the board ULX3S with an LFE5U-85F, from its Verilog to a bitstream.

The SoC is that of litex-boards. Different are its memory, block RAM instead of SDRAM; its clock, one that Trapeze
reaches, with an error where it does not; and the commands for Yosys.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from trapeze_litex import register, tools

CLOCK = 20e6
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
"""The commands for Yosys. LiteX's own choose an ABC that took more than a quarter of an hour for this design."""


def parser() -> Any:
    """The options: LiteX's, and a few of the board's."""
    from litex.build.parser import LiteXArgumentParser
    from litex_boards.platforms import radiona_ulx3s

    made = LiteXArgumentParser(platform=radiona_ulx3s.Platform, description="LiteX SoC with Trapeze on ULX3S")
    made.add_target_argument("--device", default="LFE5U-85F", help="FPGA (LFE5U-85F or LFE5U-45F).")
    made.add_target_argument("--revision", default="2.0", help="Of the board (2.0 or 1.7).")
    made.add_target_argument("--sys-clk-freq", default=CLOCK, type=float, help="System clock in Hz.")
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


def reached(report: Path, asked: float) -> float:
    """The clock in Hz that nextpnr reached for the system.

    Args:
        report: Its report.
        asked: The clock in Hz that was asked for.

    Raises:
        ValueError: The report has no such clock.
    """
    clocks: dict[str, dict[str, float]] = json.loads(report.read_text())["fmax"]
    ours = [one["achieved"] for one in clocks.values() if abs(one["constraint"] * 1e6 / asked - 1) < 0.01]
    if not ours:
        raise ValueError(f"{report}: no clock of {asked / 1e6:g} MHz")
    return min(ours) * 1e6


def build(made: Any, builder: Any, options: dict[str, Any]) -> None:
    """Build the SoC, with a bitstream unless the command line says no.

    Raises:
        SystemExit: The clock is not reached. No bitstream is left then.
    """
    bits = [Path(builder.get_bitstream_filename(mode="sram", ext=ext)) for ext in (".bit", ".svf")]
    report = Path(builder.gateware_dir) / REPORT
    for old in (*bits, report):
        old.unlink(missing_ok=True)
    builder.build(**options | {"compress": True})
    if not report.exists():
        return
    found = reached(report, made.sys_clk_freq)
    if found < made.sys_clk_freq:
        for path in bits:
            path.unlink(missing_ok=True)
        sys.exit(
            f"trapeze_litex_ulx3s: {made.sys_clk_freq / 1e6:g} MHz is more than the {found / 1e6:.2f} MHz that the "
            "design reaches; choose a lower --sys-clk-freq or another --nextpnr-seed"
        )
    print(f"{made.sys_clk_freq / 1e6:g} MHz asked, {found / 1e6:.2f} MHz reached: {bits[0]}, {bits[1]}")


def main() -> None:
    """Run it with the options of the command line."""
    from litex.soc.integration.builder import Builder

    register()
    tools.check_variant("trapeze_litex_ulx3s")
    options = parser()
    arguments = options.parse_args()
    made = soc(arguments, options.soc_argdict)
    builder = Builder(made, **options.builder_argdict)
    if arguments.build:
        with tools.on_path("yosys", "nextpnr-ecp5", "ecppack"):
            build(made, builder, options.toolchain_argdict)


if __name__ == "__main__":
    main()
