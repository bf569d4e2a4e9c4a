# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Why an interrupt that user mode handles was late: machine mode ran, or memory protection searched for its frame."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from trapeze.common.edges import Edge
from trapeze.explaining import gates, masked
from trapeze.explaining.breakdown import Cause
from trapeze.explaining.gates import Gate
from trapeze.explaining.rerun import Rerun
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Judged, Raised, Record, Retired, Stored, Written, read

PROTECTED = r"""
#include <stdlib.h>
#include <trapeze/map.h>
#include <trapeze/marker.h>
#include <trapeze/pmp.h>
#include <trapeze/trap.h>
#include <trapeze/user.h>
static struct {
	volatile int samples;
	char stack[1020] __attribute__((aligned(4)));
} user __attribute__((aligned(1024)));
static const struct pmp_region regions[] = {
	{"code", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE},
	{"user", (uintptr_t)&user, sizeof(user), PMP_READ | PMP_WRITE},
};
static void on_sensor(void)
{
	TRAPEZE_MARKER(1);
	user.samples++;
}
static void program(void)
{
	csr_set(CSR_USTATUS, USTATUS_UIE);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("ecall" : : : "memory");
		for (volatile int k = 0; k < 20; k++) {
		}
	}
	__asm__ volatile("mv sp, %0\n 1: j 1b" : : "r"(TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE));
}
static bool rows(struct trap_frame *frame)
{
	if ((frame->mcause & MCAUSE_CODE) != MCAUSE_ECALL_U) {
		for (volatile int k = 0; k < 100; k++) {
		}
		exit(0);
	}
	(void)pmp_regions_set(regions, 2);
	frame->mepc += 4;
	return true;
}
int main(void)
{
	if (pmp_regions_set(regions, 2) < 0 || user_irq_give(IRQ_PLATFORM(3), 100, on_sensor) != 0) {
		return 2;
	}
	(void)trap_set_handler(rows);
	user_enter(program, &user + 1);
}
"""
"""Machine mode writes the rows again at each call; at last sp points to memory that user mode may not store to."""

LOCKS = r"""
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static void on_event(void *arg) { (void)arg; TRAPEZE_MARKER(1); }
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (volatile int k = 0; k < ROUNDS; k++) {
	}
	for (;;) {
		unsigned int key = irq_lock();
		for (volatile int k = 0; k < 50; k++) {
		}
		irq_unlock(key);
	}
}
"""

TASKS = r"""
#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static void on_event(void *arg) { (void)arg; TRAPEZE_MARKER(1); }
static void task(void *arg)
{
	(void)arg;
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	for (;;) {
		taskYIELD();
	}
}
int main(void)
{
	xTaskCreate(task, "a", 256, NULL, 2, NULL);
	xTaskCreate(task, "b", 256, NULL, 2, NULL);
	vTaskStartScheduler();
	return 1;
}
"""


def run_of(elf: Path, config: str, cycle: int) -> tuple[Rerun, Run]:
    """A run in which line 3 rises in a cycle."""
    watched = Rerun(elf, configurations.load(config), Options(irq=(Edge(3, cycle),), max_cycles=cycle + 3000))
    return watched, simulator.watch(elf, watched.config, watched.options).run


def waits(elf: Path, config: str, cycle: int) -> list[Cause]:
    """Why line 3, which rises in a cycle, waits."""
    watched, run = run_of(elf, config, cycle)
    (one,) = (one for one in run.interrupts if one.line == 3)
    end = one.tx if one.tx is not None else run.cycles - 1
    return [cause for cause in watched.causes(one, 0, 3, end) if cause.part == "wait"]


@pytest.fixture
def protected(tmp_path: Path) -> Path:
    """The program that sets rows again and again."""
    (tmp_path / "p.c").write_text(PROTECTED)
    return toolchain.build(configurations.load("mcu-user"), [tmp_path / "p.c"], tmp_path / "p.elf")


