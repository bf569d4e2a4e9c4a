# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_host for two harts."""

from __future__ import annotations

from typing import Any

import cocotb
from obi import ObiPort, cycles, reset

FINISHER, PASS, FAIL, RESET = 0, 0x5555, 0x3333, 0x7777
HART_0, HART_1 = 0 << 2, 1 << 2  # mid: the data port of each hart


async def start(dut: Any) -> ObiPort:
    """Reset the design."""
    port = ObiPort(dut)
    await reset(dut)
    return port


@cocotb.test()
@cocotb.parametrize(
    (
        ("value", "be", "code"),
        [
            (PASS, 15, 0),
            (PASS | 7 << 16, 15, 0),
            (FAIL, 15, 0),
            (FAIL | 0x1234 << 16, 15, 0x1234),
            (FAIL | 0x1234 << 16, 3, 0),
            (PASS, 3, 0),
        ],
    )
)
async def exit_codes(dut: Any, value: int, be: int, code: int) -> None:
    """Check that pass and fail end the run with their code, by word and by half-word, and that the first one stays."""
    port = await start(dut)
    assert int(dut.exit_valid_o.value) == 0
    await port.write(FINISHER, value, be)
    assert (int(dut.exit_valid_o.value), int(dut.exit_code_o.value)) == (1, code)
    await port.write(FINISHER, FAIL | 99 << 16)
    await cycles(dut, 3)
    assert (int(dut.exit_valid_o.value), int(dut.exit_code_o.value)) == (1, code)


@cocotb.test()
async def ignored(dut: Any) -> None:
    """Other values, the upper half alone, and other offsets do nothing; everything reads as zero."""
    port = await start(dut)
    for address, value, be in (
        (FINISHER, RESET, 15),
        (FINISHER, 0, 15),
        (FINISHER, PASS << 16 | PASS, 12),
        (4, PASS, 15),
        (0xFFC, PASS, 15),
        (0xFFC, PASS, 1),
    ):
        await port.write(address, value, be)
        assert int(dut.exit_valid_o.value) == 0
        assert await port.read(address) == 0


@cocotb.test()
async def byte_accesses(dut: Any) -> None:
    """Check that a byte access to the finisher is an error without effect."""
    port = await start(dut)
    for be in (1, 2, 4, 8):
        assert (await port.access(FINISHER, write=True, be=be, data=PASS)).error
        assert (await port.access(FINISHER, be=be)).error
        assert int(dut.exit_valid_o.value) == 0


@cocotb.test()
async def an_exit_for_each_hart(dut: Any) -> None:
    """Check that a hart ends its own program, whatever the other one has done."""
    port = await start(dut)
    port.initiator = HART_1
    await port.write(FINISHER, FAIL | 7 << 16)
    assert (int(dut.exit_valid_o.value), int(dut.exit_code_o.value)) == (2, 7 << 32)
    port.initiator = HART_0
    await port.write(FINISHER, FAIL | 5 << 16)
    assert (int(dut.exit_valid_o.value), int(dut.exit_code_o.value)) == (3, 7 << 32 | 5)
    port.initiator = HART_1
    await port.write(FINISHER, FAIL | 9 << 16)
    assert int(dut.exit_code_o.value) == 7 << 32 | 5
