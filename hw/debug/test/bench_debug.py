# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of debug module and transport: a debugger at the JTAG pins, harts at the debug memory, a system bus."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from debug_words import COMMANDS, EXECUTE, READ, WRITE
from fake_hart import BASE, START, STEP, Bus, Hart
from jtag import BUSY, BYPASS, DMI_RESET, DTMCS, HARD_RESET, IDCODE, NOP, Jtag
from jtag import READ as DMI_READ
from jtag import WRITE as DMI_WRITE
from obi import REQUEST, RESPONSE, cycles, reset

from trapeze.platform.isa import Csr

HARTS, EMBEDDED = int(os.environ["HARTS"]), bool(int(os.environ["EMBEDDED"]))
WORDS = struct.unpack(f"<{64 + 6 * len(COMMANDS)}I", Path(os.environ["WORDS"]).read_bytes())

DATA0, DATA1, CONTROL, STATUS, HARTINFO, HAWINDOW = 0x04, 0x05, 0x10, 0x11, 0x12, 0x15
ABSTRACTCS, COMMAND, AUTO, PROGBUF0, PROGBUF1, AUTHDATA, CS2 = 0x16, 0x17, 0x18, 0x20, 0x21, 0x30, 0x32
SBCS, SBADDRESS, SBDATA, HALTSUM = 0x38, 0x39, 0x3C, 0x40

ACTIVE, NDMRESET, CLEAR_RESET_HALT, SET_RESET_HALT = 1, 2, 4, 8
HASEL, ACK_RESET, HART_RESET, RESUME, HALT = 1 << 26, 1 << 28, 1 << 29, 1 << 30, 1 << 31
ANY_HALTED, ALL_HALTED, ANY_RUNNING, ALL_RUNNING = (1 << bit for bit in (8, 9, 10, 11))
ANY_UNAVAILABLE, ALL_UNAVAILABLE, ANY_ABSENT, ALL_ABSENT = (1 << bit for bit in (12, 13, 14, 15))
ANY_ACK, ALL_ACK, ANY_RESET, ALL_RESET, PENDING = (1 << bit for bit in (16, 17, 18, 19, 24))
IMPEBREAK, AUTHENTICATED, AUTH_BUSY, HAS_RESET_HALT = 1 << 22, 1 << 7, 1 << 6, 1 << 5
BUSY_COMMAND = 1 << 12
INCREMENT = 1 << 19
BUSY_ERROR, NOT_SUPPORTED, EXCEPTION, HALT_RESUME = 1, 2, 3, 4
SB_BUSY_ERROR, SB_ON_ADDRESS, SB_INCREMENT, SB_ON_DATA = 1 << 22, 1 << 20, 1 << 16, 1 << 15
DMCS2_RESUME, DMCS2_WRITE = 1 << 11, 2


class SystemBus:
    """Memory behind the manager port of system bus access: random delays, an error from 0x9000_0000 on."""

    def __init__(self, dut: Any) -> None:
        self._dut = dut
        self._request = REQUEST.signal(dut, "bus_req_o")
        self._response = RESPONSE.signal(dut, "bus_rsp_i")
        self._rng = random.Random(5)
        self.bytes: dict[int, int] = {}
        self.accesses: list[tuple[int, bool, int]] = []
        self.stuck = False
        cocotb.start_soon(self._serve())

    async def _serve(self) -> None:
        answer: int | None = None
        delay = 0
        while True:
            give = answer is not None and delay == 0
            grant = not self.stuck and answer is None and self._rng.random() < 0.5
            self._response.value = (answer or 0) if give else RESPONSE.pack(gnt=int(grant))
            if give:
                answer = None
            delay = max(delay - 1, 0)
            await FallingEdge(self._dut.clk_i)
            if grant and REQUEST.member(self._request, "req"):
                answer, delay = self._access(), self._rng.randrange(3)
            await RisingEdge(self._dut.clk_i)

    def _access(self) -> int:
        address, lanes = REQUEST.member(self._request, "addr"), REQUEST.member(self._request, "be")
        write, data = REQUEST.member(self._request, "we"), REQUEST.member(self._request, "wdata")
        self.accesses.append((address, bool(write), lanes))
        read = 0
        for lane in range(4):
            if lanes >> lane & 1:
                if write:
                    self.bytes[address + lane] = data >> 8 * lane & 255
                read |= self.bytes.get(address + lane, 0) << 8 * lane
        return RESPONSE.pack(rvalid=1, err=int(address >= 0x9000_0000), rdata=read)


