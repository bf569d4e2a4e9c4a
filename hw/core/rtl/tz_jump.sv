// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Recognises jal and branches, and gives their offsets (Unprivileged ISA, 2.5; "C" extension, RV32). Combinational. It
// works on the instruction as it was fetched, beside tz_decompress and tz_decoder and not behind them, because the
// address of the next fetch waits for it. It may take an illegal instruction for a branch. This does no harm: the
// instruction traps, and what was fetched meanwhile is dropped.
module tz_jump (
  input  logic [31:0] instr_i,
  input  logic        compressed_i,
  output logic        jal_o,
  output logic        branch_o,
  output logic [31:0] offset_o    // offset of the jal or branch in bytes; bit 31: backward
);

  logic [15:0] c;
  logic [31:0] wide_jal, wide_branch, short_jal, short_branch;
  assign c            = instr_i[15:0];
  assign wide_jal     = {{12{instr_i[31]}}, instr_i[19:12], instr_i[20], instr_i[30:21], 1'b0};
  assign wide_branch  = {{20{instr_i[31]}}, instr_i[7], instr_i[30:25], instr_i[11:8], 1'b0};
  assign short_jal    = {{21{c[12]}}, c[8], c[10:9], c[6], c[7], c[2], c[11], c[5:3], 1'b0};
  assign short_branch = {{24{c[12]}}, c[6:5], c[2], c[11:10], c[4:3], 1'b0};

  logic link;  // jal, c.jal, c.j; else a branch if any
  always_comb begin
    if (compressed_i) begin
      link     = !c[14];
      jal_o    = (c[1:0] == 2'b01) && (c[14:13] == 2'b01);
      branch_o = (c[1:0] == 2'b01) && (c[15:14] == 2'b11);
      offset_o = link ? short_jal : short_branch;
    end else begin
      link     = instr_i[3];
      jal_o    = (instr_i[6:0] == 7'h6F);
      branch_o = (instr_i[6:0] == 7'h63);
      offset_o = link ? wide_jal : wide_branch;
    end
  end

endmodule
