// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Handles the notifications at the hart that they name, beside what the hart executes (docs/user-interrupts.md). For
// the thread that runs (the notification has the vector munv):
//
//   clear ──> swap ─────────────────────> swap ─────────────────────────> taken
//   ON        PUIR, named word: UIRR      PUIR, the other word: UIRR
//
// The first swap is of the word in which the sender has set its bit. Any other notification, and one whose UPID may not
// be accessed or is in no memory, becomes an edge of a source of the CLIC (`pulse_o`). All words of a UPID are in one
// aligned block: the subordinate that takes the first access takes the others.
//
// Memory protection judges the three words before a notification comes: one in each cycle in which the post does not
// need it (`judge_free_i`), and again after each instruction that may change mupid or rows. A notification that comes
// before the judgement is complete waits for it.
//
// An instruction that accesses mupid, munv, muirr or muirrh waits in EX while a notification is handled (`wait_o`). So
// it takes effect before or after the whole notification. It goes before the next notification.
module tz_receive
  import uintr_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  input  notification_t notified_i,  // valid stays until ready
  output logic          notified_ready_o,

  // Registers
  input  registers_t    registers_i,
  input  logic          access_i,    // the instruction in EX reads or writes mupid, munv, muirr or muirrh
  input  logic          accessed_i,  // with access_i: it completes in this cycle
  output logic          wait_o,      // with access_i: it must wait
  output join_t         join_o,
  output logic          active_o,    // a notification is at this hart

  // Memory protection, combinational: whether a load and a store of the word are allowed
  input  logic          rows_i,      // an instruction that may change rows completes
  output logic [31:2]   judge_word_o,
  input  logic          judge_free_i,
  input  logic          allowed_i,

  // Memory
  output word_req_t     req_o,
  input  word_rsp_t     rsp_i,

  // CLIC
  output logic          pulse_o,
  output logic [7:0]    source_o
);

  typedef enum logic [2:0] {StIdle, StJudge, StClear, StFirst, StSecond, StEdge} state_e;

  state_e     state_d, state_q;
  logic [1:0] word_d, word_q;      // number of words that have been judged
  logic       open_word, known;    // a word is judged in this cycle; all three have been judged
  logic       may_d, may_q;        // all words judged so far may be accessed
  logic       open_d, open_q;      // an answer is awaited
  logic       yield_d, yield_q;    // a waiting instruction goes before the next notification
  logic       start, mine, answer, swap, high;
  logic [5:2] offset;

  assign start  = notified_i.valid && !(yield_q && access_i);
  assign answer = open_q && rsp_i.rvalid;
  assign mine   = registers_i.receives && notified_i.vector == registers_i.vector;
  assign wait_o = (state_q != StIdle) || start;

  // ---------------------------------------------------------------- judgement
  assign known        = (word_q == 2'd3);
  assign open_word    = !known && judge_free_i;
  assign judge_word_o = {registers_i.descriptor, (word_q == 2'd0) ? WordControl : WordPosted + 4'(word_q[1])};
  always_comb begin
    word_d = word_q + 2'(open_word);
    may_d  = may_q && (allowed_i || !open_word);
    if (rows_i || (access_i && accessed_i)) begin
      word_d = '0;
      may_d  = 1'b1;
    end
  end

  // ---------------------------------------------------------------- requests
  assign swap = state_q inside {StFirst, StSecond};
  assign high = notified_i.high ^ (state_q == StSecond);
  always_comb begin
    offset = swap ? WordPosted + 4'(high) : WordControl;
    req_o = '{
      req:   (state_q == StIdle) ? start && mine && known && may_q
                                 : (state_q == StClear || swap) && !open_q,
      judged: 1'b1,
      we:    1'b1,
      atop:  swap ? obi_pkg::AtopSwap : obi_pkg::AtopAnd,
      addr:  {registers_i.descriptor, offset},
      wdata: swap ? 32'd0 : ~isa_pkg::upid_control_t'{on: 1'b1, default: '0}
    };
  end

  assign open_d = (req_o.req && rsp_i.gnt) || (open_q && !rsp_i.rvalid);

  // ---------------------------------------------------------------- steps
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:   if (start) state_d = !mine ? StEdge : !known ? StJudge : may_q ? StClear : StEdge;
      StJudge:  if (known) state_d = may_q ? StClear : StEdge;
      StClear:  if (answer) state_d = rsp_i.err ? StEdge : StFirst;
      StFirst:  if (answer) state_d = StSecond;
      StSecond: if (answer) state_d = StIdle;
      default:  state_d = StIdle;  // StEdge
    endcase
  end

  always_comb begin
    yield_d = yield_q;
    if (notified_ready_o) yield_d = 1'b1;
    else if (state_q == StIdle && (!access_i || accessed_i)) yield_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      word_q  <= '0;
      may_q   <= 1'b1;
      open_q  <= 1'b0;
      yield_q <= 1'b0;
    end else begin
      state_q <= state_d;
      word_q  <= word_d;
      may_q   <= may_d;
      open_q  <= open_d;
      yield_q <= yield_d;
    end
  end

  assign notified_ready_o = (state_q != StIdle) && (state_d == StIdle);
  assign join_o   = '{valid: swap && answer && !rsp_i.err, high: high,
                      vectors: rsp_i.rdata};
  assign active_o = (state_q != StIdle) || notified_i.valid;
  assign pulse_o  = (state_q == StEdge);
  assign source_o = notified_i.vector;

  logic unused;
  assign unused = ^{registers_i.sends, registers_i.table_base, registers_i.entries, notified_i.hart,
                    rsp_i.denied};

`ifndef SYNTHESIS
  logic       changed_q;
  registers_t before_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b1;
    else changed_q <= access_i && accessed_i;
  end
  always_ff @(posedge clk_i) before_q <= registers_i;
  logic unused_before;
  assign unused_before = ^before_q;
  Access_A: assert property (@(posedge clk_i) !(access_i && accessed_i && wait_o));
  Registers_A: assert property (@(posedge clk_i) changed_q ||
      {registers_i.receives, registers_i.descriptor, registers_i.vector} ==
      {before_q.receives, before_q.descriptor, before_q.vector});
  Allowed_A: assert property (@(posedge clk_i) !(req_o.req && rsp_i.denied));
  Stays_A: assert property (@(posedge clk_i) !(state_q != StIdle && !notified_i.valid));
`endif

endmodule
