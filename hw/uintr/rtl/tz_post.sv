// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// senduipi (docs/user-interrupts.md). The instruction waits in EX until all of it is done:
//
//   entry ───> judge ──────────> set ───────────> mark ──────────────> find ────> tell
//   4 words    UPID's 3 words    PUIR: the bit    ON, unless ON or SN  NDST       notification
//
// Until the bit is set nothing has changed, and the instruction can be given up: for an interrupt (`stop_i`) between two
// accesses, and for exception 26 (`fault_o`). From then on nothing can fail: all words of a UPID are in one aligned block,
// so that the subordinate that takes the first access takes the others (as tz_lsu assumes of its BlockBytes), and memory
// protection has judged them.
module tz_post
  import uintr_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  // Pipeline
  input  logic          start_i,    // EX holds a senduipi that may begin, if it has not
  input  logic          stop_i,     // an interrupt is to be taken
  input  logic          kill_i,     // a trap empties EX
  input  logic          taken_i,    // the instruction completes
  input  logic [31:0]   index_i,    // stays until then
  output logic          busy_o,     // it cannot be given up in this cycle
  output logic          done_o,     // it may complete
  output logic          fault_o,    // it raises exception 26

  input  registers_t    registers_i,

  // Memory
  output word_req_t     req_o,
  input  word_rsp_t     rsp_i,

  // Destination
  output notification_t notify_o,
  input  logic          notify_ready_i
);

  typedef enum logic [3:0] {StIdle, StEntry, StJudge, StSet, StMark, StFind, StTell, StDone, StFault} state_e;

  state_e      state_d, state_q;
  logic [2:0]  word_d, word_q;          // entry: words asked for; judge: words judged
  logic        bad_d, bad_q;            // the entry is none to post by
  logic        open_d, open_q;          // an answer is awaited
  logic        held_d, held_q;          // a request waits for its grant
  logic [5:0]  vector_d, vector_q;
  logic [31:6] descriptor_d, descriptor_q;
  logic [7:0]  notification_d, notification_q;
  logic [31:0] hart_d, hart_q;

  // ---------------------------------------------------------------- the entry's words
  logic word_bad;
  logic [1:0] answered;  // the word whose answer is here: the last one asked for
  assign answered = 2'(word_q - 3'd1);
  always_comb begin
    unique case (answered)
      2'd0:    word_bad = (rsp_i.rdata[31:14] != '0) || (rsp_i.rdata[7:0] != 8'd1);  // V; reserved; vector above 63
      2'd2:    word_bad = (rsp_i.rdata[5:0] != '0);
      default: word_bad = (rsp_i.rdata != '0);
    endcase
  end

  // ---------------------------------------------------------------- requests
  logic        want;
  logic [5:2]  posted, offset;
  logic [31:4] entry;
  assign posted = WordPosted + 4'(vector_q[5]);
  assign entry  = registers_i.table_base + index_i[27:0];
  always_comb begin
    want = 1'b0;
    unique case (state_q)
      StEntry:               want = !word_q[2] && !stop_i && (!open_q || rsp_i.rvalid);
      StJudge:               want = !stop_i;
      StSet, StMark, StFind: want = !open_q;
      default: ;
    endcase
    unique case (state_q)
      StJudge: offset = (word_q == 3'd0) ? WordControl : (word_q == 3'd1) ? WordHart : posted;
      StSet:   offset = posted;
      StFind:  offset = WordHart;
      default: offset = WordControl;
    endcase
    req_o = '{
      req:   want || held_q,
      judge: state_q == StJudge,
      judged: state_q != StEntry,
      we:    (state_q inside {StSet, StMark}),
      atop:  (state_q == StSet) ? obi_pkg::AtopOr : (state_q == StMark) ? obi_pkg::AtopMark : obi_pkg::AtopLoad,
      addr:  (state_q == StEntry) ? {entry, word_q[1:0]} : {descriptor_q, offset},
      wdata: 32'd1 << vector_q[4:0]
    };
  end

  logic granted;
  assign granted = req_o.req && rsp_i.gnt;
  assign held_d  = req_o.req && !rsp_i.gnt;
  assign open_d  = (granted && !rsp_i.denied && !req_o.judge) || (open_q && !rsp_i.rvalid);

  // ---------------------------------------------------------------- steps
  always_comb begin
    state_d        = state_q;
    word_d         = word_q;
    bad_d          = bad_q;
    vector_d       = vector_q;
    descriptor_d   = descriptor_q;
    notification_d = notification_q;
    hart_d         = hart_q;
    unique case (state_q)
      StIdle: begin
        word_d = '0;
        bad_d  = 1'b0;
        if (start_i) state_d = (index_i < 32'(registers_i.entries)) ? StEntry : StFault;
      end
      StEntry: begin
        if (granted) word_d = word_q + 3'd1;
        if (granted && rsp_i.denied) bad_d = 1'b1;
        if (open_q && rsp_i.rvalid) begin
          if (rsp_i.err || word_bad) bad_d = 1'b1;
          if (answered == 2'd0) vector_d = rsp_i.rdata[13:8];
          if (answered == 2'd2) descriptor_d = rsp_i.rdata[31:6];
        end
        if (!open_d && !held_d) begin
          if (word_d[2]) begin
            state_d = bad_d ? StFault : StJudge;
            word_d  = '0;
          end else if (stop_i) begin
            state_d = StIdle;
          end
        end
      end
      StJudge: begin
        if (granted) begin
          word_d = word_q + 3'd1;
          if (rsp_i.denied) state_d = StFault;
          else if (word_q == 3'd2) state_d = StSet;
        end else if (stop_i && !held_d) begin
          state_d = StIdle;
        end
      end
      StSet: if (open_q && rsp_i.rvalid) state_d = rsp_i.err ? StFault : StMark;
      StMark: if (open_q && rsp_i.rvalid) begin
        notification_d = rsp_i.rdata[23:16];
        state_d        = (rsp_i.rdata[1:0] == '0) ? StFind : StDone;
      end
      StFind: if (open_q && rsp_i.rvalid) begin
        hart_d  = rsp_i.rdata;
        state_d = StTell;
      end
      StTell: if (notify_ready_i) state_d = StDone;
      StDone: if (taken_i) state_d = StIdle;
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
    vector_q       <= vector_d;
    descriptor_q   <= descriptor_d;
    notification_q <= notification_d;
    hart_q         <= hart_d;
  end

  assign busy_o   = !(state_q inside {StIdle, StFault});
  assign done_o   = (state_q == StDone);
  assign fault_o  = (state_q == StFault);
  assign notify_o = '{valid: state_q == StTell, hart: hart_q, vector: notification_q};

  logic unused;
  assign unused = ^{registers_i.sends, registers_i.receives, registers_i.descriptor, registers_i.vector,
                    rsp_i.rdata[7:0]};

`ifndef SYNTHESIS
  Kept_A: assert property (@(posedge clk_i) !(kill_i && busy_o));
  Agreed_A: assert property (@(posedge clk_i)
      !((state_q inside {StMark, StFind}) && ((rsp_i.rvalid && open_q && rsp_i.err) || (granted && rsp_i.denied))));
`endif

endmodule
