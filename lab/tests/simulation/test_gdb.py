# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""GDB on both engines: scripted sessions with gdb-multiarch, and bad input."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from trapeze.common.edges import Edge
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from verify.dev.gdb import debug, start
from verify.dev.testing import Trapeze

PROGRAM = """\
#include <stdio.h>
#include <trapeze/irq.h>

volatile int events;
volatile int counter;
volatile int watched;

static void on_event(void *arg)
{
\t(void)arg;
\tevents++;
}

int inner(int x)
{
\tcounter += x;
\treturn 3 * counter;
}

int outer(int x)
{
\tint y = inner(x);
\treturn y + 1;
}

int main(void)
{
\tint sum = 0;
\tirq_connect(IRQ_PLATFORM(3), on_event, NULL);
\tirq_enable(IRQ_PLATFORM(3));
\tirq_unlock_all();
\tfor (int i = 0; i < 10; i++) {
\t\tsum += outer(i);
\t}
\twatched = sum;
\tprintf("sum %d events %d\\n", sum, events);
\treturn 40 + events;
}
"""
USER_MODE = """\
#include <trapeze/exit.h>
#include <trapeze/map.h>
#include <trapeze/pmp.h>
#include <trapeze/trap.h>

static volatile uint32_t stack[64] __attribute__((aligned(256)));

__attribute__((noinline)) void in_user_mode(void)
{
	for (;;) {
		__asm__ volatile("csrw 0x040, %0\\n\\tecall" : : "r"(0x1234));
	}
}

static bool on_trap(struct trap_frame *frame)
{
	static int calls;

	if (++calls == 2) {
		trapeze_exit(9);
	}
	trap_skip(frame);
	return true;
}

int main(void)
{
	const struct pmp_region regions[] = {
		{"stack", (uintptr_t)stack, sizeof(stack), PMP_READ | PMP_WRITE},
		{"code", TRAPEZE_IMEM_BASE, 0x8004, PMP_READ | PMP_EXECUTE},
		{"constants", TRAPEZE_SMEM_BASE, 8, PMP_READ | PMP_LOCK},
	};

	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	pmp_regions_set(regions, 3);
	(void)trap_set_handler(on_trap);
	csr_write(CSR_UTVEC, (uintptr_t)stack);
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	csr_write(CSR_MEPC, (uintptr_t)in_user_mode);
	__asm__ volatile("mv sp, %0\\n\\tmret" : : "r"(stack + 64));
	__builtin_unreachable();
}
"""
ACCESSES = """\
	.text
	.option norvc
	.globl main
main:	la a0, word
	li a2, 1
	li a5, 9
	sw a2, 0(a0)
s1:	lw a3, 0(a0)
s2:	amoadd.w a3, a2, (a0)
s3:	amoadd.w a3, a2, (a0)
s4:	lr.w a3, (a0)
s5:	sc.w a4, a2, (a0)
s6:	sc.w a4, a5, (a0)
s7:	sw a2, -2(a0)
s8:	lw a3, -2(a0)
s9:	amoswap.w a3, a5, (a0)
s10:	sb a2, 3(a0)
s11:	sw a2, 4(a0)
	sw a2, -4(a0)
	sw a5, 0(a0)
s12:	sw a2, 0(a0)
s13:	li a0, 0
	ret
	.data
	.balign 8
	.word 0
word:	.word 0, 0
"""
"""Accesses: label sN is behind the N-th. The second sc.w fails; those at word - 2 are made in two halves."""
VALUES = {1: 1, 3: 2, 4: 3, 6: 1, 8: 0, 10: 9, 11: 0x01000009, 12: 9, 13: 1}
"""Behind a write: what it left there."""
READS = (2, 3, 4, 5, 9, 10)
SLEEPS = """\
#include <trapeze/csr.h>
int main(void) { csr_write(CSR_MIE, 0); for (;;) { __asm__ volatile("wfi"); } }
"""
FOREVER = "volatile int turns;\nint main(void) { for (;;) { turns++; } }\n"
UNTIL_MRET = "python [gdb.execute('stepi') for _ in range(60) if gdb.parse_and_eval('*(int *)$pc') != 0x30200073]"
DEBUG = ("-g", "-O1", "-fno-inline")
ENGINES = ("rtl", "model")
WAITS = (("rtl", 0), ("rtl", 150), ("model", 0))
"""Engines with wait states of so many in 256, which the model does not have."""

MCAUSE_LINE_3 = 0x80000013

Firmware = Callable[[str, Sequence[str]], Path]


@pytest.fixture
def program(firmware: Firmware) -> Path:
    """A program with functions, an interrupt handler and variables."""
    return firmware(PROGRAM, DEBUG)


