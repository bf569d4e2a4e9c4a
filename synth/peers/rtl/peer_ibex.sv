// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Ibex in its configuration "maxperf" (three stages, single-cycle multiplier, branch target adder); bus and interrupts as
// this project's own core has them. IBEX_FPGA chooses its register file for FPGAs, which maps to LUT RAM, in place of the
// one of flip-flops; IBEX_PMP gives it memory protection with 16 regions.
module peer_ibex #(
  parameter logic [31:0] BootAddr = 32'h8000_0000  // the first instruction is 0x80 above; bits 7:0 are zero
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output obi_pkg::obi_req_t  instr_req_o,
  input  obi_pkg::obi_rsp_t  instr_rsp_i,
  output obi_pkg::obi_req_t  data_req_o,
  input  obi_pkg::obi_rsp_t  data_rsp_i,
  input  logic [14:0]        irq_i           // interrupts 16 to 30
);

`ifdef IBEX_FPGA
  localparam ibex_pkg::regfile_e RegFile = ibex_pkg::RegFileFPGA;
`else
  localparam ibex_pkg::regfile_e RegFile = ibex_pkg::RegFileFF;
`endif

`ifdef IBEX_PMP
  localparam bit Pmp = 1'b1;
`else
  localparam bit Pmp = 1'b0;
`endif

  assign instr_req_o.we    = 1'b0;
  assign instr_req_o.be    = '1;
  assign instr_req_o.wdata = '0;
  assign {instr_req_o.prv, data_req_o.prv}   = {2{obi_pkg::PrvMachine}};
  assign {instr_req_o.mid, data_req_o.mid}   = '0;
  assign {instr_req_o.atop, data_req_o.atop} = '0;

  ibex_top #(
    .PMPEnable      (Pmp),
    .PMPNumRegions  (16),
    .RV32M          (ibex_pkg::RV32MSingleCycle),
    .RV32B          (ibex_pkg::RV32BNone),
    .RegFile        (RegFile),
    .BranchTargetALU(1'b1),
    .WritebackStage (1'b1)
  ) u_core (
    .clk_i,
    .rst_ni,
    .test_en_i             (1'b0),
    .ram_cfg_i             ('0),
    .hart_id_i             ('0),
    .boot_addr_i           (BootAddr),
    .instr_req_o           (instr_req_o.req),
    .instr_gnt_i           (instr_rsp_i.gnt),
    .instr_rvalid_i        (instr_rsp_i.rvalid),
    .instr_addr_o          (instr_req_o.addr),
    .instr_rdata_i         (instr_rsp_i.rdata),
    .instr_rdata_intg_i    ('0),
    .instr_err_i           (instr_rsp_i.err),
    .data_req_o            (data_req_o.req),
    .data_gnt_i            (data_rsp_i.gnt),
    .data_rvalid_i         (data_rsp_i.rvalid),
    .data_we_o             (data_req_o.we),
    .data_be_o             (data_req_o.be),
    .data_addr_o           (data_req_o.addr),
    .data_wdata_o          (data_req_o.wdata),
    .data_wdata_intg_o     (),
    .data_rdata_i          (data_rsp_i.rdata),
    .data_rdata_intg_i     ('0),
    .data_err_i            (data_rsp_i.err),
    .irq_software_i        (1'b0),
    .irq_timer_i           (1'b0),
    .irq_external_i        (1'b0),
    .irq_fast_i            (irq_i),
    .irq_nm_i              (1'b0),
    .scramble_key_valid_i  (1'b0),
    .scramble_key_i        ('0),
    .scramble_nonce_i      ('0),
    .scramble_req_o        (),
    .debug_req_i           (1'b0),
    .crash_dump_o          (),
    .double_fault_seen_o   (),
    .fetch_enable_i        (ibex_pkg::IbexMuBiOn),
    .alert_minor_o         (),
    .alert_major_internal_o(),
    .alert_major_bus_o     (),
    .core_sleep_o          (),
    .scan_rst_ni           (1'b1)
  );

endmodule
