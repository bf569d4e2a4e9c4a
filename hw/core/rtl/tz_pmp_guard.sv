// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection at one port of the core. A request that tz_pmp refuses does not reach the bus. This module
// grants it and answers it with an error, as tz_xbar does for an address in no region.
//
//   core ──> req ──> tz_pmp: allowed? ── yes ──> bus
//                                     └─ no ───> granted here, error one cycle later
//
// - The grant of a refused request depends on `req`. Without that, a load or store that waits for a word of a frame
//   would see a grant, and count as ended, in each cycle; IF would fetch the instruction behind it again and again, and
//   the frame port would not get to its table entry.
// - Answers come in the order of requests. So a refused request is granted only when no older answer is outstanding, or
//   the last one comes in that cycle. Then no other answer can meet the error. A port with one access under way at a
//   time (`Many` = 0) makes requests only then, and needs no counter.
// - `ask_i` puts a question to the same tz_pmp. It may come only in cycles without a request.
// - A request that is on the bus without a grant stays there, even if the rows change. A new request waits while rows
//   are written (`wait_i`): in the next cycle the new rows are in force.
module tz_pmp_guard
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 16,
  parameter bit          Two     = 1'b0,  // an access may reach into a second word
  parameter bit          Many    = 1'b0   // several requests may be without an answer, up to 3
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  pmp_t        pmp_i,
  input  logic        wait_i,

  // The core's side
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o /*verilator split_var*/,
  input  logic [2:0]  kind_i,             // {executes, writes, reads}
  input  logic        judged_i,           // the second word of an access that was allowed as a whole: not judged again
  input  logic        next_i,             // the access also reaches the next word
  input  logic [31:2] next_word_i,        // address of that next word

  input  pmp_ask_t    ask_i,              // question about another word, in a cycle without a request; else zero
  output logic        allowed_o,          // the answer to ask_i: the access is allowed

  // The bus's
  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i /*verilator split_var*/
);

  logic allowed, pass, refuse, older;
  logic open_d, open_q;    // a request is on the bus, without a grant
  logic fault_d, fault_q;  // the answer to a refused request is due

  tz_pmp #(
    .Regions(Regions),
    .Two    (Two)
  ) u_pmp (
    .pmp_i,
    .prv_i      (ask_i.valid ? isa_pkg::PrivM : req_i.prv),
    .kind_i     (ask_i.valid ? {1'b0, ask_i.writes, 1'b1} : kind_i),
    .word_i     (ask_i.valid ? ask_i.word : req_i.addr[31:2]),
    .next_i     (next_i && !ask_i.valid),
    .next_word_i,
    .allowed_o  (allowed)
  );
  assign allowed_o = allowed;

  assign pass   = open_q || ((allowed || judged_i) && !wait_i);
  assign refuse = !open_q && !allowed && !judged_i && !wait_i && !older;

  always_comb begin
    req_o        = req_i;
    req_o.req    = req_i.req && pass;
    rsp_o        = rsp_i;
    rsp_o.gnt    = pass ? rsp_i.gnt : refuse && req_i.req;
    rsp_o.rvalid = rsp_i.rvalid || fault_q;
    rsp_o.err    = rsp_i.err || fault_q;
  end

  assign open_d  = req_o.req && !rsp_i.gnt;
  assign fault_d = req_i.req && refuse;

  if (Many) begin : gen_many
    logic [1:0] outs_d, outs_q;  // requests on the bus without an answer
    assign outs_d = outs_q + 2'(req_o.req && rsp_i.gnt) - 2'(rsp_i.rvalid);
    assign older  = (outs_q != 2'(rsp_i.rvalid));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) outs_q <= '0;
      else outs_q <= outs_d;
    end
  end else begin : gen_single
    assign older = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {open_q, fault_q} <= '0;
    else {open_q, fault_q} <= {open_d, fault_d};
  end

`ifndef SYNTHESIS
  // An error of this module and an answer of the bus never come in the same cycle.
  assert property (@(posedge clk_i) !(fault_q && rsp_i.rvalid));
  // tz_pmp has one word to judge: that of ask_i or that of a request, never both.
  Alone_A: assert property (@(posedge clk_i) !(ask_i.valid && req_i.req));
`endif
`ifdef TRAPEZE_CHECK
  // The core has no more requests without an answer than this guard can keep in order: one, or with `Many` three.
  logic [1:0] inside_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= '0;
    else inside_q <= inside_q + 2'(req_i.req && rsp_o.gnt) - 2'(rsp_o.rvalid);
  end
  FewUnderWay_A: assert property (@(posedge clk_i)
      !req_i.req || (Many ? (inside_q != 2'd3) : (inside_q == '0 || rsp_o.rvalid)));
`endif

endmodule
