# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A server of jobs that lies to the driver: the kernel lives, callers get errors, and the module unloads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import power_up

PROGRAMS = paths.ROOT / "linux" / "tests"
LIAR = paths.LAB / "tests" / "linux" / "liar" / "liar.c"

CASES = 10_000
"""Lies for each configuration."""

CONFIGS = ("amp-dsp", "amp")


def lied_to(config: str, seed: int, lies: int, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Boot beside a server that lies so often."""
    program, job, server = folder / "lied_to", folder / "calls.job", folder / "liar.elf"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "lied_to.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
    flags = [f"-I{paths.FIRMWARE / 'amp' / 'src'}", f"-I{paths.ROOT / 'regs' / 'jobs'}"]
    flags += [f"-DSEED={seed}u", f"-DLIES={lies}u"]
    toolchain.build(configurations.load(config), [LIAR], server, flags, hart=1)
    use, again = "/bin/lied_to /bin/calls.job", "rmmod trapeze; insmod /lib/modules/trapeze.ko"
    script = f"{use}; {again}; {use}; poweroff"
    words = ["--firmware", str(server), "--add", str(program), "--add", str(job), "--run", script]
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", config, "--max-cycles", str(100_000_000 + 20_000 * lies), *words])
    console = capfd.readouterr().out.splitlines()
    assert code == 0, (seed, console)
    assert f"[hart 1] {lies} lies" in console
    said = [re.fullmatch(r"PASS: (\d+) ends, (\d+) errors", line) for line in console if not line.startswith("[")]
    assert len(said) == 2, console
    assert all(said), console
    first = said[0]
    assert first is not None
    assert int(first[1]) > 500
    assert int(first[2]) > 20


@pytest.mark.parametrize("config", CONFIGS)
def test_a_server_that_lies(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Other lies every day."""
    lied_to(config, power_up.of_today("liar", config), CASES, tmp_path, capfd)


@pytest.mark.prove
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("config", CONFIGS)
def test_a_server_that_lies_a_million_times(
    config: str, part: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lied_to(config, power_up.of_today("liar", config, part), 10 * CASES, tmp_path, capfd)
