# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the transport and of what needs no hart: clocks, system bus, dmactive, authentication."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from debugger import (
    ABSTRACTCS,
    ACTIVE,
    ALL_HALTED,
    AUTH_BUSY,
    AUTHDATA,
    AUTO,
    COMMAND,
    CONTROL,
    CS2,
    DATA0,
    DATA1,
    HALT,
    HARTS,
    HAWINDOW,
    NDMRESET,
    PROGBUF0,
    PROGBUF1,
    SB_BUSY_ERROR,
    SB_INCREMENT,
    SB_ON_ADDRESS,
    SB_ON_DATA,
    SBADDRESS,
    SBCS,
    SBDATA,
    SET_RESET_HALT,
    begin,
)
from jtag import BUSY, BYPASS, DMI_RESET, DTMCS, HARD_RESET, IDCODE, NOP
from jtag import READ as DMI_READ
from jtag import WRITE as DMI_WRITE
from obi import cycles


@cocotb.test()
async def transport(dut: Any) -> None:
    """IDCODE, BYPASS, instructions that do not exist, the capture value of IR, dtmcs."""
    bench = await begin(dut)
    jtag = bench.jtag
    await jtag.reset()
    assert await jtag.scan(None, 0, 32) == 0x1234_5677  # selected by the reset
    assert await jtag.select(BYPASS) == 1
    for register in (BYPASS, 0x00, 0x02, 0x12, 0x1E):
        assert await jtag.scan(register, 0xA5, 8) == 0xA5 << 1 & 0xFF
    assert await jtag.scan(IDCODE, 0, 32) == 0x1234_5677
    assert await jtag.scan(DTMCS, 0, 32) == 5 << 12 | 7 << 4 | 1
    assert int(dut.tdo_oe_o.value) == 0
    assert await bench.read(CONTROL) == ACTIVE


@cocotb.test()
async def dmi_busy(dut: Any) -> None:
    """An access that had no time is busy; the status stays, accesses are ignored until dmireset."""
    bench = await begin(dut)
    jtag = bench.jtag
    await bench.write(DATA0, 1)
    jtag.half, jtag.idle = 2, 0  # tck five times as fast as the clock
    await jtag.dmi(DMI_WRITE, DATA0, 2)
    assert (await jtag.dmi(DMI_WRITE, DATA0, 3))[0] == BUSY
    jtag.half, jtag.idle = 17, 6
    assert (await jtag.dmi(DMI_WRITE, DATA0, 4))[0] == BUSY
    assert (await jtag.dtmcs()) >> 10 & 3 == BUSY
    assert (await jtag.dmi(DMI_READ, DATA0))[0] == BUSY
    await jtag.dtmcs(DMI_RESET)
    assert (await jtag.dtmcs()) >> 10 & 3 == 0
    assert await bench.read(DATA0) == 2  # the first had begun
    # A hard reset does so, too. The next access must not be lost.
    jtag.half, jtag.idle = 2, 0
    await jtag.dmi(DMI_READ, DATA0)
    assert (await jtag.dmi(NOP))[0] == BUSY
    jtag.half, jtag.idle = 17, 6
    await jtag.dtmcs(HARD_RESET)
    assert (await jtag.dmi(NOP))[0] == 0
    assert await bench.read(DATA0) == 2


@cocotb.test()
async def any_ratio_of_clocks(dut: Any) -> None:
    """From tck much slower than the clock to faster: each access is made once, in order, with its data."""
    bench = await begin(dut)
    jtag = bench.jtag
    rng = random.Random(2)
    await bench.write(SBCS, SB_INCREMENT | 2 << 17)
    for half, idle in ((500, 0), (51, 2), (9, 5), (5, 8), (4, 12), (2, 30)):
        jtag.half, jtag.idle = half, idle
        address = 0x8000_0000 + 0x100 * half
        await bench.write(SBADDRESS, address)
        values = [rng.getrandbits(32) for _ in range(6)]
        for value in values:
            await bench.write(SBDATA, value)
        assert await bench.read(SBADDRESS) == address + 24
        stored = [bench.system.bytes[address + at] for at in range(24)]
        assert bytes(stored) == b"".join(value.to_bytes(4, "little") for value in values)
    assert len(bench.system.accesses) == 36


