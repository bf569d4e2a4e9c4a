// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Finds the operands of an instruction (Unprivileged ISA, 2.3; "C" extension, RV32). Combinational. It works on the
// instruction as it was fetched, beside tz_decompress and tz_decoder and not behind them, because the register file and
// the readiness of ID wait for it. For an illegal instruction the outputs mean nothing.
module tz_operands
  import tz_core_pkg::*;
#(
  parameter bit ExtA = 1'b0
) (
  input  logic [24:0] instr_i,      // bits 24:0 of the instruction: the others say nothing about operands
  input  logic        compressed_i,
  output logic [4:0]  rs1_o,        // any number if it is not used
  output logic [4:0]  rs2_o,
  output op_a_e       op_a_o,
  output logic        op_b_imm_o,   // operand B is the immediate, not rs2
  input  logic [4:0]  rd_i,         // number of a register that an older instruction writes, not 0
  output logic        reads_o       // the instruction reads register rd_i
);

  logic [15:0] c;
  logic        stack, few, none;    // rs1 is sp; one of x8 to x15; x0
  logic        few2, none2;         // rs2 is one of x8 to x15; x0
  logic        used1, used2;        // a compressed instruction reads rs1; rs2
  logic        wide1, wide2;        // an instruction of 32 bits reads rs1; rs2
  logic        lui;                 // c.lui
  assign c   = instr_i[15:0];
  assign lui = (c[1:0] == 2'b01) && (c[15:13] == 3'b011) && (c[11:7] != 5'd2);

  always_comb begin
    unique case (c[1:0])
      2'b00: begin                                   // c.addi4spn; c.lw, c.sw
        stack = !c[14];
        few   = c[14];
        none  = 1'b0;
        used1 = 1'b1;
        few2  = 1'b1;
        none2 = 1'b0;
        used2 = c[15];
      end
      2'b01: begin                                   // c.addi, c.li, c.addi16sp; arithmetic; c.beqz, c.bnez
        stack = 1'b0;
        few   = c[15];
        none  = (c[15:13] == 3'b010);
        used1 = (c[14:13] == 2'b00) || (c[15:14] == 2'b11) || (c[15:13] == 3'b011 && c[11:7] == 5'd2);
        few2  = !c[14];
        none2 = c[14];
        used2 = (c[15:13] == 3'b100) && (c[11:10] == 2'b11);
      end
      default: begin                                 // c.slli; c.lwsp, c.swsp; c.mv, c.add, c.jr, c.jalr
        stack = c[14];
        few   = 1'b0;
        none  = c[15] && !c[14] && !c[12] && (c[6:2] != '0);
        used1 = 1'b1;
        few2  = 1'b0;
        none2 = 1'b0;
        used2 = c[15];
      end
    endcase
    rs1_o = instr_i[19:15];
    rs2_o = instr_i[24:20];
    if (compressed_i) begin
      rs1_o = stack ? 5'd2 : none ? 5'd0 : {few ? 2'b01 : c[11:10], c[9:7]};
      rs2_o = none2 ? 5'd0 : {few2 ? 2'b01 : c[6:5], c[4:2]};
    end
  end

  // 32 bits. rs1 is read by all but lui, auipc, jal, csrrwi, csrrsi and csrrci; rs2 by stores, register-register
  // operations and branches. Atomic operations read both (of an LR, rs2 is x0).
  logic atomic;
  assign atomic = ExtA && (instr_i[6:2] == 5'b01011);
  assign wide1 = !(instr_i[4:2] == 3'b101 || (instr_i[3] && !atomic) || (instr_i[6:4] == 3'b111 && instr_i[14]));
  assign wide2 = (instr_i[5:2] == 4'b1000) || (instr_i[6:2] == 5'b01100) || atomic;

  // Compressed instructions: c.mv and c.add have an rs2 that is not x0, c.jr and c.jalr have not. Operand B of c.sw and
  // c.swsp is the immediate, although they read rs2.
  assign op_b_imm_o = compressed_i ? !(c[15] && ((c[1:0] == 2'b01 && (c[14] || used2)) ||
                                                 (c[1:0] == 2'b10 && !c[14] && c[6:2] != '0)))
                                   : !(instr_i[4:2] == 3'b100 && instr_i[6:5] == 2'b01) && (instr_i[6:2] != 5'b11000);
  always_comb begin
    op_a_o = OpARs1;
    if (compressed_i) begin
      if (lui) op_a_o = OpAZero;
    end else begin
      if (instr_i[6:2] == 5'b01101) op_a_o = OpAZero;                      // lui
      if (instr_i[6:2] == 5'b00101) op_a_o = OpAPc;                        // auipc
      if (instr_i[6:4] == 3'b111 && instr_i[14]) op_a_o = OpAZimm;         // csrrwi, csrrsi, csrrci
    end
  end

  // reads_o: each field that may hold a register's number is compared with rd_i, then the one that counts is chosen.
  // This is faster than choosing first.
  logic reads1, reads2;
  assign reads1  = stack ? (rd_i == 5'd2)
                         : !none && (rd_i[2:0] == c[9:7]) && (rd_i[4:3] == (few ? 2'b01 : c[11:10]));
  assign reads2  = !none2 && (rd_i[2:0] == c[4:2]) && (rd_i[4:3] == (few2 ? 2'b01 : c[6:5]));
  assign reads_o = compressed_i ? (used1 && reads1) || (used2 && reads2)
                                : (wide1 && rd_i == instr_i[19:15]) || (wide2 && rd_i == instr_i[24:20]);

endmodule
