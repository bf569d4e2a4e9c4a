# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Triggers of the RTL, set by OpenOCD and GDB at its JTAG port. What programs set: fw/tests/triggers.c."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Stimulus
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import openocd
from verify.dev.examples import commands, write_files
from verify.dev.openocd import symbol

ONE = "mcu-fastirq-debug"
TWO = "duo-debug"
PAGE = paths.ROOT / "docs/howto/debug-with-openocd.md"
OFF = 0x60000000
EXECUTE = 0x68001044
"""mcontrol6 of a debugger, in machine mode, before an instruction is executed."""

PROGRAM = """\
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_fast.h>
#include <trapeze/trap.h>

volatile unsigned int rounds;
volatile int events, traps;
volatile unsigned int other[4];

static void on_event(void)
{
	events++;
}

static bool on_trap(struct trap_frame *frame)
{
	traps++;
	trap_skip(frame);
	return true;
}

__attribute__((noinline)) unsigned int work(unsigned int x)
{
	rounds++;
	return x + rounds;
}

int main(void)
{
	unsigned int sum = 0U;

	(void)trap_set_handler(on_trap);
	irq_fast_connect(IRQ_PLATFORM(3), on_event, true);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 200; i++) {
		/* What a debugger has set stays. */
		csr_write(CSR_TSELECT, 0U);
		csr_write(CSR_TDATA1, 0U);
		csr_write(CSR_TDATA2, 0U);
		sum = work(sum);
		other[i % 4] = sum;
		__asm__ volatile(".word 0xc0001073");
	}
	return traps == 200 ? 42 : 1;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The program, for a configuration."""
    known: dict[str, Path] = {}

    def build(name: str) -> Path:
        if name not in known:
            folder = tmp_path_factory.mktemp("triggers")
            (folder / "main.c").write_text(PROGRAM)
            known[name] = toolchain.build(config.load(name), [folder / "main.c"], folder / "main.elf", ["-g"])
        return known[name]

    return build


def trigger(number: int, tdata1: int, tdata2: str | int = 0) -> str:
    """OpenOCD's command that sets one."""
    return f"trapeze_trigger {number} {tdata1:#x} {tdata2}"


def test_breakpoints_and_watchpoints(built: Callable[[str], Path]) -> None:
    """GDB's hbreak, watch, rwatch and awatch."""
    words = ["hbreak work", "continue", "print rounds", "delete"]
    words += ["watch rounds", "continue", "continue", "print rounds", "delete"]
    words += ["rwatch rounds", "continue", "print rounds", "delete"]
    words += ["awatch other[2]", "continue", "print rounds", "delete", "detach"]
    seen = openocd.debug(built(ONE), ONE, *words)
    assert "Hardware assisted breakpoint 1" in seen.gdb, seen.gdb
    assert "Hardware watchpoint 2: rounds" in seen.gdb, seen.gdb
    assert seen.numbers() == [0, 2, 2, 3], seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_two_harts(built: Callable[[str], Path]) -> None:
    """A watchpoint of GDB is one of each hart."""
    seen = openocd.debug(built(TWO), TWO, "hbreak work", "continue", "delete", "watch rounds", "continue", "continue",
                         "print rounds", "delete", "detach")  # fmt: skip
    assert "Hardware watchpoint 2: rounds" in seen.gdb, seen.gdb
    assert len(seen.numbers()) == 1, seen.gdb
    assert seen.exit_code == 42, seen.complaints


def test_what_a_debugger_can_set(built: Callable[[str], Path]) -> None:
    """Fields that exist, types that need dmode and action 1, and what chains may not do."""
    table = [
        (0, 0xFFFFFFFF, OFF | 1 << 27),  # no such type
        (0, 0x6FFFFFFF, 0x6840084F),
        (0, EXECUTE, EXECUTE),
        (0, EXECUTE | 2 << 12, EXECUTE & ~(1 << 12)),  # no such action
        (0, EXECUTE & ~(1 << 27), 0x60000044),  # action 1 needs dmode
        (0, 0x3FFFFFC1, 0x39FFFF41),
        (0, 0x4FFFFFC1, 0x4C000241),
        (0, 0x5FFFFFC1, 0x5C000241),
        (0, 0x7FFFFFC1, 0x7C000041),
        *((0, (kind << 28) | 0x08000040, OFF | 1 << 27) for kind in (3, 4, 5, 7)),  # they have no action 0
        *((0, (kind << 28) | 0x00000041, OFF) for kind in (3, 4, 5, 7)),  # nor go without dmode
        (3, EXECUTE | 1 << 11, EXECUTE),  # the last one has nothing to chain to
        (0, OFF | 0x84C, OFF | 0x84C),  # a chain without dmode ...
        (1, EXECUTE, OFF),  # ... keeps dmode from the next one
        (0, 0, OFF),
        (1, EXECUTE, EXECUTE),
        (0, OFF | 0x84C, OFF | 0x4C),  # and the other way round
        (1, 0, OFF),
    ]
    lines = [
        f"set_reg {{tselect {number}}}; set_reg {{tdata1 {given:#x}}}; say [value tdata1]" for number, given, _ in table
    ]
    seen = openocd.script(
        built(ONE), ONE, "say [value tinfo]; set_reg {tselect 4}; say [value tselect]\n" + "\n".join(lines) + "\nresume"
    )
    assert seen.said() == ["0x10000f8", "0", *(hex(is_now) for _, _, is_now in table)]
    assert seen.exit_code == 42


