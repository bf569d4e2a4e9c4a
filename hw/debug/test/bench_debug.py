# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the debug module: run control, registers, program buffer, errors, resets, groups."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path
from typing import Any

import cocotb
from debug_words import COMMANDS, EXECUTE, READ, WRITE
from debugger import (
    ABSTRACTCS,
    ACK_RESET,
    ACTIVE,
    ALL_ABSENT,
    ALL_ACK,
    ALL_HALTED,
    ALL_RESET,
    ALL_RUNNING,
    ALL_UNAVAILABLE,
    ANY_ABSENT,
    ANY_HALTED,
    ANY_RESET,
    ANY_RUNNING,
    AUTHENTICATED,
    AUTO,
    BUSY_COMMAND,
    BUSY_ERROR,
    CLEAR_RESET_HALT,
    COMMAND,
    CONTROL,
    CS2,
    DATA0,
    DATA1,
    DMCS2_RESUME,
    DMCS2_WRITE,
    EMBEDDED,
    EXCEPTION,
    HALT,
    HALT_RESUME,
    HALTSUM,
    HART_RESET,
    HARTINFO,
    HARTS,
    HAS_RESET_HALT,
    HASEL,
    HAWINDOW,
    IMPEBREAK,
    INCREMENT,
    NDMRESET,
    NOT_SUPPORTED,
    PENDING,
    PROGBUF0,
    PROGBUF1,
    RESUME,
    SET_RESET_HALT,
    begin,
)
from fake_hart import BASE, START, STEP
from obi import cycles

from trapeze.platform.isa import Csr

WORDS = struct.unpack(f"<{64 + 6 * len(COMMANDS)}I", Path(os.environ["WORDS"]).read_bytes())


@cocotb.test()
async def generated_instructions(dut: Any) -> None:
    """Program and commands are what the assembler makes of their text."""
    bench = await begin(dut, harts=False)
    for at, word in enumerate(WORDS[:64]):
        if word and not 0x80 <= 4 * at < 0xA0:
            assert await bench.bus.access(0, BASE + 4 * at) == word, hex(4 * at)
    await bench.bus.access(0, BASE + 0x100, data=0)  # halted
    for number, command in enumerate(COMMANDS):
        await bench.write(COMMAND, command)
        assert await bench.bus.access(0, BASE + 0x120) == 1
        words = [await bench.bus.access(0, BASE + 0x80 + 4 * at) for at in range(6)]
        assert words == list(WORDS[64 + 6 * number :][:6]), hex(command)
        await bench.bus.access(0, BASE + 0x100, data=0)
        assert await bench.read(ABSTRACTCS) & BUSY_COMMAND  # not begun: that it halted is no news
        await bench.bus.access(0, BASE + 0x104, data=0)  # going
        assert await bench.bus.access(0, BASE + 0x120) == 0
        await bench.bus.access(0, BASE + 0x100, data=0)
        assert await bench.idle() == 0


@cocotb.test()
async def halt_and_resume(dut: Any) -> None:
    """A hart halts, keeps its registers, resumes, and says so; single steps."""
    bench = await begin(dut)
    hart = bench.harts[0]
    before = hart.values
    fixed = IMPEBREAK | AUTHENTICATED | HAS_RESET_HALT | 3
    assert await bench.status() == fixed | ALL_RESET | ANY_RESET | ALL_RUNNING | ANY_RUNNING
    await bench.control(ACK_RESET)
    assert await bench.status() == fixed | ALL_RUNNING | ANY_RUNNING
    await bench.control(HALT)
    assert await bench.until(ALL_HALTED) == fixed | ALL_HALTED | ANY_HALTED
    assert await bench.read(HALTSUM) == 1
    assert await bench.read(CONTROL) == ACTIVE  # haltreq reads as zero
    assert hart.debug
    stopped = await bench.get(int(Csr.DPC))
    await bench.control(HALT | RESUME)  # resumereq is ignored
    await bench.control(0)
    assert await bench.status() & ALL_HALTED
    await bench.control(RESUME)
    assert await bench.until(ALL_ACK) & (ALL_RUNNING | ANY_HALTED) == ALL_RUNNING
    assert not hart.debug
    assert hart.values == before
    await bench.control(RESUME)  # a running hart ignores it
    assert await bench.status() & (ALL_RUNNING | ALL_ACK) == ALL_RUNNING | ALL_ACK

    await bench.halt()
    assert await bench.get(int(Csr.DPC)) > stopped
    await bench.put(int(Csr.DPC), START)
    await bench.put(int(Csr.DCSR), STEP)
    for count in range(1, 4):
        hart.frozen = True
        await bench.control(RESUME)
        assert not await bench.status() & ALL_ACK  # that of the resume before
        hart.frozen = False
        await bench.until(ALL_ACK | ALL_HALTED)
        assert await bench.get(int(Csr.DPC)) == START + 4 * count
        assert (await bench.get(int(Csr.DCSR))) >> 6 & 7 == 4
    assert hart.values == before


