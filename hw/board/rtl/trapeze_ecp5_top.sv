// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A board with an ECP5: the SoC of the package `platform_pkg` between a crystal, a serial line, buttons and LEDs. The
// laboratory (trapeze.fpga) computes the parameters from the board's file and the configuration.
//
// Clock: the crystal's frequency * PllFeedback / PllInput, by a phase-locked loop whose oscillator runs PllOutput times
// as fast. Reset: until the loop has locked, and 16 cycles more.
//
// Button n is platform line n of every hart, high while it is pressed, two flip-flops behind the pin (tz_sync). Buttons
// are not debounced.
//
// LEDs: 0 out of reset, 1 a hart waits in WFI, 2 the program of hart 0 has ended, 3 and its exit code is not 0, 4 a
// button is pressed; 5 to 7 are what the latency measurement's probes see: timer 0, data ready, read done.
//
// JTAG: with `Jtag` a debugger's port, for cores with debug mode. There is no pin for trst: the reset at power-up is that
// of the port, too. TDO is driven always, so nothing else may drive that wire. Without `Jtag` the port rests, and the
// laboratory takes its pins from the design.
module trapeze_ecp5_top
  import platform_pkg::*;
#(
  parameter int unsigned PllInput      = 1,   // divides the crystal
  parameter int unsigned PllFeedback   = 1,   // divides the clock, for the comparison
  parameter int unsigned PllOutput     = 8,   // divides the oscillator
  parameter int unsigned SerialDivisor = 347, // clock cycles of a bit
  parameter int unsigned NumButtons    = 1,
  parameter logic [31:0] ActiveLow     = '0,  // of each button
  parameter int unsigned NumLeds       = 8,   // to 8
  parameter bit          Jtag          = 0,   // a debugger's port is at pins
  parameter string       Init          = ""   // of the memories, as trapeze_soc says
) (
  input  logic                  crystal_i,
  input  logic                  serial_i,
  output logic                  serial_o,
  input  logic [NumButtons-1:0] buttons_i,
  output logic [NumLeds-1:0]    leds_o,
  input  logic                  jtag_tck_i,
  input  logic                  jtag_tms_i,
  input  logic                  jtag_tdi_i,
  output logic                  jtag_tdo_o
);

  if (Alone || NumLeds < 1 || NumLeds > 8 || NumButtons < 1 || NumButtons > 32) begin : gen_bad
    $error("trapeze_ecp5_top: a whole SoC, 1 to 8 LEDs, 1 to 32 buttons");
  end

  localparam int unsigned NumUsed = (NumButtons < NumIrqLines) ? NumButtons : NumIrqLines;

  logic clk, locked, rst_n;

  // The attributes are of the loop's filter; the vendor's tools write them for every frequency that is used here.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .CLKI_DIV    (PllInput),
    .CLKFB_DIV   (PllFeedback),
    .CLKOP_DIV   (PllOutput),
    .CLKOP_CPHASE(PllOutput / 2),
    .CLKOP_FPHASE(0),
    .CLKOP_ENABLE("ENABLED"),
    .FEEDBK_PATH ("CLKOP")
  ) u_pll (
    .CLKI        (crystal_i),
    .CLKFB       (clk),
    .RST         (1'b0),
    .STDBY       (1'b0),
    .PHASESEL0   (1'b0),
    .PHASESEL1   (1'b0),
    .PHASEDIR    (1'b1),
    .PHASESTEP   (1'b1),
    .PHASELOADREG(1'b1),
    .PLLWAKESYNC (1'b0),
    .ENCLKOP     (1'b0),
    .CLKOP       (clk),
    .LOCK        (locked)
  );

  tz_reset_release u_reset (
    .clk_i  (clk),
    .ready_i(locked),
    .rst_no (rst_n)
  );

  logic [NumButtons-1:0]                pressed;
  logic [NumHarts-1:0][NumIrqLines-1:0] lines;

  tz_sync #(
    .Width(NumButtons)
  ) u_buttons (
    .clk_i (clk),
    .data_i(buttons_i ^ ActiveLow[NumButtons-1:0]),
    .data_o(pressed)
  );

  always_comb begin
    lines = '0;
    for (int unsigned h = 0; h < NumHarts; h++) lines[h][NumUsed-1:0] = pressed[NumUsed-1:0];
  end

  logic                      tx_valid, tx_ready, rx_valid, rx_ready;
  logic [7:0]                tx_data, rx_data;
  logic [2:0]                probe_event;
  logic [NumHarts-1:0]       exited, sleeping;
  logic [NumHarts-1:0][31:0] exit_code;

  tz_serial #(
    .Divisor(SerialDivisor)
  ) u_serial (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .tx_valid_i(tx_valid),
    .tx_data_i (tx_data),
    .tx_ready_o(tx_ready),
    .rx_valid_o(rx_valid),
    .rx_data_o (rx_data),
    .rx_ready_i(rx_ready),
    .rx_i      (serial_i),
    .tx_o      (serial_o)
  );

  rvfi_pkg::rvfi_t [NumHarts-1:0]       rvfi;
  rvfi_pkg::irq_event_t [NumHarts-1:0]  irq_event;
  observe_pkg::observe_t [NumHarts-1:0] observe;
  logic [NumHarts-1:0]                  timer_irq, software_irq, timer_ahead;
  logic                                 uart_irq, bench_active, jtag_tdo_oe;

  trapeze_soc #(
    .NumHarts   (NumHarts),
    .Tiles      (Tiles),
    .NumIrqLines(NumIrqLines),
    .Map        (Map),
    .Init       (Init)
  ) u_soc (
    .clk_i          (clk),
    .clk_bench_i    (clk),
    .rst_ni         (rst_n),
    .irq_i          (lines),
    .uart_tx_valid_o(tx_valid),
    .uart_tx_data_o (tx_data),
    .uart_tx_ready_i(tx_ready),
    .uart_rx_valid_i(rx_valid),
    .uart_rx_data_i (rx_data),
    .uart_rx_ready_o(rx_ready),
    .timer_irq_o    (timer_irq),
    .software_irq_o (software_irq),
    .uart_irq_o     (uart_irq),
    .probe_event_o  (probe_event),
    .bench_active_o (bench_active),
    .exit_valid_o   (exited),
    .exit_code_o    (exit_code),
    .wait_instr_i   ('0),
    .wait_data_i    ('0),
    .wait_seed_i    ('0),
    .rvfi_o         (rvfi),
    .irq_event_o    (irq_event),
    .observe_o      (observe),
    .inspect_i      ('0),
    .sleep_o        (sleeping),
    .timer_ahead_o  (timer_ahead),
    .jtag_tck_i     (Jtag && jtag_tck_i),
    .jtag_trst_ni   (rst_n),
    .jtag_tms_i     (!Jtag || jtag_tms_i),
    .jtag_tdi_i     (!Jtag || jtag_tdi_i),
    .jtag_tdo_o,
    .jtag_tdo_oe_o  (jtag_tdo_oe)
  );

  logic [7:0] leds;
  assign leds = {
    probe_event[2], probe_event[1], probe_event[0],
    |pressed, exited[0] && exit_code[0] != '0, exited[0], |sleeping, rst_n
  };
  assign leds_o = leds[NumLeds-1:0];

  logic unused;
  assign unused = ^{rvfi, irq_event, observe, timer_irq, software_irq, uart_irq, bench_active, timer_ahead, Number,
                    Memory, leds, exited, exit_code, pressed, ActiveLow, jtag_tck_i, jtag_tms_i, jtag_tdi_i,
                    jtag_tdo_oe};

endmodule
