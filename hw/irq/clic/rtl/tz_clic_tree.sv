// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Finds the winner among the valid sources: the one with the largest ctl; if several have it, the one with the highest
// id. (`ctl_i` may be the mode and ctl.) The search has two halves, both made of tz_clic_winner: the first finds the
// winner of each group of sources, the second the winner among these.
//
// Timing: combinational. With `Pipeline` there is a register stage between the halves: the outputs are for the inputs
// of the cycle before, but `valid_o` is low if the winner is no longer valid in this cycle. This check is made beside
// the second half, so that it takes no time.
module tz_clic_tree #(
  parameter int unsigned NumSources = 64,  // 1 to 4096
  parameter int unsigned CtlBits    = 8,   // width of ctl
  parameter int unsigned CarryBits  = 1,   // width of carry_i
  parameter bit          Pipeline   = 0,   // register stage in the middle
  localparam int unsigned IdWidth   = (NumSources > 1) ? $clog2(NumSources) : 1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [NumSources-1:0]              valid_i,  // pending and enabled
  input  logic [NumSources-1:0][CarryBits-1:0] carry_i, // data of each source; carry_o has those of the winner
  input  logic [NumSources-1:0][CtlBits-1:0] ctl_i,
  input  logic [(NumSources+1)/2-1:0]        odd_first_i,  // ctl of source 2j+1 is not less than that of 2j
  output logic                               valid_o,
  output logic [IdWidth-1:0]                 id_o,
  output logic [CarryBits-1:0]               carry_o,
  output logic [CtlBits-1:0]                 ctl_o
);

  localparam int unsigned LowLevels = ($clog2(NumSources) + 1) / 2;
  localparam int unsigned LowBits = (LowLevels > 0) ? LowLevels : 1;
  localparam int unsigned GroupSize = 1 << LowLevels;
  localparam int unsigned NumGroups = (NumSources + GroupSize - 1) / GroupSize;
  localparam int unsigned GroupBits = (NumGroups > 1) ? $clog2(NumGroups) : 1;

  typedef struct packed {
    logic [CarryBits-1:0] carry;
    logic [LowBits-1:0] id;   // number of the source in its group
  } about_t;

  // The winners of the groups, as the second half sees them: with `Pipeline` a cycle later, with a bit that says
  // whether the winner is still valid.
  localparam int unsigned DataBits = $bits(about_t) + 32'(Pipeline);
  logic [NumGroups-1:0]               valid, valid_then, here;
  logic [NumGroups-1:0][CtlBits-1:0]  ctl, ctl_then;
  about_t [NumGroups-1:0]             about, about_then;
  logic [NumGroups-1:0][DataBits-1:0] data;

  for (genvar g = 0; g < int'(NumGroups); g++) begin : gen_group
    localparam int unsigned First = g * GroupSize;
    localparam int unsigned Number = (NumSources - First < GroupSize) ? NumSources - First : GroupSize;
    logic [((Number > 1) ? $clog2(Number) : 1)-1:0] index;
    tz_clic_winner #(
      .Number  (Number),
      .CtlBits (CtlBits),
      .DataBits(CarryBits),
      .Ordered (1)
    ) u_winner (
      .valid_i    (valid_i[First+:Number]),
      .ctl_i      (ctl_i[First+:Number]),
      .data_i     (carry_i[First+:Number]),
      .odd_first_i(odd_first_i[First/2+:(Number+1)/2]),
      .valid_o    (valid[g]),
      .ctl_o      (ctl[g]),
      .data_o     (about[g].carry),
      .index_o    (index)
    );
    assign about[g].id = LowBits'(index);
  end

  if (Pipeline) begin : gen_stage
    logic [NumGroups-1:0]                valid_q;
    logic [NumGroups-1:0][CtlBits-1:0]   ctl_q;
    about_t [NumGroups-1:0]              about_q;
    logic [NumGroups-1:0][GroupSize-1:0] group;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= '0;
        ctl_q   <= '0;
        about_q <= '0;
      end else begin
        valid_q <= valid;
        ctl_q   <= ctl;
        about_q <= about;
      end
    end
    assign {valid_then, ctl_then, about_then} = {valid_q, ctl_q, about_q};
    assign group = (NumGroups * GroupSize)'(valid_i);
    always_comb begin
      for (int unsigned g = 0; g < NumGroups; g++) here[g] = group[g][about_q[g].id];
    end
  end else begin : gen_no_stage
    assign {valid_then, ctl_then, about_then} = {valid, ctl, about};
    assign here = '1;
    logic unused;
    assign unused = clk_i ^ rst_ni;
  end

  always_comb begin
    for (int unsigned g = 0; g < NumGroups; g++) data[g] = DataBits'({here[g], about_then[g]});
  end

  logic                 win_valid;
  logic [DataBits-1:0]  win_data;
  about_t               win_about;
  logic [GroupBits-1:0] win_group;
  tz_clic_winner #(
    .Number  (NumGroups),
    .CtlBits (CtlBits),
    .DataBits(DataBits)
  ) u_winner (
    .valid_i    (valid_then),
    .ctl_i      (ctl_then),
    .data_i     (data),
    .odd_first_i('0),
    .valid_o    (win_valid),
    .ctl_o,
    .data_o     (win_data),
    .index_o    (win_group)
  );
  assign win_about = win_data[$bits(about_t)-1:0];
  assign valid_o   = win_valid && (!Pipeline || win_data[DataBits-1]);
  assign id_o      = (IdWidth'(win_group) << LowLevels) | IdWidth'(win_about.id);
  assign carry_o   = win_about.carry;

endmodule
