// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Debug module: dmactive, authentication, and the blocks that have the other registers: run control (tz_debug_harts),
// abstract commands (tz_debug_command), system bus access (tz_debug_bus), and the memory that halted harts execute
// (tz_debug_memory). Source: RISC-V Debug Specification 1.0, chapter 3.
//
// While dmactive is 0, every register but it has its value after reset (havereset stays, it tells of the harts). Before
// authentication only dmactive, the version, the status of authentication and authdata can be reached.
module tz_debug_module
  import debug_pkg::*;
#(
  parameter int unsigned NumHarts = 1,
  parameter logic [31:0] Base     = 32'h0000_0400,
  parameter bit          HartReset = 1'b1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  dmi_req_t            dmi_req_i,
  output logic [31:0]         dmi_rdata_o,
  input  auth_rsp_t           auth_i,
  output auth_req_t           auth_o,
  input  obi_pkg::obi_req_t   mem_req_i,
  output obi_pkg::obi_rsp_t   mem_rsp_o,
  output obi_pkg::obi_req_t   bus_req_o,
  input  obi_pkg::obi_rsp_t   bus_rsp_i,
  output logic [NumHarts-1:0] debug_req_o,
  input  logic [NumHarts-1:0] unavailable_i,
  input  logic [NumHarts-1:0] hart_reset_i,
  output logic [NumHarts-1:0] hart_reset_o,
  output logic                ndmreset_o
);

  localparam int unsigned SelW = (NumHarts > 1) ? $clog2(NumHarts) : 1;

  // ---------------------------------------------------------------- dmactive and authentication
  logic        active_q;
  dmi_req_t    dmi;
  logic [31:0] harts_rdata, command_rdata, bus_rdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (dmi_req_i.valid && dmi_req_i.write && dmi_req_i.addr == DmControl) active_q <= dmi_req_i.data[0];
  end

  assign auth_o = '{
    read:  dmi_req_i.valid && !dmi_req_i.write && dmi_req_i.addr == DmAuthdata && active_q,
    write: dmi_req_i.valid && dmi_req_i.write && dmi_req_i.addr == DmAuthdata && active_q,
    data:  dmi_req_i.data
  };

  always_comb begin
    dmi       = dmi_req_i;
    dmi.valid = dmi_req_i.valid && active_q && auth_i.authenticated;
  end

  always_comb begin
    dmi_rdata_o = auth_i.authenticated ? harts_rdata | command_rdata | bus_rdata : '0;
    unique case (dmi_req_i.addr)
      DmControl:  dmi_rdata_o[0]   = active_q;
      DmStatus:   dmi_rdata_o[7:0] = dmi_rdata_o[7:0] | {auth_i.authenticated, auth_i.busy, 2'b00, 4'd3};
      DmAuthdata: dmi_rdata_o      = auth_i.data;
      default: ;
    endcase
  end

  // ---------------------------------------------------------------- blocks
  logic [SelW-1:0]            hartsel;
  logic [NumHarts-1:0]        ready, unavailable, resume, go;
  hart_event_t [NumHarts-1:0] events;
  hart_event_t                event_selected;
  logic                       ready_selected, lost_selected, go_selected, busy, saved;
  logic [CommandWords-1:0][31:0] command;
  logic [1:0][31:0]           progbuf, data;
  logic [1:0]                 data_we;

  always_comb begin
    event_selected = '0;
    ready_selected = 1'b0;
    lost_selected  = 1'b0;
    go             = '0;
    for (int unsigned h = 0; h < NumHarts; h++) begin
      if (hartsel == SelW'(h)) begin
        event_selected = events[h];
        ready_selected = ready[h];
        lost_selected  = unavailable[h];
        go[h]          = go_selected;
      end
    end
  end

  tz_debug_harts #(
    .NumHarts (NumHarts),
    .SelW     (SelW),
    .HartReset(HartReset)
  ) u_harts (
    .clk_i,
    .rst_ni,
    .active_i      (active_q),
    .dmi_req_i     (dmi),
    .dmi_rdata_o   (harts_rdata),
    .command_busy_i(busy),
    .hartsel_o     (hartsel),
    .ready_o       (ready),
    .unavailable_o (unavailable),
    .event_i       (events),
    .resume_o      (resume),
    .debug_req_o,
    .unavailable_i,
    .hart_reset_i,
    .hart_reset_o,
    .ndmreset_o
  );

  tz_debug_command #(
    .Base(Base)
  ) u_command (
    .clk_i,
    .rst_ni,
    .active_i    (active_q),
    .dmi_req_i   (dmi),
    .dmi_rdata_o (command_rdata),
    .ready_i     (ready_selected),
    .lost_i      (lost_selected),
    .event_i     (event_selected),
    .go_o        (go_selected),
    .busy_o      (busy),
    .command_o   (command),
    .progbuf_o   (progbuf),
    .data_o      (data),
    .saved_o     (saved),
    .data_we_i   (data_we),
    .data_be_i   (mem_req_i.be),
    .data_wdata_i(mem_req_i.wdata)
  );

  tz_debug_bus u_bus (
    .clk_i,
    .rst_ni,
    .active_i   (active_q),
    .abort_i    (ndmreset_o),
    .dmi_req_i  (dmi),
    .dmi_rdata_o(bus_rdata),
    .req_o      (bus_req_o),
    .rsp_i      (bus_rsp_i)
  );

  tz_debug_memory #(
    .NumHarts(NumHarts),
    .Base    (Base)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .req_i    (mem_req_i),
    .rsp_o    (mem_rsp_o),
    .command_i(command),
    .progbuf_i(progbuf),
    .data_i   (data),
    .data_we_o(data_we),
    .saved_i  (saved),
    .go_i     (go),
    .resume_i (resume),
    .event_o  (events)
  );

endmodule
