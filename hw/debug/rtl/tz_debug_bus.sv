// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// System bus access: the debugger reads and writes memory and devices while harts run; the registers sbcs, sbaddress0,
// sbdata0. Accesses of 8, 16 and 32 bits, of machine mode, one at a time. Source: RISC-V Debug Specification 1.0,
// section 3.10.
//
// A request that the bus has seen is carried through also if dmactive falls; `abort_i` means that the bus is in reset
// and forgets it. Errors: 2 the bus answers with an error, 3 alignment, 4 size.
module tz_debug_bus
  import debug_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              active_i,    // dmactive
  input  logic              abort_i,
  input  dmi_req_t          dmi_req_i,
  output logic [31:0]       dmi_rdata_o, // zero for the registers of others
  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i
);

  localparam logic [2:0] ErrAddress   = 3'd2;
  localparam logic [2:0] ErrAlignment = 3'd3;
  localparam logic [2:0] ErrSize      = 3'd4;

  typedef enum logic [1:0] { Idle, Request, Response } state_e;

  state_e      state_q;
  logic        we_q, forget_q;
  logic [31:0] address_q, data_q;
  logic [2:0]  size_q, error_q;
  logic        busy_error_q, read_on_addr_q, read_on_data_q, increment_q;

  logic        busy, write, to_cs, to_address, to_data, from_data, begins, aligned, done;
  logic [1:0]  low;  // bits 1:0 of the address of an access that begins
  logic [3:0]  lanes;

  assign busy       = state_q != Idle;
  assign write      = dmi_req_i.valid && dmi_req_i.write;
  assign to_cs      = write && dmi_req_i.addr == DmSbcs;
  assign to_address = write && dmi_req_i.addr == DmSbaddress0;
  assign to_data    = write && dmi_req_i.addr == DmSbdata0;
  assign from_data  = dmi_req_i.valid && !dmi_req_i.write && dmi_req_i.addr == DmSbdata0;
  assign begins     = !busy && !busy_error_q && error_q == '0 &&
    (to_data || (to_address && read_on_addr_q) || (from_data && read_on_data_q));
  assign low        = to_address ? dmi_req_i.data[1:0] : address_q[1:0];
  assign done       = state_q == Response && rsp_i.rvalid;

  always_comb begin
    unique case (size_q[1:0])
      2'd0:    aligned = 1'b1;
      2'd1:    aligned = !low[0];
      default: aligned = low == '0;
    endcase
    unique case (size_q[1:0])
      2'd0:    lanes = 4'b0001 << address_q[1:0];
      2'd1:    lanes = 4'b0011 << address_q[1:0];
      default: lanes = 4'b1111;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      we_q     <= 1'b0;
      forget_q <= 1'b0;
    end else begin
      unique case (state_q)
        Request:  if (rsp_i.gnt) state_q <= Response;
        Response: if (rsp_i.rvalid) state_q <= Idle;
        default: begin
          we_q <= to_data;
          if (begins && size_q <= 3'd2 && aligned && active_i) state_q <= Request;
        end
      endcase
      if (abort_i) state_q <= Idle;
      forget_q <= busy && (forget_q || !active_i);
    end
  end

  // The registers of an access keep their values after a fall of dmactive until the bus is idle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {address_q, data_q, size_q} <= {32'd0, 32'd0, 3'd2};
      {error_q, busy_error_q, read_on_addr_q, read_on_data_q, increment_q} <= '0;
    end else if (!active_i || forget_q) begin
      if (!busy) {address_q, data_q, size_q} <= {32'd0, 32'd0, 3'd2};
      {error_q, busy_error_q, read_on_addr_q, read_on_data_q, increment_q} <= '0;
    end else begin
      if (to_cs) begin
        read_on_addr_q <= dmi_req_i.data[20];
        increment_q    <= dmi_req_i.data[16];
        read_on_data_q <= dmi_req_i.data[15];
        error_q        <= error_q & ~dmi_req_i.data[14:12];
        if (!busy) size_q <= dmi_req_i.data[19:17];
        if (dmi_req_i.data[22]) busy_error_q <= 1'b0;
      end
      if (busy && (to_address || to_data || from_data)) busy_error_q <= 1'b1;
      if (!busy && to_address) address_q <= dmi_req_i.data;
      if (!busy && to_data && !busy_error_q && error_q == '0) data_q <= dmi_req_i.data;
      if (begins && size_q > 3'd2) error_q <= ErrSize;
      else if (begins && !aligned) error_q <= ErrAlignment;
      if (done) begin
        if (rsp_i.err) begin
          error_q <= ErrAddress;
        end else begin
          if (!we_q) data_q <= rsp_i.rdata >> {address_q[1:0], 3'b000};
          if (increment_q) address_q <= address_q + (32'd1 << size_q[1:0]);
        end
      end
    end
  end

  // The bytes of a narrow write are in all lanes; `be` says which count.
  logic [31:0] wdata;
  always_comb begin
    unique case (size_q[1:0])
      2'd0:    wdata = {4{data_q[7:0]}};
      2'd1:    wdata = {2{data_q[15:0]}};
      default: wdata = data_q;
    endcase
  end
  assign req_o = obi_pkg::machine_access(state_q == Request, we_q, lanes, {address_q[31:2], 2'b00}, wdata);

  always_comb begin
    unique case (dmi_req_i.addr)
      DmSbcs: dmi_rdata_o = {
        3'd1, 6'd0, busy_error_q, busy, read_on_addr_q, size_q, increment_q, read_on_data_q, error_q, 7'd32, 5'b00111
      };
      DmSbaddress0: dmi_rdata_o = address_q;
      DmSbdata0:    dmi_rdata_o = data_q;
      default:      dmi_rdata_o = '0;
    endcase
  end

  logic unused;
  assign unused = rsp_i.exokay;

endmodule
