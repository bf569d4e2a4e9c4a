# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`cc --monitor emulate`: programs for machine mode, as they are, in user mode."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from trapeze import experiment_files
from trapeze.experiments.iterations import measure as iterations
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.isa import Csr
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import directed as firmware
from verify.dev.directed import Directed
from verify.dev.testing import Trapeze

NAME = "mcu-user"
MONITOR = "emulate"
REFUSED = 134
EVERY = {test.name: test for test in firmware.collect()}

PLAIN = [
    *(
        "hello",
        "irq_portable",
        "irq_divide",
        "irq_atomic",
        "clic_timer",
        "clic_tree",
        "clic_polarity",
        "clic_csr",
        "clic_xnxti",
    ),
    *("fast_below", "fast_chain", "fast_frame", "fast_frames", "fast_results", "fast_sp", "fast_table", "fast_trap"),
    *("trap_access", "trap_access_holes", "trap_fetch", "trap_fetch_edge", "trap_reserved"),
    *("exit_exception", "exit_interrupt", "exit_nested", "exit_stack_overflow"),
]
"""Tests of machine mode, without a kernel, that ask for nothing that is refused and count no cycles."""

LEFT_OUT = {("fast_results", "rtl"), ("clic_tree", "rtl"), ("fast_sp", "rtl")}
"""Cases of those that take minutes."""

KERNEL = [
    *("rtos_assert", "rtos_interrupts", "rtos_kernel", "rtos_level", "rtos_overflow", "rtos_registers", "rtos_return"),
    *("rtos_stress", "rtos_suspended"),
]


def slowed(test: Directed) -> list[str]:
    """Its options with a tick that leaves time to something else: one that is emulated takes thousands of cycles."""
    return [re.sub("(configTICK_RATE_HZ)=.*", r"\g<1>=1000", word) for word in test.args]


def outcome(
    test: Directed, folder: Path, engine: str, more: Sequence[str] = (), cycles: int = 60_000_000
) -> str | None:
    platform = configurations.load(NAME)
    options = [f"-I{firmware.FOLDER}", f"-DTEST_HART_ID={platform.first.hart_id:#x}U", *slowed(test), *more]
    elf = toolchain.build(platform, [test.path], folder / "test.elf", options, test.rtos, monitor=MONITOR)
    run = simulator.measure(elf, platform, Options(engine=engine, max_cycles=cycles))
    return test.complaint(run.exit_code, run.console.decode(errors="replace"))


@pytest.mark.parametrize(
    ("name", "engine"),
    [one for one in itertools.product(PLAIN, ("model", "rtl")) if one not in LEFT_OUT],
)
def test_programs_for_machine_mode(tmp_path: Path, name: str, engine: str) -> None:
    assert outcome(EVERY[name], tmp_path, engine) is None


@pytest.mark.parametrize(("name", "engine"), [*((name, "model") for name in KERNEL), ("rtos_level", "lockstep")])
def test_kernel(tmp_path: Path, name: str, engine: str) -> None:
    assert outcome(EVERY[name], tmp_path, engine) is None


def test_long_stress(tmp_path: Path) -> None:
    assert outcome(EVERY["rtos_stress"], tmp_path, "model", ["-DCYCLES=50000000U", "-DSEED=3U"], 200_000_000) is None


# ---------------------------------------------------------------- CSRs

EACH_CSR = """\
#include <stdio.h>
#include <trapeze/trap.h>

static volatile unsigned int trapped;

static bool on_exception(struct trap_frame *frame)
{{
	trapped++;
	trap_skip(frame);
	return true;
}}

#define TRY(number, write) \\
	do {{ \\
		unsigned int value = 0, illegal; \\
		trapped = 0; \\
		__asm__ volatile("csrr %0, " #number : "+r"(value)); \\
		illegal = trapped; \\
		__asm__ volatile("csrrs x0, " #number ", %0" : : "r"(write)); \\
		printf("%x %u %u %x\\n", number, illegal, trapped, value); \\
	}} while (0)

int main(void)
{{
	(void)trap_set_handler(on_exception);
	{tries}
	return 0;
}}
"""