@cocotb.test()
async def registers(dut: Any) -> None:
    """Every register of the hart is read and written, s0 among them; RV32E lacks half of them."""
    bench = await begin(dut)
    hart = bench.harts[0]
    await bench.halt()
    there = 16 if EMBEDDED else 32
    for number in range(there):
        assert await bench.get(0x1000 + number) == hart.values[number]
    rng = random.Random(1)
    values = [0, *(rng.getrandbits(32) for _ in range(1, there))]
    for number, value in enumerate(values):
        await bench.put(0x1000 + number, value)
    await bench.put(0x1000, 0xFFFF_FFFF)
    assert [await bench.get(0x1000 + number) for number in range(there)] == values
    for number in range(there, 32):
        assert await bench.command(READ | 0x1000 + number) == EXCEPTION
        assert await bench.command(WRITE | 0x1000 + number) == EXCEPTION
    for csr in (Csr.MTVEC, Csr.MSCRATCH):
        await bench.put(int(csr), 0x1357_9BD0 + csr)
        assert await bench.get(int(csr)) == hart.csr[csr] == 0x1357_9BD0 + csr
    await bench.write(DATA0, 0xDEAD)
    for command in (READ | Csr.MISA, WRITE | Csr.MISA, WRITE | EXECUTE | Csr.MISA, READ | 0x1020):  # absent here
        assert await bench.command(command) == EXCEPTION
    await bench.put(int(Csr.DSCRATCH0), 0xDEAD)
    assert [await bench.get(0x1000 + number) for number in range(there)] == values
    await bench.control(RESUME)
    await bench.until(ALL_ACK)
    assert hart.values[:there] == values


@cocotb.test()
async def program_buffer(dut: Any) -> None:
    """Postexec, the implicit ebreak, exceptions in the buffer, data as memory; increment and abstractauto."""
    bench = await begin(dut)
    hart = bench.harts[0]
    await bench.halt()
    info = await bench.read(HARTINFO)
    assert info == 2 << 20 | 1 << 16 | 2 << 12 | (BASE + 0xC0) & 0xFFF
    assert await bench.read(ABSTRACTCS) == 2 << 24 | 1 << 11 | 2
    bench.bus.memory = {START + 4 * at: 0x100 + at for at in range(8)}
    await bench.write(PROGBUF0, 0x0004_A403)  # lw s0, 0(s1)
    await bench.write(PROGBUF1, 0x0044_8493)  # addi s1, s1, 4
    await bench.write(DATA0, START)
    assert await bench.command(WRITE | EXECUTE | 0x1009) == 0
    assert (hart.values[8], hart.values[9]) == (0x100, START + 4)
    # Each read of data0 fetches the next word: read s0, then the buffer loads s0 again.
    assert await bench.command(READ | EXECUTE | 0x1008) == 0
    await bench.write(AUTO, 0xFFFF_FFFF)
    assert await bench.read(AUTO) == 3 << 16 | 3
    await bench.write(AUTO, 1)
    assert [await bench.read(DATA0) for _ in range(4)] == [0x100, 0x101, 0x102, 0x103]
    await bench.write(AUTO, 0)
    # A store of the buffer to data1, by an address from x0.
    low = BASE + 0xC4 & 0xFFF
    await bench.write(PROGBUF0, low >> 5 << 25 | 9 << 20 | 2 << 12 | (low & 31) << 7 | 0x23)  # sw s1, data1(zero)
    await bench.write(PROGBUF1, 0x0010_0073)
    assert await bench.command(EXECUTE) == 0
    assert await bench.read(DATA1) == hart.x[9]
    # An exception in the buffer, with s0 changed before, also after a transfer of a CSR.
    await bench.write(PROGBUF0, 0x0554_0413)  # addi s0, s0, 0x55
    await bench.write(PROGBUF1, 0)
    await bench.write(DATA0, 0x700)
    for command in (EXECUTE, WRITE | EXECUTE | int(Csr.MTVEC), READ | EXECUTE | int(Csr.MTVEC)):
        before = await bench.get(0x1008)
        await bench.write(DATA0, 0x700)
        assert await bench.command(command) == EXCEPTION
        assert hart.csr[Csr.MTVEC] == (0 if command == EXECUTE else 0x700)
        assert await bench.get(0x1008) == before + 0x55
    # Increment: not after an exception.
    await bench.write(DATA0, 0xABC)
    await bench.write(AUTO, 1)
    assert await bench.command(WRITE | INCREMENT | 0x100A) == 0
    for number in range(11, 14):
        await bench.write(DATA0, number)
        assert await bench.idle() == 0
    assert hart.x[10:14] == [0xABC, 11, 12, 13]
    assert await bench.command(READ | EXECUTE | INCREMENT | 0x1005) == EXCEPTION
    await bench.write(PROGBUF0, 0x0000_0013)  # nop
    await bench.write(PROGBUF1, 0x0000_0013)
    await bench.write(DATA0, 0)
    assert await bench.idle() == 0
    await bench.write(AUTO, 0)
    assert await bench.read(DATA0) == hart.values[5]


