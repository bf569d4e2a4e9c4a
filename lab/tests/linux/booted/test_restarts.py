# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The hart that runs jobs is reset under a running Linux: callers in flight hear of it, and the next jobs work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.common.errors import TrapezeError

PROGRAMS = paths.ROOT / "linux" / "tests"

RESTARTS = 20
FIRST = 40_000_000
"""Instructions of the run until all processes have jobs in flight."""

EVERY = 4_234_567
"""Instructions from one reset to the next, of which the server's start takes 2.2 million; each meets another state."""

SLACK = 6_000_000


CONFIGS = ("amp-dsp", "amp")


def booted(
    config: str, source: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str
) -> tuple[int, list[str]]:
    """Boot with a program and the job of all, and give exit code and console."""
    program, job = folder / Path(source).stem, folder / "calls.job"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / source), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
    capfd.readouterr()
    code = cli.dispatch(
        ["linux", "--config", config, "--coherence", "--add", str(program), "--add", str(job), *words, "--run", script]
    )
    return code, capfd.readouterr().out.splitlines()


@pytest.mark.parametrize("config", CONFIGS)
def test_restarts_under_load(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    at = [FIRST + number * EVERY for number in range(RESTARTS)]
    words = [word for one in at for word in ("--restart", str(one))]
    script = f"/bin/restarts /bin/calls.job {at[-1] + SLACK}; poweroff"
    code, console = booted(config, "restarts.c", tmp_path, capfd, script, *words)
    assert code == 0, console
    began, said = [line for line in console if not line.startswith("[")]
    assert int(began.split()[1]) < FIRST
    counts = re.fullmatch(r"PASS: generation (\d+): (\d+) done, (\d+) lost, (\d+) without a server", said)
    assert counts, said
    generation, done, lost, _ = map(int, counts.groups())
    assert generation == RESTARTS + 1
    assert done > 20 * RESTARTS  # the program has seen that each server did some
    assert lost >= RESTARTS, "some jobs were in flight at each reset"


def test_a_hart_that_is_not_there() -> None:
    with pytest.raises(TrapezeError, match="--restart is for a hart beside that of Linux, which app has not"):
        cli.dispatch(["linux", "--config", "app", "--restart", "5", "--run", "true"])


@pytest.mark.parametrize("config", CONFIGS)
def test_a_power_off_with_jobs_in_flight(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """None of them writes to memory behind it."""
    code, console = booted(config, "orphans.c", tmp_path, capfd, "/bin/orphans /bin/calls.job 20; poweroff")
    assert code == 0, console
    assert any(line.endswith("going down with 20 jobs in flight: cancelled, 0 still run") for line in console), console
