# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`cc --monitor`: what a program in user mode may not do, the monitor as a piece of its own, FreeRTOS under it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.experiments.iterations import measure as iterations
from trapeze.firmware import compiler, monitored, toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import directed as firmware
from verify.dev.directed import Directed
from verify.dev.testing import Trapeze

NAME = "mcu-user"
MONITOR = "paper"
DIRECT = "direct"
SOFT = "soft"
MONITORS = [MONITOR, SOFT, DIRECT]
HANDED_ON = [MONITOR, SOFT]
"""Those that interrupts of the program come to first."""

REFUSED = 134

MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>
#include <trapeze/uart.h>
#define REG(name) (*(volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_##name))
extern uint32_t monitor_rom_start[], monitor_rom_end[], monitor_ram_start[], monitor_ram_end[];
int main(void)
{
	puts("begin");
	WHAT;
	puts("end");
	return 3;
}
"""


def built(folder: Path, what: str, monitor: str = MONITOR, **asked: object) -> Path:
    """A program that does it, built with options of the monitor by their names."""
    source = folder / "main.c"
    source.write_text(MAIN.replace("WHAT", what))
    config = configurations.load(NAME)
    options = monitored.words(
        config, monitor, False, {f"--monitor-{name}": str(value) for name, value in asked.items()}
    )
    return toolchain.build(config, [source], folder / "main.elf", options, monitor=monitor)


def symbols(elf: Path) -> Mapping[str, int]:
    lines = subprocess.run(["riscv64-unknown-elf-nm", elf], capture_output=True, text=True, check=True).stdout
    words = (line.split() for line in lines.splitlines())
    return {found[2]: int(found[0], 16) for found in words if len(found) == 3}


def run(elf: Path, engine: str = "model") -> tuple[int, str]:
    outcome = simulator.measure(elf, configurations.load(NAME), Options(engine=engine, max_cycles=1_000_000))
    return outcome.exit_code, outcome.console.decode()


PLACES = [
    ("monitor_rom_start", 0, "code"),
    ("monitor_rom_end", -4, "code"),
    ("monitor_ram_start", 0, "data"),
    ("monitor_ram_end", -4, "data"),
]
ACCESSES = [
    ("*(volatile uint32_t *)({}) = 0x13", 7, "store"),
    ("(void)*(volatile uint32_t *)({})", 5, "load"),
    ("((void (*)(void))({}))()", 1, "fetch"),
]


@pytest.mark.parametrize("monitor", MONITORS)
@pytest.mark.parametrize("engine", ["model", "lockstep"])
@pytest.mark.parametrize(("access", "cause", "kind"), ACCESSES, ids=[one[2] for one in ACCESSES])
@pytest.mark.parametrize(("symbol", "offset", "region"), PLACES, ids=[one[0] for one in PLACES])
def test_monitor_memory_is_refused(
    tmp_path: Path, symbol: str, offset: int, region: str, access: str, cause: int, kind: str, engine: str, monitor: str
) -> None:
    elf = built(tmp_path, access.format(f"(uint32_t){symbol} - {-offset}U"), monitor)
    code, console = run(elf, engine)
    at = symbols(elf)[symbol] + offset
    says = (
        rf"begin\n\nmonitor: user mode: {kind} access fault, mcause 0x{cause:08x}, pc 0x[0-9a-f]{{8}}, "
        rf"mtval 0x{at:08x}, the monitor's {region}, sp 0x[0-9a-f]{{8}}, the stack\n"
    )
    assert re.fullmatch(says, console), console
    assert code == REFUSED


@pytest.mark.parametrize("monitor", MONITORS)
@pytest.mark.parametrize("restarts", [0, 1])
@pytest.mark.parametrize(
    "state",
    [
        "MCR_OFFSET) = TRAPEZE_UART_MCR_LOOPBACK_MASK",
        "LCR_OFFSET) = TRAPEZE_UART_LCR_DLAB_MASK",
    ],
    ids=["loop-back", "divisor latch"],
)
def test_whatever_the_program_makes_of_the_uart(tmp_path: Path, state: str, restarts: int, monitor: str) -> None:
    """The report comes out, and what the program writes after a restart."""
    sent = "while (!(REG(LSR_OFFSET) & TRAPEZE_UART_LSR_TEMT_MASK)) {}"
    what = f"fflush(stdout); {sent} REG({state}; *(volatile uint32_t *)TRAPEZE_IMEM_BASE = 0"
    code, console = run(built(tmp_path, what, monitor, **({"restarts": 1} if restarts else {})))
    assert code == REFUSED
    assert len(re.findall(r"^begin$", console, re.MULTILINE)) == 1 + restarts
    assert len(re.findall(r"^monitor: user mode: store access fault, .* sp .*$", console, re.MULTILINE)) == 1 + restarts


@pytest.mark.parametrize("monitor", MONITORS)
def test_memory_beside_the_monitor_is_open(tmp_path: Path, monitor: str) -> None:
    words = (
        "uint32_t *rom = monitor_rom_end, *ram = monitor_ram_end; "
        "*(volatile uint32_t *)rom = *rom; *(volatile uint32_t *)ram = *ram"
    )
    assert run(built(tmp_path, words, monitor, rows="paper")) == (3, "begin\nend\n")


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (
            '__asm__ volatile("csrr a0, mstatus" ::: "a0")',
            "illegal instruction, mcause 0x00000002, .* mtval 0x30002573",
        ),
        ('__asm__ volatile("mret")', "illegal instruction, mcause 0x00000002, .* mtval 0x30200073"),
        ('__asm__ volatile("csrw pmpcfg0, zero")', "illegal instruction, mcause 0x00000002, .* mtval 0x3a001073"),
        ('__asm__ volatile("li t0, 4; ecall" ::: "t0")', "call that the monitor does not have, mcause 0x00000008"),
        ('__asm__ volatile("li t0, -1; ecall" ::: "t0")', "call that the monitor does not have, mcause 0x00000008"),
        ('__asm__ volatile("ebreak")', "breakpoint, mcause 0x00000003"),
        (
            "(void)*(volatile uint32_t *)0x70000000",
            "load access fault, .* mtval 0x70000000, nothing that the program has",
        ),
        (
            "monitor_page.mepc = (uint32_t)monitor_ram_start; __asm__ volatile(TRAPEZE_MONITOR_RETURN)",
            "fetch access fault, .* data",
        ),
        (
            "monitor_page.handler = (uint32_t)monitor_rom_start; monitor_page.mie[3] = 1; "
            "*(volatile uint8_t *)(0x02801001 + 12) = 1; monitor_irq_restore(1); monitor_yield()",
            "fetch access fault, .* code",
        ),
    ],
)
def test_what_a_program_may_not_do(tmp_path: Path, what: str, says: str) -> None:
    code, console = run(built(tmp_path, what))
    assert re.fullmatch(rf"begin\n\nmonitor: user mode: {says}.*\n", console), console
    assert code == REFUSED


CONTROLLER = 0x02800000
OWN_VIEW = 0x02808000
SOFTWARE = 3


@pytest.mark.parametrize("engine", ["model", "lockstep"])
@pytest.mark.parametrize(
    ("what", "says"),
    [
        ('__asm__ volatile("csrr a0, mstatus" ::: "a0")', "illegal instruction, .* mtval 0x30002573"),
        ("csr_write(CSR_MINTTHRESH, 0U)", "illegal instruction, .* mtval 0x34705073"),
        ('__asm__ volatile("ecall")', "call that the monitor does not have, mcause 0x00000008"),
        (
            f"*(volatile uint8_t *)({CONTROLLER}U + 0x1002U) = 0xc0U",
            "store access fault, .* mtval 0x02801002, the monitor's interrupt controller",
        ),
        (
            f"(void)*(volatile uint32_t *)({CONTROLLER}U + 0x7ffcU)",
            "load access fault, .* mtval 0x02807ffc, the monitor's interrupt controller",
        ),
        # A frame into the monitor's data, and one from there.
        (
            f"irq_enable({SOFTWARE}); irq_unlock_all(); irq_software_set(false); "
            '__asm__ volatile("la sp, monitor_ram_end; li t0, 0x2000000; li t1, 1; sw t1, 0(t0); lw t1, 0(t0)")',
            r"interrupt frame store fault, mcause 0x00000018, .* the monitor's data",
        ),
        (
            'irq_fast_require(); __asm__ volatile("la sp, monitor_ram_start; " TRAPEZE_EURET)',
            r"interrupt frame load fault, mcause 0x00000019, .* the monitor's data",
        ),
    ],
)
def test_what_a_program_with_interrupts_of_its_own_may_not_do(
    tmp_path: Path, what: str, says: str, engine: str
) -> None:
    code, console = run(built(tmp_path, what, DIRECT), engine)
    assert re.fullmatch(rf"begin\n\nmonitor: user mode: {says}.*\n", console), console
    assert code == REFUSED


def test_sources_stay_the_programs(tmp_path: Path) -> None:
    """By its own view it can neither give one away nor take one back."""
    what = (
        f"volatile uint8_t *mode = (volatile uint8_t *)({OWN_VIEW}U + 0x1002U); "
        "for (unsigned int irq = 0; irq < IRQ_COUNT; irq++) "
        '{ mode[4 * irq] = 0xc1; if (mode[4 * irq] != 1) { puts("lost"); } }'
    )
    assert run(built(tmp_path, what, DIRECT), "lockstep") == (3, "begin\nend\n")


def test_report_names_the_call(tmp_path: Path) -> None:
    elf = built(tmp_path, '__asm__ volatile("li t0, 99; .globl here; here: ecall" ::: "t0")')
    assert f"pc 0x{symbols(elf)['here']:08x}" in run(elf)[1]


def test_source_that_the_program_makes_vectored(tmp_path: Path) -> None:
    """The table that hardware reads then is the monitor's."""
    what = (
        "monitor_page.handler = 0x70000000; *(volatile uint8_t *)(0x02801002 + 12) = 1; "
        "*(volatile uint8_t *)(0x02801001 + 12) = 1; monitor_irq_restore(1); monitor_yield()"
    )
    code, console = run(built(tmp_path, what), "lockstep")
    assert (code, console.count("mtval 0x70000000")) == (REFUSED, 1)


