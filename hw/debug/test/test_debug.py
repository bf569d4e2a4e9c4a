# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the debug module and its transport."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.platform.cores import Library
from trapeze.simulation import building

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import debug_words  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:debug"
TOOLS = "riscv64-unknown-elf-"
Bench = Callable[..., tuple[int, int]]


@pytest.mark.parametrize(("harts", "base", "embedded"), [(2, 0x400, 0), (1, 0xFFFF_F800, 1)])
def test_debug(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, harts: int, base: int, embedded: int
) -> None:
    """A debugger halts, inspects, changes, resumes and resets harts, and reads and writes the bus."""
    source, binary = tmp_path / "words.S", tmp_path / "words.bin"
    source.write_text(debug_words.source(base))
    assemble = [f"{TOOLS}gcc", "-march=rv32if_zicsr", "-mabi=ilp32", "-c", str(source), "-o", f"{binary}.o"]
    processes.run(assemble, check=True)
    processes.run([f"{TOOLS}objcopy", "-O", "binary", f"{binary}.o", str(binary)], check=True)
    for name, value in (("WORDS", binary), ("HARTS", harts), ("BASE", base), ("EMBEDDED", embedded)):
        monkeypatch.setenv(name, str(value))
    top = HERE.parent / "rtl" / "tz_debug.sv"
    parameters = {"NumHarts": harts, "Base": base, "Idcode": 0x1234_5677}
    assert bench(CORE, top, HERE / "bench_debug.py", **parameters) == (7, 0)
    assert bench(CORE, top, HERE / "bench_transport.py", **parameters) == (6, 0)


@pytest.mark.parametrize("harts", [1, 3, 8])
def test_no_warning(harts: int) -> None:
    """Verilator has nothing to say."""
    root = building.verilator_root()
    sources = Library().resolve(CORE).of_type("systemVerilogSource")
    options = ["--lint-only", "-Wall", "--top-module", "tz_debug", f"-GNumHarts={harts}"]
    command = [str(root / "bin" / "verilator"), *options, *map(str, sources)]
    done = processes.run(command, env=building.environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr
