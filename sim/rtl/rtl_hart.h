// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One hart as the design shows it: the ports of the top that are its own (rvfi_pkg, observe_pkg in hw/common), read
 * into the records of the engine interface.
 */
#ifndef TRAPEZE_SIM_RTL_RTL_HART_H
#define TRAPEZE_SIM_RTL_RTL_HART_H

#include <Vsim.h>
#include <Vsim___024root.h>

#include <cstdint>
#include <stdexcept>

#include "kernel/engine.h"

namespace trapeze::rtl {

/** A failure in the verilated design: an assertion or $fatal. */
class DesignError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** The values of tz_activity that were reported last. */
struct Watched {
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  std::uint32_t level = kNothing;
  std::uint32_t banks = kNothing;
  std::uint32_t judging = 0;
  bool requested = false;   ///< a request of the frame port has not been granted yet
  std::uint64_t since = 0;  ///< with `requested`: cycle in which it began
};

/** Where the program goes on after the instruction that retired last, and the cycle in which that retired. */
struct Place {
  std::uint64_t address = 0;
  std::uint64_t since = 0;
};

/**
 * A hart. Its functions read the outputs of the present cycle; `cycle` is its number. What they report goes to the
 * buffers of `args`; those that are `bool` return false if a buffer may have no room for what comes next.
 */
class RtlHart {
 public:
  /** What of earlier cycles the hart's records depend on; part of a snapshot. */
  struct Past {
    std::uint64_t retired = 0;  ///< number of instructions
    Place pc;
    bool returned = false;  ///< the last instruction that retired was a return from a handler
    Watched watched;
  };

  /** `place`: of the hart in the ports of the top; `number`: on the platform, as the records have it. */
  RtlHart(const Vsim___024root& io, std::uint32_t place, std::uint32_t number)
      : io_(io), place_(place), number_(number) {}

  /** The hart as it is at reset. */
  void reset(std::uint64_t reset_vector) {
    past_ = {};
    past_.pc.address = reset_vector;
  }
  const Past& past() const { return past_; }
  void restore(const Past& past) { past_ = past; }

  /** Whether an instruction retires. */
  bool retires() const { return (io_.rvfi_valid_o >> place_ & 1U) != 0; }
  std::uint32_t insn() const { return io_.rvfi_insn_o[place_]; }
  /** Whether the instruction that retires is the first one of a handler. */
  bool enters() const { return io_.rvfi_intr_o[place_] != 0; }
  /** Counts the instruction that retires; whether it is whole, that is, without a trap. */
  bool retire(std::uint64_t cycle);
  /** Whether the record of the instruction that retires is one of TZ_SELECT_TRAPS; called once for each. */
  bool changes_handlers();
  void fill(tz_retire& record) const;
  /** Reports the watches that a whole instruction meets. */
  bool look(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const;

  void claim(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const;
  void watch(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result);
  /** What joins UIRR comes before the end of its notification. */
  void show_posts(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const;

 private:
  bool meets(const tz_watch& watch, tz_hit& hit) const;

  const Vsim___024root& io_;
  std::uint32_t place_;
  std::uint32_t number_;
  Past past_;
};

}  // namespace trapeze::rtl

#endif  // TRAPEZE_SIM_RTL_RTL_HART_H
