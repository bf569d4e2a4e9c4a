// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that tz_operands finds, for every legal instruction, the same operands as tz_decompress and tz_decoder
// together.
module operands_formal
  import tz_core_pkg::*;
#(
  parameter bit RV32E = 1'b0,
  parameter bit ExtA  = 1'b1
) (
  input logic        clk_i,
  input logic [31:0] instr_i,
  input logic [4:0]  rd_i
);

  logic        compressed, rvc_illegal, rs1_used, rs2_used, legal, op_b_imm, reads;
  logic [31:0] expanded, instr, imm;
  logic [4:0]  rs1, rs2;
  op_a_e       op_a;
  ctrl_t       ctrl;
  assign compressed = (instr_i[1:0] != 2'b11);
  assign instr      = compressed ? expanded : instr_i;
  assign legal      = (ctrl.kind != KindIllegal);

  tz_decompress u_decompress (
    .instr_i  (instr_i[15:0]),
    .instr_o  (expanded),
    .illegal_o(rvc_illegal)
  );
  tz_decoder #(
    .Cfg(core_cfg_pkg::core_cfg(.RV32E(RV32E), .ExtA(ExtA)))
  ) u_decoder (
    .instr_i   (instr),
    .illegal_i (compressed && rvc_illegal),
    .ctrl_o    (ctrl),
    .imm_o     (imm),
    .rs1_used_o(rs1_used),
    .rs2_used_o(rs2_used)
  );
  tz_operands #(
    .ExtA(ExtA)
  ) u_operands (
    .instr_i     (instr_i[24:0]),
    .compressed_i(compressed),
    .rs1_o       (rs1),
    .rs2_o       (rs2),
    .op_a_o      (op_a),
    .op_b_imm_o  (op_b_imm),
    .rd_i,
    .reads_o     (reads)
  );

  Rs1_A: assert property (@(posedge clk_i) !legal || !rs1_used || rs1 == instr[19:15]);
  Rs2_A: assert property (@(posedge clk_i) !legal || !rs2_used || rs2 == instr[24:20]);
  Reads_A: assert property (@(posedge clk_i) !legal || rd_i == '0 ||
    reads == ((rs1_used && rd_i == instr[19:15]) || (rs2_used && rd_i == instr[24:20])));
  // Which operands an opcode has in the base instruction set: register-register operations and branches have no
  // immediate operand.
  OpB_A: assert property (@(posedge clk_i) !legal || op_b_imm == !(instr[6:0] inside {7'h33, 7'h63}));
  OpA_A: assert property (@(posedge clk_i) !legal || op_a == ((instr[6:0] == 7'h37) ? OpAZero :
    (instr[6:0] == 7'h17) ? OpAPc : (instr[6:0] == 7'h73 && instr[14]) ? OpAZimm : OpARs1));

endmodule