@pytest.mark.parametrize("engine", ENGINES)
def test_session(program: Path, engine: str) -> None:
    said = debug(
        program,
        engine,
        "break inner",
        "continue",
        "print $pc == &inner",
        "print counter",
        "backtrace",
        "delete",
        "monitor irq 3",
        "stepi 8",  # more than the interrupt needs to be taken
        "print events",
        "print/x $mcause",
        "print $mepc - (int)&inner < 40u",
        "print/x $mstatus",
        "watch watched",
        "continue",
        "print watched",
        "set var counter = 1000",
        "print counter",
        "continue",
    )
    assert re.search(r"^#0 +inner .*\n#1 +0x\w+ in outer .*\n#2 +0x\w+ in main ", said.text, re.MULTILINE), said.text
    assert re.search(r"Hardware watchpoint.*watched\n\nOld value = 0\nNew value = 505\n", said.text), said.text
    # The breakpoint stopped before its instruction; steps ran through the handler; MIE is set, MPIE from mret, MPP U.
    assert said.numbers() == [1, 0, 1, MCAUSE_LINE_3, 1, 0x88, 505, 1000], said.text
    assert "exited with code 051" in said.text  # octal
    assert (said.exit_code, said.console) == (41, "sum 505 events 1\n")


@pytest.mark.parametrize("engine", ENGINES)
def test_step_into_a_handler_and_out_of_it(program: Path, engine: str) -> None:
    said = debug(
        program,
        engine,
        *("break inner", "continue", "delete", "monitor catch irq", "monitor irq 3", "continue"),
        *("print/x $mcause", "print (int)$pc - (int)$mtvec", "print events", "print/x $mstatus & 8", "print/x $priv"),
        *("break on_event", "continue", "backtrace 1", "delete"),
        UNTIL_MRET,
        *("print events", "stepi", "print (int)$pc == (int)$mepc", "continue"),
    )
    slot = 4 * (MCAUSE_LINE_3 & 0xFF) - 1  # behind mtvec, whose lowest bit says that it is vectored
    assert said.numbers() == [MCAUSE_LINE_3, slot, 0, 0, 3, 1, 1], said.text
    assert re.search(r"^#0 +on_event ", said.text, re.MULTILINE), said.text
    assert said.exit_code == 41


@pytest.mark.parametrize("engine", ENGINES)
def test_registers_and_memory(program: Path, engine: str) -> None:
    said = debug(
        program,
        engine,
        "info registers",
        "info registers csr",
        "break inner",
        "continue",
        "set $a0 = 7",
        "print $a0",
        "set $mscratch = 5",
        "print $mscratch",
        "x/1xw 0x40000000",
        "detach",
    )
    for name in ("t6", "pc", "mstatus", "mepc", "mcause", "mcycle", "minstret", "mhartid"):
        assert re.search(rf"^{name} ", said.text, re.MULTILINE), name
    assert "Cannot access memory at address 0x40000000" in said.text
    if engine == "model":
        assert said.numbers() == [7, 5]
    else:
        assert said.text.count("the rtl engine cannot write registers") == 2, said.text
    assert said.exit_code == 40  # it ran on without GDB


@pytest.mark.parametrize("engine", ENGINES)
def test_watchpoints(program: Path, engine: str) -> None:
    said = debug(program, engine, "rwatch counter", "continue", "delete", "awatch events", "continue", "kill")
    assert "Hardware read watchpoint" in said.text
    assert "Hardware access (read/write) watchpoint" in said.text
    assert said.exit_code == 137
    assert said.complaints == "trapeze-sim: ended by gdb\n"


