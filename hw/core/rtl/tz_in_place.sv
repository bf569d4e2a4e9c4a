// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq without a spare bank: the register file is its own shadow. An interrupt leaves its registers where they are,
// and in each cycle one of them leaves for the frame: straight to the bus, or into the output register if that takes it
// later. A register that the handler is about to write goes before all others, in the cycle in which the writing
// instruction is in EX; so that has to wait only while the output register is taken, which never is the case where the
// bus takes a word a cycle.
//
//   stay   words that are to leave and are nowhere but here
//   dirty  words that are not here as they are in the frame: the handler wrote them, or they were never here, or a
//          store has reached the frame
//
// emret loads the dirty words that have left, and returns when there are none: a handler that used three registers loads
// these and ra. mepc and mcause are kept beside, so that a chained interrupt waits for nothing. An emret that leaves
// another frame than the last one makes that its own, with all words dirty.
//
// Ports as those of tz_banks.
module tz_in_place
  import tz_core_pkg::*;
#(
  parameter bit RV32E = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Entry of an interrupt
  output logic        free_o,
  input  logic        enter_i,
  input  logic [31:2] base_i,
  input  context_t    context_i,
  input  logic        kill_i,

  // emret in EX
  input  logic        emret_i,
  input  logic        preempt_i,
  input  logic [31:2] sp_i,
  input  logic [31:2] sp_next_i,
  input  logic        sp_busy_i,
  input  logic        sp_set_i,          // sp changes by an entry or a return
  output context_t    context_o,
  input  logic        chain_i,           // an interrupt qualifies against context_o
  output logic        chains_o,
  output logic        returns_o,
  output logic        chained_o,
  output logic        return_o,
  output logic        load_fault_o,

  // Register file
  input  logic        write_i,           // WB writes a register
  input  logic [4:0]  write_reg_i,
  input  logic        ex_write_i,        // the instruction in EX will write one
  input  logic [4:0]  ex_reg_i,
  output logic        ex_wait_o,         // it stays in EX; if it is a load it does not begin
  output logic        fill_we_o,
  output logic [3:0]  fill_word_o,

  // tz_frame_port: words that leave
  output logic        drain_valid_o,
  output logic        drain_first_o,
  output logic [4:0]  drain_word_o,      // leaves the register file (the first ones), or drain_context_o ...
  output context_t    drain_context_o,
  input  logic [31:0] drain_data_i,      // ... with this value
  output logic [31:2] drain_addr_o,
  output logic [31:0] drain_data_o,
  input  logic        drain_left_i,

  // and words that are loaded
  output logic        load_valid_o,
  output logic [31:2] load_addr_o,
  output logic        load_cancel_o,
  input  logic        load_grant_i,
  input  logic        load_busy_i,
  input  logic        load_done_i,
  input  logic        load_fault_i,
  input  logic [31:0] load_data_i,

  // Load-store unit
  input  logic [31:2] lsu_addr_i,
  input  logic [1:0][6:0] lsu_terms_i,
  input  logic        lsu_split_i,
  output logic        lsu_wait_o,
  output logic        lsu_wait_here_o,
  input  logic        lsu_store_i
);

  localparam int unsigned Words = frame_words(RV32E);
  localparam int unsigned Registers = Words - 2;
  localparam logic [4:0] CauseWord = 5'(Words - 1);
  localparam logic [4:0] EpcWord = 5'(Words - 2);

  typedef logic [Words-1:0] words_t;
  function automatic words_t only(logic [4:0] word);
    return words_t'(1) << word;
  endfunction

  words_t      stay_d, stay_q, dirty_d, dirty_q;
  logic [31:2] base_q;
  context_t    context_q;
  logic        stored_d, stored_q;          // a store has reached the frame in the last cycle
  logic        out_d, out_q;                // the output register is taken ...
  logic [4:0]  out_word_q;                  // ... by this word
  logic [31:0] out_data_q;
  logic        come_d, come_q;              // a word is on its way ...
  logic [4:0]  come_word_q;                 // ... this one
  logic        fault_d, fault_q;            // a word could not be loaded
  logic        at_top, rebase;              // emret leaves this frame; or another one, which becomes this
  logic        here;                        // the first of these, if it may proceed

  // The comparison is that of the last cycle, which would be the longest path of the core, with what sp has become by
  // then. It does not hold in the cycle behind a change of the base, in which emret waits; behind an entry or a return
  // there is none.
  logic        same_q, settled_d, settled_q;
  assign settled_d = !sp_set_i && !rebase;
  assign here      = !sp_busy_i && settled_q && !stored_q && same_q;
  assign at_top    = emret_i && here;
  assign rebase    = emret_i && !sp_busy_i && settled_q && !stored_q && !same_q && free_o;
  assign free_o    = (stay_q == '0) && !out_q;

  // ---------------------------------------------------------------- words that leave
  // ra first, which is written in the cycle behind an entry; then those that compilers take first.
  logic [3:0] ex_word;
  logic       evict, leave;
  logic [4:0] next_word, bus_word;
  assign ex_word = frame_word(ex_reg_i);
  assign evict   = ex_write_i && in_frame(ex_reg_i, RV32E) && |(stay_q & only(5'(ex_word)));

  always_comb begin
    next_word = '0;
    for (int unsigned w = Words - 1; w >= 10; w--) if (stay_q[w]) next_word = 5'(w);
    for (int unsigned w = 1; w < 4; w++) if (stay_q[w]) next_word = 5'(w);
    for (int unsigned w = 4; w < 10; w++) if (stay_q[w]) next_word = 5'(w);
    if (stay_q[0]) next_word = '0;
  end

  assign leave           = (stay_q != '0) && !out_q && !at_top && !load_busy_i;
  assign out_d           = (leave || out_q) && !drain_left_i;
  assign ex_wait_o       = evict && out_q;
  assign drain_word_o    = evict ? 5'(ex_word) : next_word;
  assign drain_context_o = context_q;
  assign drain_valid_o   = leave || out_q;
  assign bus_word        = out_q ? out_word_q : drain_word_o;
  assign drain_first_o   = (bus_word == '0);
  assign drain_data_o    = out_q ? out_data_q : drain_data_i;

  // ---------------------------------------------------------------- words that are loaded
  words_t     need, ask;
  logic [4:0] load_word;
  assign need = dirty_q & ~stay_q;
  assign ask  = need & ~((come_q || fault_q) ? only(come_word_q) : '0);
  always_comb begin
    load_word = '0;
    for (int w = int'(Registers) - 1; w >= 0; w--) if (ask[w]) load_word = 5'(w);
    if (ask[Words-2]) load_word = EpcWord;
    if (ask[Words-1]) load_word = CauseWord;
  end

  assign load_valid_o  = at_top && !write_i && !out_q && !preempt_i && !fault_q && !chains_o && (ask != '0);
  // (What is written in this cycle is dirty in the next one, and what is asked for stays.)
  assign load_cancel_o = kill_i || chained_o || return_o;
  assign load_fault_o  = fault_q;
  assign fill_we_o     = load_done_i && (come_word_q < EpcWord);
  assign fill_word_o   = come_word_q[3:0];

  logic [31:2] addr;  // of the word that is loaded, or leaves; while it is on the bus it stays
  assign addr         = base_q + 30'((load_busy_i || (at_top && !out_q)) ? load_word : bus_word);
  assign load_addr_o  = addr;
  assign drain_addr_o = addr;

  // ---------------------------------------------------------------- emret
  assign context_o = context_q;
  assign chains_o  = here && !need[Words-2] && !need[Words-1] && chain_i;
  assign returns_o = here && (need == '0) && !out_q && !write_i;
  assign chained_o = emret_i && chains_o;
  assign return_o  = emret_i && !preempt_i && !chains_o && returns_o;

  // ---------------------------------------------------------------- access against the frame
  logic [4:0]  offset;
  logic        reached, below;
  logic [31:0] stays;
  tz_frame_reach #(
    .RV32E(RV32E)
  ) u_reach (
    .base_i   (base_q),
    .addr_i   (lsu_addr_i),
    .terms_i  (lsu_terms_i),
    .word_o   (offset),
    .reached_o(reached),
    .below_o  (below)
  );
  assign stays      = 32'(stay_q) | (out_q ? 32'(only(out_word_q)) : '0);
  assign lsu_wait_here_o = reached && stays[offset];
  assign lsu_wait_o      = lsu_wait_here_o || (lsu_split_i && (reached || below) && stays[offset + 5'd1]);
  assign stored_d   = lsu_store_i && reached && !enter_i && !return_o;

  // ---------------------------------------------------------------- next state
  always_comb begin
    stay_d  = stay_q & ~(leave ? only(drain_word_o) : '0);
    dirty_d = dirty_q;
    come_d  = come_q;
    fault_d = fault_q || load_fault_i;
    if (load_done_i) dirty_d = dirty_d & ~only(come_word_q);
    if (load_done_i || load_fault_i) come_d = 1'b0;
    if (load_grant_i) come_d = 1'b1;
    if (load_cancel_o) {come_d, fault_d} = '0;
    if (write_i && in_frame(write_reg_i, RV32E)) dirty_d = dirty_d | only(5'(frame_word(write_reg_i)));
    if (chained_o) dirty_d[0] = 1'b1;
    if (rebase || stored_q || return_o) dirty_d = '1;
    if (return_o) stay_d = '0;
    if (enter_i) begin
      stay_d  = '1;
      dirty_d = words_t'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stay_q    <= '0;
      dirty_q   <= '1;
      stored_q  <= 1'b0;
      settled_q <= 1'b0;
      out_q     <= 1'b0;
      come_q    <= 1'b0;
      fault_q   <= 1'b0;
    end else begin
      stay_q    <= stay_d;
      dirty_q   <= dirty_d;
      stored_q  <= stored_d;
      settled_q <= settled_d;
      out_q     <= out_d;
      come_q    <= come_d;
      fault_q   <= fault_d;
    end
  end

  mcause_t cause;
  assign cause = unpack_mcause(load_data_i);
  always_ff @(posedge clk_i) begin
    same_q <= (base_q == sp_next_i);
    if (leave) {out_word_q, out_data_q} <= {drain_word_o, drain_data_i};
    if (load_grant_i) come_word_q <= load_word;
    if (enter_i || rebase) base_q <= enter_i ? base_i : sp_i;
    if (enter_i || (load_done_i && come_word_q == EpcWord)) begin
      context_q.epc <= enter_i ? context_i.epc : load_data_i[31:1];
    end
    if (enter_i || (load_done_i && come_word_q == CauseWord)) context_q.cause <= enter_i ? context_i.cause : cause;
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !free_o));
  assert property (@(posedge clk_i)
    !(write_i && in_frame(write_reg_i, RV32E) && |(stay_q & only(5'(frame_word(write_reg_i))))));
  assert property (@(posedge clk_i) !(drain_left_i && !drain_valid_o));
`endif

endmodule
