// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Control and status registers: what a CSR instruction in EX reads and writes, and the counters.
//
// Timing: an access takes one cycle. A written value is in force from the next cycle on, so no instruction waits for
// it. The registers that traps and returns change are kept here, too; the trap unit (tz_trap) computes their next
// values.
//
// Errors: `csr_o.exists` and the legality of the access go to the trap unit, which raises the exception.
// Sources: Privileged Architecture 1.12, M and U modes; with the CLIC Fast Interrupts v0.10.
module tz_csr
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // CSR instruction in EX
  input  logic        csr_valid_i,   // EX holds a CSR instruction
  input  logic        csr_fire_i,    // the CSR instruction completes in this cycle
  input  logic [11:0] csr_addr_i,
  input  logic [31:0] csr_operand_i,
  input  id_t         ex_i,          // the instruction
  output csr_answer_t csr_o /*verilator split_var*/,

  output csr_to_trap_t trap_o /*verilator split_var*/,
  input  trap_to_csr_t trap_i /*verilator split_var*/,
  output fast_from_csr_t fast_o /*verilator split_var*/,
  input  fast_to_csr_t   fast_i /*verilator split_var*/,

  output csr_to_posts_t post_o,      // Uintr; else zero
  input  uintr_pkg::join_t join_i,   // joins UIRR

  output pmp_t        pmp_o,         // rows of memory protection; zero without them

  input  logic        debug_req_i,   // Debug: a debug module wants the hart in debug mode
  input  logic        trigger_i,     // Triggers, Debug: TM external trigger input 0
  input  logic        ex_valid_i,    // Triggers: EX holds an instruction
  input  logic        access_i,      // that is about to access memory from addr_i on
  input  logic [31:0] addr_i,
  output trigger_t    trigger_o /*verilator split_var*/,
  input  logic        ex_fire_i,     // an instruction leaves EX, completed
  input  logic        retire_i,      // an instruction retires in WB in this cycle, and counts
  input  logic [63:0] passed_i,      // cycles left out before this edge (observe_pkg::inspect_t)
  input  irq_pkg::clint_pending_t irq_pending_i  // CLINT scheme: mip
);

  localparam bit Clic = (Cfg.IrqScheme == irq_pkg::IrqClic);
  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);
  localparam bit Pmp  = (Cfg.PmpRegions != 0);
  localparam bit User = Cfg.UserIrq;
  localparam bit ExtB = Cfg.ExtZba && Cfg.ExtZbb && Cfg.ExtZbs;  // misa.B stands for all three

  localparam int unsigned TableLsb = table_index_width(Cfg.NumIrqSources) + 2;

  logic [2:0] funct3;
  logic [4:0] rs1, rd;           // rs1 field: the register's number or the immediate; rd field
  assign funct3 = ex_i.ctrl.funct3;
  assign rs1    = ex_i.insn[19:15];
  assign rd     = ex_i.insn[11:7];

  // ---------------------------------------------------------------- registers
  trap_csrs_t  trap_q /*verilator split_var*/;
  trap_csrs_t  written /*verilator split_var*/;  // trap_q with what the CSR instruction in EX writes
  logic        tw_d, tw_q;       // mstatus.TW
  irq_pkg::clint_pending_t mie_d, mie_q;
  logic [31:2] mtvec_base_d, mtvec_base_q;
  logic        mtvec_vectored_d, mtvec_vectored_q;
  logic [31:TableLsb] mtvt_d, mtvt_q;
  logic [31:0] mscratch_d, mscratch_q;
  logic [31:0] mfastirq_d, mfastirq_q;
  logic        counteren_cy_d, counteren_cy_q, counteren_ir_d, counteren_ir_q;
  logic        inhibit_cy_d, inhibit_cy_q, inhibit_ir_d, inhibit_ir_q;
  logic [63:0] mcycle_d, mcycle_q, minstret_d, minstret_q;
  logic        minstret_written_d, minstret_written_q;

  function automatic logic [31:0] pack_irq(irq_pkg::clint_pending_t p);
    return {p.platform, 4'b0, p.external, 3'b0, p.timer, 3'b0, p.software, 3'b0};
  endfunction

  localparam logic [31:0] Misa = {2'b01, 4'b0, 5'b0, 1'b1 /* U */, 7'b0, Cfg.ExtM, 3'b0, !Cfg.RV32E /* I */, 3'b0,
                                  Cfg.RV32E /* E */, 1'b0, Cfg.ExtC, ExtB, Cfg.ExtA} | (32'(User) << 13 /* N */);

  mcause_t    cause;
  logic [7:0] mil;
  assign cause = trap_q.m.regs.cause;
  assign mil   = trap_q.m.il;

  logic [31:0] mstatus, mcause;
  assign mstatus = {10'b0, tw_q, 3'b0, trap_q.mprv, 4'b0, cause.mpp, 3'b0, cause.mpie, 2'b0, trap_q.u.regs.cause.mpie,
                    trap_q.m.ie, 2'b0, trap_q.u.ie};
  assign mcause  = Clic ? pack_mcause(cause) : {cause.irq, 26'b0, cause.code[4:0]};

  // ---------------------------------------------------------------- CSRs of the CLIC that do more than hold a value
  // - xnxti (mnxti): csrrs, csrrsi and csrrci only. What is written goes to mstatus; if an interrupt qualifies, the
  //   write claims it.
  // - jalxnxti: `csrrw ra, 0x7ED, ra`. If an interrupt qualifies it jumps to the interrupt's handler and sets ra to its
  //   own address; else it does nothing.
  // - mscratchcsw, mscratchcswl: csrrw with registers only. They swap the register with mscratch on a condition.
  logic [31:0] clic_rdata;
  logic        is_clic, clic_reserved, registers_only, special, user_special;
  logic        nxti_write, nxti_mstatus, nxti_mie, nxti_claim, scratch_swap, is_nxti, is_jal;
  assign is_nxti        = (csr_addr_i == CsrMnxti);
  assign is_jal         = (csr_addr_i == CsrJalmnxti);
  assign registers_only = (funct3 == 3'b001) && (rs1 != 5'd0) && (rd != 5'd0);
  always_comb begin
    is_clic       = 1'b1;
    clic_rdata    = '0;
    clic_reserved = 1'b0;
    scratch_swap  = 1'b0;
    unique case (csr_addr_i)
      CsrMtvt:       clic_rdata = {mtvt_q, {TableLsb{1'b0}}};
      CsrMintthresh: clic_rdata = {24'b0, trap_q.m.thresh};
      CsrMintstatus: clic_rdata = {mil, 16'b0, trap_q.u.il};
      CsrMnxti: begin
        clic_rdata    = trap_i.nxti_qualifies ? {trap_i.entry, 2'b00} : '0;
        clic_reserved = !(funct3 == 3'b010 || funct3 == 3'b110 || funct3 == 3'b111) ||
                        (funct3 == 3'b110 && (rs1 & 5'b10101) != 5'd0);
      end
      CsrJalmnxti: begin
        clic_rdata    = trap_i.nxti_qualifies ? ex_i.pc : csr_operand_i;
        clic_reserved = !registers_only || (rd != rs1);
      end
      CsrMscratchcsw: begin
        scratch_swap  = (cause.mpp != PrivM);
        clic_rdata    = scratch_swap ? mscratch_q : csr_operand_i;
        clic_reserved = !registers_only;
      end
      CsrMscratchcswl: begin
        scratch_swap  = (cause.mpil == '0) != (mil == '0);
        clic_rdata    = scratch_swap ? mscratch_q : csr_operand_i;
        clic_reserved = !registers_only;
      end
      default: is_clic = 1'b0;
    endcase
  end
  // special: CSRs that write through paths of their own. The retirement record does not show their writes.
  assign special      = is_nxti || is_jal || csr_addr_i == CsrMscratchcsw || csr_addr_i == CsrMscratchcswl ||
                        user_special;
  assign nxti_write   = is_nxti && (rs1 != 5'd0) && (csr_operand_i[4:0] != 5'd0);
  assign nxti_mstatus = (is_nxti && rs1 != 5'd0 && csr_operand_i[3]) || (is_jal && trap_i.nxti_qualifies);
  assign nxti_mie     = !(is_nxti && funct3 == 3'b111);
  assign nxti_claim   = trap_i.nxti_qualifies && (nxti_write || is_jal);
  assign csr_o.jump   = Clic && csr_valid_i && is_jal && trap_i.nxti_qualifies;

  // ---------------------------------------------------------------- user-level interrupts
  logic         is_user, user_reserved;
  logic [31:0]  user_rdata;
  logic [31:2]  user_link;
  level_csrs_t  user_written;
  level_setup_t user_setup;
  if (User) begin : gen_user
    tz_csr_user #(.Cfg(Cfg)) u_user (
      .clk_i,
      .rst_ni,
      .fire_i          (csr_fire_i),
      .write_i         (csr_fire_i && csr_o.we),
      .addr_i          (csr_addr_i),
      .funct3_i        (funct3),
      .rs1_i           (rs1),
      .registers_i     (registers_only),
      .operand_i       (csr_operand_i),
      .wdata_i         (csr_o.wdata),
      .exists_o        (is_user),
      .rdata_o         (user_rdata),
      .reserved_o      (user_reserved),
      .special_o       (user_special),
      .now_i           (trap_q.u),
      .written_o       (user_written),
      .setup_o         (user_setup),
      .link_o          (user_link),
      .nxti_qualifies_i(trap_i.unxti_qualifies),
      .entry_i         (trap_i.entry)
    );
  end else begin : gen_no_user
    assign {is_user, user_reserved, user_special, user_rdata, user_link, user_written, user_setup} = '0;
    logic unused_user;
    assign unused_user = trap_i.unxti_qualifies;
  end

  // ---------------------------------------------------------------- user interrupts from hart to hart
  logic        is_post, receiving, posted;
  logic [31:0] post_rdata;
  logic [5:0]  post_vector;
  assign post_o.receiving = csr_valid_i && receiving;
  assign post_o.rows      = csr_o.rows;
  if (Cfg.Uintr) begin : gen_post
    tz_post_csr u_post (
      .clk_i,
      .rst_ni,
      .write_i    (csr_fire_i && csr_o.we),
      .addr_i     (csr_addr_i),
      .wdata_i    (csr_o.wdata),
      .exists_o   (is_post),
      .receiving_o(receiving),
      .rdata_o    (post_rdata),
      .registers_o(post_o.registers),
      .join_i,
      .take_i     (trap_i.post_take),
      .waits_o    (posted),
      .vector_o   (post_vector),
      .pending_o  (post_o.pending)
    );
  end else begin : gen_no_post
    assign {is_post, receiving, posted, post_rdata, post_vector, post_o.registers, post_o.pending} = '0;
    logic unused_post;
    assign unused_post = ^{join_i, trap_i.post_take};
  end

  // ---------------------------------------------------------------- debug mode
  logic        is_debug;
  logic [31:0] debug_rdata;
  logic        trigger_wants;
  debug_t      debug;
  if (Cfg.Debug) begin : gen_debug
    tz_csr_debug u_debug (
      .clk_i,
      .rst_ni,
      .debug_req_i,
      .trigger_i(trigger_wants),
      .write_i  (csr_fire_i && csr_o.we),
      .addr_i   (csr_addr_i),
      .wdata_i  (csr_o.wdata),
      .exists_o (is_debug),
      .rdata_o  (debug_rdata),
      .trap_i   (trap_i.debug),
      .priv_i   (trap_q.priv),
      .ex_fire_i,
      .debug_o  (debug)
    );
  end else begin : gen_no_debug
    assign {is_debug, debug_rdata, debug} = '0;
    logic unused_debug;
    assign unused_debug = ^{debug_req_i, ex_fire_i, trap_i.debug, trigger_wants};
  end

  // ---------------------------------------------------------------- triggers
  logic        is_trigger;
  logic [31:0] trigger_rdata;
  if (Cfg.Triggers != 0) begin : gen_triggers
    tz_triggers #(
      .Triggers(Cfg.Triggers),
      .Debug   (Cfg.Debug)
    ) u_triggers (
      .clk_i,
      .rst_ni,
      .write_i (csr_fire_i && csr_o.we),
      .csr_i   (csr_addr_i),
      .wdata_i (csr_o.wdata),
      .exists_o(is_trigger),
      .rdata_o (trigger_rdata),
      .ex_valid_i,
      .ex_i,
      .access_i,
      .addr_i,
      .ex_fire_i,
      .priv_i  (trap_q.priv),
      .ie_i    (trap_q.m.ie),
      .mode_i  (debug.mode),
      .trap_i  (trap_i.triggers),
      .signal_i(trigger_i),
      .trigger_o,
      .want_o  (trigger_wants)
    );
  end else begin : gen_no_triggers
    assign {is_trigger, trigger_rdata, trigger_o, trigger_wants} = '0;
    logic unused_triggers;
    assign unused_triggers = ^{trigger_i, ex_valid_i, access_i, addr_i, trap_i.triggers};
  end

  // ---------------------------------------------------------------- memory protection
  logic        is_pmp;
  logic [31:0] pmp_rdata;
  assign csr_o.rows = csr_o.we && is_pmp;
  if (Pmp) begin : gen_pmp
    tz_pmp_csr #(
      .Regions(Cfg.PmpRegions),
      .Grain  (Cfg.PmpGrain),
      .Smepmp (Cfg.Smepmp)
    ) u_pmp (
      .clk_i,
      .rst_ni,
      .addr_i  (csr_addr_i),
      .exists_o(is_pmp),
      .rdata_o (pmp_rdata),
      .write_i (csr_fire_i && csr_o.we),
      .wdata_i (csr_o.wdata),
      .pmp_o
    );
  end else begin : gen_no_pmp
    assign is_pmp    = 1'b0;
    assign pmp_rdata = '0;
    assign pmp_o     = '0;
  end

  // ---------------------------------------------------------------- read
  // A read of a counter includes all instructions before the CSR instruction, also the one that retires from WB now.
  logic [63:0] minstret_now;
  logic        exists;
  always_comb begin
    exists      = 1'b1;
    csr_o.rdata = '0;
    unique case (csr_addr_i)
      CsrMfastirq: begin
        exists      = Fast;
        csr_o.rdata = mfastirq_q;
      end
      CsrMframe: begin
        exists      = Fast;
        csr_o.rdata = Cfg.WholeFrames ? 32'(tz_fast_pkg::frame_bytes(Cfg.RV32E, 1'b1)) : '0;
      end
      CsrMstatus:       csr_o.rdata = mstatus;
      CsrMisa:          csr_o.rdata = Misa;
      CsrMie:           csr_o.rdata = pack_irq(mie_q);         // zero with the CLIC
      CsrMtvec:         csr_o.rdata = {mtvec_base_q, Clic, mtvec_vectored_q || Clic};
      CsrMcounteren:    csr_o.rdata = {29'b0, counteren_ir_q, 1'b0, counteren_cy_q};
      CsrMcountinhibit: csr_o.rdata = {29'b0, inhibit_ir_q, 1'b0, inhibit_cy_q};
      CsrMscratch:      csr_o.rdata = mscratch_q;
      CsrMepc:          csr_o.rdata = {trap_q.m.regs.epc, 1'b0};
      CsrMcause:        csr_o.rdata = mcause;
      CsrMtval:         csr_o.rdata = trap_q.m.tval;
      CsrMip:           csr_o.rdata = Clic ? '0 : pack_irq(irq_pending_i);
      CsrMcycle, CsrCycle:       csr_o.rdata = mcycle_q[31:0];
      CsrMcycleh, CsrCycleh:     csr_o.rdata = mcycle_q[63:32];
      CsrMinstret, CsrInstret:   csr_o.rdata = minstret_now[31:0];
      CsrMinstreth, CsrInstreth: csr_o.rdata = minstret_now[63:32];
      CsrMhartid:       csr_o.rdata = Cfg.HartId;
      CsrMstatush, CsrMenvcfg, CsrMenvcfgh, CsrMvendorid, CsrMarchid, CsrMimpid, CsrMconfigptr: csr_o.rdata = '0;
      default: begin
        // mhpmcounter3..31, their upper halves, and mhpmevent3..31 exist and read zero.
        exists = (Clic && is_clic) ||
                 ((csr_addr_i[11:5] == 7'b1011_000 || csr_addr_i[11:5] == 7'b1011_100 ||
                   csr_addr_i[11:5] == 7'b0011_001) && csr_addr_i[4:0] >= 5'd3);
        if (Clic && is_clic) csr_o.rdata = clic_rdata;
        if (User && is_user) begin
          exists      = 1'b1;
          csr_o.rdata = user_rdata;
        end
        if (Cfg.Uintr && is_post) begin
          exists      = 1'b1;
          csr_o.rdata = post_rdata;
        end
        if (Pmp && is_pmp) begin
          exists      = 1'b1;
          csr_o.rdata = pmp_rdata;
        end
        if (Cfg.Debug && is_debug) begin
          exists      = 1'b1;
          csr_o.rdata = debug_rdata;
        end
        if (Cfg.Triggers != 0 && is_trigger) begin
          exists      = 1'b1;
          csr_o.rdata = trigger_rdata;
        end
      end
    endcase
  end

  assign csr_o.exists = Cfg.Rvfi && exists;

  // ---------------------------------------------------------------- legality and the value to write
  logic counter_denied;
  always_comb begin
    // cycle, instret and their upper halves from U mode (mcounteren).
    counter_denied = (trap_q.priv == PrivU) && (csr_addr_i[11:8] == 4'hC) && !(User && is_user) &&
                     !(csr_addr_i[1] ? counteren_ir_q : counteren_cy_q);
    csr_o.we      = csr_valid_i && (funct3[1:0] == 2'b01 || rs1 != 5'd0) && !(Clic && special);
    csr_o.illegal = csr_valid_i && (!exists || (csr_addr_i[9:8] > trap_q.priv) ||
                                    (csr_o.we && csr_addr_i[11:10] == 2'b11) || counter_denied ||
                                    (Clic && clic_reserved) || user_reserved);
    unique case (funct3[1:0])
      2'b10:   csr_o.wdata = csr_o.rdata | csr_operand_i;
      2'b11:   csr_o.wdata = csr_o.rdata & ~csr_operand_i;
      default: csr_o.wdata = csr_operand_i;
    endcase
  end

  // ---------------------------------------------------------------- next state
  logic write;
  assign write = csr_fire_i && csr_o.we && !(Clic && is_clic);

  assign minstret_now = minstret_q + 64'(retire_i && !inhibit_ir_q && !minstret_written_q);

  always_comb begin
    written            = trap_q;
    written.u          = User ? user_written : '0;
    tw_d               = tw_q;
    mie_d              = mie_q;
    mtvec_base_d       = mtvec_base_q;
    mtvec_vectored_d   = mtvec_vectored_q;
    mtvt_d             = mtvt_q;
    mscratch_d         = mscratch_q;
    mfastirq_d         = mfastirq_q;
    counteren_cy_d     = counteren_cy_q;
    counteren_ir_d     = counteren_ir_q;
    inhibit_cy_d       = inhibit_cy_q;
    inhibit_ir_d       = inhibit_ir_q;
    mcycle_d           = (inhibit_cy_q || debug.stop_count) ? mcycle_q : mcycle_q + 64'd1 + passed_i;
    minstret_d         = minstret_now;
    // The instruction that writes minstret retires one cycle later. It must not count itself then.
    minstret_written_d = minstret_written_q && !retire_i;

    if (write) begin
      unique case (csr_addr_i)
        CsrMstatus: begin
          tw_d                    = csr_o.wdata[21];
          written.mprv            = csr_o.wdata[17];
          written.m.regs.cause.mpp  = (csr_o.wdata[12:11] == PrivM) ? PrivM : PrivU;  // WARL: only M and U exist
          written.m.regs.cause.mpie = csr_o.wdata[7];
          written.m.ie             = csr_o.wdata[3];
        end
        CsrMie: if (!Clic) begin
          mie_d = '{platform: csr_o.wdata[31:16], external: csr_o.wdata[11], timer: csr_o.wdata[7],
                    software: csr_o.wdata[3]};
        end
        CsrMtvec: begin
          mtvec_vectored_d = csr_o.wdata[0];  // mode 2 and 3 are reserved: bit 1 stays zero
          mtvec_base_d     = csr_o.wdata[31:2];
          if (Clic) begin
            mtvec_vectored_d  = 1'b0;
            mtvec_base_d[5:2] = '0;  // submode
          end else if (csr_o.wdata[0]) begin
            mtvec_base_d[6:2] = '0;
          end
        end
        CsrMcounteren: begin
          counteren_cy_d = csr_o.wdata[0];
          counteren_ir_d = csr_o.wdata[2];
        end
        CsrMcountinhibit: begin
          inhibit_cy_d = csr_o.wdata[0];
          inhibit_ir_d = csr_o.wdata[2];
        end
        CsrMscratch: mscratch_d = csr_o.wdata;
        CsrMfastirq: if (Fast) mfastirq_d = csr_o.wdata;
        CsrMepc:     written.m.regs.epc = csr_o.wdata[31:1];
        CsrMcause: begin
          if (Clic) begin
            written.m.regs.cause = unpack_mcause(csr_o.wdata);
          end else begin
            written.m.regs.cause.irq  = csr_o.wdata[31];
            written.m.regs.cause.code = 12'(csr_o.wdata[4:0]);
          end
        end
        CsrMtval:   written.m.tval = csr_o.wdata;
        CsrMcycle:  mcycle_d[31:0] = csr_o.wdata;
        CsrMcycleh: mcycle_d[63:32] = csr_o.wdata;
        CsrMinstret: begin
          minstret_d         = {minstret_now[63:32], csr_o.wdata};
          minstret_written_d = 1'b1;
        end
        CsrMinstreth: begin
          minstret_d         = {csr_o.wdata, minstret_now[31:0]};
          minstret_written_d = 1'b1;
        end
        default: ;
      endcase
    end

    if (Clic && csr_fire_i && csr_o.we && csr_addr_i == CsrMtvt) mtvt_d = csr_o.wdata[31:TableLsb];
    if (Clic && csr_fire_i && csr_o.we && csr_addr_i == CsrMintthresh) written.m.thresh = csr_o.wdata[7:0];
    if (Clic && csr_fire_i && nxti_mstatus) written.m.ie = nxti_mie;
    if (Clic && csr_fire_i && scratch_swap) mscratch_d = csr_operand_i;
    if (Fast && fast_i.mscratch_we) mscratch_d = fast_i.mscratch;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trap_q             <= '{priv: PrivM, default: '0};
      tw_q               <= 1'b0;
      mie_q              <= '0;
      mtvec_base_q       <= '0;
      mtvec_vectored_q   <= 1'b0;
      mtvt_q             <= '0;
      mscratch_q         <= '0;
      mfastirq_q         <= '0;
      counteren_cy_q     <= 1'b0;
      counteren_ir_q     <= 1'b0;
      inhibit_cy_q       <= 1'b0;
      inhibit_ir_q       <= 1'b0;
      mcycle_q           <= '0;
      minstret_q         <= '0;
      minstret_written_q <= 1'b0;
    end else begin
      trap_q             <= trap_i.next;
      tw_q               <= tw_d;
      mie_q              <= mie_d;
      mtvec_base_q       <= mtvec_base_d;
      mtvec_vectored_q   <= mtvec_vectored_d;
      mtvt_q             <= mtvt_d;
      mscratch_q         <= mscratch_d;
      mfastirq_q         <= mfastirq_d;
      counteren_cy_q     <= counteren_cy_d;
      counteren_ir_q     <= counteren_ir_d;
      inhibit_cy_q       <= inhibit_cy_d;
      inhibit_ir_q       <= inhibit_ir_d;
      mcycle_q           <= mcycle_d;
      minstret_q         <= minstret_d;
      minstret_written_q <= minstret_written_d;
    end
  end

  // ---------------------------------------------------------------- to the other units
  assign trap_o = '{
    now:            trap_q,
    written:        written,
    regs_written:   write && (csr_addr_i == CsrMepc || csr_addr_i == CsrMcause),
    timeout_wait:   tw_q,
    mie:            mie_q,
    mtvec_vectored: mtvec_vectored_q,
    m: '{
      tvec:           mtvec_base_q,
      tvt:            {mtvt_q, {(TableLsb - 6) {1'b0}}},
      fast:           Fast && mfastirq_q[0],
      nest:           mfastirq_q[0] && mfastirq_q[1],
      nxti_claims:    Clic && csr_fire_i && nxti_claim,
      nxti_level:     (funct3 == 3'b010 && rs1 != 5'd0) ? csr_operand_i[23:16] : cause.mpil
    },
    u:              user_setup,
    posted:         posted,
    vector:         post_vector,
    debug:          debug
  };

  assign fast_o = '{
    link:      (User && trap_q.priv == PrivU) ? user_link : mfastirq_q[31:2],
    mscratch:  mscratch_q,
    hint:      mfastirq_q[0] && csr_fire_i && csr_o.we && csr_addr_i == CsrMframe && funct3[1:0] != 2'b11,
    hint_base: csr_operand_i[31:2]  // mframe reads zero: csrrs writes its operand, too
  };

  logic unused;
  assign unused = ^{ex_i, debug};

  if (!Fast) begin : gen_no_fast
    logic unused_fast;
    assign unused_fast = ^{fast_i, mfastirq_q};
  end

endmodule
