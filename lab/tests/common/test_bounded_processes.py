# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Heavy programs: each meets its limit and says so, and no more run at a time than memory holds."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from trapeze.common import bounded_processes
from trapeze.common.errors import TrapezeError

GIB = 1 << 30


@pytest.mark.parametrize(("machine", "each", "most"), [(8, 3.2, 2), (16, 6.4, 2), (24, 8, 2), (64, 8, 6), (1, 0.4, 2)])
def test_limits_of_a_machine(monkeypatch: pytest.MonkeyPatch, machine: int, each: float, most: int) -> None:
    """With as many processors as one likes: four fifths of the memory are enough for all."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert bounded_processes.memory(machine * GIB) == pytest.approx(each * GIB, rel=0.01)
    assert bounded_processes.places(machine * GIB) == most
    assert (
        bounded_processes.memory(machine * GIB) * bounded_processes.places(machine * GIB)
        <= bounded_processes.SHARE * machine * GIB
    )
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert bounded_processes.places(machine * GIB) == 1


def test_program_that_wants_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_processes, "memory", lambda _=None: GIB // 4)
    with pytest.raises(TrapezeError, match=r"met its limit of memory, 0\.2 GiB"):
        bounded_processes.run([sys.executable, "-c", "b = bytearray(1 << 30)"], 60)


def test_program_that_takes_too_long() -> None:
    with pytest.raises(TrapezeError, match="met its limit of time, 1 s of a processor"):
        bounded_processes.run([sys.executable, "-c", "while True: pass"], 1)


def test_program_that_fails_by_itself() -> None:
    """Whoever asked for it says why."""
    assert bounded_processes.run([sys.executable, "-c", "raise SystemExit(3)"], 60).returncode == 3
    with pytest.raises(FileNotFoundError):
        bounded_processes.run(["no-such-program"], 60)


def test_compiler_that_wants_too_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As GCC says it."""
    monkeypatch.setattr(bounded_processes, "memory", lambda _=None: 64 << 20)
    source = tmp_path / "a.cpp"
    source.write_text("#include <algorithm>\n#include <functional>\n#include <map>\n#include <regex>\nstd::regex r;\n")
    done = subprocess.run(
        bounded_processes.command(["g++", "-c", str(source), "-o", "/dev/null"], 60), capture_output=True, text=True
    )
    assert "met its limit of memory" in str(
        bounded_processes.complaint("g++", done.returncode, done.stdout + done.stderr, 60)
    )


def test_limits_of_what_a_block_starts() -> None:
    show = [sys.executable, "-c", "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])"]
    with bounded_processes.limited(60, beside=2):
        inside = subprocess.run(show, capture_output=True, text=True, check=True).stdout
    assert int(inside) == bounded_processes.memory() // 2
    assert subprocess.run(show, capture_output=True, text=True, check=True).stdout != inside


def test_no_more_at_a_time_than_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bounded_processes, "_locks", lambda: tmp_path)
    monkeypatch.setattr(bounded_processes, "places", lambda _=None: 2)
    running, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal running, most
        with bounded_processes.place():
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.05)
            with lock:
                running -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
