// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// CLINT: registers. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package clint_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 16;

  /// Software interrupt pending, rw. One for each hart.
  parameter logic [15:0] MsipOffset = 16'h0000;
  parameter int unsigned MsipCount = 4095;
  parameter int unsigned MsipStride = 4;  // bytes
  typedef struct packed {
    logic [30:0] reserved_31_1; // reserved
    logic        msip;          // drives mip.MSIP of the hart
  } msip_t;
  parameter msip_t MsipReset = 32'h00000000;

  /// Timer compare, low half, rw. mip.MTIP of the hart is on while mtime >= mtimecmp.
  parameter logic [15:0] MtimecmpLoOffset = 16'h4000;
  parameter int unsigned MtimecmpLoCount = 4095;
  parameter int unsigned MtimecmpLoStride = 8;  // bytes
  typedef struct packed {
    logic [31:0] value; // mtimecmp 31:0
  } mtimecmp_lo_t;
  parameter mtimecmp_lo_t MtimecmpLoReset = 32'hffffffff;

  /// Timer compare, high half, rw.
  parameter logic [15:0] MtimecmpHiOffset = 16'h4004;
  parameter int unsigned MtimecmpHiCount = 4095;
  parameter int unsigned MtimecmpHiStride = 8;  // bytes
  typedef struct packed {
    logic [31:0] value; // mtimecmp 63:32
  } mtimecmp_hi_t;
  parameter mtimecmp_hi_t MtimecmpHiReset = 32'hffffffff;

  /// Time, low half, rw. Counts clock cycles, or one in several with a prescaler.
  parameter logic [15:0] MtimeLoOffset = 16'hbff8;
  typedef struct packed {
    logic [31:0] value; // mtime 31:0
  } mtime_lo_t;
  parameter mtime_lo_t MtimeLoReset = 32'h00000000;

  /// Time, high half, rw.
  parameter logic [15:0] MtimeHiOffset = 16'hbffc;
  typedef struct packed {
    logic [31:0] value; // mtime 63:32
  } mtime_hi_t;
  parameter mtime_hi_t MtimeHiReset = 32'h00000000;

endpackage
// verilator lint_on UNUSEDPARAM
