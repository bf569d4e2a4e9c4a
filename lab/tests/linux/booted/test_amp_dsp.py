# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on hart 0 beside a program of its own on hart 1, which prints, and rings while nobody listens.

One test for Linux, so that a machine that has no kernel yet compiles it in one turn of `make test`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import linux
from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import FUNCTIONAL_TURN
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

CONFIG = configurations.load("amp-dsp")
MAX_INSTRUCTIONS = 100_000_000
LINES = 30

BESIDE = f"""
	.globl _start
_start:
	li	s0, 0x10001000
	li	s1, 0x2000000
	li	s2, {LINES}
next:
	li	t0, 100000		/* all of Linux' boot is 150 times as long */
1:	addi	t0, t0, -1
	bnez	t0, 1b
	li	t0, 1
	sw	t0, (s1)		/* hart 0's doorbell */
2:	lw	t0, (s1)		/* its firmware hears it */
	bnez	t0, 2b
	la	a0, text
	call	print
	addi	s2, s2, -1
	bnez	s2, next
	la	a0, last
	call	print
3:	wfi
	j	3b
print:
	lbu	t0, (a0)
	beqz	t0, 2f
1:	lbu	t1, 5(s0)
	andi	t1, t1, 0x20
	beqz	t1, 1b
	sb	t0, (s0)
	addi	a0, a0, 1
	j	print
2:	ret
text:	.asciz	"heard\\n"
last:	.asciz	"asleep"
"""


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """The program of hart 1."""
    source, elf = tmp_path / "beside.S", tmp_path / "beside.elf"
    source.write_text(BESIDE)
    flags = ["-march=rv64imafdc_zicsr", "-mabi=lp64d", "-nostdlib", "-static", "-Wl,-n", "-Wl,-Ttext=0x84000000"]
    processes.run(["riscv64-unknown-elf-gcc", *flags, str(source), "-o", str(elf)], check=True)
    return elf


def test_linux_beside_another_hart(beside: Path) -> None:
    elf = image.build(CONFIG, "cat /proc/cpuinfo; cat /proc/interrupts; echo the end")
    common = Options(max_cycles=MAX_INSTRUCTIONS, engine="model", last_hart=0)
    for others, turn in (((), FUNCTIONAL_TURN), ((beside,), FUNCTIONAL_TURN), ((beside,), 7)):
        options = Options(**(vars(common) | {"others": others, "turn": turn}))
        done = simulator.watch(elf, CONFIG, options)
        console = done.console.decode(errors="replace").replace("\r", "")
        assert done.exit_code == 0, console
        own = re.findall(r"^\[hart 1\] (.*)$", console, re.MULTILINE)
        assert own == (["heard"] * LINES + ["asleep"] if others else [])
        linux_said = re.sub(r"^\[hart 1\] .*\n", "", console, flags=re.MULTILINE)
        assert re.search(r"^isa\t\t: rv64imafdc_zicbom(_\w+)?\n", linux_said, re.MULTILINE)
        assert re.search(r"^the end$", linux_said, re.MULTILINE)
        assert "[hart" not in linux_said
        taken = re.search(r"^ +1: +(\d+) .* trapeze$", linux_said, re.MULTILINE)
        assert taken is not None
        assert taken[1] == "0", "rings before Linux has rung"


def test_what_the_device_tree_says(tmp_path: Path) -> None:
    tree, text = tmp_path / "tree.dtb", tmp_path / "tree.dts"
    for name, expected in (("amp-dsp", True), ("app", False)):
        image.device_tree(tree, configurations.load(name), 4096, expected)
        processes.run(["dtc", "-q", "-I", "dtb", "-O", "dts", str(tree), "-o", str(text)], check=True)
        said = " ".join(text.read_text().split())
        assert said.count("riscv,cbom-block-size = <0x40>;") == expected
        found = re.search(r"jobs@84300000 \{ (.*?) \};", said)
        assert (found is not None) == expected
        if found is not None:
            controller = re.search(r"interrupt-controller \{ .*?phandle = <(0x\w+)>;", said)
            assert controller is not None
            # Versions of dtc write lists of texts in two ways.
            assert found[1].replace("\\0", '", "').split("; ") == [
                'compatible = "trapeze,jobs"',
                "reg = <0x00 0x84300000 0x00 0x10000 0x00 0x10028000 0x00 0x8000>",
                'reg-names = "ring", "bells"',
                f"interrupts-extended = <{controller[1]} 0x01>",
                "trapeze,hart = <0x01>",
                "trapeze,width = <0x40>",
                "dma-noncoherent;",
            ]


def test_a_program_for_a_hart_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TrapezeError, match="--firmware is for a hart beside that of Linux, which app has not"):
        linux.run("app", "true", [], tmp_path / "x.elf", None, 1, None, None)
