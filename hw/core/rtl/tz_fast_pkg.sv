// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: what its units tell each other and the rest of the core, and the layout of a frame.
// Source: the design, section 2; the order of the words is isa_pkg's.
package tz_fast_pkg;

  import isa_pkg::*;
  import tz_core_pkg::*;

  // ---------------------------------------------------------------- fastirq: from and to the units around it
  typedef struct packed {
    logic [31:2] link;            // xfastirq.link of the mode that runs: ra of handlers
    logic [31:0] mscratch;
    logic        hint;            // mframe is written: the frame at hint_base will be left soon
    logic [31:2] hint_base;
  } fast_from_csr_t;

  typedef struct packed {
    logic        mscratch_we;     // mscratch changes places with sp
    logic [31:0] mscratch;
  } fast_to_csr_t;

  typedef struct packed {
    logic        enter;           // an interrupt is taken, which gets a frame
    logic        kill;            // a trap is taken: EX is emptied
    logic        swap;            // from user to machine mode: sp changes places with mscratch
    logic        user;            // the interrupt is user mode's, and so is its frame
    logic        euret;           // the emret in EX is euret, which leaves a frame of user mode
    context_t    leaves;          // mepc and mcause as the interrupt that is being taken writes them
    context_t    regs;            // mepc and mcause, or what an euret has loaded of its frame
    logic        emret;           // the emret in EX may proceed in this cycle ...
    logic        preempt;         // ... but only to chain: an interrupt is taken otherwise
    logic        chain;           // the interrupt offered qualifies against the level of the frame in a bank ...
    logic        chain_regs;      // ... or against that in mcause
    logic        vector_want;     // a vectored interrupt is offered ...
    logic        vector_user;     // ... whose table is read as user mode, else machine mode ...
    logic [31:2] entry;           // ... whose table entry is here
    logic        fault_taken;     // the exception for a frame that could not be stored is taken
  } fast_from_trap_t;

  typedef struct packed {
    logic        ready;           // an interrupt may enter: a bank is free
    logic        done;            // emret completes: it returns or chains ...
    logic        chain;           // ... it takes the interrupt offered instead of returning
    context_t    frame;           // mepc and mcause of the frame that it leaves
    logic [7:0]  level;           // mpil of the frame that a bank holds
    logic [31:0] base;            // the frame's address, of an interrupt that would enter now
    logic        load_cause;      // emret loads mcause from a frame ...
    logic        load_epc;        // ... or mepc ...
    logic [31:0] load_data;       // ... from this word
    logic        load_fault;      // a word of its frame could not be loaded; until a trap
    logic        store_fault;     // a word of a frame could not be stored; until fault_taken
    logic [31:0] fault_addr;      // address of that word
    logic        vector_hit;      // the table entry of the interrupt offered has been fetched ahead ...
    logic [31:1] vector;          // ... and holds the address of its handler
  } fast_to_trap_t;

  typedef struct packed {
    logic [31:0] sp;              // register x2 ...
    logic [31:0] sp_next;         // ... with what WB writes in this cycle
    logic [31:0] drain_data;      // the register at drain_word of bank drain_bank
  } fast_from_regfile_t;

  typedef struct packed {
    logic [2:0]  bank;            // the current bank
    logic        sp_set;          // sp becomes `sp`, whatever WB writes
    logic [31:0] sp;
    logic        fill_we;         // fill_data is written to the register at fill_word of bank fill_bank
    logic [2:0]  fill_bank;
    logic [3:0]  fill_word;       // words are those of a frame
    logic [31:0] fill_data;
    logic        link;            // fill_data is ra of a fresh bank; reads of ra in this cycle return it
    logic        fresh;           // the next bank becomes current, for a handler of user mode
    logic [2:0]  drain_bank;      // the register that is read
    logic [3:0]  drain_word;
  } fast_to_regfile_t;

  typedef struct packed {
    logic [31:2] addr;            // word of the load or store in EX ...
    logic [1:0][6:0] terms;       // ... whose byte address has the lowest bits of the sum of these; [1] is known early
    logic        split;           // it also reaches the next word
    logic        store;           // a store to `addr` is granted
    logic        committed;       // the second half of a split store is to be made, or is made
  } fast_from_lsu_t;

  typedef struct packed {
    logic        fence;           // fence.i completes, or a write to the rows of memory protection
    logic        rows;            // a write to these rows is in EX ...
    logic        rows_write;      // ... and completes
    logic        write;           // WB writes register write_reg
    logic [4:0]  write_reg;
    logic        ex_write;        // the instruction in EX will write register ex_reg
    logic [4:0]  ex_reg;
  } fast_from_pipe_t;

  typedef struct packed {
    logic        ex_wait;         // the instruction in EX stays; a load or store does not begin
    logic        lsu_wait;        // the load or store in EX reaches a word that is still to be stored to its frame ...
    logic        lsu_wait_here;   // ... with its first word
    logic        exec;            // the request on the port is of a table entry: code, to memory protection
    logic        chains;          // what an emret would do: take the interrupt ...
    logic        returns;         // ... else return, unless it is preempted
  } fast_to_pipe_t;

  /// For tz_observe: of each bank left behind there is a slot (tz_context). Zero without spare banks.
  typedef struct packed {
    logic [2:0]  next;            // slot of the next bank left behind
    logic [3:0]  valid;           // slots whose bank holds a context that emret may switch back to
    logic [3:0]  pend;            // slots whose bank has words that have still to leave
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
  } from_fast_t;

  // ---------------------------------------------------------------- fastirq: its context saver
  /// From fastirq to the context saver, tz_banks or tz_in_place.
  typedef struct packed {
    // Entry of an interrupt
    logic        enter;
    logic [31:2] base;            // of its frame ...
    logic        user;            // ... which is user mode's
    context_t    leaves;          // mepc and mcause of the program that it interrupts
    logic        kill;            // EX is emptied by a trap
    // emret in EX
    logic        emret;           // it may proceed in this cycle ...
    logic        preempt;         // ... but only to chain
    logic        euret;           // it is euret: its frame is user mode's
    logic [31:2] sp;              // register x2 ...
    logic [31:2] sp_next;         // ... with what WB writes in this cycle ...
    logic        sp_busy;         // ... which is to sp
    logic        sp_set;          // an entry or a return sets sp
    context_t    regs;            // mepc and mcause
    logic        chain;           // an interrupt qualifies against the frame that is here ...
    logic        chain_regs;      // ... or against the mcause that has been loaded
    // Memory protection
    logic        rows_write;      // rows change: what was judged by the old ones is loaded anew
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
    logic        drain_left;      // the word on the port leaves in this cycle
    logic        drain_busy;      // it can no longer be withdrawn
    logic        load_grant;      // the word asked for will come
    logic        load_busy;       // it is on the bus, without a grant
    logic        load_done;       // a word has come: load_data
    logic        load_fault;      // it could not be loaded
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
    context_t    frame;           // mepc and mcause of the frame that it leaves
    logic [7:0]  level;           // mpil of the frame that is here
    logic        chains;          // what it does if it may proceed, known before that: takes the interrupt ...
    logic        returns;         // ... else returns, unless it is preempted
    logic        chained;         // it takes the interrupt in this cycle
    logic        returned;        // it returns in this cycle
    logic        load_fault;      // a word could not be loaded; until kill
    logic        load_cause;      // load_data is mcause, to be written to the CSR
    logic        load_epc;        // or mepc
    // Registers
    logic [2:0]  bank;            // the current bank
    logic        ex_wait;         // the instruction in EX stays there; a load or store does not begin
    logic        fill_we;         // load_data is written to the register at fill_word of bank fill_bank
    logic [2:0]  fill_bank;
    logic [3:0]  fill_word;
    logic [2:0]  drain_bank;      // the word drain_word of this bank, or of drain_context, is read
    logic [4:0]  drain_word;
    context_t    drain_context;
    // tz_frame_port: words that leave
    logic        drain_valid;
    logic        drain_first;     // the word on the port is the first one of a frame
    logic [31:2] drain_addr;
    logic        drain_user;      // it leaves as user mode's store
    logic [31:0] bus_data;        // the word on the port
    // and words that are loaded
    logic        load_valid;
    logic [31:2] load_addr;
    logic        load_user;       // as user mode's load
    logic        load_cancel;     // what is asked for, or under way, is not wanted any more
    // Load or store in EX
    logic        lsu_wait;        // reaches a word that has not left ...
    logic        lsu_wait_here;   // ... with its first word
    fast_to_observe_t observe;
  } from_saver_t;

  // fastirq: the frame holds the caller-saved registers in ascending order, then mepc, then mcause (isa_pkg).
  // Size in words, without the padding to 16 bytes.
  function automatic int unsigned frame_words(bit rv32e);
    return rv32e ? FrameEWords : FrameIWords;
  endfunction
  // What sp is lowered by, in bytes.
  function automatic int unsigned frame_bytes(bit rv32e);
    return rv32e ? FrameEBytes : FrameIBytes;
  endfunction
  // Whether a register has a place in the frame: x1, x5-x7, x10-x17 (E: to x15), x28-x31 (not E). By cases and not by
  // comparisons, here and below: it is in the path from an instruction to its operands.
  function automatic logic in_frame(logic [4:0] register, bit rv32e);
    unique case (register[4:2])
      3'b000:  return register[1:0] == 2'd1;
      3'b001:  return register[1:0] != 2'd0;
      3'b010:  return register[1];
      3'b011:  return 1'b1;
      3'b100:  return !rv32e && !register[1];
      3'b111:  return !rv32e;
      default: return 1'b0;
    endcase
  endfunction
  // Its word there.
  function automatic logic [3:0] frame_word(logic [4:0] register);
    unique case (register[4:2])
      3'b000:  return 4'd0;                                            // x1: 0
      3'b001:  return {2'b00, register[1:0]};                          // x5-x7: 1-3
      3'b010:  return {3'b010, register[0]};                           // x10, x11: 4, 5
      3'b011:  return {register[1], {2{!register[1]}}, register[0]};   // x12-x15: 6-9
      3'b100:  return {3'b101, register[0]};                           // x16, x17: 10, 11
      default: return {2'b11, register[1:0]};                          // x28-x31: 12-15
    endcase
  endfunction
  // The register of a word.
  function automatic logic [4:0] frame_register(logic [3:0] word);
    unique case (word[3:1])
      3'b000:  return {2'b00, word[0], 2'b01};
      3'b001:  return {4'b0011, word[0]};
      3'b010:  return {4'b0101, word[0]};
      3'b011:  return {4'b0110, word[0]};
      3'b100:  return {4'b0111, word[0]};
      3'b101:  return {4'b1000, word[0]};
      default: return {3'b111, word[1:0]};
    endcase
  endfunction

  // Whether the functions above say what isa_pkg does of the frame's order; checked at elaboration.
  function automatic bit frame_agrees(bit rv32e);
    bit                agrees;
    logic [31:0]       held;
    logic [15:0][4:0]  order;
    int unsigned       count;
    order  = rv32e ? 80'(FrameEOrder) : FrameIOrder;
    count  = rv32e ? FrameERegisters : FrameIRegisters;
    agrees = (frame_words(rv32e) == count + 2);
    held   = '0;
    for (int unsigned k = 0; k < 16; k++) begin
      if (k < count) begin
        agrees = agrees && (frame_word(order[k]) == 4'(k)) && (frame_register(4'(k)) == order[k]);
        held[order[k]] = 1'b1;
      end
    end
    for (int unsigned r = 0; r < (rv32e ? 16 : 32); r++) agrees = agrees && (in_frame(5'(r), rv32e) == held[r]);
    return agrees;
  endfunction

endpackage
