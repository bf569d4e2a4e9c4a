# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Debian's OpenOCD and GDB at the JTAG port of the RTL: they halt, look, change, go on; the result stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common.edges import Stimulus
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import openocd
from verify.dev.openocd import symbol, tcl
from verify.dev.testing import Trapeze

ONE = "mcu-fastirq-debug"
TWO = "duo-debug"
RESET = "0x80000000"

WORK = """\
#include <stdio.h>
#include <trapeze/irq.h>
#include <trapeze/irq_fast.h>

volatile unsigned int rounds;
volatile unsigned int go;
volatile int events;
unsigned int result = 1;

__attribute__((noinline)) void in_handler(void)
{
	events++;
}

static void on_event(void)
{
	in_handler();
}

__attribute__((noinline)) unsigned int work(unsigned int x)
{
	rounds++;
	return x * 1664525U + 1013904223U + x / 7U;
}

int main(void)
{
	irq_fast_connect(IRQ_PLATFORM(3), on_event, true);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (go == 0U) {
		rounds++;
	}
	for (int i = 0; i < 4000; i++) {
		result = work(result);
	}
	printf("result %x\\n", result);
	return events > 0 ? 43 : 42;
}
"""
"""Its result does not depend on interrupts. It begins with its work when a debugger writes `go`."""

