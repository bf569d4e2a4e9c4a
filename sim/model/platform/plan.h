// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a platform is, as one value: harts, regions and who sees them, and wires from devices to where their interrupts
 * go. The laboratory writes it as a file (`trapeze.platform/1`, sim/README.md); the model reads the file when it
 * starts.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_PLAN_H
#define TRAPEZE_SIM_MODEL_PLATFORM_PLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/isa/params.h"
#include "model/platform/timing_plan.h"

namespace trapeze::model {

// Kinds of devices: blocks of regs/.
constexpr char kHostBlock[] = "host";
constexpr char kClintBlock[] = "clint";
constexpr char kClicBlock[] = "clic";
constexpr char kClicUserBlock[] = "clic_user";
constexpr char kPlicBlock[] = "plic";
constexpr char kUartBlock[] = "uart";
constexpr char kProbeBlock[] = "probe";
constexpr char kMailboxBlock[] = "mailbox_side";
constexpr char kBellsBlock[] = "bells";
constexpr char kBellPagesBlock[] = "bell_pages";

/** The time of a hart is that of its RTL. */
struct ExactTiming {};

/** A hart. */
struct HartPlan {
  Params params;           ///< its ISA, interrupt controller and memory protection
  std::string isa;         ///< as text
  std::string interrupts;  ///< TZ_IRQ_*
  std::uint64_t reset_vector = 0;
  std::uint64_t hart_id = 0;
  unsigned lines = 0;
  unsigned line_id_base = 16;
  unsigned line_delay = 0;  ///< cycles from a line's pin to the interrupt controller, in the hardware
  unsigned sources = 0;     ///< sources of its CLIC; 0: it has none
  unsigned ctl_bits = 8;    ///< implemented bits of the CLIC's ctl registers
  bool staged = false;      ///< the CLIC's search for the winner has a register stage, in the hardware
  /** Its time; none: the number of its instructions. */
  std::optional<std::variant<ExactTiming, TimingPlan>> timing = {};
};

/** A part of the address map: a memory, or the registers of a device. */
struct RegionPlan {
  std::string name{};
  std::string block{};  ///< kind of device, a block of regs/; empty: a memory
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::vector<unsigned> harts{};      ///< numbers of the harts that see it
  bool own = false;                   ///< each of them has one of its own
  std::optional<unsigned> console{};  ///< of a UART: the hart whose lines it prints; none: it is the run's console
  std::string peer{};                 ///< of a side of a mailbox: the region of the other side
  bool coherent = false;              ///< of a memory: no cache holds it, or all see what others write

  bool is_memory() const { return block.empty(); }
};

/** An input of a hart: a standard interrupt. */
struct HartInterrupt {
  unsigned hart = 0;
  unsigned interrupt = 0;  ///< its exception code, as in mip
};
/** An input of a hart: a platform line, which the host drives, too. */
struct HartLine {
  unsigned hart = 0;
  unsigned line = 0;
};
/** An input of the PLIC. */
struct PlicSource {
  unsigned source = 0;
};

/** From an interrupt output of a device to where it goes. */
struct WirePlan {
  std::string from;     ///< name of the device's region
  unsigned output = 0;  ///< number of the output, see InterruptSource
  std::variant<HartInterrupt, HartLine, PlicSource> to;
};

/** The port in front of the memory that modelled harts and a tile share: hw/soc/rtl/tz_memory_port.sv. */
struct SharedMemoryPlan {
  unsigned beats = 0;  ///< of a line; the port serves one a cycle
  unsigned turn = 0;   ///< beats that transfers have before the tile's turn; 0: a transfer is not interrupted
};

struct PlatformPlan {
  std::string name;
  std::vector<HartPlan> harts;
  std::vector<RegionPlan> regions;
  std::vector<WirePlan> wires;
  std::optional<SharedMemoryPlan> shared_memory = {};  ///< none: it always answers at once
};

/** Reads a platform from a file. Throws std::runtime_error, which names the file and the field, if the file cannot be
 * read or is not one of `trapeze.platform/1`. */
PlatformPlan read_platform(const std::string& path);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_PLAN_H
