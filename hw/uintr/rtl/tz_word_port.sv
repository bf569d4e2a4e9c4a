// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The way of posts and notifications to memory: tz_post, tz_receive and the load-store unit share the data port of the
// core. Most words were judged by memory protection before (`judged`). The others, of the post, are judged as they are
// requested: `allowed_i` says whether memory protection allows them.
//
//   tz_receive ──┐
//                ├─> judged ──┐
//   tz_post ─────┘            ├─> data port
//   load-store unit ──────────┘
//
// Order: a notification goes before a post, and both go before loads and stores. Posts and notifications have one
// access under way at a time. A notification makes three accesses, and the next one comes only when its sender has
// posted again. So the load-store unit waits for a few cycles only, and no loop of loads can make a notification wait.
// Loads and stores behind a senduipi wait until the post has made its accesses (`behind_i`).
module tz_word_port
  import uintr_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  input  word_req_t         receive_req_i,
  output word_rsp_t         receive_rsp_o,
  input  word_req_t         post_req_i,
  output word_rsp_t         post_rsp_o,

  input  logic              allowed_i,      // memory protection allows the word that the post requests

  input  logic              behind_i,       // a post has still to make accesses: loads and stores must wait
  input  obi_pkg::obi_req_t lsu_req_i,
  output obi_pkg::obi_rsp_t lsu_rsp_o /*verilator split_var*/,

  output logic              granted_o,      // an access of a post or a notification is granted in this cycle
  output logic              granted_post_o, // with granted_o: it is the post's
  output word_req_t         word_o,         // with granted_o: the access

  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i
);

  logic      pass;                  // memory protection allows the word
  logic      post;                  // the port is the post's, else the notification's
  logic      held_d, held_q;        // a request of the post or the notification is on the bus without a grant
  logic      held_post_q, open_d, open_q, open_post_q, granted, denied, answered;
  word_req_t word;
  obi_pkg::obi_req_t bus_req, lsu_req;
  obi_pkg::obi_rsp_t bus_rsp /*verilator split_var*/, lsu_rsp /*verilator split_var*/;

  assign post         = held_q ? held_post_q : !receive_req_i.req;
  assign word         = post ? post_req_i : receive_req_i;

  // A request that is on the bus, and a word that was judged before, are not judged again, since rows may change
  // meanwhile.
  assign pass     = held_q || word.judged || allowed_i;
  assign denied   = word.req && !pass;
  assign bus_req  = '{
    prv:   obi_pkg::PrvMachine,
    mid:   '0,
    atop:  word.atop,
    req:   word.req && (held_q || (pass && (!open_q || bus_rsp.rvalid))),
    we:    word.we,
    be:    4'b1111,
    addr:  {word.addr, 2'b00},
    wdata: word.wdata
  };
  assign granted  = bus_req.req && bus_rsp.gnt;
  assign granted_o      = granted;
  assign granted_post_o = post;
  assign word_o         = word;
  assign held_d   = bus_req.req && !bus_rsp.gnt;
  assign open_d   = granted || (open_q && !bus_rsp.rvalid);
  assign answered = word.req && (denied || granted);

  assign receive_rsp_o = '{gnt: answered && !post, denied: denied, rvalid: bus_rsp.rvalid && !open_post_q,
                           err: bus_rsp.err, rdata: bus_rsp.rdata};
  assign post_rsp_o    = '{gnt: answered && post, denied: denied, rvalid: bus_rsp.rvalid && open_post_q,
                           err: bus_rsp.err, rdata: bus_rsp.rdata};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {held_q, open_q} <= '0;
    else {held_q, open_q} <= {held_d, open_d};
  end
  always_ff @(posedge clk_i) begin
    held_post_q <= post;
    if (granted) open_post_q <= post;
  end

  assign lsu_req   = '{prv: lsu_req_i.prv, mid: lsu_req_i.mid, atop: lsu_req_i.atop, req: lsu_req_i.req && !behind_i,
                       we: lsu_req_i.we, be: lsu_req_i.be, addr: lsu_req_i.addr, wdata: lsu_req_i.wdata};
  assign lsu_rsp_o = '{exokay: lsu_rsp.exokay, gnt: lsu_rsp.gnt && !behind_i, rvalid: lsu_rsp.rvalid,
                       err: lsu_rsp.err, rdata: lsu_rsp.rdata};

  tz_obi_share u_share (
    .clk_i,
    .rst_ni,
    .first_req_i (bus_req),
    .first_rsp_o (bus_rsp),
    .second_req_i(lsu_req),
    .second_rsp_o(lsu_rsp),
    .req_o,
    .rsp_i
  );

  logic unused;
  assign unused = bus_rsp.exokay;

`ifdef TRAPEZE_CHECK
  // The bound of README.md: while an access waits, the port makes at most three others. These are one of the load-store
  // unit whose request is on the bus already; one of the other user (post or notification); and one more of the
  // load-store unit, if the bus answers the second one late.
  localparam logic [2:0] MaxOthers = 3'd3;
  logic       grant, receive_waits, post_waits;
  logic [2:0] receive_others_q, post_others_q;
  assign grant         = req_o.req && rsp_i.gnt;
  assign receive_waits = receive_req_i.req && !receive_rsp_o.gnt;
  assign post_waits    = post_req_i.req && !post_rsp_o.gnt;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      receive_others_q <= '0;
      post_others_q    <= '0;
    end else begin
      receive_others_q <= receive_waits ? receive_others_q + 3'(grant) : '0;
      post_others_q    <= post_waits ? post_others_q + 3'(grant) : '0;
    end
  end
  ReceiveTurn_A: assert property (@(posedge clk_i) receive_others_q <= MaxOthers);
  PostTurn_A: assert property (@(posedge clk_i) post_others_q <= MaxOthers);
`endif

endmodule
