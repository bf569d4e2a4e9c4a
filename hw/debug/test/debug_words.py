# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the debug memory must hold, in assembly: its program, and the instructions of some commands."""

from __future__ import annotations

from trapeze.platform.isa import Csr

PROGRAM = """
        .option norvc
        .org 0x000
halt:   csrw dscratch0, s0
loop:   sw zero, (BASE + 0x100)(zero)
        lw s0, (BASE + 0x120)(zero)
        beqz s0, loop
        bltz s0, resume
        csrr s0, dscratch0
        sw zero, (BASE + 0x104)(zero)
        j command
        .org 0x020
resume: csrr s0, dscratch0
        sw zero, (BASE + 0x108)(zero)
        .word 0x7b200073
        .org 0x040
        sw zero, (BASE + 0x10c)(zero)
        csrw dscratch1, s0
        lw s0, (BASE + 0x124)(zero)
        bnez s0, loop
        csrr s0, dscratch1
        j halt
        .org 0x080
command:
        .org 0x0a0
        ebreak
"""

READ, WRITE, EXECUTE = 2 << 20 | 1 << 17, 2 << 20 | 3 << 16, 1 << 18

COMMANDS: dict[int, str] = {
    0: "nop; nop; nop; nop; nop; ebreak",
    EXECUTE: "nop; nop; nop; nop; nop; nop",
    READ | 0x1000: "sw x0, DATA(zero); nop; nop; nop; nop; ebreak",
    READ | 0x1008: "sw s0, DATA(zero); nop; nop; nop; nop; ebreak",
    READ | 0x101F: "sw x31, DATA(zero); nop; nop; nop; nop; ebreak",
    WRITE | 0x1001: "lw x1, DATA(zero); nop; nop; nop; nop; ebreak",
    WRITE | EXECUTE | 0x1015: "lw x21, DATA(zero); nop; nop; nop; nop; nop",
    READ | 0x1020: "fsw f0, DATA(zero); nop; nop; nop; nop; ebreak",
    WRITE | 0x103B: "flw f27, DATA(zero); nop; nop; nop; nop; ebreak",
    READ | Csr.MISA: "csrw dscratch0, s0; csrr s0, misa; sw s0, DATA(zero); csrr s0, dscratch0; "
    "sw zero, RESTORED(zero); ebreak",
    WRITE | Csr.MTVEC: "csrw dscratch0, s0; lw s0, DATA(zero); csrw mtvec, s0; csrr s0, dscratch0; "
    "sw zero, RESTORED(zero); ebreak",
    WRITE | EXECUTE | Csr.DPC: "csrw dscratch0, s0; lw s0, DATA(zero); csrw dpc, s0; csrr s0, dscratch0; "
    "sw zero, RESTORED(zero); nop",
    WRITE | Csr.DSCRATCH0: "csrw dscratch1, s0; lw s0, DATA(zero); csrw dscratch0, s0; csrr s0, dscratch1; "
    "sw zero, RESTORED(zero); ebreak",
}
"""Abstract commands, and their six instructions."""


def source(base: int) -> str:
    """The assembly of all: the program, padded to 0x100 bytes, then the commands. `base` is that of the memory."""
    low = base & 0xFFF
    low -= 0x1000 * (low >= 0x800)
    names = f"        .equ BASE, {low}\n        .equ DATA, BASE + 0x0c0\n        .equ RESTORED, BASE + 0x110\n"
    return "\n".join([names, PROGRAM, "        .org 0x100", *COMMANDS.values(), ""])
