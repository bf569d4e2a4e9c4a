// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Doorbells, pages of those who ring: registers. Page n has one register, which sets doorbell n. Only word accesses. Other accesses, and offsets without a register, are bus errors.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package bell_pages_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 15;

  /// Ring, w. Reads as zero.
  parameter logic [14:0] RingOffset = 15'h0000;
  parameter int unsigned RingCount = 8;
  parameter int unsigned RingStride = 4096;  // bytes
  typedef struct packed {
    logic [30:0] reserved_31_1; // reserved
    logic        bell;          // 1 sets the doorbell
  } ring_t;
  parameter ring_t RingReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
