# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze_litex_board TARGET …`: a target of litex-boards with Trapeze, built by the tools of the YoWASP wheels."""

from __future__ import annotations

import sys
from importlib import import_module

from trapeze_litex import register, tools


def main() -> None:
    """Run the target with the other words of the command line."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: trapeze_litex_board TARGET [options of the target], such as radiona_ulx3s --build")
    target = import_module(f"litex_boards.targets.{sys.argv.pop(1)}")
    register()
    tools.check_variant("trapeze_litex_board")
    tools.by_default("--cpu-type", "trapeze")
    with tools.on_path("yosys", "nextpnr-ecp5", "ecppack"):
        target.main()


if __name__ == "__main__":
    main()
