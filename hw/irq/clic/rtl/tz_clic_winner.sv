// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Finds the winner among the valid candidates: the one with the largest ctl; if several have it, the one with the
// highest index. It is a binary tree; where a level has an odd number of nodes the last one passes on. Combinational.
module tz_clic_winner #(
  parameter int unsigned Number     = 16,  // number of candidates
  parameter int unsigned CtlBits    = 8,   // width of ctl
  parameter int unsigned DataBits   = 1,   // width of the data of each candidate
  parameter bit          Ordered    = 0,   // 1: odd_first_i says which of each pair has the larger ctl
  localparam int unsigned IndexBits = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic [Number-1:0]               valid_i,
  input  logic [Number-1:0][CtlBits-1:0]  ctl_i,        // 0 if not valid; with `Ordered` any
  input  logic [Number-1:0][DataBits-1:0] data_i,
  input  logic [(Number+1)/2-1:0]         odd_first_i,  // ctl of candidate 2j+1 is not less than that of 2j
  output logic                            valid_o,      // there is a winner: a candidate is valid
  output logic [CtlBits-1:0]              ctl_o,        // ctl of the winner; 0 if there is none
  output logic [DataBits-1:0]             data_o,       // data of the winner; any value if there is none
  output logic [IndexBits-1:0]            index_o       // index of the winner; any value if there is none
);

  localparam int unsigned NumLevels = $clog2(Number);

  typedef struct packed {
    logic                 valid;
    logic [CtlBits-1:0]   ctl;    // 0 if not valid; with `Ordered` this holds from the second level on
    logic [DataBits-1:0]  data;
    logic [IndexBits-1:0] index;  // on level l the low l bits; the rest is zero
  } node_t;

  // Nodes of the level with this depth
  function automatic int unsigned nodes(int unsigned depth);
    nodes = (Number + (1 << depth) - 1) >> depth;
  endfunction

  for (genvar l = 0; l <= int'(NumLevels); l++) begin : gen_level
    localparam int unsigned NumNodes = nodes(l);
    localparam int unsigned NumFull = (l == 0) ? 0 : nodes(l - 1) / 2;
    node_t node [NumNodes];  // the better of two of the level below

    if (l == 0) begin : gen_leaves
      always_comb begin
        for (int unsigned j = 0; j < NumNodes; j++) begin
          node[j] = '{valid: valid_i[j], ctl: ctl_i[j], data: data_i[j], index: '0};
        end
        if (Ordered && Number % 2 == 1) node[Number-1].ctl &= {CtlBits{valid_i[Number-1]}};
      end
    end else if (l == 1 && Ordered) begin : gen_pairs
      // First level with `Ordered`: odd_first_i says which of the two has the larger ctl. Both may be not valid.
      always_comb begin
        for (int unsigned j = 0; j < NumFull; j++) begin
          logic odd, even;
          odd  = valid_i[2*j+1] && (odd_first_i[j] || !valid_i[2*j]);
          even = valid_i[2*j] && !odd;
          node[j] = '{
            valid: odd || even,
            ctl:   (ctl_i[2*j+1] & {CtlBits{odd}}) | (ctl_i[2*j] & {CtlBits{even}}),
            data:  (data_i[2*j+1] & {DataBits{odd}}) | (data_i[2*j] & {DataBits{even}}),
            index: IndexBits'(odd)
          };
        end
        if (NumFull < NumNodes) node[NumNodes-1] = gen_level[0].node[Number-1];
      end
    end else begin : gen_nodes
      always_comb begin
        for (int unsigned j = 0; j < NumFull; j++) begin
          // If both ctl are equal the higher index wins. A candidate that is not valid has the smallest ctl, so that it
          // loses; if both are not valid, either may win.
          if ({gen_level[l-1].node[2*j+1].ctl, gen_level[l-1].node[2*j+1].valid}
              >= {gen_level[l-1].node[2*j].ctl, gen_level[l-1].node[2*j].valid}) begin
            node[j] = gen_level[l-1].node[2*j+1];
            node[j].index[l-1] = 1'b1;
          end else begin
            node[j] = gen_level[l-1].node[2*j];
          end
          node[j].valid = gen_level[l-1].node[2*j+1].valid || gen_level[l-1].node[2*j].valid;
        end
        if (NumFull < NumNodes) node[NumNodes-1] = gen_level[l-1].node[2*NumNodes-2];
      end
    end
  end

  assign {valid_o, ctl_o, data_o, index_o} = gen_level[NumLevels].node[0];

  if (!Ordered || Number == 1) begin : gen_unordered
    logic unused;
    assign unused = ^odd_first_i;
  end

endmodule
