// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Trapeze core: RV32I/E, M, A, C, Zicsr, Zifencei, Zba, Zbb, Zbs, M and U modes; in order, single issue, four stages.
//
//   IF  tz_fetch       requests words, aligns instructions
//   ID  tz_id          expands, decodes, collects operands, knows jal and predicted branches
//   EX  tz_ex, tz_lsu  executes, resolves branches, sends loads and stores; tz_csr, tz_trap: CSRs, traps
//   WB  this file      receives loads, writes registers, retires
//
// Beside them tz_fastirq saves the context of interrupts (Cfg.Saver). Traps are precise. An interrupt
// replaces the instruction in EX, also in the middle of a division; it waits only for a memory access already on the bus.
// Backward branches are predicted taken, forward ones not taken. Timing with its assumptions: docs/core.md, "Cycle table".
module trapeze_core
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t instr_req_o,
  input  obi_pkg::obi_rsp_t instr_rsp_i,
  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,

  output obi_pkg::obi_req_t frame_req_o,  // fastirq: frames and table entries, in memories; may share a bus port
  input  obi_pkg::obi_rsp_t frame_rsp_i,

  input  irq_pkg::clint_pending_t irq_pending_i, // CLINT scheme: mip
  input  irq_pkg::clic_offer_t    irq_offer_i,   // CLIC scheme; the other one's input is ignored
  output irq_pkg::clic_claim_t    irq_claim_o,
  output logic                    sleep_o,       // waiting in WFI

  output rvfi_pkg::rvfi_t      rvfi_o,
  output rvfi_pkg::irq_event_t irq_event_o
);

  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);
  localparam int unsigned NumBanks = (Cfg.Saver == core_cfg_pkg::SaverBanks) ? Cfg.NumBanks : 0;
  localparam int unsigned BankW = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1;

  if (Cfg.ResetVector[1:0] != '0) begin : gen_check_reset_vector
    $fatal(1, "trapeze_core: ResetVector must be 4-byte aligned");
  end
  if (!(Cfg.DivBitsPerCycle inside {1, 2, 4})) begin : gen_check_div
    $fatal(1, "trapeze_core: DivBitsPerCycle must be 1, 2 or 4");
  end
  if (Cfg.NumIrqSources < 1 || Cfg.NumIrqSources > 4096) begin : gen_check_sources
    $fatal(1, "trapeze_core: NumIrqSources must be 1 to 4096");
  end
  if (Fast && Cfg.IrqScheme != irq_pkg::IrqClic) begin : gen_check_saver
    $fatal(1, "trapeze_core: a Saver needs the CLIC (IrqScheme)");
  end
  if (Cfg.Saver == core_cfg_pkg::SaverBanks && (Cfg.NumBanks < 1 || Cfg.NumBanks > 4)) begin : gen_check_banks
    $fatal(1, "trapeze_core: NumBanks must be 1 to 4");
  end
  if (!frame_agrees(Cfg.RV32E)) begin : gen_check_frame
    $fatal(1, "trapeze_core: tz_core_pkg and isa_pkg differ on the order of the frame");
  end

  // ================================================================ signals between the stages
  // Redirects, youngest stage last; a later stage's wins.
  logic        id_redirect, ex_redirect, id_jump;
  logic [31:0] id_target, ex_target;
  trap_t       trap;
  logic [31:0] trap_target, mepc, irq_entry;
  logic [1:0]  priv, priv_next, priv_data;
  logic        ex_table;         // the redirect of EX goes through a table entry
  logic        vector_hit;       // the handler's address is known already:
  logic [31:1] vector;
  irq_t        irq;

  // EX register
  logic        ex_valid_d, ex_valid_q;
  ctrl_t       ex_ctrl_q;
  logic [31:0] ex_pc_q, ex_insn_q;
  logic [31:0] ex_op_a_q, ex_op_b_q, ex_store_data_q;
  logic        ex_late_a_q, ex_late_b_q, ex_late_store_q;  // operand is the load in WB
  logic [31:0] ex_op_a, ex_op_b, ex_store_data;
  logic [31:0] ex_alt_q;         // where to go if the prediction fails; else the next instruction's address
  logic        ex_pred_taken_q;
  logic        ex_fault_q, ex_fault_second_q, ex_fault_table_q;
  logic        ex_ready, ex_plain, ex_fire, ex_flush;
  logic        is_load, is_store, is_sc, is_amo;  // SC and AMO are stores, too
  logic [31:0] ex_result;

  // WB register
  logic        wb_valid_q;       // an instruction that retires when its answer, if any, is there
  logic        wb_mem_q;         // an answer is awaited
  logic        wb_store_q, wb_load_q, wb_sc_q, wb_rd_we_q;
  logic [4:0]  wb_rd_q;
  logic [31:0] wb_result_q, wb_pc_q;  // of a load or store the result is its address
  logic        wb_ready, wb_fault, wb_retire, wb_write;
  logic [31:0] wb_wdata;
  logic [31:0] cycle;            // since reset, for the time stamps (lower half)
  logic [BankW-1:0] bank, drain_bank, fill_bank;  // fastirq
  logic        sp_set, fill_we, link, fast_wait, fast_chains, fast_returns;
  logic [31:0] sp, sp_new, sp_next, drain_data, fill_data, frame_epc, frame_fault_addr;
  logic [3:0]  fill_word, drain_word;
  fast_to_csr_t fast;

  // Where an interrupt goes, and whether that is a table entry.
  logic [31:0] handler;
  logic        handler_table, trap_irq;
  assign handler       = (trap_irq && irq.shv && vector_hit) ? {vector, 1'b0} : trap_target;
  assign handler_table = irq.shv && !vector_hit;

  // ================================================================ IF
  logic        if_valid, id_ready;
  fetch_t      fetch;
  tz_fetch #(.ResetVector(Cfg.ResetVector), .ExtC(Cfg.ExtC), .Rvfi(Cfg.Rvfi)) u_fetch (
    .clk_i,
    .rst_ni,
    .instr_req_o,
    .instr_rsp_i,
    .redirect_i    (ex_flush || id_redirect),
    .aim_i         (ex_flush || (if_valid && id_jump)),  // does not wait for EX to be ready
    .redirect_pc_i (ex_flush ? (trap.valid ? handler : ex_target) : id_target),
    .redirect_table_i(trap.valid ? (trap.irq && handler_table) : (ex_redirect && ex_table)),
    .prv_i         (priv_next),
    .valid_o       (if_valid),
    .ready_i       (id_ready),
    .fetch_o       (fetch),
    .cycle_i       (cycle)
  );

  // ================================================================ ID
  id_t         id;
  logic        id_wait, id_fire;
  logic [4:0]  id_rs1, id_rs2, id_rs1_used, id_rs2_used;
  logic [31:0] rf_rs1, rf_rs2, id_rs1_data, id_rs2_data;
  tz_id #(.Cfg(Cfg)) u_id (
    .fetch_i      (fetch),
    .rs1_o        (id_rs1),
    .rs2_o        (id_rs2),
    .rs1_data_i   (rf_rs1),
    .rs2_data_i   (rf_rs2),
    .ex_valid_i   (ex_valid_q),
    .ex_load_i    (is_load || is_amo),
    .ex_sc_i      (is_sc),
    .ex_rd_we_i   (ex_ctrl_q.rd_we),
    .ex_rd_i      (ex_ctrl_q.rd),
    .ex_result_i  (ex_result),
    .wb_valid_i   (wb_valid_q),
    .wb_rd_we_i   (wb_rd_we_q),
    .wb_rd_i      (wb_rd_q),
    .wb_wdata_i   (wb_wdata),
    .wb_ready_i   (wb_ready),
    .id_o         (id),
    .wait_o       (id_wait),
    .jump_o       (id_jump),
    .jump_target_o(id_target),
    .rs1_used_o   (id_rs1_used),
    .rs2_used_o   (id_rs2_used),
    .rs1_data_o   (id_rs1_data),
    .rs2_data_o   (id_rs2_data)
  );

  tz_regfile #(.RV32E(Cfg.RV32E), .Fast(Fast), .NumBanks(NumBanks), .Gates(Cfg.Gates)) u_regfile (
    .clk_i,
    .raddr_a_i(id_rs1),
    .rdata_a_o(rf_rs1),
    .raddr_b_i(id_rs2),
    .rdata_b_o(rf_rs2),
    .we_i     (wb_write),
    .waddr_i  (wb_rd_q),
    .wdata_i  (wb_wdata),
    .bank_i   (bank),
    .sp_set_i (sp_set),
    .sp_i     (sp_new),
    .sp_o     (sp),
    .sp_next_o(sp_next),
    .fill_we_i(fill_we),
    .fill_bank_i (fill_bank),
    .fill_word_i (fill_word),
    .fill_data_i (fill_data),
    .link_i      (link),
    .drain_bank_i(drain_bank),
    .drain_word_i(drain_word),
    .drain_data_o(drain_data)
  );

  // A flush is kept out of the enables of IF and EX: what they do then does not matter. Nor does IF know that an access
  // waits for a frame, which is late and rare: what it gave away is fetched again.
  assign id_ready    = ex_ready && !id_wait;
  assign id_fire     = if_valid && id_ready && !ex_flush;
  assign id_redirect = if_valid && id_ready && id_jump;

  // ================================================================ EX
  logic [31:0] lsu_rdata, ex_base;
  logic        operand_late, lsu_plain;
  assign ex_op_a       = ex_late_a_q ? lsu_rdata : ex_op_a_q;
  assign ex_op_b       = ex_late_b_q ? lsu_rdata : ex_op_b_q;
  assign ex_store_data = ex_late_store_q ? lsu_rdata : ex_store_data_q;

  logic ex_exc, is_div, is_csr, is_wfi, is_emret;
  assign is_load   = ex_valid_q && (ex_ctrl_q.kind == KindLoad);
  assign is_store  = ex_valid_q && (ex_ctrl_q.kind == KindStore);
  assign is_sc     = is_store && (ex_ctrl_q.atop == obi_pkg::AtopSc);
  assign is_amo    = is_store && (ex_ctrl_q.atop != obi_pkg::AtopNone) && !is_sc;
  assign is_div    = ex_valid_q && (ex_ctrl_q.kind == KindDiv);
  assign is_csr    = ex_valid_q && (ex_ctrl_q.kind == KindCsr);
  assign is_wfi    = ex_valid_q && (ex_ctrl_q.kind == KindWfi) && !ex_exc;

  // What a load brings, some operations take from EX's registers; and addresses, unless it is a word.
  assign ex_base      = ex_late_a_q ? data_rsp_i.rdata : ex_op_a_q;
  assign operand_late = (Cfg.ExtM && (ex_late_a_q || ex_late_b_q) && (ex_ctrl_q.result inside {ResMul, ResDiv})) ||
      (ex_late_a_q && ((ex_ctrl_q.kind == KindAlu && (ex_ctrl_q.alu_op inside {AluClz, AluCtz, AluCpop})) ||
                       (!lsu_plain && (ex_ctrl_q.kind inside {KindLoad, KindStore, KindJalr}))));

  logic        div_ready, mispredict, target_bad;
  logic [31:0] alu_sum, jalr_target, csr_rdata;
  tz_ex #(.Cfg(Cfg)) u_ex (
    .clk_i,
    .rst_ni,
    .ctrl_i       (ex_ctrl_q),
    .op_a_i       (ex_op_a),
    .op_b_i       (ex_op_b),
    .early_a_i    (ex_op_a_q),
    .early_b_i    (ex_op_b_q),
    .base_i       (ex_base),
    .alt_i        (ex_alt_q),
    .pred_taken_i (ex_pred_taken_q),
    .csr_rdata_i  (csr_rdata),
    .div_valid_i  (is_div && wb_ready && !operand_late),
    .div_taken_i  (ex_fire && is_div),
    .kill_i       (trap.valid),
    .result_o     (ex_result),
    .sum_o        (alu_sum),
    .ready_o      (div_ready),
    .mispredict_o (mispredict),
    .jalr_target_o(jalr_target),
    .target_bad_o (target_bad)
  );

  // ---------------------------------------------------------------- CSRs and traps
  logic        timeout_wait, csr_illegal, csr_we, csr_jump, minhv;
  logic [31:0] csr_wdata;
  fast_from_csr_t csr_fast;
  tz_csr #(.Cfg(Cfg)) u_csr (
    .clk_i,
    .rst_ni,
    .csr_valid_i   (is_csr),
    .csr_fire_i    (ex_plain && is_csr),
    .csr_addr_i    (ex_insn_q[31:20]),
    .csr_funct3_i  (ex_ctrl_q.funct3),
    .csr_rs1_i     (ex_insn_q[19:15]),
    .csr_rd_i      (ex_insn_q[11:7]),
    .csr_pc_i      (ex_pc_q),
    .csr_operand_i (ex_op_a),
    .csr_rdata_o   (csr_rdata),
    .csr_illegal_o (csr_illegal),
    .csr_we_o      (csr_we),
    .csr_wdata_o   (csr_wdata),
    .csr_jump_o    (csr_jump),
    .trap_i        (trap),
    .mret_i        (ex_plain && ex_ctrl_q.kind == KindMret),
    .trap_irq_i    (trap_irq),
    .trap_target_o (trap_target),
    .mepc_o        (mepc),
    .minhv_o       (minhv),
    .fast_o        (csr_fast),
    .fast_i        (fast),
    .priv_o        (priv),
    .priv_next_o   (priv_next),
    .priv_data_o   (priv_data),
    .timeout_wait_o(timeout_wait),
    .retire_i      (wb_retire),
    .irq_pending_i,
    .irq_offer_i,
    .irq_claim_o,
    .irq_o         (irq),
    .irq_entry_o   (irq_entry)
  );

  logic misaligned;          // an atomic operation at an address that is not a word's
  logic irq_can, irq_aim, irq_take, irq_ready, freeze, ex_trap, ex_completes, trap_stop;
  logic lsu_busy, lsu_firm, lsu_committed;
  logic frame_load_fault, frame_store_fault, store_fault_take, emret_may;
  assign is_emret = ex_valid_q && (ex_ctrl_q.kind == KindEmret) && !ex_fault_q && csr_fast.enable && (priv == PrivM) &&
                    !frame_load_fault;  // which is !ex_exc, not behind the legality of CSR instructions
  assign emret_may = is_emret && !wb_fault && !frame_store_fault;
  assign trap_irq  = irq_aim || emret_may;  // an emret that chains, where it returns nobody looks
  // WFI and the last half of a store complete in the cycle of an interrupt.
  assign ex_completes = is_wfi || (is_store && lsu_committed);
  tz_trap #(.Fast(Fast)) u_trap (
    .ex_valid_i        (ex_valid_q),
    .ex_kind_i         (ex_ctrl_q.kind),
    .ex_pc_i           (ex_pc_q),
    .ex_insn_i         (ex_insn_q),
    .ex_fault_i        (ex_fault_q),
    .ex_fault_second_i (ex_fault_second_q),
    .ex_fault_table_i  (ex_fault_table_q),
    .ex_next_i         (ex_alt_q[31:2]),
    .ex_misaligned_i   (misaligned),
    .ex_addr_i         (alu_sum),
    .ex_target_bad_i   (target_bad),
    .ex_target_i       ((ex_ctrl_q.kind == KindJalr) ? jalr_target : ex_alt_q),
    .ex_completes_i    (ex_completes),
    .csr_illegal_i     (csr_illegal),
    .priv_i            (priv),
    .timeout_wait_i    (timeout_wait),
    .emret_legal_i     (csr_fast.enable && priv == PrivM),
    .frame_load_fault_i(frame_load_fault),
    .ex_exc_o          (ex_exc),
    .ex_trap_o         (ex_trap),
    .wb_ready_i        (wb_ready),
    .wb_fault_i        (wb_fault),
    .wb_store_i        (wb_store_q),
    .wb_pc_i           (wb_pc_q),
    .wb_addr_i         (wb_result_q),
    .if_pc_i           (fetch.pc),
    .if_table_i        (fetch.from_table),
    .irq_take_i        (irq.take),
    .irq_id_i          (irq.id),
    .irq_ready_i       (irq_ready || !csr_fast.enable),
    .lsu_firm_i        (lsu_firm),
    .lsu_busy_i        (lsu_busy),
    .chained_i         (fast.chain),
    .frame_store_fault_i(frame_store_fault),
    .frame_hold_i      (csr_fast.hold),
    .frame_fault_addr_i(frame_fault_addr),
    .irq_can_o         (irq_can),
    .irq_take_o        (irq_take),
    .irq_aim_o         (irq_aim),
    .stop_o            (trap_stop),
    .freeze_o          (freeze),
    .store_fault_take_o(store_fault_take),
    .trap_o            (trap)
  );

  // ---------------------------------------------------------------- loads and stores
  assign misaligned = (ex_ctrl_q.atop != obi_pkg::AtopNone) && (alu_sum[1:0] != '0) && !operand_late;
  logic lsu_ends, lsu_stays, lsu_advance, lsu_split, lsu_wait, lsu_wait_here;
  tz_lsu u_lsu (
    .clk_i,
    .rst_ni,
    .data_req_o,
    .data_rsp_i,
    .valid_i  ((is_load || is_store) && !misaligned && !ex_fault_q && wb_ready && !wb_fault && !operand_late &&
               !fast_wait && (lsu_committed || !trap_stop)),
    .wait_i   (lsu_wait),
    .wait_here_i(lsu_wait_here),
    .flush_i  (trap.valid),
    .we_i     (ex_ctrl_q.kind == KindStore),
    .prv_i    (priv_data),
    .atop_i   (ex_ctrl_q.atop),
    .unreserve_i(trap.valid || (ex_plain && ex_ctrl_q.kind == KindMret) || fast.emret),
    .funct3_i (ex_ctrl_q.funct3),
    .addr_i   (alu_sum),
    .wdata_i  (ex_store_data),
    .ends_o   (lsu_ends),
    .stays_o  (lsu_stays),
    .advance_o(lsu_advance),
    .committed_o(lsu_committed),
    .firm_o   (lsu_firm),
    .busy_o   (lsu_busy),
    .split_o  (lsu_split),
    .rdata_o  (lsu_rdata),
    .plain_o  (lsu_plain)
  );

  // ---------------------------------------------------------------- fastirq
  if (Fast) begin : gen_fast
    tz_fastirq #(.RV32E(Cfg.RV32E), .NumBanks(NumBanks)) u_fastirq (
      .clk_i,
      .rst_ni,
      .req_o          (frame_req_o),
      .rsp_i          (frame_rsp_i),
      .link_i         (csr_fast.link),
      .bank_o         (bank),
      .sp_set_o       (sp_set),
      .sp_o           (sp_new),
      .sp_i           (sp),
      .sp_next_i      (sp_next),
      .drain_bank_o   (drain_bank),
      .drain_word_o   (drain_word),
      .drain_data_i   (drain_data),
      .fill_we_o      (fill_we),
      .fill_bank_o    (fill_bank),
      .fill_word_o    (fill_word),
      .fill_data_o    (fill_data),
      .link_o         (link),
      .write_i        (wb_write),
      .write_reg_i    (wb_rd_q),
      .ex_write_i     (ex_valid_q && ex_ctrl_q.rd_we),
      .ex_reg_i       (ex_ctrl_q.rd),
      .ex_wait_o      (fast_wait),
      .ready_o        (irq_ready),
      .enter_i        (trap.valid && trap.irq && csr_fast.enable),
      .user_i         (priv != PrivM),
      .context_i      (csr_fast.leaves),
      .kill_i         (trap.valid),
      .emret_i        (emret_may && wb_ready),
      .preempt_i      (irq_can),
      .sp_busy_i      (wb_write && wb_rd_q == 5'd2),
      .csr_context_i  (csr_fast.regs),
      .context_o      (fast.frame),
      .level_o        (fast.level),
      .chain_i        (csr_fast.chain_ok),
      .csr_chain_i    (csr_fast.chain_regs_ok),
      .done_o         (fast.emret),
      .chained_o      (fast.chain),
      .chains_o       (fast_chains),
      .returns_o      (fast_returns),
      .load_fault_o   (frame_load_fault),
      .load_cause_o   (fast.load_cause),
      .load_epc_o     (fast.load_epc),
      .data_o         (fast.load_data),
      .hint_i         (csr_fast.hint),
      .hint_base_i    (csr_fast.hint_base),
      .mscratch_i     (csr_fast.mscratch),
      .mscratch_we_o  (fast.mscratch_we),
      .mscratch_o     (fast.mscratch),
      .lsu_addr_i     (data_req_o.addr[31:2]),
      .lsu_terms_i    ({ex_op_b_q[6:0], ex_base[6:0]}),
      .lsu_split_i    (lsu_split),
      .lsu_wait_o     (lsu_wait),
      .lsu_wait_here_o(lsu_wait_here),
      .lsu_store_i    (data_req_o.req && data_req_o.we && data_rsp_i.gnt),
      .lsu_committed_i(lsu_committed),
      .vector_want_i  (csr_fast.enable && irq_offer_i.valid && irq_offer_i.shv),
      .vector_addr_i  (irq_entry[31:2]),
      .fence_i        (ex_plain && ex_ctrl_q.kind == KindFenceI),
      .vector_hit_o   (vector_hit),
      .vector_o       (vector),
      .store_fault_o  (frame_store_fault),
      .store_fault_taken_i(store_fault_take),
      .fault_addr_o   (frame_fault_addr)
    );
  end else begin : gen_no_fast
    assign {frame_req_o, fast, fast_wait, fast_chains, fast_returns, lsu_wait, lsu_wait_here} = '0;
    assign {bank, sp_set, sp_new, drain_bank, drain_word, fill_we, fill_bank, fill_word, fill_data, link} = '0;
    assign {irq_ready, frame_load_fault, frame_store_fault, frame_fault_addr, vector_hit, vector} = '0;
    logic unused_fast;
    assign unused_fast = ^{is_emret, frame_rsp_i, sp, sp_next, drain_data, irq_can, csr_fast, lsu_split,
                           store_fault_take};
  end

  // ---------------------------------------------------------------- completion
  // With emret EX is not ready even as it completes: it redirects, so that this does not matter, and it is late.
  logic        ex_done, ex_waits, refetch_q;
  always_comb begin
    unique case (ex_ctrl_q.kind)
      KindLoad, KindStore: ex_done = lsu_ends;  // unless it waits
      KindDiv:             ex_done = div_ready && !freeze && !fast_wait;
      KindWfi:             ex_done = irq.wake && !freeze;
      KindEmret:           ex_done = 1'b0;
      default:             ex_done = !freeze && !operand_late && !fast_wait;
    endcase
  end
  assign ex_waits = (is_load || is_store) && lsu_stays;
  assign ex_ready = !ex_valid_q || (ex_done && wb_ready);  // unless it waits
  // What takes one cycle completes if nothing displaces it; said apart, because emret and the bus are late.
  assign ex_plain = ex_valid_q && wb_ready && !wb_fault && !ex_exc && !trap_stop && !operand_late && !fast_wait;
  assign ex_fire  = ex_valid_q && ((ex_done && !ex_waits) || fast.emret) && wb_ready && !wb_fault && !ex_exc &&
                    !store_fault_take && (!irq_take || ex_completes);

  // Redirects do not wait for the decision of traps: beside a trap, which goes first, they do not matter.
  logic ex_goes;
  always_comb begin
    unique case (ex_ctrl_q.kind)
      KindLoad, KindStore:  ex_goes = refetch_q;  // to what IF gave away
      KindBranch:           ex_goes = !freeze && mispredict;
      KindJalr:             ex_goes = !freeze && !operand_late && !fast_wait;
      KindMret, KindFenceI: ex_goes = !freeze;
      KindEmret:            ex_goes = fast_chains || fast_returns;
      KindCsr:              ex_goes = !freeze && !fast_wait && csr_jump;
      default:              ex_goes = 1'b0;
    endcase
    unique case (ex_ctrl_q.kind)
      KindJalr: ex_target = jalr_target;
      KindMret: ex_target = mepc;
      KindEmret: ex_target = fast_chains ? handler : frame_epc;
      KindCsr:  ex_target = irq_entry;
      default:  ex_target = ex_alt_q;
    endcase
  end
  assign frame_epc = {fast.frame.epc[31:2], fast.frame.epc[1] && !fast.frame.cause.minhv, 1'b0};
  assign ex_table = (ex_ctrl_q.kind == KindCsr) || (ex_ctrl_q.kind == KindMret && minhv) ||
                    (ex_ctrl_q.kind == KindEmret && (fast_chains ? handler_table : fast.frame.cause.minhv));
  assign ex_redirect = ex_valid_q && wb_ready && ex_goes;
  assign ex_flush    = ex_redirect || trap.valid;
  assign ex_valid_d  = id_fire || (ex_valid_q && !ex_fire && !trap.valid);
  assign sleep_o     = is_wfi && !irq.wake;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ex_valid_q, refetch_q} <= '0;
    else {ex_valid_q, refetch_q} <= {ex_valid_d, if_valid && id_ready && ex_waits};
  end

  always_ff @(posedge clk_i) begin
    if (ex_ready && !ex_waits) begin  // valid only if id_fire
      ex_ctrl_q         <= id.ctrl;
      ex_pc_q           <= fetch.pc;
      ex_insn_q         <= fetch.compressed ? {16'b0, fetch.instr[15:0]} : fetch.instr;
      ex_op_a_q         <= id.op_a;
      ex_op_b_q         <= id.op_b;
      ex_store_data_q   <= id.store_data;
      {ex_late_a_q, ex_late_b_q, ex_late_store_q} <= {id.late_a, id.late_b, id.late_store};
      ex_alt_q          <= id.alt;
      ex_pred_taken_q   <= id.pred_taken;
      {ex_fault_q, ex_fault_second_q, ex_fault_table_q} <= {fetch.fault, fetch.fault_second, fetch.from_table};
    end else begin
      if (wb_ready) begin  // the load has arrived and this instruction stays: keep what it brought
        ex_op_a_q       <= ex_op_a;
        ex_op_b_q       <= ex_op_b;
        ex_store_data_q <= ex_store_data;
        {ex_late_a_q, ex_late_b_q, ex_late_store_q} <= '0;
      end
      if (lsu_advance) begin  // the second word of a split access
        ex_op_a_q <= {alu_sum[31:2], 2'b00};
        ex_op_b_q <= 32'd4;
      end
    end
  end

  // ================================================================ WB
  assign wb_ready  = !wb_mem_q || data_rsp_i.rvalid;
  assign wb_fault  = wb_mem_q && data_rsp_i.rvalid && data_rsp_i.err;
  assign wb_retire = wb_valid_q && wb_ready && !wb_fault;
  assign wb_write  = wb_retire && wb_rd_we_q;
  assign wb_wdata  = wb_load_q ? lsu_rdata : wb_sc_q ? {31'b0, !data_rsp_i.exokay} : wb_result_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
    end else if (wb_ready) begin
      wb_valid_q <= ex_fire;
      wb_mem_q   <= (ex_fire && (is_load || is_store)) || lsu_advance;
    end
  end

  always_ff @(posedge clk_i) begin
    if (wb_ready) begin  // valid only if ex_fire or lsu_advance
      wb_store_q  <= is_store;
      wb_load_q   <= is_load || is_amo;
      wb_sc_q     <= is_sc;
      wb_rd_we_q  <= ex_ctrl_q.rd_we;
      wb_rd_q     <= ex_ctrl_q.rd;
      wb_result_q <= ex_result;
      wb_pc_q     <= ex_pc_q;
    end
  end

  // ================================================================ retirement record
  if (Cfg.Rvfi) begin : gen_rvfi
    tz_rvfi #(.Hart(Cfg.Hart)) u_rvfi (
      .clk_i,
      .rst_ni,
      .cycle_o        (cycle),
      .id_fire_i      (id_fire && !ex_waits),
      .id_rs1_i       (id_rs1_used),
      .id_rs2_i       (id_rs2_used),
      .id_rs1_data_i  (id_rs1_data),
      .id_rs2_data_i  (id_rs2_data),
      .id_cycle_i     (fetch.cycle),
      .ex_late_rs1_i  (ex_late_a_q && wb_ready),
      .ex_late_rs2_i  (ex_late_store_q && wb_ready),
      .ex_late_data_i (lsu_rdata),
      .ex_fire_i      (ex_fire),
      .ex_advance_i   (lsu_advance),
      .ex_trap_i      (ex_trap),
      .ex_insn_i      (ex_insn_q),
      .ex_pc_i        (ex_pc_q),
      .ex_next_pc_i   (fast.chain ? trap_target : ex_redirect ? ex_target : fetch.pc),
      .ex_kind_i      (ex_ctrl_q.kind),
      .ex_size_i      (ex_ctrl_q.funct3[1:0]),
      .ex_atop_i      (ex_ctrl_q.atop),
      .ex_load_i      (is_load || is_amo),
      .ex_rd_i        (ex_ctrl_q.rd_we ? ex_ctrl_q.rd : 5'd0),
      .ex_mem_addr_i  (alu_sum),
      .ex_store_data_i(ex_store_data),
      .ex_csr_we_i    (csr_we),
      .ex_csr_wdata_i (csr_wdata),
      .priv_i         (priv),
      .trap_i         (trap),
      .chain_i        (fast.chain),
      .chain_epc_i    ({fast.frame.epc, 1'b0}),
      .irq_id_i       (irq.id),
      .irq_level_i    (irq.level),
      .trap_target_i  (trap_target),
      .wb_fault_i     (wb_fault),
      .wb_retire_i    (wb_retire),
      .wb_rd_we_i     (wb_rd_we_q),
      .wb_wdata_i     (wb_wdata),
      .wb_rdata_i     (lsu_rdata),
      .wb_exokay_i    (data_rsp_i.exokay),
      .rvfi_o,
      .irq_event_o
    );
  end else begin : gen_no_rvfi
    logic unused;
    assign unused      = ^{fetch.cycle, id_rs1_used, id_rs2_used, id_rs1_data, id_rs2_data, csr_wdata, csr_we, irq,
                           ex_trap};
    assign {cycle, rvfi_o, irq_event_o} = '0;
  end

endmodule
