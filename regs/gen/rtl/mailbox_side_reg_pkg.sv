// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Mailbox, one side: registers. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while irq_enable & irq_pending is not 0, or an enabled doorbell is set, but low for 2,000 cycles after a word was received or a doorbell cleared on this side.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package mailbox_side_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Status, rw.
  parameter logic [11:0] StatusOffset = 12'h000;
  typedef struct packed {
    logic [14:0] reserved_31_17; // reserved
    logic        overflow;       // a word was sent to a full queue and is lost; stays until 1 is written
    logic [7:0]  places;         // words that can be sent before the other side's queue is full
    logic [7:0]  waiting;        // words that wait to be received here
  } status_t;
  parameter status_t StatusReset = 32'h00000800;

  /// Send, w. Reads as zero.
  parameter logic [11:0] SendOffset = 12'h004;
  typedef struct packed {
    logic [31:0] word; // word for the end of the other side's queue
  } send_t;
  parameter send_t SendReset = 32'h00000000;

  /// Receive, r. A read takes the oldest word of this side's queue; 0 when there is none.
  parameter logic [11:0] ReceiveOffset = 12'h008;
  typedef struct packed {
    logic [31:0] word; // oldest word
  } receive_t;
  parameter receive_t ReceiveReset = 32'h00000000;

  /// Ring, w. Reads as zero.
  parameter logic [11:0] RingOffset = 12'h00c;
  typedef struct packed {
    logic [31:0] bells; // ones set these doorbells of the other side
  } ring_t;
  parameter ring_t RingReset = 32'h00000000;

  /// Doorbells, rw.
  parameter logic [11:0] BellsOffset = 12'h010;
  typedef struct packed {
    logic [31:0] bells; // doorbells that the other side has set; write 1 to clear
  } bells_t;
  parameter bells_t BellsReset = 32'h00000000;

  /// Doorbell enable, rw.
  parameter logic [11:0] BellsEnableOffset = 12'h014;
  typedef struct packed {
    logic [31:0] bells; // doorbells that raise the interrupt
  } bells_enable_t;
  parameter bells_enable_t BellsEnableReset = 32'h00000000;

  /// Interrupt enable, rw.
  parameter logic [11:0] IrqEnableOffset = 12'h018;
  typedef struct packed {
    logic [29:0] reserved_31_2; // reserved
    logic        place;         // raised while a word can be sent
    logic        word;          // raised while a word waits to be received
  } irq_enable_t;
  parameter irq_enable_t IrqEnableReset = 32'h00000000;

  /// Interrupt pending, r. Shows each condition whether or not it is enabled.
  parameter logic [11:0] IrqPendingOffset = 12'h01c;
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        bell;          // a doorbell that bells_enable enables is set
    logic        place;         // a word can be sent
    logic        word;          // a word waits to be received
  } irq_pending_t;
  parameter irq_pending_t IrqPendingReset = 32'h00000002;

endpackage
// verilator lint_on UNUSEDPARAM
