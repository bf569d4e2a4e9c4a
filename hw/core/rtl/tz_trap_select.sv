// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Chooses the trap of this cycle, at most one. The trap of an older instruction goes before that of a younger one, and
// an interrupt before the exception of the instruction that it displaces. From first to last:
//
//   1. WB: a load, store or senduipi whose answer is an error
//   2. fastirq: a frame of which a word could not be stored (exception 24)
//   3. an interrupt; or, where the frame of a user interrupt is refused, exception 24 instead of it
//   4. EX: the exception of the instruction there; first a breakpoint by a trigger (tz_triggers)
//
// The begin of debug mode (Debug) is chosen here, too, because it displaces the instruction in EX like an interrupt. It
// comes second. In debug mode there are exceptions only, and these change no CSR (`trap.debug`).
//
// Exception 24 waits while it would destroy an mepc that software still needs (`frame_hold_i`), unless an emret is in
// EX: emret reads mepc from its frame. While exception 24 is due no interrupt is taken, neither here nor by an emret
// that chains.
//
// A refused frame raises its exception at the instruction that the interrupt would have displaced. So it waits until an
// instruction is in EX.
//
// Combinational. Priorities of exceptions: Privileged Architecture 1.12, table of synchronous exception priorities.
module tz_trap_select
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter bit Fast  = 1'b0,           // fastirq: emret exists; an interrupt may come while a table entry is awaited
  parameter bit Debug = 1'b0            // debug mode exists
) (
  input  pipe_to_trap_t pipe_i /*verilator split_var*/,
  input  logic [1:0]  priv_i,           // privilege mode
  input  logic        timeout_wait_i,   // mstatus.TW
  input  logic        emret_legal_i,    // the hart is in the mode of the emret or euret in EX, and fastirq is on there

  input  logic        irq_take_i,       // this interrupt is to be taken as soon as the pipeline can
  input  logic [11:0] irq_id_i,
  input  logic        irq_user_i,       // user mode handles it
  input  logic        irq_ready_i,      // fastirq: a register bank is free for it, and irq_refused_i is known
  input  logic        irq_refused_i,    // fastirq: user mode may not store the frame of the interrupt
  input  logic [31:0] irq_base_i,       // address of that frame

  input  logic        chained_i,        // an emret takes the interrupt in this cycle
  input  logic        load_fault_i,     // a word of the frame of the emret in EX could not be loaded
  input  logic        frame_fault_i,    // exception 24 is due: a frame could not be stored
  input  logic        frame_hold_i,     // exception 24 must wait, unless an emret is in EX
  input  logic [31:0] fault_addr_i,     // address of the word that could not be loaded or stored

  input  debug_t      debug_i /*verilator split_var*/,
  input  logic        emret_began_i,    // the emret in EX may have loaded words of its frame

  output trap_choice_t choice_o /*verilator split_var*/
);

  // ---------------------------------------------------------------- exceptions of the instruction in EX
  logic        exception;
  exc_e        code;
  logic [31:0] tval;
  always_comb begin
    exception = 1'b1;
    code      = ExcIllegalInstruction;
    tval      = pipe_i.ex_insn;
    if (pipe_i.ex_fault) begin
      code = ExcFetchFault;
      tval = pipe_i.ex_fault_second ? {pipe_i.ex_next, 2'b00} : pipe_i.ex_pc;
    end else begin
      unique case (pipe_i.ex_kind)
        KindIllegal: ;
        KindCsr:  exception = pipe_i.csr_illegal;
        KindLoad, KindStore: begin
          exception = pipe_i.ex_misaligned;
          code      = (pipe_i.ex_kind == KindLoad) ? ExcLoadMisaligned : ExcStoreMisaligned;
          tval      = pipe_i.ex_addr;
        end
        KindMret: begin
          exception = ((priv_i != PrivM) && !pipe_i.ex_user) || debug_i.mode;
          if (Debug && pipe_i.ex_debug) exception = !debug_i.mode;
        end
        KindWfi:  exception = (priv_i != PrivM) && timeout_wait_i;
        KindEmret: if (Fast && emret_legal_i) begin
          exception = load_fault_i;
          code      = ExcFrameLoadFault;
          tval      = fault_addr_i;
        end
        KindPost: begin
          exception = !pipe_i.post_legal || pipe_i.post_fault || debug_i.mode;
          if (pipe_i.post_legal) begin
            code = ExcSendFault;
            tval = pipe_i.post_index;
          end
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
          exception = pipe_i.ex_target_bad;
          code      = ExcFetchMisaligned;
          tval      = pipe_i.ex_target;
        end
      endcase
    end
    if (pipe_i.ex_trigger.fetch) exception = 1'b1;
    if (!pipe_i.ex_valid) exception = 1'b0;
  end

  // ---------------------------------------------------------------- the trap
  logic ready, exc_take, frame_hold, frame_fault_take, irq_wanted, irq_can, irq_take, irq_aim, stop, freeze, ex_traps;
  logic refused, refuse_take, halt_can, halt_take, breaks;
  assign refused            = Fast && irq_refused_i;
  assign ready              = pipe_i.wb_ready && !pipe_i.wb_fault;
  assign frame_hold         = frame_hold_i && !(pipe_i.ex_kind == KindEmret && !pipe_i.ex_fault && emret_legal_i);
  assign frame_fault_take   = Fast && frame_fault_i && !frame_hold && ready && pipe_i.ex_valid && !pipe_i.lsu_firm &&
                              !halt_can && !debug_i.mode;
  assign irq_wanted         = irq_take_i && !(Fast && frame_fault_i) && !halt_can;
  assign irq_can            = irq_wanted && ready && (Fast ? irq_ready_i : !pipe_i.if_table);
  assign stop               = (irq_wanted && (Fast || !pipe_i.if_table)) || frame_fault_take || halt_can;
  assign irq_take           = irq_can && !pipe_i.lsu_busy && !chained_i && !refused;
  assign refuse_take        = irq_can && refused && !chained_i && pipe_i.ex_valid && !pipe_i.lsu_firm &&
                              (pipe_i.ex_kind != KindWfi || !pipe_i.ex_completes);
  assign irq_aim            = irq_wanted && !refused && !pipe_i.wb_fault && (Fast ? irq_ready_i : !pipe_i.if_table);
  assign freeze             = Fast && irq_wanted && !irq_ready_i;
  assign exc_take           = (exception || pipe_i.ex_trigger.any) && ready && !irq_take && !halt_take &&
                              !frame_fault_take;
  assign ex_traps           = (exc_take && !breaks) || frame_fault_take || refuse_take;

  // Debug mode begins like an interrupt, and before any. It waits for a table entry that is awaited, or whose error is in
  // EX: dpc cannot name the handler before it is known. It waits for an emret that has begun, whose frame is partly in
  // CSRs and registers.
  assign halt_can           = Debug && debug_i.want && !pipe_i.if_table && !emret_began_i &&
                              !(pipe_i.ex_valid && pipe_i.ex_fault && pipe_i.ex_fault_table);
  assign halt_take          = halt_can && ready && !pipe_i.lsu_busy;
  assign breaks             = Debug && (pipe_i.ex_trigger.any ? pipe_i.ex_trigger.debug
                                                              : pipe_i.ex_kind == KindEbreak && !pipe_i.ex_fault &&
                                                                (debug_i.breaks || debug_i.mode));

  // An interrupt displaces the instruction in EX, which starts again after the handler: xepc is its address. If that
  // instruction completes in this cycle, the handler returns to the one behind it.
  logic [11:0] trap_code;
  logic [31:0] trap_epc, trap_tval;
  logic        trap_minhv;
  always_comb begin
    trap_code  = 12'(code);
    trap_minhv = pipe_i.ex_fault && pipe_i.ex_fault_table;
    trap_epc   = pipe_i.ex_pc;
    trap_tval  = tval;
    if (pipe_i.ex_trigger.any) begin
      trap_code = 12'(ExcBreakpoint);
      trap_tval = '0;
    end
    if (pipe_i.wb_fault) begin
      trap_code  = 12'(pipe_i.wb_store ? ExcStoreFault : ExcLoadFault);
      if (pipe_i.wb_post) trap_code = 12'(ExcSendFault);
      trap_minhv = 1'b0;
      trap_epc   = pipe_i.wb_pc;
      trap_tval  = pipe_i.wb_addr;
    end else if (frame_fault_take) begin
      trap_code  = 12'(ExcFrameStoreFault);
      trap_tval  = fault_addr_i;
    end else if (refuse_take) begin
      trap_code  = 12'(ExcFrameStoreFault);
      trap_tval  = irq_base_i;
    end else if (irq_take || halt_take) begin
      trap_code  = irq_id_i;
      trap_minhv = Fast && pipe_i.if_table;
      trap_epc   = (pipe_i.ex_valid && !pipe_i.ex_completes) ? pipe_i.ex_pc : pipe_i.if_pc;
      trap_tval  = '0;
    end
  end

  assign choice_o = '{
    trap: '{
      valid: pipe_i.wb_fault || irq_take || halt_take || exc_take || ex_traps,
      irq:   irq_take,
      user:  irq_take && irq_user_i,
      debug: halt_take || (exc_take && breaks) || debug_i.mode,
      code:  trap_code,
      minhv: trap_minhv,
      epc:   trap_epc,
      tval:  trap_tval
    },
    exception:        exception,
    ex_traps:         ex_traps,
    irq_can:          irq_can,
    irq_take:         irq_take,
    halt_can:         halt_can,
    displaces:        irq_take || halt_take,
    breaks:           exc_take && breaks,
    triggers:         exc_take && pipe_i.ex_trigger.any,
    irq_aim:          irq_aim,
    stop:             stop,
    freeze:           freeze,
    frame_fault_take: frame_fault_take,
    refuse_take:      refuse_take
  };

  logic unused;
  assign unused = ^{pipe_i.mret, pipe_i.dret, pipe_i.frame, pipe_i.wb_left, debug_i};

endmodule