@pytest.fixture(scope="module")
def accesses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of ACCESSES for `duo`, whose harts have atomic operations."""
    folder = tmp_path_factory.mktemp("accesses")
    source = folder / "main.S"
    source.write_text(ACCESSES)
    return toolchain.build(config.load("duo"), [source], folder / "main.elf", ("-g",))


def stops(text: str) -> list[int]:
    """N of each `info symbol $pc` at a label sN."""
    return [int(number) for number in re.findall(r"^s(\d+) in section", text, re.MULTILINE)]


@pytest.mark.parametrize(("engine", "wait"), WAITS)
@pytest.mark.parametrize("command", ["watch", "rwatch", "awatch"])
def test_watchpoints_stop_behind_each_access(accesses: Path, command: str, engine: str, wait: int) -> None:
    expected = {"watch": list(VALUES), "rwatch": list(READS), "awatch": sorted({*VALUES, *READS})}[command]
    looks = ["continue", "info symbol $pc", "print *(int *)&word"] * len(expected)
    script = ("break main", "continue", "delete", f"{command} *(int *)&word", *looks, "continue")
    said = debug(accesses, engine, *script, name="duo", wait_data=wait, seed=3 if wait else 0)
    assert stops(said.text) == expected, said.text
    values = [max((n, value) for n, value in VALUES.items() if n <= stop)[1] for stop in expected]
    assert said.numbers() == values, said.text
    assert said.exit_code == 0, said.text


@pytest.mark.parametrize(("engine", "wait"), WAITS)
def test_memory_is_that_behind_every_instruction(accesses: Path, engine: str, wait: int) -> None:
    looks = ["info symbol $pc", "print *(int *)&word", "stepi"] * 24
    said = debug(accesses, engine, "break main", "continue", "delete", *looks, name="duo", wait_data=wait)
    found = re.findall(r"^s(\d+) in section .*\n\$\d+ = (\d+)$", said.text, re.MULTILINE)
    values = {stop: max((n, value) for n, value in VALUES.items() if n <= stop)[1] for stop in range(1, 14)}
    assert {int(stop): int(value) for stop, value in found} == values, said.text


@pytest.mark.parametrize("engine", ENGINES)
def test_an_access_that_two_watchpoints_see(accesses: Path, engine: str) -> None:
    """The word in front of `word`, and its first half: the first store in two halves changes both."""
    watches = ("watch *(int *)((char *)&word - 4)", "watch *(short *)&word")
    said = debug(
        accesses, engine, "break *&s7", "continue", *watches, "continue", "continue", "info symbol $pc", name="duo"
    )
    assert re.search(r"atchpoint 2: .*\n\nOld value = 0\nNew value = 65536\n", said.text), said.text
    assert re.search(r"atchpoint 3: .*\n\nOld value = 1\nNew value = 0\n", said.text), said.text
    assert stops(said.text) == [8], said.text


@pytest.mark.parametrize("name", ["mcu-clint", "duo"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_session_that_sleeps(tmp_path: Path, engine: str, name: str) -> None:
    source = tmp_path / "main.c"
    source.write_text(SLEEPS)
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", DEBUG)
    process, port = start(elf, engine, name)
    with process, socket.create_connection(("127.0.0.1", port), timeout=60) as peer:

        def ask(packet: bytes, then: bytes = b"") -> bytes:
            peer.sendall(b"+$" + packet + b"#" + b"%02x" % (sum(packet) & 255))
            assert peer.recv(1) == b"+"
            time.sleep(0.3 if then else 0)
            peer.sendall(then)
            reply = b""
            while b"#" not in reply:
                reply += peer.recv(1000)
            return reply

        asleep = [ask(b"vCont;c", b"\x03") for _ in range(3)]
        assert all(reply.startswith(b"$T02") for reply in asleep), asleep
        assert asleep[0] == asleep[1] == asleep[2], "it sleeps at one place"
        assert ask(b"vCont;s:1", b"\x03") == asleep[0], "a step waits, too"
        pc = ask(b"p20")[1:9]
        at = b"%x" % int.from_bytes(bytes.fromhex(pc.decode()), "little")
        assert ask(b"m" + at + b",4")[1:9] == b"73005010", "it is at its wfi"
        peer.sendall(b"+$k#6b")
        assert process.wait(timeout=30) == 137


@pytest.mark.parametrize("engine", ENGINES)
def test_monitor(program: Path, engine: str) -> None:
    said = debug(
        program,
        engine,
        "monitor help",
        "monitor irq 99",
        "monitor nonsense",
        "break inner",
        "continue",
        "monitor cycles",
        "monitor reset",
        "maintenance flush register-cache",
        "print/x $pc",
        "continue",
        "print counter",
    )
    assert "there is no interrupt line '99'; use 0 to 15" in said.text
    assert said.text.count("monitor cycles  ") == 2
    assert re.search(r"^\d+ cycles, \d+ instructions$" if engine == "rtl" else "counts no cycles", said.text, re.M)
    assert said.numbers() == [0x80000000, 0], said.text
    assert said.text.count("Breakpoint 1, inner") == 2


@pytest.fixture(scope="module")
def user_mode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that goes to user mode behind rows of memory protection and calls machine mode."""
    folder = tmp_path_factory.mktemp("user")
    source = folder / "main.c"
    source.write_text(USER_MODE)
    return toolchain.build(config.load("mcu-user"), [source], folder / "main.elf", DEBUG)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["mcu-user"])
