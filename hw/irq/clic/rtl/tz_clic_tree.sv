// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Finds the winner: among the valid sources the one with the largest ctl, the highest id where several have it.
// A binary tree; a node without a right neighbour costs nothing.
//
// Timing: combinational. With `Pipeline` there is one register stage in the middle: the outputs belong to the inputs of
// the cycle before, but `valid_o` is off if the winner is not valid any more in this cycle. That check runs beside the
// second half of the tree, not in front of it.
module tz_clic_tree #(
  parameter int unsigned NumSources = 64,  // 1 to 4096
  parameter int unsigned CtlBits    = 8,   // width of ctl
  parameter bit          Pipeline   = 0,   // register stage in the middle
  localparam int unsigned IdWidth   = (NumSources > 1) ? $clog2(NumSources) : 1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [NumSources-1:0]              valid_i,  // pending and enabled
  input  logic [NumSources-1:0]              shv_i,    // carried along
  input  logic [NumSources-1:0][CtlBits-1:0] ctl_i,
  input  logic [(NumSources+1)/2-1:0]        odd_first_i,  // ctl of source 2j+1 is not less than that of 2j
  output logic                               valid_o,
  output logic [IdWidth-1:0]                 id_o,
  output logic                               shv_o,
  output logic [CtlBits-1:0]                 ctl_o
);

  localparam int unsigned NumLevels = $clog2(NumSources);
  localparam int unsigned StageLevel = (NumLevels + 1) / 2;  // the nodes whose outputs the stage holds
  localparam int unsigned GroupSize = 1 << StageLevel;       // sources below such a node

  typedef struct packed {
    logic               valid;
    logic               here;   // the winner is still valid; constant in front of the stage
    logic               shv;
    logic [CtlBits-1:0] ctl;    // from the pairs up 0 if not valid
    logic [IdWidth-1:0] id;     // on level l the low l bits; the rest is zero
  } node_t;

  // Nodes of a level.
  function automatic int unsigned nodes(int unsigned level);
    nodes = (NumSources + (1 << level) - 1) >> level;
  endfunction

  for (genvar l = 0; l <= int'(NumLevels); l++) begin : gen_level
    localparam int unsigned NumNodes = nodes(l);
    node_t best [NumNodes];  // of the level below
    node_t node [NumNodes];  // the same, or one cycle later

    if (l == 0) begin : gen_leaves
      always_comb begin
        for (int unsigned j = 0; j < NumNodes; j++) begin
          best[j] = '{valid: valid_i[j], here: 1'b1, shv: shv_i[j], ctl: ctl_i[j], id: '0};
        end
      end
    end else if (l == 1) begin : gen_pairs
      // Which of the two has the larger ctl is known; both may be invalid.
      always_comb begin
        for (int unsigned j = 0; j < NumSources / 2; j++) begin
          logic odd, even;
          odd  = valid_i[2*j+1] && (odd_first_i[j] || !valid_i[2*j]);
          even = valid_i[2*j] && !odd;
          best[j] = '{
            valid: odd || even,
            here:  1'b1,
            shv:   (shv_i[2*j+1] && odd) || (shv_i[2*j] && even),
            ctl:   (ctl_i[2*j+1] & {CtlBits{odd}}) | (ctl_i[2*j] & {CtlBits{even}}),
            id:    IdWidth'(odd)
          };
        end
        if (NumSources % 2 == 1) begin
          best[NumNodes-1] = gen_level[0].node[2*NumNodes-2];
          best[NumNodes-1].ctl &= {CtlBits{valid_i[NumSources-1]}};
        end
      end
    end else begin : gen_nodes
      localparam int unsigned NumFull = nodes(l - 1) / 2;
      always_comb begin
        for (int unsigned j = 0; j < NumFull; j++) begin
          // Equal: the higher id. Neither valid: no matter. One that is not valid has the smallest ctl.
          if ({gen_level[l-1].node[2*j+1].ctl, gen_level[l-1].node[2*j+1].valid}
              >= {gen_level[l-1].node[2*j].ctl, gen_level[l-1].node[2*j].valid}) begin
            best[j] = gen_level[l-1].node[2*j+1];
            best[j].id[l-1] = 1'b1;
          end else begin
            best[j] = gen_level[l-1].node[2*j];
          end
          best[j].valid = gen_level[l-1].node[2*j+1].valid || gen_level[l-1].node[2*j].valid;
        end
        if (NumFull < NumNodes) best[NumNodes-1] = gen_level[l-1].node[2*NumNodes-2];
      end
    end

    if (Pipeline && l == int'(StageLevel)) begin : gen_stage
      node_t stage_q [NumNodes];
      logic [NumNodes-1:0][GroupSize-1:0] group;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) stage_q <= '{default: '0};
        else stage_q <= best;
      end
      assign group = (NumNodes * GroupSize)'(valid_i);
      always_comb begin
        for (int unsigned j = 0; j < NumNodes; j++) begin
          node[j] = stage_q[j];
          node[j].here = (l == 0) ? group[j][0] : group[j][stage_q[j].id[((l > 0) ? l : 1)-1:0]];
        end
      end
    end else begin : gen_no_stage
      assign node = best;
    end
  end

  node_t root;
  assign root    = gen_level[NumLevels].node[0];
  assign valid_o = root.valid && root.here;
  assign id_o    = root.id;
  assign shv_o   = root.shv;
  assign ctl_o   = root.ctl;

  if (NumSources == 1) begin : gen_alone
    logic unused;
    assign unused = ^odd_first_i;
  end
  if (!Pipeline) begin : gen_unused
    logic unused;
    assign unused = clk_i ^ rst_ni;
  end

endmodule
