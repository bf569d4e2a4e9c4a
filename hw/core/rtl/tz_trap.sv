// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Decides traps: one a cycle, the oldest instruction first, and an interrupt before the instruction it displaces.
//
//   a load or store whose answer is an error (WB)  >  a frame that could not be stored (fastirq)
//     >  an interrupt  >  the exception of the instruction in EX
//
// The exception for a frame waits while it would destroy mepc (`frame_hold_i`), but not for an emret, which reads mepc
// from its frame. While one is due no interrupt is taken: neither here nor by emret.
//
// Combinational. Priorities of exceptions: Privileged Architecture 1.12, table of synchronous exception priorities.
module tz_trap
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter bit Fast = 1'b0            // fastirq: emret, and interrupts while a table entry is awaited
) (
  // EX
  input  logic        ex_valid_i,
  input  kind_e       ex_kind_i,
  input  logic [31:0] ex_pc_i,
  input  logic [31:0] ex_insn_i,
  input  logic        ex_fault_i,        // could not be fetched ...
  input  logic        ex_fault_second_i, // ... its second half-word
  input  logic        ex_fault_table_i,  // it is the entry of a vector table
  input  logic [31:2] ex_next_i,         // the address behind it, if it could not be fetched
  input  logic        ex_misaligned_i,   // an atomic operation at an address that is not a word's ...
  input  logic [31:0] ex_addr_i,         // ... this one
  input  logic        ex_target_bad_i,   // jumps to a half-word address without C ...
  input  logic [31:0] ex_target_i,       // ... this one
  input  logic        ex_completes_i,    // goes on in the cycle of an interrupt: WFI, the last half of a store
  input  logic        csr_illegal_i,
  input  logic [1:0]  priv_i,
  input  logic        timeout_wait_i,    // mstatus.TW
  input  logic        emret_legal_i,
  input  logic        frame_load_fault_i,
  output logic        ex_exc_o,          // the instruction in EX raises an exception
  output logic        ex_trap_o,         // and traps in this cycle, or is the one that a lost frame interrupts

  // WB
  input  logic        wb_ready_i,
  input  logic        wb_fault_i,
  input  logic        wb_store_i,
  input  logic [31:0] wb_pc_i,
  input  logic [31:0] wb_addr_i,

  // IF
  input  logic [31:0] if_pc_i,           // next instruction behind EX, or the table entry awaited
  input  logic        if_table_i,        // a table entry is awaited

  // Interrupt and fastirq
  input  logic        irq_take_i,        // to be taken as soon as the pipeline can ...
  input  logic [11:0] irq_id_i,          // ... this one
  input  logic        irq_ready_i,       // a bank is free
  input  logic        lsu_firm_i,        // a memory access cannot be given up ...
  input  logic        lsu_busy_i,        // ... nor does it end a store in this cycle
  input  logic        chained_i,         // emret takes the interrupt itself
  input  logic        frame_store_fault_i, // a frame could not be stored ...
  input  logic        frame_hold_i,        // ... whose exception waits
  input  logic [31:0] frame_fault_addr_i,
  output logic        irq_can_o,         // the interrupt is taken unless emret chains it or lsu_busy_i
  output logic        irq_take_o,
  output logic        irq_aim_o,         // if there is a trap in this cycle it is the interrupt
  output logic        stop_o,            // no memory access may start: the instruction in EX is displaced or waits
  output logic        freeze_o,          // an interrupt waits for a bank: nothing may start
  output logic        store_fault_take_o,
  output trap_t       trap_o
);

  // ---------------------------------------------------------------- exceptions of the instruction in EX
  exc_e        code;
  logic [31:0] tval;
  always_comb begin
    ex_exc_o = 1'b1;
    code     = ExcIllegalInstruction;
    tval     = ex_insn_i;
    if (ex_fault_i) begin
      code = ExcFetchFault;
      tval = ex_fault_second_i ? {ex_next_i, 2'b00} : ex_pc_i;  // it is the half of a word
    end else begin
      unique case (ex_kind_i)
        KindIllegal: ;
        KindCsr:  ex_exc_o = csr_illegal_i;
        KindLoad, KindStore: begin
          ex_exc_o = ex_misaligned_i;
          code     = (ex_kind_i == KindLoad) ? ExcLoadMisaligned : ExcStoreMisaligned;
          tval     = ex_addr_i;
        end
        KindMret: ex_exc_o = (priv_i != PrivM);
        KindWfi:  ex_exc_o = (priv_i != PrivM) && timeout_wait_i;
        KindEmret: if (Fast && emret_legal_i) begin
          ex_exc_o = frame_load_fault_i;
          code     = ExcFrameLoadFault;
          tval     = frame_fault_addr_i;
        end
        KindEbreak: begin
          code = ExcBreakpoint;
          tval = '0;
        end
        KindEcall: begin
          code = (priv_i == PrivM) ? ExcEcallM : ExcEcallU;
          tval = '0;
        end
        default: begin
          ex_exc_o = ex_target_bad_i;
          code     = ExcFetchMisaligned;
          tval     = ex_target_i;
        end
      endcase
    end
    if (!ex_valid_i) ex_exc_o = 1'b0;
  end

  // ---------------------------------------------------------------- the trap
  logic ready, exc_take, frame_hold, irq_wanted;
  assign ready              = wb_ready_i && !wb_fault_i;
  assign frame_hold         = frame_hold_i && !(ex_kind_i == KindEmret && !ex_fault_i && emret_legal_i);
  assign store_fault_take_o = Fast && frame_store_fault_i && !frame_hold && ready && ex_valid_i && !lsu_firm_i;
  assign irq_wanted         = irq_take_i && !(Fast && frame_store_fault_i);
  assign irq_can_o          = irq_wanted && ready && (Fast ? irq_ready_i : !if_table_i);
  assign stop_o             = (irq_wanted && (Fast || !if_table_i)) || store_fault_take_o;
  assign irq_take_o         = irq_can_o && !lsu_busy_i && !chained_i;
  assign irq_aim_o          = irq_wanted && !wb_fault_i && (Fast ? irq_ready_i : !if_table_i);
  assign freeze_o           = Fast && irq_wanted && !irq_ready_i;
  assign exc_take           = ex_exc_o && ready && !irq_take_o && !store_fault_take_o;
  assign ex_trap_o          = exc_take || store_fault_take_o;

  // After an interrupt, what is in EX starts again behind the handler.
  logic [11:0] trap_code;
  logic [31:0] trap_epc, trap_tval;
  logic        trap_minhv;
  always_comb begin
    trap_code  = 12'(code);
    trap_minhv = ex_fault_i && ex_fault_table_i;
    trap_epc   = ex_pc_i;
    trap_tval  = tval;
    if (wb_fault_i) begin
      trap_code  = 12'(wb_store_i ? ExcStoreFault : ExcLoadFault);
      trap_minhv = 1'b0;
      trap_epc   = wb_pc_i;
      trap_tval  = wb_addr_i;
    end else if (store_fault_take_o) begin
      trap_code  = 12'(ExcFrameStoreFault);
      trap_tval  = frame_fault_addr_i;
    end else if (irq_take_o) begin
      trap_code  = irq_id_i;
      trap_minhv = Fast && if_table_i;
      trap_epc   = (ex_valid_i && !ex_completes_i) ? ex_pc_i : if_pc_i;
      trap_tval  = '0;
    end
  end
  assign trap_o = '{
    valid: wb_fault_i || irq_take_o || ex_trap_o,
    irq:   irq_take_o,
    code:  trap_code,
    minhv: trap_minhv,
    epc:   trap_epc,
    tval:  trap_tval
  };

endmodule
