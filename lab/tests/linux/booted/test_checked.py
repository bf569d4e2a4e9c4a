# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The driver on two harts of Linux, with a kernel that checks itself: locks, what may sleep, and memory.

A warning or an oops of the kernel panics and ends the run with 2; what else the checks say is on the console.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.platform import configurations

CONFIG = "amp-2"
PROGRAMS = paths.ROOT / "linux" / "tests"
LIAR = paths.LAB / "tests" / "linux" / "liar" / "liar.c"
MAP = [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", "-DTRAPEZE_MAP_AMP=1"]

COMPLAINT = re.compile(r"BUG|WARNING|INFO:|ODEBUG|Oops|unreferenced object|list_(add|del) corruption")
"""What the checks say."""

LEAKS = "for i in 1 2; do echo scan > /sys/kernel/debug/kmemleak; sleep 6; done; cat /sys/kernel/debug/kmemleak"
"""Finds memory that nobody refers to, and that is older than five seconds."""

LATE = 400_000_000
"""Ticks after which the liar begins, when Linux has loaded the driver."""

FIRST, EVERY, RESTARTS = 200_000_000, 20_234_567, 10
"""Instructions until the programs run, and from one reset to the next; and the number of resets."""

LOCKS = "grep debug_locks: /proc/lockdep_stats"
"""1 if the check of locks has not stopped because of an error."""


def checked(folder: Path, capfd: pytest.CaptureFixture[str], programs: str, script: str, *words: str) -> list[str]:
    """Boot, run the script, and give what its programs print; nothing is wrong.

    Args:
        folder: For what is compiled.
        capfd: Takes the console.
        programs: Their names in linux/tests; each job has the name of its source without `_job`.
        script: Commands of the shell, with /bin/NAME and /bin/calls.job.
        words: Further words of the command line.
    """
    added = []
    for name in programs.split():
        made = folder / (name.replace("_job", ".job"))
        how = ["--config", CONFIG, "--job"] if name.endswith("_job") else ["--linux", "-pthread", *MAP]
        assert cli.dispatch(["cc", *how, str(PROGRAMS / f"{name}.c"), "-o", str(made)]) == 0
        added += ["--add", str(made)]
    capfd.readouterr()
    whole = f"mount -t debugfs none /sys/kernel/debug; {script}; {LEAKS}; {LOCKS}; poweroff"
    append = ["--append", "panic_on_warn=1 page_poison=1"]
    code = cli.dispatch(["linux", "--config", CONFIG, "--checked-kernel", *append, *added, *words, "--run", whole])
    console = capfd.readouterr().out.replace("\r", "").splitlines()
    assert not [line for line in console if COMPLAINT.search(line)], "\n".join(console)
    assert code == 0, console
    said = [line for line in console if not line.startswith("[")]
    assert said[-1].split() == ["debug_locks:", "1"]
    return said[:-1]


def test_jobs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every call, used right and wrong, by one process and by many; the driver loaded again and again."""
    job = "/bin/calls.job"
    commands = [f"/bin/{name} {job}" for name in ("calls", "flight", "bounds", "crowd")]
    commands += [f"/bin/edges {job} {case}" for case in ("partial", "shared", "arguments", "signals", "loads")]
    commands += [f"/bin/callers /bin/called.job {case}" for case in ("calls", "channels", "quota", "signals", "dying")]
    programs = "calls flight bounds crowd edges callers calls_job called_job"
    said = checked(tmp_path, capfd, programs, "; ".join(commands))
    assert [line.partition(":")[0] for line in said] == ["PASS"] * len(commands), said


def test_a_server_that_restarts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Under jobs and under calls."""
    at = [FIRST + number * EVERY for number in range(RESTARTS)]
    until = at[RESTARTS // 2]
    script = f"/bin/restarts /bin/calls.job {until}; UNTIL={at[-1]} /bin/resets /bin/called.job restarts"
    words = [word for one in at for word in ("--restart", str(one))]
    said = checked(tmp_path, capfd, "restarts resets calls_job called_job", script, *words)
    assert [line.partition(":")[0] for line in said[1:]] == ["PASS"] * 2, said
    assert int(said[0].split()[1]) < FIRST


def test_a_server_that_lies_and_is_late(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It comes when the driver is loaded already, lies, goes for a while, and prepares a job late."""
    server, job = tmp_path / "liar.elf", "/bin/calls.job"
    flags = [f"-I{paths.FIRMWARE / 'amp' / 'src'}", f"-I{paths.ROOT / 'regs' / 'jobs'}"]
    flags += ["-DSEED=1u", "-DLIES=2000u", f"-DLATE={LATE}u"]
    toolchain.build(configurations.load(CONFIG), [LIAR], server, flags, hart=1)
    script = f"/bin/edges {job} absent; /bin/lied_to {job}; /bin/edges {job} gone; /bin/edges {job} late"
    said = checked(tmp_path, capfd, "edges lied_to calls_job", script, "--firmware", str(server))
    assert [line.partition(":")[0] for line in said] == ["PASS"] * 4, said
