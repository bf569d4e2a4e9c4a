// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What GDB calls processes: programs with breakpoints and symbols of their own.
 *
 * Where each hart has a program of its own, each hart is a process, since two programs may have different code at one
 * address: hart h is process h + 1. Else, and with a debugger that knows no processes, all harts are threads of one
 * process, which is not named. The machine is one: the run ends for all processes at once, but GDB has to be told of
 * each, and lets go of each by itself.
 *
 * Source: Debugging with GDB (13), appendix E, "Packets" (thread-id), "Stop Reply Packets", qSupported (multiprocess).
 */
#ifndef TRAPEZE_SIM_GDB_PROCESSES_H
#define TRAPEZE_SIM_GDB_PROCESSES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trapeze::gdb {

/** Bit h: hart h. */
using Harts = std::uint32_t;
constexpr Harts kAllHarts = ~Harts{0};

class Processes {
 public:
  /** `files`: those of the programs, by hart, where each hart has its own; a hart behind them has none. */
  Processes(unsigned harts, const std::vector<std::string>& files);

  /** Whether the debugger knows processes; at first it does not. */
  void set_known(bool known) { known_ = known; }
  bool several() const { return known_ && files_.size() > 1; }

  /** A thread of a hart, as packets name it. */
  std::string id(unsigned hart, unsigned thread) const;
  struct Named {
    std::optional<unsigned> hart;  ///< the process; nothing: any
    std::string_view thread;       ///< within it; -1 and 0: any
  };
  /** The reverse. Nothing: there is no such process. */
  std::optional<Named> parse(std::string_view id) const;
  /** The hart of a process by number; of an empty text hart 0, as there is one process. Nothing: there is no such
   * process. */
  std::optional<unsigned> hart_of(std::string_view number) const;

  /** For whom a breakpoint is that is set while a hart is looked at. */
  Harts sharing(unsigned hart) const { return several() ? Harts{1} << hart : kAllHarts; }
  /** Absolute path of a hart's program; empty: unknown. */
  const std::string& file(unsigned hart) const { return files_[hart]; }

  /** GDB is still there for this hart. */
  bool present(unsigned hart) const { return (present_ >> hart & 1U) != 0; }
  /** GDB has let go of a process, or has been told that it has ended. */
  void leave(unsigned hart) { present_ &= ~sharing(hart); }
  /** The first hart of those that GDB is still there for. Nothing: the session is over. */
  std::optional<unsigned> first() const;
  /** The end of a stop reply which says that a process has ended. */
  std::string ended(unsigned hart) const;

 private:
  std::vector<std::string> files_;
  bool known_ = false;
  Harts present_;
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_PROCESSES_H
