// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Covers of fastirq_formal.sv, which show that the interesting cases can happen, and the restrictions under which the
// long ones are found. This module is instantiated in fastirq_formal and uses its signals by name.
module fastirq_ways
  import tz_core_pkg::*;
#(
  parameter int unsigned NumBanks = 1,
  parameter int unsigned OneWay   = 0
) (
  input logic clk_i
);

  fastirq_choice_pkg::choice_t choice_i;
  obi_pkg::obi_rsp_t data_i, frame_i;
  logic        rst_n, enter, emret, done, chained, filling, restored_q, known_q, framed_q, drained;
  logic        hit, pop, drain_valid, vector_hit, vector_want_i, chain_i, csr_chain_i, load_waits;
  logic        store_fault, store_fault_taken, data_amo;
  logic [31:2] vector_addr_i, word_q;
  logic [29:0] return_offset, cause_word;
  assign choice_i      = fastirq_formal.choice_i;
  assign data_i        = fastirq_formal.data_i;
  assign frame_i       = fastirq_formal.frame_i;
  assign rst_n         = fastirq_formal.rst_n;
  assign enter         = fastirq_formal.enter;
  assign emret         = fastirq_formal.emret;
  assign done          = fastirq_formal.done;
  assign chained       = fastirq_formal.chained;
  assign filling       = fastirq_formal.filling;
  assign restored_q    = fastirq_formal.restored_q;
  assign known_q       = fastirq_formal.known_q;
  assign framed_q      = fastirq_formal.framed_q;
  assign drained       = fastirq_formal.drained;
  assign vector_hit    = fastirq_formal.vector_hit;
  assign vector_want_i = fastirq_formal.vector_want_i;
  assign chain_i       = fastirq_formal.chain_i;
  assign csr_chain_i   = fastirq_formal.csr_chain_i;
  assign vector_addr_i = fastirq_formal.vector_addr_i;
  assign word_q        = fastirq_formal.word_q;
  assign return_offset = fastirq_formal.return_offset;
  assign cause_word    = fastirq_formal.CauseWord;
  assign hit           = fastirq_formal.hit;
  assign pop           = fastirq_formal.pop;
  assign drain_valid   = fastirq_formal.drain_pends;
  assign data_amo      = fastirq_formal.data_amo;
  assign store_fault   = fastirq_formal.store_fault;
  assign store_fault_taken = fastirq_formal.store_fault_taken;
  assign load_waits    = fastirq_formal.u_pipeline.lsu_valid && !fastirq_formal.data_req.req &&
                         fastirq_formal.u_pipeline.is_load;

  logic reloaded_q;  // an emret has returned with a loaded frame that an entry had written
  always_ff @(posedge clk_i) reloaded_q <= framed_q && !hit;
  logic [5:0] cycle_q = '0;
  logic       awaited_q, switched_q;  // an emret has waited for a frame that is loaded ahead; it has switched back
  always_ff @(posedge clk_i) begin
    cycle_q    <= cycle_q + 6'd1;
    awaited_q  <= rst_n && emret && !enter && (filling || (awaited_q && !done));
    switched_q <= awaited_q && pop;
  end
  logic [1:0] faults_taken_q = '0;  // number of exceptions for frames that were taken
  always_ff @(posedge clk_i) faults_taken_q <= rst_n ? faults_taken_q + 2'(store_fault_taken) : '0;
  if (OneWay == 1) begin : gen_one_way
    Two_K: assume property (@(posedge clk_i) frame_i.gnt && frame_i.rvalid && !frame_i.err && !vector_want_i &&
      !chain_i && !csr_chain_i &&
      choice_i.enable && !choice_i.user && choice_i.irq_take == (cycle_q inside {6'd4, 6'd20}) &&
      choice_i.id_valid == (cycle_q > 6'd21) && choice_i.id_kind == KindEmret && !choice_i.id_fault &&
      !choice_i.ex_exc);
    Reloads_C: cover property (@(posedge clk_i) restored_q && reloaded_q);
  end else if (OneWay == 2) begin : gen_ahead
    Hint_K: assume property (@(posedge clk_i) frame_i.gnt && frame_i.rvalid && !frame_i.err && !vector_want_i &&
      data_i.gnt && data_i.rvalid && !data_i.err && choice_i.enable && !choice_i.user && !choice_i.irq_take &&
      choice_i.ex_ready && choice_i.hint && !choice_i.id_fault && !choice_i.ex_exc && !choice_i.id_rd_we &&
      choice_i.id_kind == ((cycle_q < 6'd4) ? KindStore : (cycle_q < 6'd6) ? KindCsr : KindEmret));
    Fills_C: cover property (@(posedge clk_i) restored_q && switched_q && !framed_q);
    FillChains_C: cover property (@(posedge clk_i)
      rst_n && chained && filling && known_q && return_offset == cause_word);
  end else if (OneWay == 3) begin : gen_lost
    Lost_K: assume property (@(posedge clk_i) frame_i.gnt && frame_i.rvalid && frame_i.err && !vector_want_i &&
      !choice_i.hold && choice_i.enable && !choice_i.user && choice_i.irq_take == (cycle_q inside {6'd4, 6'd6}) &&
      choice_i.id_valid == (cycle_q > 6'd20) && choice_i.id_kind == KindAlu && !choice_i.id_fault && !choice_i.ex_exc);
    LosesTwo_C: cover property (@(posedge clk_i) rst_n && faults_taken_q == 2'd2);
  end else begin : gen_any
    Drains_C: cover property (@(posedge clk_i) rst_n && drained && framed_q);
    FaultWaits_C: cover property (@(posedge clk_i) rst_n && store_fault && choice_i.hold &&
      fastirq_formal.u_pipeline.ex_valid_q && !store_fault_taken);
    FaultOnEmret_C: cover property (@(posedge clk_i)
      rst_n && store_fault_taken && choice_i.hold && fastirq_formal.emret_here);
    Waits_C: cover property (@(posedge clk_i) rst_n && load_waits);
    Modifies_C: cover property (@(posedge clk_i) rst_n && data_amo && known_q && framed_q);
    Returns_C: cover property (@(posedge clk_i) restored_q);
    Chains_C: cover property (@(posedge clk_i) rst_n && chained && known_q && return_offset == cause_word);
    Vector_C: cover property (@(posedge clk_i)
      rst_n && vector_hit && vector_addr_i == word_q && known_q && !framed_q);
    if (NumBanks > 1) begin : gen_nested
      Nests_C: cover property (@(posedge clk_i) rst_n && enter && drain_valid);
    end
  end

endmodule
