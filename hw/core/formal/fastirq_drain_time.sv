// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of fastirq_formal.sv about time: how many cycles a drain takes at most. This module is instantiated in
// fastirq_formal and uses its signals by name.
module fastirq_drain_time #(
  parameter int unsigned Words    = 12,
  parameter int unsigned NumBanks = 1,
  parameter int unsigned MaxWait  = 2
) (
  input logic clk_i
);

  // enumeration of tz_frame_port
  localparam logic [2:0] UserNone = 3'd0, UserDrain = 3'd1, UserVector = 3'd3, UserGone = 3'd4;

  logic       rst_n, entering;
  logic       drain_valid, drain_left, drop, turn;
  logic       request_waits, answer_waits;     // a request, or an answer, is waited for in this cycle
  logic [2:0] hold, out;
  logic [9:0] remaining;                       // number of words still to be stored
  assign rst_n         = fastirq_formal.rst_n;
  assign entering      = fastirq_formal.enter || fastirq_formal.chained;
  assign drain_valid   = fastirq_formal.drain_pends;
  assign drain_left    = fastirq_formal.u_fastirq.drain_left;
  assign drop          = fastirq_formal.drop;
  assign turn          = fastirq_formal.u_fastirq.u_port.turn_q;
  assign request_waits = fastirq_formal.frame_req.req && !fastirq_formal.frame_rsp.gnt;
  assign answer_waits  = fastirq_formal.frame_open_q && !fastirq_formal.frame_rsp.rvalid;
  assign hold          = fastirq_formal.hold;
  assign out           = fastirq_formal.out;
  assign remaining     = fastirq_formal.remaining;

  // Bounds of a drain. Assumption: the port is granted after at most MaxWait cycles and answered after as many. Then a
  // word leaves at least every Progress cycles. Without another interrupt the drain ends after at most Longest cycles.
  // They are counted from when no load waits for its grant that was given up for the interrupt. (Without spare banks no
  // word leaves while an emret is at work.)
  localparam int unsigned Progress = 4 * (MaxWait + 1) - 2;
  localparam int unsigned AllWords = Words * ((NumBanks > 0) ? NumBanks : 1);
  localparam int unsigned Longest = Progress * AllWords;
  logic       draining_now;
  assign draining_now = rst_n && !entering && drain_valid && hold != UserGone &&
                        !(NumBanks == 0 && fastirq_formal.emret_here);
  logic [9:0] grant_wait_q = '0, answer_wait_q = '0, quiet_q = '0, stall_q = '0;
  always_ff @(posedge clk_i) begin
    grant_wait_q  <= (rst_n && request_waits) ? grant_wait_q + 1'b1 : '0;
    answer_wait_q <= (rst_n && answer_waits) ? answer_wait_q + 1'b1 : '0;
    quiet_q       <= draining_now ? quiet_q + 1'b1 : '0;
    stall_q       <= (draining_now && !drain_left && !drop) ? stall_q + 1'b1 : '0;
  end
  logic late_q = 1'b0;  // a grant or an answer has taken longer than MaxWait
  always_ff @(posedge clk_i) begin
    late_q <= rst_n && (late_q || (request_waits && grant_wait_q >= 10'(MaxWait)) ||
                        (answer_waits && answer_wait_q >= 10'(MaxWait)));
  end
  DrainEnds_A: assert property (@(posedge clk_i) !rst_n || late_q || quiet_q <= 10'(Longest));

  // ------------------------------------------------------------------ lemmas
  localparam logic [9:0] Turn = 10'(MaxWait + 1);  // cycles of a request, and of an answer, at most
  logic [9:0] ahead;      // upper bound of the cycles until the next word has left
  always_comb begin
    ahead = 3 * Turn - 10'd1;                                      // a table entry comes before the word
    if (hold == UserVector) ahead = 3 * Turn - 10'd1 - grant_wait_q;
    if (hold == UserDrain) ahead = Turn - grant_wait_q;
    if (out != UserNone) ahead = 4 * Turn - 10'd2 - answer_wait_q;
    if (out == UserVector) ahead = 2 * Turn - 10'd1 - answer_wait_q;
  end
  LemmaWaits_A: assert property (@(posedge clk_i) !rst_n || late_q ||
    (grant_wait_q <= 10'(MaxWait) && answer_wait_q <= 10'(MaxWait) &&
    (out != UserVector || turn) &&
    (grant_wait_q == '0 || hold != UserNone) && (answer_wait_q == '0 || out != UserNone)));
  LemmaStall_A: assert property (@(posedge clk_i) !rst_n || late_q || !drain_valid ||
    stall_q <= 10'(Progress) - ahead);
  LemmaQuiet_A: assert property (@(posedge clk_i) !rst_n || late_q || quiet_q == '0 ||
    quiet_q <= 10'(Progress) * (10'(AllWords) - remaining) + stall_q);

endmodule
