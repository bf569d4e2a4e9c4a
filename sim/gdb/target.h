// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What GDB works on: an engine that is stopped between two instructions, with breakpoints and watchpoints.
 *
 * Breakpoints compare the address of the next instruction at every boundary, so memory holds no trap instructions and a
 * breakpoint stops before its instruction has had any effect. Watchpoints look at the memory access of each retirement
 * record and stop behind the instruction. An access that several of them watch is reported until each has been named,
 * one stop after the other. Nothing of this costs simulated time.
 *
 * All harts share one clock: they stop together and go on together, also when one of them steps. Break- and watchpoints
 * are those of every hart, or of one. A hart that did not stop at a boundary shows the registers before its next
 * instruction.
 */
#ifndef TRAPEZE_SIM_GDB_TARGET_H
#define TRAPEZE_SIM_GDB_TARGET_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdb/held_lines.h"
#include "gdb/processes.h"
#include "kernel/session.h"

namespace trapeze::gdb {

/** Kinds of break- and watchpoints, with the numbers of the packets Z0 to Z4. */
enum class PointKind : std::uint8_t { kSoftware = 0, kHardware = 1, kWrite = 2, kRead = 3, kAccess = 4 };

/** Why the target stopped. */
struct Stop {
  enum class Reason : std::uint8_t {
    kStep,         ///< the steps asked for are done
    kHandler,      ///< an interrupt handler was entered, and this is to be seen
    kBreakpoint,   ///< `kind` at the program counter
    kWatchpoint,   ///< `kind`; `address` was accessed and is watched
    kInterrupted,  ///< asked to
    kExited,       ///< the firmware has ended
    kLimit,        ///< the cycle limit is reached
  };
  Reason reason = Reason::kStep;
  PointKind kind = PointKind::kSoftware;
  std::uint64_t address = 0;
  unsigned hart = 0;  ///< whose reason it is
};

/** How to go on. */
struct Resume {
  bool step = false;  ///< stop after each instruction of `hart` that leaves [from, to)
  std::uint64_t from = 0, to = 0;
  unsigned hart = 0;
  bool alone = false;  ///< stops of other harts are not told, as the debugger takes these for stopped
};

/** A register as GDB sees it. */
struct RegisterInfo {
  unsigned number = 0;  ///< as in tz_debug_api
  std::string name;
  unsigned bits = 32;
  const char* type = "int";
};

class Target {
 public:
  /** `start` puts engine, memory and `state` to the start of the run; it is called by reset(). Throws Error if the
   * engine has no interface for debuggers. */
  Target(Engine& engine, Session& session, RunState& state, std::uint64_t max_cycles, std::function<void()> start);

  unsigned harts() const { return engine_.harts(); }
  /** Integer registers, program counter and privilege mode that any hart has; then CSRs with names. */
  const std::vector<RegisterInfo>& core_registers() const { return core_; }
  const std::vector<RegisterInfo>& csrs() const { return csrs_; }
  /** Description of a register by number, or null. */
  const RegisterInfo* find(unsigned number) const;

  /** Throws Error if the hart does not have it. */
  std::uint64_t read(unsigned hart, unsigned number) { return engine_.read_register(hart, number); }
  /** As read(), for somebody who looks at a hart that stands still: a hart that sleeps is at its wfi, also on an engine
   * whose register pc is behind it by then. After a step over the wfi it is behind it, or GDB would step for ever. */
  std::uint64_t look_at(unsigned hart, unsigned number);
  bool has(unsigned hart, unsigned number) const;
  /** Throws Error if the engine cannot. */
  void write(unsigned hart, unsigned number, std::uint64_t value);
  /** Memory and devices as a hart sees them: by virtual addresses where it translates them now, whatever a page allows.
   * Of devices what a read of the bus would get, word by word; nothing changes. Of a range that is not all memory it
   * may be the beginning. Nothing: there is nothing, or the bus refuses the access. */
  std::optional<std::string> read_memory(unsigned hart, std::uint64_t address, std::size_t size);
  /** The same by physical addresses, of what is on the bus. */
  std::optional<std::string> read_bus(unsigned hart, std::uint64_t address, std::size_t size);
  /** False: not all of it is memory, or mapped. Nothing is written then. */
  bool write_memory(unsigned hart, std::uint64_t address, std::string_view bytes);

