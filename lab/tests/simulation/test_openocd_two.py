# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Two harts with private memories at one JTAG port: OpenOCD and GDB show each its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from verify.dev import openocd
from verify.dev.openocd import symbol, tcl

TWO = "duo-debug"
SHARED = 0x8030FF00
"""In the memory that the harts share."""

TEAM = """\
#include <stddef.h>
#include <trapeze/hart.h>

volatile unsigned int go;
volatile int result = 1;

__attribute__((noinline)) void work(void)
{
	result += 41;
}

__attribute__((noinline)) void late(void)
{
	result++;
}

static void second(void *unused)
{
	(void)unused;
	while (go == 0U) {
	}
	work();
	late();
}

int main(void)
{
	(void)hart_start(1, second, NULL);
	while (go == 0U) {
	}
	work();
	return result;
}
"""
"""Each hart waits for a `go` of its own, in its own memory."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    return openocd.builder(tmp_path_factory.mktemp("openocd"), TWO)


def test_two_harts(built: Callable[..., Path]) -> None:
    """GDB shows both as threads, and they halt together."""
    elf = built(TEAM)
    seen = openocd.debug(
        elf,
        TWO,
        "tbreak main",
        "continue",
        "set var go = 1",
        "break work",
        "continue",
        "info threads",
        "thread 1",
        "print $mhartid",
        "thread 2",
        "print $mhartid",
        "delete",
        "detach",
    )
    assert len(re.findall(r"^[ *] +\d +Thread", seen.gdb, re.MULTILINE)) == 2, seen.gdb
    assert seen.numbers() == [0, 1]
    assert seen.exit_code == 42, seen.complaints


def test_memory_of_two_harts(built: Callable[..., Path]) -> None:
    """Each sees its own private memory, and both what they share. The bus is no way to the second one's."""
    elf = built(TEAM)
    both = "foreach one [target names] { targets $one; say [word $free]; say [word $shared] }\n"
    seen = openocd.script(
        elf,
        TWO,
        tcl(
            elf,
            f"set free [expr {{[symbol result] + 0x1000}}]; set shared {SHARED:#x}\n"
            "targets trapeze.0; mww $free 10; mww $shared 20; targets trapeze.1; mww $free 11; mww $shared 21\n"
            f"{both} resume; sleep 20\n"
            "targets trapeze.0; say [word $free]; targets trapeze.1; say [catch {word $free}]; halt\n"
            f"{both} targets trapeze.0; mww [symbol go] 1; resume",
        ),
    )
    assert seen.said() == ["0xa", "0x15", "0xb", "0x15", "0xa", "1", "0xa", "0x15", "0xb", "0x15"], seen.openocd
    assert seen.exit_code == 42, seen.complaints


def test_two_programs(built: Callable[..., Path]) -> None:
    """GDB's `load` is for the hart of its thread; `break` is for the first one alone, `hbreak` for both."""
    elf = built(TEAM)
    seen = openocd.debug(
        elf,
        TWO,
        "thread 1", "set var result = 7", "thread 2", "set var result = 8",
        "thread 1", "print result", "load", "print result", "thread 2", "print result",
        "thread apply all load", "print result",
        "thread 1", "tbreak main", "continue", "hbreak second", "continue", "print $mhartid", "delete",
        "break work", "hbreak late", "set var go = 1", "continue", "print $mhartid", "print result",
        "thread 1", "set var go = 1", "continue", "print $mhartid", "delete", "continue",
    )  # fmt: skip
    assert seen.numbers() == [7, 1, 8, 1, 1, 1, 42, 0], seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_apart(built: Callable[..., Path]) -> None:
    """By a port of its own hart 1 has breakpoints in its own memory, and its own steps."""
    elf = built(TEAM)
    seen = openocd.debug(
        elf,
        TWO,
        "monitor targets trapeze.0", "monitor resume", "break second", "continue", "print $mhartid",
        "set var go = 1", "break work", "break late", "continue", "stepi", "print $mhartid", "continue", "print result",
        "next", "next", "print result", "delete",
        f"monitor mww {symbol(elf, 'go'):#x} 1", "continue",
        apart=1,
    )  # fmt: skip
    assert seen.numbers() == [1, 1, 42, 43], seen.gdb
    assert seen.exit_code == 42, seen.complaints
