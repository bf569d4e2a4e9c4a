# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_uart: what 16550 drivers rely on, register by register."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, cycles, reset

RBR = THR = DLL = 0
IER = DLM = 1
IIR = FCR = 2
LCR, MCR, LSR, MSR, SCR = 3, 4, 5, 6, 7
DR, OE, THRE, TEMT = 0x01, 0x02, 0x20, 0x40
NONE, TX_EMPTY, RX_DATA, LINE, TIMEOUT, MODEM = 0x1, 0x2, 0x4, 0x6, 0xC, 0x0


class Host:
    """The host's ends of the byte streams; `stalled` makes it refuse bytes."""

    def __init__(self, dut: Any) -> None:
        self.sent: list[int] = []
        self.input: list[int] = []
        self.stalled = False
        self._dut = dut
        dut.rx_valid_i.value = 0
        dut.rx_data_i.value = 0
        dut.tx_ready_i.value = 1

    async def run(self) -> None:
        """Move bytes for ever."""
        dut = self._dut
        while True:
            dut.tx_ready_i.value = int(not self.stalled)
            offered = self.input[:1]
            dut.rx_valid_i.value = len(offered)
            dut.rx_data_i.value = offered[0] if offered else 0
            await FallingEdge(dut.clk_i)
            if int(dut.tx_valid_o.value) and int(dut.tx_ready_i.value):
                self.sent.append(int(dut.tx_data_o.value))
            if offered and int(dut.rx_ready_o.value):
                self.input.pop(0)
            await RisingEdge(dut.clk_i)


async def start(dut: Any) -> tuple[ObiPort, Host]:
    """Reset the design and start the host."""
    host = Host(dut)
    port = ObiPort(dut)
    await reset(dut)
    cocotb.start_soon(host.run())
    await cycles(dut)
    return port, host


async def irq(dut: Any) -> int:
    """Level of the interrupt in this cycle."""
    await FallingEdge(dut.clk_i)
    level = int(dut.irq_o.value)
    await RisingEdge(dut.clk_i)
    return level


@cocotb.test()
async def reset_values(dut: Any) -> None:
    """Check the registers after reset."""
    port, _ = await start(dut)
    for register, value in ((IER, 0), (IIR, NONE), (LCR, 0), (MCR, 0), (LSR, THRE | TEMT), (MSR, 0xB0), (SCR, 0)):
        assert await port.read_byte(register) == value, register
    assert await irq(dut) == 0


@cocotb.test()
@cocotb.parametrize(fifo=[0, 1])
async def polled_output(dut: Any, fifo: int) -> None:
    """Check that polling THRE and writing THR sends every byte in order, with and without FIFOs."""
    port, host = await start(dut)
    await port.write_byte(FCR, fifo)
    message = b"Hello, world!\n\x00\xff"
    for byte in message:
        while not await port.read_byte(LSR) & THRE:
            pass
        await port.write_byte(THR, byte)
    await cycles(dut, 5)
    assert bytes(host.sent) == message


@cocotb.test()
async def output_fifo(dut: Any) -> None:
    """Sixteen bytes fit while the host is busy, the seventeenth is lost; THRE comes back when all are gone."""
    port, host = await start(dut)
    await port.write_byte(FCR, 1)
    host.stalled = True
    await cycles(dut)
    for byte in range(17):
        await port.write_byte(THR, byte)
    assert await port.read_byte(LSR) == 0
    host.stalled = False
    await cycles(dut, 20)
    assert host.sent == list(range(16))
    assert await port.read_byte(LSR) == THRE | TEMT


@cocotb.test()
@cocotb.parametrize((("fifo", "room"), [(1, 16), (0, 1)]))
async def input_fifo(dut: Any, fifo: int, room: int) -> None:
    """Check that the stream stops at sixteen bytes, without FIFOs at one, and nothing is lost."""
    port, host = await start(dut)
    await port.write_byte(FCR, fifo)
    message = list(range(40))
    host.input = list(message)
    await cycles(dut, 60)
    assert len(host.input) == len(message) - room
    received = []
    while await port.read_byte(LSR) & DR:
        received.append(await port.read_byte(RBR))
        await cycles(dut, 3)
    assert received == message
    assert await port.read_byte(RBR) == 0


