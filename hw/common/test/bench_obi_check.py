# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_obi_check: plays the cycles in the environment variable OBI_CYCLES on a port."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from obi import MACHINE, REQUEST, RESPONSE, cycles, reset


@cocotb.test()
async def play(dut: Any) -> None:
    """Drive one dictionary of signals after the other, one a cycle; absent signals keep a legal idle value."""
    request, response = REQUEST.signal(dut, "req_i"), RESPONSE.signal(dut, "rsp_i")

    def drive(**members: int) -> None:
        answer = {name: members.pop(name) for name in ("gnt", "rvalid", "exokay") if name in members}
        legal = {"prv": MACHINE, "be": 15, "addr": 0x100}
        request.value, response.value = REQUEST.pack(**(legal | members)), RESPONSE.pack(**answer)

    drive()
    await reset(dut)
    await cycles(dut, 2)
    for cycle in json.loads(os.environ["OBI_CYCLES"]):
        drive(**cycle)
        await cycles(dut)
    await cycles(dut, 2)
