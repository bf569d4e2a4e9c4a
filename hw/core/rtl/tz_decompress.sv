// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Expands a 16-bit RVC instruction into its 32-bit equivalent (Unprivileged ISA, "C" extension, RV32). Purely
// combinational. Reserved and floating-point encodings set `illegal_o`. A hint expands as its encoding says, to an
// instruction without effect: rd is x0, or the operand is zero. Offsets of jal and branches are zero in the expansion:
// tz_jump reads them from the compressed instruction.
module tz_decompress (
  input  logic [15:0] instr_i,
  output logic [31:0] instr_o,
  output logic        illegal_o
);

  localparam logic [6:0] OpLoad = 7'h03;
  localparam logic [6:0] OpImm = 7'h13;
  localparam logic [6:0] OpStore = 7'h23;
  localparam logic [6:0] OpReg = 7'h33;
  localparam logic [6:0] OpLui = 7'h37;
  localparam logic [6:0] OpBranch = 7'h63;
  localparam logic [6:0] OpJalr = 7'h67;
  localparam logic [6:0] OpJal = 7'h6F;

  logic [15:0] c;
  assign c = instr_i;

  // Register fields: full, and the three-bit ones that name x8 to x15.
  logic [4:0] rd, rs2, rdc, rs2c;
  assign rd   = c[11:7];
  assign rs2  = c[6:2];
  assign rdc  = {2'b01, c[9:7]};
  assign rs2c = {2'b01, c[4:2]};

  // Immediates.
  logic [11:0] imm_ci;      // c.addi, c.li, c.andi
  logic [11:0] imm_addi4spn;
  logic [11:0] imm_addi16sp;
  logic [11:0] imm_lw;
  logic [11:0] imm_lwsp;
  logic [11:0] imm_swsp;
  assign imm_ci       = {{7{c[12]}}, c[6:2]};
  assign imm_addi4spn = {2'b00, c[10:7], c[12:11], c[5], c[6], 2'b00};
  assign imm_addi16sp = {{3{c[12]}}, c[4:3], c[5], c[2], c[6], 4'b0000};
  assign imm_lw       = {5'b0, c[5], c[12:10], c[6], 2'b00};
  assign imm_lwsp     = {4'b0, c[3:2], c[12], c[6:4], 2'b00};
  assign imm_swsp     = {4'b0, c[8:7], c[12:9], 2'b00};

  always_comb begin
    instr_o   = {16'b0, c};
    illegal_o = 1'b0;
    unique case ({c[1:0], c[15:13]})
      // Quadrant 0
      5'b00_000: begin  // c.addi4spn
        instr_o   = {imm_addi4spn, 5'd2, 3'b000, rs2c, OpImm};
        illegal_o = (c[12:5] == 8'b0);
      end
      5'b00_010: instr_o = {imm_lw, rdc, 3'b010, rs2c, OpLoad};                       // c.lw
      5'b00_110: instr_o = {imm_lw[11:5], rs2c, rdc, 3'b010, imm_lw[4:0], OpStore};   // c.sw
      // Quadrant 1
      5'b01_000: instr_o = {imm_ci, rd, 3'b000, rd, OpImm};                           // c.addi, c.nop
      5'b01_001: instr_o = {20'b0, 5'd1, OpJal};                                      // c.jal
      5'b01_010: instr_o = {imm_ci, 5'd0, 3'b000, rd, OpImm};                         // c.li
      5'b01_011: begin
        if (rd == 5'd2) instr_o = {imm_addi16sp, 5'd2, 3'b000, 5'd2, OpImm};          // c.addi16sp
        else            instr_o = {{15{c[12]}}, c[6:2], rd, OpLui};                   // c.lui
        illegal_o = ({c[12], c[6:2]} == 6'b0);
      end
      5'b01_100: begin
        unique case (c[11:10])
          2'b00, 2'b01: begin                                                         // c.srli, c.srai
            instr_o   = {1'b0, c[10], 5'b0, c[6:2], rdc, 3'b101, rdc, OpImm};
            illegal_o = c[12];
          end
          2'b10: instr_o = {imm_ci, rdc, 3'b111, rdc, OpImm};                         // c.andi
          default: begin
            illegal_o = c[12];
            unique case (c[6:5])
              2'b00:   instr_o = {7'b0100000, rs2c, rdc, 3'b000, rdc, OpReg};         // c.sub
              2'b01:   instr_o = {7'b0000000, rs2c, rdc, 3'b100, rdc, OpReg};         // c.xor
              2'b10:   instr_o = {7'b0000000, rs2c, rdc, 3'b110, rdc, OpReg};         // c.or
              default: instr_o = {7'b0000000, rs2c, rdc, 3'b111, rdc, OpReg};         // c.and
            endcase
          end
        endcase
      end
      5'b01_101: instr_o = {20'b0, 5'd0, OpJal};                                      // c.j
      5'b01_110, 5'b01_111: instr_o = {12'b0, rdc, 2'b00, c[13], 5'b0, OpBranch};     // c.beqz, c.bnez
      // Quadrant 2
      5'b10_000: begin                                                                // c.slli
        instr_o   = {7'b0, c[6:2], rd, 3'b001, rd, OpImm};
        illegal_o = c[12];
      end
      5'b10_010: begin                                                                // c.lwsp
        instr_o   = {imm_lwsp, 5'd2, 3'b010, rd, OpLoad};
        illegal_o = (rd == 5'd0);
      end
      5'b10_100: begin
        if (rs2 != 5'd0) begin                                                        // c.mv, c.add
          instr_o = {7'b0, rs2, c[12] ? rd : 5'd0, 3'b000, rd, OpReg};
        end else if (rd != 5'd0) begin                                                // c.jr, c.jalr
          instr_o = {12'b0, rd, 3'b000, 4'b0, c[12], OpJalr};
        end else if (c[12]) begin                                                     // c.ebreak
          instr_o = 32'h0010_0073;
        end else begin
          illegal_o = 1'b1;
        end
      end
      5'b10_110: instr_o = {imm_swsp[11:5], rs2, 5'd2, 3'b010, imm_swsp[4:0], OpStore};  // c.swsp
      default: illegal_o = 1'b1;
    endcase
  end

endmodule
