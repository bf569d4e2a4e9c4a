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
    logic [CtlBits-1:0] ctl;
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
    end else begin : gen_pairs
      localparam int unsigned NumPairs = nodes(l - 1) / 2;
      always_comb begin
        for (int unsigned j = 0; j < NumPairs; j++) begin
          // Equal: the higher id. Neither valid: no matter.
          if ({gen_level[l-1].node[2*j+1].valid, gen_level[l-1].node[2*j+1].ctl}
              >= {gen_level[l-1].node[2*j].valid, gen_level[l-1].node[2*j].ctl}) begin
            best[j] = gen_level[l-1].node[2*j+1];
            best[j].id[l-1] = 1'b1;
          end else begin
            best[j] = gen_level[l-1].node[2*j];
          end
        end
        if (NumPairs < NumNodes) best[NumNodes-1] = gen_level[l-1].node[2*NumNodes-2];
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

  if (!Pipeline) begin : gen_unused
    logic unused;
    assign unused = clk_i ^ rst_ni;
  end

endmodule
