// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Instruction decode (ID): expands and decodes the instruction that IF offers, collects its operands from the register
// file, from EX's result of this cycle and from what WB writes, and knows the jumps: jal, and branches predicted taken
// (the backward ones). Combinational.
//
// Load-use: the data of a load arrive when the instruction behind the load is in EX. With LoadBypass that instruction
// takes them in EX: its operand is `late`. Without LoadBypass an instruction that needs them waits in ID for one cycle.
// An instruction that needs the result of a store-conditional waits in either case.
module tz_id
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  // IF
  input  fetch_t      fetch_i,

  // Register file
  output logic [4:0]  rs1_o,
  output logic [4:0]  rs2_o,
  input  logic [31:0] rs1_data_i,
  input  logic [31:0] rs2_data_i,

  // EX and WB, for forwarding
  input  logic        ex_valid_i,
  input  logic        ex_load_i,      // the result of the instruction in EX is data from memory
  input  logic        ex_sc_i,        // the instruction in EX is a store-conditional
  input  logic        ex_rd_we_i,
  input  logic [4:0]  ex_rd_i,
  input  logic [31:0] ex_result_i,
  input  logic        wb_valid_i,     // with wb_rd_we_i: the instruction in WB will write wb_rd_i
  input  logic        wb_rd_we_i,
  input  logic [4:0]  wb_rd_i,
  input  logic [31:0] wb_wdata_i,
  input  logic        wb_ready_i,     // the value that WB writes is known

  output id_t         id_o,
  output logic        wait_o,         // the instruction has to wait in ID: an operand is not known yet
  output logic        jump_o,         // fetching goes on at jump_target_o
  output logic [31:0] jump_target_o,

  // Retirement record
  output logic [4:0]  rs1_used_o,     // registers read, else x0
  output logic [4:0]  rs2_used_o,
  output logic [31:0] rs1_data_o,
  output logic [31:0] rs2_data_o
);

  // ---------------------------------------------------------------- decode
  logic [31:0] expanded, instr;
  logic        rvc_illegal;
  if (Cfg.ExtC) begin : gen_rvc
    tz_decompress u_decompress (
      .instr_i  (fetch_i.instr[15:0]),
      .instr_o  (expanded),
      .illegal_o(rvc_illegal)
    );
  end else begin : gen_no_rvc
    assign expanded    = fetch_i.instr;
    assign rvc_illegal = 1'b0;
  end
  assign instr = fetch_i.compressed ? expanded : fetch_i.instr;

  ctrl_t       ctrl;
  logic [31:0] imm;
  op_a_e       op_a_sel;
  logic        op_b_imm, rs1_used, rs2_used;
  tz_decoder #(
    .Cfg(Cfg)
  ) u_decoder (
    .instr_i   (instr),
    .illegal_i (fetch_i.compressed && rvc_illegal),
    .ctrl_o    (ctrl),
    .imm_o     (imm),
    .rs1_used_o(rs1_used),
    .rs2_used_o(rs2_used)
  );

  // ---------------------------------------------------------------- operands
  logic ex_hit_rs1, ex_hit_rs2, wb_hit_rs1, wb_hit_rs2;
  logic wb_read;
  tz_operands #(
    .ExtA(Cfg.ExtA)
  ) u_operands (
    .instr_i     (fetch_i.instr[24:0]),
    .compressed_i(fetch_i.compressed),
    .rs1_o,
    .rs2_o,
    .op_a_o      (op_a_sel),
    .op_b_imm_o  (op_b_imm),
    .rd_i        (wb_rd_i),
    .reads_o     (wb_read)
  );
  assign ex_hit_rs1 = ex_valid_i && ex_rd_we_i && (ex_rd_i == rs1_o);
  assign ex_hit_rs2 = ex_valid_i && ex_rd_we_i && (ex_rd_i == rs2_o);
  assign wb_hit_rs1 = wb_valid_i && wb_rd_we_i && (wb_rd_i == rs1_o);
  assign wb_hit_rs2 = wb_valid_i && wb_rd_we_i && (wb_rd_i == rs2_o);

  assign rs1_data_o = ex_hit_rs1 ? ex_result_i : wb_hit_rs1 ? wb_wdata_i : rs1_data_i;
  assign rs2_data_o = ex_hit_rs2 ? ex_result_i : wb_hit_rs2 ? wb_wdata_i : rs2_data_i;
  assign rs1_used_o = rs1_used ? rs1_o : 5'd0;
  assign rs2_used_o = rs2_used ? rs2_o : 5'd0;

  // An instruction waits for a load or store-conditional in EX (ex_use), or, also when EX is empty, until the load in
  // WB whose result it needs has been answered (wb_use).
  logic ex_use, wb_use;
  assign ex_use = (ex_hit_rs1 && rs1_used) || (ex_hit_rs2 && rs2_used);
  assign wb_use = !wb_ready_i && wb_valid_i && wb_rd_we_i && wb_read;
  assign wait_o = (((!Cfg.LoadBypass && ex_load_i) || ex_sc_i) && ex_use) || wb_use;

  logic [31:0] op_a;
  always_comb begin
    unique case (op_a_sel)
      OpAPc:   op_a = fetch_i.pc;
      OpAZero: op_a = '0;
      OpAZimm: op_a = {27'b0, rs1_o};
      default: op_a = rs1_data_o;
    endcase
  end

  // ---------------------------------------------------------------- jumps
  logic        jal, branch;
  logic [31:0] offset;
  tz_jump u_jump (
    .instr_i     (fetch_i.instr),
    .compressed_i(fetch_i.compressed),
    .jal_o       (jal),
    .branch_o    (branch),
    .offset_o    (offset)
  );

  // Without C a jump to a half-word address traps. ID does not make such a jump: EX raises the exception.
  logic target_bad;
  assign jump_target_o = fetch_i.pc + offset;
  assign target_bad    = !Cfg.ExtC && jump_target_o[1];
  assign jump_o        = !fetch_i.fault && !target_bad && (jal || (branch && offset[31]));

  assign id_o = '{
    ctrl:       ctrl,
    op_a:       op_a,
    op_b:       op_b_imm ? imm : rs2_data_o,
    store_data: rs2_data_o,
    late_a:     Cfg.LoadBypass && ex_load_i && ex_hit_rs1 && rs1_used && (op_a_sel == OpARs1),
    late_b:     Cfg.LoadBypass && ex_load_i && ex_hit_rs2 && rs2_used && !op_b_imm,
    late_store: Cfg.LoadBypass && ex_load_i && ex_hit_rs2 && rs2_used,
    alt:        (branch || (jal && target_bad)) && !jump_o && !fetch_i.fault ? jump_target_o : fetch_i.next_pc,
    pred_taken: jump_o
  };

  logic unused;
  assign unused = ^{fetch_i.fault_second, fetch_i.from_table, fetch_i.cycle};

endmodule
