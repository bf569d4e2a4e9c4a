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


@pytest.mark.parametrize("config", ["amp-dsp", "amp"])
def test_restarts_under_load(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, job = tmp_path / "restarts", tmp_path / "calls.job"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "restarts.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
    at = [FIRST + number * EVERY for number in range(RESTARTS)]
    words = [word for one in at for word in ("--restart", str(one))]
    script = f"/bin/restarts /bin/calls.job {at[-1] + SLACK}; poweroff"
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", config, "--add", str(program), "--add", str(job), *words, "--run", script])
    console = capfd.readouterr().out.splitlines()
    assert code == 0, console
    began, said = [line for line in console if not line.startswith("[")]
    assert int(began.split()[1]) < FIRST
    counts = re.fullmatch(r"PASS: generation (\d+): (\d+) done, (\d+) lost, (\d+) without a server", said)
    assert counts, said
    generation, done, lost, _ = map(int, counts.groups())
    assert generation == RESTARTS + 1
    assert done > 20 * RESTARTS
    assert lost >= RESTARTS, "some jobs were in flight at each reset"


def test_a_hart_that_is_not_there() -> None:
    with pytest.raises(TrapezeError, match="--restart is for a hart beside that of Linux, which app has not"):
        cli.dispatch(["linux", "--config", "app", "--restart", "5", "--run", "true"])
