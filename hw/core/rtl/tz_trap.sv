// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Trap unit: everything that changes the privilege mode, mepc and mcause other than by a CSR write.
//
//   interrupt port ──> tz_irq_clint or tz_irq_clic ──> irq ─┐
//   pipeline: what is in IF, EX, WB ────────────────────────┴─> tz_trap_select ──> trap ──> next state of the CSRs,
//   fastirq: emret, frames that could not be stored ────────────────────┘                  address of the handler
//
// The registers are those of tz_csr; this unit says what they become in each cycle. Entries, returns and vectors:
// Privileged Architecture 1.12, 3.1; Fast Interrupts v0.10 with the CLIC; docs/fastirq.md for emret.
module tz_trap
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  pipe_to_trap_t pipe_i /*verilator split_var*/,
  output trap_to_pipe_t pipe_o /*verilator split_var*/,
  input  csr_to_trap_t  csr_i /*verilator split_var*/,
  output trap_to_csr_t  csr_o /*verilator split_var*/,
  input  fast_to_trap_t fast_i /*verilator split_var*/,
  output fast_from_trap_t fast_o /*verilator split_var*/,

  input  irq_pkg::clint_pending_t irq_pending_i,  // CLINT scheme
  input  irq_pkg::clic_offer_t    irq_offer_i,    // CLIC scheme
  output irq_pkg::clic_claim_t    irq_claim_o
);

  localparam bit Clic = (Cfg.IrqScheme == irq_pkg::IrqClic);
  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);

  trap_csrs_t   now /*verilator split_var*/, next /*verilator split_var*/;
  trap_choice_t choice /*verilator split_var*/;
  trap_t        trap /*verilator split_var*/;
  irq_t         irq;
  logic [31:2]  entry;
  logic         emret, emret_legal, nxti, chain, chain_regs, hold_d, hold_q;
  assign now  = csr_i.now;
  assign trap = choice.trap;

  // ---------------------------------------------------------------- which trap
  tz_trap_select #(
    .Fast(Fast)
  ) u_select (
    .pipe_i,
    .priv_i        (now.priv),
    .timeout_wait_i(csr_i.timeout_wait),
    .emret_legal_i (emret_legal),
    .irq_take_i    (irq.take),
    .irq_id_i      (irq.id),
    .irq_ready_i   (fast_i.ready || !csr_i.fast),
    .chained_i     (fast_i.chain),
    .load_fault_i  (fast_i.load_fault),
    .frame_fault_i (fast_i.store_fault),
    .frame_hold_i  (hold_q && !now.mie),
    .fault_addr_i  (fast_i.fault_addr),
    .choice_o      (choice)
  );

  // Whether an emret may proceed: it raises no exception, which is said without the legality of CSR instructions.
  assign emret_legal = csr_i.fast && (now.priv == PrivM);
  assign emret       = pipe_i.ex_valid && (pipe_i.ex_kind == KindEmret) && !pipe_i.ex_fault && emret_legal &&
                       !fast_i.load_fault && !pipe_i.wb_fault && !fast_i.store_fault;

  // ---------------------------------------------------------------- interrupts
  logic [31:0] target;
  if (Clic) begin : gen_clic
    tz_irq_clic #(
      .NumSources(Cfg.NumIrqSources)
    ) u_irq (
      .offer_i      (irq_offer_i),
      .csrs_i       (now),
      .mtvt_i       (csr_i.mtvt),
      .irq_o        (irq),
      .entry_o      (entry),
      .nxti_level_i (csr_i.nxti_level),
      .nxti_o       (nxti),
      .frame_level_i(fast_i.level),
      .chain_o      (chain),
      .chain_regs_o (chain_regs)
    );
    // A vectored interrupt clears its pending bit as it is taken, the others when xnxti hands them out.
    assign irq_claim_o.valid = (trap.valid && trap.irq) || csr_i.nxti_claims || fast_i.chain;
    assign irq_claim_o.clear = irq.shv || csr_i.nxti_claims;
    // Beside an emret that returns, the target does not matter.
    assign target = ((choice.irq_aim || emret) && irq.shv) ? {entry, 2'b00} : {csr_i.mtvec[31:6], 6'b0};
    logic unused_clint;
    assign unused_clint = ^{irq_pending_i, csr_i.mie, csr_i.mtvec_vectored};
  end else begin : gen_clint
    tz_irq_clint u_irq (
      .pending_i(irq_pending_i),
      .enable_i (csr_i.mie),
      .global_i (now.mie || (now.priv == PrivU)),
      .irq_o    (irq)
    );
    assign irq_claim_o = '0;
    assign {entry, nxti, chain, chain_regs} = '0;
    assign target = {csr_i.mtvec[31:7],
                     (csr_i.mtvec_vectored && trap.irq) ? trap.code[4:0] : csr_i.mtvec[6:2], 2'b00};
    logic unused_clic;
    assign unused_clic = ^{irq_offer_i, csr_i.mtvt, csr_i.nxti_level};
  end

  // ---------------------------------------------------------------- the CSRs
  logic       return_emret;
  logic [1:0] return_mpp;
  mcause_t    frame_cause;  // software may have written it in memory
  assign frame_cause  = fast_i.done ? fast_i.frame.cause : unpack_mcause(fast_i.load_data);
  assign return_emret = Fast && fast_i.done && !fast_i.chain;
  assign return_mpp   = return_emret ? fast_i.frame.cause.mpp : now.regs.cause.mpp;

  always_comb begin
    next = csr_i.written;

    if (Clic && csr_i.nxti_claims) begin
      next.regs.cause.irq  = 1'b1;
      next.regs.cause.code = irq.id;
    end

    // emret first reads mepc and mcause from the frame, ...
    if (Fast && (fast_i.done || fast_i.load_epc)) begin
      next.regs.epc = fast_i.done ? fast_i.frame.epc : fast_i.load_data[31:1];
    end
    if (Fast && (fast_i.done || fast_i.load_cause)) next.regs.cause = frame_cause;
    // ... then takes the next interrupt or returns.
    if (Fast && fast_i.chain) begin
      next.regs.cause.irq   = 1'b1;
      next.regs.cause.code  = irq.id;
      next.regs.cause.minhv = 1'b0;
      next.mie              = csr_i.fast_nest && irq.shv;
    end

    if (pipe_i.mret || return_emret) begin
      next.priv            = return_mpp;
      next.mie             = return_emret ? fast_i.frame.cause.mpie : now.regs.cause.mpie;
      next.regs.cause.mpie = 1'b1;
      next.regs.cause.mpp  = PrivU;
      next.mil             = return_emret ? fast_i.frame.cause.mpil : now.regs.cause.mpil;
      if (return_mpp != PrivM) begin
        next.mprv       = 1'b0;
        next.mintthresh = '0;  // no threshold is left behind in M mode
      end
    end

    if (trap.valid) begin
      next.priv       = PrivM;
      next.mie        = Fast && trap.irq && irq.shv && csr_i.fast_nest;
      next.regs.epc   = trap.epc[31:1];
      next.regs.cause = '{irq: trap.irq, minhv: trap.minhv, mpp: now.priv, mpie: now.mie, mpil: now.mil,
                          code: trap.code};
      next.mtval      = trap.tval;
      if (!trap.irq && now.priv == PrivU) next.mil = '0;  // an exception from U mode is handled at level 0
    end
    if (irq_claim_o.valid) next.mil = irq.level;

    if (!Cfg.ExtC) next.regs.epc[1] = 1'b0;
    if (!Clic) begin
      {next.mil, next.mintthresh, next.regs.cause.mpil, next.regs.cause.minhv} = '0;
      next.regs.cause.code[11:5] = '0;
    end
  end

  // ---------------------------------------------------------------- fastirq
  // The exception for a frame (24) waits while mepc and mcause are nowhere but in their registers: from an entry that put
  // them into no frame, or went to mtvec, where software asks mcause what it is, and from where software writes them, until
  // the return; but not where software has enabled interrupts, since it can do without them there.
  logic framed;  // an interrupt that is taken in this cycle is a vectored one, and gets a frame
  assign framed = csr_i.fast && irq.shv;
  always_comb begin
    hold_d = hold_q && !now.mie;
    if (csr_i.regs_written) hold_d = 1'b1;
    if (pipe_i.mret || return_emret) hold_d = 1'b0;
    if (fast_i.chain) hold_d = !framed;
    if (trap.valid) hold_d = !(trap.irq && framed);
    if (!Fast) hold_d = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= hold_d;
  end

  assign fast_o = '{
    enter:       trap.valid && trap.irq && csr_i.fast,
    kill:        trap.valid,
    user:        now.priv != PrivM,
    leaves:      '{epc:   trap.epc[31:1],
                   cause: '{irq: 1'b1, minhv: trap.minhv, mpp: now.priv, mpie: now.mie, mpil: now.mil,
                            code: trap.code}},
    regs:        now.regs,
    emret:       emret && pipe_i.wb_ready,
    preempt:     choice.irq_can,
    chain:       chain,
    chain_regs:  chain_regs,
    vector_want: csr_i.fast && irq_offer_i.valid && irq_offer_i.shv,
    entry:       entry,
    fault_taken: choice.frame_fault_take
  };

  // ---------------------------------------------------------------- the rest of the core
  logic minhv;  // mepc is the address of a table entry, which is a word
  assign minhv  = Clic && now.regs.cause.minhv;
  assign csr_o  = '{next: next, nxti_qualifies: nxti, entry: entry};
  assign pipe_o = '{
    choice:        choice,
    irq:           irq,
    emret:         emret,
    target:        target,
    handler:       ((choice.irq_aim || emret) && irq.shv && fast_i.vector_hit) ? {fast_i.vector, 1'b0} : target,
    handler_table: irq.shv && !fast_i.vector_hit,
    return_pc:     {now.regs.epc[31:2], now.regs.epc[1] && !minhv, 1'b0},
    return_table:  minhv
  };

  logic unused;
  assign unused = ^{trap.epc[0], now};
  if (!Fast) begin : gen_no_fast
    logic unused_fast;
    assign unused_fast = ^{fast_i, frame_cause};
  end

`ifndef SYNTHESIS
  ClaimOffered_A: assert property (@(posedge clk_i) !(irq_claim_o.valid && Clic && !irq_offer_i.valid));
  OfferLevel_A: assert property (@(posedge clk_i) !(irq_offer_i.valid && irq_offer_i.level == '0));
`endif
`ifdef TRAPEZE_CHECK
  OfferInReset_A: assert property (@(posedge clk_i) rst_ni || !irq_offer_i.valid);
`endif

endmodule
