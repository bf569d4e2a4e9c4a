// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: which bank of the register file holds which interrupted context.
//
// An interrupt leaves the current bank behind and takes another one; an emret comes back to the bank that holds the
// frame at sp, wherever that is. All banks but the current one are left behind. Each of them has a slot; an interrupt
// puts the current bank into the slot of the bank that it takes, and an emret exchanges the two again. A slot keeps
//
//   bank   its bank
//   base   address of the frame in memory that belongs to the bank
//   mepc, mcause of that frame
//   pend   words of the bank have still to be stored to the frame
//   user   the frame is user mode's: only an euret leaves it, and a change of rows (memory protection) ends `valid`
//   valid  the bank holds what the frame holds, or will hold when its words are stored: an emret may switch back to the
//          bank instead of loading the frame
//
// Banks drain in the order in which they were left (`queue`). An interrupt takes a bank that is not `valid`, or else the
// one that has been there longest, but never one with `pend`: it finds a bank unless all slots have `pend`. `valid` ends
//   - when the core stores into the frame;
//   - when a frame is made, or loaded ahead, that overlaps it;
//   - when the bank is used again.
//
// Loading ahead: a frame may be loaded before the emret that leaves it, into the bank that an interrupt would take. The
// slot gets the frame's base at once, so that stores into the frame are seen, and becomes valid with the last word.
//
// So a bank is a cache of its frame: an emret has the same result with and without. A kernel that switches between a few
// tasks finds their contexts in banks, whatever the order of the switches.
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
  output logic [BankW-1:0] next_bank_o,     // the bank that an interrupt would take

  // Entry of an interrupt
  output logic             free_o,          // a bank is free
  input  logic             enter_i,
  input  logic [31:2]      base_i,          // address of the new frame
  input  logic             user_i,          // the new frame is user mode's
  input  context_t         context_i,

  // emret: the slot of the frame at sp
  input  logic [31:2]      sp_next_i,       // sp in the next cycle, unless an entry or a return sets it
  output logic             same_o,          // there was such a slot in the last cycle, valid or being loaded ahead
  output logic             top_valid_o,     // its bank may be switched back to
  output logic             top_last_o,      // no other bank was left behind later and has still to be stored
  output logic             top_loads_o,     // its frame is being loaded ahead
  output logic             top_user_o,      // its frame is user mode's
  output context_t         top_o,
  output logic             top_drains_o,    // drain_* is about a word of its bank
  input  logic             pop_i,           // switch back to its bank; words that were not stored yet never will be

  input  logic             rows_write_i,    // rows of memory protection change; comes only while no slot has `pend`

  // A frame of machine mode that is loaded ahead; comes only while no slot has `pend`
  input  logic [31:2]      hint_i,          // its address
  output logic             known_o,         // a bank holds it
  input  logic             fill_i,          // the load begins
  input  logic             filling_i,       // a load goes on
  output logic [31:2]      fill_base_o,     // its frame
  output logic [BankW-1:0] fill_bank_o,     // the bank that it goes into
  output logic             fill_stored_o,   // a store has reached its frame in the last cycle
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
  localparam int unsigned CountW = $clog2(NumBanks + 1);

  function automatic logic [SlotW-1:0] next_slot(logic [SlotW-1:0] slot);
    return (slot == SlotW'(NumBanks - 1)) ? '0 : slot + SlotW'(1);
  endfunction
  function automatic logic [CountW-1:0] number_of(logic [NumBanks-1:0] slots);
    number_of = '0;
    for (int unsigned s = 0; s < NumBanks; s++) number_of += CountW'(slots[s]);
  endfunction

  logic [BankW-1:0]    bank_d, bank_q;
  logic [NumBanks-1:0][BankW-1:0] bank_of_d, bank_of_q;  // of each slot
  logic [NumBanks-1:0][SlotW-1:0] queue_d, queue_q;      // the slots with `pend`, the oldest first
  logic [SlotW-1:0]    youngest_d, youngest_q;           // with `pend`: the slot that was left last
  logic [SlotW-1:0]    free_d, free_q;                   // slot for the next bank left behind
  logic [SlotW-1:0]    oldest_d, oldest_q;               // the slot behind the one that was used last
  logic [SlotW-1:0]    top_d, top_q;                     // slot of the frame at sp
  logic [SlotW-1:0]    fill_q;                           // slot that is loaded ahead
  logic [SlotW-1:0]    made_q;                           // slot of the last frame that was made, or loaded ahead
  logic                same_d, same_q;
  logic [SlotW-1:0]    drain;
  logic [CountW-1:0]   count;                            // slots with `pend`
  logic [NumBanks-1:0] pend_d, pend_q, valid_d, valid_q, stored_d, stored_q;
  logic [4:0]          word_d, word_q;
  logic                changed_q;                        // a slot got a new base in the last cycle: made_q
  logic [NumBanks-1:0]       user_q;
  logic [NumBanks-1:0][31:2] base_q;
  context_t [NumBanks-1:0]   context_q;

  assign drain = queue_q[0];
  assign count = number_of(pend_q);

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
    assign first   = (drain == SlotW'(s)) ? word_q : '0;
    assign ahead   = (offset == first - 5'd1) && ((first != '0) ? reached : below);
    assign waits_here[s] = pend_q[s] && reached && offset >= first;
    assign waits_next[s] = pend_q[s] && ahead;
    assign inside_frame[s] = reached;
  end
  assign lsu_wait_o      = lsu_wait_here_o || (lsu_i.split && |waits_next);
  assign lsu_wait_here_o = |waits_here;
  assign stored_d   = lsu_i.store ? inside_frame : '0;

  // ---------------------------------------------------------------- frames against frames
  // Frames of valid banks do not overlap, so at most one of them lies at sp.
  logic [NumBanks-1:0] overlaps, holds, knows;
  always_comb begin
    same_d = 1'b0;
    top_d  = '0;
    for (int unsigned s = 0; s < NumBanks; s++) begin
      logic [31:2] distance;  // from the lowest address at which a frame overlaps the new one
      distance    = base_q[s] - base_q[made_q] + 30'(Words - 1);
      overlaps[s] = changed_q && made_q != SlotW'(s) && distance < 30'(2 * Words - 1);
      holds[s]    = valid_q[s] && !stored_q[s] && !overlaps[s];
      knows[s]    = holds[s] && !user_q[s] && base_q[s] == hint_i;
      if (base_q[s] == sp_next_i && (holds[s] || (filling_i && fill_q == SlotW'(s)))) begin
        same_d = 1'b1;
        top_d  = SlotW'(s);
      end
    end
  end

  // ---------------------------------------------------------------- outputs
  assign bank_o       = bank_q;
  assign next_bank_o  = bank_of_q[free_q];
  assign free_o       = !pend_q[free_q];
  assign same_o       = same_q;
  assign top_valid_o  = valid_q[top_q] && !stored_q[top_q];
  assign top_last_o   = !pend_q[top_q] || youngest_q == top_q;
  assign top_loads_o  = filling_i && fill_q == top_q;
  assign top_user_o   = user_q[top_q];
  assign top_o        = with_posted(context_q[top_q]);
  assign top_drains_o = pend_q[top_q] && (drain == top_q);

  assign known_o       = |knows || (filling_i && base_q[fill_q] == hint_i);
  assign fill_base_o   = base_q[fill_q];
  assign fill_bank_o   = bank_of_q[fill_q];
  assign fill_stored_o = stored_q[fill_q];

  assign drain_valid_o   = pend_q[drain];
  assign drain_bank_o    = bank_of_q[drain];
  assign drain_user_o    = user_q[drain];
  assign drain_word_o    = word_q;
  assign drain_addr_o    = base_q[drain] + 30'(word_q);
  assign drain_context_o = with_posted(context_q[drain]);

  always_comb begin
    observe_o = '0;
    for (int unsigned s = 0; s < NumBanks; s++) begin
      observe_o.held[3'(bank_of_q[s])]    = valid_q[s];
      observe_o.leaving[3'(bank_of_q[s])] = pend_q[s];
    end
  end

  // ---------------------------------------------------------------- next state
  always_comb begin
    bank_d    = bank_q;
    bank_of_d = bank_of_q;
    queue_d   = queue_q;
    youngest_d = youngest_q;
    oldest_d  = oldest_q;
    word_d    = word_q;
    pend_d    = pend_q;
    valid_d   = holds;

    if (drain_left_i) begin
      word_d = word_q + 5'd1;
      if (word_q == 5'(Words - 1)) begin
        word_d        = '0;
        pend_d[drain] = 1'b0;
        for (int unsigned s = 1; s < NumBanks; s++) queue_d[s-1] = queue_q[s];
      end
    end

    // Other rows may forbid user mode to read its frame. So a bank may not stand for it: euret loads, and is judged.
    if (rows_write_i) valid_d = valid_d & ~user_q;
    if (fill_i) valid_d[free_q] = 1'b0;
    if (filled_i) valid_d[fill_q] = 1'b1;
    if (pop_i) begin
      if (pend_q[top_q] && count != CountW'(1)) youngest_d = queue_q[SlotW'(count - CountW'(2))];
      bank_d           = bank_of_q[top_q];
      bank_of_d[top_q] = bank_q;
      valid_d[top_q]   = 1'b0;
      pend_d[top_q]    = 1'b0;
    end
    if (enter_i) begin
      if (pend_d == '0) word_d = '0;
      queue_d[SlotW'(number_of(pend_d))] = free_q;
      youngest_d        = free_q;
      bank_d            = bank_of_q[free_q];
      bank_of_d[free_q] = bank_q;
      oldest_d          = next_slot(free_q);
      pend_d[free_q]    = 1'b1;
      valid_d[free_q]   = 1'b1;
    end
  end

  // The slot for the next bank left behind: the first one from `from` on that is not valid and has not `pend`, or else
  // the first one that has not `pend`, or else `oldest`, which will lose `pend` first. It is found for an entry, a switch
  // back and neither side by side, because it is known late which it is.
  function automatic logic [SlotW-1:0] choose(logic [NumBanks-1:0] pend, logic [NumBanks-1:0] valid,
                                              logic [SlotW-1:0] from, logic [SlotW-1:0] oldest);
    logic [SlotW-1:0] slot, other;
    logic             found, empty;
    choose = oldest;
    slot   = from;
    found  = 1'b0;
    empty  = 1'b0;
    other = '0;
    for (int unsigned s = 0; s < NumBanks; s++) begin
      if (!pend[slot] && !valid[slot] && !empty) {choose, empty} = {slot, 1'b1};
      if (!pend[slot] && !found) {other, found} = {slot, 1'b1};
      slot = next_slot(slot);
    end
    if (found && !empty) choose = other;
  endfunction
  logic [NumBanks-1:0] pend_left, valid_left, of_free, of_top;  // without this cycle's entry or switch back
  logic                ends;                                    // the last word of a frame leaves
  assign ends       = drain_left_i && word_q == 5'(Words - 1);
  assign pend_left  = pend_q & ~(ends ? NumBanks'(1) << drain : '0);
  assign valid_left = (holds & ~(fill_i ? NumBanks'(1) << free_q : '0)) | (filled_i ? NumBanks'(1) << fill_q : '0);
  assign of_free    = NumBanks'(1) << free_q;
  assign of_top     = NumBanks'(1) << top_q;
  always_comb begin
    free_d = choose(pend_left, valid_left, oldest_q, queue_d[0]);
    if (pop_i) free_d = choose(pend_left & ~of_top, valid_left & ~of_top, oldest_q, queue_d[0]);
    if (enter_i) free_d = choose(pend_left | of_free, valid_left | of_free, next_slot(free_q), queue_d[0]);
  end

  logic [SlotW-1:0] written;  // slot of a new frame, or of the one that is loaded ahead
  assign written = (enter_i || fill_i) ? free_q : fill_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q    <= '0;
      queue_q   <= '0;
      youngest_q <= '0;
      free_q    <= '0;
      oldest_q  <= '0;
      top_q     <= '0;
      fill_q    <= '0;
      made_q    <= '0;
      same_q    <= 1'b0;
      word_q    <= '0;
      pend_q    <= '0;
      valid_q   <= '0;
      stored_q  <= '0;
      changed_q <= 1'b0;
      user_q    <= '0;
      for (int unsigned s = 0; s < NumBanks; s++) bank_of_q[s] <= BankW'(s + 1);
    end else begin
      bank_q    <= bank_d;
      bank_of_q <= bank_of_d;
      queue_q   <= queue_d;
      youngest_q <= youngest_d;
      free_q    <= free_d;
      oldest_q  <= oldest_d;
      top_q     <= top_d;
      if (fill_i) fill_q <= free_q;
      if (enter_i || fill_i) made_q <= free_q;
      same_q    <= same_d;
      word_q    <= word_d;
      pend_q    <= pend_d;
      valid_q   <= valid_d;
      stored_q  <= stored_d;
      changed_q <= enter_i || fill_i;
      if (enter_i || fill_i) user_q[written] <= enter_i && user_i;
    end
  end

  mcause_t cause;
  assign cause   = unpack_mcause(fill_data_i);
  always_ff @(posedge clk_i) begin
    if (enter_i || fill_i) base_q[written] <= enter_i ? base_i : hint_i;
    if (enter_i || fill_epc_i) context_q[written].epc <= enter_i ? context_i.epc : fill_data_i[31:1];
    if (enter_i || fill_cause_i) context_q[written].cause <= enter_i ? context_i.cause : cause;
  end

  logic unused;
  assign unused = lsu_i.committed;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !free_o));
  assert property (@(posedge clk_i) !(pop_i && !(same_o && top_valid_o && top_last_o)));
  assert property (@(posedge clk_i) !(pop_i && enter_i));
  assert property (@(posedge clk_i) !(drain_valid_o && bank_of_q[drain] == bank_q));
  assert property (@(posedge clk_i) !(drain_left_i && !drain_valid_o));
  assert property (@(posedge clk_i) !(fill_i && (enter_i || pop_i)));
  assert property (@(posedge clk_i) !(filled_i && (enter_i || pop_i)));
  assert property (@(posedge clk_i) !((fill_i || filled_i) && pend_q != '0));
  assert property (@(posedge clk_i) !(pend_q != '0 && !pend_q[drain]));
`endif

endmodule
