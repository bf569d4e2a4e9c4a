// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: which bank of the register file holds which interrupted context.
//
// The banks are used in turn: an interrupt leaves the current bank behind, an emret comes back to it. All banks but the
// current one are left behind. For each of them this module has a slot; the slots are used in turn, too. A slot keeps
//
//   base   address of the frame in memory that belongs to the bank
//   mepc, mcause of that frame
//   pend   words of the bank have still to be stored to the frame
//   user   the frame is user mode's: only an euret leaves it, and a change of rows (memory protection) ends `valid`
//   valid  the bank holds what the frame holds, or will hold when its words are stored: an emret may switch back to the
//          bank instead of loading the frame
//
// Banks drain in the order in which they were left. So the slots with `pend` are the youngest, and an interrupt finds a
// free bank unless all slots have `pend`. `valid` ends
//   - when the core stores into the frame;
//   - when a frame is made that does not lie wholly below the one before it: sp is on another stack, so that frames
//     might overlap;
//   - when the bank is used again;
//   - with every emret that had to load its frame.
//
// Loading ahead: a frame may be loaded before the emret that leaves it, into the youngest bank left behind. All slots
// become not valid then. The slot gets the frame's base at once, so that stores into the frame are seen, and becomes
// valid with the last word.
//
// Frames of valid banks do not overlap. So a bank is a cache of its frame: an emret has the same result with and
// without.
module tz_context
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter bit          Whole    = 1'b0,  // frames hold all registers
  parameter int unsigned NumBanks = 2,     // spare banks, 1 to 4
  parameter bit          Uintr    = 1'b0,  // causes have a bit `posted`
  localparam int unsigned BankW   = $clog2(NumBanks + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic [BankW-1:0] bank_o,          // the current bank

  // Entry of an interrupt
  output logic             free_o,          // a bank is free
  input  logic             enter_i,
  input  logic [31:2]      base_i,          // address of the new frame
  input  logic             user_i,          // the new frame is user mode's
  input  context_t         context_i,

  // emret
  output logic             top_valid_o,     // the youngest bank left behind may be switched back to
  output logic [31:2]      top_base_o,
  output logic             top_user_o,      // its frame is user mode's
  output context_t         top_o,
  output logic [BankW-1:0] top_bank_o,
  output logic             top_stored_o,    // a store has reached its frame in the last cycle
  output logic             top_drains_o,    // drain_* is about a word of this bank
  input  logic             pop_i,           // switch back to this bank; words that were not stored yet never will be
  input  logic             forget_i,        // an emret has loaded its frame: no bank is valid any more

  input  logic             rows_write_i,    // rows of memory protection change; comes only while no slot has `pend`

  // A frame of machine mode that is loaded ahead; comes only while no slot has `pend`
  input  logic             fill_i,          // the load begins: top_base_o becomes fill_base_i
  input  logic [31:2]      fill_base_i,
  input  logic             fill_cause_i,    // fill_data_i is its mcause ...
  input  logic             fill_epc_i,      // ... or mepc
  input  logic [31:0]      fill_data_i,
  input  logic             filled_i,        // the last word arrives

  // Drain: the oldest word that has still to be stored to its frame
  output logic             drain_valid_o,
  output logic [BankW-1:0] drain_bank_o,
  output logic [4:0]       drain_word_o,
  output logic [31:2]      drain_addr_o,
  output logic             drain_user_o,    // the frame is user mode's
  output context_t         drain_context_o,
  input  logic             drain_left_i,    // the bus takes the word in this cycle

  // Load-store unit
  input  fast_from_lsu_t   lsu_i /*verilator split_var*/,
  output logic             lsu_wait_o,      // the access reaches a word of a frame that has still to be stored
  output logic             lsu_wait_here_o, // the access reaches such a word with its first word, that at lsu_i.addr

  output fast_to_observe_t observe_o
);

  localparam int unsigned Words = frame_words(RV32E, Whole);

  // Without Uintr the bit `posted` is zero here, so that synthesis removes its flip-flop.
  function automatic context_t with_posted(context_t kept);
    with_posted = kept;
    with_posted.cause.posted = Uintr && kept.cause.posted;
  endfunction
  localparam int unsigned SlotW = (NumBanks > 1) ? $clog2(NumBanks) : 1;
  localparam logic [BankW-1:0] LastBank = BankW'(NumBanks);
  localparam logic [SlotW-1:0] LastSlot = SlotW'(NumBanks - 1);

  function automatic logic [BankW-1:0] next_bank(logic [BankW-1:0] bank);
    return (bank == LastBank) ? '0 : bank + BankW'(1);
  endfunction
  function automatic logic [SlotW-1:0] next_slot(logic [SlotW-1:0] slot);
    return (slot == LastSlot) ? '0 : slot + SlotW'(1);
  endfunction
  function automatic logic [SlotW-1:0] previous(logic [SlotW-1:0] slot);
    return (slot == '0) ? LastSlot : slot - SlotW'(1);
  endfunction

  logic [BankW-1:0]    bank_d, bank_q;
  logic [BankW-1:0]    drain_bank_d, drain_bank_q;  // the bank of slot drain_q
  logic [SlotW-1:0]    slot_d, slot_q;              // slot for the next bank left behind
  logic [SlotW-1:0]    drain_d, drain_q, top, second;
  logic [NumBanks-1:0] pend_d, pend_q, valid_d, valid_q, stored_d, stored_q;
  logic [4:0]          word_d, word_q;
  logic                entered_q;
  logic [NumBanks-1:0]       user_q;
  logic [NumBanks-1:0][31:2] base_q;
  context_t [NumBanks-1:0]   context_q;

  assign top    = previous(slot_q);
  assign second = previous(top);

  // ---------------------------------------------------------------- access against frames
  logic [NumBanks-1:0] inside_frame, waits_here, waits_next;
  for (genvar s = 0; s < int'(NumBanks); s++) begin : gen_slot
    logic [4:0]  offset, first;     // word of the frame that the access is to; first word that has still to be stored
    logic        reached, below, ahead;  // `ahead`: the word behind that of the access is word `first`
    tz_frame_reach #(
      .RV32E(RV32E),
      .Whole(Whole)
    ) u_reach (
      .base_i   (base_q[s]),
      .addr_i   (lsu_i.addr),
      .terms_i  (lsu_i.terms),
      .word_o   (offset),
      .reached_o(reached),
      .below_o  (below)
    );
    assign first   = (drain_q == SlotW'(s)) ? word_q : '0;
    assign ahead   = (offset == first - 5'd1) && ((first != '0) ? reached : below);
    assign waits_here[s] = pend_q[s] && reached && offset >= first;
    assign waits_next[s] = pend_q[s] && ahead;
    assign inside_frame[s] = reached;
  end
  assign lsu_wait_o      = lsu_wait_here_o || (lsu_i.split && |waits_next);
  assign lsu_wait_here_o = |waits_here;
  assign stored_d   = lsu_i.store ? inside_frame : '0;

  // ---------------------------------------------------------------- outputs
  // in_order: the frame of the second youngest slot lies above that of the youngest, as it does on one stack that grows
  // down. `around`: that frame goes on at address 0 behind the end of the address space, and might overlap the other
  // one.
  logic above, around, in_order;
  assign above    = {1'b0, base_q[second]} >= {1'b0, base_q[top]} + 31'(Words);
  assign around   = base_q[second] > -30'(Words);
  assign in_order = above && !around;

  assign bank_o       = bank_q;
  assign free_o       = !pend_q[slot_q];
  assign top_valid_o  = valid_q[top] && !stored_q[top];
  assign top_base_o   = base_q[top];
  assign top_user_o   = user_q[top];
  assign top_o        = with_posted(context_q[top]);
  assign top_bank_o   = (bank_q == '0) ? LastBank : bank_q - BankW'(1);
  assign top_stored_o = stored_q[top];
  assign top_drains_o = pend_q[top] && (drain_q == top);

  assign drain_valid_o   = pend_q[drain_q];
  assign drain_bank_o    = drain_bank_q;
  assign drain_user_o    = user_q[drain_q];
  assign drain_word_o    = word_q;
  assign drain_addr_o    = base_q[drain_q] + 30'(word_q);
  assign drain_context_o = with_posted(context_q[drain_q]);
  assign observe_o       = '{next: 3'(slot_q), valid: 4'(valid_q), pend: 4'(pend_q)};

  // ---------------------------------------------------------------- next state
  always_comb begin
    bank_d       = bank_q;
    slot_d       = slot_q;
    drain_bank_d = drain_bank_q;
    drain_d      = drain_q;
    word_d       = word_q;
    pend_d       = pend_q;
    valid_d      = valid_q & ~stored_q;

    if (drain_left_i) begin
      word_d = word_q + 5'd1;
      if (word_q == 5'(Words - 1)) begin
        word_d          = '0;
        pend_d[drain_q] = 1'b0;
        drain_bank_d    = next_bank(drain_bank_q);
        drain_d         = next_slot(drain_q);
      end
    end

    if (entered_q && !in_order) begin
      valid_d      = '0;
      valid_d[top] = valid_q[top] && !stored_q[top];
    end

    // Other rows may forbid user mode to read its frame. So a bank may not stand for it: euret loads, and is judged.
    if (rows_write_i) valid_d = valid_d & ~user_q;
    if (forget_i || fill_i) valid_d = '0;
    if (filled_i) valid_d[top] = 1'b1;
    if (pop_i) begin
      bank_d       = top_bank_o;
      slot_d       = top;
      valid_d[top] = 1'b0;
      pend_d[top]  = 1'b0;
    end
    if (enter_i) begin
      if (pend_d == '0) begin
        drain_bank_d = bank_q;
        drain_d      = slot_q;
        word_d       = '0;
      end
      bank_d          = next_bank(bank_q);
      slot_d          = next_slot(slot_q);
      pend_d[slot_q]  = 1'b1;
      valid_d[slot_q] = 1'b1;
    end
  end

  logic [SlotW-1:0] written;  // slot of a new frame
  assign written = enter_i ? slot_q : top;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q       <= '0;
      slot_q       <= '0;
      drain_bank_q <= '0;
      drain_q      <= '0;
      word_q       <= '0;
      pend_q       <= '0;
      valid_q      <= '0;
      stored_q     <= '0;
      entered_q    <= 1'b0;
      user_q       <= '0;
    end else begin
      bank_q       <= bank_d;
      slot_q       <= slot_d;
      drain_bank_q <= drain_bank_d;
      drain_q      <= drain_d;
      word_q       <= word_d;
      pend_q       <= pend_d;
      valid_q      <= valid_d;
      stored_q     <= stored_d;
      entered_q    <= enter_i;
      if (enter_i || fill_i) user_q[written] <= enter_i && user_i;
    end
  end

  mcause_t cause;
  assign cause   = unpack_mcause(fill_data_i);
  always_ff @(posedge clk_i) begin
    if (enter_i || fill_i) base_q[written] <= enter_i ? base_i : fill_base_i;
    if (enter_i || fill_epc_i) context_q[written].epc <= enter_i ? context_i.epc : fill_data_i[31:1];
    if (enter_i || fill_cause_i) context_q[written].cause <= enter_i ? context_i.cause : cause;
  end

  logic unused;
  assign unused = lsu_i.committed;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !free_o));
  assert property (@(posedge clk_i) !(pop_i && !top_valid_o));
  assert property (@(posedge clk_i) !(pop_i && enter_i));
  assert property (@(posedge clk_i) !(drain_valid_o && drain_bank_q == bank_q));
  assert property (@(posedge clk_i) !(drain_left_i && !drain_valid_o));
  assert property (@(posedge clk_i) !((fill_i || filled_i) && (enter_i || pop_i || pend_q != '0)));
  assert property (@(posedge clk_i) !(pend_q != '0 && !pend_q[drain_q]));
`endif

endmodule
