# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make unknowns`: directed tests on the netlist in Icarus Verilog; nothing unknown may come out of the design."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from verify.dev import directed
from verify.unknowns import gate

CONFIGS = ("mcu-fastirq", "mcu-clint", "duo")


def tests(config: str) -> list[directed.Directed]:
    """The directed tests of a configuration that need nothing from outside: no lines, no console input, no kernel."""
    several = len(configurations.load(config).harts) > 1
    found = directed.collect(directed.FOLDER / "harts") if several else directed.collect()
    chosen = [test for test in found if several or (config in test.configs and "rtl" in test.engines)]
    return [test for test in chosen if not (test.irq or test.uart_in or test.rtos)]


def main() -> int:
    """Run; 0 if nothing is wrong, 1 if something is, 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m verify.unknowns", description=__doc__, allow_abbrev=False)
    parser.add_argument("--config", choices=configurations.names(), help="one configuration instead of several")
    parser.add_argument("names", nargs="*", metavar="TEST", help="these tests instead of all")
    arguments = parser.parse_args()
    failed = 0
    try:
        for name in [arguments.config] if arguments.config else CONFIGS:
            config = configurations.load(name)
            with tempfile.TemporaryDirectory(prefix="trapeze-unknowns-") as folder:
                simulation = gate.Simulation(config, Path(folder))
                for test in tests(name):
                    if arguments.names and test.path.stem not in arguments.names:
                        continue
                    complaint = simulation.run(directed.build(test, config)).complaint(test.exit)
                    failed += complaint is not None and complaint != gate.NO_END
                    print(f"{name} {test.path.stem}: {complaint or 'pass'}", flush=True)
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
