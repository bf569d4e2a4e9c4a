# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux programs call prepared jobs without the kernel: channels, the ends of calls and of programs, and restarts."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths

PROGRAMS = paths.ROOT / "linux" / "tests"
CONFIGS = ("amp-dsp", "amp")

FIRST, EVERY = 40_000_000, 6_234_567
"""Instructions of the run until the program calls, and from one reset to the next."""

RESTARTS = 20


def booted(config: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str) -> list[str]:
    """Boot with the program and its job, and give what it prints."""
    program, job = folder / "callers", folder / "called.job"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "callers.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "called_job.c"), "-o", str(job)]) == 0
    capfd.readouterr()
    added = ["--add", str(program), "--add", str(job), "--coherence"]
    code = cli.dispatch(["linux", "--config", config, *added, *words, "--run", f"{script}; poweroff"])
    said = capfd.readouterr()
    assert code == 0, (said.out, said.err)
    return [line for line in said.out.splitlines() if not line.startswith("[")]


@pytest.mark.parametrize("config", CONFIGS)
def test_calls_and_channels(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every end of a call; nine programs at eight channels; programs that are killed or close in mid-call."""
    script = "; ".join(f"/bin/callers /bin/called.job {case}" for case in ("calls", "channels", "calls"))
    assert booted(config, tmp_path, capfd, script) == ["PASS"] * 3


@pytest.mark.parametrize("config", CONFIGS)
def test_restarts_under_calls(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Callers that spin and callers that sleep hear of each, and the next server answers."""
    words = [word for number in range(RESTARTS) for word in ("--restart", str(FIRST + number * EVERY))]
    script = f"RESTARTS={RESTARTS} /bin/callers /bin/called.job restarts"
    assert booted(config, tmp_path, capfd, script, *words) == ["PASS"]