@cocotb.test()
async def system_bus(dut: Any) -> None:
    """Sizes, lanes, increment, reads by address and by data, errors, busy."""
    bench = await begin(dut)
    memory = bench.system.bytes
    assert await bench.read(SBCS) == 1 << 29 | 2 << 17 | 32 << 5 | 7
    for size in (0, 1, 2):
        step = 1 << size
        rng = random.Random(size)
        address = 0x8000_0000 + 0x40 * size
        await bench.write(SBCS, size << 17 | SB_INCREMENT)
        await bench.write(SBADDRESS, address)
        values = [rng.getrandbits(8 * step) for _ in range(9)]
        for value in values:
            await bench.write(SBDATA, value)
        assert bytes(memory[address + at] for at in range(9 * step)) == b"".join(
            value.to_bytes(step, "little") for value in values
        )
        assert address + 9 * step not in memory
        bench.system.accesses.clear()
        await bench.write(SBCS, size << 17 | SB_INCREMENT | SB_ON_ADDRESS | SB_ON_DATA)
        await bench.write(SBADDRESS, address)
        assert [(await bench.read(SBDATA)) & (1 << 8 * step) - 1 for _ in range(9)] == values
        assert len(bench.system.accesses) == 10
        assert await bench.read(SBADDRESS) == address + 10 * step

    async def error_of(size: int, address: int) -> int:
        await bench.write(SBCS, size << 17)
        await bench.write(SBADDRESS, address)
        await bench.write(SBDATA, 0x55)
        value = (await bench.read(SBCS)) >> 12 & 7
        count = len(bench.system.accesses)
        await bench.write(SBDATA, 0x66)  # ignored if there is an error
        assert value == 0 or len(bench.system.accesses) == count
        await bench.write(SBCS, 7 << 12)
        assert (await bench.read(SBCS)) >> 12 & 7 == 0
        return value

    assert await error_of(2, 0x8000_0100) == 0
    assert await error_of(2, 0x9000_0000) == 2
    assert await error_of(2, 0x8000_0102) == 3
    assert await error_of(1, 0x8000_0101) == 3
    assert await error_of(3, 0x8000_0100) == 4
    assert await error_of(4, 0x8000_0100) == 4

    bench.system.stuck = True
    await bench.write(SBCS, 2 << 17)
    await bench.write(SBADDRESS, 0x8000_0200)
    await bench.write(SBDATA, 0x1111)
    assert await bench.read(SBCS) & (1 << 21 | SB_BUSY_ERROR) == 1 << 21
    await bench.write(SBADDRESS, 0x8000_0300)
    await bench.write(SBDATA, 0x2222)
    assert await bench.read(SBCS) & SB_BUSY_ERROR
    bench.system.stuck = False
    await cycles(dut, 20)
    assert await bench.read(SBCS) & (1 << 21 | SB_BUSY_ERROR) == SB_BUSY_ERROR
    await bench.write(SBDATA, 0x3333)  # ignored
    await bench.write(SBCS, SB_BUSY_ERROR | 2 << 17)
    assert await bench.read(SBADDRESS) == 0x8000_0200
    assert (memory[0x8000_0200], memory.get(0x8000_0300)) == (0x11, None)


@cocotb.test()
async def inactive(dut: Any) -> None:
    """With dmactive off all has its reset value, and nothing but dmactive can be written."""
    bench = await begin(dut)
    bench.system.stuck = True
    await bench.halt()
    await bench.control(HALT | SET_RESET_HALT, HARTS - 1)
    written = {DATA0: 5, DATA1: 6, PROGBUF0: 7, PROGBUF1: 8, AUTO: 3, SBCS: 1 << 17, HAWINDOW: 1}
    for register, value in written.items():
        await bench.write(register, value)
    await bench.write(AUTO, 0)
    await bench.write(SBADDRESS, 0x8000_0400)
    await bench.write(SBDATA, 9)  # waits for the bus
    await bench.write(COMMAND, 2 << 24)
    await bench.write(CONTROL, 0)
    for register in (*written, SBADDRESS, CONTROL):
        await bench.write(register, 0xFFFF_FFFE)
    assert await bench.read(CONTROL) == 0
    assert int(dut.debug_req_o.value) == 0
    assert int(dut.ndmreset_o.value) == 0
    bench.system.stuck = False
    await cycles(dut, 20)
    assert bench.system.accesses == [(0x8000_0400, True, 0b0011)]
    await bench.control(0)
    for register in (DATA0, DATA1, PROGBUF0, PROGBUF1, AUTO, HAWINDOW, CS2, SBADDRESS, SBDATA):
        assert await bench.read(register) == 0, hex(register)
    assert await bench.read(SBCS) == 1 << 29 | 2 << 17 | 32 << 5 | 7
    assert await bench.read(ABSTRACTCS) == 2 << 24 | 1 << 11 | 2
    assert await bench.read(CONTROL) == ACTIVE
    await bench.until(ALL_HALTED)  # the hart has been halted all the time
    for absent in (0x00, 0x0F, 0x13, 0x19, 0x1D, 0x22, 0x3D, 0x7F):
        await bench.write(absent, 0xFFFF_FFFF)
        assert await bench.read(absent) == 0


@cocotb.test()
async def authentication(dut: Any) -> None:
    """Before authentication nothing but dmactive, version, status and authdata is to be seen or written."""
    bench = await begin(dut)
    bench.authenticate(False, busy=True, data=0x1234)
    assert await bench.status() == AUTH_BUSY | 3
    await bench.control(HALT | NDMRESET)
    await bench.write(DATA0, 5)
    await bench.write(SBDATA, 5)
    assert await bench.read(DATA0) == await bench.read(ABSTRACTCS) == await bench.read(SBCS) == 0
    assert await bench.read(AUTHDATA) == 0x1234
    assert int(dut.ndmreset_o.value) == int(dut.debug_req_o.value) == 0
    told: list[int] = []

    async def watch() -> None:
        while True:
            await FallingEdge(dut.clk_i)
            if value := int(dut.auth_o.value) >> 32:
                told.append(value << 32 | int(dut.auth_o.value) & 0xFFFF_FFFF)

    cocotb.start_soon(watch())
    await bench.write(AUTHDATA, 0x77)
    await bench.read(AUTHDATA)
    assert told[0] == 1 << 32 | 0x77
    assert told[1] >> 32 == 2
    bench.authenticate(True)
    assert await bench.read(DATA0) == 0
    await bench.halt()
