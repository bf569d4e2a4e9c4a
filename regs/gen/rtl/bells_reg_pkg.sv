// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Doorbells, side of the hart that is rung: registers. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while an enabled doorbell is set, but low for `interval` cycles after a doorbell was cleared. So a storm costs the hart that is rung one interrupt in this time.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package bells_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Doorbells, rw.
  parameter logic [11:0] BellsOffset = 12'h000;
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  bells;         // doorbells that are set; write 1 to clear
  } bells_t;
  parameter bells_t BellsReset = 32'h00000000;

  /// Doorbell enable, rw.
  parameter logic [11:0] EnableOffset = 12'h004;
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  bells;         // doorbells that raise the interrupt
  } enable_t;
  parameter enable_t EnableReset = 32'h00000000;

  /// Interval, rw. Takes effect at once, also on a time that runs.
  parameter logic [11:0] IntervalOffset = 12'h008;
  typedef struct packed {
    logic [15:0] reserved_31_16; // reserved
    logic [15:0] cycles;         // cycles for which the interrupt is low after a doorbell was cleared
  } interval_t;
  parameter interval_t IntervalReset = 32'h000007d0;

endpackage
// verilator lint_on UNUSEDPARAM
