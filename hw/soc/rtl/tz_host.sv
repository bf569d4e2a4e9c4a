// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Host port: a write ends the program of the hart that makes it, with an exit code. Register map: regs/host.rdl; it is
// that of SiFive's test finisher.
//
// Bus: granted at once, answered in the next cycle. An access narrower than 16 bits to the finisher is an error. A
// 16-bit write of the status leaves the exit code zero. Everything reads as zero.
module tz_host
  import host_reg_pkg::*;
#(
  parameter int unsigned NumHarts = 1  // harts that reach it: 1 (any), or mid.hart is below this number
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,
  output logic [NumHarts-1:0]       exit_valid_o,  // the hart has ended its program; stays high from then on
  output logic [NumHarts-1:0][31:0] exit_code_o
);

  finisher_t wdata;
  logic      selected, narrow, finish;
  logic      rvalid_q, err_q;

  assign selected = req_i.req && req_i.addr[AddrWidth-1:2] == FinisherOffset[AddrWidth-1:2];
  assign narrow   = req_i.be[1:0] != 2'b11 && req_i.be[3:2] != 2'b11;
  assign wdata    = finisher_t'(req_i.wdata);
  assign finish   = selected && req_i.we && req_i.be[1:0] == 2'b11
                    && (wdata.status == FinisherStatusPass || wdata.status == FinisherStatusFail);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
    end else begin
      rvalid_q <= req_i.req;
      err_q    <= selected && narrow;
    end
  end

  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
    logic asks;
    assign asks = (NumHarts == 1) || (req_i.mid.hart == 4'(h));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        exit_valid_o[h] <= 1'b0;
        exit_code_o[h]  <= '0;
      end else if (finish && asks && !exit_valid_o[h]) begin
        exit_valid_o[h] <= 1'b1;
        if (wdata.status == FinisherStatusFail && req_i.be[3:2] == 2'b11) exit_code_o[h] <= {16'b0, wdata.code};
      end
    end
  end

  assign rsp_o = '{exokay: 1'b0, gnt: 1'b1, rvalid: rvalid_q, err: err_q, rdata: '0};

  logic unused;
  assign unused = ^{req_i.prv, req_i.mid, req_i.atop, req_i.addr[31:AddrWidth], req_i.addr[1:0]};

endmodule
