// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: where an access lies against a frame.
//
// No subtraction of whole addresses, which would be the longest path of the core: a frame reaches from the base's block
// of 32 words into the one above at most, so the offset is one of five bits, and the blocks are compared. Nor is the
// offset found behind the address: the base is taken from one of the two terms that the address is the sum of.
module tz_frame_reach
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit RV32E = 1'b0
) (
  input  logic [31:2] base_i,   // of the frame
  input  logic [31:2] addr_i,   // word of the access ...
  input  logic [1:0][6:0] terms_i,  // ... whose byte address ends like the sum of these; [1] is known early
  output logic [4:0]  word_o,   // of the frame, if reached_o
  output logic        reached_o,
  output logic        below_o   // the access is to the word below the frame
);

  logic [31:7] beside;          // the block above the base's, or the one below
  logic        borrow, same, next;
  logic [4:0]  less;
  logic [6:0]  offset;          // bytes
  assign less      = terms_i[1][6:2] - base_i[6:2];
  assign offset    = terms_i[0] + {less, terms_i[1][1:0]};
  assign word_o    = offset[6:2];
  assign borrow    = (addr_i[6:2] < base_i[6:2]);
  assign beside    = base_i[31:7] + ((base_i[6:2] == '0) ? '1 : 25'd1);
  assign same      = (addr_i[31:7] == base_i[31:7]);
  assign next      = (addr_i[31:7] == beside);
  assign reached_o = (borrow ? next : same) && (word_o < 5'(frame_words(RV32E)));
  assign below_o   = (word_o == '1) && (borrow ? same : next);

  logic unused;
  assign unused = ^offset[1:0];

endmodule