def test_the_same_csrs_exist(tmp_path: Path) -> None:
    """Those that read zero as well: what is illegal, to read or to set a bit of, is the same in machine mode."""
    zeros = ("MSTATUSH", "MENVCFG", "MHPM", "MCONFIGPTR", "MVENDORID", "MARCHID", "MIMPID", "MHARTID", "MISA")
    there = [one.value for one in Csr if one.name.startswith(zeros)]
    nowhere = [one + 1 for one in (Csr.MENVCFG, Csr.MENVCFGH, Csr.MHPMCOUNTER31, Csr.MHPMCOUNTER31H, Csr.MCONFIGPTR)]
    numbers = [*there, *nowhere]
    source = tmp_path / "main.c"
    source.write_text(EACH_CSR.format(tries="\n\t".join(f"TRY({one:#x}, {0xFFFFFFFF}U);" for one in numbers)))
    said = {}
    for monitor in (None, MONITOR):
        elf = toolchain.build(configurations.load(NAME), [source], tmp_path / f"{monitor}.elf", monitor=monitor)
        run = simulator.measure(elf, configurations.load(NAME), Options(engine="model", max_cycles=10_000_000))
        assert run.exit_code == 0
        said[monitor] = run.console.decode().splitlines()
    assert len(said[None]) == len(numbers)
    assert [line.split()[1] for line in said[None]] == ["0"] * len(there) + ["1"] * len(nowhere)
    assert said[MONITOR] == said[None]


CHANGED_FRAME = """
    static uint32_t frame[TRAPEZE_IRQ_FRAME / 4] __attribute__((aligned(16)));
    uint32_t mepc, mcause;
    csr_set(CSR_MFASTIRQ, MFASTIRQ_ENABLE);
    frame[TRAPEZE_IRQ_FRAME_MCAUSE / 4] = UINT32_MAX & ~(uint32_t)(MCAUSE_MINHV | MCAUSE_MPIL);
    __asm__ volatile("la t0, 1f\\n ori t0, t0, 1\\n sw t0, %3(%2)\\n mv s2, sp\\n mv sp, %2\\n .4byte %4\\n"
    "1: mv sp, s2\\n csrr %0, mepc\\n csrr %1, mcause\\n la t0, 1b\\n sub %0, %0, t0"
    : "=&r"(mepc), "=&r"(mcause)
    : "r"(frame), "i"(TRAPEZE_IRQ_FRAME_MEPC), "i"(TRAPEZE_EMRET_MATCH)
    : "memory", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5",
    "a6", "a7", "s2");
    printf("%lx %lx\\n", (unsigned long)mepc, (unsigned long)mcause);
"""


def test_a_frame_that_the_program_has_changed(tmp_path: Path) -> None:
    """emret takes only bits from its frame that the registers have."""
    said = {}
    for monitor in (None, MONITOR):
        elf = built(tmp_path, CHANGED_FRAME, monitor)
        said[monitor] = simulator.measure(elf, configurations.load(NAME), Options(engine="model")).console.decode()
    assert said[None].startswith("0 ")
    assert said[MONITOR] == said[None]


# ---------------------------------------------------------------- the file


def built(folder: Path, what: str, monitor: str | None = MONITOR, name: str = "main.elf") -> Path:
    source = folder / "main.c"
    headers = "".join(f"#include <{name}.h>\n" for name in ("trapeze/csr", "trapeze/irq", "stdio"))
    source.write_text(f"{headers}int main(void) {{ {what}; return 3; }}\n")
    return toolchain.build(configurations.load(NAME), [source], folder / name, monitor=monitor)


def run(elf: Path, engine: str = "model") -> tuple[int, str]:
    done = simulator.measure(elf, configurations.load(NAME), Options(engine=engine, max_cycles=1_000_000))
    return done.exit_code, done.console.decode()


def test_program_stays_as_it_is(trapeze: Trapeze, tmp_path: Path) -> None:
    """Its own ELF is given: all but the two words where the hart begins is there again."""
    machine, whole = built(tmp_path, "irq_unlock_all()", None), tmp_path / "whole.elf"
    assert trapeze("cc", "--config", NAME, "--monitor", MONITOR, machine, "-o", whole).code == 0
    with machine.open("rb") as before, whole.open("rb") as after:
        old, new = list(ELFFile(before).iter_segments("PT_LOAD")), list(ELFFile(after).iter_segments("PT_LOAD"))
        assert len(new) == len(old) + 1
        assert old[0].data()[:8] != new[0].data()[:8]
        assert old[0].data()[8:] == new[0].data()[8:]
        assert [one.data() for one in old[1:]] == [one.data() for one in new[1:-1]]
    assert run(whole) == run(machine) == (3, "")


def test_start_puts_the_programs_words_back(tmp_path: Path) -> None:
    machine = built(tmp_path, "(void)0", None, "machine.elf")
    with machine.open("rb") as file:
        first = int.from_bytes(next(ELFFile(file).iter_segments("PT_LOAD")).data()[:4], "little")
    what = f"extern uint32_t _start[]; if (*(volatile uint32_t *)_start != {first:#x}U) {{ return 1; }}"
    assert run(built(tmp_path, what), "lockstep")[0] == 3


