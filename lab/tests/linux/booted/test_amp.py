# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on an RV64 hart beside FreeRTOS on an RV32 one: each keeps running, and they talk through the mailbox."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.linux import image
from trapeze.platform import configurations

CONFIG = configurations.load("amp")
PROGRAMS = paths.LAB / "tests" / "linux" / "mailbox"
MAP = [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", "-DTRAPEZE_MAP_AMP=1"]
BARE = """
#include <stdio.h>
int main(void) { printf("bare metal\\n"); return 0; }
"""

OWN = """
#include <FreeRTOS.h>
#include <stdio.h>
#include <task.h>
#include <trapeze/jobs.h>

static void own(void *arg)
{
	(void)arg;
	puts("own task");
	vTaskSuspend(NULL);
}

int main(void)
{
	jobs_start();
	xTaskCreate(own, "own", 512, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The program of Linux."""
    made = tmp_path / "mailbox"
    assert cli.dispatch(["cc", "--linux", *MAP, str(PROGRAMS / "linux.c"), "-o", str(made)]) == 0
    return made


def booted(capfd: pytest.CaptureFixture[str], firmware: Path, *words: str) -> tuple[list[str], list[str]]:
    """What Linux said, without the kernel's messages, and what the hart beside it did."""
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", CONFIG.name, "--coherence", "--firmware", str(firmware), *words])
    console = capfd.readouterr().out.replace("\r", "").splitlines()
    assert code == 0, console
    beside = [line.removeprefix("[hart 1] ") for line in console if line.startswith("[hart 1] ")]
    return [line for line in console if not line.startswith("[")], beside


def test_a_message_each_way(tmp_path: Path, capfd: pytest.CaptureFixture[str], program: Path) -> None:
    firmware = toolchain.build(CONFIG, [PROGRAMS / "beside.c"], tmp_path / "beside.elf", rtos="freertos")
    script = "/bin/mailbox; cat /proc/interrupts; poweroff"
    linux, beside = booted(capfd, firmware, "--add", str(program), "--run", script)
    assert linux[0] == "PASS: 20 answers, by interrupt"
    taken = [re.fullmatch(r" +\d+: +(\d+) +SiFive PLIC +12 .*mailbox(?:@\w+)?", line) for line in linux]
    assert [one[1] != "0" for one in taken if one] == [True]
    ticks = [int(line.removeprefix("tick ")) for line in beside if line.startswith("tick ")]
    # It keeps its tick, one in 100,000 instructions, from before the kernel's first message to after its last.
    assert ticks == list(range(10, ticks[-1] + 1, 10))
    assert ticks[-1] > 100
    assert [line for line in beside if not line.startswith("tick ")] == ["answered 20 words, by interrupt"]


def test_bare_metal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "bare.c"
    source.write_text(BARE)
    firmware = toolchain.build(CONFIG, [source], tmp_path / "bare.elf")
    linux, beside = booted(capfd, firmware, "--run", "echo the end; poweroff")
    assert (linux, beside) == (["the end"], ["bare metal"])
    typed = tmp_path / "typed"
    typed.write_text("echo by hand\npoweroff\n")
    linux, _ = booted(capfd, firmware, "--uart-in", str(typed))
    assert "# by hand" in linux


@pytest.mark.parametrize("jobs", [False, True])
def test_what_the_device_tree_says(tmp_path: Path, jobs: bool) -> None:
    tree, text = tmp_path / "tree.dtb", tmp_path / "tree.dts"
    image.device_tree(tree, CONFIG, 4096, jobs)
    processes.run(["dtc", "-q", "-I", "dtb", "-O", "dts", str(tree), "-o", str(text)], check=True)
    said = " ".join(text.read_text().split())
    plic = re.search(r"interrupt-controller@c000000 \{ (.*?) \};", said)
    mailbox = re.search(r"mailbox@10020000 \{ (.*?) \};", said)
    controller = re.search(r"interrupt-controller \{ .*?phandle = <(0x\w+)>;", said)
    assert plic is not None
    assert controller is not None
    assert "reg = <0x00 0xc000000 0x00 0x4000000>" in plic[1]
    assert f"interrupts-extended = <{controller[1]} 0x0b {controller[1]} 0x09>" in plic[1]
    assert "riscv,ndev = <0x5f>" in plic[1]
    interrupt = re.search(r"interrupts-extended = <(0x\w+) 0x0c>", said)
    assert interrupt is not None
    if jobs:  # the mailbox is the driver's
        node = re.search(r"jobs@84300000 \{ (.*?) \};", said)
        assert (mailbox, node is not None) == (None, True)
        assert node is not None
        assert "reg = <0x00 0x84300000 0x00 0x10000 0x00 0x10020000 0x00 0x1000 0x00 0x10028000 0x00 0x8000>" in node[1]
        names = ("ring", "mailbox", "bells")
        assert any(f'reg-names = "{by.join(names)}"' in node[1] for by in ("\\0", '", "'))
        assert "trapeze,hart = <0x01>" in node[1]
        assert "trapeze,width = <0x20>" in node[1]
        assert interrupt[0] in node[1]
    else:
        assert mailbox is not None
        assert "reg = <0x00 0x10020000 0x00 0x1000>" in mailbox[1]
        assert interrupt[0] in mailbox[1]
        assert "trapeze,jobs" not in said


def test_a_program_of_ones_own_that_serves_jobs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What calls jobs_start() has the driver on the other side, and not the driver for programs."""
    source = tmp_path / "own.c"
    source.write_text(OWN)
    firmware = toolchain.build(CONFIG, [source], tmp_path / "own.elf", rtos="freertos-jobs")
    linux, beside = booted(capfd, firmware, "--run", "cat /proc/interrupts; poweroff")
    assert beside == ["own task"]
    assert [line.split()[-1] for line in linux if "SiFive PLIC  12" in line] == ["trapeze"]
