# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Nothing unknown comes out of the design, in short directed tests; `make unknowns` runs all."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.platform import configurations
from verify.dev import directed
from verify.unknowns import __main__ as command
from verify.unknowns import gate

SHORT = {
    "mcu-fastirq": ("fast_first", "fast_exit", "clic_levels", "clic_jalxnxti", "trap_access", "probe_polled", "uart"),
    "mcu-clint": ("irq_software", "trap_fetch", "mstatus", "exit_exception"),
    "duo": ("smp_start",),
}
"""Programs of some thousand cycles each."""


def elf(name: str, test: str) -> tuple[Path, int]:
    """The program of a directed test, and the exit code that it is to have."""
    found = {one.name: one for one in command.tests(name)}[test]
    return directed.build(found, configurations.load(name)), found.exit


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_nothing_unknown_comes_out(name: str, tmp_path: Path) -> None:
    simulation = gate.Simulation(configurations.load(name), tmp_path)
    for test in SHORT[name]:
        program, code = elf(name, test)
        complaint = simulation.run(program).complaint(code)
        assert complaint is None, f"{name} {test}: {complaint}; again: make unknowns CONFIG={name} TESTS={test}"


@pytest.mark.slow
def test_a_reset_that_is_missing_is_found(tmp_path: Path) -> None:
    """The message has the register by name."""
    edits = (("      second_q   <= 1'b0;\n", ""),)  # of tz_lsu: the second half of a split access
    simulation = gate.Simulation(configurations.load("mcu-fastirq"), tmp_path, edits)
    seen = simulation.run(elf("mcu-fastirq", "fast_first")[0])
    assert seen.unknown is not None
    assert any(one.endswith("u_lsu.second_q") for one in seen.registers), seen.complaint(0)
