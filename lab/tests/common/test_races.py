# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What threads and processes make at the same time: everybody finds it whole, and it is made once.

The compiler here is slow and writes as a linker does: first an empty file, the content later.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier, Lock

import pytest

from trapeze import experiment_files
from trapeze.common import crates, files, paths
from trapeze.common.errors import TrapezeError
from trapeze.experiments.preemption import measure as preemption
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Outcome

THREADS = 8
PROCESSES = 3
SECONDS = 0.2
"""Seconds of one compilation."""

COMPILER = """#!/bin/sh
for word; do
  [ "$last" = -o ] && out=$word
  last=$word
done
echo "$out" >>"$COMPILED"
: >"$out"
sleep "$SLOW"
echo whole >"$out"
"""

BUILDER = """
import sys, time
from pathlib import Path
from trapeze.firmware import toolchain
from trapeze.platform import configurations
made, stop = Path(sys.argv[1]), time.monotonic() + 3
while time.monotonic() < stop:
    elf = toolchain.build(configurations.load("mcu-clint"), [Path("main.c")], made)
    for _ in range(20):
        if elf.read_text() != "whole\\n":
            sys.exit("ELF file is empty")
        time.sleep(0.01)
"""


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Put the slow compiler in the place of the real one, with a build folder of its own.

    Returns:
        What has been compiled so far, without start-up code and HAL.
    """
    tools, log = tmp_path / "tools", tmp_path / "compiled"
    tools.mkdir()
    program = tools / toolchain_file.data()["compiler"]
    program.write_text(COMPILER)
    program.chmod(0o755)
    log.touch()
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COMPILED", str(log))
    monkeypatch.setenv("TRAPEZE_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setenv("SLOW", "0")
    for name in ("mcu-clint", "mcu-clic"):
        compiler.kit(configurations.load(name))
    monkeypatch.setenv("SLOW", str(SECONDS))
    return lambda: [line for line in log.read_text().splitlines() if line.endswith(".elf")]


def test_rows_of_one_firmware(compiled: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of `preemption` that are measured side by side build their firmware once, play it once and find it whole."""
    played = []

    def play(elf: Path, *settings: object) -> Outcome:
        del settings
        played.append(elf)
        for _ in range(10):
            if elf.read_text() != "whole\n":
                raise TrapezeError(f"{elf}: ELF file is empty", 1)
            time.sleep(SECONDS / 10)
        run = Run("mcu-clic", "rtl", str(elf), "exit", 0, 1, 1, (), (), None, None)
        return Outcome(0, b"vertical yes\n", run)

    monkeypatch.setattr(simulator, "measure", play)
    experiment = experiment_files.load("preemption")
    rows = [case for case in experiment.cases if case.labels["test"] == "vertical"]
    begin = Barrier(THREADS)

    def one(number: int) -> float:
        begin.wait()
        time.sleep(0.3 * number * SECONDS)  # some compile while others read
        (row,) = preemption.measure(rows[number % len(rows)], experiment, False, lambda *_: None)
        return row.statistics.max

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(one, range(THREADS))) == [1] * THREADS
    assert len(rows) == len(played) == len(compiled()) == 2


def test_firmware_of_the_same_name_is_not_mixed_up(
    compiled: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two firmwares for one configuration are two files."""
    played = []

    def play(elf: Path, *settings: object) -> Outcome:
        del settings
        played.append(elf)
        raise TrapezeError("enough", 1)

    monkeypatch.setattr(simulator, "measure", play)
    experiment = experiment_files.load("preemption")
    case = experiment.cases[0]
    for options in ((), ("-O0",)):
        with pytest.raises(TrapezeError, match="enough"):
            preemption.measure(replace(case, options=options), experiment, False, lambda *_: None)
    assert len(set(played)) == len(compiled()) == 2


def test_processes_that_build_the_same(compiled: Callable[[], list[str]], tmp_path: Path) -> None:
    """Several processes build one image over and over, and each reads it: it is always whole."""
    command = [sys.executable, "-c", BUILDER, str(tmp_path / "build" / "shared.elf")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(PROCESSES)]
    assert [one.communicate(timeout=60)[1] for one in running] == [""] * PROCESSES
    assert len(compiled()) > PROCESSES
    assert [path.name for path in (tmp_path / "build").glob("*.elf*")] == ["shared.elf"]


def test_what_is_replaced(tmp_path: Path) -> None:
    """A file is as it was until its successor is whole, and stays so after an error; nothing is left beside it."""
    path = tmp_path / "x.txt"
    path.write_text("old")
    with files.replacing(path) as made:
        made.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"

    def fail() -> None:
        with files.replacing(path) as made:
            made.write_text("half")
            raise TrapezeError("no")

    with pytest.raises(TrapezeError):
        fail()
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_once() -> None:
    """Threads that ask at the same time get one answer; an error goes to those that wait, and is not kept."""
    guard, asked = Lock(), []

    @files.once
    def answer(question: str, fail: bool) -> str:
        with guard:
            asked.append(question)
        time.sleep(SECONDS)
        if fail:
            raise TrapezeError(f"{question}!")
        return question

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(partial(answer, fail=False), ["a", "b"] * (THREADS // 2))) == {"a", "b"}
        assert sorted(asked) == ["a", "b"]
        wrong = [pool.submit(answer, "c", True) for _ in range(THREADS)]
        assert {str(one.exception()) for one in wrong} == {"c!"}
        assert asked.count("c") == 1
    with pytest.raises(TrapezeError):
        answer("c", True)
    assert asked.count("c") == 2


@pytest.mark.parametrize("torn", ["", "/no/such"])
def test_torn_note_of_a_kernel(torn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note of where a kernel's sources are that another process has only begun to write says nothing."""
    manifest, crate = tmp_path / "Cargo.toml", tmp_path / "crate"
    (crate / "kernel").mkdir(parents=True)
    for name in ("Cargo.toml", "Cargo.lock"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    found = [{"name": "some", "manifest_path": str(crate / "Cargo.toml")}]
    monkeypatch.setattr(crates, "_metadata", lambda *_: found)
    assert crates.sources.__wrapped__(manifest, "some", "kernel", "a test") == crate / "kernel"
    (note,) = (tmp_path / "build" / "crates").glob("*.path")
    note.write_text(torn)
    assert crates.sources.__wrapped__(manifest, "some", "kernel", "a test") == crate / "kernel"
    assert note.read_text() == str(crate / "kernel")
