// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stress generator: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes. It takes precedence over every other manager. It only reads, so memory keeps its contents.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package stress_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 12;

  /// Rate, rw. A write sets accesses to 0.
  parameter logic [11:0] RateOffset = 12'h000;
  typedef struct packed {
    logic [23:0] reserved_31_8; // reserved
    logic [7:0]  chance;        // chance, in 1/256, that a clock begins an access; 0: off
  } rate_t;
  parameter rate_t RateReset = 32'h00000000;

  /// Seed, rw. State of the xorshift32 generator, which advances in each clock while the rate is not 0. 0 is stored as 1.
  parameter logic [11:0] SeedOffset = 12'h004;
  typedef struct packed {
    logic [31:0] state; // state
  } seed_t;
  parameter seed_t SeedReset = 32'h00000001;

  /// Banks, rw. Each access goes to one of these banks, at random. With none selected there are no accesses.
  parameter logic [11:0] BanksOffset = 12'h008;
  typedef struct packed {
    logic [28:0] reserved_31_3; // reserved
    logic        smem;          // stack bank
    logic        dmem;          // data bank
    logic        imem;          // instruction bank
  } banks_t;
  parameter banks_t BanksReset = 32'h00000007;

  /// Accesses, r.
  parameter logic [11:0] AccessesOffset = 12'h00c;
  typedef struct packed {
    logic [31:0] count; // accesses made since rate was written; wraps around
  } accesses_t;
  parameter accesses_t AccessesReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
