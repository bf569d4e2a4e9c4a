// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Context saver of fastirq with spare banks of the registers of a frame. An interrupt makes another bank the current
// one; the words of the bank that it leaves drain to the frame in memory (tz_context). emret switches back to the bank
// that holds the frame at sp, if there is one; else it loads the frame from memory into the current bank.
//
// Timing: an emret that switches back, or that chains an interrupt, takes one cycle. An emret that loads takes one
// cycle for each word and one more, with a memory that answers at once. It loads mcause and mepc first and writes them
// straight into the CSRs. So in each later cycle of the load it is known whether an interrupt qualifies for a
// tail-chain. (If the emret is given up for an interrupt, the trap overwrites both CSRs.)
//
// Loading ahead: a write to mframe names the frame that an emret will leave soon. This module loads that frame in the
// background, in the same order, into the bank that an interrupt would take. An emret that comes during the load
// waits for its end, or chains. The load is given up when a store reaches the frame, when a word cannot be loaded, when
// an emret leaves another frame, and at every trap. It is a hint only: without it an emret has the same result.
//
// tz_in_place is the context saver without spare banks. Both have the same ports: tz_fast_pkg, to_saver_t,
// from_saver_t.
module tz_banks
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter bit          Whole    = 1'b0,  // frames hold all registers
  parameter int unsigned NumBanks = 2,     // spare banks, 1 to 4
  parameter bit          Uintr    = 1'b0,  // causes have a bit `posted`
  localparam int unsigned BankW   = $clog2(NumBanks + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  to_saver_t   saver_i /*verilator split_var*/,
  output from_saver_t saver_o /*verilator split_var*/
);

  localparam int unsigned Words = frame_words(RV32E, Whole);
  localparam logic [4:0] CauseWord = 5'(Words - 1);
  localparam logic [4:0] EpcWord = 5'(Words - 2);

  logic             same, top_valid, top_last, top_loads, top_drains, pop;
  logic             known, fill, filled, fill_stored, fill_cause, fill_epc;
  logic [BankW-1:0] bank, next_bank, drain_bank, fill_bank;
  logic [31:2]      fill_base;
  logic             top_user;
  context_t         top;
  logic             drain_valid;
  logic             filling_d, filling_q;  // a frame is being loaded in the background

  tz_context #(
    .RV32E   (RV32E),
    .Whole   (Whole),
    .NumBanks(NumBanks),
    .Uintr(Uintr)
  ) u_context (
    .clk_i,
    .rst_ni,
    .bank_o         (bank),
    .next_bank_o    (next_bank),
    .free_o         (saver_o.free),
    .enter_i        (saver_i.enter),
    .base_i         (saver_i.base),
    .user_i         (saver_i.user),
    .context_i      (saver_i.leaves),
    .sp_next_i      (saver_i.sp_next),
    .same_o         (same),
    .top_valid_o    (top_valid),
    .top_last_o     (top_last),
    .top_loads_o    (top_loads),
    .top_user_o     (top_user),
    .top_o          (top),
    .top_drains_o   (top_drains),
    .pop_i          (pop),
    .rows_write_i   (saver_i.rows_write),
    .hint_i         (saver_i.hint_base),
    .known_o        (known),
    .fill_i         (fill),
    .filling_i      (filling_q),
    .fill_base_o    (fill_base),
    .fill_bank_o    (fill_bank),
    .fill_stored_o  (fill_stored),
    .fill_cause_i   (fill_cause),
    .fill_epc_i     (fill_epc),
    .fill_data_i    (saver_i.load_data),
    .filled_i       (filled),
    .drain_valid_o  (drain_valid),
    .drain_bank_o   (drain_bank),
    .drain_word_o   (saver_o.drain_word),
    .drain_addr_o   (saver_o.drain_addr),
    .drain_user_o   (saver_o.drain_user),
    .drain_context_o(saver_o.drain_context),
    .drain_left_i   (saver_i.drain_left),
    .lsu_i          (saver_i.lsu),
    .lsu_wait_o     (saver_o.lsu_wait),
    .lsu_wait_here_o(saver_o.lsu_wait_here),
    .observe_o      (saver_o.observe)
  );
  assign saver_o.bank       = 3'(bank);
  assign saver_o.next_bank  = 3'(next_bank);
  assign saver_o.drain_bank = 3'(drain_bank);
  assign saver_o.bus_data   = saver_i.drain_data;
  assign saver_o.ex_wait    = 1'b0;

  // ---------------------------------------------------------------- load of a frame
  // An emret loads into the current bank; a load in the background (`filling_q`) goes into a bank left behind. Order of
  // the words: mcause, mepc, then the registers.
  logic [4:0] load_word;
  logic [4:0] ask_d, ask_q, got_d, got_q;  // number of words that were asked for, and received
  logic       fault_d, fault_q;            // a word that an emret has asked for could not be loaded
  logic       hits;                        // a bank holds the frame at sp: no load
  logic       hit;                         // an emret is in EX, nothing makes it wait, and `hits`
  logic       loaded, drop;

  // same: a bank holds the frame at sp, or will hold it. The comparison takes a cycle of its own, because sp and the
  // comparators together would be the longest path of the core. So `same` is out of date in the cycle after sp or a base
  // changed: settled_q is low there, and an emret waits. No emret can be in EX in the cycle after an entry or a return.
  logic        settled_d, settled_q;
  logic        mine;                       // `same`, and the frame is of the mode whose return is in EX
  assign settled_d = !saver_i.sp_set && !fill;
  assign mine   = same && (top_user == saver_i.euret);
  assign fill   = saver_i.hint && !drain_valid && !known;
  assign drop   = filling_q && (fill || fill_stored || saver_i.load_fault ||
                                (saver_i.emret && !saver_i.sp_busy && settled_q && !(mine && top_loads)));
  assign filled = filling_q && saver_i.load_done && (got_q == 5'(Words - 1)) && !saver_o.load_cancel;

  // A load begins when the drain has finished, so that its frame is whole in memory. A load in the background lets the fetch
  // of a table entry go first.
  assign load_word     = (ask_q == 5'd0) ? CauseWord : (ask_q == 5'd1) ? EpcWord : ask_q - 5'd2;
  assign saver_o.load_addr   = (filling_q ? fill_base : saver_i.sp) + 30'(load_word);
  assign saver_o.load_user   = !filling_q && saver_i.euret;
  assign saver_o.load_valid  = !fault_q && (ask_q != 5'(Words)) &&
                         (filling_q ? !saver_i.vector_ask
                                    : saver_i.emret && !saver_i.preempt && settled_q && !hits &&
                                      !saver_i.sp_busy && !drain_valid && !saver_o.chains);
  assign saver_o.load_cancel = saver_i.kill || saver_o.chained || saver_o.returned || drop;

  always_comb begin
    ask_d     = ask_q + 5'(saver_i.load_grant);
    got_d     = got_q + 5'(saver_i.load_done);
    fault_d   = fault_q || saver_i.load_fault;
    filling_d = filling_q;
    if (saver_o.load_cancel || filled || fill) begin
      ask_d     = '0;
      got_d     = '0;
      fault_d   = 1'b0;
      filling_d = fill;
    end
  end
  assign saver_o.load_fault = fault_q;
  assign saver_o.load_cause = !filling_q && saver_i.load_done && (got_q == 5'd0);
  assign saver_o.load_epc   = !filling_q && saver_i.load_done && (got_q == 5'd1);
  assign fill_cause   = filling_q && saver_i.load_done && (got_q == 5'd0);
  assign fill_epc     = filling_q && saver_i.load_done && (got_q == 5'd1);
  assign saver_o.fill_we    = saver_i.load_done && got_q >= 5'd2;
  assign saver_o.fill_bank  = filling_q ? 3'(fill_bank) : 3'(bank);
  assign saver_o.fill_word  = got_q - 5'd2;

  // ---------------------------------------------------------------- emret
  // What an emret would do (`hits`, `fills`, `loaded`) and whether it may do it now (`sp_busy`) are found out side by side.
  logic fills;
  assign hits      = settled_q && mine && top_valid && top_last && (ask_q == '0);
  assign hit       = saver_i.emret && !saver_i.sp_busy && hits;
  assign loaded    = !filling_q && (got_q == 5'(Words));
  assign fills     = settled_q && mine && top_loads && !fill_stored && (got_q >= 5'd2);
  assign saver_o.chains  = !saver_i.sp_busy && (((hits || fills) && saver_i.chain) ||
                                                 (!filling_q && (got_q >= 5'd2) && saver_i.chain_regs));
  assign saver_o.returns = !saver_i.sp_busy && ((hits && !(top_drains && saver_i.drain_busy)) || loaded);
  // The frame as if the emret could proceed. While it waits, `returns` and `chains` are low, and nothing reads it.
  assign saver_o.frame = (filling_q || got_q < 5'd2) ? top : saver_i.regs;
  assign saver_o.level   = top.cause.mpil;

  // A switch back to a bank that still drains waits for the word on the bus to be taken. No further word of that bank is
  // sent meanwhile.
  assign saver_o.drain_valid = drain_valid && !(hit && top_drains);
  assign saver_o.drain_first = (saver_o.drain_word == '0);
  assign saver_o.chained     = saver_i.emret && saver_o.chains;
  assign saver_o.returned      = saver_i.emret && !saver_i.preempt && !saver_o.chains && saver_o.returns;
  assign pop           = saver_o.returned && hit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q     <= '0;
      got_q     <= '0;
      fault_q   <= 1'b0;
      filling_q <= 1'b0;
      settled_q <= 1'b0;
    end else begin
      ask_q     <= ask_d;
      got_q     <= got_d;
      fault_q   <= fault_d;
      filling_q <= filling_d;
      settled_q <= settled_d;
    end
  end

  logic unused;
  assign unused = ^{saver_i.write, saver_i.write_reg, saver_i.ex_write, saver_i.ex_reg, saver_i.load_busy,
                    saver_i.lsu.committed};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(filling_q && drain_valid));
`endif

endmodule
