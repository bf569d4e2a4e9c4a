// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// User interrupts from hart to hart, the core's part (docs/user-interrupts.md): tz_post executes senduipi, tz_receive
// handles notifications, and tz_word_port gives both a way to memory through the data port. Without Uintr the data
// port is the load-store unit's alone.
module tz_posts
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic clk_i,
  input  logic rst_ni,

  // EX
  input  pipe_to_trap_t pipe_i /*verilator split_var*/,
  input  trap_choice_t  choice_i /*verilator split_var*/,
  input  logic        wait_i,       // the instruction in EX must wait
  input  logic        taken_i,      // the instruction in EX completes in this cycle
  input  logic        received_i,   // a CSR instruction in EX completes in this cycle

  input  csr_to_posts_t csr_i /*verilator split_var*/,
  input  pmp_t        pmp_i,        // rows of memory protection
  input  logic        allowed_i,    // the word of `ask` may be accessed
  output from_posts_t posts_o /*verilator split_var*/,
  output uintr_pkg::to_clic_t clic_o,

  input  obi_pkg::obi_req_t lsu_req_i,
  output obi_pkg::obi_rsp_t lsu_rsp_o /*verilator split_var*/,
  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,

  output uintr_pkg::to_others_t   others_o,
  input  uintr_pkg::from_others_t others_i
);

  if (Cfg.Uintr) begin : gen_posts
    uintr_pkg::word_req_t post_req, receive_req;
    uintr_pkg::word_rsp_t post_rsp, receive_rsp;
    uintr_pkg::join_t     join_uirr;
    logic                 busy, fault, waits, refused, behind, goes_on, csr_wait, active, pulse;
    logic [7:0]           source;
    logic [31:2]          ahead_word, post_word, receive_word;
    logic                 allowed_ahead, judge_post, post, granted, granted_post;
    uintr_pkg::word_req_t word;
    observe_pkg::posts_t  seen;
    pmp_ask_t             ask;
    logic                 done;
    assign post = pipe_i.ex_valid && (pipe_i.ex_kind == KindPost) && !pipe_i.ex_fault && pipe_i.wb_ready &&
                  !pipe_i.wb_fault;

    if (Cfg.PmpRegions != 0) begin : gen_pmp
      tz_pmp #(.Regions(Cfg.PmpRegions)) u_ahead (
        .pmp_i,
        .prv_i      (isa_pkg::PrivM),
        .kind_i     (3'b011),
        .word_i     (ahead_word),
        .next_i     (1'b0),
        .next_word_i('0),
        .allowed_o  (allowed_ahead)
      );
    end else begin : gen_no_pmp
      assign allowed_ahead = 1'b1;
      logic unused_pmp;
      assign unused_pmp = ^{pmp_i, ahead_word};
    end

    // Judgement of the words of UPIDs, before they are accessed
    assign ahead_word = judge_post ? post_word : receive_word;

    tz_post u_post (
      .clk_i,
      .rst_ni,
      .start_i(post && csr_i.registers.sends && !wait_i && !choice_i.stop && !pipe_i.ex_trigger.fetch),
      .stop_i (choice_i.stop),
      .kill_i (choice_i.trap.valid),
      .taken_i(taken_i),
      .index_i(pipe_i.post_index),
      .busy_o (busy),
      .fault_o(fault),
      .waits_o(waits),
      .refused_o(refused),
      .behind_o(behind),
      .goes_on_o(goes_on),
      .registers_i(csr_i.registers),
      .req_o  (post_req),
      .rsp_i  (post_rsp),
      .judge_o(judge_post),
      .judge_word_o(post_word),
      .allowed_i(allowed_ahead),
      .notify_o(others_o.send),
      .notify_ready_i(others_i.sent)
    );
    tz_receive u_receive (
      .clk_i,
      .rst_ni,
      .notified_i(others_i.receive),
      .notified_ready_o(others_o.received),
      .registers_i(csr_i.registers),
      .access_i  (csr_i.receiving),
      .accessed_i(received_i),
      .wait_o    (csr_wait),
      .join_o    (join_uirr),
      .active_o  (active),
      .rows_i    (received_i && csr_i.rows),
      .judge_word_o(receive_word),
      .judge_free_i(!judge_post),
      .allowed_i (allowed_ahead),
      .req_o     (receive_req),
      .rsp_i     (receive_rsp),
      .pulse_o   (pulse),
      .source_o  (source)
    );
    tz_word_port u_port (
      .clk_i,
      .rst_ni,
      .receive_req_i(receive_req),
      .receive_rsp_o(receive_rsp),
      .post_req_i   (post_req),
      .post_rsp_o   (post_rsp),
      .allowed_i,
      .behind_i     (behind),
      .lsu_req_i,
      .lsu_rsp_o,
      .granted_o     (granted),
      .granted_post_o(granted_post),
      .word_o       (word),
      .req_o        (data_req_o),
      .rsp_i        (data_rsp_i)
    );
    logic unused;
    assign unused = ^{pipe_i, choice_i, word, seen};
    assign posts_o = '{busy: busy, fault: fault, waits: waits, refused: refused, goes_on: goes_on,
                       csr_wait: csr_wait && csr_i.receiving, active: active || goes_on,
                       done: done, ask: ask, join_uirr: join_uirr, seen: Cfg.Rvfi ? seen : '0};
    assign seen    = '{
      word:     granted,
      notified: !granted_post,
      atop:     word.atop,
      addr:     {word.addr, 2'b00},
      wdata:    word.wdata,
      joins:    join_uirr.valid,
      high:     join_uirr.high,
      vectors:  join_uirr.vectors,
      sends:    others_o.send.valid && others_i.sent,
      to:       others_o.send.hart,
      vector:   others_o.send.vector,
      ends:     others_o.received,
      pulse:    pulse,
      source:   source
    };
    // While a senduipi is in EX the load-store unit makes no request, and memory protection of the data port is free to
    // judge the word that the senduipi accesses.
    assign ask     = '{valid: pipe_i.ex_kind == KindPost, writes: post_req.we, word: post_req.addr};
    // The bus takes the bit of PUIR (a post's only AtopOr): the senduipi leaves EX. This is computed here and not in
    // tz_post, apart from the requests of tz_post, which do not depend on it.
    assign done    = granted && granted_post && (word.atop == obi_pkg::AtopOr);
    assign clic_o  = '{pending: csr_i.pending, pulse: pulse, source: source};
  end else begin : gen_no_posts
    assign data_req_o       = lsu_req_i;
    assign lsu_rsp_o        = data_rsp_i;
    assign posts_o          = '0;
    assign clic_o           = '0;
    assign others_o         = '0;
    logic unused;
    assign unused = ^{clk_i, rst_ni, pipe_i, choice_i, wait_i, taken_i, received_i, csr_i, pmp_i, allowed_i,
                      others_i};
  end

endmodule
