// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Latency probe: registers. W stands for the parameter Width. Word accesses; write strobes are ignored. With neither Moments nor HistogramBins the first 32 bytes repeat; otherwise offsets without a register read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package probe_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Control and status, rw. One read returns a consistent set. Reads of 0x04 to 0x0c return the same, writes there are ignored.
  parameter logic [11:0] ControlOffset = 12'h000;
  typedef struct packed {
    logic [15:0] num;          // latencies since the last clear; stays at 65535
    logic [7:0]  missed;       // rises of irq while the probe was busy; stays at 2^MissedWidth - 1
    logic [1:0]  reserved_7_6; // reserved
    logic        break_max;    // break_o pulses on a new maximum, not on the first latency (parameter Break)
    logic        break_alarm;  // break_o pulses when the alarm condition is met (parameter Break)
    logic        overflow;     // a latency did not fit into W bits and was recorded as 2^W - 1
    logic        alarm;        // a latency was above alarm_lat
    logic        clear;        // reset num, alarm, overflow, missed and everything computed from samples
    logic        we;           // measure; clearing it abandons a measurement in progress
  } control_t;
  parameter control_t ControlReset = 32'h00000000;

  /// Alarm limit, rw. Until it is written after a reset it reads as 0, and there is no alarm.
  parameter logic [11:0] AlarmLatOffset = 12'h010;
  typedef struct packed {
    logic [31:0] value; // latencies above set alarm; W bits
  } alarm_lat_t;
  parameter alarm_lat_t AlarmLatReset = 32'h00000000;

  /// Last latency, r. 0 while num is 0.
  parameter logic [11:0] LastOffset = 12'h014;
  typedef struct packed {
    logic [31:0] value; // in clocks, W bits
  } last_t;
  parameter last_t LastReset = 32'h00000000;

  /// Largest latency, r. 0 while num is 0.
  parameter logic [11:0] MaxOffset = 12'h018;
  typedef struct packed {
    logic [31:0] value; // in clocks, W bits
  } max_t;
  parameter max_t MaxReset = 32'h00000000;

  /// Smallest latency, r. 0 while num is 0.
  parameter logic [11:0] MinOffset = 12'h01c;
  typedef struct packed {
    logic [31:0] value; // in clocks, W bits
  } min_t;
  parameter min_t MinReset = 32'h00000000;

  /// Sum, low word, r. Parameter Moments. The sums end with the 65535th latency.
  parameter logic [11:0] SumLoOffset = 12'h020;
  typedef struct packed {
    logic [31:0] value; // sum of the latencies, 31:0
  } sum_lo_t;
  parameter sum_lo_t SumLoReset = 32'h00000000;

  /// Sum, high word, r. Parameter Moments.
  parameter logic [11:0] SumHiOffset = 12'h024;
  typedef struct packed {
    logic [31:0] value; // sum of the latencies, 63:32
  } sum_hi_t;
  parameter sum_hi_t SumHiReset = 32'h00000000;

  /// Sum of squares, low word, r. Parameter Moments.
  parameter logic [11:0] SquaresLoOffset = 12'h028;
  typedef struct packed {
    logic [31:0] value; // sum of the squares, 31:0
  } squares_lo_t;
  parameter squares_lo_t SquaresLoReset = 32'h00000000;

  /// Sum of squares, middle word, r. Parameter Moments.
  parameter logic [11:0] SquaresMidOffset = 12'h02c;
  typedef struct packed {
    logic [31:0] value; // sum of the squares, 63:32
  } squares_mid_t;
  parameter squares_mid_t SquaresMidReset = 32'h00000000;

  /// Sum of squares, high word, r. Parameter Moments.
  parameter logic [11:0] SquaresHiOffset = 12'h030;
  typedef struct packed {
    logic [31:0] value; // sum of the squares, 95:64
  } squares_hi_t;
  parameter squares_hi_t SquaresHiReset = 32'h00000000;

  /// Histogram scale, rw. Parameter HistogramBins. Write it before measuring, and clear.
  parameter logic [11:0] HistogramScaleOffset = 12'h034;
  typedef struct packed {
    logic [26:0] reserved_31_5; // reserved
    logic [4:0]  shift;         // the bin of a latency is its value shifted right by this number, at most the last bin
  } histogram_scale_t;
  parameter histogram_scale_t HistogramScaleReset = 32'h00000000;

  /// Histogram bin, r. Parameter HistogramBins, the number of bins.
  parameter logic [11:0] HistogramBinOffset = 12'h800;
  parameter int unsigned HistogramBinCount = 512;
  parameter int unsigned HistogramBinStride = 4;  // bytes
  typedef struct packed {
    logic [31:0] count; // latencies in this bin; stays at its largest value
  } histogram_bin_t;
  parameter histogram_bin_t HistogramBinReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
