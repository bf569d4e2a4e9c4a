# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of a tile alone, with banks and CLIC elsewhere: what the default port shows, and what comes back."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import REQUEST, RESPONSE, reset

DEFAULT_PORT = os.environ["DEFAULT_PORT"] == "1"

# The program, in assembly. Its handler writes the cause and the address of each exception to 0x50000000 and behind, and
# returns behind the instruction, or from a function that cannot be fetched.
#
#   .option norvc
#   _start:
#   li t0, 0x40000040
#   csrw mtvec, t0
#   li s4, 0x50000000
#   li s5, 0x50000100
#   li s0, 0x90000100
#   j main
#   .balign 64
#   handler:
#   csrr t5, mcause
#   csrr t6, mtval
#   slli t5, t5, 20
#   srli t5, t5, 20
#   sw t5, 0(s4)
#   sw t6, 4(s4)
#   addi s4, s4, 8
#   csrr t6, mepc
#   addi t6, t6, 4
#   addi t5, t5, -1
#   bnez t5, 1f
#   mv t6, ra
#   1: csrw mepc, t6
#   mret
#   main:
#   li t1, 0x11223344
#   sw t1, 0(s0)
#   sb t1, 6(s0)
#   lw t2, 8(s0)
#   lhu t3, 14(s0)
#   sw t2, 0(s5)
#   sw t3, 4(s5)
#   li s2, 0x60000000
#   sw t1, 4(s2)
#   lw t4, 4(s2)
#   sw t4, 8(s5)
#   li s3, 0x12001044
#   li t1, 0xff000101
#   sw t1, 0(s3)
#   lw t4, 0(s3)
#   sw t4, 12(s5)
#   lw t4, 0x100(s0)
#   sw t1, 0x104(s0)
#   li a0, 1
#   addi t1, s0, 0x200
#   jalr t1
#   sw a0, 16(s5)
#   li t1, 0x02801044
#   lw t4, 0(t1)
#   wfi
#   j .
PROGRAM = (
    0x400002B7,
    0x04028293,
    0x30529073,
    0x50000A37,
    0x50000AB7,
    0x100A8A93,
    0x90000437,
    0x10040413,
    0x0580006F,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x00000013,
    0x34202F73,
    0x34302FF3,
    0x014F1F13,
    0x014F5F13,
    0x01EA2023,
    0x01FA2223,
    0x008A0A13,
    0x34102FF3,
    0x004F8F93,
    0xFFFF0F13,
    0x000F1463,
    0x00008F93,
    0x341F9073,
    0x30200073,
    0x11223337,
    0x34430313,
    0x00642023,
    0x00640323,
    0x00842383,
    0x00E45E03,
    0x007AA023,
    0x01CAA223,
    0x60000937,
    0x00692223,
    0x00492E83,
    0x01DAA423,
    0x120019B7,
    0x04498993,
    0xFF000337,
    0x10130313,
    0x0069A023,
    0x0009AE83,
    0x01DAA623,
    0x10042E83,
    0x10642223,
    0x00100513,
    0x20040313,
    0x000300E7,
    0x00AAA823,
    0x02801337,
    0x04430313,
    0x00032E83,
    0x10500073,
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
    0x00000000,
    0x00000000,
    0x00000000,
)
OUTSIDE, REFUSED, FUNCTION = 0x9000_0100, 0x9000_0200, 0x9000_0300
OLD_CLIC = 0x0280_1044
# What is outside, by address: `li a0, 42` and `ret` are the function.
WORDS = {0x9000_0108: 0xCAFE_F00D, 0x9000_010C: 0x8765_4321, FUNCTION: 0x02A0_0513, FUNCTION + 4: 0x0000_8067}
DATA, FETCH = 0, 1
SETTLED = 20  # cycles of sleep that end the program; a wfi behind a load waits for it, too
LOAD_FAULT, STORE_FAULT, FETCH_FAULT = 5, 7, 1


