// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CV32E40P without its own extensions and without FPU; bus and interrupts as this project's own core has them.
module peer_cv32e40p #(
  parameter logic [31:0] BootAddr = 32'h8000_0000  // the first instruction
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output obi_pkg::obi_req_t  instr_req_o,
  input  obi_pkg::obi_rsp_t  instr_rsp_i,
  output obi_pkg::obi_req_t  data_req_o,
  input  obi_pkg::obi_rsp_t  data_rsp_i,
  input  logic [14:0]        irq_i           // interrupts 16 to 30
);

  assign instr_req_o.we    = 1'b0;
  assign instr_req_o.be    = '1;
  assign instr_req_o.wdata = '0;
  assign {instr_req_o.prv, data_req_o.prv}   = {2{obi_pkg::PrvMachine}};
  assign {instr_req_o.mid, data_req_o.mid}   = '0;
  assign {instr_req_o.atop, data_req_o.atop} = '0;

  cv32e40p_top u_core (
    .clk_i,
    .rst_ni,
    .pulp_clock_en_i    (1'b0),
    .scan_cg_en_i       (1'b0),
    .boot_addr_i        (BootAddr),
    .mtvec_addr_i       (BootAddr),
    .dm_halt_addr_i     ('0),
    .hart_id_i          ('0),
    .dm_exception_addr_i('0),
    .instr_req_o        (instr_req_o.req),
    .instr_gnt_i        (instr_rsp_i.gnt),
    .instr_rvalid_i     (instr_rsp_i.rvalid),
    .instr_addr_o       (instr_req_o.addr),
    .instr_rdata_i      (instr_rsp_i.rdata),
    .data_req_o         (data_req_o.req),
    .data_gnt_i         (data_rsp_i.gnt),
    .data_rvalid_i      (data_rsp_i.rvalid),
    .data_we_o          (data_req_o.we),
    .data_be_o          (data_req_o.be),
    .data_addr_o        (data_req_o.addr),
    .data_wdata_o       (data_req_o.wdata),
    .data_rdata_i       (data_rsp_i.rdata),
    .irq_i              ({1'b0, irq_i, 16'b0}),
    .irq_ack_o          (),
    .irq_id_o           (),
    .debug_req_i        (1'b0),
    .debug_havereset_o  (),
    .debug_running_o    (),
    .debug_halted_o     (),
    .fetch_enable_i     (1'b1),
    .core_sleep_o       ()
  );

endmodule
