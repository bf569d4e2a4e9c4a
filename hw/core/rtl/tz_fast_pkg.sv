// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: types of the signals between its units and the rest of the core, and the layout of a frame.
// Sources: docs/fastirq.md; isa_pkg for the order of the words in a frame.
package tz_fast_pkg;

  import isa_pkg::*;
  import tz_core_pkg::*;

  // ---------------------------------------------------------------- fastirq: from and to the units around it
  typedef struct packed {
    logic [31:2] link;            // xfastirq.link of the mode that runs: the value of ra when a handler begins
    logic [31:0] mscratch;
    logic        hint;            // mframe is written: an emret will soon leave the frame at hint_base
    logic [31:2] hint_base;
  } fast_from_csr_t;

  typedef struct packed {
    logic        mscratch_we;     // mscratch and sp are swapped: mscratch takes this value
    logic [31:0] mscratch;
  } fast_to_csr_t;

  typedef struct packed {
    logic        enter;           // an interrupt with a frame is taken in this cycle
    logic        kill;            // a trap is taken: EX is emptied
    logic        swap;            // the interrupt goes from user to machine mode: sp and mscratch are swapped
    logic        user;            // the interrupt and its frame are user mode's
    logic        euret;           // the emret in EX is an euret, which leaves a frame of user mode
    context_t    leaves;          // mepc and mcause as the interrupt that is taken in this cycle writes them
    context_t    regs;            // mepc and mcause; with euret: those that it has loaded from its frame
    logic        emret;           // the emret in EX may proceed in this cycle
    logic        preempt;         // with emret: it may only chain; if it does not, an interrupt is taken
    logic        chain;           // the interrupt offered qualifies against the level of the frame in a bank
    logic        chain_regs;      // the interrupt offered qualifies against the level in `regs`
    logic        vector_want;     // a vectored interrupt is offered
    logic        vector_user;     // with vector_want: its table is read as user mode, else as machine mode
    logic [31:2] entry;           // with vector_want: address of its table entry
    logic        fault_taken;     // the exception for a frame that could not be stored is taken
  } fast_from_trap_t;

  typedef struct packed {
    logic        ready;           // an interrupt may enter: a bank is free
    logic        done;            // the emret completes in this cycle: it returns or chains
    logic        chain;           // with done: it chains, that is takes the interrupt offered instead of returning
    context_t    frame;           // mepc and mcause of the frame that the emret leaves
    logic [7:0]  level;           // mpil of the frame that a bank holds
    logic [31:0] base;            // address of the frame that an interrupt would get in this cycle
    logic        load_cause;      // load_data is mcause of the frame that the emret loads
    logic        load_epc;        // load_data is mepc of that frame
    logic [31:0] load_data;       // word that was loaded
    logic        load_fault;      // a word of the emret's frame could not be loaded; stays until a trap
    logic        store_fault;     // a word of a frame could not be stored; stays until fault_taken
    logic [31:0] fault_addr;      // address of the word that could not be loaded or stored
    logic        vector_hit;      // the table entry of the interrupt offered has been fetched ahead
    logic [31:1] vector;          // with vector_hit: address of the handler, from that entry
  } fast_to_trap_t;

  typedef struct packed {
    logic [31:0] sp;              // register x2
    logic [31:0] sp_next;         // x2 after the write of WB in this cycle, if WB writes it
    logic [31:0] drain_data;      // the register at drain_word of bank drain_bank
  } fast_from_regfile_t;

  typedef struct packed {
    logic [2:0]  bank;            // the current bank
    logic        sp_set;          // sp becomes `sp`, whatever WB writes
    logic [31:0] sp;
    logic        fill_we;         // fill_data is written to the register at fill_word of bank fill_bank
    logic [2:0]  fill_bank;
    logic [4:0]  fill_word;       // index of the register's word in a frame
    logic [31:0] fill_data;
    logic        link;            // fill_data is ra of a fresh bank; reads of ra in this cycle return it
    logic        fresh;           // bank next_bank becomes current, for a handler of user mode
    logic [2:0]  next_bank;
    logic [2:0]  drain_bank;      // drain_bank, drain_word: the register that the third port reads
    logic [4:0]  drain_word;
  } fast_to_regfile_t;

  typedef struct packed {
    logic [31:2] addr;            // address of the word that the load or store in EX accesses
    logic [1:0][6:0] terms;       // their sum has the lowest seven bits of its byte address; terms[1] is known early
    logic        split;           // the access also reaches the next word
    logic        store;           // a store to `addr` is granted in this cycle
    logic        committed;       // the second half of a split store has still to be granted, or is granted now
  } fast_from_lsu_t;

  typedef struct packed {
    logic        fence;           // a fence.i, or a write to the rows of memory protection, completes
    logic        rows;            // a write to the rows of memory protection is in EX
    logic        rows_write;      // that write completes in this cycle
    logic        write;           // WB writes register write_reg
    logic [4:0]  write_reg;
    logic        ex_write;        // the instruction in EX will write register ex_reg
    logic [4:0]  ex_reg;
  } fast_from_pipe_t;

  typedef struct packed {
    logic        ex_wait;         // the instruction in EX stays; a load or store does not begin
    logic        lsu_wait;        // the load or store in EX reaches a word that has still to be stored to a frame
    logic        lsu_wait_here;   // its first word is such a word
    logic        exec;            // the request on the port fetches a table entry: memory protection takes it as code
    logic        chains;          // an emret that proceeded in this cycle would chain
    logic        returns;         // without chains: it would return, unless it is preempted
  } fast_to_pipe_t;

  /// For tz_observe, by bank. Zero without spare banks.
  typedef struct packed {
    logic [4:0]  held;            // banks that an emret may switch back to
    logic [4:0]  leaving;         // banks with words that have still to be stored
  } fast_to_observe_t;

  /// To fastirq.
  typedef struct packed {
    fast_from_csr_t     csr;
    fast_from_trap_t    trap;
    fast_from_regfile_t regfile;
    fast_from_lsu_t     lsu;
    fast_from_pipe_t    pipe;
  } to_fast_t;

  /// From fastirq.
  typedef struct packed {
    fast_to_csr_t       csr;
    fast_to_trap_t      trap;
    fast_to_regfile_t   regfile;
    fast_to_pipe_t      pipe;
    fast_to_observe_t   observe;
    logic [31:2]        sp_next;  // x2 after the write of WB in this cycle, if WB writes it: for tz_frame_judge
  } from_fast_t;

  // ---------------------------------------------------------------- fastirq: its context saver
  /// From fastirq to the context saver, tz_banks or tz_in_place.
  typedef struct packed {
    // Entry of an interrupt
    logic        enter;
    logic [31:2] base;            // address of the interrupt's frame
    logic        user;            // the frame is user mode's
    context_t    leaves;          // mepc and mcause for the frame: the interrupted program
    logic        kill;            // a trap empties EX
    // emret in EX
    logic        emret;           // the emret may proceed in this cycle
    logic        preempt;         // with emret: it may only chain
    logic        euret;           // the emret is an euret: its frame is user mode's
    logic [31:2] sp;              // register x2
    logic [31:2] sp_next;         // x2 after the write of WB in this cycle, if WB writes it
    logic        sp_busy;         // WB writes x2 in this cycle
    logic        sp_set;          // an entry or a return sets x2
    context_t    regs;            // mepc and mcause
    logic        chain;           // the interrupt offered qualifies against the level of the frame that is kept here
    logic        chain_regs;      // the interrupt offered qualifies against the level in the mcause that was loaded
    // Memory protection
    logic        rows_write;      // rows change: frames of user mode are loaded again, and judged by the new rows
    // A frame to be loaded ahead
    logic        hint;
    logic [31:2] hint_base;
    // Registers
    logic        write;           // WB writes register write_reg
    logic [4:0]  write_reg;
    logic        ex_write;        // the instruction in EX will write register ex_reg
    logic [4:0]  ex_reg;
    logic [31:0] drain_data;      // value of the word drain_word
    // tz_frame_port
    logic        drain_left;      // the bus takes the word to be stored in this cycle
    logic        drain_busy;      // the word to be stored is on the bus and cannot be withdrawn
    logic        load_grant;      // the bus takes the request for a word in this cycle
    logic        load_busy;       // the request for a word is on the bus, without a grant
    logic        load_done;       // the word comes in this cycle: load_data
    logic        load_fault;      // the word could not be loaded
    logic [31:0] load_data;
    logic        vector_ask;      // the port has a table entry to fetch
    // Load or store in EX
    fast_from_lsu_t lsu;
  } to_saver_t;

  /// From the context saver to fastirq.
  typedef struct packed {
    // Entry of an interrupt
    logic        free;            // an interrupt may enter
    // emret
    context_t    frame;           // mepc and mcause of the frame that the emret leaves
    logic [7:0]  level;           // mpil of the frame that is kept here
    logic        chains;          // an emret that proceeded in this cycle would chain
    logic        returns;         // without chains: it would return, unless it is preempted
    logic        chained;         // the emret chains in this cycle
    logic        returned;        // the emret returns in this cycle
    logic        load_fault;      // a word could not be loaded; stays until kill
    logic        load_cause;      // load_data is mcause, to be written to the CSR
    logic        load_epc;        // load_data is mepc, to be written to the CSR
    // Registers
    logic [2:0]  bank;            // the current bank
    logic [2:0]  next_bank;       // the bank that an interrupt would take
    logic        ex_wait;         // the instruction in EX stays there; a load or store does not begin
    logic        fill_we;         // load_data is written to the register at fill_word of bank fill_bank
    logic [2:0]  fill_bank;
    logic [4:0]  fill_word;
    logic [2:0]  drain_bank;      // the word to be stored: drain_word of this bank, or of drain_context
    logic [4:0]  drain_word;
    context_t    drain_context;
    // tz_frame_port: a word to be stored
    logic        drain_valid;
    logic        drain_first;     // the word on the port is the first one of a frame
    logic [31:2] drain_addr;
    logic        drain_user;      // the word is stored with the privilege of user mode
    logic [31:0] bus_data;        // the word on the port
    // tz_frame_port: a word to be loaded
    logic        load_valid;
    logic [31:2] load_addr;
    logic        load_user;       // the word is loaded with the privilege of user mode
    logic        load_cancel;     // the word that was asked for, or is under way, is no longer wanted
    // Load or store in EX
    logic        lsu_wait;        // the access reaches a word that has still to be stored to a frame
    logic        lsu_wait_here;   // its first word is such a word
    fast_to_observe_t observe;
  } from_saver_t;

  // fastirq: the frame holds the caller-saved registers in ascending order, then mepc, then mcause (isa_pkg). `whole`: it
  // holds all registers but sp, gp and tp.
  // Size in words, without the padding to 16 bytes.
  function automatic int unsigned frame_words(bit rv32e, bit whole = 1'b0);
    if (whole) return rv32e ? FrameWholeEWords : FrameWholeIWords;
    return rv32e ? FrameEWords : FrameIWords;
  endfunction
  // Bytes by which an entry lowers sp: the size of a frame with its padding.
  function automatic int unsigned frame_bytes(bit rv32e, bit whole = 1'b0);
    if (whole) return rv32e ? FrameWholeEBytes : FrameWholeIBytes;
    return rv32e ? FrameEBytes : FrameIBytes;
  endfunction
  // Whether a register has a place in the frame: x1, x5-x7, x10-x17 (E: to x15), x28-x31 (not E); whole: x1 and all from
  // x5 on. This function and the next one are written as cases, not as comparisons: they are in the path from an
  // instruction to its operands.
  function automatic logic in_frame(logic [4:0] register, bit rv32e, bit whole = 1'b0);
    unique case (register[4:2])
      3'b000:  return register[1:0] == 2'd1;
      3'b001:  return register[1:0] != 2'd0;
      3'b010:  return whole || register[1];
      3'b011:  return 1'b1;
      3'b100:  return !rv32e && (whole || !register[1]);
      3'b111:  return !rv32e;
      default: return !rv32e && whole;
    endcase
  endfunction
  // The word of a register in the frame; the register must have one. Here and below each `return` is the last of its
  // path: otherwise Verilator takes the function for a loop of the signals that it is used with.
  function automatic logic [4:0] frame_word(logic [4:0] register, bit whole = 1'b0);
    unique case ({whole, register[4:2]})
      4'b0000, 4'b1000: return 5'd0;                                    // x1: 0
      4'b0001: return {3'b000, register[1:0]};                          // x5-x7: 1-3
      4'b0010: return {4'b0010, register[0]};                           // x10, x11: 4, 5
      4'b0011: return {1'b0, register[1], {2{!register[1]}}, register[0]};  // x12-x15: 6-9
      4'b0100: return {4'b0101, register[0]};                           // x16, x17: 10, 11
      4'b0111: return {3'b011, register[1:0]};                          // x28-x31: 12-15
      default: return {register[4:2] - 3'd1, register[1:0]};            // all: x5-x31: 1-27
    endcase
  endfunction
  // The register whose word in the frame this is.
  function automatic logic [4:0] frame_register(logic [4:0] word, bit whole = 1'b0);
    unique case ({whole, word[3:1]})
      4'b0000: return {2'b00, word[0], 2'b01};
      4'b0001: return {4'b0011, word[0]};
      4'b0010: return {4'b0101, word[0]};
      4'b0011: return {4'b0110, word[0]};
      4'b0100: return {4'b0111, word[0]};
      4'b0101: return {4'b1000, word[0]};
      4'b0110, 4'b0111: return {3'b111, word[1:0]};
      default: return (word == 5'd0) ? 5'd1 : {word[4:2] + 3'd1, word[1:0]};
    endcase
  endfunction

  // Whether the functions above agree with isa_pkg on the order of the words; checked at elaboration.
  function automatic bit frame_agrees(bit rv32e, bit whole = 1'b0);
    bit                agrees;
    logic [31:0]       held;
    logic [27:0][4:0]  order;
    int unsigned       count;
    if (whole) begin
      order = rv32e ? 140'(FrameWholeEOrder) : FrameWholeIOrder;
      count = rv32e ? FrameWholeERegisters : FrameWholeIRegisters;
    end else begin
      order = rv32e ? 140'(FrameEOrder) : 140'(FrameIOrder);
      count = rv32e ? FrameERegisters : FrameIRegisters;
    end
    agrees = (frame_words(rv32e, whole) == count + 2);
    held   = '0;
    for (int unsigned k = 0; k < 28; k++) begin
      if (k < count) begin
        agrees = agrees && (frame_word(order[k], whole) == 5'(k)) && (frame_register(5'(k), whole) == order[k]);
        held[order[k]] = 1'b1;
      end
    end
    for (int unsigned r = 0; r < (rv32e ? 16 : 32); r++) agrees = agrees && (in_frame(5'(r), rv32e, whole) == held[r]);
    return agrees;
  endfunction

endpackage
