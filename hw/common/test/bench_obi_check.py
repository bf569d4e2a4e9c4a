# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_obi_check: plays the cycles in the environment variable OBI_CYCLES on a port."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from obi import cycles, reset


@cocotb.test()
async def play(dut: Any) -> None:
    """Drive one dictionary of signals after the other, one a cycle; absent signals keep a legal idle value."""
    default = {"req": 0, "we": 0, "be": 15, "addr": 0x100, "wdata": 0, "prv": 3, "mid": 0, "atop": 0}
    default |= {"gnt": 0, "rvalid": 0, "exokay": 0}
    for name, value in default.items():
        getattr(dut, f"{name}_i").value = value
    await reset(dut)
    await cycles(dut, 2)
    for cycle in json.loads(os.environ["OBI_CYCLES"]):
        for name, value in (default | cycle).items():
            getattr(dut, f"{name}_i").value = value
        await cycles(dut)
    await cycles(dut, 2)
