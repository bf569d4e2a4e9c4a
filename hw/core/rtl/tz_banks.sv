// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq with spare banks of the caller-saved registers: an interrupt switches to the next one, and what it leaves
// drains (tz_context). emret switches back where the bank still holds the frame; else it loads the frame into the
// current bank.
//
// emret takes one cycle where the bank holds the frame, or where an interrupt is chained; else one for each word and one
// more. mcause and mepc are loaded first and go straight into the CSRs (where they are overwritten if the emret is given
// up for an interrupt), so that the question of a tail-chain can be put again in each cycle of the load.
//
// A write to mframe says which frame emret will leave soon. It is loaded in the background, in the same order, into the
// bank that emret switches back to: an emret that comes while this is under way waits for the rest, or chains. The load
// is given up when a store reaches the frame, when a word cannot be loaded, for an emret that leaves another frame, and
// for every trap; nothing waits for it, and emret does the same without it.
//
// tz_in_place is the same without spare banks; the ports are explained here.
module tz_banks
  import tz_core_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter int unsigned NumBanks = 2,     // spare banks, 1 to 4
  localparam int unsigned BankW   = $clog2(NumBanks + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Entry of an interrupt
  output logic        free_o,        // it may enter
  input  logic        enter_i,
  input  logic [31:2] base_i,        // of its frame
  input  context_t    context_i,     // what it leaves
  input  logic        kill_i,        // EX is emptied by a trap

  // emret in EX
  input  logic        emret_i,       // it may proceed in this cycle ...
  input  logic        preempt_i,     // ... but only to chain
  input  logic [31:2] sp_i,
  input  logic [31:2] sp_next_i,     // with what is written in this cycle
  input  logic        sp_busy_i,     // which sp is
  input  logic        sp_set_i,      // sp changes by an entry or a return
  input  context_t    csr_context_i, // mepc and mcause
  output context_t    context_o,     // of the frame it leaves
  output logic [7:0]  level_o,       // mpil of the frame that a bank holds
  input  logic        chain_i,       // an interrupt qualifies against that ...
  input  logic        csr_chain_i,   // ... or against the mcause that has been loaded
  output logic        chains_o,      // what it does if it may proceed, known before that: takes the interrupt ...
  output logic        returns_o,     // ... else returns, unless it is preempted
  output logic        chained_o,
  output logic        return_o,
  output logic        load_fault_o,  // stays on until kill_i
  output logic        load_cause_o,  // load_data_i is mcause, to be written to the CSR
  output logic        load_epc_o,    // or mepc

  // A frame to be loaded ahead
  input  logic        hint_i,
  input  logic [31:2] hint_base_i,

  // Register file
  output logic [BankW-1:0] bank_o,       // the current one
  output logic        fill_we_o,         // load_data_i is a register
  output logic [BankW-1:0] fill_bank_o,
  output logic [3:0]  fill_word_o,
  output logic [BankW-1:0] drain_bank_o,

  // tz_frame_port: words that leave
  output logic        drain_valid_o,
  output logic        drain_first_o,     // the first one of a frame
  output logic [4:0]  drain_word_o,
  output logic [31:2] drain_addr_o,
  output context_t    drain_context_o,
  input  logic        drain_left_i,
  input  logic        drain_busy_i,

  // and words that are loaded
  output logic        load_valid_o,
  output logic [31:2] load_addr_o,
  output logic        load_cancel_o,
  input  logic        load_grant_i,
  input  logic        load_done_i,
  input  logic        load_fault_i,
  input  logic [31:0] load_data_i,
  input  logic        vector_ask_i,      // the port has a table entry to fetch

  // Load-store unit
  input  logic [31:2] lsu_addr_i,
  input  logic [1:0][6:0] lsu_terms_i,
  input  logic        lsu_split_i,
  output logic        lsu_wait_o,
  output logic        lsu_wait_here_o,
  input  logic        lsu_store_i
);

  localparam int unsigned Words = frame_words(RV32E);
  localparam logic [4:0] CauseWord = 5'(Words - 1);
  localparam logic [4:0] EpcWord = 5'(Words - 2);

  logic             top_valid, top_drains, top_stored, pop, forget;
  logic             fill, filled, fill_cause, fill_epc;
  logic [BankW-1:0] top_bank;
  logic [31:2]      top_base;
  context_t         top;
  logic             drain_valid;

  tz_context #(
    .RV32E   (RV32E),
    .NumBanks(NumBanks)
  ) u_context (
    .clk_i,
    .rst_ni,
    .bank_o,
    .free_o,
    .enter_i,
    .base_i,
    .context_i,
    .top_valid_o    (top_valid),
    .top_base_o     (top_base),
    .top_o          (top),
    .top_drains_o   (top_drains),
    .top_bank_o     (top_bank),
    .top_stored_o   (top_stored),
    .pop_i          (pop),
    .forget_i       (forget),
    .fill_i         (fill),
    .fill_base_i    (hint_base_i),
    .fill_cause_i   (fill_cause),
    .fill_epc_i     (fill_epc),
    .fill_data_i    (load_data_i),
    .filled_i       (filled),
    .drain_valid_o  (drain_valid),
    .drain_bank_o,
    .drain_word_o,
    .drain_addr_o,
    .drain_context_o,
    .drain_left_i,
    .lsu_addr_i,
    .lsu_terms_i,
    .lsu_split_i,
    .lsu_wait_o,
    .lsu_wait_here_o,
    .lsu_store_i
  );

  // ---------------------------------------------------------------- load of a frame
  // By emret into the current bank, or in the background (`filling_q`) into the one left behind last. Words in the order
  // of loading: mcause, mepc, then the registers.
  logic [4:0] load_word;
  logic [4:0] ask_d, ask_q, got_d, got_q;  // asked for, received
  logic       fault_d, fault_q;            // emret: a word could not be loaded
  logic       filling_d, filling_q;
  logic       hits;                        // if emret may proceed it may switch back to the bank left behind last
  logic       hit;                         // it may
  logic       loaded, drop;

  // The comparison is that of the last cycle, which would be the longest path of the core, with what sp has become by
  // then. It does not hold in the cycle behind a change of the base, in which emret waits; behind an entry or a return
  // there is none.
  logic        same_q, settled_d, settled_q;
  assign settled_d = !sp_set_i && !fill;
  assign fill   = hint_i && !drain_valid && !((top_valid || filling_q) && top_base == hint_base_i);
  assign drop   = filling_q && (fill || top_stored || load_fault_i || (emret_i && !sp_busy_i && settled_q && !same_q));
  assign filled = filling_q && load_done_i && (got_q == 5'(Words - 1)) && !load_cancel_o;

  // A load has nothing to wait for: what is to leave has left, and a table entry goes before what is loaded ahead.
  assign load_word     = (ask_q == 5'd0) ? CauseWord : (ask_q == 5'd1) ? EpcWord : ask_q - 5'd2;
  assign load_addr_o   = (filling_q ? top_base : sp_i) + 30'(load_word);
  assign load_valid_o  = !fault_q && (ask_q != 5'(Words)) &&
                         (filling_q ? !vector_ask_i
                                    : emret_i && !preempt_i && settled_q && !hits &&
                                      !sp_busy_i && !drain_valid && !chains_o);
  assign load_cancel_o = kill_i || chained_o || return_o || drop;

  always_comb begin
    ask_d     = ask_q + 5'(load_grant_i);
    got_d     = got_q + 5'(load_done_i);
    fault_d   = fault_q || load_fault_i;
    filling_d = filling_q;
    if (load_cancel_o || filled || fill) begin
      ask_d     = '0;
      got_d     = '0;
      fault_d   = 1'b0;
      filling_d = fill;
    end
  end
  assign load_fault_o = fault_q;
  assign load_cause_o = !filling_q && load_done_i && (got_q == 5'd0);
  assign load_epc_o   = !filling_q && load_done_i && (got_q == 5'd1);
  assign fill_cause   = filling_q && load_done_i && (got_q == 5'd0);
  assign fill_epc     = filling_q && load_done_i && (got_q == 5'd1);
  assign fill_we_o    = load_done_i && got_q >= 5'd2;
  assign fill_bank_o  = filling_q ? top_bank : bank_o;
  assign fill_word_o  = 4'(got_q - 5'd2);

  // ---------------------------------------------------------------- emret
  // What it would do is found out beside the question whether it may.
  logic fills;
  assign hits      = settled_q && same_q && top_valid && (ask_q == '0);
  assign hit       = emret_i && !sp_busy_i && hits;
  assign loaded    = !filling_q && (got_q == 5'(Words));
  assign fills     = filling_q && settled_q && same_q && !top_stored && (got_q >= 5'd2);
  assign chains_o  = !sp_busy_i && (((hits || fills) && chain_i) || (!filling_q && (got_q >= 5'd2) && csr_chain_i));
  assign returns_o = !sp_busy_i && ((hits && !(top_drains && drain_busy_i)) || loaded);
  // Chosen as if emret could proceed: where it cannot, nobody looks.
  assign context_o = (filling_q || got_q < 5'd2) ? top : csr_context_i;
  assign level_o   = top.cause.mpil;

  // The drain of the bank that is to be switched back to is seen through where its word is on the bus. No other one of
  // it begins meanwhile.
  assign drain_valid_o = drain_valid && !(hit && top_drains);
  assign drain_first_o = (drain_word_o == '0);
  assign chained_o     = emret_i && chains_o;
  assign return_o      = emret_i && !preempt_i && !chains_o && returns_o;
  assign pop           = return_o && hit;
  assign forget        = return_o && !hit;

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

  always_ff @(posedge clk_i) same_q <= (top_base == sp_next_i);

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(filling_q && drain_valid));
`endif

endmodule