@cocotb.test()
async def command_errors(dut: Any) -> None:
    """Each cmderr; while it is set, commands are ignored."""
    bench = await begin(dut)
    hart = bench.harts[0]
    assert await bench.command(READ | 0x1001) == HALT_RESUME  # running
    await bench.halt()
    unsupported = (
        1 << 24 | EXECUTE,
        2 << 24,
        READ | 1 << 23 | 0x1001,
        READ + (1 << 20) | 0x1001,
        READ | 0x1040,
        READ | 0x2000,
        WRITE | 0xC001,
    )
    for command in unsupported:
        assert await bench.command(command) == NOT_SUPPORTED, hex(command)
    await bench.write(COMMAND, 2 << 24)
    await bench.write(DATA0, 7)
    await bench.write(COMMAND, WRITE | 0x1001)
    assert hart.x[1] != 7
    assert await bench.idle() == NOT_SUPPORTED
    assert await bench.idle() == 0

    # A command that does not end: the hart never halts again.
    await bench.write(PROGBUF0, 0x0000_006F)  # j .
    for access in (COMMAND, ABSTRACTCS, AUTO, DATA0, DATA1, PROGBUF0, PROGBUF1):
        await bench.write(DATA1, 0x77)
        await bench.write(COMMAND, EXECUTE)
        await cycles(dut, 300)
        assert await bench.read(ABSTRACTCS) & 0x1700 == BUSY_COMMAND
        await bench.write(access, 0x700)
        assert await bench.read(ABSTRACTCS) & 0x1700 == BUSY_COMMAND | BUSY_ERROR << 8
        if HARTS > 1:
            await bench.control(HALT | HASEL, 1)  # the selection does not change meanwhile, and no hart halts
            assert await bench.read(CONTROL) == ACTIVE
            assert not bench.harts[1].debug
        # Reset of the hart ends it.
        dut.hart_reset_i.value = 1
        hart.reset()
        await cycles(dut, 300)
        dut.hart_reset_i.value = 0
        assert await bench.idle() == BUSY_ERROR
        assert await bench.read(DATA1) == 0x77
        assert await bench.read(PROGBUF0) == 0x0000_006F
        await bench.halt()
    await bench.write(COMMAND, EXECUTE)
    await cycles(dut, 300)
    assert await bench.read(DATA0) == 7
    assert await bench.read(ABSTRACTCS) & 0x700 == BUSY_ERROR << 8
    dut.hart_reset_i.value = 1
    hart.reset()
    await cycles(dut, 300)
    dut.hart_reset_i.value = 0
    await bench.idle()
    await bench.halt()
    await bench.write(COMMAND, EXECUTE)
    await cycles(dut, 300)
    dut.unavailable_i.value = 1
    assert await bench.until(ALL_UNAVAILABLE) & (ANY_HALTED | ANY_RUNNING) == 0
    assert await bench.idle() == HALT_RESUME
    assert await bench.read(HALTSUM) == 0