STEPS = """\
	.text
	.globl main
main:	mv s5, ra
	li s4, 0
	la t0, on_trap
	ori t0, t0, 3
	csrr s2, mtvec
	csrr s3, mstatus
	csrci mstatus, 8
	csrw mtvec, t0
	.globl first
first:	li a0, 5
	c.addi a0, 3
	mul a1, a0, a0
	div a2, a1, a0
	rem a3, a1, a2
	la a4, word
	sw a1, 0(a4)
	lw a5, 0(a4)
	sh a1, 1(a4)
	lh a5, 1(a4)
	sb a1, 7(a4)
	lbu a5, 7(a4)
	c.lw a5, 0(a4)
	c.sw a5, 4(a4)
	beq a0, a1, 1f
	bne a0, a1, 1f
	nop
1:	c.beqz a0, 1f
	c.bnez a0, 1f
	nop
1:	jal ra, 1f
	nop
1:	c.j 1f
	nop
1:	la t1, 1f
	jalr ra, 0(t1)
	nop
1:	la t1, 1f
	c.jr t1
	nop
1:	csrrw t2, mscratch, a0
	csrrsi t2, mscratch, 1
	fence
	fence.i
	sh1add t2, a0, a1
	rev8 t2, a0
	ATOMICS
	ecall
	lw a5, 1(zero)
	.word 0
	csrr a5, dcsr
	dret
	csrwi 0x123, 0
	.globl last
last:	csrw mstatus, s3
	csrw mtvec, s2
	mv a0, s4
	jr s5

	.balign 64
on_trap: addi s4, s4, 1
	csrr t0, mepc
	addi t0, t0, 4
	csrw mepc, t0
	mret

	.data
	.balign 4
word:	.word 0, 0, 0
"""
ATOMICS = """
	amoadd.w t2, a0, (a4)
	lr.w t2, (a4)
	nop
	lr.w t2, (a4)
	sc.w t2, a0, (a4)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    return openocd.builder(tmp_path_factory.mktemp("openocd"), ONE)


RELEASE = "targets trapeze.0; resume; sleep 20; mww [symbol go] 1"
"""Behind start-up, which clears the variable."""


@pytest.mark.parametrize("name", [ONE, TWO])
def test_halted_at_reset(built: Callable[..., Path], name: str) -> None:
    """All harts are before their first instruction when OpenOCD comes, and after `reset halt`."""
    elf = built(WORK, name)
    harts = len(config.load(name).harts)
    look = "foreach one [target names] { targets $one; say [$one curstate]; say [value pc] }\n"
    seen = openocd.script(elf, name, tcl(elf, f"{look} resume; sleep 20; halt; {look} reset halt; {look} {RELEASE}"))
    said = seen.said()
    assert len(said) == 6 * harts, seen.openocd
    first, second, third = (said[2 * harts * i : 2 * harts * (i + 1)] for i in range(3))
    assert first == third == ["halted", RESET] * harts
    assert second[1] != RESET
    assert seen.exit_code == 42, seen.complaints
    assert "result " in seen.console


@pytest.mark.parametrize("name", [ONE, TWO])
def test_steps(built: Callable[..., Path], tmp_path: Path, name: str) -> None:
    """A step is one instruction of every kind, or its trap: the same places as without a debugger."""
    text = STEPS.replace("ATOMICS", ATOMICS if name == TWO else "")
    elf = built(text, name, "S")
    trace = tmp_path / "run.jsonl"
    plain = simulator.watch(elf, config.load(name), Options(trace=trace))
    records = [one for one in map(json.loads, trace.read_text().splitlines()) if one["type"] == "retire"]
    places = [one["pc"] for one in records if one["hart"] == 0]
    begin, end = places.index(symbol(elf, "first")), places.index(symbol(elf, "last"))
    expected = [hex(one) for one in places[begin : end + 1]]
    assert plain.exit_code > 4
    seen = openocd.script(
        elf,
        name,
        tcl(
            elf,
            "targets trapeze.0; bp [symbol first] 2; resume; wait_halt 2000; rbp [symbol first]; say [value pc]\n"
            f"for {{set i 0}} {{$i < {len(expected) - 1}}} {{incr i}} {{ step; say [value pc] }}\nresume",
        ),
    )
    assert seen.said() == expected
    assert seen.exit_code == plain.exit_code


def test_registers(built: Callable[..., Path]) -> None:
    """Every register and CSRs can be written and read; those that are given back leave the program as it was."""
    elf = built(WORK)
    names = ["ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", *(f"a{i}" for i in range(8))]
    names += [*(f"s{i}" for i in range(2, 12)), "t3", "t4", "t5", "t6", "mscratch", "mepc"]
    seen = openocd.script(
        elf,
        ONE,
        tcl(
            elf,
            "resume; sleep 20; halt\n"
            f"set names {{{' '.join(names)}}}\n"
            "foreach one $names { dict set kept $one [dict get [get_reg -force $one] $one] }\n"
            "set i 0; foreach one $names { set_reg [list $one [expr {0x12345678 + 4 * [incr i]}]] }\n"
            "foreach one $names { say [value $one] }\n"
            "foreach one $names { set_reg [list $one [dict get $kept $one]] }\n"
            "say [value misa]; say [value mhartid]; say [value dcsr]\n"
            f"{RELEASE}",
        ),
    )
    said = seen.said()
    assert said[: len(names)] == [hex(0x12345678 + 4 * (i + 1)) for i in range(len(names))], seen.openocd
    assert said[len(names)] == "0x40101106"
    assert seen.exit_code == 42


def test_memory(built: Callable[..., Path]) -> None:
    """By the bus while the program runs, and by the program buffer while it is halted; each size."""
    elf = built(WORK)
    seen = openocd.script(
        elf,
        ONE,
        tcl(
            elf,
            "resume; say [word [symbol rounds]]; sleep 20; say [word [symbol rounds]]; say [trapeze.0 curstate]; halt\n"
            "set free [expr {[symbol result] + 0x1000}]\n"
            "foreach way {progbuf sysbus} {\n"
            "  riscv set_mem_access $way\n"
            "  mww $free 0x11223344; mww [expr {$free + 4}] 0x55667788\n"
            "  mwb [expr {$free + 1}] 0xab; mwh [expr {$free + 6}] 0xcdef\n"
            "  say [words $free 2]; say [read_memory $free 8 3]; say [read_memory [expr {$free + 6}] 16 1]\n"
            "}\n"
            "resume; mww [symbol go] 1",
        ),
    )
    said = seen.said()
    assert int(said[0], 0) < int(said[1], 0), seen.openocd
    assert said[2] == "running"
    assert said[3:] == ["0x1122ab44 0xcdef7788", "0x44 0xab 0x22", "0xcdef"] * 2
    assert seen.exit_code == 42


def test_a_handler(built: Callable[..., Path]) -> None:
    """A breakpoint in a fastirq handler; its end by GDB's `finish`; then the program's result."""
    elf = built(WORK)
    seen = openocd.debug(
        elf,
        ONE,
        "tbreak main",
        "continue",
        "set var go = 1",
        "break in_handler",
        "continue",
        "backtrace",
        "print events",
        "finish",
        "print events",
        "stepi 3",
        "continue",
        "print events",
        "delete",
        "detach",
        stimuli=(Stimulus.parse("3:every=20000"),),
    )
    assert "on_event" in seen.gdb, seen.gdb
    before, behind, later = seen.numbers()
    assert before < behind <= later, seen.gdb
    assert seen.exit_code == 43, seen.complaints


def test_gdb(built: Callable[..., Path]) -> None:
    """Software breakpoints, steps over lines and into functions, variables."""
    elf = built(WORK)
    seen = openocd.debug(
        elf,
        ONE,
        "break main",
        "continue",
        "next",
        "set var go = 1",
        "break work",
        "continue",
        "print x",
        "finish",
        "step",
        "stepi",
        "print/x $mtvec & 3",
        "set var result = 7",
        "print result",
        "delete",
        "detach",
    )
    assert "main ()" in seen.gdb, seen.gdb
    numbers = seen.numbers()
    assert numbers[0] == 1, seen.gdb  # the argument
    assert numbers[-2:] == [3, 7], seen.gdb
    assert seen.exit_code == 42, seen.complaints


TRAPS = """\
	.text
	.globl main
