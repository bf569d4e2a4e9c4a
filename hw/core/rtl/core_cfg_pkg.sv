// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The configuration of a core: every parameter of `trapeze_core`, in one struct. The function `core_cfg` makes one. An
// argument that is left out has its default:
//
//   trapeze_core #(.Cfg(core_cfg_pkg::core_cfg(.IrqScheme(irq_pkg::IrqClic), .Saver(core_cfg_pkg::SaverBanks)))) u_core
//
// trapeze_core stops elaboration for values that are not possible, with a message that names the field.
package core_cfg_pkg;

  /// fastirq: where the registers of an interrupted program that a frame holds are kept until they are in its frame.
  typedef enum logic [1:0] {
    SaverNone    = 2'd0,  // no fastirq: handlers save registers themselves
    SaverBanks   = 2'd1,  // spare register banks: an interrupt switches to a free one (tz_banks)
    SaverInPlace = 2'd2   // no spare bank: registers leave before a handler overwrites them (tz_in_place)
  } saver_e;

  /// The fields are explained at the arguments of `core_cfg`.
  typedef struct packed {
    bit          RV32E;
    bit          ExtM;
    bit          ExtA;
    bit          ExtC;
    bit          ExtZba;
    bit          ExtZbb;
    bit          ExtZbs;
    logic [31:0] ResetVector;
    logic [31:0] HartId;
    int unsigned DivBitsPerCycle;
    bit          LoadBypass;
    irq_pkg::irq_scheme_e IrqScheme;
    int unsigned NumIrqSources;
    saver_e      Saver;
    int unsigned NumBanks;
    bit          WholeFrames;
    int unsigned PmpRegions;
    int unsigned PmpGrain;
    bit          Smepmp;
    bit          UserIrq;
    bit          Uintr;
    bit          Debug;
    logic [31:0] DebugBase;
    int unsigned Triggers;
    bit          Gates;
    bit          Rvfi;
  } core_cfg_t;

  function automatic core_cfg_t core_cfg(
    bit          RV32E           = 1'b0,              // 16 registers instead of 32
    bit          ExtM            = 1'b1,              // multiply and divide
    bit          ExtA            = 1'b0,              // atomic memory operations, load-reserved, store-conditional
    bit          ExtC            = 1'b1,              // compressed instructions
    bit          ExtZba          = 1'b1,              // address generation
    bit          ExtZbb          = 1'b1,              // basic bit manipulation
    bit          ExtZbs          = 1'b1,              // single-bit instructions
    logic [31:0] ResetVector     = 32'h8000_0000,     // address of the first instruction, a multiple of 4
    logic [31:0] HartId          = 32'd0,             // CSR mhartid
    int unsigned DivBitsPerCycle = 2,                 // quotient bits that the divider finds in a cycle: 1, 2 or 4
    bit          LoadBypass      = 1'b1,              // load data go straight into EX: no load-use bubble
    irq_pkg::irq_scheme_e IrqScheme = irq_pkg::IrqClint,  // the interrupt controller that the core is built for
    int unsigned NumIrqSources   = 64,                // CLIC: interrupt sources, 1 to 4096
    saver_e      Saver           = SaverNone,         // fastirq (CLIC only)
    int unsigned NumBanks        = 2,                 // SaverBanks: spare register banks, 1 to 4
    bit          WholeFrames     = 1'b0,              // SaverBanks: frames of all registers but sp, gp and tp
    int unsigned PmpRegions      = 0,                 // physical memory protection: rows, 0, 4, 8 or 16
    int unsigned PmpGrain        = 0,                 // smallest region: 2^(PmpGrain + 2) bytes
    bit          Smepmp          = 1'b0,              // with PmpRegions: mseccfg, which binds machine mode, too
    bit          UserIrq         = 1'b0,              // interrupts that user mode handles (CLIC only)
    bit          Uintr           = 1'b0,              // user interrupts between harts (needs UserIrq, ExtA, PmpRegions,
                                                      // SaverBanks)
    bit          Debug           = 1'b0,              // debug mode, for a debug module (hw/debug)
    logic [31:0] DebugBase       = 32'h0000_0400,     // Debug: address of the debug module's memory
    int unsigned Triggers        = 0,                 // triggers (Sdtrig): breakpoints and watchpoints, 0 to 8
    bit          Gates           = 1'b0,              // 1: for standard cells; 0: for an FPGA's memories, multipliers
    bit          Rvfi            = 1'b1               // retirement records and observe_t; leave them out of a chip
  );
    return '{
      RV32E: RV32E, ExtM: ExtM, ExtA: ExtA, ExtC: ExtC, ExtZba: ExtZba, ExtZbb: ExtZbb, ExtZbs: ExtZbs,
      ResetVector: ResetVector, HartId: HartId, DivBitsPerCycle: DivBitsPerCycle, LoadBypass: LoadBypass,
      IrqScheme: IrqScheme, NumIrqSources: NumIrqSources, Saver: Saver, NumBanks: NumBanks, WholeFrames: WholeFrames,
      PmpRegions: PmpRegions, PmpGrain: PmpGrain, Smepmp: Smepmp, UserIrq: UserIrq, Uintr: Uintr, Debug: Debug,
      DebugBase: DebugBase, Triggers: Triggers, Gates: Gates, Rvfi: Rvfi
    };
  endfunction

  parameter core_cfg_t CoreDefault = core_cfg();

endpackage
