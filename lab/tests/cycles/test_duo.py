# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What one hart of `duo` costs the other: interrupt latency beside a hart in banks of its own and in the shared bank.

The program that is measured is built for mcu-fastirq, so it runs unchanged on either hart. It uses no timer, which
would be hart 0's, and so it goes without the note by which hart 1 would refuse it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.common.edges import EdgeRange
from trapeze.experiments import measured_window
from trapeze.firmware import toolchain, toolchain_file
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

LINE = 3
ALONE = 4
"""Cycles from the line to the handler, in every cycle of code in banks of its own."""

BOUND = 3
"""Cycles in which the shared bank refuses an access at most: (N - 1)(R + 1) + R with N = 2 harts and R = 1, as an AMO
keeps the bank for a cycle more (hw/soc/README.md)."""

MAIN = """
#include <stdint.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
void window(void);
void measured(void);
int main(void)
{
	irq_level_bits_set(8);
	irq_trigger_set(IRQ_PLATFORM(3U), IRQ_TRIGGER_RISING);
	irq_level_set(IRQ_PLATFORM(3U), 255U);
	(void)irq_fast_connect(IRQ_PLATFORM(3U), measured, true);
	irq_enable(IRQ_PLATFORM(3U));
	irq_unlock_all();
	window();
	return 0;
}
"""

WINDOW = """
  .option norvc
  .section .text.window, "ax"
  .globl window, measured
  .balign 4
window:
  la s0, own
  li s1, 0x80300000
  slti x0, x0, 2
  .rept 12
  {code}
  .endr
  slti x0, x0, 3
  ret
  .balign 4
measured:
  slti x0, x0, 1
  ret
  .section .data.window, "aw"
  .balign 16
own:
  .space 64
"""

OTHER = """
int main(void)
{
	for (unsigned int i = 0U; i < 100U; i++) {
		__asm__ volatile(%s ::: "t0", "t1", "t2", "memory");
	}
	return 0;
}
"""

OWN = '"la t0, main\\n" ".rept 16\\n lw t1, 0(t0)\\n sw t1, -16(sp)\\n .endr\\n"'
HAMMER = '"li t0, 0x80300000\\n" ".rept 16\\n sw t1, 0(t0)\\n lw t1, 4(t0)\\n .endr\\n"'
AMO = '"li t0, 0x80300000\\n" ".rept 16\\n amoadd.w t2, t1, (t0)\\n .endr\\n"'


PLAIN = "lw t1, 0(s1); sw t1, 8(s1)"
ATOMIC = "amoadd.w t2, t1, (s1)"


def anywhere(elf: Path) -> Path:
    """A program that says of itself nothing of the platform that it is for."""
    processes.run([toolchain_file.data()["objcopy"], "-R", ".note.trapeze", str(elf)], check=True)
    return elf


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Programs of the other hart, by name."""
    folder = tmp_path_factory.mktemp("others")
    found = {}
    for name, code in {"own": OWN, "hammer": HAMMER, "amo": AMO}.items():
        (folder / f"{name}.c").write_text(OTHER % code)
        platform = config.load("mcu-fastirq-a" if name == "amo" else "mcu-fastirq")
        found[name] = anywhere(toolchain.build(platform, [folder / f"{name}.c"], folder / f"{name}.elf", []))
    return found


def latencies(hart: int, code: str, other: Path, folder: Path) -> list[int]:
    """Latencies of the line in every cycle of the window, the program being on this hart and `other` on the other."""
    (folder / "main.c").write_text(MAIN)
    (folder / "window.S").write_text(WINDOW.format(code=code))
    sources = [folder / "main.c", folder / "window.S"]
    platform = config.load("mcu-fastirq-a" if code == ATOMIC else "mcu-fastirq")
    elf = anywhere(toolchain.build(platform, sources, folder / "measured.elf", []))
    first, second = (elf, other) if hart == 0 else (other, elf)
    duo = config.load("duo")
    options = Options(max_cycles=100_000, others=(second,))
    cycles = measured_window.find_window(simulator.measure(first, duo, options).run, "duo")
    options = replace(options, sweep=EdgeRange(LINE, cycles.first, cycles.last, hart=hart))
    runs = simulator.measure(first, duo, options).run.sweep or ()
    assert [run.t0 for run in runs] == list(range(cycles.first, cycles.last + 1))
    assert all(run.exit == 0 and run.tx is not None for run in runs)
    return [run.tx - run.t0 for run in runs if run.tx is not None]


@pytest.mark.parametrize("hart", [0, 1])
@pytest.mark.parametrize("other", ["own", "hammer", "amo"])
def test_banks_of_its_own(tmp_path: Path, others: dict[str, Path], hart: int, other: str) -> None:
    """Whatever the other hart does, nothing is late in a hart that stays in its own banks."""
    found = latencies(hart, "lw t1, 0(s0); sw t1, 4(s0); mul t2, t1, t1", others[other], tmp_path)
    assert (min(found), max(found)) == (ALONE, ALONE)


@pytest.mark.parametrize("hart", [0, 1])
@pytest.mark.parametrize(
    ("code", "other", "late"),
    [(PLAIN, "own", 0), (PLAIN, "hammer", 1), (PLAIN, "amo", 2), (ATOMIC, "own", 1), (ATOMIC, "amo", 2)],
)
def test_the_shared_bank(tmp_path: Path, others: dict[str, Path], hart: int, code: str, other: str, late: int) -> None:
    """An access that waits for its turn delays an interrupt until its grant, never for longer than the bound."""
    found = latencies(hart, code, others[other], tmp_path)
    assert late <= BOUND
    assert (min(found), max(found)) == (ALONE, ALONE + late)


ENDS = 2
"""Cycles that the call and the return may take more or less."""

CODE = """
#include <stdint.h>
#include <stdio.h>
static void fill(uint32_t *code, unsigned int length)
{
	for (unsigned int i = 0U; i < length; i++) {
		code[i] = 0x00000013U; /* nop */
	}
	code[length] = 0x00008067U; /* ret */
	__asm__ volatile("fence.i" ::: "memory");
}
static unsigned int cycles(uint32_t *code, unsigned int length)
{
	unsigned int begin, end;

	fill(code, length);
	__asm__ volatile("csrr %0, mcycle\\n jalr %2\\n csrr %1, mcycle" : "=&r"(begin), "=&r"(end) : "r"(code) : "ra");
	return end - begin;
}
int main(void)
{
	static uint32_t own[128];
	uint32_t *shared = (uint32_t *)0x80300000U;

	printf("%u %u\\n", cycles(own, 100U) - cycles(own, 20U), cycles(shared, 100U) - cycles(shared, 20U));
	return 0;
}
"""


def test_code_in_the_shared_bank(tmp_path: Path) -> None:
    """A fetch there asks one cycle later: two cycles an instruction instead of one."""
    (tmp_path / "code.c").write_text(CODE)
    duo = config.load("duo")
    elf = toolchain.build(duo, [tmp_path / "code.c"], tmp_path / "code.elf", [])
    outcome = simulator.measure(elf, duo, Options(max_cycles=100_000))
    own, shared = (int(word) for word in outcome.console.split())
    assert (abs(own - 80) <= ENDS, abs(shared - 160) <= ENDS) == (True, True)
