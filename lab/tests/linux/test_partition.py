# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a hostile kernel can do to the platform: its place is taken by a program of supervisor mode."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.supervisor import assembled, below

DSP = {"dram", "ring", "bell_pages"}
AMP = DSP | {"mailbox_a", "plic", "uart"}
OPEN = {"app": {"dram"}, "amp-dsp": DSP, "amp": AMP, "amp-2": AMP}
"""Regions of the map that Linux may access; all others are closed to it."""

FIRMWARE = 0x8_0000
"""Bytes of the firmware, the first ones of main memory."""

SHARE = 1.25
"""Most that work on hart 1 is slowed down by a storm of doorbells."""

WALK = """
	.option norvc
	.globl	_start
_start:
	li	t0, {hart}		/* of the accesses: this one starts it */
	beq	a0, t0, walk
	mv	a0, t0
	la	a1, walk
	li	a7, 0x48534d
	li	a6, 0
	ecall
	j	.
walk:	la	t0, trap
	csrw	stvec, t0
	la	t1, root		/* identity, by pages of 1 GiB */
	li	t0, 0xcf
	li	t2, 1 << 28
	li	t3, 4
0:	sd	t0, (t1)
	add	t0, t0, t2
	addi	t1, t1, 8
	addi	t3, t3, -1
	bnez	t3, 0b
	li	t0, 0x20000001		/* a table in the firmware's memory, for the next GiB */
	sd	t0, (t1)
	la	t1, root
	srli	t1, t1, 12
	li	t0, {mode} << 60
	or	t0, t0, t1
	sfence.vma
	csrw	satp, t0
	sfence.vma
	la	s0, table
1:	ld	s1, (s0)
	lb	s3, 8(s0)
	addi	s0, s0, 16
	beqz	s3, end
	li	s4, 0			/* exceptions, each shifted in */
	addi	s3, s3, -1
	bnez	s3, 2f
	lb	a0, (s1)
	sb	zero, (s1)
	j	3f
2:	addi	s3, s3, -1
	beqz	s3, 7f
	lw	a0, (s1)
	sw	a0, (s1)
3:	la	ra, 4f
	jr	s1
	j	4f
7:	.insn	i 0xf, 2, x0, s1, {block}	/* of the cache */
4:	addi	a0, s4, 48
	li	a7, 1
	ecall
	j	1b
end:	li	a7, 0x53525354
	li	a6, 0
	li	a0, 0
	li	a1, 0
	ecall
	.balign	4
trap:	csrr	t0, scause
	li	t1, 1			/* 1: fetch, 2: store, 4: load */
	li	t2, 1
	beq	t0, t1, 5f
	li	t1, 5
	li	t2, 4
	beq	t0, t1, 6f
	li	t1, 7
	li	t2, 2
	beq	t0, t1, 6f
	li	t2, 0			/* executed, and no access fault */
5:	or	s4, s4, t2
	csrw	sepc, ra
	sret
6:	or	s4, s4, t2
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	sret
	.balign	4096
root:	.zero	4096
table:
"""

BYTE, BLOCK, WORD = 1, 2, 4
"""Accesses. BLOCK: an instruction for a block of the cache."""

INVALIDATE, CLEAN, FLUSH = 0, 1, 2
"""Its immediate."""

BARE, SV39 = 0, 8
"""Modes of satp."""


def places(config: Config) -> dict[int, tuple[int, str]]:
    """Addresses to try, with the kind of access and the exceptions: 0 none, 1 fetch, 2 store, 4 load."""
    tried: dict[int, tuple[int, str]] = {1 << 32: (WORD, "7")}
    for region in config.platform.regions:
        name, first, end = region.name, region.base, region.end
        closed = "1" if name in OPEN[config.name] else "7"
        access = BYTE if name.startswith("uart") else WORD
        if name == "dram":
            tried |= {first + FIRMWARE: (WORD, "0"), end - 4: (WORD, "0")}
            tried |= dict.fromkeys(
                (first, first + 0x1000, first + FIRMWARE - 4, first + FIRMWARE - 2, end), (WORD, "7")
            )
            continue
        tried[first] = (access, closed)
        if name == "clint":
            tried |= {first + at: (WORD, "7") for at in (4, 0x4000, 0x4008, 0x400C, 0xBFF8, 0xBFFC)}
        elif name == "ring":
            tried[end - 4] = (access, closed)
    return tried


def walked(folder: Path, config: Config, tried: dict[int, tuple[int, str]], **values: int) -> dict[str, str]:
    """What a program of supervisor mode meets at each address."""
    program = WALK.format(**{"hart": 0, "mode": BARE, "block": 0} | values)
    table = "".join(f"\t.dword {at:#x}, {width}\n" for at, (width, _) in tried.items())
    image = below(config, f"{program}{table}\t.dword 0, 0\n", folder)
    options = Options(max_cycles=1_000_000, engine="model", last_hart=0 if len(config.harts) > 1 else None)
    said = simulator.watch(image, config, options).console.decode().replace("\0", "")
    return dict(zip(map(hex, tried), said, strict=True))


