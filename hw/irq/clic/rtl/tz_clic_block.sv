// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What software configures of a block of sources, and the part of the read multiplexer that belongs to it.
//
// The form is chosen for area, since there may be thousands of sources:
// - Sources are kept in pairs, and a write replaces a pair. So there is one write enable for a pair and no multiplexer
//   in front of a flip-flop.
// - Each pair has a bit that says which source has the larger ctl (`odd_first_o`). Only a write can change that, so it
//   is compared at the write, and the first level of the search for the winner needs no comparators.
// - ctl and shv have no reset: for a source that is not enabled they do not matter. A pair that was never written reads
//   as if they had been reset.
//
// Timing: `pair_o` is the state of this cycle; a write changes it at the end of the cycle.
module tz_clic_block #(
  parameter int unsigned NumSources = 16,
  parameter int unsigned CtlBits    = 8,
  parameter bit          UserIrq    = 0,
  parameter type         source_t   = logic,   // packed: ie, shv, is_edge, negative, user, ctl
  localparam int unsigned NumPairs  = (NumSources + 1) / 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Bus
  input  logic                     enable_i,    // an access to this block
  input  logic [NumPairs-1:0]      select_i,    // the pair that is accessed
  output source_t [1:0]            pair_o,      // state of that pair; zeros if the access is to another block
  output logic [1:0]               ip_pair_o,   // ip of that pair; zeros if the access is to another block
  input  logic                     write_i,     // the pair is replaced by pair_i and odd_first_i
  input  source_t [1:0]            pair_i,
  input  logic [1:0]               odd_first_i,
  input  logic [1:0]               write_ip_i,  // software writes ip of this source of the pair

  // Sources
  input  logic [NumSources-1:0]    ip_i,        // for reads
  output logic [NumSources-1:0]    write_ip_o,
  output source_t [NumSources-1:0] source_o,
  output logic [NumPairs-1:0][1:0] odd_first_o  // source 2j+1 goes before 2j: [0] by ctl, [1] by mode first
);

  // If the number of sources is odd, the second source of the last pair is constant.
  localparam logic [NumPairs-1:0][1:0] Exists = (2 * NumPairs)'({NumSources{1'b1}});
  logic [NumPairs-1:0][1:0]              ip, write_ip, ie_q, shv_q, edge_q, negative_q;
  logic [NumPairs-1:0][1:0][CtlBits-1:0] ctl_q;
  logic [NumPairs-1:0][1:0]              user;
  logic [NumPairs-1:0]                   select, written_q, odd_first_q, odd_first_user;

  assign ip     = (2 * NumPairs)'(ip_i);
  assign select = select_i & {NumPairs{enable_i}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ie_q       <= '0;
      edge_q     <= '0;
      negative_q <= '0;
      written_q  <= '0;
    end else begin
      for (int unsigned j = 0; j < NumPairs; j++) begin
        if (write_i && select[j]) begin
          ie_q[j]       <= {pair_i[1].ie, pair_i[0].ie} & Exists[j];
          edge_q[j]     <= {pair_i[1].is_edge, pair_i[0].is_edge} & Exists[j];
          negative_q[j] <= {pair_i[1].negative, pair_i[0].negative} & Exists[j];
          written_q[j]  <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < NumPairs; j++) begin
      if (write_i && select[j]) begin
        shv_q[j]       <= {pair_i[1].shv, pair_i[0].shv} & Exists[j];
        ctl_q[j]       <= {pair_i[1].ctl & {CtlBits{Exists[j][1]}}, pair_i[0].ctl};
        odd_first_q[j] <= odd_first_i[0];
      end
    end
  end

  // The mode bit of each source: machine mode until its pair is written.
  if (UserIrq) begin : gen_user
    logic [NumPairs-1:0][1:0] user_q;
    logic [NumPairs-1:0]      odd_first_user_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned j = 0; j < NumPairs; j++) begin
        if (write_i && select[j]) begin
          user_q[j]           <= {pair_i[1].user, pair_i[0].user} & Exists[j];
          odd_first_user_q[j] <= odd_first_i[1];
        end
      end
    end
    assign user           = user_q;
    assign odd_first_user = odd_first_user_q;
  end else begin : gen_no_user
    assign user           = '0;
    assign odd_first_user = '0;
    logic unused_user;
    assign unused_user = odd_first_i[1];
  end

  always_comb begin
    pair_o    = '0;
    ip_pair_o = '0;
    for (int unsigned j = 0; j < NumPairs; j++) begin
      ip_pair_o |= ip[j] & {2{select[j]}};
      for (int unsigned k = 0; k < 2; k++) begin
        pair_o[k].ie       |= ie_q[j][k] && select[j];
        pair_o[k].shv      |= shv_q[j][k] && select[j] && written_q[j];
        pair_o[k].is_edge  |= edge_q[j][k] && select[j];
        pair_o[k].negative |= negative_q[j][k] && select[j];
        pair_o[k].user     |= written_q[j] && user[j][k] && select[j];
        pair_o[k].ctl      |= ctl_q[j][k] & {CtlBits{select[j] && written_q[j]}};
      end
    end
  end

  always_comb begin
    for (int unsigned j = 0; j < NumPairs; j++) write_ip[j] = write_ip_i & {2{select[j]}};
    for (int unsigned i = 0; i < NumSources; i++) begin
      source_o[i] = '{
        ie:       ie_q[i/2][i%2],
        shv:      shv_q[i/2][i%2],
        is_edge:  edge_q[i/2][i%2],
        negative: negative_q[i/2][i%2],
        user:     user[i/2][i%2],
        ctl:      ctl_q[i/2][i%2]
      };
    end
  end
  assign write_ip_o  = NumSources'(write_ip);
  always_comb begin
    for (int unsigned j = 0; j < NumPairs; j++) odd_first_o[j] = {odd_first_user[j], odd_first_q[j]};
  end

  if (NumSources % 2 == 1) begin : gen_odd
    logic unused;
    assign unused = write_ip[NumPairs-1][1];
  end

endmodule
