// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Triple timer: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package timers_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Control, rw. A write with enable set starts the count at 0.
  parameter logic [11:0] ChannelControlOffset = 12'h000;
  parameter int unsigned ChannelControlCount = 3;
  parameter int unsigned ChannelControlStride = 16;  // bytes
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        pulse;         // 1: irq_o is high for one clock at an expiry; 0: while status.expired is set
    logic        one_shot;      // 1: stop after one period; 0: start anew
    logic        enable;        // counts; a one-shot timer clears it when it expires
  } channel_control_t;
  parameter channel_control_t ChannelControlReset = 32'h00000000;

  /// Period, rw. Takes effect at once. If the count is already past it, the timer expires in the next clock.
  parameter logic [11:0] ChannelPeriodOffset = 12'h004;
  parameter int unsigned ChannelPeriodCount = 3;
  parameter int unsigned ChannelPeriodStride = 16;  // bytes
  typedef struct packed {
    logic [31:0] value; // clocks from start to expiry and between expiries; 0 stands for 2^32
  } channel_period_t;
  parameter channel_period_t ChannelPeriodReset = 32'h00000000;

  /// Count, r.
  parameter logic [11:0] ChannelCountOffset = 12'h008;
  parameter int unsigned ChannelCountCount = 3;
  parameter int unsigned ChannelCountStride = 16;  // bytes
  typedef struct packed {
    logic [31:0] value; // clocks since the start or the last expiry
  } channel_count_t;
  parameter channel_count_t ChannelCountReset = 32'h00000000;

  /// Status, rw.
  parameter logic [11:0] ChannelStatusOffset = 12'h00c;
  parameter int unsigned ChannelStatusCount = 3;
  parameter int unsigned ChannelStatusStride = 16;  // bytes
  typedef struct packed {
    logic [30:0] reserved_31_1; // reserved
    logic        expired;       // the period has passed; write 1 to clear
  } channel_status_t;
  parameter channel_status_t ChannelStatusReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
