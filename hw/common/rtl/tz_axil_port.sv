// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The handshakes of an AXI4-Lite subordinate in four flip-flops. Reads and writes are independent, one of each at a time.
//
//   cycle   write                                       read
//   t       `write_begin_o`: address and data are       `read_begin_o`: the address is there and the block is ready
//           there and the block is ready
//   t + 1   `write_o`: both are accepted, the block      `read_o`: the address is accepted
//           stores the data
//   t + 2   bvalid, until bready                        rvalid with `rdata_i`, until rready
//
// The ready outputs are flip-flops. An address and data are the same in the two cycles, because a manager must not
// change them before they are accepted, so a block needs no copy.
module tz_axil_port #(
  parameter bit WriteError = 0  // every write is answered with SLVERR: a block that can only be read
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  axil_pkg::axil_req_t req_i,
  output axil_pkg::axil_rsp_t rsp_o,

  input  logic                write_ready_i,  // a write may begin; must not stay low for ever
  output logic                write_begin_o,
  output logic                write_o,

  input  logic                read_ready_i,
  output logic                read_begin_o,
  output logic                read_o,
  input  logic [31:0]         rdata_i         // from the cycle after `read_o` until the next `read_o`
);

  logic write_q, bvalid_q, read_q, rvalid_q;

  assign write_begin_o = req_i.awvalid && req_i.wvalid && write_ready_i && !write_q && !bvalid_q;
  assign read_begin_o  = req_i.arvalid && read_ready_i && !read_q && !rvalid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= 1'b0;
      bvalid_q <= 1'b0;
      read_q   <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      write_q  <= write_begin_o;
      bvalid_q <= write_q || (bvalid_q && !req_i.bready);
      read_q   <= read_begin_o;
      rvalid_q <= read_q || (rvalid_q && !req_i.rready);
    end
  end

  assign write_o = write_q;
  assign read_o  = read_q;
  assign rsp_o   = '{
    awready: write_q,
    wready:  write_q,
    bvalid:  bvalid_q,
    bresp:   WriteError ? axil_pkg::RespSlvErr : axil_pkg::RespOkay,
    arready: read_q,
    rvalid:  rvalid_q,
    rdata:   rdata_i,
    rresp:   axil_pkg::RespOkay
  };

`ifdef TRAPEZE_CHECK
  tz_axil_check u_check (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_i(rsp_o)
  );
`endif

  logic unused;
  assign unused = ^{req_i.awaddr, req_i.awprot, req_i.wdata, req_i.wstrb, req_i.araddr, req_i.arprot};

endmodule
