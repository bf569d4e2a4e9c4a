// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Restoring divider: div, divu, rem, remu (Unprivileged ISA, "M" extension, with its results for division by zero and
// overflow). It finds `BitsPerCycle` quotient bits in each cycle, so a division holds EX for 32/BitsPerCycle + 2
// cycles, whatever its operands. `kill_i` ends a division in any cycle, so that an interrupt never waits for it; the
// next `valid_i` starts it from the beginning.
module tz_div #(
  parameter int unsigned BitsPerCycle = 2  // 1, 2 or 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,   // operands valid, held until taken
  input  logic        signed_i,
  input  logic        rem_i,     // remainder, else quotient
  input  logic [31:0] a_i,       // dividend
  input  logic [31:0] b_i,       // divisor
  input  logic        kill_i,    // abandon
  output logic        ready_o,   // result valid in this cycle
  input  logic        taken_i,   // result taken
  output logic [31:0] result_o
);

  localparam int unsigned Steps = 32 / BitsPerCycle;
  localparam int unsigned CountW = $clog2(Steps + 1);

  typedef enum logic [1:0] {
    Idle,
    Run,
    Done
  } state_e;

  state_e state_d, state_q;
  logic [CountW-1:0] count_d, count_q;
  logic [31:0] rem_d, rem_q;  // partial remainder
  logic [31:0] quo_d, quo_q;  // dividend bits leave at the top, quotient bits enter at the bottom

  logic a_neg, b_neg;
  assign a_neg = signed_i & a_i[31];
  assign b_neg = signed_i & b_i[31];

  // Each step subtracts the magnitude of the divisor. A negative divisor is added instead.
  logic [31:0] minus, step_rem, step_quo;
  assign minus = b_i ^ {32{!b_neg}};
  always_comb begin
    step_rem = rem_q;
    step_quo = quo_q;
    for (int unsigned i = 0; i < BitsPerCycle; i++) begin
      logic [32:0] shifted, diff;
      logic        unused_carry;
      shifted  = {step_rem, step_quo[31]};
      {diff, unused_carry} = {shifted, 1'b1} + {1'b1, minus, !b_neg};
      step_rem = diff[32] ? shifted[31:0] : diff[31:0];
      step_quo = {step_quo[30:0], ~diff[32]};
    end
  end

  always_comb begin
    state_d = state_q;
    count_d = count_q;
    rem_d   = rem_q;
    quo_d   = quo_q;
    unique case (state_q)
      Idle: begin
        if (valid_i) begin
          state_d = Run;
          count_d = CountW'(Steps - 1);
          rem_d   = '0;
          quo_d   = a_neg ? -a_i : a_i;
        end
      end
      Run: begin
        rem_d   = step_rem;
        quo_d   = step_quo;
        count_d = count_q - 1'b1;
        if (count_q == '0) state_d = Done;
      end
      default: begin
        if (taken_i) state_d = Idle;
      end
    endcase
    if (kill_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      state_q <= state_d;
    end
  end

  always_ff @(posedge clk_i) begin
    count_q <= count_d;
    rem_q   <= rem_d;
    quo_q   <= quo_d;
  end

  // The remainder has the sign of the dividend. The quotient is negative if the signs differ. If the divisor is zero
  // the algorithm leaves all ones, which is the quotient that the specification asks for: it is not negated.
  logic        quo_neg, negate;
  logic [31:0] magnitude;
  assign quo_neg   = (a_neg ^ b_neg) & (b_i != '0);
  assign negate    = rem_i ? a_neg : quo_neg;
  assign magnitude = rem_i ? rem_q : quo_q;
  assign ready_o   = (state_q == Done);
  assign result_o  = negate ? -magnitude : magnitude;

`ifndef SYNTHESIS
  TakenIsReady_A: assert property (@(posedge clk_i) !taken_i || ready_o);
`endif

endmodule
