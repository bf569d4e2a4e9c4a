// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Types and numbers of the debug module: the debug module interface (DMI), its registers, the words that harts see, and
// the instructions that are generated for them. Source: RISC-V Debug Specification 1.0, chapter 3.
package debug_pkg;

  // Not every user of the package needs all of these.
  // verilator lint_off UNUSEDPARAM

  // Registers on the DMI.
  parameter logic [6:0] DmData0      = 7'h04;
  parameter logic [6:0] DmData1      = 7'h05;
  parameter logic [6:0] DmControl    = 7'h10;
  parameter logic [6:0] DmStatus     = 7'h11;
  parameter logic [6:0] DmHartinfo   = 7'h12;
  parameter logic [6:0] DmHawindow   = 7'h15;
  parameter logic [6:0] DmAbstractcs = 7'h16;
  parameter logic [6:0] DmCommand    = 7'h17;
  parameter logic [6:0] DmAbstractauto = 7'h18;
  parameter logic [6:0] DmProgbuf0   = 7'h20;
  parameter logic [6:0] DmProgbuf1   = 7'h21;
  parameter logic [6:0] DmAuthdata   = 7'h30;
  parameter logic [6:0] DmCs2        = 7'h32;
  parameter logic [6:0] DmSbcs       = 7'h38;
  parameter logic [6:0] DmSbaddress0 = 7'h39;
  parameter logic [6:0] DmSbdata0    = 7'h3c;
  parameter logic [6:0] DmHaltsum0   = 7'h40;

  // Values of abstractcs.cmderr.
  parameter logic [2:0] ErrNone = 3'd0;
  parameter logic [2:0] ErrBusy = 3'd1;
  parameter logic [2:0] ErrNotSupported = 3'd2;
  parameter logic [2:0] ErrException = 3'd3;
  parameter logic [2:0] ErrHaltResume = 3'd4;

  // The debug memory, offsets in bytes. A hart begins at HaltOffset and, after an exception in debug mode, at
  // ExceptionOffset; the rest is between the program in the memory and the debug module.
  parameter int unsigned MemorySize = 1024;
  parameter logic [9:0] HaltOffset      = 10'h000;
  parameter logic [9:0] LoopOffset      = 10'h004;
  parameter logic [9:0] ResumeOffset    = 10'h020;
  parameter logic [9:0] ExceptionOffset = 10'h040;
  parameter logic [9:0] CommandOffset   = 10'h080;  // six generated words
  parameter logic [9:0] ProgbufOffset   = 10'h098;  // two words, then an ebreak
  parameter logic [9:0] EbreakOffset    = 10'h0a0;
  parameter logic [9:0] DataOffset      = 10'h0c0;  // two words
  parameter logic [9:0] HaltedOffset    = 10'h100;  // write: the hart waits in debug mode
  parameter logic [9:0] GoingOffset     = 10'h104;  // write: it begins the command
  parameter logic [9:0] ResumingOffset  = 10'h108;  // write: it leaves debug mode
  parameter logic [9:0] FaultOffset     = 10'h10c;  // write: the command ended in an exception
  parameter logic [9:0] RestoredOffset  = 10'h110;  // write: s0 has its own value again
  parameter logic [9:0] FlagsOffset     = 10'h120;  // read: bit 31 resume, bit 0 go
  parameter logic [9:0] SavedOffset     = 10'h124;  // read: 1: s0 has another value, its own one is in dscratch0

  parameter int unsigned CommandWords = 6;
  parameter logic [4:0] RegS0 = 5'd8;
  parameter logic [31:0] InsnNop    = 32'h0000_0013;
  parameter logic [31:0] InsnEbreak = 32'h0010_0073;
  parameter logic [31:0] InsnDret   = 32'h7b20_0073;
  parameter logic [2:0] BranchEq = 3'b000;
  parameter logic [2:0] BranchNe = 3'b001;
  parameter logic [2:0] BranchLt = 3'b100;
  // verilator lint_on UNUSEDPARAM

  /// One access of the transport to a register, in one cycle of the core's clock. The answer is in the same cycle.
  typedef struct packed {
    logic        valid;
    logic        write;
    logic [6:0]  addr;
    logic [31:0] data;
  } dmi_req_t;

  /// What a hart tells the debug module with a write to the debug memory, in the cycle of the write.
  typedef struct packed {
    logic halted;
    logic going;
    logic resuming;
    logic fault;
    logic restored;
  } hart_event_t;

  /// Hook for a block that authenticates debuggers: what it says,
  typedef struct packed {
    logic        authenticated;
    logic        busy;
    logic [31:0] data;  // value of authdata
  } auth_rsp_t;

  /// and what it is told: an access to authdata.
  typedef struct packed {
    logic        read;
    logic        write;
    logic [31:0] data;
  } auth_req_t;

  function automatic logic [31:0] insn_load(logic float, logic [4:0] rd, logic [11:0] addr);
    return {addr, 5'd0, 3'b010, rd, 4'b0000, float, 2'b11};
  endfunction

  function automatic logic [31:0] insn_store(logic float, logic [4:0] rs2, logic [11:0] addr);
    return {addr[11:5], rs2, 5'd0, 3'b010, addr[4:0], 4'b0100, float, 2'b11};
  endfunction

  function automatic logic [31:0] insn_csrr(logic [4:0] rd, logic [11:0] csr);
    return {csr, 5'd0, 3'b010, rd, 7'b1110011};
  endfunction

  function automatic logic [31:0] insn_csrw(logic [11:0] csr, logic [4:0] rs1);
    return {csr, rs1, 3'b001, 5'd0, 7'b1110011};
  endfunction

  // Addresses of instructions are even: their bit 0 is not used.
  // verilator lint_off UNUSEDSIGNAL
  /// Branch on s0 and x0.
  function automatic logic [31:0] insn_branch(logic [2:0] condition, logic [9:0] from, logic [9:0] to);
    logic [12:1] distance;
    distance = 12'(to[9:1]) - 12'(from[9:1]);
    return {distance[12], distance[10:5], 5'd0, RegS0, condition, distance[4:1], distance[11], 7'b1100011};
  endfunction

  function automatic logic [31:0] insn_jump(logic [9:0] from, logic [9:0] to);
    logic [20:1] distance;
    distance = 20'(to[9:1]) - 20'(from[9:1]);
    return {distance[20], distance[10:1], distance[11], distance[19:12], 5'd0, 7'b1101111};
  endfunction
  // verilator lint_on UNUSEDSIGNAL

endpackage
