// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Finds the winner: among the valid candidates the one with the largest ctl, the highest index where several have it.
// A binary tree; a node without a right neighbour costs nothing. Combinational.
module tz_clic_winner #(
  parameter int unsigned Number     = 16,  // of candidates
  parameter int unsigned CtlBits    = 8,   // width of ctl
  parameter int unsigned DataBits   = 1,   // width of what is carried along
  parameter bit          Ordered    = 0,   // of each pair it is known which has the larger ctl: `odd_first_i`
  localparam int unsigned IndexBits = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic [Number-1:0]               valid_i,
  input  logic [Number-1:0][CtlBits-1:0]  ctl_i,        // 0 if not valid; with `Ordered` any
  input  logic [Number-1:0][DataBits-1:0] data_i,
  input  logic [(Number+1)/2-1:0]         odd_first_i,  // ctl of candidate 2j+1 is not less than that of 2j
  output logic                            valid_o,      // there is one
  output logic [CtlBits-1:0]              ctl_o,        // 0 if not valid
  output logic [DataBits-1:0]             data_o,       // of the winner, anything if there is none
  output logic [IndexBits-1:0]            index_o       // the same
);

  localparam int unsigned NumLevels = $clog2(Number);

  typedef struct packed {
    logic                 valid;
    logic [CtlBits-1:0]   ctl;    // 0 if not valid; with `Ordered` so from the pairs up
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
      // Which of the two has the larger ctl is known; both may be invalid.
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
          // Equal: the higher index. Neither valid: no matter. One that is not valid has the smallest ctl.
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
