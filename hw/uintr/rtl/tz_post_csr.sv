// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CSRs of user interrupts from hart to hart: muitt, muittsz, mupid, munv, and UIRR. Notifications set bits of UIRR, and
// the delivery of a vector clears its bit. A part of tz_csr, with its timing and ports. Source:
// docs/user-interrupts.md.
module tz_post_csr
  import isa_pkg::*;
  import uintr_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        write_i,
  input  logic [11:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        exists_o,     // the address is one of these CSRs
  output logic        receiving_o,  // the CSR is one that notifications use
  output logic [31:0] rdata_o,

  output registers_t  registers_o,
  input  join_t       join_i,
  input  logic        take_i,       // vector_o is delivered in this cycle
  output logic        waits_o,      // UIRR is not zero
  output logic [5:0]  vector_o,     // with waits_o: the highest vector of UIRR
  output logic        pending_o     // UIRR will not be zero in the next cycle
);

  registers_t  registers_d, registers_q;
  logic [63:0] uirr_d, uirr_q;
  csr_muitt_t  table_asked;
  csr_mupid_t  thread_asked;
  assign table_asked  = csr_muitt_t'(wdata_i);
  assign thread_asked = csr_mupid_t'(wdata_i);
  logic unused;
  assign unused = ^{table_asked, thread_asked};

  always_comb begin
    exists_o    = 1'b1;
    receiving_o = 1'b1;
    rdata_o     = '0;
    unique case (addr_i)
      CsrMuitt: begin
        rdata_o     = csr_muitt_t'{base: registers_q.table_base, enable: registers_q.sends, default: '0};
        receiving_o = 1'b0;
      end
      CsrMuittsz: begin
        rdata_o     = 32'(registers_q.entries);
        receiving_o = 1'b0;
      end
      CsrMupid:  rdata_o = csr_mupid_t'{base: registers_q.descriptor, enable: registers_q.receives, default: '0};
      CsrMunv:   rdata_o = 32'(registers_q.vector);
      CsrMuirr:  rdata_o = uirr_q[31:0];
      CsrMuirrh: rdata_o = uirr_q[63:32];
      default: begin
        exists_o    = 1'b0;
        receiving_o = 1'b0;
      end
    endcase
  end

  always_comb begin
    vector_o = '0;
    for (int unsigned v = 0; v < 64; v++) begin
      if (uirr_q[v]) vector_o = 6'(v);
    end
  end
  assign waits_o = (uirr_q != '0);

  always_comb begin
    registers_d = registers_q;
    uirr_d      = uirr_q;
    if (take_i) uirr_d[vector_o] = 1'b0;
    if (write_i) begin
      unique case (addr_i)
        CsrMuitt:   {registers_d.table_base, registers_d.sends} = {table_asked.base, table_asked.enable};
        CsrMuittsz: registers_d.entries = wdata_i[15:0];
        CsrMupid:   {registers_d.descriptor, registers_d.receives} = {thread_asked.base, thread_asked.enable};
        CsrMunv:    registers_d.vector = wdata_i[7:0];
        CsrMuirr:   uirr_d[31:0] = wdata_i;
        CsrMuirrh:  uirr_d[63:32] = wdata_i;
        default: ;
      endcase
    end
    if (join_i.valid) uirr_d |= join_i.high ? {join_i.vectors, 32'b0} : {32'b0, join_i.vectors};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      registers_q <= '0;
      uirr_q      <= '0;
    end else begin
      registers_q <= registers_d;
      uirr_q      <= uirr_d;
    end
  end

  assign registers_o = registers_q;
  assign pending_o   = (uirr_d != '0);

endmodule
