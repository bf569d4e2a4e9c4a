// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Random data generator: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package random_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Data, r. The read removes the word. 0 when there is none.
  parameter logic [11:0] DataOffset = 12'h000;
  typedef struct packed {
    logic [31:0] word; // oldest word of the block
  } data_t;
  parameter data_t DataReset = 32'h00000000;

  /// Status, r.
  parameter logic [11:0] StatusOffset = 12'h004;
  typedef struct packed {
    logic [15:0] words;         // words that can be read
    logic [12:0] reserved_15_3; // reserved
    logic        overrun;       // a start was ignored, because the block before had not been read; cleared by ack
    logic        busy;          // a block is being generated
    logic        ready;         // the block is ready: the interrupt output
  } status_t;
  parameter status_t StatusReset = 32'h00000000;

  /// Control, rw.
  parameter logic [11:0] ControlOffset = 12'h008;
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        ack;           // acknowledge without reading: discard the block, ready or not, and clear the interrupt
    logic        start;         // start a block now
    logic        enable;        // a rise of the start input starts a block
  } control_t;
  parameter control_t ControlReset = 32'h00000000;

  /// Seed, rw. State of the xorshift32 generator; the next word is its successor. 0 is stored as 1.
  parameter logic [11:0] SeedOffset = 12'h00c;
  typedef struct packed {
    logic [31:0] state; // state
  } seed_t;
  parameter seed_t SeedReset = 32'h00000001;

endpackage
// verilator lint_on UNUSEDPARAM
