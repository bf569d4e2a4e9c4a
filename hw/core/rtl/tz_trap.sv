// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Trap unit: all changes of the privilege mode, of mepc and mcause and of user mode's uepc and ucause that are not made
// by a CSR instruction.
//
//   interrupt port ──> tz_irq_clint or tz_irq_clic ──> irq ─┐
//   pipeline: what is in IF, EX, WB ────────────────────────┴─> tz_trap_select ──> trap ──> next state of the CSRs,
//   fastirq: emret, frames that could not be stored ────────────────────┘                  address of the handler
//
// tz_csr has the registers; this unit computes their next values in each cycle. User mode handles interrupts only: all
// exceptions go to machine mode. Sources for entries, returns and vectors: Privileged Architecture 1.12, 3.1; with the
// CLIC Fast Interrupts v0.10; docs/fastirq.md for emret; docs/user-level-interrupts.md for user mode.
module tz_trap
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
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
  localparam bit User = Cfg.UserIrq;
  localparam bit Post = Cfg.Uintr;

  trap_csrs_t   now /*verilator split_var*/, next /*verilator split_var*/;
  trap_choice_t choice /*verilator split_var*/;
  trap_t        trap /*verilator split_var*/;
  irq_t         irq;
  logic [31:2]  entry;
  logic         nxti_claims, to_irq;
  logic         emret, emret_legal, euret, nxti, unxti, chain, chain_regs, to_user, refused, hold_d, hold_q;
  logic         fast;                         // fastirq is on in the mode that handles the interrupt offered
  context_t     loaded;                       // xepc and xcause that the emret or euret in EX has loaded from its frame
  debug_t       debug;
  logic         may_chain;                    // an emret may chain an interrupt
  logic         emret_began;                  // the emret in EX may have loaded words of its frame
  assign now  = csr_i.now;
  assign debug     = csr_i.debug;
  // may_chain: no interrupt of a halted or single-stepped hart is handled by an emret. Nor is its table entry fetched
  // ahead (vector_want): a later interrupt would be faster for it.
  assign may_chain = !debug.masks && !choice.halt_can;
  assign trap = choice.trap;

  // ---------------------------------------------------------------- which trap
  tz_trap_select #(
    .Fast (Fast),
    .Debug(Cfg.Debug)
  ) u_select (
    .pipe_i,
    .priv_i        (now.priv),
    .timeout_wait_i(csr_i.timeout_wait),
    .emret_legal_i (emret_legal),
    .irq_take_i    (irq.take && !debug.masks),
    .irq_id_i      (irq.id),
    .irq_user_i    (irq.user),
    .irq_ready_i   ((fast_i.ready && (!to_user || pipe_i.frame.judged)) || !fast),
    .irq_refused_i (refused),
    .irq_base_i    (fast_i.base),
    .chained_i     (fast_i.chain),
    .load_fault_i  (fast_i.load_fault),
    .frame_fault_i (fast_i.store_fault),
    .frame_hold_i  (hold_q && !now.m.ie),
    .fault_addr_i  (fast_i.fault_addr),
    .debug_i       (debug),
    .emret_began_i (emret_began),
    .choice_o      (choice)
  );

  // emret: the emret or euret in EX raises no exception, and may proceed. This repeats a part of choice.exception,
  // which also depends on the legality of CSR instructions and is known later.
  assign euret       = User && pipe_i.ex_user;
  assign emret_legal = (euret ? csr_i.u.fast && (now.priv == PrivU) : csr_i.m.fast && (now.priv == PrivM)) &&
                       !debug.mode;
  assign emret       = pipe_i.ex_valid && (pipe_i.ex_kind == KindEmret) && !pipe_i.ex_fault && emret_legal &&
                       !fast_i.load_fault && !pipe_i.wb_fault && !fast_i.store_fault && !pipe_i.ex_trigger.fetch;

  // Debug mode does not displace an emret that has begun. One that enters EX while debug mode is wanted does not begin.
  if (Fast && Cfg.Debug) begin : gen_began
    logic began_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) began_q <= 1'b0;
      else began_q <= emret && pipe_i.wb_ready && !choice.halt_can && !fast_i.done && !trap.valid;
    end
    assign emret_began = began_q;
  end else begin : gen_not_began
    assign emret_began = 1'b0;
  end

  // If a CSR instruction or a return unmasks an interrupt, the interrupt is taken before the next instruction, even if
  // that is a wfi (Privileged Architecture 1.12, 3.1.9). So a wfi behind such an instruction completes only if no
  // interrupt was to be taken since.
  logic behind_write_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) behind_write_q <= 1'b0;
    else if (pipe_i.ex_valid) begin
      behind_write_q <= (pipe_i.ex_kind inside {KindCsr, KindMret, KindEmret}) || (behind_write_q && choice.stop);
    end
  end

  // ---------------------------------------------------------------- interrupts
  // to_irq: `target` is for the interrupt, because it is the only trap that can be taken, or because an emret may chain
  // it.
  logic [31:0] target;
  assign fast        = (User && irq.user) ? csr_i.u.fast : csr_i.m.fast;
  assign to_user     = User && irq.user;
  assign refused     = to_user && fast && pipe_i.frame.refused;
  assign nxti_claims = csr_i.m.nxti_claims || csr_i.u.nxti_claims;
  assign to_irq      = choice.irq_aim || (emret && !choice.refuse_take);
  if (Clic) begin : gen_clic
    tz_irq_clic #(
      .NumSources(Cfg.NumIrqSources),
      .UserIrq   (User)
    ) u_irq (
      .offer_i      (irq_offer_i),
      .csrs_i       (now),
      .mtvt_i       (csr_i.m.tvt),
      .utvt_i       (csr_i.u.tvt),
      .irq_o        (irq),
      .entry_o      (entry),
      .nxti_level_i (csr_i.m.nxti_level),
      .nxti_o       (nxti),
      .unxti_level_i(csr_i.u.nxti_level),
      .unxti_o      (unxti),
      .euret_i      (euret),
      .frame_level_i(fast_i.level),
      .chain_o      (chain),
      .regs_level_i (loaded.cause.mpil),
      .chain_regs_o (chain_regs)
    );
    // The pending bit of an edge is cleared when a vectored interrupt is taken; of another interrupt when xnxti claims
    // it.
    assign irq_claim_o.valid = (trap.valid && trap.irq) || nxti_claims || fast_i.chain;
    assign irq_claim_o.clear = irq.shv || nxti_claims;
    // If an emret returns instead of chaining, nothing uses the target.
    assign target = (to_irq && irq.shv) ? {entry, 2'b00}
                                        : {(to_irq && irq.user) ? csr_i.u.tvec[31:6] : csr_i.m.tvec[31:6], 6'b0};
    logic unused_clint;
    assign unused_clint = ^{irq_pending_i, csr_i.mie, csr_i.mtvec_vectored};
  end else begin : gen_clint
    tz_irq_clint u_irq (
      .pending_i(irq_pending_i),
      .enable_i (csr_i.mie),
      .global_i (now.m.ie || (now.priv == PrivU)),
      .irq_o    (irq)
    );
    assign irq_claim_o = '0;
    assign {entry, nxti, unxti, chain, chain_regs} = '0;
    assign target = {csr_i.m.tvec[31:7],
                     (csr_i.mtvec_vectored && trap.irq) ? trap.code[4:0] : csr_i.m.tvec[6:2], 2'b00};
    logic unused_clic;
    assign unused_clic = ^{irq_offer_i, csr_i.m, csr_i.u, nxti_claims, to_irq, euret, loaded};
  end

  // ---------------------------------------------------------------- the CSRs
  logic       return_emret, returns;
  logic [1:0] return_mpp;
  mcause_t    frame_cause;  // mcause of the frame; from memory, where software may have changed it
  assign frame_cause  = fast_i.done ? fast_i.frame.cause : unpack_mcause(fast_i.load_data, Post);
  assign return_emret = Fast && fast_i.done && !fast_i.chain;
  assign returns      = pipe_i.mret || return_emret;
  assign return_mpp   = euret ? PrivU : return_emret ? fast_i.frame.cause.mpp : now.m.regs.cause.mpp;

  // code: for xcause, the source of the interrupt offered, or with `posted` the vector that it delivers.
  logic        posted;
  logic [11:0] code;
  assign posted = Post && irq.user && irq.id == 12'(IrqUserPost) && csr_i.posted;
  assign code   = posted ? 12'(csr_i.vector) : irq.id;

  // next_user: the registers of user mode in the next cycle. All exceptions go to machine mode, so utval is zero unless
  // software writes it.
  level_csrs_t next_user;
  if (User) begin : gen_user
    always_comb begin
      next_user = csr_i.written.u;
      if (csr_i.u.nxti_claims) begin
        next_user.regs.cause.irq    = 1'b1;
        next_user.regs.cause.posted = posted;
        next_user.regs.cause.code   = code;
      end
      if (Fast && euret && fast_i.done) next_user.regs = fast_i.frame;
      if (Fast && euret && fast_i.chain) begin
        next_user.regs.cause.irq   = 1'b1;
        next_user.regs.cause.posted = posted;
        next_user.regs.cause.code  = code;
        next_user.regs.cause.minhv = 1'b0;
        next_user.ie               = csr_i.u.nest && irq.shv;
      end
      if (returns && euret) begin
        next_user.ie              = return_emret ? fast_i.frame.cause.mpie : now.u.regs.cause.mpie;
        next_user.regs.cause.mpie = 1'b1;
        next_user.il              = return_emret ? fast_i.frame.cause.mpil : now.u.regs.cause.mpil;
      end
      if (trap.valid && trap.user) begin
        next_user.ie         = Fast && irq.shv && csr_i.u.nest;
        next_user.regs.epc   = trap.epc[31:1];
        next_user.regs.cause = '{irq: 1'b1, minhv: trap.minhv, mpp: PrivU, mpie: now.u.ie, mpil: now.u.il,
                                 posted: posted, code: code};
        next_user.tval       = '0;
      end
      if (irq_claim_o.valid && irq.user) next_user.il = irq.level;
      next_user.regs.cause.mpp = PrivU;  // ucause has no mpp; that of a frame in memory may have any value
      if (!Post) next_user.regs.cause.posted = 1'b0;
      if (!Cfg.ExtC) next_user.regs.epc[1] = 1'b0;
    end
  end else begin : gen_no_user
    assign next_user = '0;
  end

  // An emret loads mepc and mcause of its frame straight into the CSRs. Only a trap to machine mode can make the core give up
  // an emret, and that trap overwrites both. An euret loads uepc and ucause into loaded_q first: a trap to machine mode may
  // make the core give it up, and does not overwrite them, so the CSRs of user mode must still be as they were.
  if (User && Fast) begin : gen_loaded
    context_t loaded_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) loaded_q <= '0;
      else if (euret) begin
        if (fast_i.load_epc) loaded_q.epc <= fast_i.load_data[31:1];
        if (fast_i.load_cause) loaded_q.cause <= frame_cause;
      end
    end
    assign loaded = euret ? loaded_q : now.m.regs;
  end else begin : gen_in_csrs
    assign loaded = now.m.regs;
  end

  always_comb begin
    next = csr_i.written;

    if (Clic && csr_i.m.nxti_claims) begin
      next.m.regs.cause.irq  = 1'b1;
      next.m.regs.cause.code = irq.id;
    end

    // An emret takes mepc and mcause from its frame ...
    if (Fast && !euret && (fast_i.done || fast_i.load_epc)) begin
      next.m.regs.epc = fast_i.done ? fast_i.frame.epc : fast_i.load_data[31:1];
    end
    if (Fast && !euret && (fast_i.done || fast_i.load_cause)) next.m.regs.cause = frame_cause;
    // ... and then chains the interrupt offered, or returns (next block).
    if (Fast && !euret && fast_i.chain) begin
      next.m.regs.cause.irq   = 1'b1;
      next.m.regs.cause.code  = irq.id;
      next.m.regs.cause.minhv = 1'b0;
      next.m.ie               = csr_i.m.nest && irq.shv;
    end

    if (returns && !euret) begin
      next.m.ie              = return_emret ? fast_i.frame.cause.mpie : now.m.regs.cause.mpie;
      next.m.regs.cause.mpie = 1'b1;
      next.m.regs.cause.mpp  = PrivU;
      next.m.il              = return_emret ? fast_i.frame.cause.mpil : now.m.regs.cause.mpil;
    end
    if (returns) begin
      next.priv = return_mpp;
      if (return_mpp != PrivM) begin
        next.mprv     = 1'b0;
        next.m.thresh = '0;  // no threshold is left behind in M mode
      end
    end

    if (pipe_i.dret) begin
      next.priv = debug.prv;
      if (debug.prv != PrivM) next.mprv = 1'b0;
    end
    if (trap.debug && trap.valid) next.priv = PrivM;

    if (trap.valid && !trap.user && !trap.debug) begin
      next.priv         = PrivM;
      next.m.ie         = Fast && trap.irq && irq.shv && csr_i.m.nest;
      next.m.regs.epc   = trap.epc[31:1];
      next.m.regs.cause = '{irq: trap.irq, minhv: trap.minhv, mpp: now.priv, mpie: now.m.ie, mpil: now.m.il,
                          posted: 1'b0, code: trap.code};
      next.m.tval       = trap.tval;
      if (!trap.irq && now.priv == PrivU) next.m.il = '0;  // an exception from U mode is handled at level 0
    end
    if (irq_claim_o.valid && !irq.user) next.m.il = irq.level;

    next.u = User ? next_user : '0;
    next.m.regs.cause.posted = 1'b0;

    if (!Cfg.ExtC) next.m.regs.epc[1] = 1'b0;
    if (!Clic) begin
      {next.m.il, next.m.thresh, next.m.regs.cause.mpil, next.m.regs.cause.minhv} = '0;
      next.m.regs.cause.code[11:5] = '0;
    end
  end

  // ---------------------------------------------------------------- fastirq
  // hold: exception 24 (a frame could not be stored) must wait, because it would overwrite mepc and mcause while the
  // only copy of their values is in these registers. This is so
  //   - after an entry of machine mode without a frame, or one that went to mtvec, where software reads mcause;
  //   - after software has written mepc or mcause;
  // until the return, or until software enables interrupts: then it has saved what it needs.
  logic framed;  // an interrupt that is taken in this cycle is vectored and gets a frame
  assign framed = fast && irq.shv;
  always_comb begin
    hold_d = hold_q && !now.m.ie;
    if (csr_i.regs_written) hold_d = 1'b1;
    if (returns) hold_d = 1'b0;
    if (fast_i.chain && !euret) hold_d = !framed;
    if (trap.valid && !trap.user && !trap.debug) hold_d = !(trap.irq && framed);
    if (!Fast) hold_d = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= hold_d;
  end

  assign fast_o = '{
    enter:       trap.valid && trap.irq && fast,
    kill:        trap.valid,
    swap:        now.priv != PrivM && !irq.user,
    user:        irq.user,
    euret:       euret,
    leaves:      '{epc:   trap.epc[31:1],
                   cause: '{irq: 1'b1, minhv: trap.minhv, mpp: now.priv,
                            mpie: irq.user ? now.u.ie : now.m.ie, mpil: irq.user ? now.u.il : now.m.il,
                            posted: posted, code: code}},
    regs:        loaded,
    emret:       emret && pipe_i.wb_ready,
    preempt:     choice.irq_can || choice.halt_can,
    chain:       chain && may_chain,
    chain_regs:  chain_regs && may_chain,
    vector_want: fast && irq_offer_i.valid && irq_offer_i.shv && !debug.masks,
    vector_user: irq.user,
    entry:       entry,
    fault_taken: choice.frame_fault_take
  };

  // ---------------------------------------------------------------- the rest of the core
  // Where the debug module's program begins, or goes on after an exception of its own (hw/debug/README.md).
  localparam logic [31:0] DebugException = 32'h40;
  logic [31:0] debug_target;
  assign debug_target = Cfg.DebugBase + ((debug.mode && !choice.breaks) ? DebugException : '0);

  logic [11:0] trap_code;  // of the trap, or of the interrupt that an emret chains, as xcause has it
  assign trap_code = (trap.irq || fast_i.chain) ? code : trap.code;

  context_t from;  // xepc and xcause by which the mret or uret in EX returns
  logic     minhv; // that xepc is the address of a table entry: a word address
  assign from   = euret ? now.u.regs : now.m.regs;
  assign minhv  = Clic && from.cause.minhv;
  assign csr_o  = '{next: next, nxti_qualifies: nxti, unxti_qualifies: unxti, entry: entry,
                    post_take: irq_claim_o.valid && posted,
                    debug: '{begins: trap.valid && trap.debug && !debug.mode, breaks: choice.breaks,
                             trigger: choice.triggers, pc: trap.epc[31:1], ends: pipe_i.dret,
                             traps: trap.valid && !trap.debug},
                    triggers: '{fires: choice.triggers, begins: trap.valid && trap.debug && !debug.mode,
                                interrupts: (trap.valid && trap.irq) || fast_i.chain,
                                excepts: trap.valid && !trap.irq && !trap.debug,
                                counts: trap.valid && !trap.debug && !(pipe_i.wb_fault && pipe_i.wb_left),
                                beyond: trap_code[11:5] != '0, code: trap_code[4:0],
                                from: !fast_i.chain ? now.priv : euret ? PrivU : fast_i.frame.cause.mpp}};
  assign pipe_o = '{
    choice:        choice,
    irq:           irq,
    irq_first:     behind_write_q || debug.stepped,
    posted:        posted,
    code:          code,
    emret:         emret,
    target:        target,
    handler:       (Cfg.Debug && trap.debug) ? debug_target :
                   (to_irq && irq.shv && fast_i.vector_hit) ? {fast_i.vector, 1'b0} : target,
    handler_table: irq.shv && !fast_i.vector_hit,
    return_pc:     (Cfg.Debug && pipe_i.ex_debug) ? {debug.pc, 1'b0} : {from.epc[31:2], from.epc[1] && !minhv, 1'b0},
    return_table:  minhv && !pipe_i.ex_debug
  };

  logic unused;
  assign unused = ^{trap.epc[0], now, debug};
  if (!Fast) begin : gen_no_fast
    logic unused_fast;
    assign unused_fast = ^{fast_i, frame_cause};
  end

