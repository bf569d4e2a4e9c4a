// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bus types: AXI4-Lite (AMBA AXI specification, IHI 0022, part B) with 32-bit addresses and data, one struct each way.
package axil_pkg;

  /// Manager to subordinate, 142 bits.
  typedef struct packed {
    logic        awvalid;
    logic [31:0] awaddr;
    logic [2:0]  awprot;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [31:0] araddr;
    logic [2:0]  arprot;
    logic        rready;
  } axil_req_t;

  /// Subordinate to manager, 41 bits.
  typedef struct packed {
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } axil_rsp_t;

  /// Values of bresp and rresp.
  // verilator lint_off UNUSEDPARAM
  parameter logic [1:0] RespOkay = 2'b00;
  parameter logic [1:0] RespSlvErr = 2'b10;  // the subordinate refuses
  parameter logic [1:0] RespDecErr = 2'b11;  // there is no subordinate at this address
  // verilator lint_on UNUSEDPARAM

endpackage
