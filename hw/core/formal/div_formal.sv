// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof of the divider's handshake, with any inputs: it is ready only if a division was requested and not taken or
// killed since; it stays ready until then; and it takes no more cycles than its header says. pipeline_formal.sv proves
// what the core requests.
module div_formal #(
  parameter int unsigned BitsPerCycle = 2
) (
  input logic        clk_i,
  input logic        valid_i,
  input logic        signed_i,
  input logic        rem_i,
  input logic [31:0] a_i,
  input logic [31:0] b_i,
  input logic        kill_i,
  input logic        taken_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        ready;
  logic [31:0] result;
  tz_div #(
    .BitsPerCycle(BitsPerCycle)
  ) u_dut (
    .clk_i,
    .rst_ni  (rst_n),
    .valid_i,
    .signed_i,
    .rem_i,
    .a_i,
    .b_i,
    .kill_i,
    .ready_o (ready),
    .taken_i,
    .result_o(result)
  );

  // The core takes a result only when it is ready.
  TakenIsReady_M: assume property (@(posedge clk_i) !taken_i || ready);

  localparam logic [6:0] Longest = 7'(32 / BitsPerCycle + 1);
  logic       asked_q = 1'b0, ready_q = 1'b0, ends_q = 1'b0;  // events since the last result was taken or killed
  logic [6:0] cycles_q = '0;                                  // cycles since the division was requested
  always_ff @(posedge clk_i) begin
    asked_q  <= rst_n && !kill_i && !(ready && taken_i) && (asked_q || valid_i);
    ready_q  <= rst_n && ready;
    ends_q   <= rst_n && (kill_i || (ready && taken_i));
    cycles_q <= (!rst_n || kill_i || (ready && taken_i)) ? '0 : (cycles_q + 7'((asked_q || valid_i) && !ready));
  end
  Asked_A: assert property (@(posedge clk_i) !rst_n || !ready || asked_q);
  Stays_A: assert property (@(posedge clk_i) !rst_n || !ready_q || ends_q || ready);
  Ends_A: assert property (@(posedge clk_i) !rst_n || !ends_q || !ready);
  // The division ends within so many cycles after its first one, for any operands.
  Finishes_A: assert property (@(posedge clk_i) !rst_n || !asked_q || ready || cycles_q < Longest);

  localparam logic [1:0] Idle = 2'd0, Run = 2'd1, Done = 2'd2;  // enumeration of tz_div
  LemmaCount_A: assert property (@(posedge clk_i) !rst_n ||
    (asked_q == (u_dut.state_q != Idle) && u_dut.state_q <= Done && (asked_q || cycles_q == '0) &&
     (u_dut.state_q != Run || cycles_q + 7'(u_dut.count_q) + 7'd1 == Longest)));

  Divides_C: cover property (@(posedge clk_i) rst_n && ready && taken_i);
  Killed_C: cover property (@(posedge clk_i) rst_n && ends_q && ready_q && !asked_q);

endmodule