def searches(elf: Path, trace: Path) -> tuple[list[list[int]], list[list[int]]]:
    """From the trace by itself: the cycles of machine mode's visits, and of the searches of memory protection."""
    simulator.watch(elf, configurations.load("mcu-user"), Options(trace=trace, max_cycles=12_000))
    records = [json.loads(line) for line in trace.open()]
    calls = [one["cycle"] for one in records if one.get("exception", {}).get("cause") == 8]
    returns = [one["cycle"] for one in records if one.get("asm") == "mret"]
    judged = [one["cycle"] for one in records if one.get("kind") == "frame-judge"]
    visits = [[call, next(one for one in returns if one > call)] for call in calls]
    return visits, [list(one) for one in zip(judged[::2], judged[1::2], strict=True)]


def test_machine_mode_and_rows(protected: Path, tmp_path: Path) -> None:
    """A line waits for machine mode, then for the search, each for the cycles that the hardware reports."""
    visits, searched = searches(protected, tmp_path / "t.jsonl")
    assert len(visits) == 3
    for begin, end in visits[1:]:
        (search,) = (one for one in searched if one[0] == end)
        for cycle in (begin + 5, end - 20, end - 3):
            machine, rows = waits(protected, "mcu-user", cycle)
            assert (machine.gate, machine.begin, machine.cycles) == (Gate.MODE, cycle + 1, end - cycle - 1)
            assert re.match(r"in machine mode: \w+, since exception: .* until `mret` at __trap_save", machine.what)
            assert (rows.gate, rows.begin, rows.cycles) == (Gate.FRAME, search[0], search[1] - search[0])
            assert re.search(r"its frame may be stored: rows were written by `csrw pmp.*pmp_regions_set", rows.what)


def test_refused_frame(protected: Path, tmp_path: Path) -> None:
    """sp points elsewhere: machine mode gets an exception in place of the interrupt, and keeps it back from then on."""
    simulator.watch(protected, configurations.load("mcu-user"), Options(trace=tmp_path / "t.jsonl", max_cycles=12000))
    with (tmp_path / "t.jsonl").open() as lines:
        known = [one for one in read(lines) if isinstance(one, Retired)]
    moved = next(one.cycle for one in known if one.mode == 0 and one.text == "mv sp,a5")
    search, refused, machine = waits(protected, "mcu-user", moved + 2)
    assert (search.gate, refused.gate, machine.gate) == (Gate.FRAME, None, Gate.MODE)
    assert (refused.cycles, refused.what) == (1, "behind exception: frame store fault, which came first")
    assert re.search(r"sp left the range that was known by `mv sp,a5` at program", search.what)
    assert "since exception: frame store" in machine.what


@pytest.mark.parametrize(("monitor", "csr"), [(None, "mstatus"), ("direct", "ustatus")])
@pytest.mark.parametrize("rounds", [10, 25_000], ids=["from the reset", "from later on"])
def test_locked(tmp_path: Path, monitor: str | None, csr: str, rounds: int) -> None:
    """The lock that keeps a line back is found in both modes; also where the trace begins shortly before the edge."""
    (tmp_path / "p.c").write_text(LOCKS.replace("ROUNDS", str(rounds)))
    elf = toolchain.build(configurations.load("mcu-user"), [tmp_path / "p.c"], tmp_path / "p.elf", monitor=monitor)
    base = 220_000 if rounds > 10 else 3_000
    found = [cause for cycle in (base, base + 97) for cause in waits(elf, "mcu-user", cycle)]
    assert found
    for cause in found:
        assert cause.gate is Gate.MIE
        assert re.fullmatch(rf"masked since `csrrci \w+,{csr},\d` at main.* until `csrs {csr},\w+` at .*", cause.what)