def test_user_mode_and_memory_protection(user_mode: Path, name: str, engine: str) -> None:
    said = debug(
        user_mode,
        engine,
        *("monitor pmp", "break in_user_mode", "continue", "print/x $priv", "break on_trap", "continue"),
        *("print/x $priv", "print/x $pmpcfg0", "print/x $pmpaddr0 - ((unsigned)stack / 4 + 31)", "print/x $pmpaddr2"),
        *("print/x $mseccfg", "print/x $uscratch", "print/x $ustatus", "print $utvec == ((unsigned)stack | 3)"),
        *("print $utvt", "print $uepc", "print $ucause", "print $utval", "print $uintthresh", "print $uintstatus"),
        *("print $ufastirq", "monitor pmp 0", "monitor pmp 1"),
        name=name,
    )
    end = 0x80008004
    assert said.text.count("no row is on\n") == 1, said.text
    assert said.numbers()[:7] == [0, 3, 0x990D001B, 0, end // 4, 4, 0x1234], said.text
    assert said.numbers()[7:] == [0, 1, *[0] * 7], said.text
    for line in (
        r"row 0 +0x(\w{6})00 to 0x\1ff +NAPOT +user RW-  machine RWX",
        rf"row 2   0x80000000 to {end - 1:#x}  TOR    user R-X  machine RWX",
        r"row 3 +0x\w+0 to 0x\w+7 +NAPOT +user R--  machine R--  locked",
        r"elsewhere +user ---  machine RWX",
        r"there is no hart '1'; use 0 to 0",
    ):
        assert re.search(f"^{line}$", said.text, re.MULTILINE), (line, said.text)


def test_no_memory_protection(program: Path) -> None:
    assert "hart 0 has no memory protection" in debug(program, "model", "monitor pmp").text


@pytest.mark.parametrize("name", ["mcu-clint-e", "mcu-clic"])
def test_other_configurations(name: str, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 3; }\n")
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", DEBUG)
    said = debug(elf, "rtl", "break main", "continue", "info registers", "info registers csr", "continue", name=name)
    assert "Breakpoint 1, main" in said.text
    assert ("t6 " in said.text) == (name == "mcu-clic")
    assert ("mintthresh " in said.text) == (name == "mcu-clic")
    assert said.exit_code == 3


def test_a_debugged_run_takes_the_same_cycles(trapeze: Trapeze, program: Path) -> None:
    irq = (Edge(3, 340),)
    free = trapeze("run", program, "--config", "mcu-clint", "--irq", irq[0])
    stopped = debug(
        program, "rtl", "break inner", "break on_event", "watch counter", *["continue"] * 40, irq=irq
    )  # ends on the way
    assert stopped.complaints.startswith("trapeze-sim: exit 41 after ")
    assert free.err.splitlines()[0] == stopped.complaints.strip()
    assert stopped.text.count("Hardware watchpoint 3: counter") >= 9, stopped.text


@pytest.mark.parametrize("engine", ENGINES)
def test_interrupt(firmware: Firmware, engine: str) -> None:
    elf = firmware(FOREVER, DEBUG)
    process, port = start(elf, engine)
    with process, socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
        peer.sendall(b"+$vCont;c#a8")
        assert peer.recv(1) == b"+"
        peer.sendall(b"\x03")
        reply = b""
        while b"#" not in reply:
            reply += peer.recv(1000)
        assert reply.startswith(b"$T02"), reply
        peer.sendall(b"+$k#6b")
        assert process.wait(timeout=30) == 137


def test_an_impatient_gdb_gets_each_reply_once(firmware: Firmware) -> None:
    """GDB sends a minus for a reply that takes over two seconds, also where it agreed that nothing is acknowledged."""
    process, port = start(firmware(PROGRAM, ()), "model")
    with (
        process,
        socket.create_connection(("127.0.0.1", port), timeout=30) as peer,
        peer.makefile("rb") as answers,
    ):
        peer.sendall(b"+$QStartNoAckMode#b0")
        assert answers.read(7) == b"+$OK#9a"
        for packet, reply in ((b"$vMustReplyEmpty#3a", b"$#00"), (b"$qAttached#8f", b"$0#30")):
            peer.sendall(b"-" + packet + b"-")
            assert answers.read(len(reply)) == reply
        peer.sendall(b"$k#6b")
    assert process.returncode == 137


def test_cycle_limit(firmware: Firmware) -> None:
    said = debug(firmware(FOREVER, DEBUG), "rtl", "continue", max_cycles=20_000)
    assert "Program terminated with signal SIGXCPU" in said.text
    assert said.exit_code == 124


def test_connection_lost(program: Path) -> None:
    process, port = start(program, "model")
    with process, socket.create_connection(("127.0.0.1", port), timeout=30):
        pass
    assert process.returncode == 137


def test_bad_input(trapeze: Trapeze, program: Path) -> None:
    base = ("run", program, "--config", "mcu-clint")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = trapeze(*base, "--gdb", port)
        assert said.code == 2
        assert f"--gdb {port}: cannot listen on localhost" in said.error
    for options, words in (
        (("--gdb", 70000), "--gdb: '70000' is more than 65535"),
        (("--gdb", -1), "--gdb: '-1' is less than 0"),
        (("--gdb", "here"), "--gdb: 'here' is no whole number"),
        (("--gdb", 0, "--sweep", "3@1..5"), "--sweep"),
        (("--gdb", 0, "--engine", "lockstep"), "lockstep"),
    ):
        said = trapeze(*base, *options)
        assert said.code == 2
        assert words in said.error
