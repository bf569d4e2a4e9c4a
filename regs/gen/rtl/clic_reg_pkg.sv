// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CLIC: registers. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package clic_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 15;

  /// Configuration, rw. Without user-level interrupts nmbits and unlbits read as zero, and all interrupts are machine mode's.
  parameter logic [14:0] McliccfgOffset = 15'h0000;
  typedef struct packed {
    logic [3:0]  reserved_31_28; // reserved
    logic [3:0]  unlbits;        // number of level bits of user interrupts, like mnlbits
    logic [17:0] reserved_23_6;  // reserved
    logic [1:0]  nmbits;         // 0: all interrupts are machine mode's; 1: attr.mode decides. Bit 5 reads as zero
    logic [3:0]  mnlbits;        // level bits at the top of ctl, 0 to 8; more count as 8; with 0 every level is 255
  } mcliccfg_t;
  parameter mcliccfg_t McliccfgReset = 32'h00000000;

  /// Interrupt pending (clicintip), rw. Level-triggered: the wire, read-only. Edge-triggered: read-write.
  parameter logic [14:0] IrqIpOffset = 15'h1000;
  parameter int unsigned IrqIpCount = 4096;
  parameter int unsigned IrqIpStride = 4;  // bytes
  typedef struct packed {
    logic [6:0] reserved_7_1; // reserved
    logic       ip;           // pending; an edge sets it, the claim of an edge-triggered interrupt clears it
  } irq_ip_t;
  parameter irq_ip_t IrqIpReset = 8'h00;

  /// Interrupt enable (clicintie), rw.
  parameter logic [14:0] IrqIeOffset = 15'h1001;
  parameter int unsigned IrqIeCount = 4096;
  parameter int unsigned IrqIeStride = 4;  // bytes
  typedef struct packed {
    logic [6:0] reserved_7_1; // reserved
    logic       ie;           // enabled
  } irq_ie_t;
  parameter irq_ie_t IrqIeReset = 8'h00;

  /// Interrupt attributes (clicintattr), rw. Turning edge-triggered clears ip, unless the same access sets it.
  parameter logic [14:0] IrqAttrOffset = 15'h1002;
  parameter int unsigned IrqAttrCount = 4096;
  parameter int unsigned IrqAttrStride = 4;  // bytes
  typedef struct packed {
    logic [1:0] mode;         // 3: machine mode, 0: user mode. Bit 7 decides; both read alike, with nmbits 0 as 3
    logic [2:0] reserved_5_3; // reserved
    logic [1:0] trig;         // trigger
    logic       shv;          // hardware vectoring: the handler's address comes from the table at mtvt
  } irq_attr_t;
  parameter irq_attr_t IrqAttrReset = 8'hc0;
  parameter logic [1:0] IrqAttrTrigHigh = 2'h0;  // level, active high
  parameter logic [1:0] IrqAttrTrigRising = 2'h1;  // edge, rising
  parameter logic [1:0] IrqAttrTrigLow = 2'h2;  // level, active low
  parameter logic [1:0] IrqAttrTrigFalling = 2'h3;  // edge, falling

  /// Interrupt control (clicintctl), rw. Level above, priority below. Absent low bits read as ones.
  parameter logic [14:0] IrqCtlOffset = 15'h1003;
  parameter int unsigned IrqCtlCount = 4096;
  parameter int unsigned IrqCtlStride = 4;  // bytes
  typedef struct packed {
    logic [7:0] ctl; // level in the top mnlbits bits, priority in the rest
  } irq_ctl_t;
  parameter irq_ctl_t IrqCtlReset = 8'h00;

endpackage
// verilator lint_on UNUSEDPARAM