@pytest.mark.parametrize(("monitor", "lock"), [("paper", "ecall"), ("soft", r"sw zero,16\(\w+\)")])
@pytest.mark.parametrize("rounds", [10, 25_000], ids=["from the reset", "from later on"])
def test_held_back(tmp_path: Path, monitor: str, lock: str, rounds: int) -> None:
    """A monitor holds a line back while its word is 0: the lock is named, also where no unlock follows."""
    enable = "irq_enable(IRQ_PLATFORM(3));"
    # A line that falls when the monitor is entered is to stay pending.
    text = LOCKS.replace(enable, f"irq_trigger_set(IRQ_PLATFORM(3), IRQ_TRIGGER_RISING); {enable}")
    text = "#include <trapeze/irq_clic.h>" + text.replace("ROUNDS", str(rounds))
    base = 250_000 if rounds > 10 else 3_000
    for forever in (False, True) if rounds == 10 else (False,):
        (tmp_path / "p.c").write_text(text.replace("k < 50", "k < 0x7fffffff") if forever else text)
        elf = toolchain.build(configurations.load("mcu-user"), [tmp_path / "p.c"], tmp_path / "p.elf", monitor=monitor)
        causes = [one for cycle in (base, base + 97) for one in waits(elf, "mcu-user", cycle) if one.gate is Gate.WORD]
        assert causes
        end = "" if forever else r", until `ecall` at main\S* in cycle \d+"
        for cause in causes:
            assert re.fullmatch(rf"masked since `{lock}` at main\S* in cycle \d+{end}: .*", cause.what), cause.what


def test_a_kernel_says_the_same_in_both_modes(tmp_path: Path) -> None:
    """A yield of FreeRTOS: mcu-user knows machine mode's reasons as mcu-fastirq does, and user mode's likewise."""
    (tmp_path / "p.c").write_text(TASKS)
    kinds = [("mcu-fastirq", None), ("mcu-user", None), ("mcu-user", "direct")]
    found = []
    for number, (config, monitor) in enumerate(kinds):
        platform, elf = configurations.load(config), tmp_path / f"{number}.elf"
        toolchain.build(platform, [tmp_path / "p.c"], elf, rtos="freertos", monitor=monitor)
        begin = next(
            one.worst[0]
            for who, one in masked.find(Rerun(elf, platform, Options(max_cycles=95_000))).items()
            if (who.by, who.until) == ("freertos_yield_bare", "freertos_yield_bare")
        )
        (cause,) = waits(elf, config, begin + 3)
        assert cause.gate is Gate.THRESHOLD
        found.append(re.sub(r" in cycle \d+", "", cause.what).replace("uintthresh", "mintthresh"))
    assert "the threshold is 127, the line's level 15" in found[0]
    assert found == found[:1] * 3


def test_stretches_of_both_modes() -> None:
    """Start-up does not count; each way in which user mode's interrupts are masked has rows of its own."""

    def written(cycle: int, name: str, value: int, mode: int = 0) -> Retired:
        return Retired(cycle, 0x100, "csrw", f"{name},a0", csr=Written(name, value), mode=mode)

    def stored(address: int, value: int = 0) -> Stored:
        return Stored(address, value, 1)

    source = gates.source(configurations.load("mcu-user"), 0, 3, reset=True)
    attributes = source.registers + 2
    given = [
        Retired(number, 0x80, "sb", "", store=stored(attributes + 4 * number)) for number in range(source.hart.sources)
    ]
    begin = 1000
    trace: list[Record] = [
        *given,
        Retired(begin, 0x84, "sw", "", store=stored(source.configuration, 1 << 4)),
        written(begin + 5, "ufastirq", 1, mode=3),
        Retired(begin + 6, 0x90, "uret", "", mode=3),
        Judged(begin + 8, True),
        Judged(begin + 15, False),
        written(begin + 20, "ustatus", 1),
        written(begin + 30, "ustatus", 0),
        written(begin + 37, "ustatus", 1),
        written(begin + 40, "uintthresh", 9),
        written(begin + 44, "uintthresh", 0),
        Retired(begin + 50, 0x100, "ecall", "", mode=0),
        Raised(begin + 50, "call"),
        Retired(begin + 61, 0x88, "mret", "", mode=3),
        Judged(begin + 70, True),
        Judged(begin + 72, False),
        Retired(begin + 80, 0x100, "nop", "", mode=0),
    ]
    found = masked.stretches(trace, {0: source}, {0: [(range(0x80, 0x100), "machine"), (range(0x100, 0x200), "user")]})
    assert {(who.how, who.by, who.until): dict(one.lengths) for who, one in found.items()} == {
        ("UIE", "user", "user"): {7: 1},
        ("uintthresh", "user", "user"): {4: 1},
        ("mode", "exception: call", "machine"): {11: 1},
        ("frame", "machine", "memory protection"): {2: 1},
    }
