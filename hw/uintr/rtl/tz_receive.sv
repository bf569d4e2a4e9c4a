// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Notifications at the hart that they name (docs/user-interrupts.md), whatever the hart does meanwhile. Of the thread that
// runs:
//
//   judge ──────────> clear ──> swap ──────────────> swap ─────────────> taken
//   UPID's 3 words    ON        PUIR, high: UIRR     PUIR, low: UIRR
//
// The upper vectors come first, so that the highest one is delivered first. Any other notification, and one whose UPID may
// not be accessed or is in no memory, is an edge of a source of the CLIC. All words of a UPID are in one aligned block: the
// subordinate that takes the first access takes the others.
//
// An instruction with mupid, munv, muirr or muirrh waits in EX while a notification is here (`wait_o`), so that it comes
// before or behind all of it. It goes before the next notification.
module tz_receive
  import uintr_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  input  notification_t notified_i,  // valid stays until ready
  output logic          notified_ready_o,

  // Registers
  input  registers_t    registers_i,
  input  logic          access_i,    // an instruction in EX reads or writes some of these ...
  input  logic          accessed_i,  // ... and completes in this cycle
  output logic          wait_o,      // it waits
  output join_t         join_o,
  output logic          active_o,    // a notification is here

  // Memory
  output word_req_t     req_o,
  input  word_rsp_t     rsp_i,

  // CLIC
  output logic          pulse_o,
  output logic [7:0]    source_o
);

  typedef enum logic [2:0] {StIdle, StJudge, StClear, StHigh, StLow, StEdge} state_e;

  state_e     state_d, state_q;
  logic [1:0] word_d, word_q;      // words judged
  logic       open_d, open_q;      // an answer is awaited
  logic       yield_d, yield_q;    // the instruction goes first
  logic       start, answer;
  logic [5:2] offset;

  assign start  = notified_i.valid && !(yield_q && access_i);
  assign answer = open_q && rsp_i.rvalid;
  assign wait_o = (state_q != StIdle) || start;

  always_comb begin
    unique case (state_q)
      StJudge: offset = (word_q == 2'd0) ? WordControl : WordPosted + 4'(word_q[1]);
      StHigh:  offset = WordPosted + 4'd1;
      StLow:   offset = WordPosted;
      default: offset = WordControl;
    endcase
    req_o = '{
      req:   (state_q == StJudge) || ((state_q inside {StClear, StHigh, StLow}) && !open_q),
      judge: state_q == StJudge,
      judged: state_q != StJudge,
      we:    1'b1,
      atop:  (state_q == StClear) ? obi_pkg::AtopAnd : obi_pkg::AtopSwap,
      addr:  {registers_i.descriptor, offset},
      wdata: (state_q == StClear) ? ~32'd1 : 32'd0
    };
  end

  assign open_d = (req_o.req && rsp_i.gnt && !req_o.judge) || (open_q && !rsp_i.rvalid);

  always_comb begin
    state_d = state_q;
    word_d  = word_q;
    unique case (state_q)
      StIdle: begin
        word_d = '0;
        if (start) begin
          state_d = (registers_i.receives && notified_i.vector == registers_i.vector) ? StJudge : StEdge;
        end
      end
      StJudge: if (rsp_i.gnt) begin
        word_d = word_q + 2'd1;
        if (rsp_i.denied) state_d = StEdge;
        else if (word_q == 2'd2) state_d = StClear;
      end
      StClear: if (answer) state_d = rsp_i.err ? StEdge : StHigh;
      StHigh:  if (answer) state_d = StLow;
      StLow:   if (answer) state_d = StIdle;
      default: state_d = StIdle;  // StEdge
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
      open_q  <= 1'b0;
      yield_q <= 1'b0;
    end else begin
      state_q <= state_d;
      word_q  <= word_d;
      open_q  <= open_d;
      yield_q <= yield_d;
    end
  end

  assign notified_ready_o = (state_q != StIdle) && (state_d == StIdle);
  assign join_o   = '{valid: (state_q inside {StHigh, StLow}) && answer && !rsp_i.err, high: state_q == StHigh,
                      vectors: rsp_i.rdata};
  assign active_o = (state_q != StIdle) || notified_i.valid;
  assign pulse_o  = (state_q == StEdge);
  assign source_o = notified_i.vector;

  logic unused;
  assign unused = ^{registers_i.sends, registers_i.table_base, registers_i.entries, notified_i.hart};

`ifndef SYNTHESIS
  Stays_A: assert property (@(posedge clk_i) !(state_q != StIdle && !notified_i.valid));
`endif

endmodule
