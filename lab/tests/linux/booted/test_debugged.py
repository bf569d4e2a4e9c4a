# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""GDB on Linux: breakpoints, and memory by virtual addresses, of the kernel and of a program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from verify.dev import debugger

GDB = "gdb-multiarch"
PROGRAM = """
#include <stdio.h>

char text[] = "bytes of a program";
int numbers[5000]; /* of several pages */

void __attribute__((noinline)) looked_at(void)
{
	__asm__ volatile("" : : : "memory");
}

int main(void)
{
	for (int i = 0; i < 5000; i++) {
		numbers[i] = 3 * i;
	}
	text[0] = 'b'; /* its page is there from then on */
	looked_at();
	printf("%s, %d\\n", text, numbers[1023] + numbers[1024]);
	return 0;
}
"""


@pytest.fixture(autouse=True)
def own_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run that GDB debugs is of these sources."""
    monkeypatch.setenv("PYTHONPATH", str(paths.LAB / "src"))


def test_the_kernel() -> None:
    typed = ["break run_init_process", "continue", "bt 2", "x/s &linux_banner", "x/i $pc", "print *(int *)8", "delete"]
    said, _ = debugger.session(["--run", "uname"], [GDB, debugger.SYMBOLS], [*typed, "continue"])
    assert re.search(r"^Breakpoint 1, 0xffffffff8\w+ in run_init_process", said, re.MULTILINE), said
    assert re.search(r"^#1 .* in kernel_init", said, re.MULTILINE), said
    assert re.search(r'^0xffffffff8\w+ <linux_banner>:\s+"Linux version 6\.1\d*\.', said, re.MULTILINE), said
    assert re.search(r"^=> 0xffffffff8\w+ <run_init_process>:\s+\w", said, re.MULTILINE), said
    assert "Cannot access memory at address 0x8" in said


def test_a_program(tmp_path: Path) -> None:
    """Its memory, and the kernel's, from U mode; what GDB writes the program reads."""
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM)
    assert cli.dispatch(["cc", "--linux", str(source), "-o", str(program)]) == 0
    typed = [
        f"add-symbol-file {program}",
        "break looked_at",
        "continue",
        "print $priv",
        "x/s text",
        "print numbers[4999]",
        "print numbers[1020]@8",
        "x/s &linux_banner",
        "set var text[0] = 'B'",
        "set var numbers[1023] = 1000000",
        "delete",
        "continue",
    ]
    words = ["--add", str(program), "--run", f"/bin/{program.name}; poweroff"]
    said, console = debugger.session(words, [GDB, debugger.SYMBOLS], typed)
    for expected in (
        r"^Breakpoint 1, (0x\w+ in )?looked_at",
        r"^\$1 = 0",
        r'^0x\w{1,8} <text>:\s+"bytes of a program"$',
        r"^\$2 = 14997$",
        r"^\$3 = \{3060, 3063, 3066, 3069, 3072, 3075, 3078, 3081\}$",
        r'^0xffffffff8\w+ <linux_banner>:\s+"Linux version 6\.1\d*\.',
    ):
        assert re.search(expected, said, re.MULTILINE), f"{expected}\n{said}"
    assert f"Bytes of a program, {1_000_000 + 3072}" in console