@cocotb.test()
async def resets(dut: Any) -> None:
    """havereset, hartreset, ndmreset, halt on reset."""
    bench = await begin(dut)
    hart = bench.harts[0]
    await bench.control(ACK_RESET)
    assert not await bench.status() & (ANY_RESET | ALL_RESET)

    async def pulse(value: int) -> None:
        dut.hart_reset_i.value = value
        for number in range(HARTS):
            if value >> number & 1:
                bench.harts[number].reset()
        await cycles(dut, 30)
        dut.hart_reset_i.value = 0

    await pulse(1)
    assert await bench.status() & (ANY_RESET | ALL_RESET) == ANY_RESET | ALL_RESET
    await bench.control(ACK_RESET)
    await bench.control(SET_RESET_HALT)
    assert not hart.debug
    await pulse(1)
    await bench.until(ALL_HALTED | ALL_RESET)
    assert await bench.get(int(Csr.DPC)) == START
    await bench.control(RESUME)
    assert await bench.until(ALL_ACK) & ALL_RUNNING  # once for each reset
    await bench.control(CLEAR_RESET_HALT)
    await pulse(1)
    await cycles(dut, 100)
    assert not hart.debug

    await bench.control(NDMRESET)
    assert int(dut.ndmreset_o.value) == 1
    assert await bench.status() & PENDING
    dut.hart_reset_i.value = (1 << HARTS) - 1
    await bench.control(HALT)
    assert int(dut.ndmreset_o.value) == 0
    assert await bench.status() & (PENDING | ALL_UNAVAILABLE) == PENDING | ALL_UNAVAILABLE
    hart.reset()
    dut.hart_reset_i.value = 0
    assert not await bench.until(ALL_HALTED) & PENDING
    assert await bench.get(int(Csr.DPC)) == START

    last = HARTS - 1
    await bench.control(HART_RESET, last)
    assert int(dut.hart_reset_o.value) == 1 << last
    assert await bench.read(CONTROL) == HART_RESET | last << 16 | ACTIVE
    await bench.control(0, last)
    assert int(dut.hart_reset_o.value) == 0


@cocotb.test()
async def several_harts(dut: Any) -> None:
    """Selection of one hart, of several, of none that exists; each hart has its own registers; groups."""
    bench = await begin(dut)
    await bench.write(CONTROL, ACTIVE | 0x3FF_FFC0)
    top = (await bench.read(CONTROL)) >> 16 & 0x3FF
    assert top == (1 if HARTS == 1 else (1 << (HARTS - 1).bit_length()) - 1)
    if top >= HARTS:
        assert await bench.status() & 0xFF00 == ANY_ABSENT | ALL_ABSENT
        assert await bench.command(READ | 0x1001) == HALT_RESUME
    if HARTS == 1:
        return
    assert HARTS == 2
    await bench.halt(1)
    assert [hart.debug for hart in bench.harts] == [False, True]
    assert await bench.read(HALTSUM) == 2
    assert await bench.get(0x1005) == 0x1105
    await bench.control(0)
    assert await bench.status() & ALL_RUNNING
    await bench.write(HAWINDOW, 0xFFFF_FFFF)
    assert await bench.read(HAWINDOW) == 3
    await bench.control(HASEL)
    both = ANY_HALTED | ALL_HALTED | ANY_RUNNING | ALL_RUNNING
    assert await bench.status() & both == ANY_HALTED | ANY_RUNNING
    await bench.control(HASEL | HALT)
    await bench.until(ALL_HALTED)
    await bench.control(HASEL)
    assert await bench.get(0x1005) == 0x105  # the command is that of hartsel
    await bench.control(HASEL | RESUME)
    assert await bench.until(ALL_ACK) & both == ANY_RUNNING | ALL_RUNNING
    await bench.write(HAWINDOW, 2)
    await bench.control(HASEL | HART_RESET, 0)
    assert int(dut.hart_reset_o.value) == 3
    await bench.control(HASEL, 0)
    await bench.control(0, 0)

    # A resume group is no halt group.
    for number in range(2):
        await bench.control(0, number)
        await bench.write(CS2, DMCS2_RESUME | 1 << 2 | DMCS2_WRITE)
    await bench.halt(0)
    assert not bench.harts[1].debug
    await bench.control(RESUME, 0)
    await bench.until(ALL_ACK)

    # Halt group 3, resume group 2. A write of a group that does not exist is ignored.
    await bench.write(CS2, DMCS2_WRITE | 4 << 2)
    assert await bench.read(CS2) == 0
    for group, kind in ((3, 0), (2, DMCS2_RESUME)):
        for number in range(2):
            await bench.control(0, number)
            await bench.write(CS2, kind | group << 2 | DMCS2_WRITE)
            assert await bench.read(CS2) == kind | group << 2
    await bench.halt(0)
    await bench.control(0, 1)
    await bench.until(ALL_HALTED)
    await bench.control(RESUME, 1)
    await bench.until(ALL_ACK)
    await bench.control(0, 0)
    await bench.until(ALL_ACK | ALL_RUNNING)
    assert int(dut.debug_req_o.value) == 0
