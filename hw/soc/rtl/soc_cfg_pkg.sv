// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The configuration of a tile (tz_tile): its core, and what is between the core and the platform; and the addresses
// that its accesses go to. The functions `tile_cfg` and `tile_map` make them; an argument that is left out has its
// default. Harts of one SoC may have different configurations, but have one map.
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
    SharedShmem = 4,  // the shared bank, where there is one
    SharedDebug = 5   // the memory of the debug module, where there is one
  } shared_e;

  // Not every user of the package needs them.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned NumShared = 6;
  parameter tile_cfg_t TileDefault = tile_cfg();
  // verilator lint_on UNUSEDPARAM

  /// A range of addresses. An address is in it when (address & ~(Size - 1)) == Base.
  typedef struct packed {
    logic [31:0] Base;  // a multiple of the size
    int unsigned Size;  // bytes, a power of two; 0: there is no such range
  } range_t;

  /// The addresses that a tile knows. No two ranges overlap.
  typedef struct packed {
    range_t Imem;      // banks of the tile
    range_t Dmem;
    range_t Smem;
    range_t Clic;      // of the tile, if its core has a CLIC
    range_t ClicUser;  // user mode's view of the CLIC: with Clic the two halves of one range
    range_t [NumShared-1:0] Shared;  // what harts share, in the order of shared_e
  } tile_map_t;

  /// The default is the memory map `mcu` (regs/maps).
  function automatic tile_map_t tile_map(
    range_t Imem     = '{trapeze_map_pkg::ImemBase, trapeze_map_pkg::ImemSize},
    range_t Dmem     = '{trapeze_map_pkg::DmemBase, trapeze_map_pkg::DmemSize},
    range_t Smem     = '{trapeze_map_pkg::SmemBase, trapeze_map_pkg::SmemSize},
    range_t Clic     = '{trapeze_map_pkg::ClicBase, trapeze_map_pkg::ClicSize},
    range_t ClicUser = '{trapeze_map_pkg::ClicUserBase, trapeze_map_pkg::ClicUserSize},
    range_t Host     = '{trapeze_map_pkg::HostBase, trapeze_map_pkg::HostSize},
    range_t Clint    = '{trapeze_map_pkg::ClintBase, trapeze_map_pkg::ClintSize},
    range_t Uart     = '{trapeze_map_pkg::UartBase, trapeze_map_pkg::UartSize},
    range_t Probe    = '{trapeze_map_pkg::ProbeBase, trapeze_map_pkg::ProbeSize},
    range_t Shmem    = '0
  );
    tile_map = '{Imem: Imem, Dmem: Dmem, Smem: Smem, Clic: Clic, ClicUser: ClicUser, Shared: '0};
    tile_map.Shared[SharedHost]  = Host;
    tile_map.Shared[SharedClint] = Clint;
    tile_map.Shared[SharedUart]  = Uart;
    tile_map.Shared[SharedProbe] = Probe;
    tile_map.Shared[SharedShmem] = Shmem;
  endfunction

  /// The map with the memory of a debug module, if there is one.
  function automatic tile_map_t with_debug(tile_map_t map, bit there, logic [31:0] base);
    with_debug = map;
    if (there) with_debug.Shared[SharedDebug] = '{base, debug_pkg::MemorySize};
  endfunction

  // verilator lint_off UNUSEDPARAM
  parameter tile_map_t MapDefault = tile_map();
  // verilator lint_on UNUSEDPARAM

endpackage
