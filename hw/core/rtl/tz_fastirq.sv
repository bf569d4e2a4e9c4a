// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq (docs/fastirq.md): saves the interrupted context behind the pipeline's back, and executes emret.
//
//   interrupt ──> tz_banks or tz_in_place: what leaves, what is left ──┐
//   emret ──────> the same: is it all here? return : load ─────────────┼── tz_frame_port ──> OBI
//   mframe ─────> tz_banks: load it ahead of the emret ────────────────┤
//   offer ──────> tz_vector_ahead: fetch its table entry ──────────────┘
//
// What is in memory, and what is where in the register file, is the business of tz_banks (spare banks) or tz_in_place
// (none). What could not be stored, tz_frame_faults remembers. Here: the port, sp, mscratch, ra of a fresh bank.
module tz_fastirq
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter int unsigned NumBanks = 2,     // spare banks, 0 to 4
  localparam int unsigned BankW   = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i,

  input  logic [31:2] link_i,

  // Register file
  output logic [BankW-1:0] bank_o,
  output logic        sp_set_o,
  output logic [31:0] sp_o,
  input  logic [31:0] sp_i,          // without ...
  input  logic [31:0] sp_next_i,     // ... and with what is written in this cycle
  output logic [BankW-1:0] drain_bank_o,
  output logic [3:0]  drain_word_o,
  input  logic [31:0] drain_data_i,
  output logic        fill_we_o,     // one register of any bank
  output logic [BankW-1:0] fill_bank_o,
  output logic [3:0]  fill_word_o,
  output logic [31:0] fill_data_o,
  output logic        link_o,        // that is ra of a fresh bank; fill_data_o is valid for reads, too
  input  logic        write_i,       // the pipeline writes a register
  input  logic [4:0]  write_reg_i,
  input  logic        ex_write_i,    // the instruction in EX will write one
  input  logic [4:0]  ex_reg_i,
  output logic        ex_wait_o,     // it stays in EX; if it is a load it does not begin

  // Entry of an interrupt
  output logic        ready_o,       // it may enter: a bank is free
  input  logic        enter_i,
  input  logic        user_i,        // from user mode
  input  context_t    context_i,     // what it leaves
  input  logic        kill_i,        // EX is emptied by a trap

  // emret in EX
  input  logic        emret_i,       // it may proceed in this cycle ...
  input  logic        preempt_i,     // ... but only to chain: an interrupt is taken otherwise
  input  logic        sp_busy_i,     // sp is being written in this cycle
  input  context_t    csr_context_i, // mepc and mcause
  output context_t    context_o,     // of the frame it leaves
  output logic [7:0]  level_o,       // mpil of the frame that is here ...
  input  logic        chain_i,       // an interrupt qualifies against that
  input  logic        csr_chain_i,   // ... or against mcause
  output logic        done_o,        // it returns or chains in this cycle
  output logic        chained_o,
  output logic        chains_o,      // what it does if it may proceed, known before that: takes the interrupt ...
  output logic        returns_o,     // ... else returns, unless it is preempted
  output logic        load_fault_o,  // stays on until kill_i
  output logic        load_cause_o,  // data_o is mcause, to be written to the CSR
  output logic        load_epc_o,    // or mepc
  output logic [31:0] data_o,

  // A frame to be loaded ahead
  input  logic        hint_i,
  input  logic [31:2] hint_base_i,

  // mscratch, which changes places with sp from and to user mode
  input  logic [31:0] mscratch_i,
  output logic        mscratch_we_o,
  output logic [31:0] mscratch_o,

  // Load-store unit
  input  logic [31:2] lsu_addr_i,
  input  logic [1:0][6:0] lsu_terms_i, // whose lowest bits are the sum of these
  input  logic        lsu_split_i,
  output logic        lsu_wait_o,    // it waits ...
  output logic        lsu_wait_here_o, // ... for the word at lsu_addr_i
  input  logic        lsu_store_i,
  input  logic        lsu_committed_i,

  // Table entries fetched ahead
  input  logic        vector_want_i, // a vectored interrupt is offered
  input  logic [31:2] vector_addr_i, // address of its table entry
  input  logic        fence_i,       // fence.i
  output logic        vector_hit_o,
  output logic [31:1] vector_o,      // the handler's address

  // Frames that could not be stored
  output logic        store_fault_o, // one of them, or more: until it is taken
  input  logic        store_fault_taken_i,
  output logic [31:0] fault_addr_o   // of the one that is next, or of what could not be loaded
);

  localparam logic [31:0] Bytes = 32'(frame_bytes(RV32E));
  localparam logic [4:0] CauseWord = 5'(frame_words(RV32E) - 1);
  localparam logic [4:0] EpcWord = 5'(frame_words(RV32E) - 2);

  // ---------------------------------------------------------------- contexts
  logic        free, free_q, return_now, saver_fill_we, link_q;
  logic [3:0]  saver_fill_word;
  context_t    drain_context;
  logic        drain_valid, drain_first, drain_left, drain_busy, drain_fault;
  logic [4:0]  drain_word;
  logic [31:2] drain_addr;
  logic        load_valid, load_cancel, load_grant, load_busy, load_done, load_fault;
  logic [31:2] load_addr;
  logic [31:0] drain_data, bus_data;   // of drain_word; of the word on the bus
  logic        vector_ask;
  logic [31:0] sp_enter;

  assign sp_enter = (user_i ? mscratch_i : sp_next_i) - Bytes;

  if (NumBanks > 0) begin : gen_banks
    tz_banks #(
      .RV32E   (RV32E),
      .NumBanks(NumBanks)
    ) u_banks (
      .clk_i,
      .rst_ni,
      .free_o         (free),
      .enter_i,
      .base_i         (sp_enter[31:2]),
      .context_i,
      .kill_i,
      .emret_i,
      .preempt_i,
      .sp_i           (sp_i[31:2]),
      .sp_next_i      (sp_next_i[31:2]),
      .sp_busy_i,
      .sp_set_i       (sp_set_o),
      .csr_context_i,
      .context_o,
      .level_o,
      .chain_i,
      .csr_chain_i,
      .chained_o,
      .return_o       (return_now),
      .chains_o,
      .returns_o,
      .load_fault_o,
      .load_cause_o,
      .load_epc_o,
      .hint_i,
      .hint_base_i,
      .bank_o,
      .fill_we_o      (saver_fill_we),
      .fill_bank_o,
      .fill_word_o    (saver_fill_word),
      .drain_bank_o,
      .drain_valid_o  (drain_valid),
      .drain_first_o  (drain_first),
      .drain_word_o   (drain_word),
      .drain_addr_o   (drain_addr),
      .drain_context_o(drain_context),
      .drain_left_i   (drain_left),
      .drain_busy_i   (drain_busy),
      .load_valid_o   (load_valid),
      .load_addr_o    (load_addr),
      .load_cancel_o  (load_cancel),
      .load_grant_i   (load_grant),
      .load_done_i    (load_done),
      .load_fault_i   (load_fault),
      .load_data_i    (data_o),
      .vector_ask_i   (vector_ask),
      .lsu_addr_i,
      .lsu_terms_i,
      .lsu_split_i,
      .lsu_wait_o,
      .lsu_wait_here_o,
      .lsu_store_i
    );
    assign ex_wait_o = 1'b0;
    assign bus_data  = drain_data;
    logic unused;
    assign unused = ^{write_i, write_reg_i, ex_write_i, ex_reg_i, load_busy};
  end else begin : gen_in_place
    tz_in_place #(
      .RV32E(RV32E)
    ) u_in_place (
      .clk_i,
      .rst_ni,
      .free_o         (free),
      .enter_i,
      .base_i         (sp_enter[31:2]),
      .context_i,
      .kill_i,
      .emret_i,
      .preempt_i,
      .sp_i           (sp_i[31:2]),
      .sp_next_i      (sp_next_i[31:2]),
      .sp_busy_i,
      .sp_set_i       (sp_set_o),
      .context_o,
      .chain_i,
      .chained_o,
      .return_o       (return_now),
      .chains_o,
      .returns_o,
      .load_fault_o,
      .write_i,
      .write_reg_i,
      .ex_write_i,
      .ex_reg_i,
      .ex_wait_o,
      .fill_we_o      (saver_fill_we),
      .fill_word_o    (saver_fill_word),
      .drain_valid_o  (drain_valid),
      .drain_first_o  (drain_first),
      .drain_word_o   (drain_word),
      .drain_context_o(drain_context),
      .drain_data_i   (drain_data),
      .drain_addr_o   (drain_addr),
      .drain_data_o   (bus_data),
      .drain_left_i   (drain_left),
      .load_valid_o   (load_valid),
      .load_addr_o    (load_addr),
      .load_cancel_o  (load_cancel),
      .load_grant_i   (load_grant),
      .load_busy_i    (load_busy),
      .load_done_i    (load_done),
      .load_fault_i   (load_fault),
      .load_data_i    (data_o),
      .lsu_addr_i,
      .lsu_terms_i,
      .lsu_split_i,
      .lsu_wait_o,
      .lsu_wait_here_o,
      .lsu_store_i
    );
    assign bank_o       = '0;
    assign fill_bank_o  = '0;
    assign drain_bank_o = '0;
    assign level_o      = context_o.cause.mpil;
    assign {load_cause_o, load_epc_o} = '0;  // they are read from context_o
    logic unused;
    assign unused = ^{csr_context_i, csr_chain_i, hint_i, hint_base_i, drain_busy, vector_ask};
  end
  assign ready_o = free;
  assign done_o  = chained_o || return_now;

  assign drain_word_o = drain_word[3:0];
  always_comb begin
    unique case (drain_word)
      CauseWord: drain_data = pack_mcause(drain_context.cause);
      EpcWord:   drain_data = {drain_context.epc, 1'b0};
      default:   drain_data = drain_data_i;
    endcase
  end

  // ---------------------------------------------------------------- table entries
  logic        vector_grant, vector_busy, vector_done, vector_fault;
  logic [31:2] vector_addr;
  tz_vector_ahead u_vector (
    .clk_i,
    .rst_ni,
    .want_i      (vector_want_i),
    .addr_i      (vector_addr_i),
    .taken_i     (enter_i || done_o),
    .fence_i,
    .store_i     (lsu_store_i),
    .store_addr_i(lsu_addr_i),
    .committed_i (lsu_committed_i),
    .hit_o       (vector_hit_o),
    .vector_o,
    .ask_o       (vector_ask),
    .ask_addr_o  (vector_addr),
    .grant_i     (vector_grant),
    .busy_i      (vector_busy),
    .done_i      (vector_done),
    .fault_i     (vector_fault),
    .data_i      (data_o)
  );

  // ---------------------------------------------------------------- port
  // free_q: a bank was free in the last cycle too, so that nobody has waited for one.
  logic [31:2] port_fault_addr;
  tz_frame_port u_port (
    .clk_i,
    .rst_ni,
    .req_o,
    .rsp_i,
    .drain_valid_i (drain_valid),
    .drain_first_i (drain_first),
    .drain_addr_i  (drain_addr),
    .drain_data_i  (bus_data),
    .drain_left_o  (drain_left),
    .drain_fault_o (drain_fault),
    .load_valid_i  (load_valid),
    .load_addr_i   (load_addr),
    .load_cancel_i (load_cancel),
    .load_grant_o  (load_grant),
    .load_busy_o   (load_busy),
    .load_done_o   (load_done),
    .load_fault_o  (load_fault),
    .vector_valid_i(vector_ask),
    .vector_last_i (!free || !free_q),
    .vector_addr_i (vector_addr),
    .vector_grant_o(vector_grant),
    .vector_busy_o (vector_busy),
    .vector_done_o (vector_done),
    .vector_fault_o(vector_fault),
    .drain_busy_o  (drain_busy),
    .data_o        (data_o),
    .fault_addr_o  (port_fault_addr)
  );

  // ---------------------------------------------------------------- register file
  // ra of the fresh bank is written in the cycle behind an entry or a chain; nothing else writes then, but the handler's
  // first instruction may read it. It is the first word of a frame. (Without spare banks the old one leaves in that cycle.)
  assign link_o      = link_q;
  assign fill_we_o   = link_q || saver_fill_we;
  assign fill_word_o = link_q ? 4'd0 : saver_fill_word;
  assign fill_data_o = link_q ? {link_i, 2'b00} : data_o;

  logic [31:0] sp_raised;
  logic        to_user;
  assign sp_raised     = sp_i + Bytes;
  assign to_user       = (context_o.cause.mpp != PrivM);
  assign sp_set_o      = enter_i || return_now;
  assign sp_o          = enter_i ? sp_enter : to_user ? mscratch_i : sp_raised;
  assign mscratch_we_o = (enter_i && user_i) || (return_now && to_user);
  assign mscratch_o    = enter_i ? sp_next_i : sp_raised;

  // ---------------------------------------------------------------- faults
  // What cannot be loaded ahead is no fault.
  logic [31:2] fault_addr;
  tz_frame_faults #(
    .Depth(((NumBanks > 0) ? NumBanks : 1) + 1)
  ) u_faults (
    .clk_i,
    .rst_ni,
    .drain_fault_i(drain_fault),
    .load_fault_i (load_fault && emret_i),
    .addr_i       (port_fault_addr),
    .due_o        (store_fault_o),
    .taken_i      (store_fault_taken_i),
    .addr_o       (fault_addr)
  );
  assign fault_addr_o = {fault_addr, 2'b00};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      link_q <= 1'b0;
      free_q <= 1'b0;
    end else begin
      link_q <= enter_i || chained_o;
      free_q <= free;
    end
  end

  logic unused;
  assign unused = ^{sp_i[1:0], drain_word[4]};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !ready_o));
  assert property (@(posedge clk_i) !(link_q && saver_fill_we));
  assert property (@(posedge clk_i) 5'((lsu_terms_i[0] + lsu_terms_i[1]) >> 2) == lsu_addr_i[6:2]);
`endif

endmodule
