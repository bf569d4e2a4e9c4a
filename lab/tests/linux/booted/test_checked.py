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

COMPLAINT = re.compile(r"BUG|WARNING|INFO:|ODEBUG|Oops|list_(add|del) corruption")
"""What the checks say."""

LATE = 100_000_000
"""Ticks after which the liar begins, when Linux has loaded the driver."""

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
    whole = f"{script}; {LOCKS}; poweroff"
    append = ["--append", "panic_on_warn=1 page_poison=1"]
    code = cli.dispatch(["linux", "--config", CONFIG, "--checked-kernel", *append, *added, *words, "--run", whole])
    console = capfd.readouterr().out.replace("\r", "").splitlines()
    assert not [line for line in console if COMPLAINT.search(line)], "\n".join(console)
    assert code == 0, console
    said = [line for line in console if not line.startswith("[")]
    assert said[-1].split() == ["debug_locks:", "1"]
    return said[:-1]


def test_rare_cases(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Buffers unmapped in part, files of several processes, wrong arguments, signals, and the driver loaded again."""
    cases = ("partial", "shared", "arguments", "signals", "loads")
    script = "; ".join([*(f"/bin/edges /bin/calls.job {case}" for case in cases), "/bin/calls /bin/calls.job"])
    said = checked(tmp_path, capfd, "edges calls calls_job", script)
    assert said == ["PASS"] * (len(cases) + 1), said


def test_a_server_that_is_late(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It comes when the driver is loaded already, goes for a while, and prepares a job late. Ordinary kernel."""
    server, job, program = (tmp_path / name for name in ("liar.elf", "calls.job", "edges"))
    flags = [f"-I{paths.FIRMWARE / 'amp' / 'src'}", f"-I{paths.ROOT / 'regs' / 'jobs'}"]
    flags += ["-DSEED=1u", "-DLIES=1u", f"-DLATE={LATE}u"]
    toolchain.build(configurations.load(CONFIG), [LIAR], server, flags, hart=1)
    assert cli.dispatch(["cc", "--linux", "-pthread", str(PROGRAMS / "edges.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", CONFIG, "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
    capfd.readouterr()
    script = "; ".join([*(f"/bin/edges /bin/calls.job {case}" for case in ("absent", "gone", "late")), "poweroff"])
    words = ["--firmware", str(server), "--add", str(program), "--add", str(job), "--run", script]
    code = cli.dispatch(["linux", "--config", CONFIG, *words])
    console = capfd.readouterr().out.replace("\r", "").splitlines()
    assert code == 0, console
    assert [line for line in console if not line.startswith("[")] == ["PASS"] * 3, console
