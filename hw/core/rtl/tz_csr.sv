// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Control and status registers (Privileged Architecture 1.12, M and U modes; Fast Interrupts v0.10 with the CLIC), trap
// entry and return, and the counters. Interrupts are decided by tz_irq_clint or tz_irq_clic. A CSR is read and written in
// EX in one cycle; what it writes holds from the next cycle on, so nothing stalls.
module tz_csr
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // CSR instruction in EX
  input  logic        csr_valid_i,   // EX holds a CSR instruction
  input  logic        csr_fire_i,    // and it completes in this cycle
  input  logic [11:0] csr_addr_i,
  input  logic [2:0]  csr_funct3_i,
  input  logic [4:0]  csr_rs1_i,     // rs1 field: the register's number or the immediate
  input  logic [4:0]  csr_rd_i,      // rd field
  input  logic [31:0] csr_pc_i,      // its address
  input  logic [31:0] csr_operand_i,
  output logic [31:0] csr_rdata_o,
  output logic        csr_illegal_o,
  output logic        csr_we_o,      // it writes (if it fires)
  output logic [31:0] csr_wdata_o,
  output logic        csr_jump_o,    // jalxnxti jumps through the table entry at irq_entry_o (if it fires)

  // Traps and returns
  input  trap_t       trap_i,
  input  logic        mret_i,
  input  logic        trap_irq_i,    // that, or a chained one, is the interrupt, if there is one
  output logic [31:0] trap_target_o, // of either; a table entry for a vectored one
  output logic [31:0] mepc_o,        // where mret goes
  output logic        minhv_o,       // mepc is the address of a table entry

  // fastirq
  output fast_from_csr_t fast_o,
  input  fast_to_csr_t   fast_i,

  // State the pipeline needs
  output logic [1:0]  priv_o,
  output logic [1:0]  priv_next_o,      // behind this cycle: of what a redirect fetches
  output logic [1:0]  priv_data_o,      // of loads and stores (mstatus.MPRV)
  output logic        timeout_wait_o,   // mstatus.TW
  input  logic        retire_i,         // an instruction retires in WB in this cycle

  // Interrupts
  input  irq_pkg::clint_pending_t irq_pending_i,  // CLINT scheme
  input  irq_pkg::clic_offer_t    irq_offer_i,    // CLIC scheme
  output irq_pkg::clic_claim_t    irq_claim_o,
  output irq_t        irq_o,            // to be taken as soon as the pipeline can
  output logic [31:0] irq_entry_o       // CLIC: address of the offer's table entry
);

  localparam bit Clic = (Cfg.IrqScheme == irq_pkg::IrqClic);
  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);
  localparam bit ExtB = Cfg.ExtZba && Cfg.ExtZbb && Cfg.ExtZbs;  // misa.B stands for all three

  // ---------------------------------------------------------------- registers
  typedef struct packed {
    logic       tw;
    logic       mprv;
    logic [1:0] mpp;
    logic       mpie;
    logic       mie;
  } mstatus_t;

  logic [1:0]  priv_d, priv_q;
  mstatus_t    mstatus_d, mstatus_q;
  irq_pkg::clint_pending_t mie_d, mie_q;
  logic [31:2] mtvec_base_d, mtvec_base_q;
  logic        mtvec_vectored_d, mtvec_vectored_q;
  logic [31:0] mscratch_d, mscratch_q;
  logic [31:0] mfastirq_d, mfastirq_q;
  logic [31:1] mepc_d, mepc_q;
  logic        mcause_irq_d, mcause_irq_q;
  logic [11:0] mcause_code_d, mcause_code_q;
  logic [7:0]  mpil_d, mpil_q;            // CLIC: mcause.mpil
  logic        minhv_d, minhv_q;          // CLIC: mcause.minhv
  logic        hold_d, hold_q;            // fastirq: mepc and mcause are nowhere else
  logic [31:0] mtval_d, mtval_q;
  logic        counteren_cy_d, counteren_cy_q, counteren_ir_d, counteren_ir_q;
  logic        inhibit_cy_d, inhibit_cy_q, inhibit_ir_d, inhibit_ir_q;
  logic [63:0] mcycle_d, mcycle_q, minstret_d, minstret_q;
  logic        minstret_written_d, minstret_written_q;

  function automatic logic [31:0] pack_irq(irq_pkg::clint_pending_t p);
    return {p.platform, 4'b0, p.external, 3'b0, p.timer, 3'b0, p.software, 3'b0};
  endfunction

  localparam logic [31:0] Misa = {2'b01, 4'b0, 5'b0, 1'b1 /* U */, 7'b0, Cfg.ExtM, 3'b0, !Cfg.RV32E /* I */, 3'b0,
                                  Cfg.RV32E /* E */, 1'b0, Cfg.ExtC, ExtB, Cfg.ExtA};

  logic [31:0] mstatus;
  assign mstatus = {10'b0, mstatus_q.tw, 3'b0, mstatus_q.mprv, 4'b0, mstatus_q.mpp, 3'b0, mstatus_q.mpie, 3'b0,
                    mstatus_q.mie, 3'b0};

  logic [31:0] mcause;
  if (Clic) begin : gen_mcause_clic  // mpp and mpie are those of mstatus
    assign mcause = {mcause_irq_q, minhv_q, mstatus_q.mpp, mstatus_q.mpie, 3'b0, mpil_q, 4'b0, mcause_code_q};
  end else begin : gen_mcause_clint
    logic unused;
    assign unused = ^{minhv_q, mpil_q, mcause_code_q[11:5]};
    assign mcause = {mcause_irq_q, 26'b0, mcause_code_q[4:0]};
  end

  // ---------------------------------------------------------------- CSRs of the CLIC that do more than hold a value
  // xnxti (mnxti): csrrs, csrrsi, csrrci only; the write goes to mstatus, and commits to the interrupt if it qualifies.
  // jalxnxti: `csrrw ra, 0x7ED, ra` jumps to the handler of an interrupt that qualifies, with ra set to itself, or does
  // nothing. mscratchcsw and mscratchcswl: csrrw with registers only; they swap on a condition.
  logic [31:0] mtvt, clic_rdata;
  logic [7:0]  mil, mintthresh;
  logic        is_clic, clic_reserved, registers_only, special;
  logic        next, next_write, next_mstatus, next_mie, next_claim, scratch_swap, is_nxti, is_jal;
  assign is_nxti        = (csr_addr_i == CsrMnxti);
  assign is_jal         = (csr_addr_i == CsrJalmnxti);
  assign registers_only = (csr_funct3_i == 3'b001) && (csr_rs1_i != 5'd0) && (csr_rd_i != 5'd0);
  always_comb begin
    is_clic       = 1'b1;
    clic_rdata    = '0;
    clic_reserved = 1'b0;
    scratch_swap  = 1'b0;
    unique case (csr_addr_i)
      CsrMtvt:       clic_rdata = mtvt;
      CsrMintthresh: clic_rdata = {24'b0, mintthresh};
      CsrMintstatus: clic_rdata = {mil, 24'b0};
      CsrMnxti: begin
        clic_rdata    = next ? irq_entry_o : '0;
        clic_reserved = !(csr_funct3_i == 3'b010 || csr_funct3_i == 3'b110 || csr_funct3_i == 3'b111) ||
                        (csr_funct3_i == 3'b110 && (csr_rs1_i & 5'b10101) != 5'd0);
      end
      CsrJalmnxti: begin
        clic_rdata    = next ? csr_pc_i : csr_operand_i;
        clic_reserved = !registers_only || (csr_rd_i != csr_rs1_i);
      end
      CsrMscratchcsw: begin
        scratch_swap  = (mstatus_q.mpp != PrivM);
        clic_rdata    = scratch_swap ? mscratch_q : csr_operand_i;
        clic_reserved = !registers_only;
      end
      CsrMscratchcswl: begin
        scratch_swap  = (mpil_q == '0) != (mil == '0);
        clic_rdata    = scratch_swap ? mscratch_q : csr_operand_i;
        clic_reserved = !registers_only;
      end
      default: is_clic = 1'b0;
    endcase
  end
  // These write through their own paths, and are no plain writes in the retirement record.
  assign special      = is_nxti || is_jal || csr_addr_i == CsrMscratchcsw || csr_addr_i == CsrMscratchcswl;
  assign next_write   = is_nxti && (csr_rs1_i != 5'd0) && (csr_operand_i[4:0] != 5'd0);
  assign next_mstatus = (is_nxti && csr_rs1_i != 5'd0 && csr_operand_i[3]) || (is_jal && next);
  assign next_mie     = !(is_nxti && csr_funct3_i == 3'b111);
  assign next_claim   = next && (next_write || is_jal);
  assign csr_jump_o   = Clic && csr_valid_i && is_jal && next;

  // ---------------------------------------------------------------- read
  // The counters are read with the instructions ahead of this one included: the one in WB retires in this cycle.
  logic [63:0] minstret_now;
  logic        exists;
  always_comb begin
    exists      = 1'b1;
    csr_rdata_o = '0;
    unique case (csr_addr_i)
      CsrMfastirq: begin
        exists      = Fast;
        csr_rdata_o = mfastirq_q;
      end
      CsrMframe:        exists = Fast;                         // reads zero
      CsrMstatus:       csr_rdata_o = mstatus;
      CsrMisa:          csr_rdata_o = Misa;
      CsrMie:           csr_rdata_o = pack_irq(mie_q);         // zero with the CLIC
      CsrMtvec:         csr_rdata_o = {mtvec_base_q, Clic, mtvec_vectored_q || Clic};
      CsrMcounteren:    csr_rdata_o = {29'b0, counteren_ir_q, 1'b0, counteren_cy_q};
      CsrMcountinhibit: csr_rdata_o = {29'b0, inhibit_ir_q, 1'b0, inhibit_cy_q};
      CsrMscratch:      csr_rdata_o = mscratch_q;
      CsrMepc:          csr_rdata_o = {mepc_q, 1'b0};
      CsrMcause:        csr_rdata_o = mcause;
      CsrMtval:         csr_rdata_o = mtval_q;
      CsrMip:           csr_rdata_o = Clic ? '0 : pack_irq(irq_pending_i);
      CsrMcycle, CsrCycle:       csr_rdata_o = mcycle_q[31:0];
      CsrMcycleh, CsrCycleh:     csr_rdata_o = mcycle_q[63:32];
      CsrMinstret, CsrInstret:   csr_rdata_o = minstret_now[31:0];
      CsrMinstreth, CsrInstreth: csr_rdata_o = minstret_now[63:32];
      CsrMhartid:       csr_rdata_o = Cfg.HartId;
      CsrMstatush, CsrMenvcfg, CsrMenvcfgh, CsrMvendorid, CsrMarchid, CsrMimpid, CsrMconfigptr: csr_rdata_o = '0;
      default: begin
        // mhpmcounter3..31, their upper halves, and mhpmevent3..31 exist and read zero.
        exists = (Clic && is_clic) ||
                 ((csr_addr_i[11:5] == 7'b1011_000 || csr_addr_i[11:5] == 7'b1011_100 ||
                   csr_addr_i[11:5] == 7'b0011_001) && csr_addr_i[4:0] >= 5'd3);
        if (Clic && is_clic) csr_rdata_o = clic_rdata;
      end
    endcase
  end

  // ---------------------------------------------------------------- legality and the value to write
  logic counter_denied;
  always_comb begin
    // cycle, instret and their upper halves from U mode (mcounteren).
    counter_denied = (priv_q == PrivU) && (csr_addr_i[11:8] == 4'hC) &&
                     !(csr_addr_i[1] ? counteren_ir_q : counteren_cy_q);
    csr_we_o      = csr_valid_i && (csr_funct3_i[1:0] == 2'b01 || csr_rs1_i != 5'd0) && !(Clic && special);
    csr_illegal_o = csr_valid_i && (!exists || (csr_addr_i[9:8] > priv_q) ||
                                    (csr_we_o && csr_addr_i[11:10] == 2'b11) || counter_denied ||
                                    (Clic && clic_reserved));
    unique case (csr_funct3_i[1:0])
      2'b10:   csr_wdata_o = csr_rdata_o | csr_operand_i;
      2'b11:   csr_wdata_o = csr_rdata_o & ~csr_operand_i;
      default: csr_wdata_o = csr_operand_i;
    endcase
  end

  // ---------------------------------------------------------------- fastirq
  logic       write;
  // A frame's mcause may have been written by software: modes that do not exist read as U, as in mcause itself.
  mcause_t    frame_cause;
  logic       return_emret, fast_nest, chain_ok, chain_regs_ok;
  logic [1:0] return_mpp;
  assign frame_cause  = fast_i.emret ? fast_i.frame.cause : unpack_mcause(fast_i.load_data);
  assign return_emret = Fast && fast_i.emret && !fast_i.chain;
  assign return_mpp   = return_emret ? fast_i.frame.cause.mpp : mstatus_q.mpp;

  assign fast_nest = mfastirq_q[0] && mfastirq_q[1];
  assign fast_o    = '{
    enable:   Fast && mfastirq_q[0],
    link:     mfastirq_q[31:2],
    leaves:   '{epc:   trap_i.epc[31:1],
                cause: '{irq: 1'b1, minhv: trap_i.minhv, mpp: priv_q, mpie: mstatus_q.mie, mpil: mil,
                         code: trap_i.code}},
    regs:     '{epc:   mepc_q,
                cause: '{irq: mcause_irq_q, minhv: minhv_q, mpp: mstatus_q.mpp, mpie: mstatus_q.mpie, mpil: mpil_q,
                         code: mcause_code_q}},
    mscratch: mscratch_q,
    chain_ok: chain_ok,
    chain_regs_ok: chain_regs_ok,
    hold:      hold_q && !mstatus_q.mie,
    hint:      mfastirq_q[0] && csr_fire_i && csr_we_o && csr_addr_i == CsrMframe && csr_funct3_i[1:0] != 2'b11,
    hint_base: csr_operand_i[31:2]  // it reads zero: csrrs writes this, too, and csrrc nothing that is a frame
  };

  // An exception for a frame waits where it would destroy mepc and mcause: from an entry that has not put them into a
  // frame, or at mtvec, where software asks mcause what it is, and from where software writes them, until the return; not
  // where software lets itself be interrupted.
  logic framed;  // an entry in this cycle is that of a vectored interrupt with a frame
  assign framed = mfastirq_q[0] && irq_o.shv;
  always_comb begin
    hold_d = hold_q && !mstatus_q.mie;
    if (write && (csr_addr_i == CsrMepc || csr_addr_i == CsrMcause)) hold_d = 1'b1;
    if (mret_i || return_emret) hold_d = 1'b0;
    if (fast_i.chain) hold_d = !framed;
    if (trap_i.valid) hold_d = !(trap_i.irq && framed);
    if (!Fast) hold_d = 1'b0;
  end

  // ---------------------------------------------------------------- next state
  assign write = csr_fire_i && csr_we_o && !(Clic && is_clic);

  assign minstret_now = minstret_q + 64'(retire_i && !inhibit_ir_q && !minstret_written_q);

  always_comb begin
    priv_d             = priv_q;
    mstatus_d          = mstatus_q;
    mie_d              = mie_q;
    mtvec_base_d       = mtvec_base_q;
    mtvec_vectored_d   = mtvec_vectored_q;
    mscratch_d         = mscratch_q;
    mfastirq_d         = mfastirq_q;
    mepc_d             = mepc_q;
    mcause_irq_d       = mcause_irq_q;
    mcause_code_d      = mcause_code_q;
    mpil_d             = mpil_q;
    minhv_d            = minhv_q;
    mtval_d            = mtval_q;
    counteren_cy_d     = counteren_cy_q;
    counteren_ir_d     = counteren_ir_q;
    inhibit_cy_d       = inhibit_cy_q;
    inhibit_ir_d       = inhibit_ir_q;
    mcycle_d           = mcycle_q + 64'(!inhibit_cy_q);
    minstret_d         = minstret_now;
    // An instruction that writes minstret does not count itself when it retires, which it does one cycle later.
    minstret_written_d = minstret_written_q && !retire_i;

    if (write) begin
      unique case (csr_addr_i)
        CsrMstatus: begin
          mstatus_d.tw   = csr_wdata_o[21];
          mstatus_d.mprv = csr_wdata_o[17];
          mstatus_d.mpp  = (csr_wdata_o[12:11] == PrivM) ? PrivM : PrivU;  // WARL: only M and U exist
          mstatus_d.mpie = csr_wdata_o[7];
          mstatus_d.mie  = csr_wdata_o[3];
        end
        CsrMie: if (!Clic) begin
          mie_d = '{platform: csr_wdata_o[31:16], external: csr_wdata_o[11], timer: csr_wdata_o[7],
                    software: csr_wdata_o[3]};
        end
        CsrMtvec: begin
          mtvec_vectored_d = csr_wdata_o[0];  // mode 2 and 3 are reserved: bit 1 stays zero
          mtvec_base_d     = csr_wdata_o[31:2];
          if (Clic) begin
            mtvec_vectored_d  = 1'b0;
            mtvec_base_d[5:2] = '0;  // submode
          end else if (csr_wdata_o[0]) begin
            mtvec_base_d[6:2] = '0;
          end
        end
        CsrMcounteren: begin
          counteren_cy_d = csr_wdata_o[0];
          counteren_ir_d = csr_wdata_o[2];
        end
        CsrMcountinhibit: begin
          inhibit_cy_d = csr_wdata_o[0];
          inhibit_ir_d = csr_wdata_o[2];
        end
        CsrMscratch: mscratch_d = csr_wdata_o;
        CsrMfastirq: if (Fast) mfastirq_d = csr_wdata_o;
        CsrMepc:     mepc_d = csr_wdata_o[31:1];
        CsrMcause: begin
          mcause_irq_d  = csr_wdata_o[31];
          mcause_code_d = 12'(csr_wdata_o[4:0]);
          if (Clic) begin
            mcause_code_d  = csr_wdata_o[11:0];
            mpil_d         = csr_wdata_o[23:16];
            minhv_d        = csr_wdata_o[30];
            mstatus_d.mpp  = (csr_wdata_o[29:28] == PrivM) ? PrivM : PrivU;
            mstatus_d.mpie = csr_wdata_o[27];
          end
        end
        CsrMtval:   mtval_d = csr_wdata_o;
        CsrMcycle:  mcycle_d[31:0] = csr_wdata_o;
        CsrMcycleh: mcycle_d[63:32] = csr_wdata_o;
        CsrMinstret: begin
          minstret_d         = {minstret_now[63:32], csr_wdata_o};
          minstret_written_d = 1'b1;
        end
        CsrMinstreth: begin
          minstret_d         = {csr_wdata_o, minstret_now[31:0]};
          minstret_written_d = 1'b1;
        end
        default: ;
      endcase
    end

    if (Clic && csr_fire_i && next_mstatus) mstatus_d.mie = next_mie;
    if (Clic && csr_fire_i && next_claim) begin
      mcause_irq_d  = 1'b1;
      mcause_code_d = irq_o.id;
    end
    if (Clic && csr_fire_i && scratch_swap) mscratch_d = csr_operand_i;

    // fastirq: emret first reads mepc and mcause from the frame, ...
    if (Fast && (fast_i.emret || fast_i.load_epc)) mepc_d = fast_i.emret ? fast_i.frame.epc : fast_i.load_data[31:1];
    if (Fast && (fast_i.emret || fast_i.load_cause)) begin
      mcause_irq_d   = frame_cause.irq;
      mcause_code_d  = frame_cause.code;
      mpil_d         = frame_cause.mpil;
      minhv_d        = frame_cause.minhv;
      mstatus_d.mpp  = frame_cause.mpp;
      mstatus_d.mpie = frame_cause.mpie;
    end
    // ... then takes the next interrupt or returns.
    if (Fast && fast_i.chain) begin
      mcause_irq_d  = 1'b1;
      mcause_code_d = irq_o.id;
      minhv_d       = 1'b0;
      mstatus_d.mie = fast_nest && irq_o.shv;
    end

    if (mret_i || return_emret) begin
      priv_d         = return_mpp;
      mstatus_d.mie  = return_emret ? fast_i.frame.cause.mpie : mstatus_q.mpie;
      mstatus_d.mpie = 1'b1;
      mstatus_d.mpp  = PrivU;
      if (return_mpp != PrivM) mstatus_d.mprv = 1'b0;
    end
    if (Fast && fast_i.mscratch_we) mscratch_d = fast_i.mscratch;

    if (trap_i.valid) begin
      priv_d         = PrivM;
      mstatus_d.mpp  = priv_q;
      mstatus_d.mpie = mstatus_q.mie;
      mstatus_d.mie  = Fast && trap_i.irq && irq_o.shv && fast_nest;
      mepc_d         = trap_i.epc[31:1];
      mcause_irq_d   = trap_i.irq;
      mcause_code_d  = trap_i.code;
      mtval_d        = trap_i.tval;
      mpil_d         = mil;
      minhv_d        = trap_i.minhv;
    end

    if (!Cfg.ExtC) mepc_d[1] = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      priv_q             <= PrivM;
      mstatus_q          <= '0;
      mie_q              <= '0;
      mtvec_base_q       <= '0;
      mtvec_vectored_q   <= 1'b0;
      mscratch_q         <= '0;
      mfastirq_q         <= '0;
      mepc_q             <= '0;
      mcause_irq_q       <= 1'b0;
      mcause_code_q      <= '0;
      mpil_q             <= '0;
      minhv_q            <= 1'b0;
      hold_q             <= 1'b0;
      mtval_q            <= '0;
      counteren_cy_q     <= 1'b0;
      counteren_ir_q     <= 1'b0;
      inhibit_cy_q       <= 1'b0;
      inhibit_ir_q       <= 1'b0;
      mcycle_q           <= '0;
      minstret_q         <= '0;
      minstret_written_q <= 1'b0;
    end else begin
      priv_q             <= priv_d;
      mstatus_q          <= mstatus_d;
      mie_q              <= mie_d;
      mtvec_base_q       <= mtvec_base_d;
      mtvec_vectored_q   <= mtvec_vectored_d;
      mscratch_q         <= mscratch_d;
      mfastirq_q         <= mfastirq_d;
      mepc_q             <= mepc_d;
      mcause_irq_q       <= mcause_irq_d;
      mcause_code_q      <= mcause_code_d;
      mpil_q             <= mpil_d;
      minhv_q            <= minhv_d;
      hold_q             <= hold_d;
      mtval_q            <= mtval_d;
      counteren_cy_q     <= counteren_cy_d;
      counteren_ir_q     <= counteren_ir_d;
      inhibit_cy_q       <= inhibit_cy_d;
      inhibit_ir_q       <= inhibit_ir_d;
      mcycle_q           <= mcycle_d;
      minstret_q         <= minstret_d;
      minstret_written_q <= minstret_written_d;
    end
  end

  // ---------------------------------------------------------------- interrupts
  logic global_enable;
  assign global_enable = mstatus_q.mie || (priv_q == PrivU);

  if (Clic) begin : gen_clic
    tz_irq_clic #(
      .NumSources(Cfg.NumIrqSources)
    ) u_irq (
      .clk_i,
      .rst_ni,
      .offer_i        (irq_offer_i),
      .irq_o,
      .user_i         (priv_q == PrivU),
      .mie_i          (mstatus_q.mie),
      .enter_i        (irq_claim_o.valid),
      .exception_i    (trap_i.valid && !trap_i.irq),
      .return_i       (mret_i || return_emret),
      .return_user_i  (return_mpp != PrivM),
      .return_level_i (return_emret ? fast_i.frame.cause.mpil : mpil_q),
      .mil_o          (mil),
      .next_level_i   ((csr_funct3_i == 3'b010 && csr_rs1_i != 5'd0) ? csr_operand_i[23:16] : mpil_q),
      .next_o         (next),
      .chain_level_i  (fast_i.level),
      .chain_o        (chain_ok),
      .chain_regs_level_i(mpil_q),
      .chain_regs_o   (chain_regs_ok),
      .entry_o        (irq_entry_o),
      .mtvt_we_i      (csr_fire_i && csr_we_o && csr_addr_i == CsrMtvt),
      .mintthresh_we_i(csr_fire_i && csr_we_o && csr_addr_i == CsrMintthresh),
      .wdata_i        (csr_wdata_o),
      .mtvt_o         (mtvt),
      .mintthresh_o   (mintthresh)
    );
    // A vectored interrupt clears its pending bit as it is taken, the others when xnxti hands them out.
    assign irq_claim_o.valid = (trap_i.valid && trap_i.irq) || (csr_fire_i && next_claim) || fast_i.chain;
    assign irq_claim_o.clear = irq_o.shv || (csr_fire_i && next_claim);
    assign trap_target_o     = (trap_irq_i && irq_o.shv) ? irq_entry_o : {mtvec_base_q[31:6], 6'b0};
    logic unused_clint;
    assign unused_clint = ^{irq_pending_i, global_enable};
  end else begin : gen_clint
    tz_irq_clint u_irq (
      .pending_i(irq_pending_i),
      .enable_i (mie_q),
      .global_i (global_enable),
      .irq_o
    );
    assign irq_claim_o   = '0;
    assign irq_entry_o   = '0;
    assign mil           = '0;
    assign next          = 1'b0;
    assign {chain_ok, chain_regs_ok} = '0;
    assign mtvt          = '0;
    assign mintthresh    = '0;
    assign trap_target_o = {mtvec_base_q[31:7],
                            (mtvec_vectored_q && trap_i.irq) ? trap_i.code[4:0] : mtvec_base_q[6:2], 2'b00};
    logic unused_clic;
    assign unused_clic = ^{irq_offer_i, trap_irq_i};
  end

  // Where mret goes; a table entry is a word.
  assign minhv_o        = Clic && minhv_q;
  assign mepc_o         = {mepc_q[31:2], mepc_q[1] && !minhv_o, 1'b0};
  assign priv_o         = priv_q;
  assign priv_next_o    = priv_d;
  assign priv_data_o    = mstatus_q.mprv ? mstatus_q.mpp : priv_q;
  assign timeout_wait_o = mstatus_q.tw;

  logic unused;
  assign unused = trap_i.epc[0];
  if (!Fast) begin : gen_no_fast
    logic unused_fast;
    assign unused_fast = ^{fast_i, frame_cause, mfastirq_q};
  end

endmodule