@cocotb.test()
async def fifo_control(dut: Any) -> None:
    """FCR resets each FIFO alone, changing the enable empties both, and IIR shows the mode."""
    port, host = await start(dut)
    await port.write_byte(FCR, 0x01)
    assert await port.read_byte(IIR) == 0xC1
    host.stalled = True
    host.input = [1, 2, 3]
    await cycles(dut, 8)
    await port.write_byte(THR, 9)
    await port.write_byte(FCR, 0x03)
    assert await port.read_byte(LSR) == 0
    host.input = [4]
    await cycles(dut, 5)
    await port.write_byte(FCR, 0x05)
    assert await port.read_byte(LSR) == DR | THRE | TEMT
    await port.write_byte(THR, 9)
    await port.write_byte(FCR, 0x00)
    assert await port.read_byte(LSR) == THRE | TEMT
    assert await port.read_byte(IIR) == NONE
    host.stalled = False
    await cycles(dut, 5)
    assert host.sent == []


@cocotb.test()
async def divisor_latches(dut: Any) -> None:
    """DLAB swaps DLL and DLM in, and they do not disturb the registers behind them."""
    port, host = await start(dut)
    await port.write_byte(IER, 0x05)
    await port.write_byte(LCR, 0x83)
    await port.write_byte(DLL, 0x34)
    await port.write_byte(DLM, 0x12)
    assert (await port.read_byte(DLL), await port.read_byte(DLM)) == (0x34, 0x12)
    # Linux looks for an extended register behind LCR = 0xBF and must find IIR, not zero.
    await port.write_byte(LCR, 0xBF)
    assert await port.read_byte(IIR) == NONE
    await port.write_byte(LCR, 0x03)
    assert await port.read_byte(LCR) == 0x03
    assert await port.read_byte(IER) == 0x05
    await cycles(dut, 5)
    assert host.sent == []


@cocotb.test()
async def stored_bits(dut: Any) -> None:
    """SCR keeps a byte; the reserved bits of IER and MCR read as zero, as Linux checks."""
    port, _ = await start(dut)
    for value in (0xA5, 0x5A):
        await port.write_byte(SCR, value)
        assert await port.read_byte(SCR) == value
    await port.write_byte(IER, 0xFF)
    assert await port.read_byte(IER) == 0x0F
    await port.write_byte(IER, 0)
    await port.write_byte(MCR, 0xFF)
    assert await port.read_byte(MCR) == 0x1F


@cocotb.test()
async def transmitter_interrupt(dut: Any) -> None:
    """Check that the THRE interrupt comes on enabling, ends with reading IIR, and returns when the FIFO empties."""
    port, host = await start(dut)
    await port.write_byte(FCR, 1)
    await port.write_byte(IER, 0x02)
    assert await irq(dut) == 1
    assert await port.read_byte(IIR) == 0xC0 | TX_EMPTY
    assert await irq(dut) == 0
    assert await port.read_byte(IIR) == 0xC0 | NONE
    # Linux: disabling and enabling again must bring it back.
    await port.write_byte(IER, 0)
    await port.write_byte(IER, 0x02)
    assert await port.read_byte(IIR) == 0xC0 | TX_EMPTY
    host.stalled = True
    await cycles(dut)
    await port.write_byte(THR, 1)
    await port.write_byte(THR, 2)
    await cycles(dut, 5)
    assert await irq(dut) == 0
    host.stalled = False
    await cycles(dut, 6)
    assert await irq(dut) == 1
    host.stalled = True
    await port.write_byte(THR, 3)
    assert await irq(dut) == 0