class Bench:
    """Everything around the design."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.jtag = Jtag(dut)
        self.bus = Bus(dut)
        self.system = SystemBus(dut)
        self.harts: list[Hart] = []
        self.read, self.write = self.jtag.read, self.jtag.write

    def authenticate(self, yes: bool, busy: bool = False, data: int = 0) -> None:
        """What the authentication hook says."""
        self.dut.auth_i.value = int(yes) << 33 | int(busy) << 32 | data

    async def start(self, harts: bool = True) -> None:
        """Reset; with harts they run."""
        self.authenticate(True)
        self.dut.unavailable_i.value = 0
        self.dut.hart_reset_i.value = 0
        await reset(self.dut)
        if harts:
            self.harts = [Hart(self.bus, number, EMBEDDED) for number in range(HARTS)]
        await self.jtag.reset()
        await self.write(CONTROL, ACTIVE)

    async def control(self, value: int, hart: int = 0) -> None:
        """Write dmcontrol, with a hart selected."""
        await self.write(CONTROL, value | hart << 16 | ACTIVE)

    async def status(self) -> int:
        """Read dmstatus."""
        return await self.read(STATUS)

    async def until(self, mask: int) -> int:
        """Read dmstatus until all these bits are set."""
        for _ in range(20):
            value = await self.status()
            if value & mask == mask:
                return value
        raise AssertionError(f"dmstatus {value:#x} never had {mask:#x}")

    async def halt(self, hart: int = 0) -> None:
        """Halt a hart, and withdraw the request."""
        await self.control(HALT, hart)
        await self.until(ALL_HALTED)
        await self.control(0, hart)

    async def idle(self) -> int:
        """Wait until the command has ended; returns cmderr, and clears it."""
        for _ in range(20):
            value = await self.read(ABSTRACTCS)
            if not value & BUSY_COMMAND:
                error = value >> 8 & 7
                if error:
                    await self.write(ABSTRACTCS, error << 8)
                return error
        raise AssertionError("the command does not end")

    async def command(self, value: int) -> int:
        """Run a command; returns cmderr."""
        await self.write(COMMAND, value)
        return await self.idle()

    async def get(self, register: int) -> int:
        """Read a register of the hart."""
        assert await self.command(READ | register) == 0
        return await self.read(DATA0)

    async def put(self, register: int, value: int) -> None:
        """Write a register of the hart."""
        await self.write(DATA0, value)
        assert await self.command(WRITE | register) == 0


async def begin(dut: Any, harts: bool = True) -> Bench:
    """Build the bench and start it."""
    bench = Bench(dut)
    await bench.start(harts)
    return bench


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
        await bench.control(RESUME)
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
    assert await bench.read(ABSTRACTCS) == 2 << 24 | 2
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
    await bench.write(DATA0, 0)
    assert await bench.idle() == EXCEPTION
    await bench.write(AUTO, 0)


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
        assert await bench.read(ABSTRACTCS) & 0x1F00 == BUSY_COMMAND
        await bench.write(access, 0x700)
        assert await bench.read(ABSTRACTCS) & 0x1F00 == BUSY_COMMAND | BUSY_ERROR << 8
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
    assert await bench.read(ABSTRACTCS) == 2 << 24 | 2
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