@pytest.mark.parametrize("mode", [BARE, SV39])
@pytest.mark.parametrize(("name", "hart"), [*((name, 0) for name in OPEN), ("amp-2", 2)])
def test_each_region_is_open_or_closed(tmp_path: Path, name: str, hart: int, mode: int) -> None:
    config = configurations.load(name)
    tried = places(config)
    assert walked(tmp_path, config, tried, hart=hart, mode=mode) == {hex(at): said for at, (_, said) in tried.items()}


@pytest.mark.parametrize("block", [INVALIDATE, CLEAN, FLUSH])
def test_no_instruction_for_the_cache_reaches_closed_memory(tmp_path: Path, block: int) -> None:
    closed = (0x8000_0000, 0x8007_FFC0, 0x8400_0000, 0x8420_0000, 0x8440_0000)
    tried = dict.fromkeys(closed, (BLOCK, "2")) | dict.fromkeys((0x8008_0000, 0x8430_0000), (BLOCK, "0"))
    said = walked(tmp_path, configurations.load("amp-dsp"), tried, block=block)
    assert said == {hex(at): fault for at, (_, fault) in tried.items()}


COUNTS = """
	.globl	_start
_start:
	li	s0, 0x2000000
	li	s1, 0
1:	csrr	t0, mip			/* a first ring, then those of 100 intervals */
	andi	t0, t0, 8
	beqz	t0, 1b
	li	s2, 0x200bff8
	ld	s3, (s2)
	li	t0, 200000
	add	s3, s3, t0
2:	csrr	t0, mip
	andi	t0, t0, 8
	beqz	t0, 3f
	sw	zero, 4(s0)
	addi	s1, s1, 1
3:	ld	t0, (s2)
	bltu	t0, s3, 2b
	slli	s1, s1, 16
	li	t0, 0x3333
	or	s1, s1, t0
	li	t0, 0x100000
	sw	s1, (t0)
	j	.
"""

RINGS = """
	.macro	ring
	li	a7, 0x735049
	li	a6, 0
	li	a0, 2
	li	a1, 0
	ecall
	.endm
	.globl	_start
_start:
"""

STORM = RINGS + "1:	ring\n	j 1b\n"

TWICE_AND_A_TIMER = (
    RINGS
    + """
	ring
	ring			/* these two wait, as one */
	ring
	rdtime	s0
	li	a7, 0x54494d45
	li	a6, 0
	addi	a0, s0, 500
	ecall
1:	csrr	t0, sip
	andi	t0, t0, 32
	beqz	t0, 1b
	rdtime	t0
	sub	t0, t0, s0
	li	t1, 600
	bltu	t0, t1, .		/* on time: the next call asks for no timer */
	ring
	j	.
"""
)


@pytest.mark.parametrize(
    ("program", "rings"),
    [pytest.param(STORM, range(90, 102), id="storm"), pytest.param(TWICE_AND_A_TIMER, range(2, 3), id="timer")],
)
@pytest.mark.parametrize("turn", [1, 50])
def test_rings_of_the_firmware_are_bounded_and_none_is_lost(
    tmp_path: Path, program: str, rings: range, turn: int
) -> None:
    config = configurations.load("amp-dsp")
    beside = assembled(COUNTS, 0x8400_0000, tmp_path / "counts.elf")
    options = Options(max_cycles=1_000_000, engine="model", others=(beside,), last_hart=1, turn=turn)
    assert simulator.watch(below(config, program, tmp_path), config, options).run.code in rings


MAILBOX = """
	.globl	_start
_start:
	li	t0, 0x10020000
	li	t1, 1
1:	sw	t1, {offset}(t0)
	j	1b
"""

SEND, RING = 4, 12


def cycles(config: Config, folder: Path, firmware: Path, program: str) -> tuple[int, int]:
    """Cycles and ticks of hart 1's work while a program runs in the kernel's place."""
    options = Options(max_cycles=40_000_000, engine="model", others=(firmware,), last_hart=1, turn=1)
    said = simulator.watch(below(config, program, folder), config, options)
    found = re.search(rb"cycles (\d+) ticks (\d+)", said.console)
    assert found, said.console
    assert said.exit_code == 0
    return int(found[1]), int(found[2])


@pytest.mark.parametrize(("name", "offset"), [("amp", RING), ("amp", SEND), ("amp-dsp", None)])
def test_a_storm_takes_a_bounded_share_of_the_other_hart(tmp_path: Path, name: str, offset: int | None) -> None:
    config = configurations.load(name)
    jobs = offset != SEND
    source = Path(__file__).parent / "partition" / "work.c"
    settings = "freertos-jobs" if jobs else "freertos"
    firmware = toolchain.build(config, [source], tmp_path / "work.elf", ["-DJOBS"] if jobs else [], settings)
    storm = STORM if offset is None else MAILBOX.format(offset=offset)
    quiet, _ = cycles(config, tmp_path, firmware, "\t.globl _start\n_start: j _start\n")
    loud, ticks = cycles(config, tmp_path, firmware, storm)
    assert 1.0 < loud / quiet < SHARE
    assert abs(ticks - loud // 100_000) <= 1, "no tick is lost"
