// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lemmas of fastirq_formal.sv about spare banks: what the banks hold, and how a frame is loaded. This module is
// instantiated in fastirq_formal and uses its signals by name.
module banks_lemmas
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b1,
  parameter bit          Whole    = 1'b0,
  parameter int unsigned NumBanks = 1
) (
  input logic clk_i
);

  localparam int unsigned Words = frame_words(RV32E, Whole);
  localparam int unsigned BankW = $clog2(NumBanks + 1);
  localparam int unsigned SlotW = (NumBanks > 1) ? $clog2(NumBanks) : 1;
  localparam int unsigned CountW = $clog2(NumBanks + 1);
  localparam int unsigned RowW  = $clog2(Words - 2);
  localparam logic [29:0] CauseWord = 30'(Words - 1);
  localparam logic [29:0] EpcWord = 30'(Words - 2);
  localparam logic [2:0] UserLoad = 3'd2;  // enumeration of tz_frame_port

  logic rst_n, known_q, framed_q, linking_q, filling, emret_here, enable, user;
  logic return_here, frame_here_q, frame_err_q, value_known_q;
  logic [2:0]  hold, out;
  logic [1:0]  lane_q;
  logic [4:0]  register_q;
  logic [7:0]  gold_q, mem_q, cause_byte, frame_byte_q;
  logic [29:0] return_offset;
  logic [31:0] sp, value_q;
  logic [31:2] word_q;
  context_t    regs;
  assign rst_n         = fastirq_formal.rst_n;
  assign known_q       = fastirq_formal.known_q;
  assign framed_q      = fastirq_formal.framed_q;
  assign linking_q     = fastirq_formal.linking_q;
  assign filling       = fastirq_formal.filling;
  assign emret_here    = fastirq_formal.emret_here;
  assign enable        = fastirq_formal.enable;
  assign user          = fastirq_formal.user;
  assign return_here   = fastirq_formal.return_here;
  assign frame_here_q  = fastirq_formal.frame_here_q;
  assign frame_err_q   = fastirq_formal.frame_err_q;
  assign value_known_q = fastirq_formal.value_known_q;
  assign hold          = fastirq_formal.hold;
  assign out           = fastirq_formal.out;
  assign lane_q        = fastirq_formal.lane_q;
  assign register_q    = fastirq_formal.register_q;
  assign gold_q        = fastirq_formal.gold_q;
  assign mem_q         = fastirq_formal.mem_q;
  assign cause_byte    = fastirq_formal.cause_byte;
  assign frame_byte_q  = fastirq_formal.frame_byte_q;
  assign return_offset = fastirq_formal.return_offset;
  assign sp            = fastirq_formal.sp;
  assign value_q       = fastirq_formal.value_q;
  assign word_q        = fastirq_formal.word_q;
  assign regs          = fastirq_formal.regs;
  function automatic logic [7:0] lane(logic [31:0] data);
    return data[8*lane_q+:8];
  endfunction


  // Registers of tz_context and tz_banks.
  logic [NumBanks-1:0] valid_q, stored_q, overlaps, waits;
  logic [NumBanks-1:0][31:2] base_q;
  context_t [NumBanks-1:0]   context_q;
  logic fault_q;
  assign valid_q   = u_fastirq.gen_banks.u_banks.u_context.valid_q;
  assign stored_q  = u_fastirq.gen_banks.u_banks.u_context.stored_q;
  assign waits     = u_fastirq.gen_banks.u_banks.u_context.waits_here |
                     (u_fastirq.core_i.lsu.split ? u_fastirq.gen_banks.u_banks.u_context.waits_next : '0);
  assign base_q    = u_fastirq.gen_banks.u_banks.u_context.base_q;
  assign context_q = u_fastirq.gen_banks.u_banks.u_context.context_q;
  assign overlaps  = u_fastirq.gen_banks.u_banks.u_context.overlaps;
  assign fault_q   = u_fastirq.gen_banks.u_banks.fault_q;

  // ------------------------------------------------------------------ lemmas: banks
  // For each slot: it has words still to store; the bank equals its frame; the bank still has the watched word.
  logic [NumBanks-1:0]      pend, valid, covers;
  logic [NumBanks-1:0][7:0] kept;           // the bank's value of the watched byte
  logic [BankW-1:0] current;                // the current bank
  logic [NumBanks-1:0][BankW-1:0] bank_of;  // of each slot
  logic [NumBanks-1:0][SlotW-1:0] queue;    // the slots with words still to store, the oldest first
  logic [CountW-1:0] waiting;               // number of these
  logic [SlotW-1:0] free, draining, made, filled;
  logic [4:0]       draining_word;
  logic [4:0]       asked, got;             // number of words of the frame that have been asked for, and that have come
  assign asked   = u_fastirq.gen_banks.u_banks.ask_q;
  assign got     = u_fastirq.gen_banks.u_banks.got_q;
  // Place of a word in the order in which words are loaded; and the bits of the watched byte that the registers keep if
  // that byte lies at this place of a frame.
  function automatic logic [4:0] place_at(logic [29:0] offset);
    return (offset == CauseWord) ? 5'd0 : (offset == EpcWord) ? 5'd1 : offset[4:0] + 5'd2;
  endfunction
  function automatic logic [7:0] seen_at(logic [29:0] offset);
    return (offset == CauseWord) ? cause_byte : (offset == EpcWord) ? gold_q & ~8'(lane_q == 2'd0) : gold_q;
  endfunction
  assign current       = u_fastirq.gen_banks.u_banks.u_context.bank_q;
  assign bank_of       = u_fastirq.gen_banks.u_banks.u_context.bank_of_q;
  assign queue         = u_fastirq.gen_banks.u_banks.u_context.queue_q;
  assign free          = u_fastirq.gen_banks.u_banks.u_context.free_q;
  assign made          = u_fastirq.gen_banks.u_banks.u_context.made_q;
  assign filled        = u_fastirq.gen_banks.u_banks.u_context.fill_q;
  assign draining      = queue[0];
  assign draining_word = u_fastirq.gen_banks.u_banks.u_context.word_q;
  assign pend          = u_fastirq.gen_banks.u_banks.u_context.pend_q;
  always_comb begin
    waiting = '0;
    for (int unsigned s = 0; s < NumBanks; s++) waiting += CountW'(pend[s]);
  end
  for (genvar s = 0; s < int'(NumBanks); s++) begin : gen_slot
    logic [31:2] base;
    logic [29:0] offset;
    logic        inside_frame;
    logic [4:0]  first, place;
    logic [7:0]  seen;     // bits of the watched byte that the registers keep after its frame has been loaded
    logic [31:0] bank_word, kept_word;
    context_t    left;
    assign base         = base_q[s];
    always_comb begin
      left              = context_q[s];
      left.cause.posted = 1'b0;  // the bit of Uintr is not compared: this core does not have it, and nothing reads
                                 // the bit
    end
    assign offset       = word_q - base;
    assign inside_frame = offset < 30'(Words);
    assign first        = (draining == SlotW'(s)) ? draining_word : '0;
    assign covers[s]    = pend[s] && inside_frame && offset[4:0] >= first;
    // The store and the new frame of the last cycle are taken into account.
    assign valid[s]     = valid_q[s] && !stored_q[s] && !overlaps[s];
    logic [NumBanks:0][31:0] bank_words;
    for (genvar b = 0; b <= int'(NumBanks); b++) begin : gen_word
      assign bank_words[b] = u_regfile.gen_memory.gen_banks.gen_bank[b].regs[offset[RowW-1:0]];
    end
    assign bank_word    = bank_words[bank_of[s]];
    always_comb begin
      kept_word = bank_word;
      if (offset == EpcWord) kept_word = {left.epc, 1'b0};
      if (offset == CauseWord) kept_word = pack_mcause(left.cause);
      kept[s] = lane(kept_word);
      seen    = seen_at(offset);
      place   = place_at(offset);
    end
    // A load or store in EX reaches no word of a frame that has still to be stored. LemmaSplit_A is true of all
    // numbers; stated here, it saves the solver from finding out which words the second half of a split access reaches.
    logic [29:0] at, at_next;
    logic        next_waits;
    assign at         = u_pipeline.ex_addr[31:2] - base;
    assign at_next    = u_pipeline.ex_addr[31:2] + 30'd1 - base;
    assign next_waits = pend[s] && at_next < 30'(Words) && at_next[4:0] >= first;
    LemmaHeld_A: assert property (@(posedge clk_i) !rst_n || !(u_pipeline.u_lsu.hold_q || u_pipeline.u_lsu.second_q) ||
      !waits[s]);
    LemmaSplit_A: assert property (@(posedge clk_i) !rst_n || !next_waits ||
      ((at < 30'(Words)) ? 6'(at[4:0]) + 6'd1 >= 6'(first) : &at && first == '0));
    LemmaStored_A: assert property (@(posedge clk_i) !rst_n || !known_q || framed_q || !covers[s]);
    LemmaLeft_A: assert property (@(posedge clk_i) !rst_n || !(pend[s] || valid[s]) ||
      left.cause.mpp inside {PrivM, PrivU});
    LemmaValid_A: assert property (@(posedge clk_i) !(rst_n && valid[s] && inside_frame && known_q) ||
      kept[s] == seen);

    // The frame of this slot is being loaded ahead.
    logic fills, fills_here;
    assign fills      = filling && filled == SlotW'(s);
    assign fills_here = fills && !stored_q[s] && inside_frame && known_q;
    LemmaFills_A: assert property (@(posedge clk_i) !rst_n || !fills ||
      got == '0 || left.cause.mpp inside {PrivM, PrivU});
    LemmaFillComes_A: assert property (@(posedge clk_i) !(rst_n && fills_here && out == UserLoad && place == got) ||
      (frame_here_q && (frame_err_q || frame_byte_q == gold_q)));
    LemmaFillCame_A: assert property (@(posedge clk_i) !(rst_n && fills_here && got > place) || kept[s] == seen);
    LemmaFillAlone_A: assert property (@(posedge clk_i) !rst_n || !fills || !valid_q[s]);
  end

  LemmaFilling_A: assert property (@(posedge clk_i) !rst_n || !filling ||
    (pend == '0 && !linking_q && !fault_q && got < 5'(Words)));

  // Each bank is the current one or that of one slot. The queue holds the slots with words to store. A slot is free unless
  // all have words to store.
  LemmaSlots_A: assert property (@(posedge clk_i) !rst_n ||
    (current <= BankW'(NumBanks) && free <= SlotW'(NumBanks - 1) && made <= SlotW'(NumBanks - 1) &&
     filled <= SlotW'(NumBanks - 1) && draining_word < 5'(Words)));
  LemmaYoungest_A: assert property (@(posedge clk_i) !rst_n || waiting == '0 ||
    u_fastirq.gen_banks.u_banks.u_context.youngest_q == queue[SlotW'(waiting - CountW'(1))]);
  LemmaFree_A: assert property (@(posedge clk_i) !rst_n || !pend[free] || pend == '1);
  // By place in the queue.
  logic [NumBanks-1:0]      covers_at;
  logic [NumBanks-1:0][7:0] kept_at;
  for (genvar s = 0; s < int'(NumBanks); s++) begin : gen_place
    assign covers_at[s] = CountW'(s) < waiting && covers[queue[s]];
    assign kept_at[s]   = kept[queue[s]];
    LemmaQueue_A: assert property (@(posedge clk_i) !rst_n ||
      (queue[s] <= SlotW'(NumBanks - 1) && (CountW'(s) >= waiting || pend[queue[s]])));
    LemmaBank_A: assert property (@(posedge clk_i) !rst_n || (bank_of[s] <= BankW'(NumBanks) && bank_of[s] != current));
    LemmaCovers_A: assert property (@(posedge clk_i) !rst_n || !known_q || !covers_at[s] ||
      (covers_at >> (s + 1)) != '0 || kept_at[s] == gold_q);
    for (genvar t = 0; t < s; t++) begin : gen_other
      logic apart;
      assign apart = base_q[s] - base_q[t] >= 30'(Words) && base_q[t] - base_q[s] >= 30'(Words);
      LemmaQueued_A: assert property (@(posedge clk_i) !rst_n || CountW'(s) >= waiting || queue[s] != queue[t]);
      LemmaBanks_A: assert property (@(posedge clk_i) !rst_n || bank_of[s] != bank_of[t]);
      LemmaFillApart_A: assert property (@(posedge clk_i) !rst_n || !filling || apart ||
        !((filled == SlotW'(s) && valid[t]) || (filled == SlotW'(t) && valid[s])));
      Disjoint_A: assert property (@(posedge clk_i) !rst_n || !(valid[s] && valid[t]) || apart);
    end
  end

  // The watched byte is in memory, or the youngest frame that covers it and has still to store it has its value.
  LemmaMemory_A: assert property (@(posedge clk_i) !rst_n || !known_q || covers != '0 || mem_q == gold_q);

  // ------------------------------------------------------------------ lemmas: registers, and the load of a frame
  logic        loading;
  logic [31:0] loaded;
  logic [NumBanks:0][31:0] watched_words, loaded_words;  // of each bank
  assign loading = !filling && (asked != '0 || hold == UserLoad);

  // The watched register, in cycles in which the read port does not show it because it checks a return; and the
  // register that is loaded with the watched word.
  for (genvar b = 0; b <= int'(NumBanks); b++) begin : gen_words
    assign watched_words[b] = u_regfile.gen_memory.gen_banks.gen_bank[b].regs[RowW'(frame_word(register_q, Whole))];
    assign loaded_words[b]  = u_regfile.gen_memory.gen_banks.gen_bank[b].regs[return_offset[RowW-1:0]];
  end
  logic [31:0] watched_other;
  assign watched_other = u_regfile.gen_memory.gen_banks.others[u_regfile.gen_memory.gen_banks.other_row(register_q)];
  always_comb begin
    loaded = loaded_words[current];
    if (return_offset == EpcWord) loaded = {regs.epc, 1'b0};
    if (return_offset == CauseWord) loaded = pack_mcause(regs.cause);
  end
  LemmaRegister_A: assert property (@(posedge clk_i) !rst_n || !value_known_q || register_q == 5'd2 ||
    value_q == (in_frame(register_q, RV32E, Whole) ? watched_words[current] : watched_other));

  LemmaLoading_A: assert property (@(posedge clk_i) !rst_n || filling || !(loading || got != '0 || fault_q) ||
    (emret_here && enable && !user && !u_pipeline.wb_valid_q && !u_pipeline.wb_mem_q &&
     !u_fastirq.gen_banks.u_banks.drain_valid));
  LemmaCount_A: assert property (@(posedge clk_i) !rst_n ||
    (asked <= 5'(Words) && !(asked == 5'(Words) && hold == UserLoad) && got <= asked &&
     (fault_q ? got < asked && (out != UserLoad || got + 5'd1 < asked)
                        : asked == got + 5'(out == UserLoad))));
  // The comparison of the last cycle still holds: a slot whose frame is at sp is the one that was found.
  logic [SlotW-1:0] top;
  logic             same, settled;
  assign top     = u_fastirq.gen_banks.u_banks.u_context.top_q;
  assign same    = u_fastirq.gen_banks.u_banks.same;
  assign settled = u_fastirq.gen_banks.u_banks.settled_q;
  LemmaSame_A: assert property (@(posedge clk_i) !rst_n || !settled || !same ||
    (top <= SlotW'(NumBanks - 1) && base_q[top] == sp[31:2]));
  for (genvar s = 0; s < int'(NumBanks); s++) begin : gen_found
    LemmaFound_A: assert property (@(posedge clk_i) !rst_n || !settled || base_q[s] != sp[31:2] ||
      !(valid[s] || (filling && filled == SlotW'(s))) || (same && top == SlotW'(s)));
    LemmaMiss_A: assert property (@(posedge clk_i) !rst_n || !loading || !(valid[s] && base_q[s] == sp[31:2]));
  end
  // Here no frame is user mode's (fastirq_formal).
  LemmaMachine_A: assert property (@(posedge clk_i) !rst_n || u_fastirq.gen_banks.u_banks.u_context.user_q == '0);
  LemmaComes_A: assert property (@(posedge clk_i)
    !(rst_n && !filling && known_q && return_here && out == UserLoad && place_at(return_offset) == got &&
      !fault_q) ||
    (frame_here_q && (frame_err_q || frame_byte_q == gold_q)));
  LemmaCame_A: assert property (@(posedge clk_i)
    !(rst_n && !filling && known_q && return_here && got > place_at(return_offset) && !fault_q) ||
    lane(loaded) == seen_at(return_offset));

endmodule