main:	la t0, on_trap
	csrw mtvec, t0
	.globl machine
machine: ecall
	.globl user
user:	csrr a0, mscratch
	li a0, 42
	ret

	.balign 64
	.globl on_trap
on_trap: csrr t0, mepc
	addi t0, t0, 4
	csrw mepc, t0
	li t0, 3 << 11
	csrs mstatus, t0
	mret
"""
"""`user` traps if a debugger puts the hart into user mode."""


def test_steps_into_a_trap(built: Callable[..., Path]) -> None:
    """GDB's `stepi` is the hart's own step, which ends at the handler of a trap, from either mode."""
    elf = built(TRAPS, ONE, "S")
    look = "print/x $pc"
    seen = openocd.debug(
        elf, ONE, "break machine", "break user", "continue", "stepi", look, "continue",
        "print $priv = 0", "stepi", look, "print $priv", "continue",
    )  # fmt: skip
    handler = symbol(elf, "on_trap")
    assert seen.numbers() == [handler, 0, handler, 3], seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_leaving(built: Callable[..., Path]) -> None:
    """GDB leaves: the program goes on; or stays halted, register by register, where OpenOCD was told so."""
    elf = built(WORK)
    seen = openocd.debug(elf, ONE, "tbreak main", "continue", "set var go = 1", "disconnect")
    assert seen.exit_code == 42, seen.complaints
    look = ["print/x $pc", "print/x $sp", "print/x $mcycle", "print/x $minstret"]
    seen = openocd.debug(
        elf, ONE, "tbreak main", "continue", "set var go = 1", "monitor reg dcsr 0x400096c3",
        "monitor trapeze.0 configure -event gdb-detach {}", *look, "disconnect",
        "shell sleep 1", "target extended-remote localhost:[port]", *look,
        "monitor trapeze.0 configure -event gdb-detach resume", "detach",
    )  # fmt: skip
    numbers = seen.numbers()
    assert len(numbers) == 8, seen.gdb
    assert numbers[:4] == numbers[4:], seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_a_storm(built: Callable[..., Path]) -> None:
    """Halts, steps and breakpoints while interrupts come without a pause: the result is that of a quiet run."""
    elf = built(WORK)
    quiet = openocd.script(elf, ONE, tcl(elf, RELEASE))
    assert quiet.exit_code == 42
    for pause, stall in ((40, 0), (61, 100), (230, 40)):
        seen = openocd.script(
            elf,
            ONE,
            tcl(
                elf,
                "resume; sleep 10; mww [symbol go] 1\n"
                "for {set i 0} {$i < 12} {incr i} { halt; step; step; say [value pc]; resume }\n"
                "halt; set before [word [symbol rounds]]; bp [symbol work] 2; resume; wait_halt 2000\n"
                "say [value pc]; rbp [symbol work]; bp [symbol in_handler] 2; resume; wait_halt 2000\n"
                "say [value pc]; step; step; rbp [symbol in_handler]; resume",
            ),
            stimuli=(Stimulus.parse(f"3:every={pause}"),),
            wait_instr=stall,
            wait_data=stall,
            seed=pause,
        )
        assert seen.exit_code == 43, (pause, seen.complaints, seen.openocd)
        assert seen.console == quiet.console
        assert len(set(seen.said()[:12])) > 1, "it does not move"


def test_the_end(built: Callable[..., Path]) -> None:
    """The program ends while it is debugged: its exit code stays, OpenOCD ends, and GDB is told."""
    elf = built(WORK)
    seen = openocd.debug(elf, ONE, "tbreak main", "continue", "set var go = 1", "continue", "info registers pc")
    assert "The program has no registers now" in seen.gdb, seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_refusals(trapeze: Trapeze, firmware: Callable[..., Path]) -> None:
    """What cannot be is said in a line, before an engine is built."""
    elf = firmware("int main(void) { return 0; }\n")
    for words, why in (
        (["--config", "mcu-clint"], "--jtag: configuration 'mcu-clint' has no debug mode; add --set debug=true"),
        (["--config", ONE, "--engine", "model"], "--jtag: the JTAG port is of the design; use --engine rtl"),
        (["--config", ONE, "--gdb", "0"], "--jtag and --gdb: two debuggers"),
        (["--config", ONE, "--sweep", "3@1..2"], "--jtag: a debugger stops where it likes"),
    ):
        said = trapeze("run", elf, "--jtag", 0, *words)
        assert said.code == 2
        assert why in said.error
