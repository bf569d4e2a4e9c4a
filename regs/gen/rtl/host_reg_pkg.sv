// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Host port: registers. Offsets without a register read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package host_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Finisher, w. The first write of `fail` or `pass` ends the run; later ones are ignored.
  parameter logic [11:0] FinisherOffset = 12'h000;
  typedef struct packed {
    logic [15:0] code;   // exit code with `fail`
    logic [15:0] status; // what to do; other values are ignored
  } finisher_t;
  parameter finisher_t FinisherReset = 32'h00000000;
  parameter logic [15:0] FinisherStatusFail = 16'h3333;  // end with the exit code in `code`
  parameter logic [15:0] FinisherStatusPass = 16'h5555;  // end with exit code 0
  parameter logic [15:0] FinisherStatusReset = 16'h7777;  // not supported, ignored

endpackage
// verilator lint_on UNUSEDPARAM
