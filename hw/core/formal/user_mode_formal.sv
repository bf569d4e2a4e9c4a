// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that user mode does not affect machine mode:
// - In a cycle that begins in user mode no register of machine mode, nor of memory protection, changes. If a trap
//   enters machine mode in that cycle, only the registers that a trap writes change.
// - User mode delays no interrupt of machine mode: what such an interrupt waits for does not depend on the registers of
//   user mode (Wanted_A, Entered_A).
//
//   instruction in EX ──> tz_csr ──> now, written ──> tz_trap ──> next
//   interrupt offered ────────────────────────────────┘
//
// The rest of the core is free within the assumptions below. Registers start with any value in which the properties
// hold. mcycle and minstret are left out, since they count in every mode.
module user_mode_formal
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
(
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    csr_fire_i,
  input logic [11:0]             csr_addr_i,
  input logic [2:0]              csr_funct3_i,
  input logic [4:0]              csr_rs1_i,
  input logic [4:0]              csr_rd_i,
  input logic [31:0]             csr_operand_i,
  input logic                    retire_i,
  input pipe_to_trap_t           pipe_i,
  input fast_to_trap_t           fast_i,
  input fast_to_csr_t            exchange_i,
  input irq_pkg::clic_offer_t    offer_i
);

  localparam core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::core_cfg(
    .IrqScheme(irq_pkg::IrqClic), .NumIrqSources(32), .Saver(core_cfg_pkg::SaverBanks), .PmpRegions(4), .Smepmp(1'b1),
    .UserIrq(1'b1)
  );

  csr_to_trap_t    to_trap;
  trap_to_csr_t    to_csr;
  trap_to_pipe_t   to_pipe;
  fast_from_csr_t  fast_csr;
  fast_from_trap_t fast_trap;
  pipe_to_trap_t   pipe;
  csr_to_posts_t   posts;
  pmp_t            pmp;
  irq_pkg::clic_claim_t claim;
  logic            csr_valid;
  id_t             ex;
  trigger_t        trigger;    // none
  csr_answer_t     csr;
  assign csr_valid = pipe_i.ex_valid && !pipe_i.ex_fault && (pipe_i.ex_kind == KindCsr);

  // An instruction that raises an exception, or that a trap displaces, does not complete. The stacks are exchanged by
  // an entry from user mode, and by a return to user mode, which begins in machine mode.
  trap_csrs_t   now, next;
  trap_choice_t choice;
  logic         user, entered, by_interrupt, completes, fires;
  fast_to_csr_t exchange;
  assign completes = !choice.exception && !choice.trap.valid;
  assign fires     = csr_fire_i && csr_valid && completes;
  always_comb begin
    pipe             = pipe_i;
    pipe.csr_illegal = csr.illegal;
    pipe.ex_debug    = 1'b0;  // no debug mode, no triggers
    pipe.ex_trigger  = trigger;
    pipe.dret        = 1'b0;
    pipe.mret        = pipe_i.mret && pipe_i.ex_valid && !pipe_i.ex_fault && pipe_i.ex_kind == KindMret && completes;
    exchange         = exchange_i;
    exchange.mscratch_we = exchange_i.mscratch_we && (!user || (fast_trap.enter && fast_trap.swap));
  end

  always_comb begin
    ex             = '0;  // the CSR file sees no more of the instruction than this
    ex.pc          = pipe_i.ex_pc;
    ex.insn[19:15] = csr_rs1_i;
    ex.insn[11:7]  = csr_rd_i;
    ex.ctrl.funct3 = csr_funct3_i;
  end

  tz_csr #(.Cfg(Cfg)) u_csr (
    .clk_i,
    .rst_ni,
    .csr_valid_i  (csr_valid),
    .csr_fire_i   (fires),
    .csr_addr_i,
    .csr_operand_i,
    .ex_i         (ex),
    .csr_o        (csr),
    .trap_o       (to_trap),
    .trap_i       (to_csr),
    .fast_o       (fast_csr),
    .fast_i       (exchange),
    .post_o       (posts),
    .join_i       ('0),
    .pmp_o        (pmp),
    .debug_req_i  (1'b0),
    .trigger_i    (1'b0),
    .ex_valid_i   (1'b0),
    .access_i     (1'b0),
    .addr_i       ('0),
    .trigger_o    (trigger),
    .ex_fire_i    (1'b0),
    .retire_i,
    .passed_i     ('0),
    .irq_pending_i('0)
  );
  tz_trap #(.Cfg(Cfg)) u_trap (
    .clk_i,
    .rst_ni,
    .pipe_i       (pipe),
    .pipe_o       (to_pipe),
    .csr_i        (to_trap),
    .csr_o        (to_csr),
    .fast_i,
    .fast_o       (fast_trap),
    .irq_pending_i('0),
    .irq_offer_i  (offer_i),
    .irq_claim_o  (claim)
  );

  // ---------------------------------------------------------------- one cycle
  assign now          = u_csr.trap_q;
  assign next         = to_csr.next;
  assign choice       = to_pipe.choice;
  assign user         = rst_ni && (now.priv == PrivU);
  assign entered      = choice.trap.valid && !choice.trap.user;
  assign by_interrupt = entered && choice.trap.irq;

  // ---------------------------------------------------------------- what is assumed of the rest of the core
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  Reset_K: assume property (@(posedge clk_i) rst_ni == started_q);
  logic returns_by_frame;
  assign returns_by_frame = fast_i.done || fast_i.chain || fast_i.load_epc || fast_i.load_cause;
  // emret stays in EX until its frame is loaded. It chains an interrupt that qualifies.
  Frame_M: assume property (@(posedge clk_i) !returns_by_frame || (pipe_i.ex_valid && !pipe_i.ex_fault &&
                            pipe_i.ex_kind == KindEmret && u_trap.emret_legal));
  Done_M: assume property (@(posedge clk_i) !(fast_i.done || fast_i.chain) || !choice.trap.valid);
  Chain_M: assume property (@(posedge clk_i) !fast_i.chain ||
                            (fast_i.done && (fast_trap.chain || fast_trap.chain_regs)));
  // The modes in a frame's mcause have gone through unpack_mcause, or come from the core itself.
  Unpacked_M: assume property (@(posedge clk_i) !fast_i.done ||
                               fast_i.frame.cause.mpp inside {PrivU, PrivM});

  // ---------------------------------------------------------------- the properties
  Posted_A: assert property (@(posedge clk_i) !rst_ni || !now.m.regs.cause.posted);
  Modes_A: assert property (@(posedge clk_i) !rst_ni || (now.priv inside {PrivU, PrivM} &&
                            now.m.regs.cause.mpp inside {PrivU, PrivM}));
  Mode_A: assert property (@(posedge clk_i) !user || (next.priv == (entered ? PrivM : PrivU)));
  Level_A: assert property (@(posedge clk_i) !user || entered || next.m == now.m);
  Threshold_A: assert property (@(posedge clk_i) !user || next.m.thresh == now.m.thresh);
  // When machine mode returns, it leaves neither a threshold nor MPRV behind.
  Left_A: assert property (@(posedge clk_i) !user || (now.m.thresh == '0 && !now.mprv));
  Mprv_A: assert property (@(posedge clk_i) !user || next.mprv == now.mprv);
  Setup_A: assert property (@(posedge clk_i) !user ||
      {u_csr.tw_d, u_csr.mie_d, u_csr.mtvec_base_d, u_csr.mtvec_vectored_d, u_csr.mtvt_d, u_csr.mfastirq_d} ==
      {u_csr.tw_q, u_csr.mie_q, u_csr.mtvec_base_q, u_csr.mtvec_vectored_q, u_csr.mtvt_q, u_csr.mfastirq_q});
  Scratch_A: assert property (@(posedge clk_i) !user || by_interrupt || u_csr.mscratch_d == u_csr.mscratch_q);
  Counters_A: assert property (@(posedge clk_i) !user ||
      {u_csr.counteren_cy_d, u_csr.counteren_ir_d, u_csr.inhibit_cy_d, u_csr.inhibit_ir_d} ==
      {u_csr.counteren_cy_q, u_csr.counteren_ir_q, u_csr.inhibit_cy_q, u_csr.inhibit_ir_q});
  Rows_A: assert property (@(posedge clk_i) !user ||
      {u_csr.gen_pmp.u_pmp.cfg_d, u_csr.gen_pmp.u_pmp.addr_d} ==
      {u_csr.gen_pmp.u_pmp.cfg_q, u_csr.gen_pmp.u_pmp.addr_q});
  Security_A: assert property (@(posedge clk_i) !user ||
      {u_csr.gen_pmp.u_pmp.mml_d, u_csr.gen_pmp.u_pmp.mmwp_d, u_csr.gen_pmp.u_pmp.rlb_d} ==
      {u_csr.gen_pmp.u_pmp.mml_q, u_csr.gen_pmp.u_pmp.mmwp_q, u_csr.gen_pmp.u_pmp.rlb_q});

  // An interrupt of machine mode waits only for the answer of the instruction in WB, for a bank, and for an access of
  // the instruction in EX that is under way. None of this depends on a register of user mode, or on which instruction
  // it is.
  logic due, can;
  assign due = user && offer_i.valid && offer_i.prv == PrivM && !fast_i.store_fault;
  assign can = pipe_i.wb_ready && !pipe_i.wb_fault && (fast_i.ready || !to_trap.m.fast);
  Wanted_A: assert property (@(posedge clk_i) !due || (choice.stop && choice.irq_can == can));
  Entered_A: assert property (@(posedge clk_i) !(due && can && !pipe_i.lsu_busy) || by_interrupt);

  Writes_C: cover property (@(posedge clk_i) user && fires && csr.we);
  Taken_C: cover property (@(posedge clk_i) user && choice.trap.valid && choice.trap.user);
  Interrupt_C: cover property (@(posedge clk_i) user && by_interrupt);
  Uret_C: cover property (@(posedge clk_i) user && pipe.mret);
  Euret_C: cover property (@(posedge clk_i) user && fast_i.done && !fast_i.chain);
  Chain_C: cover property (@(posedge clk_i) user && fast_i.chain);

  logic unused;
  assign unused = ^{csr, fast_csr, posts, pmp, claim, to_pipe};

endmodule
