// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Execution units of EX: ALU, multiplier, divider, branch decision. All are combinational but the divider: its
// instruction stays in EX until `ready_o`, unless `kill_i` ends it.
//
// Late operands: an operand that the load in WB brings in this cycle is late. `op_a_i` and `op_b_i` include it. The
// multiplier, the divider and the counting of bits use the operands of `ex_i` instead, which come from flip-flops,
// and addresses use `base_i`, which is right only if the load is of a whole aligned word. With the late operand these
// would be the longest paths of the core. Where the operand is not right yet, the core lets the instruction wait for a
// cycle (trapeze_core, `operand_late`).
module tz_ex
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  id_t         ex_i,          // operands: as registered
  input  logic [31:0] op_a_i,
  input  logic [31:0] op_b_i,
  input  logic [31:0] base_i,        // op_a of loads, stores and jalr; ex_i.op_b is their offset
  input  logic [31:0] csr_rdata_i,
  input  logic        div_valid_i,   // a division with operands that have arrived
  input  logic        div_taken_i,   // its result is taken
  input  logic        kill_i,

  output logic [31:0] result_o,
  output logic [31:0] sum_o,         // address of loads and stores
  output logic        ready_o,       // the divider has finished; counts for a division only
  output logic        mispredict_o,  // a branch goes to ex_i.alt instead
  output logic [31:0] jalr_target_o,
  output logic        target_bad_o   // without C: a jump to a half-word address, which traps and writes no link
);

  logic [31:0] alu_result, mul_result, div_result;
  logic        eq, ltu, taken, inverted;
  tz_alu u_alu (
    .op_i    (ex_i.ctrl.alu_op),
    .a_i     (op_a_i),
    .b_i     (op_b_i),
    .early_a_i(ex_i.op_a),
    .result_o(alu_result),
    .eq_o    (eq),
    .ltu_o   (ltu)
  );

  // Addresses have an adder of their own: the ALU's would be behind its operand multiplexer. Their lowest bits leave
  // out the carry chain, because whether an access needs two words decides whether EX is ready.
  logic [31:0] sum;
  assign sum   = base_i + ex_i.op_b;
  assign sum_o = {sum[31:2], base_i[1] ^ ex_i.op_b[1] ^ (base_i[0] & ex_i.op_b[0]), base_i[0] ^ ex_i.op_b[0]};

  if (Cfg.ExtM) begin : gen_muldiv
    tz_mult #(
      .Gates(Cfg.Gates)
    ) u_mult (
      .op_i    (mul_op_e'(ex_i.ctrl.funct3[1:0])),
      .a_i     (ex_i.op_a),
      .b_i     (ex_i.op_b),
      .result_o(mul_result)
    );
    tz_div #(
      .BitsPerCycle(Cfg.DivBitsPerCycle)
    ) u_div (
      .clk_i,
      .rst_ni,
      .valid_i (div_valid_i),
      .signed_i(!ex_i.ctrl.funct3[0]),
      .rem_i   (ex_i.ctrl.funct3[1]),
      .a_i     (ex_i.op_a),
      .b_i     (ex_i.op_b),
      .kill_i,
      .ready_o,
      .taken_i (div_taken_i),
      .result_o(div_result)
    );
  end else begin : gen_no_muldiv
    logic unused;
    assign unused     = ^{clk_i, rst_ni, div_valid_i, div_taken_i, kill_i};
    assign mul_result = '0;
    assign div_result = '0;
    assign ready_o    = 1'b1;
  end

  // The product is known later than all other results. So it is put in behind them, where it passes one gate.
  logic [31:0] other;
  always_comb begin
    unique case (ex_i.ctrl.result)
      ResMul:  other = '0;
      ResDiv:  other = div_result;
      ResCsr:  other = csr_rdata_i;
      ResLink: other = ex_i.alt;
      default: other = alu_result;
    endcase
    result_o = other | (mul_result & {32{Cfg.ExtM && ex_i.ctrl.result == ResMul}});
  end

  // beq, bne, blt, bge, bltu, bgeu. A signed comparison has the result of the unsigned one, inverted if the signs
  // differ. Whether to invert is decided beside the subtraction, whose result is late.
  assign inverted      = ex_i.ctrl.funct3[0] ^
                         (ex_i.ctrl.funct3[2] && !ex_i.ctrl.funct3[1] && (op_a_i[31] != op_b_i[31]));
  assign taken         = (ex_i.ctrl.funct3[2] ? ltu : eq) ^ inverted;
  assign mispredict_o  = (ex_i.ctrl.funct3[2] ? ltu : eq) ^ (inverted ^ ex_i.pred_taken);
  assign jalr_target_o = {sum_o[31:1], 1'b0};
  assign target_bad_o  = !Cfg.ExtC && ((ex_i.ctrl.kind == KindJalr && jalr_target_o[1]) ||
                                   (ex_i.ctrl.kind == KindJal && ex_i.alt[1]) ||
                                   (ex_i.ctrl.kind == KindBranch && taken && !ex_i.pred_taken && ex_i.alt[1]));

  logic unused_ctrl;
  assign unused_ctrl = ^{ex_i, sum[1:0]};

endmodule
