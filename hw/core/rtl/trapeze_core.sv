// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Trapeze core: RV32I/E, M, C, Zicsr, Zifencei, Zba, Zbb, Zbs, M and U modes; in order, single issue, four stages.
//
//   IF  tz_fetch       requests words, aligns instructions
//   ID  this file      expands, decodes, reads registers, takes jal and predicted branches
//   EX  this file      executes, resolves branches, sends loads and stores, decides traps
//   WB  this file      receives loads, writes registers, retires
//
// Traps are precise. An interrupt replaces the instruction in EX, also in the middle of a division; it waits only for
// a memory access already on the bus. Backward branches are predicted taken, forward ones not taken. Timing with its
// assumptions: docs/core.md, "Cycle table".
module trapeze_core
  import tz_core_pkg::*;
#(
  parameter bit          RV32E       = 1'b0,           // 16 registers, ilp32e
  parameter bit          ExtM        = 1'b1,
  parameter bit          ExtC        = 1'b1,
  parameter bit          ExtZba      = 1'b1,
  parameter bit          ExtZbb      = 1'b1,
  parameter bit          ExtZbs      = 1'b1,
  parameter logic [31:0] ResetVector = 32'h8000_0000,  // first instruction, 4-byte aligned
  parameter logic [31:0] HartId      = 32'd0,          // mhartid
  parameter int unsigned DivBitsPerCycle = 2,          // 1, 2 or 4 quotient bits a cycle
  parameter bit          LoadBypass  = 1'b1,           // load data go straight into EX: no load-use bubble
  parameter irq_pkg::irq_scheme_e IrqScheme = irq_pkg::IrqClint,  // interrupt controller it is built for
  parameter int unsigned NumIrqSources = 64,           // of the CLIC: 1 to 4096
  parameter bit          Rvfi        = 1'b1            // build the retirement record; off for synthesis
) (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t instr_req_o,
  input  obi_pkg::obi_rsp_t instr_rsp_i,
  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,

  input  irq_pkg::clint_pending_t irq_pending_i, // CLINT scheme: mip
  input  irq_pkg::clic_offer_t    irq_offer_i,   // CLIC scheme; the other one's input is ignored
  output irq_pkg::clic_claim_t    irq_claim_o,
  output logic                    sleep_o,       // waiting in WFI

  output rvfi_pkg::rvfi_t      rvfi_o,
  output rvfi_pkg::irq_event_t irq_event_o
);

  if (ResetVector[1:0] != 2'b00) begin : gen_check_reset_vector
    $fatal(1, "trapeze_core: ResetVector must be 4-byte aligned");
  end
  if (DivBitsPerCycle != 1 && DivBitsPerCycle != 2 && DivBitsPerCycle != 4) begin : gen_check_div
    $fatal(1, "trapeze_core: DivBitsPerCycle must be 1, 2 or 4");
  end
  if (NumIrqSources < 1 || NumIrqSources > 4096) begin : gen_check_sources
    $fatal(1, "trapeze_core: NumIrqSources must be 1 to 4096");
  end

  // ================================================================ signals between the stages
  // Redirects, youngest stage last; a later stage's wins.
  logic        id_redirect, ex_redirect;
  logic [31:0] id_target, ex_target;
  trap_t       trap;
  logic [31:0] trap_target, mepc, irq_entry;
  logic        ex_table;         // the redirect of EX goes through a table entry
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
  logic        ex_ready, ex_fire, ex_flush;
  logic [31:0] ex_result;

  // WB register
  logic        wb_valid_q;       // an instruction that retires when its answer, if any, is there
  logic        wb_mem_q;         // an answer is awaited
  logic        wb_store_q;
  logic        wb_load_q, wb_rd_we_q;
  logic [4:0]  wb_rd_q;
  logic [31:0] wb_result_q, wb_pc_q, wb_addr_q;
  logic        wb_ready, wb_fault, wb_retire;
  logic [31:0] wb_wdata;

  logic [31:0] cycle;            // since reset, for the time stamps (lower half)

  // ================================================================ IF
  logic        if_valid, id_ready, if_compressed, if_fault, if_fault_second, if_table;
  logic [31:0] if_pc, if_next_pc, if_instr, if_cycle;

  tz_fetch #(
    .ResetVector(ResetVector),
    .ExtC       (ExtC),
    .Rvfi       (Rvfi)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .instr_req_o,
    .instr_rsp_i,
    .redirect_i    (trap.valid || ex_redirect || id_redirect),
    .redirect_pc_i (trap.valid ? trap_target : ex_redirect ? ex_target : id_target),
    .redirect_table_i(trap.valid ? (trap.irq && irq.shv) : (ex_redirect && ex_table)),
    .valid_o       (if_valid),
    .ready_i       (id_ready),
    .pc_o          (if_pc),
    .next_pc_o     (if_next_pc),
    .instr_o       (if_instr),
    .compressed_o  (if_compressed),
    .fault_o       (if_fault),
    .fault_second_o(if_fault_second),
    .table_o       (if_table),
    .cycle_i       (cycle),
    .cycle_fetch_o (if_cycle)
  );

  // ================================================================ ID
  logic [31:0] expanded, id_instr;
  logic        rvc_illegal;
  if (ExtC) begin : gen_rvc
    tz_decompress u_decompress (
      .instr_i  (if_instr[15:0]),
      .instr_o  (expanded),
      .illegal_o(rvc_illegal)
    );
  end else begin : gen_no_rvc
    assign expanded    = if_instr;
    assign rvc_illegal = 1'b0;
  end
  assign id_instr = if_compressed ? expanded : if_instr;

  ctrl_t       id_ctrl;
  logic [31:0] id_imm;
  op_a_e       id_op_a_sel;
  logic        id_op_b_imm, id_rs1_used, id_rs2_used;
  tz_decoder #(
    .RV32E (RV32E),
    .ExtM  (ExtM),
    .ExtZba(ExtZba),
    .ExtZbb(ExtZbb),
    .ExtZbs(ExtZbs)
  ) u_decoder (
    .instr_i   (id_instr),
    .illegal_i (if_compressed && rvc_illegal),
    .ctrl_o    (id_ctrl),
    .imm_o     (id_imm),
    .op_a_o    (id_op_a_sel),
    .op_b_imm_o(id_op_b_imm),
    .rs1_used_o(id_rs1_used),
    .rs2_used_o(id_rs2_used)
  );

  // Registers with forwarding: EX's result of this cycle, then what WB writes, then the register file.
  logic [4:0]  id_rs1, id_rs2;
  logic [31:0] rf_rs1, rf_rs2, id_rs1_data, id_rs2_data;
  logic        ex_hit_rs1, ex_hit_rs2;
  assign id_rs1 = id_instr[19:15];
  assign id_rs2 = id_instr[24:20];

  tz_regfile #(
    .RV32E(RV32E)
  ) u_regfile (
    .clk_i,
    .raddr_a_i(id_rs1),
    .rdata_a_o(rf_rs1),
    .raddr_b_i(id_rs2),
    .rdata_b_o(rf_rs2),
    .we_i     (wb_retire && wb_rd_we_q),
    .waddr_i  (wb_rd_q),
    .wdata_i  (wb_wdata)
  );

  assign ex_hit_rs1 = ex_valid_q && ex_ctrl_q.rd_we && (ex_ctrl_q.rd == id_rs1);
  assign ex_hit_rs2 = ex_valid_q && ex_ctrl_q.rd_we && (ex_ctrl_q.rd == id_rs2);

  always_comb begin
    id_rs1_data = rf_rs1;
    id_rs2_data = rf_rs2;
    if (wb_valid_q && wb_rd_we_q && wb_rd_q == id_rs1) id_rs1_data = wb_wdata;
    if (wb_valid_q && wb_rd_we_q && wb_rd_q == id_rs2) id_rs2_data = wb_wdata;
    if (ex_hit_rs1) id_rs1_data = ex_result;
    if (ex_hit_rs2) id_rs2_data = ex_result;
  end

  logic [31:0] id_op_a, id_op_b;
  always_comb begin
    unique case (id_op_a_sel)
      OpAPc:   id_op_a = if_pc;
      OpAZero: id_op_a = '0;
      OpAZimm: id_op_a = {27'b0, id_rs1};
      default: id_op_a = id_rs1_data;
    endcase
    id_op_b = id_op_b_imm ? id_imm : id_rs2_data;
  end

  // A load's data arrive while the instruction behind it is in EX. With the bypass that one takes them there (it is
  // `late`); without, it waits in ID for one cycle.
  logic load_use;
  assign load_use = (ex_ctrl_q.kind == KindLoad) &&
                    ((ex_hit_rs1 && id_rs1_used) || (ex_hit_rs2 && id_rs2_used));
  logic id_late_rs1, id_late_rs2;
  assign id_late_rs1 = LoadBypass && (ex_ctrl_q.kind == KindLoad) && ex_hit_rs1 && id_rs1_used;
  assign id_late_rs2 = LoadBypass && (ex_ctrl_q.kind == KindLoad) && ex_hit_rs2 && id_rs2_used;

  // Nor does an instruction go past an empty EX before the load in WB that it needs has been answered.
  logic wb_use;
  assign wb_use = wb_valid_q && wb_rd_we_q && !wb_ready &&
                  ((wb_rd_q == id_rs1 && id_rs1_used) || (wb_rd_q == id_rs2 && id_rs2_used));

  logic id_fire;
  assign id_ready = ex_ready && (LoadBypass || !load_use) && !wb_use && !ex_flush;
  assign id_fire  = if_valid && id_ready;

  // Jumps known here: jal, and branches predicted taken (the backward ones). A target that will trap for its
  // alignment (only without C) is left to EX.
  logic [31:0] id_jump_target;
  logic        id_pred_taken, id_target_bad;
  assign id_jump_target = if_pc + id_imm;
  assign id_target_bad  = !ExtC && id_jump_target[1];
  assign id_pred_taken  = !if_fault && !id_target_bad &&
                          ((id_ctrl.kind == KindJal) || (id_ctrl.kind == KindBranch && id_imm[31]));
  assign id_redirect    = id_fire && id_pred_taken;
  assign id_target      = id_jump_target;

  // ================================================================ EX
  logic [31:0] lsu_rdata;
  assign ex_op_a       = ex_late_a_q ? lsu_rdata : ex_op_a_q;
  assign ex_op_b       = ex_late_b_q ? lsu_rdata : ex_op_b_q;
  assign ex_store_data = ex_late_store_q ? lsu_rdata : ex_store_data_q;

  logic [31:0] alu_result, alu_sum, mul_result, div_result, csr_rdata;
  logic        alu_eq, alu_lt, alu_ltu;
  tz_alu u_alu (
    .op_i    (ex_ctrl_q.alu_op),
    .a_i     (ex_op_a),
    .b_i     (ex_op_b),
    .result_o(alu_result),
    .sum_o   (alu_sum),
    .eq_o    (alu_eq),
    .lt_o    (alu_lt),
    .ltu_o   (alu_ltu)
  );

  logic ex_exc;
  logic is_load, is_store, is_div, is_csr, is_branch, is_wfi;
  assign is_load   = ex_valid_q && (ex_ctrl_q.kind == KindLoad);
  assign is_store  = ex_valid_q && (ex_ctrl_q.kind == KindStore);
  assign is_div    = ex_valid_q && (ex_ctrl_q.kind == KindDiv);
  assign is_csr    = ex_valid_q && (ex_ctrl_q.kind == KindCsr);
  assign is_branch = ex_valid_q && (ex_ctrl_q.kind == KindBranch);
  assign is_wfi    = ex_valid_q && (ex_ctrl_q.kind == KindWfi) && !ex_exc;

  logic div_ready;
  if (ExtM) begin : gen_muldiv
    tz_mult u_mult (
      .op_i    (mul_op_e'(ex_ctrl_q.funct3[1:0])),
      .a_i     (ex_op_a),
      .b_i     (ex_op_b),
      .result_o(mul_result)
    );
    tz_div #(
      .BitsPerCycle(DivBitsPerCycle)
    ) u_div (
      .clk_i,
      .rst_ni,
      .valid_i (is_div && wb_ready),
      .signed_i(!ex_ctrl_q.funct3[0]),
      .rem_i   (ex_ctrl_q.funct3[1]),
      .a_i     (ex_op_a),
      .b_i     (ex_op_b),
      .kill_i  (trap.valid),
      .ready_o (div_ready),
      .taken_i (ex_fire && is_div),
      .result_o(div_result)
    );
  end else begin : gen_no_muldiv
    logic unused;
    assign unused     = is_div;
    assign mul_result = '0;
    assign div_result = '0;
    assign div_ready  = 1'b1;
  end

  // ---------------------------------------------------------------- branches and jumps
  logic        taken, target_bad;
  logic [31:0] jalr_target;
  always_comb begin
    unique case (ex_ctrl_q.funct3)
      3'b000:  taken = alu_eq;
      3'b001:  taken = !alu_eq;
      3'b100:  taken = alu_lt;
      3'b101:  taken = !alu_lt;
      3'b110:  taken = alu_ltu;
      default: taken = !alu_ltu;
    endcase
  end
  assign jalr_target = {alu_sum[31:1], 1'b0};
  // Without C: a jump to a half-word address traps and writes no link.
  assign target_bad = !ExtC && ex_valid_q &&
                      ((ex_ctrl_q.kind == KindJalr && jalr_target[1]) ||
                       (ex_ctrl_q.kind == KindJal && ex_alt_q[1]) ||
                       (is_branch && taken && !ex_pred_taken_q && ex_alt_q[1]));

  // ---------------------------------------------------------------- CSRs and traps
  logic [1:0]  priv;
  logic        timeout_wait, csr_illegal, csr_we;
  logic [31:0] csr_wdata;
  logic        csr_jump, minhv;
  tz_csr #(
    .RV32E (RV32E),
    .ExtM  (ExtM),
    .ExtC  (ExtC),
    .ExtB  (ExtZba && ExtZbb && ExtZbs),
    .HartId(HartId),
    .IrqScheme(IrqScheme),
    .NumIrqSources(NumIrqSources)
  ) u_csr (
    .clk_i,
    .rst_ni,
    .csr_valid_i   (is_csr),
    .csr_fire_i    (ex_fire && is_csr),
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
    .mret_i        (ex_fire && ex_ctrl_q.kind == KindMret),
    .trap_target_o (trap_target),
    .mepc_o        (mepc),
    .minhv_o       (minhv),
    .priv_o        (priv),
    .timeout_wait_o(timeout_wait),
    .retire_i      (wb_retire),
    .irq_pending_i,
    .irq_offer_i,
    .irq_claim_o,
    .irq_o         (irq),
    .irq_entry_o   (irq_entry)
  );

  // Exceptions of the instruction in EX, in their order of priority.
  exc_e        ex_exc_code;
  logic [31:0] ex_exc_tval;
  always_comb begin
    ex_exc      = 1'b1;
    ex_exc_code = ExcIllegal;
    ex_exc_tval = ex_insn_q;
    if (ex_fault_q) begin
      ex_exc_code = ExcFetchFault;
      ex_exc_tval = ex_fault_second_q ? ex_pc_q + 32'd2 : ex_pc_q;
    end else begin
      unique case (ex_ctrl_q.kind)
        KindIllegal: ;
        KindCsr:  ex_exc = csr_illegal;
        KindMret: ex_exc = (priv != PrivM);
        KindWfi:  ex_exc = (priv != PrivM) && timeout_wait;
        KindEbreak: begin
          ex_exc_code = ExcBreakpoint;
          ex_exc_tval = '0;
        end
        KindEcall: begin
          ex_exc_code = (priv == PrivM) ? ExcEcallM : ExcEcallU;
          ex_exc_tval = '0;
        end
        default: begin
          ex_exc      = target_bad;
          ex_exc_code = ExcFetchMisaligned;
          ex_exc_tval = (ex_ctrl_q.kind == KindJalr) ? jalr_target : ex_alt_q;
        end
      endcase
    end
    if (!ex_valid_q) ex_exc = 1'b0;
  end

  // One trap a cycle: the oldest instruction first, and an interrupt before the instruction it displaces.
  logic irq_take, ex_trap, lsu_busy;
  assign irq_take = irq.take && wb_ready && !wb_fault && !lsu_busy && !if_table;
  assign ex_trap  = ex_exc && wb_ready && !wb_fault && !irq_take;
  always_comb begin
    trap = '{valid: wb_fault || irq_take || ex_trap, irq: 1'b0, code: 12'(ex_exc_code),
             table_fault: ex_fault_table_q, epc: ex_pc_q, tval: ex_exc_tval};
    if (wb_fault) begin
      trap.code = 12'(wb_store_q ? ExcStoreFault : ExcLoadFault);
      trap.table_fault = 1'b0;
      trap.epc  = wb_pc_q;
      trap.tval = wb_addr_q;
    end else if (irq_take) begin
      // WFI completes when it is interrupted; whatever else is in EX starts again after the handler.
      trap.irq  = 1'b1;
      trap.code = irq.id;
      trap.table_fault = 1'b0;
      trap.epc  = (ex_valid_q && !is_wfi) ? ex_pc_q : if_pc;
      trap.tval = '0;
    end
  end

  // ---------------------------------------------------------------- loads and stores
  logic lsu_done, lsu_advance;
  tz_lsu u_lsu (
    .clk_i,
    .rst_ni,
    .data_req_o,
    .data_rsp_i,
    .valid_i  ((is_load || is_store) && !ex_fault_q && wb_ready && !wb_fault && !irq_take),
    .flush_i  (trap.valid),
    .we_i     (ex_ctrl_q.kind == KindStore),
    .funct3_i (ex_ctrl_q.funct3),
    .addr_i   (alu_sum),
    .wdata_i  (ex_store_data),
    .done_o   (lsu_done),
    .advance_o(lsu_advance),
    .busy_o   (lsu_busy),
    .rdata_o  (lsu_rdata)
  );

  // ---------------------------------------------------------------- completion
  logic ex_done;
  always_comb begin
    unique case (ex_ctrl_q.kind)
      KindLoad, KindStore: ex_done = lsu_done;
      KindDiv:             ex_done = div_ready;
      KindWfi:             ex_done = irq.wake;
      default:             ex_done = 1'b1;
    endcase
    unique case (ex_ctrl_q.result)
      ResMul:  ex_result = mul_result;
      ResDiv:  ex_result = div_result;
      ResCsr:  ex_result = csr_rdata;
      ResLink: ex_result = ex_alt_q;
      default: ex_result = alu_result;
    endcase
  end

  assign ex_ready = !ex_valid_q || (ex_done && wb_ready);
  assign ex_fire  = ex_valid_q && ex_done && wb_ready && !wb_fault && !ex_exc && (!irq_take || is_wfi);

  always_comb begin
    unique case (ex_ctrl_q.kind)
      KindBranch: ex_redirect = ex_fire && (taken != ex_pred_taken_q);
      KindJalr, KindMret, KindFenceI: ex_redirect = ex_fire;
      KindCsr:    ex_redirect = ex_fire && csr_jump;
      default:    ex_redirect = 1'b0;
    endcase
    unique case (ex_ctrl_q.kind)
      KindJalr: ex_target = jalr_target;
      KindMret: ex_target = mepc;
      KindCsr:  ex_target = irq_entry;
      default:  ex_target = ex_alt_q;
    endcase
  end
  assign ex_table = (ex_ctrl_q.kind == KindCsr) || (ex_ctrl_q.kind == KindMret && minhv);
  assign ex_flush = ex_redirect || trap.valid;

  assign ex_valid_d = id_fire || (ex_valid_q && !ex_fire && !trap.valid);
  assign sleep_o    = is_wfi && !irq.wake;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ex_valid_q <= 1'b0;
    else ex_valid_q <= ex_valid_d;
  end

  always_ff @(posedge clk_i) begin
    if (id_fire) begin
      ex_ctrl_q         <= id_ctrl;
      ex_pc_q           <= if_pc;
      ex_insn_q         <= if_compressed ? {16'b0, if_instr[15:0]} : if_instr;
      ex_op_a_q         <= id_op_a;
      ex_op_b_q         <= id_op_b;
      ex_store_data_q   <= id_rs2_data;
      ex_alt_q          <= (id_ctrl.kind == KindBranch || (id_ctrl.kind == KindJal && id_target_bad)) &&
                           !id_pred_taken ? id_jump_target : if_next_pc;
      ex_pred_taken_q   <= id_pred_taken;
      ex_fault_q        <= if_fault;
      ex_fault_second_q <= if_fault_second;
      ex_fault_table_q  <= if_table;
      ex_late_a_q       <= id_late_rs1 && (id_op_a_sel == OpARs1);
      ex_late_b_q       <= id_late_rs2 && !id_op_b_imm;
      ex_late_store_q   <= id_late_rs2;
    end else begin
      if (wb_ready) begin
        // The load has arrived and this instruction stays: keep what it brought.
        ex_op_a_q       <= ex_op_a;
        ex_op_b_q       <= ex_op_b;
        ex_store_data_q <= ex_store_data;
        ex_late_a_q     <= 1'b0;
        ex_late_b_q     <= 1'b0;
        ex_late_store_q <= 1'b0;
      end
      if (lsu_advance) begin
        // The second word of a split access: the address adder takes the next word.
        ex_op_a_q <= {alu_sum[31:2], 2'b00};
        ex_op_b_q <= 32'd4;
      end
    end
  end

  // ================================================================ WB
  logic answered;
  assign answered  = wb_mem_q && data_rsp_i.rvalid;
  assign wb_ready  = !wb_mem_q || data_rsp_i.rvalid;
  assign wb_fault  = answered && data_rsp_i.err;
  assign wb_retire = wb_valid_q && wb_ready && !wb_fault;
  assign wb_wdata  = wb_load_q ? lsu_rdata : wb_result_q;

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
    if (ex_fire || lsu_advance) begin
      wb_store_q  <= is_store;
      wb_load_q   <= is_load;
      wb_rd_we_q  <= ex_ctrl_q.rd_we;
      wb_rd_q     <= ex_ctrl_q.rd;
      wb_result_q <= ex_result;
      wb_pc_q     <= ex_pc_q;
      wb_addr_q   <= alu_sum;
    end
  end

  // ================================================================ retirement record
  if (Rvfi) begin : gen_rvfi
    tz_rvfi u_rvfi (
      .clk_i,
      .rst_ni,
      .cycle_o        (cycle),
      .id_fire_i      (id_fire),
      .id_rs1_i       (id_rs1_used ? id_rs1 : 5'd0),
      .id_rs2_i       (id_rs2_used ? id_rs2 : 5'd0),
      .id_rs1_data_i  (id_rs1_data),
      .id_rs2_data_i  (id_rs2_data),
      .id_cycle_i     (if_cycle),
      .ex_late_rs1_i  (ex_late_a_q && wb_ready),
      .ex_late_rs2_i  (ex_late_store_q && wb_ready),
      .ex_late_data_i (lsu_rdata),
      .ex_fire_i      (ex_fire),
      .ex_advance_i   (lsu_advance),
      .ex_trap_i      (ex_trap),
      .ex_insn_i      (ex_insn_q),
      .ex_pc_i        (ex_pc_q),
      .ex_next_pc_i   (ex_redirect ? ex_target : if_pc),
      .ex_kind_i      (ex_ctrl_q.kind),
      .ex_size_i      (ex_ctrl_q.funct3[1:0]),
      .ex_rd_i        (ex_ctrl_q.rd_we ? ex_ctrl_q.rd : 5'd0),
      .ex_mem_addr_i  (alu_sum),
      .ex_store_data_i(ex_store_data),
      .ex_csr_we_i    (csr_we),
      .ex_csr_wdata_i (csr_wdata),
      .priv_i         (priv),
      .trap_i         (trap),
      .trap_level_i   (irq.level),
      .trap_target_i  (trap_target),
      .wb_fault_i     (wb_fault),
      .wb_retire_i    (wb_retire),
      .wb_rd_we_i     (wb_rd_we_q),
      .wb_wdata_i     (wb_wdata),
      .wb_rdata_i     (lsu_rdata),
      .rvfi_o,
      .irq_event_o
    );
  end else begin : gen_no_rvfi
    logic unused;
    assign unused      = ^{if_cycle, csr_wdata, csr_we, irq};
    assign cycle       = '0;
    assign rvfi_o      = '0;
    assign irq_event_o = '0;
  end

endmodule
