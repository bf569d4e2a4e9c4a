// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Arithmetic and logic unit of EX: RV32I, Zba, Zbb, Zbs in one cycle. The comparison flags also serve the branches.
// Combinational.
module tz_alu
  import tz_core_pkg::*;
(
  input  alu_op_e     op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] early_a_i,  // operand a from flip-flops, without the bypass of a load: its bits are counted
  output logic [31:0] result_o,
  output logic        eq_o,      // a = b
  output logic        ltu_o      // a < b unsigned
);

  // ---------------------------------------------------------------- adder and comparator
  logic [31:0] add_a;
  always_comb begin
    unique case (op_i)
      AluSh1add: add_a = {a_i[30:0], 1'b0};
      AluSh2add: add_a = {a_i[29:0], 2'b0};
      AluSh3add: add_a = {a_i[28:0], 3'b0};
      default:   add_a = a_i;
    endcase
  end

  logic sub;
  assign sub = (op_i == AluSub);
  logic [31:0] sum;
  logic        sum_carry;
  assign {sum, sum_carry} = {add_a, 1'b1} + {b_i ^ {32{sub}}, sub};

  // The comparisons have a subtractor of their own, so that a branch does not wait for the decoding of the operation.
  logic [32:0] diff;
  logic        lt;        // a < b signed
  assign diff  = {1'b0, a_i} - {1'b0, b_i};
  assign eq_o  = (a_i == b_i);
  assign ltu_o = diff[32];
  assign lt    = (a_i[31] != b_i[31]) ? a_i[31] : diff[32];

  // ---------------------------------------------------------------- shifter: one right rotator, masks and reversals
  function automatic logic [31:0] reverse(logic [31:0] x);
    for (int i = 0; i < 32; i++) reverse[i] = x[31-i];
  endfunction

  logic        left;
  logic [4:0]  shamt;
  logic [31:0] shift_in, rotated, mask, shifted;
  assign left     = (op_i == AluSll) || (op_i == AluRol);
  assign shamt    = b_i[4:0];
  assign shift_in = left ? reverse(a_i) : a_i;
  always_comb begin
    rotated = shift_in;
    if (shamt[0]) rotated = {rotated[0], rotated[31:1]};
    if (shamt[1]) rotated = {rotated[1:0], rotated[31:2]};
    if (shamt[2]) rotated = {rotated[3:0], rotated[31:4]};
    if (shamt[3]) rotated = {rotated[7:0], rotated[31:8]};
    if (shamt[4]) rotated = {rotated[15:0], rotated[31:16]};
    // mask: ones for the bits of a logical right shift that come from the operand. The other bits are filled.
    mask = 32'hFFFF_FFFF >> shamt;
    if (op_i == AluRol || op_i == AluRor) mask = '1;
    shifted = (rotated & mask) | (~mask & {32{(op_i == AluSra) && a_i[31]}});
    if (left) shifted = reverse(shifted);
  end

  // ---------------------------------------------------------------- bit counting
  // Leading zeros are counted in a tree. Its leaves are the bits of scan; in each level two neighbouring parts are
  // joined.
  logic [31:0] scan;           // the word whose leading zeros are counted (the shifter's input is known later)
  logic [31:0]      found;     // for each part of the level: it has a one
  logic [31:0][4:0] zeros;     // for each part of the level: zeros above its highest one
  logic [5:0]       ones, count;
  assign scan = (op_i == AluCtz) ? reverse(early_a_i) : early_a_i;
  always_comb begin
    found = scan;
    zeros = '0;
    for (int level = 0; level < 5; level++) begin
      for (int part = 0; part < (16 >> level); part++) begin
        zeros[part] = found[2*part+1] ? zeros[2*part+1] : zeros[2*part] | 5'(1 << level);
        found[part] = found[2*part+1] | found[2*part];
      end
    end
    ones = '0;
    for (int i = 0; i < 32; i++) ones = ones + 6'(early_a_i[i]);
    count = (op_i == AluCpop) ? ones : {!found[0], zeros[0] & {5{found[0]}}};
  end

  // ---------------------------------------------------------------- single bits and logic
  logic [31:0] one_hot, logic_b;
  assign one_hot = 32'd1 << shamt;
  always_comb begin
    unique case (op_i)
      AluAndn, AluOrn, AluXnor: logic_b = ~b_i;
      AluBclr:                  logic_b = ~one_hot;
      AluBinv, AluBset:         logic_b = one_hot;
      default:                  logic_b = b_i;
    endcase
  end

  logic [31:0] orcb;
  for (genvar i = 0; i < 4; i++) begin : gen_orcb
    assign orcb[8*i+:8] = {8{|a_i[8*i+:8]}};
  end

  logic take_b;
  assign take_b = ((op_i == AluMax || op_i == AluMin) ? lt : ltu_o) != (op_i == AluMin || op_i == AluMinu);

  always_comb begin
    unique case (op_i)
      AluSlt:                       result_o = {31'b0, lt};
      AluSltu:                      result_o = {31'b0, ltu_o};
      AluXor, AluXnor, AluBinv:     result_o = a_i ^ logic_b;
      AluOr, AluOrn, AluBset:       result_o = a_i | logic_b;
      AluAnd, AluAndn, AluBclr:     result_o = a_i & logic_b;
      AluSll, AluSrl, AluSra,
      AluRol, AluRor:               result_o = shifted;
      AluClz, AluCtz, AluCpop:      result_o = {26'b0, count};
      AluMax, AluMaxu,
      AluMin, AluMinu:              result_o = take_b ? b_i : a_i;
      AluSextb:                     result_o = {{24{a_i[7]}}, a_i[7:0]};
      AluSexth:                     result_o = {{16{a_i[15]}}, a_i[15:0]};
      AluZexth:                     result_o = {16'b0, a_i[15:0]};
      AluOrcb:                      result_o = orcb;
      AluRev8:                      result_o = {a_i[7:0], a_i[15:8], a_i[23:16], a_i[31:24]};
      AluBext:                      result_o = {31'b0, rotated[0]};
      default:                      result_o = sum;
    endcase
  end

  logic unused;
  assign unused = ^{sum_carry, diff[31:0]};

endmodule