def test_a_count(built: Callable[[str], Path], tmp_path: Path) -> None:
    """icount halts after so many instructions, those of trap handlers among them."""
    elf = built(ONE)
    trace = tmp_path / "run.jsonl"
    simulator.watch(elf, config.load(ONE), Options(trace=trace))
    records = [one for one in map(json.loads, trace.read_text().splitlines()) if one["type"] == "retire"]
    places = [one["pc"] for one in records]
    counts = [1, 2, 100, 1000, 16383]
    script = [
        f"{trigger(1, 0x38000241 | count << 10)}; resume; wait_halt 2000\n"
        "say [value pc]; set_reg {tselect 1}; say [value tdata1]; say [expr {([value dcsr] >> 6) & 7}]"
        for count in counts
    ]
    seen = openocd.script(elf, ONE, "\n".join([*script, trigger(1, 0), "resume"]))
    at, expected = 0, []
    for count in counts:
        # OpenOCD begins with a step, without triggers, where a trigger has halted.
        at += count + (1 if at > 0 else 0)
        expected += [hex(places[at]), "0x39000241", "2"]
    assert seen.said() == expected, seen.openocd
    assert seen.exit_code == 42


def test_handlers(built: Callable[[str], Path]) -> None:
    """itrigger and etrigger halt before the first instruction of a handler, in the mode and for the codes they name."""
    elf = built(ONE)
    interrupt = config.load(ONE).harts[0].line_base + 3
    seen = openocd.debug(
        elf,
        ONE,
        "tbreak work",
        "continue",
        f"monitor {trigger(2, 0x48000241, hex(1 << interrupt))}",
        "continue",
        "print $pc == (unsigned)on_event",
        "print events",
        f"monitor {trigger(2, 0x48000041, hex(1 << interrupt))}",  # from user mode: never
        f"monitor {trigger(1, 0x58000241, 1 << 3)}",  # breakpoints: there are none
        f"monitor {trigger(3, 0x58000241, 1 << 2)}",
        "continue",
        "print (unsigned)$pc == ((unsigned)$mtvec & ~63U)",
        "print $mcause & 31",
        "print traps",
        f"monitor {trigger(3, 0)}",
        "detach",
        stimuli=(Stimulus.parse("3:every=5000"),),
    )
    at_handler, events, at_mtvec, cause, traps = seen.numbers()
    assert (at_handler, at_mtvec, cause) == (1, 1, 2), seen.gdb
    assert events >= 0
    assert traps >= 0
    assert seen.exit_code == 42, seen.complaints


def test_a_program_changes_nothing(built: Callable[[str], Path]) -> None:
    """It writes to a debugger's trigger, which fires for that, and whose fields say so."""
    elf = built(ONE)
    at = symbol(elf, "work")
    look = "say [value pc]; say [expr {([value dcsr] >> 6) & 7}]; say [value tdata1]; say [value tdata2]"
    script = [trigger(0, EXECUTE, at), "resume; wait_halt 2000", look]
    script += [f"set_reg {{tdata1 {EXECUTE:#x}}}", "resume; wait_halt 2000", look]
    script += ["set_reg {tdata1 0}", "resume"]
    seen = openocd.script(elf, ONE, "\n".join(script))
    assert seen.said() == [hex(at), "2", hex(EXECUTE | 1 << 22), hex(at)] * 2, seen.openocd
    assert seen.exit_code == 42


def test_the_interrupt_that_was_late(tmp_path: Path) -> None:
    """The page's example: the alarm of a latency probe halts the hart in the handler that was late."""
    write_files(PAGE, tmp_path)
    elf = toolchain.build(config.load(ONE), [tmp_path / "late.c"], tmp_path / "late.elf", ["-g", "-Og"])
    words = commands(PAGE)
    session = words[words.index("gdb-multiarch late.elf") + 1 :]
    asked = [one.removeprefix("(gdb) ") for one in session if one.startswith("(gdb) ")]
    asked = [one for one in asked if not one.startswith(("set osabi", "target"))]
    seen = openocd.debug(elf, ONE, *asked)
    assert "on_block" in seen.gdb, seen.gdb
    assert "careless" in seen.gdb, seen.gdb
    assert seen.numbers() == [20], seen.gdb
    assert "trapeze_trigger" not in seen.openocd + seen.gdb, "a command failed"
    assert seen.exit_code == 0, seen.complaints


def test_where_the_probes_are() -> None:
    """OpenOCD's configuration names the addresses of the memory map."""
    text = (paths.ROOT / "integrations/openocd/trapeze.cfg").read_text()
    named = re.search(r"set PROBES \{(\w+) (\w+)\}", text)
    assert named is not None
    header = (paths.ROOT / "regs/gen/c/trapeze/map_mcu.h").read_text()
    assert list(named.groups()) == re.findall(r"PROBE_REGS\d_BASE (\w+)", header)
