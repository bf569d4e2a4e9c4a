// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The retirement record of a hart: RVFI (riscv-formal, with unaligned memory: masks are relative to `mem_addr`) plus
// Trapeze's fields for traps, CSRs and timing. Trace, lockstep, formal and the laboratory see nothing else of the core.
// Timelines and debuggers see observe_pkg, too. At most one record a cycle, in program order. Cycle stamps count clock
// cycles since reset.
package rvfi_pkg;

  typedef struct packed {
    // RVFI
    logic        valid;     // a record in this cycle: an instruction retired or trapped
    logic [63:0] order;     // instruction index, starts at 0
    logic [31:0] insn;      // instruction as fetched; a compressed one in bits 15:0, upper half zero
    logic        trap;      // the instruction raised an exception and changed no state but the trap CSRs
    logic        intr;      // first instruction of a trap handler (exception or interrupt)
    logic [1:0]  mode;      // privilege it executed in: 3 machine, 0 user
    logic [4:0]  rs1_addr;
    logic [4:0]  rs2_addr;
    logic [31:0] rs1_rdata; // zero when rs1_addr is zero
    logic [31:0] rs2_rdata;
    logic [4:0]  rd_addr;   // zero when nothing is written
    logic [31:0] rd_wdata;  // zero when rd_addr is zero
    logic [31:0] pc_rdata;  // address of the instruction
    logic [31:0] pc_wdata;  // address of the next instruction in program order (of the handler if it trapped); of the
                            // table entry, if that is reached through the CLIC's vector table
    logic [31:0] mem_addr;  // byte address of the access, not aligned
    logic [3:0]  mem_rmask; // bit n: byte mem_addr + n was read
    logic [3:0]  mem_wmask; // bit n: byte mem_addr + n was written
    logic [31:0] mem_rdata; // bytes read, right-aligned, not sign-extended
    logic [31:0] mem_wdata; // bytes written, right-aligned
    // Trapeze: traps and CSRs
    logic [31:0] cause;     // interrupt bit and code of mcause; with trap: as written; with intr: at handler entry
    logic        csr_we;    // an explicit CSR write (CSRRW/S/C that writes; not xnxti and mscratchcsw[l])
    logic [11:0] csr_addr;
    logic [31:0] csr_wdata; // value written, before WARL legalisation
    // Trapeze: timing
    logic [63:0] cycle_fetch;  // cycle of the fetch request that brought its first half-word
    logic [63:0] cycle_ex;     // cycle in which the instruction left EX: its execution
    logic [63:0] cycle_retire; // cycle of this record
    logic [63:0] cycle_mem;    // cycle in which the bus granted the first word of a load or store (also if the access
                               // failed); 0: none
    logic [63:0] cycle_mem2;   // cycle in which the bus granted the second word, if the access has two; 0: none
    logic [3:0]  hart;         // number of the hart in the SoC (its place in the list, not its mhartid)
    // Trapeze: the interrupt. With `intr` the one that entered this handler (not for an exception). Without `intr` the
    // one that this emret chains (fastirq)
    logic        irq;
    logic [11:0] irq_id;
    logic [7:0]  irq_level; // zero without levels
  } rvfi_t;

  /// An interrupt entered the core in this cycle (the claim). One pulse for each interrupt taken.
  typedef struct packed {
    logic        valid;
    logic [11:0] id;
    logic [7:0]  level;
    logic [31:0] epc;   // interrupted program counter
  } irq_event_t;

endpackage
