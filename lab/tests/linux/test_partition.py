# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a hostile kernel can do to the platform: its place is taken by a program of supervisor mode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options
from verify.dev.supervisor import assembled, below

DSP = {"dram", "ring"}
AMP = DSP | {"mailbox_a", "plic", "uart"}
OPEN = {"app": {"dram"}, "amp-dsp": DSP, "amp": AMP, "amp-2": AMP}
"""Regions of the map that Linux may access; all others are closed to it."""

FIRMWARE = 0x8_0000
"""Bytes of the firmware, the first ones of main memory."""

CODE = 0x8020_0000

WALK = """
	.option norvc
	.macro	put byte
	mv	s2, a0
	li	a7, 1
	li	a0, \\byte
	ecall
	mv	a0, s2
	.endm
	.globl	_start
_start:
	la	t0, trap
	csrw	stvec, t0
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
2:	lw	a0, (s1)
	sw	a0, (s1)
3:	la	ra, 4f
	jr	s1
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
	.balign	8
table:
"""


def places(config: Config) -> dict[int, tuple[int, str]]:
    """Addresses to try, with the width of the access and the exceptions: 0 none, 1 fetch, 2 store, 4 load."""
    tried: dict[int, tuple[int, str]] = {}
    for region in json.loads(config.memory_map.read_text())["regions"]:
        name, first = region["name"], region["base"]
        end = first + region["size"]
        closed = "1" if name in OPEN[config.name] else "7"
        width = 1 if name.startswith("uart") else 4
        if name == "dram":
            tried |= {first + FIRMWARE: (4, "0"), end - 4: (4, "0")}
            tried |= {one: (4, "7") for one in (first, first + 0x1000, first + FIRMWARE - 4, end, first - 4)}
            continue
        tried[first] = (width, closed)
        if name == "clint":
            tried |= {first + at: (4, "7") for at in (4, 0x4000, 0x4008, 0x400C, 0xBFF8, 0xBFFC)}
        elif name == "ring":
            tried[end - 4] = (width, closed)
    return tried


@pytest.mark.parametrize("name", OPEN)
def test_each_region_is_open_or_closed(tmp_path: Path, name: str) -> None:
    config = configurations.load(name)
    tried = places(config)
    table = "".join(f"\t.dword {at:#x}, {width}\n" for at, (width, _) in tried.items())
    image = below(config, WALK + table + "\t.dword 0, 0\n", tmp_path)
    options = Options(max_cycles=1_000_000, engine="model", last_hart=0 if len(config.harts) > 1 else None)
    said = simulator.watch(image, config, options).console.decode().replace("\0", "")
    assert dict(zip(map(hex, tried), said, strict=True)) == {hex(at): fault for at, (_, fault) in tried.items()}
