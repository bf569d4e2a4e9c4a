# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the SoC with a CLIC of 4096 sources: the last one, through pin, claim, table entry, handler, mret."""

from __future__ import annotations

from typing import Any

import cocotb
from obi import cycles, reset

# The program, in assembly. It makes source 4095 edge-triggered, vectored and of the highest level, waits for three
# interrupts and a little longer, and exits with the number of interrupts; an exception exits with 99.
#
#   .option norvc
#   _start:
#   li t0, 0x80000040
#   csrw mtvec, t0
#   li t0, 0x80004000
#   csrw 0x307, t0
#   li t1, 0x80007ffc
#   li t2, 0x80000080
#   sw t2, 0(t1)
#   fence.i
#   j 1f
#   .balign 64
#   li t1, 0x100000
#   li t0, 0x00633333
#   sw t0, 0(t1)
#   j .
#   .balign 64
#   addi s1, s1, 1
#   mret
#   1: li s1, 0
#   li t1, 0x02800000
#   li t0, 8
#   sw t0, 0(t1)
#   li t1, 0x02804ffc
#   li t0, 0xff030100
#   sw t0, 0(t1)
#   csrsi mstatus, 8
#   li t0, 3
#   2: bne s1, t0, 2b
#   li t2, 100
#   3: addi t2, t2, -1
#   bnez t2, 3b
#   slli t0, s1, 16
#   li t1, 0x3333
#   or t0, t0, t1
#   li t1, 0x100000
#   sw t0, 0(t1)
#   j .
PROGRAM = (
    0x800002B7,
    0x04028293,
    0x30529073,
    0x800042B7,
    0x30729073,
    0x80008337,
    0xFFC30313,
    0x800003B7,
    0x08038393,
    0x00732023,
    0x0000100F,
    0x05C0006F,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00100337,
    0x006332B7,
    0x33328293,
    0x00532023,
    0x0000006F,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00148493,
    0x30200073,
    0x00000493,
    0x02800337,
    0x00800293,
    0x00532023,
    0x02805337,
    0xFFC30313,
    0xFF0302B7,
    0x10028293,
    0x00532023,
    0x30046073,
    0x00300293,
    0x00549063,
    0x06400393,
    0xFFF38393,
    0xFE039EE3,
    0x01049293,
    0x00003337,
    0x33330313,
    0x0062E2B3,
    0x00100337,
    0x00532023,
    0x0000006F,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
    0x00000000,
)
INTERRUPTS = 3


@cocotb.test()
async def test_claim_to_mret(dut: Any) -> None:
    """Each edge on the last of 4096 sources runs the handler once, and the program goes on behind it."""
    for index, word in enumerate(PROGRAM):
        dut.u_soc.gen_tile[0].u_tile.u_imem.mem[index].value = word
    dut.irq_last_i.value = 0
    await reset(dut)
    await cycles(dut, 100)
    for _ in range(INTERRUPTS):
        dut.irq_last_i.value = 1
        await cycles(dut, 5)
        dut.irq_last_i.value = 0
        await cycles(dut, 45)
    for _ in range(40):
        await cycles(dut, 20)
        if dut.exit_valid_o.value == 1:
            break
    assert dut.exit_valid_o.value == 1
    assert int(dut.exit_code_o.value) == INTERRUPTS
