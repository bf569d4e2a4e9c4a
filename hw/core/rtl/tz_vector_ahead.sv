// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: fetches the table entry of the vectored interrupt that the CLIC offers, before the interrupt is taken. The
// entry is kept until another interrupt is offered, a store reaches the entry, or a fence.i or a write to the rows of
// memory protection completes. If the interrupt is taken while the fetch still waits for its turn on the port, the
// fetch is given up: the port is needed to store the frame, for which the next interrupt may have to wait.
//
// Only one store can be made in the cycle of an interrupt: the second half of a split store. Comparing its address with
// the entry's would be the longest path of the core. So its first half decides: if that was to the block of 32 words
// that holds the entry, or to the last word of any block, the entry counts as reached (`near_q`).
module tz_vector_ahead (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic        want_i,    // a vectored interrupt is offered
  input  logic [31:2] addr_i,    // address of its table entry
  input  logic        user_i,    // the entry is fetched with the privilege of user mode, else of machine mode
  input  logic        taken_i,   // an interrupt is taken, or an emret is done, in this cycle
  input  logic        fence_i,   // a fence.i, or a write to the rows of memory protection, completes
  input  tz_fast_pkg::fast_from_lsu_t lsu_i /*verilator split_var*/,
  output logic        hit_o,     // vector_o is the handler's address of the interrupt offered
  output logic [31:1] vector_o,  // address of a handler, from its table entry

  // tz_frame_port
  output logic        ask_o,
  output logic [31:2] ask_addr_o,
  output logic        ask_user_o,
  input  logic        grant_i,
  input  logic        busy_i,
  input  logic        done_i,
  input  logic        fault_i,
  input  logic [31:0] data_i
);

  typedef enum logic [1:0] {
    VectorNone,   // no entry is kept
    VectorAsk,    // the entry waits for the port
    VectorComes,  // the request was granted, the answer is to come
    VectorKnown   // the answer has come; hit_o stays low if it was an error (`useful_q`)
  } vector_e;
  vector_e     vector_d, vector_q;
  logic [31:2] addr_q;
  logic        user_q;
  logic [31:1] data_q;
  logic        useful_d, useful_q;   // the entry could be fetched, and no store or fence has touched it since
  logic        near_q;               // if the store granted last has a second half, that may reach the entry
  logic        same, block, touched, begins;

  assign same       = (addr_i == addr_q) && (user_i == user_q);
  assign block      = (lsu_i.addr[31:7] == addr_q[31:7]);
  assign touched    = fence_i || (lsu_i.store && block && lsu_i.addr[6:2] == addr_q[6:2]);
  assign begins     = (vector_q == VectorNone || (vector_q == VectorKnown && !same)) && want_i && !taken_i;
  assign ask_o      = (vector_q == VectorAsk);
  assign ask_addr_o = addr_q;
  assign ask_user_o = user_q;
  assign hit_o      = (vector_q == VectorKnown) && useful_q && same && !(lsu_i.committed && near_q);
  assign vector_o   = data_q;

  always_comb begin
    vector_d = vector_q;
    useful_d = useful_q && !touched;
    unique case (vector_q)
      VectorAsk: begin
        if (grant_i) vector_d = VectorComes;
        else if (!busy_i && taken_i) vector_d = VectorNone;  // fetching through IF finds the handler
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
    // An entry that was touched is fetched again if it is still wanted. One whose fetch failed is not.
    if (vector_q == VectorKnown && touched) vector_d = VectorNone;
    if (vector_q == VectorComes && done_i && !useful_q) vector_d = VectorNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vector_q <= VectorNone;
      useful_q <= 1'b0;
      user_q   <= 1'b0;
    end else begin
      vector_q <= vector_d;
      useful_q <= useful_d;
      if (begins) user_q <= user_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins) addr_q <= addr_i;
    if (done_i) data_q <= data_i[31:1];
    if (begins || lsu_i.store) near_q <= begins || block || lsu_i.addr[6:2] == '1;
  end

  logic unused;
  assign unused = ^{data_i[0], lsu_i.terms, lsu_i.split};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(taken_i && hit_o && touched));
`endif

endmodule