@pytest.mark.parametrize("other", ["paper", "soft", "direct"])
def test_program_for_another_monitor(trapeze: Trapeze, tmp_path: Path, other: str) -> None:
    elf, whole = built(tmp_path, "(void)0", other), tmp_path / "whole.elf"
    said = trapeze("cc", "--config", NAME, "--monitor", MONITOR, elf, "-o", whole)
    assert said.code == 1
    assert f"linked for --monitor {other}; --monitor emulate takes a program for machine mode" in said.error
    assert not whole.exists()


def test_program_that_has_a_monitor_already(trapeze: Trapeze, tmp_path: Path) -> None:
    said = trapeze(
        "cc", "--config", NAME, "--monitor", MONITOR, built(tmp_path, "(void)0"), "-o", tmp_path / "whole.elf"
    )
    assert said.code == 1
    assert re.search("has [0-9]+ bytes at 0x8007c000; the monitor is at 0x8007c000", said.error)


def test_wrong_input(trapeze: Trapeze, tmp_path: Path) -> None:
    elf, other = built(tmp_path, "(void)0", None), tmp_path / "other.elf"
    source = tmp_path / "main.c"
    toolchain.build(configurations.load("mcu-clic"), [source], other)
    whole = tmp_path / "whole.elf"
    for arguments, says in [
        ((elf,), "names no output; add -o OUT.elf"),
        ((elf, "-O2", "-o", whole), "is linked already; leave '-O2' out"),
        ((other, "-o", whole), "not built by trapeze cc for configuration mcu-user; build it with --config mcu-user"),
    ]:
        said = trapeze("cc", "--config", NAME, "--monitor", MONITOR, *arguments)
        assert said.code != 0
        assert says in said.error
    assert not whole.exists()


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("csr_write(CSR_PMPCFG0, 0U)", "illegal instruction, .* not emulated: memory protection"),
        ("(void)csr_read(CSR_JALMNXTI)", "illegal instruction, .* not emulated: jalmnxti"),
        ("(void)csr_read(CSR_MSCRATCHCSWL)", "illegal instruction, .* not emulated: mscratchcswl"),
        ("csr_write(CSR_MCYCLE, 0U)", "illegal instruction, .* not emulated: a counter that is written"),
        (
            'csr_clear(CSR_MSTATUS, MSTATUS_MPP); __asm__ volatile("mret")',
            "illegal instruction, .* not emulated: user mode",
        ),
        ("*(volatile uint32_t *)0x8007c000 = 0", "store access fault, .* the monitor's code"),
        # What the monitor accesses on behalf of the program has the cause of machine mode, loads that of loads.
        (
            'csr_write(CSR_MFASTIRQ, MFASTIRQ_ENABLE); __asm__ volatile("lui sp, 0x40000; " TRAPEZE_EMRET)',
            "interrupt frame load fault, mcause 0x00000019, .*, mtval 0x40000000, nothing that the program has",
        ),
        (
            "csr_write(CSR_MFASTIRQ, MFASTIRQ_ENABLE); irq_enable(IRQ_SOFTWARE); irq_software_set(true);"
            '__asm__ volatile("lui sp, 0x40000; csrsi mstatus, 8; nop")',
            "interrupt frame store fault, mcause 0x00000018, .*, mtval 0x3fffffb0, nothing that the program has",
        ),
        (
            "irq_enable(IRQ_SOFTWARE); irq_software_set(true); csr_write(CSR_MTVT, 0x40000000U); irq_unlock_all()",
            "fetch access fault, mcause 0x00000001, .*, mtval 0x4000000c, nothing that the program has",
        ),
        ("(void)*(volatile uint32_t *)0x8007fffc", None),
    ],
)
@pytest.mark.parametrize("engine", ["model", "lockstep"])
def test_what_is_not_emulated(tmp_path: Path, what: str, says: str | None, engine: str) -> None:
    code, console = run(built(tmp_path, what), engine)
    if says is None:  # behind the monitor's data memory is the program's
        assert (code, console) == (3, "")
    else:
        assert re.fullmatch(rf"\nmonitor: user mode: {says}, sp 0x[0-9a-f]{{8}}, .*\n", console), console
        assert code == REFUSED


def silent(done: int, total: int) -> None:
    """A progress that nobody looks at."""


def test_what_it_costs() -> None:
    cases = {case.id: case for case in experiment_files.load("user-mode").cases}
    rows = iterations.measure(cases[MONITOR], experiment_files.load("user-mode"), True, silent)
    losses = {row.labels["test"]: row.statistics.p50 for row in rows if row.metric == "loss"}
    assert len(losses) == 8
    assert all(50 < loss < 100 for loss in losses.values()), losses
