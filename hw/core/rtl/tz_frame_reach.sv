// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: whether an access reaches a frame, and which word of it. Combinational.
//
// Subtracting the base from the address would be the longest path of the core. Two things make it shorter:
// - A frame has at most 32 words. So it lies in the block of 32 words of its base and at most in the next one. The
//   offset is a number of five bits, and the upper bits of the addresses (the numbers of the blocks) are only compared.
// - The offset does not wait for the address. The address is the sum of two terms, of which the second is known early:
//   the base is subtracted from that one.
module tz_frame_reach
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit RV32E = 1'b0,
  parameter bit Whole = 1'b0   // frames hold all registers
) (
  input  logic [31:2] base_i,   // address of the frame
  input  logic [31:2] addr_i,   // address of the word that is accessed
  input  logic [1:0][6:0] terms_i,  // their sum has the lowest seven bits of the access's byte address; [1] is early
  output logic [4:0]  word_o,   // with reached_o: the word of the frame that is accessed
  output logic        reached_o,
  output logic        below_o   // the access is to the word below the frame
);

  logic [31:7] beside;          // the block above that of the base; if the base begins a block, the block below
  logic        borrow, same, next;
  logic [4:0]  less;
  logic [6:0]  offset;          // from the base to the access, in bytes
  assign less      = terms_i[1][6:2] - base_i[6:2];
  assign offset    = terms_i[0] + {less, terms_i[1][1:0]};
  assign word_o    = offset[6:2];
  assign borrow    = (addr_i[6:2] < base_i[6:2]);
  assign beside    = base_i[31:7] + ((base_i[6:2] == '0) ? '1 : 25'd1);
  assign same      = (addr_i[31:7] == base_i[31:7]);
  assign next      = (addr_i[31:7] == beside);
  assign reached_o = (borrow ? next : same) && (word_o < 5'(frame_words(RV32E, Whole)));
  assign below_o   = (word_o == '1) && (borrow ? same : next);

  logic unused;
  assign unused = ^offset[1:0];

endmodule
