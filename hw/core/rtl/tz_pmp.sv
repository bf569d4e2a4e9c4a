// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection: whether one access is allowed. Privileged Architecture 20211203, 3.7.1, "Priority and
// Matching Logic". Combinational.
//
//   word address ──> each row: matches a word? all of them? ──> the lowest one that matches decides ──> allowed
//
// An access is of one word, or reaches into the next one (`Two`, `next_i`). The lowest row that matches any word of it
// decides, and refuses it unless it matches all. Words are enough: regions begin and end at words.
//
// Made for an address that is late: rows come decoded (tz_pmp_csr), each compares the address with constants of its own,
// and the second word is not computed from the first (`next_word_i`). Where a row ends, the next one begins if that is
// TOR, so each row compares sizes once. The rows are reduced as a tree, with what each decides beside it.
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
  input  logic        next_i,             // it reaches into the next word ...
  input  logic [31:2] next_word_i,        // ... whose address is this
  output logic        allowed_o
);

  logic machine;
  assign machine = (prv_i == isa_pkg::PrivM);

  logic [Regions-1:0] here, there;   // the row matches the first word, and the second
  for (genvar i = 0; i < Regions; i++) begin : gen_row
    pmp_row_t row;
    logic     unused;
    assign unused = ^row;
    logic     below, behind;         // the word is below the end of the row; and below its beginning, if it is TOR
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

  // Leaves of the tree: whether the row decides, and what. Its nodes: the left half wins.
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
  assign allowed_o = hit[1] ? good[1] : otherwise;

  logic unused;
  assign unused = ^{pmp_i, next_i, next_word_i};

endmodule
