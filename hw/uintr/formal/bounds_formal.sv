// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof of how many cycles a post and a notification take at most, whatever else the hart does. tz_post, tz_receive and
// tz_word_port are connected as in a core that sends and receives at the same time. Everything around them is free,
// within the assumptions below.
//
//   pipeline, any ──> tz_post ────┐
//                                 ├─> tz_word_port ──> bus: refuses `Refusals` cycles at most, answers in the next
//   notifications ──> tz_receive ─┤
//   load-store unit, any ─────────┘
//
//   post:          the bus takes its bit ──── PostCycles ────> its notification is offered, or there is none to make
//   notification:  offered ── JoinCycles ──> the vectors of the word that it names join UIRR ── EndCycles ──> taken
//
// `Refusals` is proven of the bus's arbiter (Turn_A in trapeze_soc). A notification counts anew from an instruction
// that changes rows of memory protection or accesses the registers of notifications, which is machine mode's.
module bounds_formal
  import uintr_pkg::*;
#(
  parameter int unsigned Refusals    = 3,
  parameter int unsigned PostWait    = 7,    // most cycles for which an access after the setting of the bit waits for
                                             // its grant
  parameter int unsigned ReceiveWait = 9,    // the same for an access of a notification
  parameter int unsigned Judging     = 7     // most cycles until memory protection has judged the words of the UPID
                                             // anew
) (
  input logic              clk_i,
  input logic              rst_ni,

  input logic              start_i,
  input logic              stop_i,
  input logic              kill_i,
  input logic [31:0]       index_i,
  input registers_t        registers_i,
  input logic              notify_ready_i,

  input notification_t     notified_i,
  input logic              access_i,
  input logic              accessed_i,
  input logic              rows_i,
  input logic              ahead_i,     // memory protection allows words ahead ...
  input logic              allowed_i,   // ... and the word as it is accessed

  input obi_pkg::obi_req_t lsu_req_i,
  input obi_pkg::obi_rsp_t rsp_i
);

  word_req_t         post_req, receive_req, word;
  word_rsp_t         post_rsp, receive_rsp;
  notification_t     notify;
  join_t             join_uirr;
  logic              behind, goes_on, judge, ready, waits, granted, granted_post;
  logic              unused_busy, unused_fault, unused_waits, unused_refused, unused_active, unused_pulse;
  logic [31:2]       unused_post_word, unused_receive_word;
  logic [7:0]        unused_source;
  obi_pkg::obi_req_t req;
  obi_pkg::obi_rsp_t lsu_rsp;

  tz_post u_post (
    .clk_i,
    .rst_ni,
    .start_i,
    .stop_i,
    .kill_i,
    .taken_i       (granted && granted_post && word.atop == obi_pkg::AtopOr),
    .index_i,
    .busy_o        (unused_busy),
    .fault_o       (unused_fault),
    .waits_o       (unused_waits),
    .refused_o     (unused_refused),
    .behind_o      (behind),
    .goes_on_o     (goes_on),
    .registers_i,
    .req_o         (post_req),
    .rsp_i         (post_rsp),
    .judge_o       (judge),
    .judge_word_o  (unused_post_word),
    .allowed_i     (ahead_i),
    .notify_o      (notify),
    .notify_ready_i
  );
  tz_receive u_receive (
    .clk_i,
    .rst_ni,
    .notified_i,
    .notified_ready_o(ready),
    .registers_i,
    .access_i,
    .accessed_i,
    .wait_o        (waits),
    .join_o        (join_uirr),
    .active_o      (unused_active),
    .rows_i,
    .judge_word_o  (unused_receive_word),
    .judge_free_i  (!judge),
    .allowed_i     (ahead_i),
    .req_o         (receive_req),
    .rsp_i         (receive_rsp),
    .pulse_o       (unused_pulse),
    .source_o      (unused_source)
  );
  tz_word_port u_port (
    .clk_i,
    .rst_ni,
    .receive_req_i (receive_req),
    .receive_rsp_o (receive_rsp),
    .post_req_i    (post_req),
    .post_rsp_o    (post_rsp),
    .allowed_i,
    .behind_i      (behind),
    .lsu_req_i,
    .lsu_rsp_o     (lsu_rsp),
    .granted_o     (granted),
    .granted_post_o(granted_post),
    .word_o        (word),
    .req_o         (req),
    .rsp_i
  );

  // ---------------------------------------------------------------- the surroundings
  logic              started_q, answer_q, lsu_seen_q, notified_q;
  logic [31:0]       refused_q;
  obi_pkg::obi_req_t lsu_q;
  registers_t        registers_q;
  logic              change;   // an instruction with a CSR completes, so registers may change in the next cycle
  assign change = access_i && accessed_i;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q   <= 1'b1;
    lsu_q       <= lsu_req_i;
    registers_q <= registers_i;
  end
  logic change_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {answer_q, lsu_seen_q, notified_q, refused_q} <= '0;
      change_q <= 1'b1;
    end else begin
      answer_q   <= req.req && rsp_i.gnt;
      refused_q  <= (req.req && !rsp_i.gnt) ? refused_q + 32'd1 : '0;
      lsu_seen_q <= u_port.u_share.second && req.req && !rsp_i.gnt;
      notified_q <= notified_i.valid && !ready;
      change_q   <= change;
    end
  end
  Reset_K: assume property (@(posedge clk_i) rst_ni == started_q);
  Refused_M: assume property (@(posedge clk_i) !(req.req && !rsp_i.gnt) || refused_q < Refusals);
  NextCycle_M: assume property (@(posedge clk_i) rsp_i.rvalid == answer_q);
  LsuStays_M: assume property (@(posedge clk_i) !lsu_seen_q || (lsu_req_i == lsu_q && lsu_req_i.req));
  NotifiedStays_M: assume property (@(posedge clk_i) !notified_q || notified_i.valid);
  // The instruction in EX waits when it is told to, and changes no register then.
  Access_M: assume property (@(posedge clk_i) !(access_i && accessed_i && waits));
  Registers_M: assume property (@(posedge clk_i) change_q ||
      {registers_i.receives, registers_i.descriptor, registers_i.vector} ==
      {registers_q.receives, registers_q.descriptor, registers_q.vector});

  // All words of a UPID are in one block of memory: the subordinate that grants the first access grants the others.
  Agreed_M: assume property (@(posedge clk_i) !(u_receive.swap && receive_rsp.rvalid && rsp_i.err));

  // ---------------------------------------------------------------- counters: cycles so far
  logic [7:0] post_q, offered_q, post_wait_q, receive_wait_q;
  logic       joined_q, bit_now;
  assign bit_now = granted && granted_post && word.atop == obi_pkg::AtopOr;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {post_q, offered_q, joined_q, post_wait_q, receive_wait_q} <= '0;
    end else begin
      post_q         <= bit_now ? 8'd1 : (goes_on && !notify.valid) ? post_q + 8'd1 : '0;
      offered_q      <= (!notified_i.valid || ready || rows_i || (access_i && !waits)) ? '0 : offered_q + 8'd1;
      joined_q       <= notified_i.valid && !ready && (joined_q || join_uirr.valid);
      post_wait_q    <= (post_req.req && goes_on && !post_rsp.gnt) ? post_wait_q + 8'd1 : '0;
      receive_wait_q <= (receive_req.req && !receive_rsp.gnt) ? receive_wait_q + 8'd1 : '0;
    end
  end

  // ---------------------------------------------------------------- the bounds
  localparam logic [7:0] PostCycles = 8'(2 * PostWait + 5);
  localparam logic [7:0] JoinCycles = 8'(2 * ReceiveWait + Judging + 4);
  localparam logic [7:0] EndCycles  = 8'(3 * ReceiveWait + Judging + 6);
  Post_A: assert property (@(posedge clk_i) !rst_ni || !goes_on || post_q <= PostCycles);
  Join_A: assert property (@(posedge clk_i) !rst_ni || !notified_i.valid || joined_q || offered_q <= JoinCycles);
  End_A: assert property (@(posedge clk_i) !rst_ni || !notified_i.valid || offered_q <= EndCycles);
  PostWait_A: assert property (@(posedge clk_i) !rst_ni || post_wait_q <= 8'(PostWait));
  ReceiveWait_A: assert property (@(posedge clk_i) !rst_ni || receive_wait_q <= 8'(ReceiveWait));

  // ---------------------------------------------------------------- lemmas: states and their times
  // Numbers of states, in the order of tz_post and of tz_receive.
  localparam logic [2:0] Idle = 3'd0, Answer = 3'd3, Mark = 3'd4, Find = 3'd5, Tell = 3'd6;
  localparam logic [2:0] Judge = 3'd1, Clear = 3'd2, First = 3'd3, Second = 3'd4;
  logic [2:0] posting, receiving;
  assign posting   = u_post.state_q;
  assign receiving = u_receive.state_q;
  // At most one access has no answer yet. The port, the post and the notification agree on whose access it is.
  logic first_open;
  assign first_open = answer_q && !u_port.u_share.order_q[0];
  Count_A: assert property (@(posedge clk_i) !rst_ni || u_port.u_share.count_q == 2'(answer_q));
  Open_A: assert property (@(posedge clk_i) !rst_ni || u_port.open_q == first_open);
  PostOpen_A: assert property (@(posedge clk_i) !rst_ni || u_post.open_q == (first_open && u_port.open_post_q));
  ReceiveOpen_A: assert property (@(posedge clk_i)
      !rst_ni || u_receive.open_q == (first_open && !u_port.open_post_q));
  // A request that waits is kept by the unit that made it.
  Seen_A: assert property (@(posedge clk_i) !rst_ni || u_port.u_share.held_q == lsu_seen_q);
  Behind_A: assert property (@(posedge clk_i) !rst_ni || !(lsu_seen_q && behind));
  Refused_A: assert property (@(posedge clk_i)
      !rst_ni || (refused_q != '0) == (u_port.u_share.held_q || u_port.u_share.firm_q));
  Few_A: assert property (@(posedge clk_i) !rst_ni || refused_q <= Refusals);
  One_A: assert property (@(posedge clk_i) !rst_ni || !(u_port.u_share.held_q && u_port.u_share.firm_q));
  Firm_A: assert property (@(posedge clk_i) !rst_ni || !u_port.u_share.firm_q || u_port.held_q);
  Held_A: assert property (@(posedge clk_i)
      !rst_ni || !u_port.held_q || (u_port.held_post_q ? post_req.req : receive_req.req));
  Offered_A: assert property (@(posedge clk_i) !rst_ni || receiving == Idle || notified_i.valid);

  // The state of a post, and how many cycles it has taken to get there.
  logic       post_open, receive_open;
  logic [7:0] post_most, offered_most;
  assign post_open    = u_post.open_q;
  assign receive_open = u_receive.open_q;
  always_comb begin
    unique case (posting)
      Answer:  post_most = 8'd1;
      Mark:    post_most = post_open ? 8'(PostWait + 3) : 8'd2 + post_wait_q;
      Find:    post_most = post_open ? 8'(2 * PostWait + 5) : 8'(PostWait + 4) + post_wait_q;
      default: post_most = '0;
    endcase
    unique case (receiving)
      Idle:    offered_most = '0;
      Judge:   offered_most = 8'(Judging);
      Clear:   offered_most = receive_open ? 8'(ReceiveWait + Judging + 2) : 8'(Judging + 1) + receive_wait_q;
      First:   offered_most = receive_open ? 8'(2 * ReceiveWait + Judging + 4)
                                           : 8'(ReceiveWait + Judging + 3) + receive_wait_q;
      Second:  offered_most = receive_open ? 8'(3 * ReceiveWait + Judging + 6)
                                           : 8'(2 * ReceiveWait + Judging + 5) + receive_wait_q;
      default: offered_most = 8'(ReceiveWait + Judging + 3);
    endcase
  end
  PostPlace_A: assert property (@(posedge clk_i) !rst_ni || !goes_on || posting == Tell || post_q <= post_most);
  OfferedPlace_A: assert property (@(posedge clk_i) !rst_ni || offered_q <= offered_most);
  Joined_A: assert property (@(posedge clk_i) !rst_ni || joined_q == (receiving == Second));
  AnswerSoon_A: assert property (@(posedge clk_i) !rst_ni || posting != Answer || post_open);
  Told_C: cover property (@(posedge clk_i) rst_ni && notify.valid);
  Joined_C: cover property (@(posedge clk_i) rst_ni && join_uirr.valid && join_uirr.high);
  Taken_C: cover property (@(posedge clk_i) rst_ni && ready && joined_q);

  logic unused;
  assign unused = ^{unused_busy, unused_fault, unused_waits, unused_refused, unused_active, unused_pulse,
                    unused_post_word, unused_receive_word, unused_source, lsu_rsp, notify, join_uirr};

endmodule