@pytest.mark.parametrize("monitor", MONITORS)
def test_monitor_uses_nothing_of_the_program(monitor: str) -> None:
    """Neither code nor data: its objects know each other, the program's first instruction, and the bounds of memory."""
    objects = compiler.monitor_objects(configurations.load(NAME), monitor)
    lines = subprocess.run(["riscv64-unknown-elf-nm", *objects], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in lines.splitlines() if line]
    asked = {found[-1] for found in words if found[:-1] == ["U"]}
    defined = {found[2] for found in words if len(found) == 3}
    bounds = {f"monitor_{memory}_{end}" for memory in ("rom", "ram") for end in ("start", "end")}
    parts = {"program_vectors_start", "program_data_start", "monitor_page_end"}
    parts |= {f"program_{part}_end" for part in ("text", "vectors", "constants", "data")}
    options = {f"monitor_{name}" for name in ("rows_paper", "watchdog", "restarts", "resume", "pristine")}
    assert asked - defined == {"_start"} | bounds | parts | options


@pytest.mark.parametrize(
    ("monitor", "state"), [(one, ["monitor_state"] if one in HANDED_ON else []) for one in MONITORS], ids=MONITORS
)
def test_monitor_and_program_are_apart(tmp_path: Path, monitor: str, state: list[str]) -> None:
    elf = built(tmp_path, "(void)0", monitor)
    at = symbols(elf)
    rom = range(at["monitor_rom_start"], at["monitor_rom_end"])
    ram = range(at["monitor_ram_start"], at["monitor_ram_end"])
    assert {at[name] in rom for name in ("monitor_start", "monitor_trap", "monitor_init", "monitor_report")} == {True}
    assert {at[name] in ram for name in ("monitor_stack", *state)} == {True}
    names = ("_start", "main", "__bss_start", *(["monitor_page"] if state else []))
    assert {at[name] in rom or at[name] in ram for name in names} == {False}


