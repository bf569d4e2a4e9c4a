# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Registers are shown to a debugger as they are, also while banks are filled, and the bench that says so can fail."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from trapeze.platform.cores import Library
from verify.dev import benches

HERE = Path(__file__).resolve().parent

BUGS = {
    "the fill of another bank is shown": (
        "regfile.fill_we && regfile.fill_bank == regfile.bank &&",
        "regfile.fill_we &&",
    ),
    "a fill is not shown": ("assign fills    = regfile.fill_we &&", "assign fills    = 1'b0 && regfile.fill_we &&"),
    "the next word is shown": (
        "frame_register(regfile.fill_word, Whole) ==",
        "frame_register(regfile.fill_word + 5'd1, Whole) ==",
    ),
}


def design() -> list[Path]:
    """Sources of the core that the bench needs."""
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    return [path for path in sources if path.stem.endswith("_pkg") or path.stem in ("tz_regfile", "tz_observe")]


def run(files: Sequence[Path], folder: Path, **parameters: int) -> subprocess.CompletedProcess[str]:
    """Build the bench with this design and run it."""
    options = ["--timing", *(f"-G{name}={value}" for name, value in parameters.items())]
    program = benches.binary(HERE / "tb_observe.sv", files, folder / "obj", *options)
    return subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(("embedded", "banks"), [(0, 2), (1, 1), (0, 0)])
def test_registers_are_shown_as_they_become(tmp_path: Path, embedded: int, banks: int) -> None:
    done = run(design(), tmp_path, RV32E=embedded, NumBanks=banks)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all registers are shown as they become" in done.stdout


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    right, wrong = BUGS[bug]
    files = design()
    (place,) = (path for path in files if path.stem == "tz_observe")
    text = place.read_text()
    assert text.count(right) == 1
    seeded = tmp_path / place.name
    seeded.write_text(text.replace(right, wrong))
    done = run([seeded if path == place else path for path in files], tmp_path)
    assert done.returncode != 0
    assert "is shown as" in done.stdout + done.stderr
