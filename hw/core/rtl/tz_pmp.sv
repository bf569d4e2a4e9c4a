// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection: whether one access is allowed. Privileged Architecture 20211203, 3.7.1, "Priority and
// Matching Logic". Combinational.
//
//   word address ──> each row: matches a word? all of them? ──> the lowest one that matches decides ──> allowed
//
// An access is of one word, or with `Two` and `next_i` of that word and the next one. The lowest row that matches a
// word of the access decides. It refuses the access if it does not match all its words. Bytes within a word need no
// look: regions begin and end at words.
//
// The address is known late, so the path from it is short:
// - Rows come decoded (tz_pmp_csr). Each row compares the address with values that do not depend on it.
// - The second word's address comes from outside (`next_word_i`): it is not computed from the first one's.
// - Each row has one comparator for "address below `upper`". The beginning of a TOR row is the `upper` of the row
//   before, so that row's comparator serves both.
// - A tree finds the lowest row that matches, and carries each row's decision with it.
module tz_pmp
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 16,
  parameter bit          Two     = 1'b0   // an access may reach into a second word
) (
  input  pmp_t        pmp_i,
  input  logic [1:0]  prv_i,
  input  logic [2:0]  kind_i,             // {executes, writes, reads}: all that the access does
  input  logic [31:2] word_i,
  input  logic        next_i,             // the access also reaches the next word
  input  logic [31:2] next_word_i,        // address of that next word
  output logic        allowed_o
);

  logic machine;
  assign machine = (prv_i == isa_pkg::PrivM);

  logic [Regions-1:0] here, there;   // the row matches the first word; the row matches the second word
  for (genvar i = 0; i < Regions; i++) begin : gen_row
    pmp_row_t row;
    logic     unused;
    assign unused = ^row;
    logic     below, behind;         // the word is below the row's end; it is below the beginning of the row, if TOR
    assign row   = pmp_i.rows[i];
    assign below = row.above || (word_i < row.upper);
    if (i == 0) begin : gen_first
      assign behind = 1'b0;
    end else begin : gen_other
      assign behind = gen_row[i-1].below;
    end
    assign here[i] = (row.tor && below && !behind) || (row.block && ((word_i ^ row.base) & row.care) == '0);

    if (Two) begin : gen_two
      logic below_next, behind_next;
      assign below_next = row.above || (next_word_i < row.upper);
      if (i == 0) begin : gen_first
        assign behind_next = 1'b0;
      end else begin : gen_other
        assign behind_next = gen_row[i-1].gen_two.below_next;
      end
      assign there[i] = (row.tor && below_next && !behind_next) ||
                        (row.block && ((next_word_i ^ row.base) & row.care) == '0);
    end else begin : gen_one
      assign there[i] = 1'b0;
    end
  end

  // The tree. At a leaf, hit: the row matches a word of the access; good: the row allows the access. At a node the left
  // half, which has the lower rows, decides if it has a hit.
  localparam int unsigned Nodes = 2 * Regions;
  logic [Nodes-1:1] hit, good;
  for (genvar i = 0; i < Regions; i++) begin : gen_leaf
    logic [2:0] may;
    assign may             = machine ? pmp_i.rows[i].machine : pmp_i.rows[i].user;
    assign hit[Regions+i]  = here[i] || (Two && next_i && there[i]);
    assign good[Regions+i] = here[i] && (!Two || !next_i || there[i]) && ((kind_i & ~may) == '0);
  end
  for (genvar n = 1; n < Regions; n++) begin : gen_node
    assign hit[n]  = hit[2*n] || hit[2*n+1];
    assign good[n] = hit[2*n] ? good[2*n] : good[2*n+1];
  end

  logic otherwise;  // no row matches
  assign otherwise = machine && ((kind_i & ~pmp_i.machine_else) == '0);
  assign allowed_o = (hit[1] ? good[1] : otherwise) || prv_i == obi_pkg::PrvDebug;

  logic unused;
  assign unused = ^{pmp_i, next_i, next_word_i};

endmodule