  /** For some harts. */
  void insert(PointKind kind, std::uint64_t address, std::uint64_t size, Harts harts = kAllHarts);
  void remove(PointKind kind, std::uint64_t address, std::uint64_t size, Harts harts = kAllHarts);
  /** Whether a watchpoint of this kind is at the address. */
  bool watches(PointKind kind, std::uint64_t address) const;

  /** Go on until there is a reason to stop. `asked` is called now and then: true stops at the next boundary. It may
   * wait so many milliseconds for an answer: where all harts sleep for ever, nothing happens any more but that. */
  Stop resume(const Resume& how, const std::function<bool(int milliseconds)>& asked);

  /** Whether to stop at the first instruction of every interrupt handler. Without, steps run through handlers. */
  void catch_interrupts(bool stop) { catching_ = stop; }
  /** Raise a line of a hart until its interrupt is served, see HeldLines. False: there is no such line. */
  bool raise(unsigned hart, unsigned line);
  /** Lower it. False: nothing held it. */
  bool lower(unsigned hart, unsigned line);
  /** Start again. Breakpoints stay. */
  void reset();

  const RunState& state() const { return state_; }
  const tz_engine_info& info() const { return engine_.info(); }
  bool has_cycles() const { return engine_.can(TZ_CAP_CYCLES); }

 private:
  struct Point {
    PointKind kind;
    std::uint64_t address;
    std::uint64_t size;
    Harts harts;
    bool operator==(const Point&) const = default;
  };
  /** What a hart did, from one of its boundaries to the next. */
  struct Advance {
    bool boundary = false;
    bool entered = false;
    bool retired = false;
    std::uint64_t epc = 0;   ///< with `entered`: the interrupted address
    std::uint32_t insn = 0;  ///< with `retired`
    bool moved() const { return boundary && (retired || entered); }
  };
  /** An access that is watched. */
  struct Hit {
    Point point;
    std::uint64_t address;  ///< the first that was accessed and is watched
    unsigned hart;
  };
  /** Progress of a step. */
  struct Step {
    bool retired = false;     ///< an instruction of its own has retired
    bool in_handler = false;  ///< running through a handler, until it returns to `epc` with stack pointer `sp`
    std::uint64_t epc = 0;
    std::uint64_t sp = 0;
  };

  /** A part of a range, in one page. */
  struct Piece {
    std::uint64_t address;  ///< physical
    std::size_t size;
  };

  /** Where the hart finds an address now; nothing: it is not mapped. */
  std::optional<std::uint64_t> physical(unsigned hart, std::uint64_t address);
  std::optional<std::string> read_pieces(unsigned hart, const std::vector<Piece>& places) const;
  std::optional<std::vector<Piece>> pieces(unsigned hart, std::uint64_t address, std::size_t size);
  void advance();
  bool anything_moved() const;
  bool sleeps_for_ever() const;
  /** The breakpoint of a hart at an address, or null. */
  const Point* breakpoint(unsigned hart, std::uint64_t address) const;
  bool steps_over_return(unsigned hart);
  std::uint64_t interrupted_sp(unsigned hart);
  Stop run(const Resume& how, const std::function<bool(int milliseconds)>& asked);
  bool step_done(Step& step, const Advance& now, const Resume& how, std::uint64_t pc);
  std::optional<Stop> stop_of(unsigned hart, bool stepping, Step& step, const Resume& how);
  void look(const tz_retire& record);
  std::optional<Stop> next_hit(const Resume& how, bool stepping);

  Engine& engine_;
  Session& session_;
  RunState& state_;
  std::uint64_t max_cycles_;
  std::function<void()> start_;
  std::vector<RegisterInfo> core_;
  std::vector<RegisterInfo> csrs_;
  std::map<std::uint64_t, std::vector<Point>> breakpoints_;  ///< by address
  std::vector<Point> watchpoints_;
  std::vector<Hit> hits_;  ///< not reported yet
  bool catching_ = false;
  std::vector<Advance> now_;  ///< by hart; what has been looked at is cleared
  std::vector<std::uint64_t> claimed_epc_;
  HeldLines lines_;
  bool asleep_ = false;       ///< all harts, and nothing inside can wake them
  std::uint64_t at_wfi_ = 0;  ///< harts that look_at() shows at their wfi, as a mask
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_TARGET_H
