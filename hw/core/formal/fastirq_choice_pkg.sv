// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The free choices of the abstract pipeline of fastirq_pipeline.sv in one cycle.
package fastirq_choice_pkg;
  import isa_pkg::*;
  import tz_core_pkg::*;

  typedef struct packed {
    // The next instruction, if one can enter EX.
    logic        id_valid;
    kind_e       id_kind;
    logic        id_fault;
    logic        id_rd_we;
    logic [4:0]  id_rd;
    logic [2:0]  id_funct3;
    logic [5:0]  id_atop;    // atomic operation of a load or store (obi_pkg)
    // The instruction in EX.
    logic [31:0] ex_addr;    // address of a load or store; it may change until WB is ready, since it may depend on a
                             // load in WB
    logic [31:0] ex_data;    // data of a store; it may change until WB is ready, too
    logic        ex_ready;   // the instruction has taken its number of cycles
    logic        ex_exc;     // the instruction raises an exception
    logic        hint;       // a CSR instruction writes mframe
    logic [31:0] wb_result;  // result of the instruction in WB. Of a load or an AMO it is ignored; of an SC it says
                             // whether it has stored
    // Results of CSR instructions and traps.
    logic        user;
    logic        enable;     // mfastirq.enable
    context_t    regs;       // mepc and mcause; at an entry, the values that it leaves there
    logic        irq_take;   // an interrupt qualifies
    logic        hold;       // the exception for a frame has to wait
  } choice_t;

  // Whether an instruction of this kind may write this register.
  function automatic logic writes(kind_e kind, logic [5:0] atop, logic [4:0] rd, bit rv32e);
    return ((kind inside {KindAlu, KindJal, KindJalr, KindLoad, KindDiv, KindCsr}) || atop != obi_pkg::AtopNone) &&
           rd != '0 && !(rv32e && rd[4]);
  endfunction

  // Whether the operation is an AMO: a store whose old value comes back like the value of a load.
  function automatic logic is_amo(logic [5:0] atop);
    return atop[5] && atop != obi_pkg::AtopLr && atop != obi_pkg::AtopSc;
  endfunction

  // Rules for atomic operations: an LR is a load, the others are stores; all access words.
  function automatic logic fits(logic [5:0] atop, kind_e kind, logic [2:0] funct3);
    return atop == obi_pkg::AtopNone ||
           (atop[5] && funct3 == 3'b010 && kind == ((atop == obi_pkg::AtopLr) ? KindLoad : KindStore));
  endfunction

  // What the core never does is not chosen.
  function automatic logic possible(choice_t choice, bit rv32e);
    return choice.id_kind <= KindIllegal && choice.regs.cause.mpp inside {PrivM, PrivU} &&
           fits(choice.id_atop, choice.id_kind, choice.id_funct3) &&
           (!choice.id_rd_we || writes(choice.id_kind, choice.id_atop, choice.id_rd, rv32e));
  endfunction
endpackage
