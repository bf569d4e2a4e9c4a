// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// External debug of the RISC-V Debug Specification 1.0: JTAG transport and debug module for up to eight harts, by
// execution: a halted hart runs a small program in the debug memory, which is a device in its address space.
//
// `rst_ni` is the reset at power-up alone. Neither `ndmreset_o` nor any other reset of the harts may be part of it, so
// that a debugger keeps its connection. All ports but those of JTAG are synchronous to `clk_i`.
module tz_debug #(
  parameter int unsigned NumHarts = 1,             // 1 to 8
  // Address of the debug memory, 1 KiB that a load or store reaches from x0: the first or the last 2 KiB.
  parameter logic [31:0] Base     = 32'h0000_0400,
  parameter logic [31:0] Idcode   = 32'h0000_0001, // of the JTAG port; bit 0 is 1
  parameter bit          HartReset = 1'b1          // dmcontrol.hartreset exists
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                tck_i,
  input  logic                trst_ni,   // asynchronous; tie it to the reset at power-up if there is no pin
  input  logic                tms_i,
  input  logic                tdi_i,
  output logic                tdo_o,
  output logic                tdo_oe_o,

  // The debug memory: fetches, loads and stores of all harts in debug mode; `mid.hart` says whose. An access outside of
  // debug mode must not get here.
  input  obi_pkg::obi_req_t   mem_req_i,
  output obi_pkg::obi_rsp_t   mem_rsp_o,

  output obi_pkg::obi_req_t   bus_req_o, // system bus access
  input  obi_pkg::obi_rsp_t   bus_rsp_i,

  input  debug_pkg::auth_rsp_t auth_i,   // without authentication: authenticated 1, the rest 0
  output debug_pkg::auth_req_t auth_o,

  output logic [NumHarts-1:0] debug_req_o,    // level: enter debug mode; has no effect in debug mode
  input  logic [NumHarts-1:0] unavailable_i,  // the hart has no clock or no power
  input  logic [NumHarts-1:0] hart_reset_i,   // the hart is in reset, for whatever reason
  output logic [NumHarts-1:0] hart_reset_o,   // request: reset this hart
  output logic                ndmreset_o      // request: reset everything but this module
);

  if (NumHarts < 1 || NumHarts > 8) begin : gen_bad_harts
    $error("tz_debug: NumHarts must be 1 to 8");
  end
  if (Base[9:0] != '0 || (Base[31:11] != '0 && Base[31:11] != '1)) begin : gen_bad_base
    $error("tz_debug: Base must be 0, 0x400, 0xfffff800 or 0xfffffc00");
  end

  debug_pkg::dmi_req_t dmi_req;
  logic [31:0]         dmi_rdata;

  tz_dtm_jtag #(
    .Idcode(Idcode)
  ) u_dtm (
    .tck_i,
    .trst_ni,
    .tms_i,
    .tdi_i,
    .tdo_o,
    .tdo_oe_o,
    .clk_i,
    .rst_ni,
    .dmi_req_o  (dmi_req),
    .dmi_rdata_i(dmi_rdata)
  );

  tz_debug_module #(
    .NumHarts (NumHarts),
    .Base     (Base),
    .HartReset(HartReset)
  ) u_module (
    .clk_i,
    .rst_ni,
    .dmi_req_i  (dmi_req),
    .dmi_rdata_o(dmi_rdata),
    .auth_i,
    .auth_o,
    .mem_req_i,
    .mem_rsp_o,
    .bus_req_o,
    .bus_rsp_i,
    .debug_req_o,
    .unavailable_i,
    .hart_reset_i,
    .hart_reset_o,
    .ndmreset_o
  );

`ifdef TRAPEZE_CHECK
  tz_obi_check #(
    .NextCycle(1)
  ) u_memory_port (
    .clk_i,
    .rst_ni,
    .req_i(mem_req_i),
    .rsp_i(mem_rsp_o)
  );
`endif

endmodule
