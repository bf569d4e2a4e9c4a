# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The end of a program, by name: symbols, programs that are stopped or report an exception, stacks that overflow."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.explaining.monitor_stop import Function, Places
from trapeze.firmware import cc, monitored, toolchain
from trapeze.platform import configurations
from verify.dev.testing import Trapeze

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
    places = Places(tmp_path / "none.elf")
    places.functions = [Function(0x100, 16, "first"), Function(0x200, 8, "second")]
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


def test_no_program(tmp_path: Path) -> None:
    assert Places(tmp_path / "nothing.elf").say(0x100) == "pc 0x00000100 is in no function of the program"
    assert Places(tmp_path / "nothing.elf").overflow(0x100) is None


def built(folder: Path, name: str, text: str, *options: str) -> Path:
    (folder / "main.c").write_text(text)
    words = ["--config", name, "-g", "-O1", *options, str(folder / "main.c"), "-o", str(folder / "main.elf")]
    assert cc.command(words) == 0
    return folder / "main.elf"


DESCEND = """\
__attribute__((noinline)) int descend(volatile int *p, int n)
{
	volatile int here[16];
	here[n & 15] = n + *p;
	return descend(here, n + 1) + here[3];
}
"""


@pytest.mark.parametrize("monitor", ["", "direct", "emulate"])
def test_the_main_stack_overflows(trapeze: Trapeze, tmp_path: Path, monitor: str) -> None:
    text = DESCEND + "int main(void)\n{\n\tint x = 0;\n\treturn descend(&x, 1);\n}\n"
    elf = built(tmp_path, NAME, text, *(["--monitor", monitor] if monitor else []))
    said = trapeze("run", elf, "--config", NAME, "--engine", "model")
    assert said.code == (134 if monitor == "direct" else 71), said.err
    assert re.search(
        r"^trapeze: stack overflow: 0x801f\w+ is below the main stack, which begins at 0x8", said.err, re.M
    )
    assert re.search(r"^trapeze: pc 0x8\w+ is descend\S* \(main\.c:\d\)$", said.err, re.M), said.err


TASKS = """\
#include <FreeRTOS.h>
#include <task.h>
static void deep(void *arg)
{
	int x = 0;
	(void)arg;
	vTaskDelay(1);
	END;
}
static void other(void *arg)
{
	(void)arg;
	for (;;) {
		taskYIELD();
	}
}
int main(void)
{
	xTaskCreate(other, "other", 200, NULL, 1, NULL);
	xTaskCreate(deep, "deep", 200, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
"""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mcu-clint", "freertos-stock"),
        ("mcu-user", "freertos"),
        ("mcu-user", "freertos-protected"),
        *(("mcu-user", f"freertos --monitor {monitor}") for monitor in ("paper", "soft", "direct", "emulate")),
    ],
)
@pytest.mark.parametrize("overflows", [True, False])
def test_the_stack_of_a_task_overflows(
    trapeze: Trapeze, tmp_path: Path, name: str, options: str, overflows: bool
) -> None:
    """It is called that on every kernel, although it overwrites what the kernel knows. Another fault is not."""
    text = DESCEND + TASKS.replace("END", "descend(&x, 1)" if overflows else "*(volatile int *)0x20 = x")
    elf = built(tmp_path, name, text, "--rtos", *options.split())
    said = trapeze("run", elf, "--config", name, "--engine", "model", "--max-cycles", 400_000)
    assert said.code in (71, 95, 124, 134), said.err
    found = "trapeze-sim: stack overflow in task 'deep', whose stack begins at 0x8" in said.err
    assert found == overflows, said.err
    assert "stack overflow" not in said.err.replace("stack overflow in task 'deep'", ""), said.err
    if not overflows and said.code != 124:
        assert "trapeze-sim: the last task was 'deep'" in said.err, said.err


def test_an_exception_in_machine_mode(trapeze: Trapeze, tmp_path: Path) -> None:
    elf = built(tmp_path, "mcu-clint", PROGRAM.replace("ITS", "0x20"), "-fno-ipa-cp", "-fno-ipa-sra")
    said = trapeze("run", elf, "--config", "mcu-clint", "--engine", "model")
    assert said.code == 71, said.err
    assert re.search(r"^trapeze: pc 0x8\w+ is reach\S* \(main\.c:5\)$", said.err, re.MULTILINE), said.err
    assert "stack overflow" not in said.err


REPORT = "monitor: user mode: store access fault, mcause 0x00000007, pc 0x80000902, mtval 0x80100000, the data"


@pytest.mark.parametrize(
    "what",
    [
        f'puts("{REPORT}"); return 0;',
        f'puts("{REPORT}"); puts("goes on"); return 134;',
        f'puts("{REPORT}"); return 1;',
        f'puts("{REPORT}"); return 134;',
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
