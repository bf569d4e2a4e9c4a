// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Load-store unit. The request leaves from EX, the answer arrives in WB, one access at a time. A misaligned access that
// crosses a word boundary is made as two accesses (a split access): with `advance_o` the instruction stays in EX, which
// forms the address of the second word.
//
//   EX: address, data ──> rotate ──> data_req ~~memory~~> data_rsp ──> rotate, extend ──> WB
//
// Two things cannot be given up for an interrupt: a request that is on the bus without a grant, and the second half of a
// store whose first half was granted (`committed_o`). A load between its two halves can: it starts again later.
//
// An interrupt may be taken in the cycle in which the second half of a store is granted. An error in its answer would
// come too late then: the interrupt has changed mepc and the privilege mode. Both halves in one aligned block of
// `BlockBytes` are refused alike by whatever is on the bus, so no error comes. Where the second half begins another block,
// the interrupt waits for the answer. Memory protection, whose regions may be smaller than a block, judges both halves at
// the first request (`split_o`) and does not refuse the second (`second_o`).
module tz_lsu
  import obi_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  output obi_req_t    data_req_o,
  input  obi_rsp_t    data_rsp_i,

  // EX
  input  logic        valid_i,      // a load or store may go out in this cycle ...
  input  logic        wait_i,       // ... unless a word that it reaches has still to leave for a frame (known late) ...
  input  logic        wait_here_i,  // ... or the first of two such words, which alone decides whether the access ends
  input  logic        flush_i,      // a trap empties EX: a split access is forgotten
  input  logic        we_i,
  input  logic [1:0]  prv_i,        // privilege of the access
  input  logic [5:0]  atop_i,       // atomic operation: `addr_i` is that of a word then
  input  logic        unreserve_i,  // the reservation of the hart ends: a trap, or a return from one
  input  logic [2:0]  funct3_i,     // size and signedness as in the instruction
  input  logic [31:0] addr_i,       // byte address; of the second word once `advance_o` was seen
  input  logic [31:0] wdata_i,
  output logic        ends_o,       // the last request of the access is granted: EX may move on ...
  output logic        stays_o,      // ... unless stays_o is set, which is known late
  output logic        advance_o,    // the first of two requests is granted
  output logic        committed_o,  // the second half of a store
  output logic        firm_o,       // committed_o, or a request waits for its grant: the access cannot be given up
  output logic        busy_o,       // firm_o, without the grant of a store's second half in the block of the first

  output logic        split_o,      // the access has another word behind this one
  output logic        second_o,     // the request is of its second word

  // WB
  output logic [31:0] rdata_o,      // load result, with the answer of the last request
  output logic        plain_o       // the load is of an aligned word: the result is the bus's data as they are
);

  // No subordinate refuses a store to one word of an aligned block and takes one to another. A power of two
  localparam int unsigned BlockBytes = 256;

  logic hold_d, hold_q;       // a request waits for its grant
  logic second_d, second_q;   // EX is at the second word
  logic reserved_d, reserved_q; // an LR was made
  logic [1:0] off_q;          // byte offset of the access, for its second word
  logic       apart_q;        // its second word is in another block

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

  // A request that has begun is not stopped. Whether an access ends does not depend on the second word that it might reach:
  // the last request is of that word itself.
  logic go, done;
  assign go      = hold_q || committed_o || !wait_i;
  assign stays_o = !hold_q && !committed_o && wait_here_i;

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
  assign grant     = data_req_o.req && data_rsp_i.gnt;
  assign ends_o    = (valid_i || hold_q) && data_rsp_i.gnt && (second_q || !split);
  assign done      = ends_o && !stays_o;
  assign advance_o = grant && !second_q && split;
  assign split_o   = split && !second_q;
  assign second_o  = second_q;
  assign committed_o = second_q && we_i;
  assign firm_o    = hold_q || committed_o;
  assign busy_o    = hold_q || (committed_o && (apart_q || !(valid_i && data_rsp_i.gnt)));  // without `go`, it is late

  // Whether an LR was made since the last SC and trap. The memory knows the rest (tz_amo).
  always_comb begin
    reserved_d = reserved_q;
    if (done && atop_i == AtopLr) reserved_d = 1'b1;
    if (done && atop_i == AtopSc) reserved_d = 1'b0;
    if (unreserve_i) reserved_d = 1'b0;
  end

  assign hold_d   = data_req_o.req && !data_rsp_i.gnt;
  assign second_d = advance_o || (second_q && !done && !flush_i);

  // ---------------------------------------------------------------- answer
  // What WB needs to know of the access, and the bytes of the first word.
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
      3'b000:  rdata_o = {{24{data[7]}}, data[7:0]};
      3'b001:  rdata_o = {{16{data[15]}}, data[15:0]};
      3'b100:  rdata_o = {24'b0, data[7:0]};
      3'b101:  rdata_o = {16'b0, data[15:0]};
      default: rdata_o = data;
    endcase
  end

  assign plain_o = (wb_funct3_q == 3'b010) && (wb_off_q == 2'd0);

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
    if (advance_o) begin
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
  // A request on the bus is not abandoned.
  assert property (@(posedge clk_i) !(flush_i && hold_q));
  // An atomic operation is of one word.
  assert property (@(posedge clk_i) !(data_req_o.req && atop_i != AtopNone && (split || size_be != 4'b1111)));
`endif

endmodule
