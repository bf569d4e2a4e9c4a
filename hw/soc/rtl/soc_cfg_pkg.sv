// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The configuration of a tile (tz_tile): its core, and what is between the core and the platform. The function
// `tile_cfg` makes one; an argument that is left out has its default. Harts of one SoC may have different
// configurations.
package soc_cfg_pkg;

  /// The fields are explained at the arguments of `tile_cfg`.
  typedef struct packed {
    core_cfg_pkg::core_cfg_t Core;
    int unsigned IrqLineBase;
    int unsigned NumIrqLines;
    bit          IrqSync;
    bit          FastSharedPort;
    int unsigned ClicCtlBits;
    bit          ClicPipeline;
  } tile_cfg_t;

  function automatic tile_cfg_t tile_cfg(
    core_cfg_pkg::core_cfg_t Core = core_cfg_pkg::CoreDefault,
    int unsigned IrqLineBase    = 16,    // CLIC: source of platform line 0, at least 12
    int unsigned NumIrqLines    = 0,     // platform lines; 0: with the CLIC all sources from IrqLineBase on, else 16
    bit          IrqSync        = 1'b0,  // a synchroniser (tz_sync) for each platform line: two cycles later
    bit          FastSharedPort = 1'b0,  // fastirq: the frame port shares the bus port of loads and stores
    int unsigned ClicCtlBits    = 8,     // CLIC: bits of level and priority, 2 to 8
    bit          ClicPipeline   = 1'b0   // CLIC: register stage in the search for the winner: one cycle later
  );
    int unsigned lines;
    lines = (Core.IrqScheme == irq_pkg::IrqClic) ? Core.NumIrqSources - IrqLineBase : irq_pkg::NumPlatformLines;
    if (NumIrqLines != 0) lines = NumIrqLines;
    return '{
      Core: Core, IrqLineBase: IrqLineBase, NumIrqLines: lines, IrqSync: IrqSync, FastSharedPort: FastSharedPort,
      ClicCtlBits: ClicCtlBits, ClicPipeline: ClicPipeline
    };
  endfunction

  /// Numbers of the ports of a tile to what harts share.
  typedef enum int unsigned {
    SharedHost  = 0,
    SharedClint = 1,
    SharedUart  = 2,
    SharedProbe = 3,
    SharedShmem = 4   // the shared bank, where there is one
  } shared_e;

  // Not every user of the package needs them.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned NumShared = 5;
  parameter tile_cfg_t TileDefault = tile_cfg();
  // verilator lint_on UNUSEDPARAM

endpackage