@cocotb.test()
@cocotb.parametrize((("code", "level"), [(0, 1), (1, 4), (2, 8), (3, 14)]))
async def receiver_interrupt(dut: Any, code: int, level: int) -> None:
    """Check that the receive interrupt comes at each trigger level, and below it after a time-out that a read ends."""
    port, host = await start(dut)
    await port.write_byte(FCR, code << 6 | 1)
    await port.write_byte(IER, 0x01)
    host.input = list(range(level - 1))
    await cycles(dut, 20)
    assert await irq(dut) == 0
    host.input = [0xAA]
    await cycles(dut, 5)
    assert await irq(dut) == 1
    assert await port.read_byte(IIR) == 0xC0 | RX_DATA
    await port.read_byte(RBR)
    assert await irq(dut) == 0
    if level == 1:
        return
    await cycles(dut, 30)
    assert await irq(dut) == 0
    await cycles(dut, 20)
    assert await port.read_byte(IIR) == 0xC0 | TIMEOUT
    await port.read_byte(RBR)
    assert await irq(dut) == 0
    while await port.read_byte(LSR) & DR:
        await port.read_byte(RBR)
    await cycles(dut, 60)
    assert await irq(dut) == 0


@cocotb.test()
async def loopback(dut: Any) -> None:
    """Loop-back feeds THR to RBR and MCR to MSR, keeps the host out, and can overrun."""
    port, host = await start(dut)
    await port.write_byte(MCR, 0x1A)
    assert await port.read_byte(MSR) & 0xF0 == 0x90
    assert await port.read_byte(MSR) & 0x0F == 0
    await port.write_byte(IER, 0x0C)
    await port.write_byte(MCR, 0x1F)
    assert await port.read_byte(IIR) == MODEM
    assert await port.read_byte(MSR) == 0xF2
    await port.write_byte(MCR, 0x10)
    assert await port.read_byte(MSR) == 0x0F
    assert await irq(dut) == 0
    host.input = [7]
    for byte in (0x11, 0x22):
        await port.write_byte(THR, byte)
        await cycles(dut, 3)
    assert await port.read_byte(IIR) == LINE
    assert await port.read_byte(LSR) == DR | OE | THRE | TEMT
    assert await port.read_byte(LSR) == DR | THRE | TEMT
    assert await port.read_byte(RBR) == 0x22
    assert host.sent == []
    assert host.input == [7]
    await port.write_byte(MCR, 0)
    await cycles(dut, 3)
    assert await port.read_byte(RBR) == 7


@cocotb.test()
@cocotb.parametrize(fifo=[0, 1])
async def overrun(dut: Any, fifo: int) -> None:
    """A byte too many destroys the one in RBR without FIFOs, and is lost itself with them; OE says so once."""
    port, _ = await start(dut)
    await port.write_byte(FCR, fifo)
    await port.write_byte(MCR, 0x10)
    room = 16 if fifo else 1
    for byte in range(room + 3):
        await port.write_byte(THR, 0x40 + byte)
        await cycles(dut, 3)
        assert bool(await port.read_byte(LSR) & OE) == (byte >= room)
        assert await port.read_byte(LSR) == DR | THRE | TEMT
    for byte in range(room) if fifo else [room + 2]:
        assert await port.read_byte(RBR) == 0x40 + byte
    assert await port.read_byte(LSR) == THRE | TEMT


@cocotb.test()
async def read_beside_overrun(dut: Any) -> None:
    """Without FIFOs: in whichever cycle behind a write of THR one reads RBR, a byte is lost exactly where OE is set."""
    port, _ = await start(dut)
    await port.write_byte(MCR, 0x10)
    seen = []
    for gap in range(4):
        await port.write_byte(THR, 0x11)
        await cycles(dut, 3)
        port.ask(THR, write=True, be=1, data=0x22)
        await RisingEdge(dut.clk_i)
        port.idle()
        await cycles(dut, gap)
        received = [await port.read_byte(RBR)]
        lost = bool(await port.read_byte(LSR) & OE)
        if await port.read_byte(LSR) & DR:
            received.append(await port.read_byte(RBR))
        assert received == ([0x22] if lost else [0x11, 0x22]), gap
        seen.append(lost)
    assert seen == [False, True, True, True]


