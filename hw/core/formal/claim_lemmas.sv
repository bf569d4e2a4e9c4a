// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lemmas of claim_formal.sv: how the registers of the load-store unit, of EX and of the retirement record depend on
// each other. This module is instantiated in claim_formal and uses its signals by name.
module claim_lemmas
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          ExtA     = 1'b0,
  parameter bit          Fast     = 1'b0,
  parameter int unsigned NumBanks = 0
) (
  input logic clk_i
);

  logic  rst_n, hold_q, second_q, memory;
  ctrl_t ctrl;
  assign rst_n    = claim_formal.rst_n;
  assign hold_q   = u_dut.u_lsu.hold_q;
  assign second_q = u_dut.u_lsu.second_q;
  assign ctrl     = u_dut.ex_q.ctrl;
  assign memory   = u_dut.ex_valid_q && !u_dut.ex_q.fault && (ctrl.kind inside {KindLoad, KindStore});

  // A request on the bus belongs to the load or store in EX, and no other access is under way then. An access under way
  // is the one that WB waits for.
  LemmaHeld_A: assert property (@(posedge clk_i) !hold_q || (memory && !u_dut.wb_mem_q));
  LemmaSecond_A: assert property (@(posedge clk_i) !second_q || memory);
  LemmaOpen_A: assert property (@(posedge clk_i) !rst_n || claim_formal.data_open_q == 2'(u_dut.wb_mem_q));
  // The address of a request on the bus is final: no operand of the address is late. The offset is never late.
  LemmaKnown_A: assert property (@(posedge clk_i) !(hold_q || second_q) || !u_dut.ex_q.late_a);
  LemmaOffset_A: assert property (@(posedge clk_i) !rst_n || !memory || !u_dut.ex_q.late_b);
  // An address operand that is late is the result of the load in WB.
  LemmaLate_A: assert property (@(posedge clk_i) !rst_n || !u_dut.ex_valid_q || !u_dut.ex_q.late_a || u_dut.wb_mem_q);
  // The stored block of the first word agrees with the address of the second word.
  LemmaApart_A: assert property (@(posedge clk_i) !rst_n || !second_q ||
    u_dut.u_lsu.apart_q == (u_dut.alu_sum[7:2] == '0));
  // An access in two words does not begin at the address of a word.
  LemmaSplit_A: assert property (@(posedge clk_i) (!second_q || u_dut.u_lsu.off_q != '0) &&
    (!u_dut.wb_mem_q || !u_dut.u_lsu.wb_second_q || u_dut.u_lsu.wb_off_q != '0));

  // An atomic operation is a load or store of a whole word. A request of one has the address of a word.
  if (ExtA) begin : gen_atomic
    LemmaAtomic_A: assert property (@(posedge clk_i) !rst_n || !u_dut.ex_valid_q || ctrl.atop == obi_pkg::AtopNone ||
      (ctrl.funct3 == 3'b010 && (ctrl.kind inside {KindLoad, KindStore})));
    LemmaWhole_A: assert property (@(posedge clk_i) !rst_n || ctrl.atop == obi_pkg::AtopNone ||
      !(second_q || (hold_q && u_dut.alu_sum[1:0] != '0)));
  end

  // If EX treats an instruction as emret, it is an emret. Only the target of a trap or of a chain is recorded as the
  // handler of an interrupt.
  if (Fast) begin : gen_fast
    LemmaEmret_A: assert property (@(posedge clk_i) !rst_n || !u_dut.ex_valid_q || ctrl.kind != KindEmret ||
      u_dut.ex_q.fault || u_dut.ex_q.insn == InsnEmretMatch);
    LemmaIntr_A: assert property (@(posedge clk_i) !rst_n ||
      ((!u_dut.gen_rvfi.u_rvfi.irq_q || u_dut.gen_rvfi.u_rvfi.intr_q) &&
       (!u_dut.ex_valid_q || !u_dut.gen_rvfi.u_rvfi.ex_irq_q || u_dut.gen_rvfi.u_rvfi.ex_intr_q)));
  end

  // Words of a frame are requested by an emret, or ahead of it. No more words have come than were requested.
  if (Fast) begin : gen_load
    localparam logic [2:0] UserLoad = 3'd2;  // enumeration of tz_frame_port
    logic load_held, load_out, emret;
    assign load_held = u_dut.gen_fast.u_fastirq.u_port.hold_q == UserLoad;
    assign load_out  = u_dut.gen_fast.u_fastirq.u_port.out_q == UserLoad;
    assign emret     = u_dut.ex_valid_q && !u_dut.ex_q.fault && ctrl.kind == KindEmret;
    if (NumBanks > 0) begin : gen_banks
      localparam logic [4:0] Words = 5'(frame_words(1'b0));
      logic [4:0] ask, got;
      assign ask = u_dut.gen_fast.u_fastirq.gen_banks.u_banks.ask_q;
      assign got = u_dut.gen_fast.u_fastirq.gen_banks.u_banks.got_q;
      LemmaCount_A: assert property (@(posedge clk_i) !rst_n ||
        (ask <= Words && 6'(got) + 6'(load_out) <= 6'(ask) && !(ask == Words && load_held)));
      LemmaLoading_A: assert property (@(posedge clk_i) !rst_n ||
        u_dut.gen_fast.u_fastirq.gen_banks.u_banks.filling_q || !(ask != '0 || load_held) || emret);
    end else begin : gen_in_place
      LemmaLoading_A: assert property (@(posedge clk_i) !rst_n || !load_held || emret);
      // When a load or store has begun, the words that it may write have already left for their frame.
      LemmaBegun_A: assert property (@(posedge clk_i) !rst_n || !(hold_q || second_q) ||
        !u_dut.gen_fast.u_fastirq.gen_in_place.u_in_place.evict);
    end
  end

endmodule
