# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeded defects of the core around fastirq, each with the property that has to find it."""

from __future__ import annotations

CORE_BUGS: dict[str, tuple[str, str, str, str]] = {
    "a frame's exception comes into the first instructions of another one's handler": (
        "tz_trap.sv",
        "if (trap.valid && !trap.user && !trap.debug) hold_d = !(trap.irq && framed);",
        "if (trap.valid && !trap.user && !trap.debug) hold_d = trap.irq && !framed;",
        "LemmaSole_A",
    ),
    "a load does not wait for a frame": (
        "trapeze_core.sv",
        ".wait_i   (fast.pipe.lsu_wait),",
        ".wait_i   (1'b0),",
        "Request_A",
    ),
    "an AMO into a frame does not count as a store": (
        "trapeze_core.sv",
        "store:     lsu_req.req && lsu_req.we && lsu_rsp.gnt,",
        "store:     lsu_req.req && lsu_req.we && lsu_rsp.gnt && !is_amo,",
        "Store_A",
    ),
    "emret goes on although a frame was lost": (
        "tz_trap.sv",
        "!fast_i.load_fault && !pipe_i.wb_fault && !fast_i.store_fault && !pipe_i.ex_trigger.fetch;",
        "!fast_i.load_fault && !pipe_i.wb_fault;",
        "Emret_A",
    ),
    "mframe is written although its instruction is interrupted": (
        "tz_csr.sv",
        "csr_fire_i && csr_o.we && csr_addr_i == CsrMframe",
        "csr_valid_i && csr_o.we && csr_addr_i == CsrMframe",
        "Hint_A",
    ),
    "emret does not know that sp is being written": (
        "tz_fastirq.sv",
        "core_i.pipe.write && core_i.pipe.write_reg == 5'd2",
        "core_i.pipe.write_reg == 5'd2",
        "SpBusy_A",
    ),
    "an interrupt leaves the mode of the one before": (
        "tz_trap.sv",
        "cause: '{irq: 1'b1, minhv: trap.minhv, mpp: now.priv,",
        "cause: '{irq: 1'b1, minhv: trap.minhv, mpp: now.m.regs.cause.mpp,",
        "Enter_A",
    ),
    "a frame's exception has another code": (
        "tz_trap_select.sv",
        "if (frame_fault_take) begin\n      trap_code  = 12'(ExcFrameStoreFault);",
        "if (frame_fault_take) begin\n      trap_code  = 12'(ExcStoreFault);",
        "ReportIsDue_A",
    ),
    "mtval of a frame's exception is that of the instruction": (
        "tz_trap_select.sv",
        "      trap_tval  = fault_addr_i;\n    end else if (refuse_take)",
        "    end else if (refuse_take)",
        "Reported_A",
    ),
    "the instruction that a frame's exception displaces completes": (
        "trapeze_core.sv",
        "!choice.exception && !choice.frame_fault_take && !choice.refuse_take",
        "!choice.exception && !choice.refuse_take",
        "ReportDisplaces_A",
    ),
    "a frame's exception leaves interrupts on": (
        "tz_trap.sv",
        "next.m.ie         = Fast && trap.irq && irq.shv && csr_i.m.nest;",
        "next.m.ie         = Fast && irq.shv && csr_i.m.nest;",
        "ReportIsException_A",
    ),
    "a frame's exception waits for the end of a division": (
        "tz_trap_select.sv",
        "&& ready && pipe_i.ex_valid && !pipe_i.lsu_firm &&",
        "&& ready && pipe_i.ex_valid && !pipe_i.lsu_firm && pipe_i.ex_kind != KindDiv &&",
        "Waits_A",
    ),
    "a division that is given up goes on for the next one": (
        "trapeze_core.sv",
        ".kill_i       (choice.trap.valid),",
        ".kill_i       (choice.irq_take),",
        "gen_muldiv.DivIsAsked_A",
    ),
    "a product is taken of operands that have not come": (
        "trapeze_core.sv",
        "ex_q.ctrl.result inside {ResMul, ResDiv}",
        "ex_q.ctrl.result == ResDiv",
        "gen_muldiv.Multiplies_A",
    ),
}
