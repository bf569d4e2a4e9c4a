// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Load-store unit. The request leaves from EX, the answer arrives in WB; one access at a time. A misaligned access that
// crosses a word boundary is made as two requests (a split access). When the first one is granted (`advance`) the
// instruction stays in EX, and EX computes the address of the second word.
//
//   EX: address, data ──> rotate ──> data_req ~~memory~~> data_rsp ──> rotate, extend ──> WB
//
// Interrupts: an interrupt must wait for two things, because they cannot be given up: a request that is on the bus
// without a grant, and the second half of a store whose first half was granted (`committed`). A load can be given up
// between its halves: it starts again after the handler.
//
// An interrupt may be taken in the cycle in which the second half of a store is granted. If the answer to that half
// were an error, the exception would come too late: the interrupt has changed mepc and the privilege mode already. So
// this is done only if no error can come. Two cases:
// - Both halves lie in one aligned block of `BlockBytes`. Every subordinate refuses both or neither.
// - The second half begins another block. Then the interrupt waits for the answer (`busy`).
// Regions of memory protection may be smaller than a block. So memory protection judges both halves at the first
// request (`split`) and does not refuse the second (`second`).
module tz_lsu
  import obi_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  output obi_req_t    data_req_o,
  input  obi_rsp_t    data_rsp_i,
  input  logic        bus_gnt_i,    // the bus's grant, before memory protection, which does not judge second words

  // EX
  input  logic        valid_i,      // a load or store may request in this cycle, if wait_i is low
  input  logic        wait_i,       // the access reaches a word that has still to be stored to a frame; known late
  input  logic        wait_here_i,  // its first word is such a word; this alone decides whether the access ends
  input  logic        flush_i,      // a trap empties EX: a split access is given up
  input  logic        we_i,
  input  logic [1:0]  prv_i,        // privilege of the access
  input  logic [5:0]  atop_i,       // atomic operation (obi_pkg), AtopNone for none; needs an aligned addr_i
  input  logic        unreserve_i,  // a trap, or a return from one: the hart's reservation ends
  input  logic [2:0]  funct3_i,     // size and signedness as in the instruction
  input  logic [31:0] addr_i,       // byte address; after `advance` that of the second word
  input  logic [31:0] wdata_i,

  output tz_core_pkg::from_lsu_t lsu_o /*verilator split_var*/
);

  // Size of an aligned block of which each subordinate takes all words or none. A power of two
  localparam int unsigned BlockBytes = 256;

  logic hold_d, hold_q;       // a request waits for its grant
  logic second_d, second_q;   // EX is at the second word
  logic reserved_d, reserved_q; // an LR was made
  logic [1:0] off_q;          // byte offset of the access, for its second word
  logic       apart_q;        // the two words of the split access are in different blocks

  // ---------------------------------------------------------------- request
  logic [1:0] off;
  logic [3:0] size_be;
  logic [7:0] be;             // lanes of both words
  logic       split;
  assign off = second_q ? off_q : addr_i[1:0];
  always_comb begin
    unique case (funct3_i[1:0])
      2'b00:   size_be = 4'b0001;
      2'b01:   size_be = 4'b0011;
      default: size_be = 4'b1111;
    endcase
  end
  assign be    = {4'b0, size_be} << off;
  assign split = |be[7:4];

  logic [31:0] wdata;         // rotated: serves both words
  always_comb begin
    unique case (off)
      2'd0:    wdata = wdata_i;
      2'd1:    wdata = {wdata_i[23:0], wdata_i[31:24]};
      2'd2:    wdata = {wdata_i[15:0], wdata_i[31:16]};
      default: wdata = {wdata_i[7:0], wdata_i[31:8]};
    endcase
  end

  // go: a request may begin. One that is on the bus already, and the second half of a store, are not stopped. `stays`
  // looks at wait_here_i only: when the access ends its request is for its last word, and there is no word behind.
  logic go, done;
  assign go          = hold_q || lsu_o.committed || !wait_i;
  assign lsu_o.stays = !hold_q && !lsu_o.committed && wait_here_i;

  assign data_req_o = '{
    prv:   prv_i,
    mid:   '0,
    atop:  atop_i,
    req:   (valid_i || hold_q) && go,
    we:    we_i && !(atop_i == AtopSc && !reserved_q),
    be:    second_q ? be[7:4] : be[3:0],
    addr:  {addr_i[31:2], 2'b00},
    wdata: wdata
  };

  logic grant;
  assign grant           = data_req_o.req && data_rsp_i.gnt;
  assign lsu_o.ends      = (valid_i || hold_q) && data_rsp_i.gnt && (second_q || !split);
  assign done            = lsu_o.ends && !lsu_o.stays;
  assign lsu_o.advance   = grant && !second_q && split;
  assign lsu_o.split     = split && !second_q;
  assign lsu_o.second    = second_q;
  assign lsu_o.committed = second_q && we_i;
  assign lsu_o.firm      = hold_q || lsu_o.committed;
  // `busy` decides about an interrupt. So it does not depend on `go` and on the verdict about an address, known late.
  assign lsu_o.busy      = hold_q || (lsu_o.committed && (apart_q || !(valid_i && bus_gnt_i)));

  // reserved: an LR was made since the last SC and the last trap. tz_amo, at the memory, knows whether the word was
  // written.
  always_comb begin
    reserved_d = reserved_q;
    if (done && atop_i == AtopLr) reserved_d = 1'b1;
    if (done && atop_i == AtopSc) reserved_d = 1'b0;
    if (unreserve_i) reserved_d = 1'b0;
  end

  assign hold_d   = data_req_o.req && !data_rsp_i.gnt;
  assign second_d = lsu_o.advance || (second_q && !done && !flush_i);

  // ---------------------------------------------------------------- answer
  // Kept for WB: size, sign and offset of the access, and the bytes of the first word of two.
  logic [2:0]  wb_funct3_q;
  logic [1:0]  wb_off_q;
  logic        wb_second_q;
  logic [23:0] first_q;

  logic [31:0] data, low;
  assign low = wb_second_q ? {first_q, 8'b0} : data_rsp_i.rdata;
  always_comb begin
    unique case (wb_off_q)
      2'd0:    data = low;
      2'd1:    data = {data_rsp_i.rdata[7:0], low[31:8]};
      2'd2:    data = {data_rsp_i.rdata[15:0], low[31:16]};
      default: data = {data_rsp_i.rdata[23:0], low[31:24]};
    endcase
    unique case (wb_funct3_q)
      3'b000:  lsu_o.rdata = {{24{data[7]}}, data[7:0]};
      3'b001:  lsu_o.rdata = {{16{data[15]}}, data[15:0]};
      3'b100:  lsu_o.rdata = {24'b0, data[7:0]};
      3'b101:  lsu_o.rdata = {16'b0, data[15:0]};
      default: lsu_o.rdata = data;
    endcase
  end

  assign lsu_o.plain = (wb_funct3_q == 3'b010) && (wb_off_q == 2'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hold_q     <= 1'b0;
      second_q   <= 1'b0;
      reserved_q <= 1'b0;
    end else begin
      hold_q     <= hold_d;
      second_q   <= second_d;
      reserved_q <= reserved_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (lsu_o.advance) begin
      off_q   <= addr_i[1:0];
      apart_q <= &addr_i[$clog2(BlockBytes)-1:2];
    end
    if (grant) begin
      wb_funct3_q <= funct3_i;
      wb_off_q    <= off;
      wb_second_q <= second_q;
    end
    if (data_rsp_i.rvalid) first_q <= data_rsp_i.rdata[31:8];
  end

  logic unused;
  assign unused = ^{data_rsp_i.err, data_rsp_i.exokay};  // the pipeline's business

`ifndef SYNTHESIS
  // Memory protection lets second words pass.
  assert property (@(posedge clk_i) !(second_q && (valid_i || hold_q)) || data_rsp_i.gnt == bus_gnt_i);
  // A request that is on the bus without a grant is not given up.
  assert property (@(posedge clk_i) !(flush_i && hold_q));
  // An atomic operation accesses one aligned word.
  assert property (@(posedge clk_i) !(data_req_o.req && atop_i != AtopNone && (split || size_be != 4'b1111)));
`endif

endmodule