async def write_again(port: ObiPort, registers: dict[int, int], lcr: int) -> None:
    """Write every register with the value that it has, the divisor latches too; FCR without its resets."""
    for register, value in registers.items():
        await port.write_byte(register, value)
    await port.write_byte(LCR, lcr | 0x80)
    for latch in (DLL, DLM):
        await port.write_byte(latch, await port.read_byte(latch))
    await port.write_byte(LCR, lcr)
    await port.write_byte(LCR, lcr)


@cocotb.test()
@cocotb.parametrize(fifo=[0, 1], taken=[0, 1])
async def registers_written_again(dut: Any, fifo: int, taken: int) -> None:
    """Nothing comes or goes: no byte of either stream, no interrupt that was taken, none that waits."""
    port, host = await start(dut)
    rng = random.Random(8 * fifo + taken)
    for ier in (0x00, 0x01, 0x02, 0x08, 0x0F):
        for trigger in (0, 1, 3):
            registers = {IER: ier, FCR: trigger << 6 | fifo, MCR: rng.randrange(16), SCR: rng.randrange(256)}
            await port.write_byte(FCR, registers[FCR])
            await port.write_byte(MCR, registers[MCR])
            await port.write_byte(IER, 0)
            await port.write_byte(IER, ier)
            if taken:
                await port.read_byte(IIR)
            await port.read_byte(MSR)
            host.stalled, host.sent = True, []
            out = [rng.randrange(256) for _ in range(3 if fifo else 1)]
            for byte in out:
                await port.write_byte(THR, byte)
            host.input = incoming = [rng.randrange(256) for _ in range(5 if fifo else 1)]
            incoming = list(incoming)
            await cycles(dut, 60)  # more than a receive timeout
            before = await port.read_byte(LSR), await irq(dut)
            await write_again(port, registers, 0)
            assert (await port.read_byte(LSR), await irq(dut)) == before, (ier, trigger)
            host.stalled = False
            await cycles(dut, 2 + 2 * taken)
            await write_again(port, registers, 0)
            await cycles(dut, 8)
            assert host.sent == out, (ier, trigger)
            assert [await port.read_byte(RBR) for _ in incoming] == incoming
            if ier & 2:
                assert await port.read_byte(IIR) & 0x0F == TX_EMPTY
                await write_again(port, registers, 0)
                await cycles(dut, 3)
            assert await irq(dut) == 0, (ier, trigger)
            assert await port.read_byte(LSR) == THRE | TEMT
            assert await port.read_byte(MSR) == 0xB0


@cocotb.test()
async def modem_lines_written_again(dut: Any) -> None:
    """In loop-back: outputs that stay what they are change no input, and the changes that wait stay."""
    port, _ = await start(dut)
    for value in (0x10, 0x1F, 0x15, 0x1A, 0x10):
        await port.write_byte(MCR, value)
        await cycles(dut, 2)
        await port.write_byte(MCR, value)
        await cycles(dut, 2)
        await port.read_byte(MSR)
        await port.write_byte(MCR, value)
        await cycles(dut, 2)
        assert await port.read_byte(MSR) & 0x0F == 0, value
    await port.write_byte(MCR, 0x1F)
    for _ in range(2):
        await port.write_byte(MCR, 0x1F)
    assert await port.read_byte(MSR) == 0xFB


@cocotb.test()
async def wrong_accesses(dut: Any) -> None:
    """Wide accesses and offsets above 7 are errors without effect."""
    port, host = await start(dut)
    for be in (0b1111, 0b0011, 0b1100, 0b0101):
        assert (await port.access(0, be=be)).error
        assert (await port.access(0, write=True, be=be, data=0x41414141)).error
    for address in (8, 0x10, 0x40, 0xFC):
        assert (await port.access(address, be=1)).error
        assert (await port.access(address, write=True, be=1, data=0x41)).error
    await cycles(dut, 4)
    assert host.sent == []
    assert not (await port.access(4, be=0b0010)).error
