# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How far a long run is: a line on a terminal that is never in the middle of what the program says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import building
from verify.dev.terminal import at_terminal

CONFIG = "mcu-fastirq"

PROGRAM = r"""
#include <stdio.h>
static void compute(void)
{
	for (volatile unsigned int i = 0; i < ROUNDS; i++) {
	}
}
int main(void)
{
	printf("begin\n");
	compute();
	printf("half a line");
	fflush(stdout);
	compute();
	printf(", and the rest\nend\n");
	return 0;
}
"""

ROUNDS = 1_000_000
"""Rounds of each of two loops, some seconds."""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that computes after a whole line, and after half a line."""
    folder = tmp_path_factory.mktemp("live")
    (folder / "main.c").write_text(PROGRAM)
    config = configurations.load(CONFIG)
    building.engine(config)  # whose build is not what is looked at
    return toolchain.build(config, [folder / "main.c"], folder / "long.elf", [f"-DROUNDS={ROUNDS}"])


def test_a_terminal_shows_how_far_a_long_run_is(long: Path) -> None:
    with at_terminal(["run", str(long), "--config", CONFIG]) as terminal:
        shown = terminal.expect("trapeze-sim: exit 0 after")
        assert terminal.code() == 0
    whole = re.findall(r"\rcycle (\d+), \d+\.\d [kM] cycles a second\x1b\[K", shown)
    assert whole, shown
    assert list(map(int, whole)) == sorted(map(int, whole))
    # What a terminal holds at the end is what the program said.
    assert re.sub(r"\r[^\r\n]*\x1b\[K", "", shown.replace("\r\n", "\n")).startswith(
        "begin\nhalf a line, and the rest\nend\n"
    )
    assert re.search(r"half a line, and the rest", shown), "nothing comes between the parts of a line"
    assert "\r\x1b[Khalf" in shown, "the line goes away before the program writes"


def test_nothing_is_shown_where_nobody_looks(long: Path) -> None:
    command = [sys.executable, "-m", "trapeze", "run", str(long), "--config", CONFIG]
    done = processes.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, cwd=paths.ROOT)
    assert done.stdout == "begin\nhalf a line, and the rest\nend\n"
    assert re.fullmatch(r"trapeze-sim: exit 0 after \d+ cycles, \d+ instructions.*\n", done.stderr), done.stderr
