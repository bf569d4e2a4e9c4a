// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Debug transport module: a JTAG test access port (IEEE 1149.1) with a 5-bit instruction register and the registers
// IDCODE, dtmcs, dmi and BYPASS. Source: RISC-V Debug Specification 1.0, chapter 6.
//
// An operation begins with the rising edge of tck that leaves Update-DR. If it has no answer at the next Capture-DR of
// dmi, or if dmi is updated before the last access has ended, the status is `busy`; it stays until dmireset. tdo changes
// with the falling edge.
module tz_dtm_jtag #(
  parameter logic [31:0] Idcode = 32'h0000_0001  // bit 0 is 1
) (
  input  logic tck_i,
  input  logic trst_ni,  // asynchronous
  input  logic tms_i,
  input  logic tdi_i,
  output logic tdo_o,
  output logic tdo_oe_o, // drive tdo

  input  logic                clk_i,
  input  logic                rst_ni,
  output debug_pkg::dmi_req_t dmi_req_o,
  input  logic [31:0]         dmi_rdata_i
);

  localparam logic [4:0] IrIdcode = 5'h01;
  localparam logic [4:0] IrDtmcs  = 5'h10;
  localparam logic [4:0] IrDmi    = 5'h11;
  localparam logic [2:0] Idle     = 3'd5;  // cycles in Run-Test/Idle that a debugger should begin with
  localparam logic [1:0] OpRead   = 2'd1;
  localparam logic [1:0] OpWrite  = 2'd2;

  typedef enum logic [3:0] {
    TestLogicReset, RunTestIdle,
    SelectDr, CaptureDr, ShiftDr, Exit1Dr, PauseDr, Exit2Dr, UpdateDr,
    SelectIr, CaptureIr, ShiftIr, Exit1Ir, PauseIr, Exit2Ir, UpdateIr
  } tap_e;

  tap_e        tap_q, tap_d;
  logic [4:0]  ir_q, ir_shift_q;
  logic [40:0] dr_q;      // shift register; dmi fills it, the others use its lower bits
  logic [6:0]  addr_q;
  logic        busy_q;    // sticky
  logic        update_dmi, start, pending, ready, reset, hard_reset, dmi_reset;
  logic [31:0] rdata;

  always_comb begin
    unique case (tap_q)
      TestLogicReset: tap_d = tms_i ? TestLogicReset : RunTestIdle;
      RunTestIdle:    tap_d = tms_i ? SelectDr : RunTestIdle;
      SelectDr:       tap_d = tms_i ? SelectIr : CaptureDr;
      CaptureDr:      tap_d = tms_i ? Exit1Dr : ShiftDr;
      ShiftDr:        tap_d = tms_i ? Exit1Dr : ShiftDr;
      Exit1Dr:        tap_d = tms_i ? UpdateDr : PauseDr;
      PauseDr:        tap_d = tms_i ? Exit2Dr : PauseDr;
      Exit2Dr:        tap_d = tms_i ? UpdateDr : ShiftDr;
      UpdateDr:       tap_d = tms_i ? SelectDr : RunTestIdle;
      SelectIr:       tap_d = tms_i ? TestLogicReset : CaptureIr;
      CaptureIr:      tap_d = tms_i ? Exit1Ir : ShiftIr;
      ShiftIr:        tap_d = tms_i ? Exit1Ir : ShiftIr;
      Exit1Ir:        tap_d = tms_i ? UpdateIr : PauseIr;
      PauseIr:        tap_d = tms_i ? Exit2Ir : PauseIr;
      Exit2Ir:        tap_d = tms_i ? UpdateIr : ShiftIr;
      UpdateIr:       tap_d = tms_i ? SelectDr : RunTestIdle;
      default:        tap_d = TestLogicReset;
    endcase
  end

  assign dmi_reset  = tap_q == UpdateDr && ir_q == IrDtmcs && dr_q[16];
  assign hard_reset = tap_q == UpdateDr && ir_q == IrDtmcs && dr_q[17];
  assign reset      = tap_q == TestLogicReset || hard_reset;
  assign update_dmi = tap_q == UpdateDr && ir_q == IrDmi && !busy_q && dr_q[1:0] inside {OpRead, OpWrite};
  assign start      = update_dmi && ready;

  always_ff @(posedge tck_i or negedge trst_ni) begin
    if (!trst_ni) begin
      tap_q      <= TestLogicReset;
      ir_q       <= IrIdcode;
      ir_shift_q <= '0;
      dr_q       <= '0;
      addr_q     <= '0;
      busy_q     <= 1'b0;
    end else begin
      tap_q <= tap_d;

      if (tap_q == TestLogicReset) ir_q <= IrIdcode;
      else if (tap_q == UpdateIr) ir_q <= ir_shift_q;
      if (tap_q == CaptureIr) ir_shift_q <= 5'b00001;
      else if (tap_q == ShiftIr) ir_shift_q <= {tdi_i, ir_shift_q[4:1]};

      if (tap_q == CaptureDr) begin
        unique case (ir_q)
          IrIdcode: dr_q <= 41'(Idcode);
          IrDtmcs:  dr_q <= 41'({Idle, {2{busy_q}}, 6'd7, 4'd1});
          IrDmi:    dr_q <= {addr_q, rdata, {2{busy_q || pending}}};
          default:  dr_q <= '0;
        endcase
      end else if (tap_q == ShiftDr) begin
        dr_q <= dr_q >> 1;
        unique case (ir_q)
          IrIdcode, IrDtmcs: dr_q[31] <= tdi_i;
          IrDmi:             dr_q[40] <= tdi_i;
          default:           dr_q[0] <= tdi_i;
        endcase
      end

      if (start) addr_q <= dr_q[40:34];
      if (reset || dmi_reset) busy_q <= 1'b0;
      else if ((tap_q == CaptureDr && ir_q == IrDmi && pending) || (update_dmi && !ready)) busy_q <= 1'b1;
    end
  end

  always_ff @(negedge tck_i or negedge trst_ni) begin
    if (!trst_ni) begin
      tdo_o    <= 1'b0;
      tdo_oe_o <= 1'b0;
    end else begin
      tdo_o    <= (tap_q == ShiftIr) ? ir_shift_q[0] : dr_q[0];
      tdo_oe_o <= tap_q == ShiftIr || tap_q == ShiftDr;
    end
  end

  tz_dmi_cdc u_cdc (
    .tck_i,
    .trst_ni,
    .start_i  (start),
    .cancel_i (reset),
    .write_i  (dr_q[1:0] == OpWrite),
    .addr_i   (dr_q[40:34]),
    .data_i   (dr_q[33:2]),
    .pending_o(pending),
    .ready_o  (ready),
    .rdata_o  (rdata),
    .clk_i,
    .rst_ni,
    .dmi_req_o,
    .dmi_rdata_i
  );

endmodule