class Outside:
    """What is at the default port: it refuses a request for some cycles, answers in the cycle after the grant."""

    def __init__(self, dut: Any, waits: Callable[[int], int]) -> None:
        self._dut = dut
        self._waits = waits
        self.seen: list[tuple[int, int, int, int, int]] = []  # port, write, address, byte enables, data
        dut.other_rsp_i.value = 0

    async def run(self) -> None:
        """Answer until the program sleeps."""
        request, response = self._dut.other_req_o, {}
        refused = asleep = 0
        for _ in range(3000):
            grant = refused >= self._waits(len(self.seen))
            self._dut.other_rsp_i.value = RESPONSE.pack(gnt=int(grant), **response)
            await FallingEdge(self._dut.clk_i)
            assert int(self._dut.shared_o.value) == 0
            response = {}
            if REQUEST.member(request, "req"):
                refused = 0 if grant else refused + 1
                if grant:
                    response = self._answer(request)
            asleep = asleep + 1 if int(self._dut.sleep_o.value) else 0
            if asleep == SETTLED:
                return
            await RisingEdge(self._dut.clk_i)
        raise AssertionError(f"the program does not end: {self.seen}, {words(self._dut.u_tile.u_dmem.mem, 0, 12)}")

    def _answer(self, request: Any) -> dict[str, int]:
        port, write, address, lanes, data = (
            REQUEST.member(request, key) for key in ("mid", "we", "addr", "be", "wdata")
        )
        if port == DATA or address in WORDS:
            self.seen.append((port, write, address, lanes, data if write else 0))
        refused = address & ~4 == REFUSED
        return {"rvalid": 1, "err": int(refused), "rdata": WORDS.get(address, 0)}


def words(memory: Any, first: int, count: int) -> list[int]:
    """Words of a memory array."""
    return [int(memory[first + index].value) for index in range(count)]


async def run(dut: Any, waits: Callable[[int], int]) -> Outside:
    """Run the program to its end."""
    for index, word in enumerate(PROGRAM):
        dut.u_tile.u_imem.mem[index].value = word
    outside = Outside(dut, waits)
    await reset(dut)
    await outside.run()
    return outside


@cocotb.test()
@cocotb.parametrize(waits=[0, 1, 5])
async def program(dut: Any, waits: int) -> None:
    """Loads, stores and fetches that are nowhere in the tile go out, wait, and come back with data or an error."""
    outside = await run(dut, lambda number: waits if number % 2 else 0)
    memory = dut.u_tile.u_dmem.mem
    inside = words(memory, 64, 5)
    assert inside[2:4] == [0x1122_3344, 0xFFC0_0100]  # through the stack bank; the CLIC
    if not DEFAULT_PORT:
        assert outside.seen == []
        stores, loads = (OUTSIDE, OUTSIDE + 6), (OUTSIDE + 8, OUTSIDE + 14, REFUSED)
        expected = [(STORE_FAULT, one) for one in stores] + [(LOAD_FAULT, one) for one in loads]
        expected += [(STORE_FAULT, REFUSED + 4), (FETCH_FAULT, FUNCTION), (LOAD_FAULT, OLD_CLIC)]
        faults = words(memory, 0, 2 * len(expected))
        found = list(zip(faults[::2], faults[1::2], strict=True))
        assert found[-2:] == expected[-2:]
        assert found == expected
        return
    assert words(memory, 0, 4) == [LOAD_FAULT, REFUSED, STORE_FAULT, REFUSED + 4]
    assert inside[0] == WORDS[OUTSIDE + 8]
    assert inside[1] == WORDS[OUTSIDE + 12] >> 16
    assert inside[4] == 42  # what the function returns
    data = [one[1:] for one in outside.seen if one[0] == DATA]
    assert data[0] == (1, OUTSIDE, 0b1111, 0x1122_3344)
    assert data[1][:3] == (1, OUTSIDE + 4, 0b0100)
    assert data[1][3] >> 16 & 0xFF == 0x44
    assert data[2:] == [
        (0, OUTSIDE + 8, 0b1111, 0),
        (0, OUTSIDE + 12, 0b1100, 0),
        (0, REFUSED, 0b1111, 0),
        (1, REFUSED + 4, 0b1111, 0xFF00_0101),
        (0, OLD_CLIC, 0b1111, 0),
    ]
    assert [one[2] for one in outside.seen if one[0] == FETCH] == [FUNCTION, FUNCTION + 4]
