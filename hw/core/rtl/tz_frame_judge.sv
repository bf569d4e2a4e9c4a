// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq with user-level interrupts: whether memory protection lets user mode store all words of a frame.
// Combinational.
//
// Each word is judged as an access of its own, as it will be when it is stored. The lowest row that matches the word
// decides; a word that no row matches is denied (Privileged Architecture 20211203, 3.7.1).
//
// A frame lies in at most two neighbouring blocks of 32 words (addresses modulo 2^32). So each row compares its bounds
// with the numbers of two blocks, whatever the frame's size. Which words of a block a row matches if one of its bounds
// lies in that block does not depend on the frame, only on the rows, which are known early.
module tz_frame_judge
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 16,
  parameter int unsigned Words   = 18   // words of a frame, 1 to 32
) (
  input  pmp_t        pmp_i,
  input  logic [31:2] base_i,     // the frame's first word
  output logic        refused_o   // a word of the frame may not be stored
);

  localparam int unsigned Window = 64;  // words of two blocks

  logic [1:0][24:0]  block;       // numbers of the two blocks: bits 31:7 of their addresses
  logic [Window-1:0] frame;       // which words of the two blocks belong to the frame
  assign block[0] = base_i[31:7];
  assign block[1] = base_i[31:7] + 25'd1;
  assign frame    = Window'({Words{1'b1}}) << base_i[6:2];

  // here: which words of the two blocks each row matches
  logic [Regions-1:0][Window-1:0] here;
  for (genvar i = 0; i < Regions; i++) begin : gen_row
    pmp_row_t          row;
    logic [31:0]       low_below, low_match;  // words below the row's end in its block; words matched in a base's block
    logic [Window-1:0] below, behind;         // words below the end of the row; words below the beginning of a TOR row
    logic              unused;
    assign row    = pmp_i.rows[i];
    assign unused = ^row;
    assign low_below = ~({32{1'b1}} << row.upper[4:0]);
    for (genvar w = 0; w < 32; w++) begin : gen_low
      assign low_match[w] = ((5'(w) ^ row.base[4:0]) & row.care[4:0]) == '0;
    end
    if (i == 0) begin : gen_first
      assign behind = '0;
    end else begin : gen_other
      assign behind = gen_row[i-1].below;
    end
    for (genvar b = 0; b < 2; b++) begin : gen_block
      logic lower, same, match;
      assign lower = row.above || (block[b] < row.upper[29:5]);
      assign same  = (block[b] == row.upper[29:5]);
      assign match = row.block && ((block[b] ^ row.base[29:5]) & row.care[29:5]) == '0;
      assign below[32*b+:32]   = {32{lower}} | ({32{same}} & low_below);
      assign here[i][32*b+:32] = ({32{row.tor}} & below[32*b+:32] & ~behind[32*b+:32]) | ({32{match}} & low_match);
    end
  end

  logic [Window-1:0] allowed;
  always_comb begin
    allowed = '0;
    for (int unsigned k = 0; k < Regions; k++) begin
      // From the last row to the first, so that the lowest row that matches a word decides.
      allowed = (allowed & ~here[Regions-1-k]) | (here[Regions-1-k] & {Window{pmp_i.rows[Regions-1-k].user[1]}});
    end
  end
  assign refused_o = |(frame & ~allowed);

  logic unused;
  assign unused = ^pmp_i;

endmodule
