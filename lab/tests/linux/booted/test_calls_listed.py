# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze linux --calls`: calls of a user's program as they are seen from outside."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.experiments.rpc import parts, runs
from trapeze.firmware import toolchain
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.results.statistics import summarize_counts
from trapeze.simulation import simulator
from trapeze.simulation.calls import PARTS, EventLog
from trapeze.simulation.options import Options

PROGRAMS = paths.ROOT / "linux" / "tests"
BENCH = paths.BENCH / "rpc"
CALLS = 1000

OUTSIDE = 150
"""Cycles between a marker of the program and its store to the doorbell, or of its load and the other one: 73 and 61 for
the library and its accesses to the channel; and some of the job's beginning and end."""

INSIDE = 50
"""Cycles of the job before its first marker and behind its last one: 28 and 7."""


def test_markers_say_the_same(tmp_path: Path) -> None:
    """Calls of the experiment `rpc`: as many, and parts as the markers have them."""
    config = configurations.load("amp")
    program, job, server, path = (tmp_path / name for name in ("empty", "empty.job", "server.elf", "calls.jsonl"))
    parts.program([BENCH / "empty.c"], program)
    parts.job(config, [BENCH / "empty_job.c"], job)
    toolchain.build(config, [], server, rtos="freertos-jobs")
    built = image.build(config, f"/bin/empty /bin/empty.job {CALLS} 100 200 spin 0", [program, job])
    log = EventLog(path, config.platform)
    options = Options(max_cycles=runs.MAX_CYCLES, engine="timed", others=(server,), last_hart=0, log=log)
    outcome = simulator.measure(built, config, options)
    assert outcome.exit_code == 0, outcome.console
    marked, seen = runs.calls(outcome.run), log.calls()
    assert len(marked) == CALLS
    assert seen.whole.total() == CALLS
    assert (seen.idle, seen.open) == (0, 0)
    assert sum(took * count for took, count in seen.whole.items()) == sum(
        took * count for part in PARTS for took, count in seen.parts[part].items()
    )
    outer = [("mailbox", "server"), ("end", "wake-up")]
    middle = {part: summarize_counts(tuple(counts.items())).p50 for part, counts in seen.parts.items()}
    stages = {name: median(one.stages[name] for one in marked) for name in marked[0].stages}
    for stage, (first, second) in zip(("to-job", "from-job"), outer, strict=True):
        assert 0 < stages[stage] - middle[first] - middle[second] < OUTSIDE, stage
    assert 0 < middle["user"] - stages["job"] < INSIDE


@pytest.mark.parametrize("config", ["amp-dsp", "amp"])
def test_a_program_of_a_user(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing in program and job is made for it: jobs that fault, calls by the dozen, and callers that sleep."""
    program, job = tmp_path / "callers", tmp_path / "called.job"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "callers.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "called_job.c"), "-o", str(job)]) == 0
    capfd.readouterr()
    script = "/bin/callers /bin/called.job calls; poweroff"
    added = ["--add", str(program), "--add", str(job)]
    assert cli.dispatch(["linux", "--config", config, *added, "--calls", "--run", script]) == 0
    said = capfd.readouterr()
    assert "PASS" in said.out
    assert re.search(r"^instructions +n +min +P50 +P99 +P99\.9 +max *$", said.err, re.MULTILINE), said.err
    counts = [re.search(rf"^ *{name} +(\d+) ", said.err, re.MULTILINE) for name in ("call", *PARTS)]
    assert len({found and found[1] for found in counts}) == 1, said.err
    assert "longest call: number" in said.err


def test_no_call(capfd: pytest.CaptureFixture[str]) -> None:
    """A run without one says so; a platform without channels is refused before it."""
    assert cli.dispatch(["linux", "--config", "amp", "--calls", "--run", "poweroff"]) == 0
    assert "calls: no program has called a prepared job" in capfd.readouterr().err
    assert cli.main(["linux", "--config", "app", "--calls", "--run", "poweroff"]) == 2
    assert "--calls: app has no channels" in capfd.readouterr().err
    assert cli.main(["linux", "--config", "amp", "--calls", "--gdb", "0", "--run", "poweroff"]) == 2
    assert "--gdb stops where you say, and --calls measures a whole run" in capfd.readouterr().err
