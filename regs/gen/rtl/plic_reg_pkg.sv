// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// PLIC: registers. For the harts with supervisor mode; no other hart sees it. Each has two contexts: the first hart has context 0 for machine mode and 1 for supervisor mode, the second has 2 and 3. Word accesses; offsets without a register read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package plic_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 26;

  /// Priority of a source, rw. The word of source 0, which does not exist, is reserved.
  parameter logic [25:0] PriorityOffset = 26'h0000000;
  parameter int unsigned PriorityCount = 96;
  parameter int unsigned PriorityStride = 4;  // bytes
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic [2:0]  value;         // 0: never interrupts; 7 is the most urgent
  } priority_t;
  parameter priority_t PriorityReset = 32'h00000000;

  /// Pending, r. One bit for each source.
  parameter logic [25:0] PendingOffset = 26'h0001000;
  parameter int unsigned PendingCount = 3;
  parameter int unsigned PendingStride = 4;  // bytes
  typedef struct packed {
    logic [31:0] sources; // a request of the source waits to be claimed
  } pending_t;
  parameter pending_t PendingReset = 32'h00000000;

  /// Enable, sources 0 to 31, rw.
  parameter logic [25:0] EnableLowOffset = 26'h0002000;
  parameter int unsigned EnableLowCount = 4;
  parameter int unsigned EnableLowStride = 128;  // bytes
  typedef struct packed {
    logic [31:0] sources; // sources that interrupt the context
  } enable_low_t;
  parameter enable_low_t EnableLowReset = 32'h00000000;

  /// Enable, sources 32 to 63, rw.
  parameter logic [25:0] EnableMiddleOffset = 26'h0002004;
  parameter int unsigned EnableMiddleCount = 4;
  parameter int unsigned EnableMiddleStride = 128;  // bytes
  typedef struct packed {
    logic [31:0] sources; // sources that interrupt the context
  } enable_middle_t;
  parameter enable_middle_t EnableMiddleReset = 32'h00000000;

  /// Enable, sources 64 to 95, rw.
  parameter logic [25:0] EnableHighOffset = 26'h0002008;
  parameter int unsigned EnableHighCount = 4;
  parameter int unsigned EnableHighStride = 128;  // bytes
  typedef struct packed {
    logic [31:0] sources; // sources that interrupt the context
  } enable_high_t;
  parameter enable_high_t EnableHighReset = 32'h00000000;

  /// Threshold of a context, rw.
  parameter logic [25:0] ContextThresholdOffset = 26'h0200000;
  parameter int unsigned ContextThresholdCount = 4;
  parameter int unsigned ContextThresholdStride = 4096;  // bytes
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic [2:0]  value;         // sources of this priority or a lower one do not interrupt
  } context_threshold_t;
  parameter context_threshold_t ContextThresholdReset = 32'h00000000;

  /// Claim and completion, rw. A read claims the most urgent enabled request, among equals the one of the lowest number, and returns its number, or 0. A write of the number completes it.
  parameter logic [25:0] ContextClaimOffset = 26'h0200004;
  parameter int unsigned ContextClaimCount = 4;
  parameter int unsigned ContextClaimStride = 4096;  // bytes
  typedef struct packed {
    logic [31:0] source; // number of the source
  } context_claim_t;
  parameter context_claim_t ContextClaimReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
