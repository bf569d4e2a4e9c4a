// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// senduipi (docs/user-interrupts.md):
//
//   EX                                     WB            behind the instruction
//   entry ───────────────> set ──────────> answer ─────> mark ──────────────> find ────> tell
//   4 words                PUIR: the bit                 ON, unless ON or SN  NDST       notification
//
// Timing: the first word of the entry is requested in the first cycle of the instruction in EX, then one word in each
// cycle. The access that sets the bit is requested in the cycle in which the last word of the entry has come, if the
// entry is valid. Meanwhile memory protection judges the first two words of the UPID (`judge_*`); it judges the word
// with the bit as that is requested.
//
// The instruction leaves EX as soon as the bus takes the access that sets the bit, and waits in WB for the answer, as a
// store does. If the answer is an error, exception 26 is raised there (`refused_o`). Before that access is requested
// nothing has changed in memory. So until then the instruction can be given up: between two accesses for an interrupt
// (`stop_i`), and for exception 26 in EX (`fault_o`).
//
// After the answer nothing can fail. All words of a UPID are in one aligned block, so the subordinate that takes the
// first access takes the others (tz_lsu assumes the same of its BlockBytes), and memory protection has judged them. So
// the other steps go on after the instruction. Loads and stores behind it wait until its accesses are made
// (`behind_o`). The next senduipi waits until all steps are done (`goes_on_o`).
module tz_post
  import isa_pkg::*;
  import uintr_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  // Pipeline
  input  logic          start_i,    // EX holds a senduipi that may begin
  input  logic          stop_i,     // an interrupt is to be taken
  input  logic          kill_i,     // a trap empties EX
  input  logic          taken_i,    // the instruction leaves EX: in the cycle in which the bus takes the bit
  input  logic [31:0]   index_i,    // index of the entry; does not change until taken_i
  output logic          busy_o,     // the instruction in EX cannot be given up in this cycle
  output logic          fault_o,    // the instruction in EX raises exception 26
  output logic          waits_o,    // the instruction in WB has no answer yet
  output logic          refused_o,  // the instruction in WB raises exception 26
  output logic          behind_o,   // the instruction has left EX and has accesses still to make
  output logic          goes_on_o,  // the instruction has left EX and has steps still to do

  input  registers_t    registers_i,

  // Memory
  output word_req_t     req_o,
  input  word_rsp_t     rsp_i,

  // Memory protection, combinational: whether a load and a store of the word are allowed
  output logic          judge_o,
  output logic [31:2]   judge_word_o,
  input  logic          allowed_i,

  // Destination
  output notification_t notify_o,
  input  logic          notify_ready_i
);

  typedef enum logic [2:0] {StIdle, StEntry, StSet, StAnswer, StMark, StFind, StTell, StFault} state_e;

  state_e      state_d, state_q;
  logic [2:0]  word_d, word_q;          // number of words of the entry that were requested
  logic        bad_d, bad_q;            // the entry is not valid, or one of the words may not be accessed
  logic        open_d, open_q;          // an answer is awaited
  logic        held_d, held_q;          // a request waits for its grant
  logic        known_d, known_q;        // the address of the UPID is known
  logic [1:0]  judged_d, judged_q;      // number of words of the UPID that have been judged
  logic [5:0]  vector_d, vector_q;
  logic [31:6] descriptor_d, descriptor_q;
  logic [7:0]  notification_d, notification_q;
  logic [31:0] hart_d, hart_q;

  logic granted, answer, next;
  assign granted = req_o.req && rsp_i.gnt;
  assign answer  = open_q && rsp_i.rvalid;
  assign next    = !open_q || rsp_i.rvalid;  // after this cycle no answer is awaited

  // ---------------------------------------------------------------- the entry's words
  // Order of the requests: the word with the UPID's address first, so that the UPID is judged while the others come;
  // then the word with the vector.
  function automatic logic [3:2] entry_word(logic [1:0] nth);
    unique case (nth)
      2'd0:    return 2'd2;
      2'd1:    return 2'd0;
      2'd2:    return 2'd1;
      default: return 2'd3;
    endcase
  endfunction

  logic [1:0] answered;  // the word that the answer of this cycle is about: the last one requested
  logic       word_bad, entry_bad;
  uitt_control_t posted;   // the answer, if it is the entry's word with the vector
  upid_control_t control;  // the answer, if it is the control word of the UPID
  assign answered = 2'(word_q - 3'd1);
  assign posted   = uitt_control_t'(rsp_i.rdata);
  assign control  = upid_control_t'(rsp_i.rdata);
  always_comb begin
    unique case (answered)
      2'd0:    word_bad = (rsp_i.rdata[5:0] != '0);
      2'd1:    word_bad = (posted.reserved_31_16 != '0) || (posted.reserved_7_1 != '0) || !posted.valid ||
                          (posted.vector[7:6] != '0);  // a vector above 63
      default: word_bad = (rsp_i.rdata != '0);
    endcase
  end
  assign entry_bad = bad_q || (answer && (rsp_i.err || word_bad));  // from the words that have come so far

  // ---------------------------------------------------------------- judgement of the UPID's words
  assign judge_o      = (state_q == StEntry) && known_q && !judged_q[1];
  assign judge_word_o = {descriptor_q, judged_q[0] ? WordHart : WordControl};

  // ---------------------------------------------------------------- requests
  logic        first, complete, sets, want;
  logic [5:2]  offset;
  logic [31:4] entry;
  assign entry    = registers_i.table_base + index_i[27:0];
  assign first    = (state_q == StIdle) && start_i && (index_i < 32'(registers_i.entries));
  assign complete = (state_q == StEntry) && word_q[2] && next;  // all words of the entry have come
  assign sets     = (state_q == StSet) || ((state_q == StEntry) && word_q[2]);
  always_comb begin
    unique case (state_q)
      StIdle:         want = first;
      StEntry:        want = !stop_i && next && !(word_q[2] && entry_bad);
      StMark, StFind: want = !open_q;
      default:        want = 1'b0;
    endcase
    unique case (state_q)
      StMark:  offset = WordControl;
      StFind:  offset = WordHart;
      default: offset = WordPosted + 4'(vector_q[5]);
    endcase
    req_o = '{
      req:    want || held_q,
      judged: state_q inside {StMark, StFind},
      we:     sets || (state_q == StMark),
      atop:   sets ? obi_pkg::AtopOr : (state_q == StMark) ? obi_pkg::AtopMark : obi_pkg::AtopLoad,
      addr:   (sets || state_q inside {StMark, StFind}) ? {descriptor_q, offset}
                                                        : {entry, entry_word((state_q == StIdle) ? 2'd0 : word_q[1:0])},
      wdata:  32'd1 << vector_q[4:0]
    };
  end

  assign held_d = req_o.req && !rsp_i.gnt;
  assign open_d = (granted && !rsp_i.denied) || (open_q && !rsp_i.rvalid);

  // ---------------------------------------------------------------- steps
  always_comb begin
    word_d       = word_q;
    bad_d        = entry_bad;
    known_d      = known_q;
    judged_d     = judged_q;
    vector_d     = vector_q;
    descriptor_d = descriptor_q;
    if (state_q == StIdle) begin
      word_d   = 3'(granted);
      bad_d    = granted && rsp_i.denied;
      known_d  = 1'b0;
      judged_d = '0;
    end else if (state_q == StEntry) begin
      if (granted && !word_q[2]) begin
        word_d = word_q + 3'd1;
        if (rsp_i.denied) bad_d = 1'b1;
      end
      if (answer) begin
        if (answered == 2'd0) {known_d, descriptor_d} = {1'b1, rsp_i.rdata[31:6]};
        if (answered == 2'd1) vector_d = posted.vector[5:0];
      end
      if (judge_o) begin
        judged_d = judged_q + 2'd1;
        if (!allowed_i) bad_d = 1'b1;
      end
    end
  end

  always_comb begin
    state_d        = state_q;
    notification_d = notification_q;
    hart_d         = hart_q;
    unique case (state_q)
      StIdle:  if (start_i) state_d = first ? StEntry : StFault;
      StEntry: begin
        if (complete) begin
          if (entry_bad) state_d = StFault;
          else if (stop_i) state_d = StIdle;
          else if (!granted) state_d = StSet;
          else state_d = rsp_i.denied ? StFault : StAnswer;
        end else if (stop_i && !open_d && !held_d) begin
          state_d = StIdle;
        end
      end
      StSet:    if (granted) state_d = rsp_i.denied ? StFault : StAnswer;
      StAnswer: if (answer) state_d = rsp_i.err ? StIdle : StMark;
      StMark: if (answer) begin
        notification_d = control.nv;
        state_d        = (!control.on && !control.sn) ? StFind : StIdle;
      end
      StFind: if (answer) begin
        hart_d  = rsp_i.rdata;
        state_d = notify_ready_i ? StIdle : StTell;
      end
      StTell: if (notify_ready_i) state_d = StIdle;
      default: if (kill_i) state_d = StIdle;  // StFault
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      open_q  <= 1'b0;
      held_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      open_q  <= open_d;
      held_q  <= held_d;
    end
  end
  always_ff @(posedge clk_i) begin
    word_q         <= word_d;
    bad_q          <= bad_d;
    known_q        <= known_d;
    judged_q       <= judged_d;
    vector_q       <= vector_d;
    descriptor_q   <= descriptor_d;
    notification_q <= notification_d;
    hart_q         <= hart_d;
  end

  assign busy_o    = state_q inside {StEntry, StSet};
  assign fault_o   = (state_q == StFault);
  assign waits_o   = (state_q == StAnswer) && !answer;
  assign refused_o = (state_q == StAnswer) && answer && rsp_i.err;
  assign behind_o  = (state_q inside {StAnswer, StMark}) || (state_q == StFind && !open_q);
  assign goes_on_o = state_q inside {StAnswer, StMark, StFind, StTell};

  // The notification is sent in the cycle in which the mhartid of its destination comes; later if it must wait.
  logic found;
  assign found    = (state_q == StFind) && answer;
  assign notify_o = '{valid: found || state_q == StTell, hart: found ? rsp_i.rdata : hart_q, vector: notification_q,
                      high: vector_q[5]};

  logic unused;
  assign unused = ^{registers_i.sends, registers_i.receives, registers_i.descriptor, registers_i.vector, taken_i,
                    control};

`ifndef SYNTHESIS
  Kept_A: assert property (@(posedge clk_i) !(kill_i && busy_o));
  logic leaves;
  assign leaves = sets && granted && !rsp_i.denied;
  Leaves_A: assert property (@(posedge clk_i) leaves == (taken_i && busy_o));
  Judged_A: assert property (@(posedge clk_i) !(leaves && !judged_q[1]));
  Agreed_A: assert property (@(posedge clk_i)
      !((state_q inside {StMark, StFind}) && ((answer && rsp_i.err) || (granted && rsp_i.denied))));
`endif

endmodule
