// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: the table entry of a vectored offer that is not taken at once is fetched ahead and kept until the offer is
// another one, a store reaches the entry, or fence.i. Where it has to wait for its turn on the port until the offer is
// taken, it is given up: the port belongs to the drain, for which the next interrupt may wait.
module tz_vector_ahead (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic        want_i,    // a vectored interrupt is offered
  input  logic [31:2] addr_i,    // address of its table entry
  input  logic        taken_i,   // an interrupt is taken, or emret done, in this cycle
  input  logic        fence_i,   // fence.i
  input  logic        store_i,   // a store to store_addr_i goes out
  input  logic [31:2] store_addr_i,
  output logic        hit_o,     // vector_o is where the interrupt offered goes
  output logic [31:1] vector_o,  // the handler's address

  // tz_frame_port
  output logic        ask_o,
  output logic [31:2] ask_addr_o,
  input  logic        grant_i,
  input  logic        busy_i,
  input  logic        done_i,
  input  logic        fault_i,
  input  logic [31:0] data_i
);

  typedef enum logic [1:0] {
    VectorNone,   // nothing is known
    VectorAsk,    // to be fetched
    VectorComes,  // under way
    VectorKnown   // fetched; useless if it could not be
  } vector_e;
  vector_e     vector_d, vector_q;
  logic [31:2] addr_q;
  logic [31:1] data_q;
  logic        useful_d, useful_q;   // nothing has happened to the entry, and it could be fetched
  logic        same, touched, begins;

  assign same       = (addr_i == addr_q);
  assign touched    = fence_i || (store_i && store_addr_i == addr_q);
  assign begins     = (vector_q == VectorNone || (vector_q == VectorKnown && !same)) && want_i && !taken_i;
  assign ask_o      = (vector_q == VectorAsk);
  assign ask_addr_o = addr_q;
  assign hit_o      = (vector_q == VectorKnown) && useful_q && same && !touched;
  assign vector_o   = data_q;

  always_comb begin
    vector_d = vector_q;
    useful_d = useful_q && !touched;
    unique case (vector_q)
      VectorAsk: begin
        if (grant_i) vector_d = VectorComes;
        else if (!busy_i && taken_i) vector_d = VectorNone;  // the handler fetches it itself
      end
      VectorComes: if (done_i) begin
        vector_d = VectorKnown;
        if (fault_i) useful_d = 1'b0;
      end
      default: if (begins) begin
        vector_d = VectorAsk;
        useful_d = 1'b1;
      end
    endcase
    // What was spoilt, other than by its fault, is fetched again if it is still wanted.
    if (vector_q == VectorKnown && touched) vector_d = VectorNone;
    if (vector_q == VectorComes && done_i && !useful_q) vector_d = VectorNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vector_q <= VectorNone;
      useful_q <= 1'b0;
    end else begin
      vector_q <= vector_d;
      useful_q <= useful_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins) addr_q <= addr_i;
    if (done_i) data_q <= data_i[31:1];
  end

  logic unused;
  assign unused = data_i[0];

endmodule