`ifndef SYNTHESIS
  // An emret stays in EX until its frame is loaded. No trap is taken in the cycle in which it is done. It chains only
  // an interrupt that qualifies.
  logic by_frame, done;
  assign by_frame = fast_i.done || fast_i.chain || fast_i.load_epc || fast_i.load_cause;
  assign done     = fast_i.done || fast_i.chain;
  Frame_A: assert property (@(posedge clk_i) !by_frame || (pipe_i.ex_valid && !pipe_i.ex_fault &&
                            pipe_i.ex_kind == KindEmret && emret_legal));
  Done_A: assert property (@(posedge clk_i) !done || !trap.valid);
  Chain_A: assert property (@(posedge clk_i) !fast_i.chain || (fast_i.done && (chain || chain_regs)));
  Unpacked_A: assert property (@(posedge clk_i) !fast_i.done ||
                               fast_i.frame.cause.mpp == PrivU || fast_i.frame.cause.mpp == PrivM);
  ClaimOffered_A: assert property (@(posedge clk_i) !(irq_claim_o.valid && Clic && !irq_offer_i.valid));
  OfferLevel_A: assert property (@(posedge clk_i) !(irq_offer_i.valid && irq_offer_i.level == '0));
`endif
`ifdef TRAPEZE_CHECK
  OfferInReset_A: assert property (@(posedge clk_i) rst_ni || !irq_offer_i.valid);
`endif

endmodule
