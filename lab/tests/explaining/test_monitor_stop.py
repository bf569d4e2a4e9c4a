# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The place of a monitor's report, by name: made-up symbols, and a program that the monitor stops."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.explaining.monitor_stop import Function, Places
from trapeze.firmware import monitored, toolchain
from trapeze.platform import configurations

NAME = "mcu-user"

PROGRAM = """\
#include <stdint.h>

__attribute__((noinline)) static void reach(volatile uint32_t *at)
{
	*at = 1U;
}

int main(void)
{
	reach((volatile uint32_t *)ITS);
	return 0;
}
"""


def run(elf: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trapeze", "run", str(elf), "--config", NAME, "--max-cycles", "100000"]
    environment = {**os.environ, "PYTHONPATH": str(paths.LAB / "src")}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_names(tmp_path: Path) -> None:
    places = Places(tmp_path / "none.elf", [Function(0x200, 8, "second"), Function(0x100, 16, "first")])
    assert places.say(0x100) == "pc 0x00000100 is first"
    assert places.say(0x10F) == "pc 0x0000010f is first+0xf"
    assert places.say(0x204) == "pc 0x00000204 is second+0x4"
    for strange in (0, 0x110, 0x208):
        assert places.say(strange) == f"pc {strange:#010x} is in no function of the program"


@pytest.mark.parametrize(("monitor", "its"), [("direct", 0x80100000), ("emulate", 0x8007C000)])
def test_report_of_a_monitor(tmp_path: Path, monitor: str, its: int) -> None:
    """The program writes to what is the monitor's."""
    source = tmp_path / "late.c"
    source.write_text(PROGRAM.replace("ITS", hex(its)))
    elf = toolchain.build(
        configurations.load(NAME), [source], tmp_path / "late.elf", ["-g", "-fno-ipa-cp"], monitor=monitor
    )
    done = run(elf)
    found = re.search(r"^monitor: .* pc (0x[0-9a-f]{8}),.*\n\Z", done.stdout, re.MULTILINE)
    assert found is not None, (done.stdout, done.stderr)
    line = rf"^trapeze: pc {found[1]} is reach(\S*)?\+0x[0-9a-f]+ \(late\.c:5\)$"
    assert re.search(line, done.stderr, re.MULTILINE), done.stderr
    assert done.returncode == 134


REPORT = "monitor: user mode: store access fault, mcause 0x00000007, pc 0x80000902, mtval 0x80100000, the data"


@pytest.mark.parametrize(
    "what",
    [
        f'puts("{REPORT}"); return 0;',
        f'puts("{REPORT}"); puts("goes on"); return 134;',
        f'puts("{REPORT}"); return 1;',
        'puts("monitor: restart 0x00000001 of 0x00000002"); return 134;',
    ],
)
def test_report_that_the_program_prints(tmp_path: Path, what: str) -> None:
    source = tmp_path / "main.c"
    source.write_text(f"#include <stdio.h>\nint main(void)\n{{\n\t{what}\n}}\n")
    elf = toolchain.build(configurations.load(NAME), [source], tmp_path / "main.elf", monitor="direct")
    done = run(elf)
    assert "monitor: " in done.stdout
    assert "trapeze: pc" not in done.stderr


def test_reports_behind_which_the_program_restarts(tmp_path: Path) -> None:
    source = tmp_path / "late.c"
    source.write_text(PROGRAM.replace("ITS", "0x80100000"))
    config = configurations.load(NAME)
    words = ["-g", "-fno-ipa-cp", *monitored.words(config, "direct", False, {"--monitor-restarts": "2"})]
    done = run(toolchain.build(config, [source], tmp_path / "late.elf", words, monitor="direct"))
    assert done.returncode == 134
    assert len(re.findall(r"^trapeze: pc .* is reach", done.stderr, re.MULTILINE)) == 3, done


def test_program_without_a_monitor(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void)\n{\n\treturn 0;\n}\n")
    assert Places.of(toolchain.build(configurations.load(NAME), [source], tmp_path / "main.elf")) is None
    assert Places.of(source) is None
    assert Places.of(tmp_path / "nothing.elf") is None