@pytest.mark.parametrize("monitor", MONITORS)
def test_monitor_leaves_the_program_its_global_pointer(monitor: str) -> None:
    """The linker makes accesses relative to gp of those that it may relax; in the monitor gp is the program's."""
    objects = compiler.monitor_objects(configurations.load(NAME), monitor)
    command = ["riscv64-unknown-elf-readelf", "-rW", *map(str, objects)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "R_RISCV_HI20" in said
    assert "R_RISCV_RELAX" not in said.replace("rela.debug", "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([NAME, "--monitor", "papers"], "unknown monitor 'papers'; did you mean 'paper'"),
        ([NAME, "--monitor"], "--monitor needs a name; choices: direct, emulate, paper, soft"),
        (
            ["mcu-fastirq", "--monitor", "paper"],
            "not for configuration mcu-fastirq; it takes memory protection .* mcu-user",
        ),
        (
            ["mcu-fastirq", "--monitor", "direct"],
            r"not for configuration mcu-fastirq; it takes .* user-level interrupts \(irq.user\)",
        ),
        (["mcu-clint", "--monitor=paper"], "not for configuration mcu-clint; it takes memory protection"),
    ],
)
def test_wrong_input(trapeze: Trapeze, tmp_path: Path, arguments: list[str], says: str) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    said = trapeze("cc", source, "--config", *arguments)
    assert said.code == 2
    assert re.search(says, said.error)


