// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Context saver of fastirq without spare banks. At an interrupt the registers stay in the register file. In each cycle
// one of them is sent to the frame: to the bus, or into the output register if the bus does not take it at once. A
// register that the handler is about to write is sent before all others, in the cycle in which the writing instruction
// is in EX. So that instruction waits only while the output register is full. This never happens if the bus takes a
// word in each cycle.
//
// For each word of the frame there are two bits:
//
//   stay   the word has still to be sent: its value is only in the register file (mepc, mcause: in context_q)
//   dirty  the word here may differ from the word in the frame: the handler has written the register, the register never
//          had the frame's word, a store has reached the frame, or rows of memory protection have changed
//
// An emret loads the words that are dirty and not `stay`, and returns when there are none. A handler that has used
// three registers loads these and ra. mepc and mcause are kept in context_q, so that a tail-chain waits for no word. If
// an emret leaves another frame than the last one, that frame becomes the one that is kept here, with all its words
// dirty.
//
// Ports: tz_fast_pkg, to_saver_t and from_saver_t, as those of tz_banks.
module tz_in_place
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit RV32E = 1'b0,
  parameter bit Uintr    = 1'b0   // causes have a bit `posted`
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  to_saver_t   saver_i /*verilator split_var*/,
  output from_saver_t saver_o /*verilator split_var*/
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
  logic        user_q;                      // the frame that is kept is user mode's
  context_t    context_q;
  logic        stored_d, stored_q;          // a store has reached the frame in the last cycle
  logic        out_d, out_q;                // the output register holds a word that the bus has not taken
  logic [4:0]  out_word_q;                  // which word that is
  logic [31:0] out_data_q;
  logic        come_d, come_q;              // a word has been asked for and comes in this cycle
  logic [4:0]  come_word_q;                 // which word that is
  logic        fault_d, fault_q;            // a word could not be loaded
  logic        at_top;                      // an emret is in EX, and leaves the frame whose words are kept here
  logic        rebase;                      // an emret is in EX, and leaves another frame: from now on that one is kept
  logic        here;                        // sp is at the frame that is kept, and nothing makes an emret wait

  // same_q: sp is the base of the frame at the top. The comparison takes a cycle of its own, because sp and the comparator
  // together would be the longest path of the core. So same_q is out of date in the cycle after sp or the base changed:
  // settled_q is low there, and an emret waits. No emret can be in EX in the cycle after an entry or a return.
  logic        same_q, settled_d, settled_q;
  logic        mine;                        // the frame kept is at sp, and of the mode whose return is in EX
  assign settled_d = !saver_i.sp_set && !rebase;
  assign mine      = same_q && (user_q == saver_i.euret);
  assign here      = !saver_i.sp_busy && settled_q && !stored_q && mine;
  assign at_top    = saver_i.emret && here;
  assign rebase    = saver_i.emret && !saver_i.sp_busy && settled_q && !stored_q && !mine && saver_o.free;
  assign saver_o.free    = (stay_q == '0) && !out_q;

  // ---------------------------------------------------------------- words that leave
  // Order: ra first, because it is written in the cycle after an entry; then the registers that compilers use first.
  logic [4:0] ex_word;
  logic       evict, leave;
  logic [4:0] next_word, bus_word;
  assign ex_word = frame_word(saver_i.ex_reg);
  assign evict   = saver_i.ex_write && in_frame(saver_i.ex_reg, RV32E) && |(stay_q & only(ex_word));

  always_comb begin
    next_word = '0;
    for (int unsigned w = Words - 1; w >= 10; w--) if (stay_q[w]) next_word = 5'(w);
    for (int unsigned w = 1; w < 4; w++) if (stay_q[w]) next_word = 5'(w);
    for (int unsigned w = 4; w < 10; w++) if (stay_q[w]) next_word = 5'(w);
    if (stay_q[0]) next_word = '0;
  end

  assign leave           = (stay_q != '0) && !out_q && !at_top && !saver_i.load_busy;
  assign out_d           = (leave || out_q) && !saver_i.drain_left;
  assign saver_o.ex_wait       = evict && out_q;
  assign saver_o.drain_word    = evict ? ex_word : next_word;
  assign saver_o.drain_context = context_q;
  assign saver_o.drain_valid   = leave || out_q;
  assign bus_word        = out_q ? out_word_q : saver_o.drain_word;
  assign saver_o.drain_first   = (bus_word == '0);
  assign saver_o.bus_data    = out_q ? out_data_q : saver_i.drain_data;

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

  assign saver_o.load_valid  = at_top && !saver_i.write && !out_q && !saver_i.preempt && !fault_q && !saver_o.chains &&
                               (ask != '0);
  // No load begins in a cycle in which WB writes a register: that write makes a word dirty only in the next
  // cycle, and a request that has begun must not change.
  assign saver_o.load_cancel = saver_i.kill || saver_o.chained || saver_o.returned;
  assign saver_o.load_fault  = fault_q;
  assign saver_o.fill_we     = saver_i.load_done && (come_word_q < EpcWord);
  assign saver_o.fill_word   = come_word_q;
  // There is but one bank.
  assign {saver_o.bank, saver_o.next_bank, saver_o.fill_bank, saver_o.drain_bank, saver_o.observe} = '0;

  logic [31:2] addr;  // address of the word that is loaded or stored; does not change while its request is on the bus
  assign addr         = base_q + 30'((saver_i.load_busy || (at_top && !out_q)) ? load_word : bus_word);
  assign saver_o.load_addr  = addr;
  assign saver_o.drain_addr = addr;
  assign saver_o.load_user  = user_q;
  assign saver_o.drain_user = user_q;

  // ---------------------------------------------------------------- emret
  assign saver_o.frame      = context_q;
  assign saver_o.level      = context_q.cause.mpil;
  assign {saver_o.load_cause, saver_o.load_epc} = '0;  // they are read from `frame`
  assign saver_o.chains  = here && !need[Words-2] && !need[Words-1] && saver_i.chain;
  assign saver_o.returns = here && (need == '0) && !out_q && !saver_i.write;
  assign saver_o.chained = saver_i.emret && saver_o.chains;
  assign saver_o.returned  = saver_i.emret && !saver_i.preempt && !saver_o.chains && saver_o.returns;

  // ---------------------------------------------------------------- access against the frame
  logic [4:0]  offset;
  logic        reached, below;
  logic [31:0] stays;
  tz_frame_reach #(
    .RV32E(RV32E)
  ) u_reach (
    .base_i   (base_q),
    .addr_i   (saver_i.lsu.addr),
    .terms_i  (saver_i.lsu.terms),
    .word_o   (offset),
    .reached_o(reached),
    .below_o  (below)
  );
  assign stays      = 32'(stay_q) | (out_q ? 32'(only(out_word_q)) : '0);
  assign saver_o.lsu_wait_here = reached && stays[offset];
  assign saver_o.lsu_wait      = saver_o.lsu_wait_here ||
                                 (saver_i.lsu.split && (reached || below) && stays[offset + 5'd1]);
  assign stored_d   = saver_i.lsu.store && reached && !saver_i.enter && !saver_o.returned;

  // ---------------------------------------------------------------- next state
  always_comb begin
    stay_d  = stay_q & ~(leave ? only(saver_o.drain_word) : '0);
    dirty_d = dirty_q;
    come_d  = come_q;
    fault_d = fault_q || saver_i.load_fault;
    if (saver_i.load_done) dirty_d = dirty_d & ~only(come_word_q);
    if (saver_i.load_done || saver_i.load_fault) come_d = 1'b0;
    if (saver_i.load_grant) come_d = 1'b1;
    if (saver_o.load_cancel) {come_d, fault_d} = '0;
    if (saver_i.write && in_frame(saver_i.write_reg, RV32E)) dirty_d |= only(frame_word(saver_i.write_reg));
    if (saver_o.chained) dirty_d[0] = 1'b1;
    if (rebase || stored_q || saver_o.returned || (saver_i.rows_write && user_q)) dirty_d = '1;
    if (saver_o.returned) stay_d = '0;
    if (saver_i.enter) begin
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
      user_q    <= 1'b0;
    end else begin
      stay_q    <= stay_d;
      dirty_q   <= dirty_d;
      stored_q  <= stored_d;
      settled_q <= settled_d;
      out_q     <= out_d;
      come_q    <= come_d;
      fault_q   <= fault_d;
      if (saver_i.enter || rebase) user_q <= saver_i.enter ? saver_i.user : saver_i.euret;
    end
  end

  mcause_t cause;
  assign cause = unpack_mcause(saver_i.load_data, Uintr);
  always_ff @(posedge clk_i) begin
    same_q <= (base_q == saver_i.sp_next);
    if (leave) {out_word_q, out_data_q} <= {saver_o.drain_word, saver_i.drain_data};
    if (saver_i.load_grant) come_word_q <= load_word;
    if (saver_i.enter || rebase) base_q <= saver_i.enter ? saver_i.base : saver_i.sp;
    if (saver_i.enter || (saver_i.load_done && come_word_q == EpcWord)) begin
      context_q.epc <= saver_i.enter ? saver_i.leaves.epc : saver_i.load_data[31:1];
    end
    if (saver_i.enter || (saver_i.load_done && come_word_q == CauseWord)) begin
      context_q.cause <= saver_i.enter ? saver_i.leaves.cause : cause;
    end
  end

  logic unused;
  assign unused = ^{saver_i.regs, saver_i.chain_regs, saver_i.hint, saver_i.hint_base, saver_i.drain_busy,
                    saver_i.vector_ask, saver_i.lsu.committed};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(saver_i.enter && !saver_o.free));
  assert property (@(posedge clk_i)
    !(saver_i.write && in_frame(saver_i.write_reg, RV32E) && |(stay_q & only(frame_word(saver_i.write_reg)))));
  assert property (@(posedge clk_i) !(saver_i.drain_left && !saver_o.drain_valid));
`endif

endmodule
