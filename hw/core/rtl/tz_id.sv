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
  input  reg_write_t  ex_i,           // what the instruction in EX will write
  input  logic        ex_load_i,      // the result of the instruction in EX is data from memory
  input  logic        ex_sc_i,        // the instruction in EX is a store-conditional
  input  reg_write_t  wb_i,           // what the instruction in WB will write
  input  logic        wb_ready_i,     // wb_i.data is known

  output id_t         id_o,
  output logic        wait_o,         // the instruction has to wait in ID: an operand is not known yet
  output logic        jump_o,         // fetching goes on at jump_target_o
  output logic [31:0] jump_target_o,
  output reg_reads_t  reads_o         // retirement record
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
    .rd_i        (wb_i.rd),
    .reads_o     (wb_read)
  );
  assign ex_hit_rs1 = ex_i.we && (ex_i.rd == rs1_o);
  assign ex_hit_rs2 = ex_i.we && (ex_i.rd == rs2_o);
  assign wb_hit_rs1 = wb_i.we && (wb_i.rd == rs1_o);
  assign wb_hit_rs2 = wb_i.we && (wb_i.rd == rs2_o);

  logic [31:0] rs1_data, rs2_data;
  assign rs1_data = ex_hit_rs1 ? ex_i.data : wb_hit_rs1 ? wb_i.data : rs1_data_i;
  assign rs2_data = ex_hit_rs2 ? ex_i.data : wb_hit_rs2 ? wb_i.data : rs2_data_i;
  assign reads_o  = '{
    rs1:      rs1_used ? rs1_o : 5'd0,
    rs2:      rs2_used ? rs2_o : 5'd0,
    rs1_data: rs1_data,
    rs2_data: rs2_data
  };

  // An instruction waits for a load or store-conditional in EX (ex_use), or, also when EX is empty, until the load in
  // WB whose result it needs has been answered (wb_use).
  logic ex_use, wb_use;
  assign ex_use = (ex_hit_rs1 && rs1_used) || (ex_hit_rs2 && rs2_used);
  assign wb_use = !wb_ready_i && wb_i.we && wb_read;
  assign wait_o = (((!Cfg.LoadBypass && ex_load_i) || ex_sc_i) && ex_use) || wb_use;

  logic [31:0] op_a;
  always_comb begin
    unique case (op_a_sel)
      OpAPc:   op_a = fetch_i.pc;
      OpAZero: op_a = '0;
      OpAZimm: op_a = {27'b0, rs1_o};
      default: op_a = rs1_data;
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
    pc:         fetch_i.pc,
    insn:       fetch_i.compressed ? {16'b0, fetch_i.instr[15:0]} : fetch_i.instr,
    fault:      fetch_i.fault,
    fault_second: fetch_i.fault_second,
    fault_table: fetch_i.from_table,
    ctrl:       ctrl,
    op_a:       op_a,
    op_b:       op_b_imm ? imm : rs2_data,
    store_data: rs2_data,
    late_a:     Cfg.LoadBypass && ex_load_i && ex_hit_rs1 && rs1_used && (op_a_sel == OpARs1),
    late_b:     Cfg.LoadBypass && ex_load_i && ex_hit_rs2 && rs2_used && !op_b_imm,
    late_store: Cfg.LoadBypass && ex_load_i && ex_hit_rs2 && rs2_used,
    alt:        (branch || (jal && target_bad)) && !jump_o && !fetch_i.fault ? jump_target_o : fetch_i.next_pc,
    pred_taken: jump_o
  };

  logic unused;
  assign unused = ^fetch_i.cycle;

endmodule