@pytest.mark.parametrize("monitor", HANDED_ON)
def test_kernel_without_a_port_for_user_mode(trapeze: Trapeze, tmp_path: Path, monitor: str) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    said = trapeze(
        "cc", "--config", NAME, "--monitor", monitor, "--rtos", "freertos", "-DconfigUSE_TICKLESS_IDLE=1", source
    )
    assert said.code != 0
    assert "not in user mode" in said.err


@pytest.mark.parametrize(("made", "linked"), [(MONITOR, SOFT), (SOFT, MONITOR), (DIRECT, SOFT), (SOFT, DIRECT)])
def test_object_for_another_scheme(trapeze: Trapeze, tmp_path: Path, made: str, linked: str) -> None:
    """It would find another meaning of the page: the linker refuses it, and leaves no program."""
    (tmp_path / "main.c").write_text("#include <trapeze/irq.h>\nint main(void) { irq_unlock_all(); return 0; }\n")
    part, whole = tmp_path / "main.o", tmp_path / "main.elf"
    assert trapeze("cc", "--config", NAME, "--monitor", made, "-c", tmp_path / "main.c", "-o", part).code == 0
    said = trapeze("cc", "--config", NAME, "--monitor", linked, part, "-o", whole)
    assert said.code != 0
    assert f"an object was compiled for --monitor {made}; compile it again for the one it is linked for" in said.err
    assert not whole.exists()


def test_section_without_end(tmp_path: Path) -> None:
    """What a program that never enables interrupts again does to itself leaves the monitor as it was."""
    what = (
        "irq_enable(3); (void)monitor_irq_disable(); monitor_yield(); "
        "for (int i = 0; i < 1000; i++) { irq_enable(3); } "
        "*(volatile uint32_t *)monitor_ram_start = 1"
    )
    code, console = run(built(tmp_path, what, SOFT), "lockstep")
    assert (code, console.count("store access fault")) == (REFUSED, 1)


@pytest.mark.parametrize(
    "what",
    [
        "monitor_page.handler = (uint32_t)monitor_rom_start; irq_enable(3); irq_unlock_all(); monitor_yield()",
        'monitor_page.mepc = (uint32_t)monitor_rom_start; (void)irq_lock(); __asm__ volatile("ecall")',
    ],
    ids=["handler", "mepc"],
)
def test_place_in_the_monitor_where_the_program_is_to_go_on(tmp_path: Path, what: str) -> None:
    """The page says it, but in user mode."""
    code, console = run(built(tmp_path, what, SOFT), "lockstep")
    assert (code, console.count("fetch access fault"), console.count("the monitor's code")) == (REFUSED, 1, 1)


# ---------------------------------------------------------------- lockstep


STOCK = {"rtos_suspended_stock"}
"""Tests of the kernel's own port, for the CLINT."""

MACHINE = {"rtos_interrupts", "rtos_level", "rtos_tickless"}
"""Tests of what a program does not have whose interrupts a monitor hands on: levels, thresholds, waiting."""

