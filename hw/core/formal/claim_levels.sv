// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of claim_formal.sv about levels of interrupts (Fast Interrupts v0.10, docs/fastirq.md). This module is
// instantiated in claim_formal and uses its signals by name.
// - An interrupt that is taken, chained by emret, or claimed by xnxti or jalxnxti has a level above the one that it
//   displaces and above mintthresh.
// - An interrupt with such a level is taken at once.
// - mintstatus.mil is the level of the program that runs.
module claim_levels
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter bit Fast = 1'b0
) (
  input logic clk_i
);

  logic rst_n, chain, entry, claims;
  irq_pkg::clic_offer_t offer;
  trap_csrs_t now;
  context_t   frame;         // mepc and mcause of the frame that an emret leaves
  assign rst_n  = claim_formal.rst_n;
  assign offer  = claim_formal.offer_i;
  assign chain  = claim_formal.chain;
  assign claims = claim_formal.claim.valid;
  assign entry  = claim_formal.irq_event.valid && !chain;
  assign now    = u_dut.csr_trap.now;
  assign frame  = u_dut.fast.trap.frame;

  // ------------------------------------------------------------------ no interrupt without a higher level
  logic machine;
  logic above_th;
  assign machine  = now.priv != PrivU;
  assign above_th = offer.level > now.m.thresh;
  EntryIsEnabled_A: assert property (@(posedge clk_i) !(rst_n && entry && machine) || now.m.ie);
  EntryIsAbove_A: assert property (@(posedge clk_i)
    !(rst_n && entry && machine) || (above_th && offer.level > now.m.il));
  if (Fast) begin : gen_chain
    ChainIsAbove_A: assert property (@(posedge clk_i)
      !(rst_n && chain) || (above_th && offer.level > frame.cause.mpil));
  end

  // An interrupt claimed by xnxti or jalxnxti is above mpil, or above the level in bits 23:16 of the register of csrrs.
  logic [11:0] csr;
  logic [7:0]  bar;
  logic        next;         // an xnxti or jalxnxti is in EX
  assign csr  = u_dut.ex_q.insn[31:20];
  assign next = u_dut.is_csr && (csr inside {CsrMnxti, CsrJalmnxti});
  assign bar  = (u_dut.ex_q.ctrl.funct3 == 3'b010 && u_dut.ex_q.insn[19:15] != '0) ? u_dut.ex_op_a[23:16]
                                                                                   : now.m.regs.cause.mpil;
  NextIsAbove_A: assert property (@(posedge clk_i)
    !(rst_n && claims && !entry && !chain) || (above_th && offer.level > bar));
  // Software also reads the vector only of an interrupt that is above.
  NextReads_A: assert property (@(posedge clk_i)
    !(rst_n && next && csr == CsrMnxti && u_dut.csr.rdata != '0) ||
    (offer.valid && !offer.shv && above_th && offer.level > bar));

  // ------------------------------------------------------------------ an interrupt above the level is taken at once
  // An interrupt waits only for these:
  // - an answer on the data bus; after a refused request until the cycle behind its grant
  // - the answer to the second half of a store, if that half begins another block
  // - an exception of the instruction before, or for a frame
  // - with fastirq a bank, without fastirq a table entry
  // With a memory that grants at once and answers in the next cycle the first two never delay an interrupt: it is taken
  // in the cycle of its offer.
  logic wanted, begins, waits, refused_q = 1'b0;
  always_ff @(posedge clk_i) refused_q <= rst_n && claim_formal.data_req.req && !claim_formal.data_rsp_i.gnt;
  LemmaRefused_A: assert property (@(posedge clk_i) !rst_n || refused_q == u_dut.u_lsu.hold_q);
  assign wanted = offer.valid && (!machine || (now.m.ie && above_th && offer.level > now.m.il));
  assign begins = u_dut.u_lsu.second_q && u_dut.is_store && claim_formal.data_req.addr[7:2] == '0;
  assign waits  = begins || (claim_formal.data_open_q != '0 && !claim_formal.data_rsp_i.rvalid) ||
                  (claim_formal.data_req.req && !claim_formal.data_rsp_i.gnt) || refused_q ||
                  (u_dut.choice.trap.valid && !u_dut.choice.trap.irq) || u_dut.fast.trap.store_fault ||
                  (Fast ? u_dut.csr_trap.m.fast && !u_dut.fast.trap.ready : u_dut.fetch.from_table);
  TakenAtOnce_A: assert property (@(posedge clk_i)
    !(rst_n && wanted && !waits) || claim_formal.irq_event.valid);

  // ------------------------------------------------------------------ mil
  // The value of mil in the cycle behind an event; and nothing but an event changes it.
  logic       run_q = 1'b0, claim_q, entry_q, chain_q, mret_q, emret_q, drops_q;
  logic [7:0] level_q;
  trap_csrs_t then_q;        // the registers, and the frame, in the cycle before
  context_t   frame_q;
  always_ff @(posedge clk_i) begin
    run_q   <= rst_n;
    claim_q <= claims;
    entry_q <= entry;
    chain_q <= chain;
    mret_q  <= u_dut.ex_fire && u_dut.ex_q.ctrl.kind == KindMret;
    emret_q <= u_dut.fast.trap.done && !chain;
    drops_q <= u_dut.choice.trap.valid && !u_dut.choice.trap.irq && !machine;
    level_q <= offer.level;
    then_q  <= now;
    frame_q <= frame;
  end
  Claimed_A: assert property (@(posedge clk_i) !(run_q && claim_q) || now.m.il == level_q);
  Entered_A: assert property (@(posedge clk_i) !(run_q && entry_q) ||
    (now.m.regs.cause.mpil == then_q.m.il && now.m.regs.cause.mpie == then_q.m.ie &&
     now.m.regs.cause.mpp == then_q.priv));
  Returned_A: assert property (@(posedge clk_i) !(run_q && mret_q) ||
    (now.m.il == then_q.m.regs.cause.mpil && now.m.ie == then_q.m.regs.cause.mpie &&
     now.priv == then_q.m.regs.cause.mpp));
  if (Fast) begin : gen_emret
    Chained_A: assert property (@(posedge clk_i)
      !(run_q && chain_q) || now.m.regs.cause.mpil == frame_q.cause.mpil);
    ReturnedByEmret_A: assert property (@(posedge clk_i) !(run_q && emret_q) ||
      (now.m.il == frame_q.cause.mpil && now.m.ie == frame_q.cause.mpie && now.priv == frame_q.cause.mpp));
  end
  // (An exception from U mode is handled at level 0.)
  Keeps_A: assert property (@(posedge clk_i) !run_q || claim_q || mret_q || emret_q ||
    now.m.il == (drops_q ? '0 : then_q.m.il));

endmodule
