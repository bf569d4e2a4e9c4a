// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Whether the instruction in EX may leave EX (done_o), and whether the next instruction is elsewhere than behind it
// (goes_o). Combinational. Neither depends on whether a trap is taken: a trap's redirect has priority over that of the
// instruction.
module tz_leave
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
(
  input  id_t         ex_i,           // the instruction
  input  logic        late_i,         // an operand comes only in the next cycle
  input  logic        wait_i,         // fastirq, or a notification, keeps the instruction in EX
  input  from_lsu_t   lsu_i /*verilator split_var*/,
  input  logic        div_ready_i,    // the divider has finished
  input  logic        post_done_i,    // the senduipi leaves EX
  input  logic        refetch_i,      // IF has handed over the instruction behind the load or store, which had to wait:
                                      // that instruction is lost, and must be fetched again
  input  logic        mispredict_i,   // the branch goes to ex_i.alt
  input  csr_answer_t csr_i /*verilator split_var*/,
  input  logic [31:0] jalr_target_i,
  input  logic [31:2] entry_i,        // table entry that jalxnxti jumps through
  input  trap_to_pipe_t trap_i /*verilator split_var*/,
  input  from_fast_t    fast_i /*verilator split_var*/,

  output logic        done_o,         // the instruction may leave EX (the core excepts a load or store that waits for
                                      // a word of a frame)
  output logic        goes_o,         // fetching goes on at target_o, if the instruction is valid and WB is ready
  output logic [31:0] target_o,
  output logic        table_o         // through the table entry at target_o
);

  logic        freeze;                // no instruction may complete
  assign freeze = trap_i.choice.freeze;

  context_t    frame;
  logic [31:0] frame_epc;
  assign frame     = fast_i.trap.frame;
  assign frame_epc = {frame.epc[31:2], frame.epc[1] && !frame.cause.minhv, 1'b0};

  always_comb begin
    unique case (ex_i.ctrl.kind)
      KindLoad, KindStore: done_o = lsu_i.ends;
      KindDiv:             done_o = div_ready_i && !freeze && !wait_i;
      KindWfi:             done_o = trap_i.irq.wake && !freeze;
      KindPost:            done_o = post_done_i;
      KindEmret:           done_o = 1'b0;
      default:             done_o = !freeze && !late_i && !wait_i;
    endcase
    unique case (ex_i.ctrl.kind)
      KindLoad, KindStore:  goes_o = refetch_i;
      KindBranch:           goes_o = !freeze && mispredict_i;
      KindJalr:             goes_o = !freeze && !late_i && !wait_i;
      KindMret, KindFenceI: goes_o = !freeze;
      KindEmret:            goes_o = fast_i.pipe.chains || fast_i.pipe.returns;
      KindCsr:              goes_o = !freeze && !wait_i && (csr_i.jump || csr_i.rows);
      default:              goes_o = 1'b0;
    endcase
    unique case (ex_i.ctrl.kind)
      KindJalr:  target_o = jalr_target_i;
      KindMret:  target_o = trap_i.return_pc;
      KindEmret: target_o = fast_i.pipe.chains ? trap_i.handler : frame_epc;
      KindCsr:   target_o = csr_i.rows ? ex_i.alt : {entry_i, 2'b00};  // fetch again by the new rows; or jalxnxti
      default:   target_o = ex_i.alt;
    endcase
  end
  assign table_o = (ex_i.ctrl.kind == KindCsr && !csr_i.rows) || (ex_i.ctrl.kind == KindMret && trap_i.return_table) ||
                   (ex_i.ctrl.kind == KindEmret && (fast_i.pipe.chains ? trap_i.handler_table : frame.cause.minhv));

  logic unused;
  assign unused = ^{ex_i, lsu_i, csr_i, trap_i, fast_i, frame};

endmodule