EVERY = firmware.collect()
KERNEL = [test for test in EVERY if test.rtos == "freertos" and test.name not in STOCK]
UNDER = [
    pytest.param(test, monitor, id=f"{test.name}-{monitor}")
    for monitor in MONITORS
    for test in EVERY
    if (test in KERNEL and (monitor == DIRECT or test.name not in MACHINE))
    or (test.monitor == monitor and test not in KERNEL)
    or (monitor == SOFT and test.name == "monitor_locks")
]


@pytest.mark.parametrize(("test", "monitor"), UNDER)
def test_lockstep(test: Directed, monitor: str, tmp_path: Path) -> None:
    platform = configurations.load(NAME)
    options = [f"-I{firmware.FOLDER}", f"-DTEST_HART_ID={platform.first.hart_id:#x}U", *test.args]
    elf = toolchain.build(platform, [test.path], tmp_path / "test.elf", options, test.rtos, monitor=monitor)
    outcome = simulator.measure(elf, platform, Options(engine="lockstep", max_cycles=firmware.MAX_CYCLES))
    assert test.complaint(outcome.exit_code, outcome.console.decode(errors="replace")) is None


# ---------------------------------------------------------------- experiment

CALLS = {"irq-disable", "irq-restore", "irq-is-enabled", "mutex", "flags", "message"}
CASES = {case.id: case for case in experiment_files.load("user-mode").cases}


def silent(done: int, total: int) -> None:
    """A progress that nobody looks at."""


def test_what_user_mode_costs() -> None:
    experiment = experiment_files.load("user-mode")
    rows = iterations.measure(CASES["paper"], experiment, True, silent)
    losses = {row.labels["test"]: row for row in rows if row.metric == "loss"}
    cycles = {row.labels["test"]: row.statistics.p50 for row in rows if row.metric == "call"}
    assert set(losses) == set(cycles) == {*CALLS, "yield-pingpong", "message-pingpong"}
    assert all(0 < row.statistics.p50 < 100 and row.published is not None for row in losses.values())
    assert min(cycles.values()) == cycles["irq-disable"]


def test_interrupts_of_its_own_cost_nothing() -> None:
    for name in ("direct", "direct/tick"):
        rows = iterations.measure(CASES[name], experiment_files.load("user-mode"), True, silent)
        losses = {row.labels["test"]: row.statistics.p50 for row in rows if row.metric == "loss"}
        assert losses
        assert all(abs(loss) <= 2 for loss in losses.values()), losses


def test_a_word_in_the_page_costs_little() -> None:
    """Marks: yields lose at most 15 %, calls at most 30 %. irq-restore, 3 cycles against 2, misses its own."""
    rows = iterations.measure(CASES["soft"], experiment_files.load("user-mode"), True, silent)
    losses = {row.labels["test"]: row.statistics.p50 for row in rows if row.metric == "loss"}
    assert set(losses) == {*CALLS, "yield-pingpong", "message-pingpong"}
    assert losses["yield-pingpong"] <= 15
    assert all(loss <= 30 for test, loss in losses.items() if test != "irq-restore"), losses


def test_rows_of_16_registers() -> None:
    """All schemes have them; the figures show the ABI of the first row alone."""
    named = {case.id: case for case in CASES.values() if case.config.first.abi == "ilp32e"}
    assert set(named) == {f"ilp32e/{name}" for name in ("machine", "paper", "soft", "emulate", "direct")}
    assert all(case.only_by_name for case in named.values())


def test_machine_mode_loses_nothing() -> None:
    rows = iterations.measure(CASES["machine"], experiment_files.load("user-mode"), True, silent)
    assert {row.metric for row in rows} == {"call", "instructions"}


def test_what_protected_tasks_cost() -> None:
    """The first task that runs is one of them, so this is the test of its rows, too."""
    experiment = experiment_files.load("user-mode")
    found = {
        (name, row.labels["test"]): row.statistics.p50
        for name in ("protected", "machine/tasks")
        for row in iterations.measure(CASES[name], experiment, True, silent)
        if row.metric == "call"
    }
    assert {test for _, test in found} == {"task-switch", "system-call"}
    for test in ("task-switch", "system-call"):
        assert found["machine/tasks", test] < found["protected", test] < 400
