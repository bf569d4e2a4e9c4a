// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of the core at the CLIC's port: there is no claim without its trap and no trap without its claim. Program,
// offers and memory are free: the buses answer with any data, in order, after the request. Properties about levels of
// interrupts are in claim_levels.sv; the lemmas that make all of them inductive are in claim_lemmas.sv.
module claim_formal #(
  parameter bit          ExtA     = 1'b0,
  parameter bit          ExtM     = 1'b0,
  parameter int unsigned NumBanks = 0,     // spare banks of fastirq; 0: see InPlace
  parameter bit          InPlace  = 1'b0   // with NumBanks = 0 only; 1: fastirq without spare banks, 0: no fastirq
) (
  input logic                  clk_i,
  input obi_pkg::obi_rsp_t     instr_rsp_i,
  input obi_pkg::obi_rsp_t     data_rsp_i,
  input obi_pkg::obi_rsp_t     frame_rsp_i,
  input irq_pkg::clic_offer_t  offer_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_req_t     instr_req, data_req, frame_req;
  irq_pkg::clic_claim_t  claim;
  rvfi_pkg::rvfi_t       rvfi;
  rvfi_pkg::irq_event_t  irq_event;
  logic                  asleep;

  localparam bit Fast = InPlace || NumBanks > 0;
  trapeze_core #(
    .Cfg(core_cfg_pkg::core_cfg(
      .ExtM     (ExtM),
      .ExtA     (ExtA),
      .IrqScheme(irq_pkg::IrqClic),
      .Saver    ((NumBanks > 0) ? core_cfg_pkg::SaverBanks :
                 InPlace ? core_cfg_pkg::SaverInPlace : core_cfg_pkg::SaverNone),
      .NumBanks (NumBanks)
    ))
  ) u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .instr_req_o  (instr_req),
    .instr_rsp_i,
    .data_req_o   (data_req),
    .data_rsp_i,
    .frame_req_o  (frame_req),
    .frame_rsp_i,
    .irq_pending_i('0),
    .irq_offer_i  (offer_i),
    .irq_claim_o  (claim),
    .post_clic_o  (),
    .post_o       (),
    .post_i       ('0),
    .sleep_o      (asleep),
    .rvfi_o       (rvfi),
    .irq_event_o  (irq_event),
    .observe_o    (),
    .inspect_i    ('0),
    .debug_req_i  (1'b0),
    .trigger_i    (1'b0),
    .debug_stop_time_o()
  );

  // ------------------------------------------------------------------ contracts
  // Buses: an answer for each granted request, in a later cycle.
  logic [1:0] instr_open_q = '0, data_open_q = '0, frame_open_q = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      instr_open_q <= '0;
      data_open_q  <= '0;
      frame_open_q <= '0;
    end else begin
      instr_open_q <= instr_open_q + 2'(instr_req.req && instr_rsp_i.gnt) - 2'(instr_rsp_i.rvalid);
      data_open_q  <= data_open_q + 2'(data_req.req && data_rsp_i.gnt) - 2'(data_rsp_i.rvalid);
      frame_open_q <= frame_open_q + 2'(frame_req.req && frame_rsp_i.gnt) - 2'(frame_rsp_i.rvalid);
    end
  end
  InstrRspExpected_M: assume property (@(posedge clk_i) !instr_rsp_i.rvalid || (rst_n && instr_open_q != '0));
  DataRspExpected_M: assume property (@(posedge clk_i) !data_rsp_i.rvalid || (rst_n && data_open_q != '0));
  FrameRspExpected_M: assume property (@(posedge clk_i) !frame_rsp_i.rvalid || (rst_n && frame_open_q != '0));
  // Controller: level 0 is never offered, nothing is offered in reset.
  OfferLevel_M: assume property (@(posedge clk_i) !offer_i.valid || (rst_n && offer_i.level != '0));

  // ------------------------------------------------------------------ claims and traps
  ClaimIsOfAnOffer_A: assert property (@(posedge clk_i) !claim.valid || offer_i.valid);

  TrapIsClaimed_A: assert property (@(posedge clk_i) !irq_event.valid ||
    (claim.valid && irq_event.id == offer_i.id && irq_event.level == offer_i.level));

  VectoredClaimClears_A: assert property (@(posedge clk_i)
    !irq_event.valid || claim.clear == offer_i.shv);

  // A claim without an event belongs to an xnxti or jalxnxti, which retires in the next cycle. Its source is not
  // vectored.
  logic next_claim_q = 1'b0;
  always_ff @(posedge clk_i) next_claim_q <= rst_n && claim.valid && !irq_event.valid;
  NextRetires_A: assert property (@(posedge clk_i) !next_claim_q ||
    (rvfi.valid && !rvfi.trap &&
     (rvfi.csr_addr == isa_pkg::CsrMnxti || rvfi.csr_addr == isa_pkg::CsrJalmnxti)));
  NextIsNotVectored_A: assert property (@(posedge clk_i)
    !(claim.valid && !irq_event.valid) || (!offer_i.shv && claim.clear));

  // The core says that it sleeps while a wfi waits, and stops saying so in the cycle in which the wfi completes.
  SleepEnds_A: assert property (@(posedge clk_i) !(asleep && u_dut.ex_fire));
  SleepsInWfi_A: assert property (@(posedge clk_i) !asleep || u_dut.is_wfi);
  Sleeps_A: assert property (@(posedge clk_i) asleep || !u_dut.is_wfi || u_dut.trap_pipe.irq.wake);

  // With fastirq an event is an entry or the chaining of an emret, never both; the emret retires in the next cycle and
  // names what it took (unless it also is the first instruction of a handler: then the record is of that entry).
  logic chain;
  assign chain = u_dut.fast.trap.chain;
  if (Fast) begin : gen_fast
    logic        chain_q = 1'b0;
    logic [11:0] chain_id_q;
    always_ff @(posedge clk_i) begin
      chain_q    <= rst_n && chain;
      chain_id_q <= offer_i.id;
    end
    EntryOrChain_A: assert property (@(posedge clk_i) !chain || (irq_event.valid && !u_dut.choice.trap.valid));
    ChainRetires_A: assert property (@(posedge clk_i) !chain_q ||
      (rvfi.valid && !rvfi.trap && rvfi.insn == isa_pkg::InsnEmretMatch && rvfi.irq &&
       (rvfi.intr || rvfi.irq_id == chain_id_q)));
  end

  claim_levels #(
    .Fast(Fast)
  ) u_levels (
    .clk_i
  );
  claim_lemmas #(
    .ExtA    (ExtA),
    .Fast    (Fast),
    .NumBanks(NumBanks)
  ) u_lemmas (
    .clk_i
  );

endmodule
