// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of fastirq_formal.sv about frames that could not be stored: each has one exception. This module is
// instantiated in fastirq_formal and uses its signals by name. When an exception has to wait is free here
// (`choice_i.hold`).
//
// The frame that a word belongs to is derived from entries, returns and grants alone. Frames are stored in the order of
// the entries, each with all its words. The one exception is the youngest: when an emret has returned from it, no more
// of its words are stored.
module fastirq_faults #(
  parameter int unsigned Words    = 12,
  parameter int unsigned NumBanks = 1
) (
  input logic clk_i
);

  // enumeration of tz_frame_port
  localparam logic [2:0] UserDrain = 3'd1;
  localparam int unsigned Depth = ((NumBanks > 0) ? NumBanks : 1) + 1;

  logic        rst_n, due, taken, pick, enter, entering;
  logic        grant, first, last;           // a word of a frame leaves; it is the first one, or the last one, of its
                                             // frame
  logic        answer, err;                  // the answer to the word has come; it is an error
  logic [31:2] addr;                         // address of the word that leaves
  logic [31:0] named;                        // value of mtval
  logic [2:0]  out;
  logic        said;                         // the port has reported a fault of the frame that is being stored
  assign rst_n    = fastirq_formal.rst_n;
  assign due      = fastirq_formal.store_fault;
  assign taken    = fastirq_formal.store_fault_taken;
  assign pick     = fastirq_formal.pick_i;
  assign enter    = fastirq_formal.enter;
  assign entering = enter || fastirq_formal.chained;
  assign grant    = fastirq_formal.frame_grant && fastirq_formal.frame_req.we;
  assign addr     = fastirq_formal.frame_req.addr[31:2];
  assign err      = fastirq_formal.frame_rsp.err;
  assign named    = fastirq_formal.fault_addr;
  assign out      = fastirq_formal.out;
  assign said     = fastirq_formal.u_fastirq.u_port.fault_q;

  // ------------------------------------------------------------------ which frame leaves
  logic [3:0] frames_q = '0;                   // number of frames that have words to store
  logic [4:0] left_q = '0;                     // number of words of the oldest frame that have left
  logic       drop;                            // an emret has returned to the youngest of these frames
  assign first = left_q == '0;
  assign last  = grant && left_q == 5'(Words - 1);
  assign drop  = fastirq_formal.drop;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      {frames_q, left_q} <= '0;
    end else begin
      frames_q <= frames_q + 4'(enter) - 4'(drop) - 4'(last);
      if (last || (drop && frames_q == 4'd1)) left_q <= '0;
      else left_q <= left_q + 5'(grant);
    end
  end
  Leaves_A: assert property (@(posedge clk_i) !rst_n || !grant || frames_q != '0);

  // ------------------------------------------------------------------ one exception for each frame
  logic        open_q = 1'b0, failed_q = 1'b0;  // an answer to a word is awaited; a word of the same frame has failed
                                                // before
  logic [31:2] open_addr_q;
  logic        failure;                         // a word has failed, the first one of its frame
  logic [3:0]  owed_q = '0;                     // number of frames whose exception has not been taken
  assign answer  = open_q && fastirq_formal.frame_rsp.rvalid;
  assign failure = answer && err && !failed_q;
  always_ff @(posedge clk_i) begin
    open_q <= rst_n && (grant || (open_q && !answer));
    if (grant) open_addr_q <= addr;
    failed_q <= rst_n && !(grant && first) && (failed_q || failure);
    owed_q   <= rst_n ? owed_q + 4'(failure) - 4'(taken) : '0;
  end
  Once_A: assert property (@(posedge clk_i) !rst_n || due == (owed_q != '0));
  Lossless_A: assert property (@(posedge clk_i) !rst_n || owed_q <= 4'(Depth));
  // No entry happens while an exception is due, which bounds the number of exceptions that are owed.
  NoEntry_A: assert property (@(posedge clk_i) !rst_n || !due || !entering);

  // ------------------------------------------------------------------ mtval of one exception, chosen freely
  logic        watching_q = 1'b0;
  logic [3:0]  before_q;                        // number of exceptions that come before it
  logic [31:2] watched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watching_q <= 1'b0;
    else if (!watching_q && failure && pick) watching_q <= 1'b1;
    else if (taken && before_q == '0) watching_q <= 1'b0;
    if (!watching_q) {before_q, watched_q} <= {owed_q - 4'(taken), open_addr_q};
    else before_q <= before_q - 4'(taken);
  end
  Names_A: assert property (@(posedge clk_i)
    !(rst_n && watching_q && taken && before_q == '0) || named == {watched_q, 2'b00});

  // ------------------------------------------------------------------ lemmas
  logic [3:0] pending;                          // number of frames with words to store, from the design's registers
  logic [4:0] gone;                             // number of words of the oldest frame that have left, from the design's
                                                // registers
  if (NumBanks > 0) begin : gen_banks
    assign pending = 4'($countones(fastirq_formal.u_fastirq.gen_banks.u_banks.u_context.pend_q));
    assign gone    = fastirq_formal.drain_pends ? fastirq_formal.u_fastirq.gen_banks.u_banks.u_context.word_q : '0;
  end else begin : gen_in_place
    logic [Words-1:0] stay;
    logic             on_way;
    assign stay    = fastirq_formal.u_fastirq.gen_in_place.u_in_place.stay_q;
    assign on_way  = fastirq_formal.u_fastirq.gen_in_place.u_in_place.out_q;
    assign pending = 4'(fastirq_formal.drain_pends);
    assign gone    = fastirq_formal.drain_pends ? 5'(Words) - 5'($countones(stay)) - 5'(on_way) : '0;
    // ra leaves before all other words.
    LemmaRa_A: assert property (@(posedge clk_i) !rst_n || !on_way ||
      (fastirq_formal.u_fastirq.gen_in_place.u_in_place.out_word_q == '0) == &stay[Words-1:1]);
  end
  LemmaFrames_A: assert property (@(posedge clk_i) !rst_n || (frames_q == pending && left_q == gone));

  // A frame whose fault has not been reported may still report one. These are the frames with words to store, and a
  // frame without them whose last answer is awaited.
  logic begun;                                  // some words of the frame that leaves have left
  assign begun = frames_q != '0 && !first;
  logic [3:0] possible;
  assign possible = frames_q - 4'(begun && said) + 4'(out == UserDrain && !said && !begun);
  LemmaRoom_A: assert property (@(posedge clk_i) !rst_n || owed_q + possible <= 4'(Depth));
  LemmaOpen_A: assert property (@(posedge clk_i) !rst_n || (open_q == (out == UserDrain) &&
    (!open_q || open_addr_q == fastirq_formal.u_fastirq.u_port.addr_q) && failed_q == said));
  LemmaOwed_A: assert property (@(posedge clk_i) !rst_n ||
    fastirq_formal.u_fastirq.u_faults.valid_q == Depth'((32'd1 << owed_q) - 1));
  LemmaWatched_A: assert property (@(posedge clk_i) !rst_n || !watching_q ||
    (before_q < owed_q && fastirq_formal.u_fastirq.u_faults.addr_q[before_q[1:0]] == watched_q));

endmodule
