# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page docs/howto/freertos-in-user-mode.md: each step does what it says, and the timeline tells who runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import examples

PAGE = paths.ROOT / "docs" / "howto" / "freertos-in-user-mode.md"
MONITOR = {"monitor_trap", "yield", "restore_enabled", "interrupt", "exception"}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[subprocess.CompletedProcess[str]]]:
    """The page's commands as they were run, and where."""
    folder = tmp_path_factory.mktemp("page")
    examples.write_files(PAGE, folder)
    environment = {**os.environ, "PYTHONPATH": str(paths.LAB / "src")}
    found = []
    for command in examples.commands(PAGE):
        words = [sys.executable, "-m", *shlex.split(command.removeprefix("./"))]
        one = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=environment)
        assert one.returncode == examples.expected(PAGE, command), one.stderr
        found.append(one)
    return folder, found


def without_places(text: str) -> str:
    """Without what moves when anything is compiled otherwise."""
    return re.sub(r"\b(pc|sp) 0x[0-9a-f]{8}|\+0x[0-9a-f]+", r"\1", text)


def test_steps(done: tuple[Path, list[subprocess.CompletedProcess[str]]]) -> None:
    said = [one.stdout for one in done[1]]
    assert said[1::2] == ["sum 10\n"] * 3 + [said[7], "sum 10\n"]
    refused = [line for line in said[7].splitlines() if line.startswith("monitor: user mode: store access fault")]
    assert len(refused) == 2
    told = re.findall(r"^trapeze: pc .*$", done[1][7].stderr, re.MULTILINE)
    assert len(told) == 2
    shown = re.search(r"^monitor: .*\n^trapeze: .*$", PAGE.read_text(), re.MULTILINE)
    assert shown is not None
    assert without_places(shown[0]) == without_places(f"{refused[0]}\n{told[0]}")


def test_timeline(done: tuple[Path, list[subprocess.CompletedProcess[str]]]) -> None:
    """Once the program runs, machine mode is the monitor alone, and user mode never is."""
    events = json.loads((done[0] / "paper.json").read_text())["traceEvents"]
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    tracks: dict[str, list[tuple[str, int, int]]] = {}
    for one in events:
        if one["ph"] == "X":
            track = tracks.setdefault(names[one["pid"], one["tid"]], [])
            track.append((one["name"], one["ts"], one["ts"] + one["dur"]))
    begins = min(start for name, start, _ in tracks["privilege"] if name == "user")
    ran: dict[str, set[str]] = {"user": set(), "machine": set()}
    for mode, start, end in tracks["privilege"]:
        if start >= begins:
            ran[mode] |= {name for name, first, _ in tracks["functions"] if start <= first < end}
    assert ran["machine"] == MONITOR
    assert {"vTaskSwitchContext", "add", "send"} <= ran["user"]
    assert not ran["user"] & MONITOR
    assert {"add", "send"} <= {name for name, _, _ in tracks["tasks"]}
