# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeded defects of fastirq, each with the property that has to find it."""

from __future__ import annotations

from collections.abc import Mapping

SHORT = {"RV32E": 1, "NumBanks": 1, "MaxWait": 1}
TWO = SHORT | {"NumBanks": 2}
IN_PLACE = SHORT | {"NumBanks": 0}
FAST = SHORT | {"MaxWait": 0}
"""Parameters: the frame port never waits, so a drain that does not end shows early."""
ONE_WAY = FAST | {"OneWay": 1}
"""Parameters that allow only the run of `Reloads_C`; that cover gives the number of steps."""
LONG = 44
AHEAD = FAST | {"OneWay": 2}
"""Parameters that allow only the run of `Fills_C`."""
LONG_AHEAD = 26
LOST = FAST | {"NumBanks": 2, "OneWay": 3}
"""Parameters that allow only the run of `LosesTwo_C`."""
LONG_LOST = 30

BUGS: dict[str, tuple[str, str, str, Mapping[str, int], str, int]] = {
    "a write reaches every bank": (
        "tz_regfile.sv",
        "(we_i && banked_w && bank == BankW'(b))",
        "(we_i && banked_w)",
        SHORT,
        "Registers_A",
        8,
    ),
    "emret takes mepc from the CSR where the bank has it": (
        "tz_banks.sv",
        "saver_o.frame = (filling_q || got_q < 5'd2) ? top : saver_i.regs",
        "saver_o.frame = saver_i.regs",
        SHORT,
        "Mepc_A",
        8,
    ),
    "mepc and mcause are loaded into each other": (
        "tz_banks.sv",
        "(ask_q == 5'd0) ? CauseWord : (ask_q == 5'd1) ? EpcWord",
        "(ask_q == 5'd0) ? EpcWord : (ask_q == 5'd1) ? CauseWord",
        SHORT,
        "Mcause_A",
        9,
    ),
    "an sp on its way is lost by an entry": (
        "tz_fastirq.sv",
        "(swap ? mscratch : core_i.regfile.sp_next) - Bytes",
        "(swap ? mscratch : core_i.regfile.sp) - Bytes",
        SHORT,
        "Sp_A",
        8,
    ),
    "emret does not wait for sp": (
        "tz_banks.sv",
        "saver_o.returns = !saver_i.sp_busy && (",
        "saver_o.returns = (",
        SHORT,
        "SpSettled_A",
        8,
    ),
    "mscratch gets the sp of yesterday": (
        "tz_fastirq.sv",
        "enter ? core_i.regfile.sp_next : sp_raised",
        "enter ? core_i.regfile.sp : sp_raised",
        SHORT,
        "Mscratch_A",
        6,
    ),
    "ra is not the link in a chained handler": (
        "tz_fastirq.sv",
        "link_q <= enter || saver.chained;",
        "link_q <= enter;",
        SHORT,
        "Current_A",
        9,
    ),
    "the first instruction of a handler finds an old ra": (
        "tz_regfile.sv",
        "if (Fast && fast_i.link && raddr_a_i == 5'd1) rdata_a_o = fill_data;",
        "",
        SHORT,
        "Link_A",
        8,
    ),
    "only the youngest frame holds up loads": (
        "tz_context.sv",
        "lsu_wait_here_o = |waits_here;",
        "lsu_wait_here_o = waits_here[made_q];",
        TWO,
        "Overlap_A",
        8,
    ),
    "a frame that a new one reaches from below stays valid": (
        "tz_context.sv",
        "distance < 30'(2 * Words - 1);",
        "distance < 30'(Words - 1);",
        TWO,
        "Disjoint_A",
        8,
    ),
    "a bank stays in its slot when emret switches to it": (
        "tz_context.sv",
        "bank_of_d[top_q] = bank_q;",
        "",
        SHORT,
        "Registers_A",
        12,
    ),
    "a load goes beside the word that leaves": (
        "tz_context.sv",
        "reached && offset >= first;",
        "reached && offset > first;",
        SHORT,
        "NoRace_A",
        7,
    ),
    "a store to a table entry is missed": (
        "tz_vector_ahead.sv",
        "fence_i || (lsu_i.store && block && lsu_i.addr[6:2] == addr_q[6:2])",
        "fence_i",
        SHORT,
        "Vector_A",
        9,
    ),
    "the second half of a split store reaches a table entry in the cycle in which it is used": (
        "tz_vector_ahead.sv",
        "near_q <= begins || block || lsu_i.addr[6:2] == '1;",
        "near_q <= begins || lsu_i.addr[6:2] == '1;",
        SHORT,
        "VectorStore_A",
        10,
    ),
    "a load that is given up leaves the bus": (
        "tz_frame_port.sv",
        "hold_d  = grant ? UserNone : goes_on;",
        "hold_d  = (grant || goes_on == UserGone) ? UserNone : goes_on;",
        SHORT | {"MaxWait": 2},
        "Stable_A",
        8,
    ),
    "a second request does not wait for the answer": (
        "tz_frame_port.sv",
        "(out_q == UserNone) || rsp_i.rvalid;",
        "1'b1;",
        SHORT,
        "OneOpen_A",
        7,
    ),
    "the drain waits for the load that waits for it": (
        "tz_banks.sv",
        "drain_valid && !(hit && top_drains)",
        "drain_valid && !saver_o.lsu_wait",
        FAST,
        "DrainEnds_A",
        34,
    ),
    "a register that was written counts as that of the frame": (
        "tz_in_place.sv",
        "if (saver_i.write && in_frame(saver_i.write_reg, RV32E)) dirty_d",
        "if (1'b0) dirty_d",
        IN_PLACE,
        "Registers_A",
        12,
    ),
    "a word on its way to the bus does not hold up loads": (
        "tz_in_place.sv",
        "32'(stay_q) | (out_q ? 32'(only(out_word_q)) : '0);",
        "32'(stay_q);",
        IN_PLACE | {"MaxWait": 2},
        "Overlap_A",
        10,
    ),
    "a request makes way for what has just become dirty": (
        "tz_in_place.sv",
        "at_top && !saver_i.write && !out_q && !saver_i.preempt",
        "at_top && !out_q && !saver_i.preempt",
        IN_PLACE | {"MaxWait": 2},
        "Stable_A",
        12,
    ),
    "a frame is lost twice": (
        "tz_frame_port.sv",
        "rsp_i.err && !fault_q;",
        "rsp_i.err;",
        SHORT,
        "Once_A",
        10,
    ),
    "the second lost frame is named by the first one's word": (
        "tz_frame_faults.sv",
        "(taken_i && i + 1 < Depth) ? addr_q[(i + 1) % Depth] : addr_q[i];",
        "addr_q[i];",
        LOST,
        "Names_A",
        LONG_LOST,
    ),
    "an interrupt is taken while a frame's exception is due": (
        "tz_trap_select.sv",
        "irq_wanted         = irq_take_i && !(Fast && frame_fault_i) && !halt_can;",
        "irq_wanted         = irq_take_i;",
        TWO,
        "NoEntry_A",
        10,
    ),
}
