# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The multipliers multiply, and the bench that says so is able to fail."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from trapeze.platform.cores import Library
from verify.dev import benches

HERE = Path(__file__).resolve().parent

BUGS = {
    "a digit of -2 is taken for -1": ("tz_booth.sv", "assign two      = (b", "assign two      = ~b[2*i+2] & (b"),
    "the last row goes missing": ("tz_booth.sv", "b_i[Width-1] & ~b_signed_i", "1'b0"),
    "a negative factor is taken for another": ("tz_mult.sv", "a_i[31]) ? b_i", "a_i[31]) ? a_i"),
    "a middle product loses its carry": ("tz_mult.sv", "logic [32:0] middle", "logic [31:0] middle"),
    "a carry is wrong": ("tz_booth.sv", "| (pq[Out-2:Low] & r[Out-2:Low])", "| (p[Out-2:Low] & r[Out-2:Low])"),
}


def run(files: Sequence[Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the bench with these multipliers and run it."""
    program = benches.binary(HERE / "tb_mult.sv", files, folder / "obj")
    return subprocess.run([str(program)], capture_output=True, text=True, check=False)


def multipliers() -> list[Path]:
    sources = Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    return [path for path in sources if path.stem.endswith("_pkg") or path.stem in ("tz_booth", "tz_mult")]


@pytest.mark.slow
def test_all_products_are_right(tmp_path: Path) -> None:
    done = run(multipliers(), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all products are right" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    file, right, wrong = BUGS[bug]
    files = multipliers()
    text = next(path for path in files if path.name == file).read_text()
    assert text.count(right) == 1
    (tmp_path / file).write_text(text.replace(right, wrong))
    done = run([tmp_path / file if path.name == file else path for path in files], tmp_path)
    assert done.returncode != 0
    assert "signed" in done.stdout + done.stderr
