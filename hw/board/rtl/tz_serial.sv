// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Serial line: eight data bits, no parity, one stop bit, to and from the byte streams of tz_uart.
//
// A byte to send is taken while the line is idle. A received byte waits in one register; if the next one is complete
// before it is taken, it is lost. The start bit is looked at again in its middle, so a shorter pulse is no byte; a byte
// without a stop bit is dropped.
module tz_serial #(
  parameter int unsigned Divisor = 347  // clock cycles of a bit, at least 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       tx_valid_i,
  input  logic [7:0] tx_data_i,
  output logic       tx_ready_o,

  output logic       rx_valid_o,
  output logic [7:0] rx_data_o,
  input  logic       rx_ready_i,

  input  logic       rx_i,        // asynchronous
  output logic       tx_o
);

  localparam int unsigned CountW = $clog2(Divisor);
  localparam logic [CountW-1:0] Bit = CountW'(Divisor - 1);
  localparam logic [CountW-1:0] Half = CountW'(Divisor / 2 - 1);

  if (Divisor < 4) begin : gen_bad_divisor
    $error("tz_serial: Divisor must be at least 4");
  end

  // ---------------------------------------------------------------- transmitter
  // The bits that are left, the next one lowest: a stop bit in front of the ones that an idle line has.
  logic [9:0]        tx_bits_q;
  logic [3:0]        tx_left_q;   // bits
  logic [CountW-1:0] tx_count_q;  // cycles of the bit

  assign tx_ready_o = (tx_left_q == '0);
  assign tx_o       = tx_bits_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_bits_q  <= '1;
      tx_left_q  <= '0;
      tx_count_q <= '0;
    end else if (tx_ready_o) begin
      if (tx_valid_i) begin
        tx_bits_q  <= {1'b1, tx_data_i, 1'b0};
        tx_left_q  <= 4'd10;
        tx_count_q <= Bit;
      end
    end else if (tx_count_q != '0) begin
      tx_count_q <= tx_count_q - 1'b1;
    end else begin
      tx_bits_q  <= {1'b1, tx_bits_q[9:1]};
      tx_left_q  <= tx_left_q - 1'b1;
      tx_count_q <= Bit;
    end
  end

  // ---------------------------------------------------------------- receiver
  logic              rx;
  logic [8:0]        rx_bits_q;   // as they come, from the highest bit down
  logic [3:0]        rx_left_q;   // bits, the start bit among them
  logic [CountW-1:0] rx_count_q;  // cycles to the middle of the next bit
  logic              rx_sample;

  tz_sync u_rx (
    .clk_i,
    .data_i(rx_i),
    .data_o(rx)
  );

  assign rx_sample = (rx_left_q != '0) && (rx_count_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_bits_q  <= '0;
      rx_left_q  <= '0;
      rx_count_q <= '0;
      rx_valid_o <= 1'b0;
      rx_data_o  <= '0;
    end else begin
      if (rx_ready_i) rx_valid_o <= 1'b0;
      if (rx_left_q == '0) begin
        if (!rx) begin
          rx_left_q  <= 4'd10;
          rx_count_q <= Half;
        end
      end else if (!rx_sample) begin
        rx_count_q <= rx_count_q - 1'b1;
      end else begin
        rx_bits_q  <= {rx, rx_bits_q[8:1]};
        rx_count_q <= Bit;
        rx_left_q  <= (rx_left_q == 4'd10 && rx) ? '0 : rx_left_q - 1'b1;
        if (rx_left_q == 4'd1 && rx) begin
          rx_valid_o <= 1'b1;
          rx_data_o  <= rx_bits_q[8:1];
        end
      end
    end
  end

  logic unused;
  assign unused = rx_bits_q[0];

endmodule
