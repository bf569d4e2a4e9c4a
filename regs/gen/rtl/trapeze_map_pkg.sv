// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory map `mcu`: one hart.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package trapeze_map_pkg;

  /// Host port. Offsets without a register read as zero and ignore writes.
  parameter logic [31:0] HostBase = 32'h00100000;
  parameter int unsigned HostSize = 4096;  // bytes

  /// CLINT. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes.
  parameter logic [31:0] ClintBase = 32'h02000000;
  parameter int unsigned ClintSize = 65536;  // bytes

  /// CLIC. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes.
  parameter logic [31:0] ClicBase = 32'h02800000;
  parameter int unsigned ClicSize = 32768;  // bytes

  /// CLIC of user mode. Sources of user mode; all others read as zero and ignore writes. Exists only with user-level interrupts.
  parameter logic [31:0] ClicUserBase = 32'h02808000;
  parameter int unsigned ClicUserSize = 32768;  // bytes

  /// UART. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1.
  parameter logic [31:0] UartBase = 32'h10000000;
  parameter int unsigned UartSize = 256;  // bytes

  /// Latency measurement. Two latency probes, and the devices that they are used with. Only word accesses. Other accesses, and offsets without a block, are bus errors.
  parameter logic [31:0] ProbeBase = 32'h10010000;
  parameter int unsigned ProbeSize = 32768;  // bytes
  parameter logic [31:0] ProbeSamples0Base = 32'h10010000;  // Latency samples
  parameter int unsigned ProbeSamples0Size = 2048;
  parameter logic [31:0] ProbeRegs0Base = 32'h10011000;  // Latency probe
  parameter int unsigned ProbeRegs0Size = 4096;
  parameter logic [31:0] ProbeSamples1Base = 32'h10012000;  // Latency samples
  parameter int unsigned ProbeSamples1Size = 2048;
  parameter logic [31:0] ProbeRegs1Base = 32'h10013000;  // Latency probe
  parameter int unsigned ProbeRegs1Size = 4096;
  parameter logic [31:0] ProbeRandomBase = 32'h10014000;  // Random data generator
  parameter int unsigned ProbeRandomSize = 4096;
  parameter logic [31:0] ProbeTimerBase = 32'h10015000;  // Triple timer
  parameter int unsigned ProbeTimerSize = 4096;
  parameter logic [31:0] ProbeStressBase = 32'h10016000;  // Stress generator
  parameter int unsigned ProbeStressSize = 4096;

  /// Instruction bank. Vectors, code; the reset vector is its first word.
  parameter logic [31:0] ImemBase = 32'h80000000;
  parameter int unsigned ImemSize = 524288;  // bytes

  /// Data bank. Constants, data, heap.
  parameter logic [31:0] DmemBase = 32'h80100000;
  parameter int unsigned DmemSize = 524288;  // bytes

  /// Stack bank. Stack; the initial stack pointer is its end.
  parameter logic [31:0] SmemBase = 32'h80200000;
  parameter int unsigned SmemSize = 65536;  // bytes

  /// Index of each region in the vectors below.
  parameter int unsigned NumRegions = 9;
  parameter int unsigned RegionHost = 0;
  parameter int unsigned RegionClint = 1;
  parameter int unsigned RegionClic = 2;
  parameter int unsigned RegionClicUser = 3;
  parameter int unsigned RegionUart = 4;
  parameter int unsigned RegionProbe = 5;
  parameter int unsigned RegionImem = 6;
  parameter int unsigned RegionDmem = 7;
  parameter int unsigned RegionSmem = 8;

  /// An address is in region n when (address & RegionMask[n]) == RegionBase[n].
  parameter logic [NumRegions-1:0][31:0] RegionBase = {
    SmemBase, DmemBase, ImemBase, ProbeBase, UartBase, ClicUserBase, ClicBase, ClintBase, HostBase
  };
  parameter logic [NumRegions-1:0][31:0] RegionMask = {
    32'hffff0000, 32'hfff80000, 32'hfff80000, 32'hffff8000, 32'hffffff00, 32'hffff8000, 32'hffff8000, 32'hffff0000,
    32'hfffff000
  };

  /// The region is memory: instructions can be fetched from it.
  parameter logic [NumRegions-1:0] RegionIsMemory = 9'b111000000;

endpackage
// verilator lint_on UNUSEDPARAM
