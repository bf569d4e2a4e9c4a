# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on engine `timed`: with modelled cycles, and on `amp` with the RTL of the hart that serves its jobs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.platform import configurations

PROGRAMS = paths.ROOT / "linux" / "tests"
PHASES = re.compile(r"hart 0: (\d+) cycles to the kernel, (\d+) to the first program, (\d+) from there on")
END = re.compile(r"exit 0 of hart 0 after (\d+) cycles, (\d+) instructions")


@pytest.mark.parametrize("config", ["amp", "amp-dsp"])
def test_every_call_in_cycles(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every call of the driver, with jobs that fault; the phases of the boot make up the run."""
    program, job = tmp_path / "calls", tmp_path / "calls.job"
    name = configurations.load(config).map.upper()
    words = [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", f"-DTRAPEZE_MAP_{name}=1"]
    assert cli.dispatch(["cc", "--linux", *words, str(PROGRAMS / "calls.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
    added = ["--add", str(program), "--add", str(job)]
    capfd.readouterr()
    script = "/bin/calls /bin/calls.job; poweroff"
    code = cli.dispatch(["linux", "--config", config, "--engine", "timed", *added, "--run", script])
    said = capfd.readouterr()
    assert code == 0, said.err
    assert [line for line in said.out.splitlines() if not line.startswith("[")] == ["PASS"]
    phases, end = PHASES.search(said.err), END.search(said.err)
    assert phases is not None, said.err
    assert end is not None, said.err
    assert abs(sum(map(int, phases.groups())) - int(end[1])) <= 2
    assert int(end[1]) > int(end[2]) / 2, "two harts, neither of them faster than an instruction a cycle"
