// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq (docs/fastirq.md): saves the interrupted context behind the pipeline's back, and executes emret.
//
//   interrupt ──> tz_context: switch bank ──> drain ──┐
//                                                     ├── tz_frame_port ──> OBI
//   emret ──> bank holds the frame? switch : load ────┤
//   mframe ──> load it ahead of the emret ────────────┤
//   offer ──> fetch its table entry ──────────────────┘
//
// emret stays in EX until it is done: one cycle where the bank holds the frame, or where an interrupt is chained; else
// one for each word and one more. mcause and mepc are loaded first and go straight into the CSRs (where they are
// overwritten if the emret is given up for an interrupt), so that the question of a tail-chain can be put again in each
// cycle of the load.
//
// A write to mframe says which frame emret will leave soon. It is loaded in the background, in the same order, into the
// bank that emret switches back to: an emret that comes while this is under way waits for the rest, or chains. The load
// is given up when a store reaches the frame, when a word cannot be loaded, for an emret that leaves another frame, and
// for every trap; nothing waits for it, and emret does the same without it.
//
// The table entry of a vectored offer that is not taken at once is fetched ahead and kept until the offer is another
// one, a store reaches the entry, or fence.i. Where it has to wait for its turn on the port until the offer is taken, it
// is given up: the port belongs to the drain, for which the next interrupt may wait.
module tz_fastirq
  import tz_core_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter int unsigned NumBanks = 2,     // spare banks, 1 to 4
  localparam int unsigned BankW   = $clog2(NumBanks + 1)
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
  input  logic        chain_i,       // an interrupt qualifies against context_o
  output logic        done_o,        // it returns or chains in this cycle
  output logic        chained_o,
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
  input  logic        lsu_split_i,
  output logic        lsu_wait_o,
  input  logic        lsu_store_i,

  // Table entries fetched ahead
  input  logic        vector_want_i, // a vectored interrupt is offered
  input  logic [31:2] vector_addr_i, // address of its table entry
  input  logic        fence_i,       // fence.i
  output logic        vector_hit_o,
  output logic [31:1] vector_o,      // the handler's address

  // Fault of a drain
  output logic        store_fault_o, // stays on until it is taken
  input  logic        store_fault_taken_i,
  output logic [31:0] fault_addr_o   // of either fault
);

  localparam int unsigned Words = frame_words(RV32E);
  localparam logic [31:0] Bytes = 32'(frame_bytes(RV32E));
  localparam logic [4:0] CauseWord = 5'(Words - 1);
  localparam logic [4:0] EpcWord = 5'(Words - 2);

  // ---------------------------------------------------------------- banks
  logic             free, top_valid, top_drains, top_stored, pop, forget;
  logic             fill, filled, fill_cause, fill_epc;
  logic [BankW-1:0] top_bank;
  logic [31:2]      top_base;
  context_t         top, drain_context;
  logic             drain_valid, drain_left;
  logic [4:0]       drain_word;
  logic [31:2]      drain_addr;
  logic [31:0]      sp_enter;

  assign sp_enter = (user_i ? mscratch_i : sp_next_i) - Bytes;

  tz_context #(
    .RV32E   (RV32E),
    .NumBanks(NumBanks)
  ) u_context (
    .clk_i,
    .rst_ni,
    .bank_o,
    .free_o         (free),
    .enter_i,
    .base_i         (sp_enter[31:2]),
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
    .fill_data_i    (data_o),
    .filled_i       (filled),
    .drain_valid_o  (drain_valid),
    .drain_bank_o,
    .drain_word_o   (drain_word),
    .drain_addr_o   (drain_addr),
    .drain_context_o(drain_context),
    .drain_left_i   (drain_left),
    .lsu_addr_i,
    .lsu_split_i,
    .lsu_wait_o,
    .lsu_store_i
  );

  logic [31:0] drain_data;
  assign drain_word_o = drain_word[3:0];
  always_comb begin
    unique case (drain_word)
      CauseWord: drain_data = pack_mcause(drain_context.cause);
      EpcWord:   drain_data = {drain_context.epc, 1'b0};
      default:   drain_data = drain_data_i;
    endcase
  end

  // ---------------------------------------------------------------- port
  logic        load_valid, load_cancel, load_grant, load_done, load_fault, drain_fault, drain_busy;
  logic        vector_ask, vector_grant, vector_busy, vector_done, vector_fault;
  logic        free_q;     // a bank was free in the last cycle too: nobody has waited for one
  logic [4:0]  load_word;
  logic [31:2] load_addr;
  logic [31:2] vector_addr_q;
  logic [31:0] port_data, port_fault_addr;
  logic        hit;        // emret may switch back to the bank

  tz_frame_port u_port (
    .clk_i,
    .rst_ni,
    .req_o,
    .rsp_i,
    .drain_valid_i (drain_valid && !(hit && top_drains)),
    .drain_first_i (drain_word == '0),
    .drain_addr_i  (drain_addr),
    .drain_data_i  (drain_data),
    .drain_left_o  (drain_left),
    .drain_fault_o (drain_fault),
    .load_valid_i  (load_valid),
    .load_addr_i   (load_addr),
    .load_cancel_i (load_cancel),
    .load_grant_o  (load_grant),
    .load_done_o   (load_done),
    .load_fault_o  (load_fault),
    .vector_valid_i(vector_ask),
    .vector_last_i (!free || !free_q),
    .vector_addr_i (vector_addr_q),
    .vector_grant_o(vector_grant),
    .vector_busy_o (vector_busy),
    .vector_done_o (vector_done),
    .vector_fault_o(vector_fault),
    .drain_busy_o  (drain_busy),
    .data_o        (port_data),
    .fault_addr_o  (port_fault_addr)
  );
  assign data_o = port_data;

  // ---------------------------------------------------------------- load of a frame
  // By emret into the current bank, or in the background (`filling_q`) into the one left behind last. Words in the order
  // of loading: mcause, mepc, then the registers.
  logic [4:0] ask_d, ask_q, got_d, got_q;  // asked for, received
  logic       fault_d, fault_q;            // emret: a word could not be loaded
  logic       filling_d, filling_q;
  logic       at_top;                      // emret leaves the frame of the bank left behind last
  logic       known, loaded, return_now, to_user, drop;

  assign at_top = emret_i && !sp_busy_i && (top_base == sp_i[31:2]);
  assign fill   = hint_i && !drain_valid && !((top_valid || filling_q) && top_base == hint_base_i);
  assign drop   = filling_q && (fill || top_stored || load_fault || (emret_i && !sp_busy_i && !at_top));
  assign filled = filling_q && load_done && (got_q == 5'(Words - 1)) && !load_cancel;

  // A load has nothing to wait for: what is to leave has left, and a table entry goes before what is loaded ahead.
  assign load_word   = (ask_q == 5'd0) ? CauseWord : (ask_q == 5'd1) ? EpcWord : ask_q - 5'd2;
  assign load_addr   = (filling_q ? top_base : sp_i[31:2]) + 30'(load_word);
  assign load_valid  = !fault_q && (ask_q != 5'(Words)) &&
                       (filling_q ? !vector_ask
                                  : emret_i && !preempt_i && !hit && !sp_busy_i && !drain_valid && !done_o);
  assign load_cancel = kill_i || done_o || drop;

  always_comb begin
    ask_d     = ask_q + 5'(load_grant);
    got_d     = got_q + 5'(load_done);
    fault_d   = fault_q || load_fault;
    filling_d = filling_q;
    if (load_cancel || filled || fill) begin
      ask_d     = '0;
      got_d     = '0;
      fault_d   = 1'b0;
      filling_d = fill;
    end
  end
  assign load_fault_o = fault_q;
  assign load_cause_o = !filling_q && load_done && (got_q == 5'd0);
  assign load_epc_o   = !filling_q && load_done && (got_q == 5'd1);
  assign fill_cause   = filling_q && load_done && (got_q == 5'd0);
  assign fill_epc     = filling_q && load_done && (got_q == 5'd1);

  // ---------------------------------------------------------------- emret
  assign hit       = at_top && top_valid && (ask_q == '0);
  assign loaded    = !filling_q && (got_q == 5'(Words));
  assign known     = emret_i && (hit || (got_q >= 5'd2 && (!filling_q || (at_top && !top_stored))));
  // As if emret could proceed, which is known late: nothing is done with it otherwise.
  assign context_o = ((top_valid && top_base == sp_i[31:2] && ask_q == '0) || filling_q) ? top : csr_context_i;

  // The drain of the bank that is to be switched back to is seen through where its word is on the bus. No other one of
  // it begins meanwhile.
  assign chained_o  = known && chain_i;
  assign return_now = emret_i && !preempt_i && !chained_o && ((hit && !(top_drains && drain_busy)) || loaded);
  assign done_o     = chained_o || return_now;
  assign pop        = return_now && hit;
  assign forget     = return_now && !hit;

  // ---------------------------------------------------------------- register file
  // ra of the fresh bank is written in the cycle behind an entry or a chain; nothing else writes then, but the handler's
  // first instruction may read it. It is the first word of a frame.
  logic link_q;
  assign fill_we_o   = link_q || (load_done && got_q >= 5'd2);
  assign fill_bank_o = filling_q ? top_bank : bank_o;
  assign fill_word_o = link_q ? 4'd0 : 4'(got_q - 5'd2);
  assign link_o      = link_q;
  assign fill_data_o = link_q ? {link_i, 2'b00} : port_data;

  logic [31:0] sp_raised;
  assign sp_raised     = sp_i + Bytes;
  assign to_user       = (context_o.cause.mpp != PrivM);
  assign sp_set_o      = enter_i || return_now;
  assign sp_o          = enter_i ? sp_enter : to_user ? mscratch_i : sp_raised;
  assign mscratch_we_o = (enter_i && user_i) || (return_now && to_user);
  assign mscratch_o    = enter_i ? sp_next_i : sp_raised;

  assign ready_o = free;

  // ---------------------------------------------------------------- table entries
  typedef enum logic [1:0] {
    VectorNone,   // nothing is known
    VectorAsk,    // to be fetched
    VectorComes,  // under way
    VectorKnown   // fetched; useless if it could not be
  } vector_e;
  vector_e     vector_d, vector_q;
  logic [31:1] vector_data_q;
  logic        useful_d, useful_q;   // nothing has happened to the entry, and it could be fetched
  logic        same, touched;

  assign same         = (vector_addr_i == vector_addr_q);
  assign touched      = fence_i || (lsu_store_i && lsu_addr_i == vector_addr_q);
  assign vector_ask   = (vector_q == VectorAsk);
  assign vector_hit_o = (vector_q == VectorKnown) && useful_q && same && !touched;
  assign vector_o     = vector_data_q;

  always_comb begin
    vector_d = vector_q;
    useful_d = useful_q && !touched;
    unique case (vector_q)
      VectorAsk: begin
        if (vector_grant) vector_d = VectorComes;
        else if (!vector_busy && (enter_i || done_o)) vector_d = VectorNone;  // the handler fetches it itself
      end
      VectorComes: if (vector_done) begin
        vector_d = VectorKnown;
        if (vector_fault) useful_d = 1'b0;
      end
      default: if (vector_want_i && !enter_i && !done_o && (vector_q == VectorNone || !same)) begin
        vector_d = VectorAsk;
        useful_d = 1'b1;
      end
    endcase
    // What was spoilt, other than by its fault, is fetched again if it is still wanted.
    if (vector_q == VectorKnown && touched) vector_d = VectorNone;
    if (vector_q == VectorComes && vector_done && !useful_q) vector_d = VectorNone;
  end

  // ---------------------------------------------------------------- fault of a drain
  logic        store_fault_d, store_fault_q;
  logic [31:0] fault_addr_q;
  assign store_fault_d = drain_fault || (store_fault_q && !store_fault_taken_i);
  assign store_fault_o = store_fault_q;
  assign fault_addr_o  = fault_addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q         <= '0;
      got_q         <= '0;
      fault_q       <= 1'b0;
      filling_q     <= 1'b0;
      link_q        <= 1'b0;
      free_q        <= 1'b0;
      vector_q      <= VectorNone;
      useful_q      <= 1'b0;
      store_fault_q <= 1'b0;
    end else begin
      ask_q         <= ask_d;
      got_q         <= got_d;
      fault_q       <= fault_d;
      filling_q     <= filling_d;
      link_q        <= enter_i || chained_o;
      free_q        <= free;
      vector_q      <= vector_d;
      useful_q      <= useful_d;
      store_fault_q <= store_fault_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (vector_d == VectorAsk && vector_q != VectorAsk) vector_addr_q <= vector_addr_i;
    if (vector_done) vector_data_q <= port_data[31:1];
    if ((drain_fault && (!store_fault_q || store_fault_taken_i)) || (load_fault && !filling_q)) begin
      fault_addr_q <= port_fault_addr;
    end
  end

  logic unused;
  assign unused = ^{sp_i[1:0], drain_word[4]};

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(enter_i && !ready_o));
  assert property (@(posedge clk_i) !(link_q && (load_done || filling_q)));
  assert property (@(posedge clk_i) !(filling_q && drain_valid));
`endif

endmodule
