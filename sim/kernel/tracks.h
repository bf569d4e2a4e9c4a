// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Tracks of a timeline beside pipeline, functions and handlers: privilege, interrupt levels, tasks of a kernel, banks
 * of registers, and accesses of the frame port (docs/fastirq.md). A track appears with its first slice. If an engine
 * does not report a kind of activity, its track does not appear.
 */
#ifndef TRAPEZE_SIM_KERNEL_TRACKS_H
#define TRAPEZE_SIM_KERNEL_TRACKS_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <trapeze/isa.hpp>
#include <utility>
#include <vector>

#include "kernel/engine.h"
#include "kernel/frame_layout.h"
#include "kernel/task_states.h"
#include "kernel/trace_events.h"

namespace trapeze {

/** Interrupt levels as slices. Each slice lies inside of the slices of the levels that it preempted. Level 0 has
 * none. */
class LevelTrack {
 public:
  LevelTrack(TraceEvents& events, Track track) : events_(events), track_(track) {}
  void on_level(std::uint64_t cycle, unsigned level);

 private:
  TraceEvents& events_;
  Track track_;
  std::vector<std::pair<std::uint64_t, unsigned>> open_;  ///< start and level of each open slice, the outermost first
};

/** Slices of the privilege mode. A mode begins in the cycle in which its first instruction executes. A hart that
 * never leaves machine mode has no such track. */
class PrivilegeTrack {
 public:
  PrivilegeTrack(TraceEvents& events, Track track) : events_(events), track_(track) {}
  /** An instruction executes in `mode` (isa::privilege::kU, ...). */
  void on_mode(std::uint64_t cycle, unsigned mode);
  void finish(std::uint64_t cycle);

 private:
  void show(std::uint64_t end);

  TraceEvents& events_;
  Track track_;
  unsigned mode_ = isa::privilege::kM;  ///< a reset ends in machine mode
  std::uint64_t since_ = 0;
  bool left_ = false;  ///< the mode was not machine mode at least once
};

/** The running task as slices, by name, and a track for each task of what it waits for. A switch counts from the store
 * that makes another task the current one. */
class TaskTrack {
 public:
  TaskTrack(TraceEvents& events, Track track, Track waits, TaskSource source)
      : events_(events), track_(track), waits_(waits), states_(std::move(source)) {}
  /** Takes a store. True if it switches to another task. */
  bool on_store(const tz_retire& record);
  void finish(std::uint64_t cycle);
  /** Name of the running task; `program` before the first task runs. */
  const std::string& name() const { return name_; }

 private:
  void begin(std::uint64_t cycle, std::uint32_t task);
  void show(const TaskWait& wait, std::uint64_t end);

  TraceEvents& events_;
  Track track_;
  Track waits_;  ///< of the first task that waits; those of others are behind it
  TaskStates states_;
  std::uint32_t shown_ = 0;
  std::uint64_t since_ = 0;
  std::string name_ = "program";
  std::vector<std::uint32_t> waiters_;
};

/** Tracks of the banks of registers, one for each. A slice says `runs CONTEXT`, `holds CONTEXT`, or that words of the
 * bank have still to be stored. */
class BankTracks {
 public:
  BankTracks(TraceEvents& events, unsigned process, unsigned first)
      : events_(events), process_(process), first_(first) {}
  /** `context`: name of the context that runs from now on. */
  void on_banks(std::uint64_t cycle, std::uint32_t value, const std::string& context);
  /** Another context runs, in the current bank. */
  void on_context(std::uint64_t cycle, const std::string& context);
  /** A frame is loaded ahead of its return, into the bank that then holds it. */
  void on_hint(const std::string& frame) { ahead_ = frame; }
  void finish(std::uint64_t cycle);

 private:
  static constexpr unsigned kBanks = 8;
  enum class State { kFree, kRuns, kHolds, kLeaves };
  struct Bank {
    State state = State::kFree;
    std::string context;
    std::uint64_t since = 0;
  };

  void change(unsigned bank, std::uint64_t cycle, State state, const std::string& context);

  TraceEvents& events_;
  unsigned process_;
  unsigned first_;
  bool known_ = false;
  unsigned current_ = 0;
  std::string ahead_;
  std::array<Bank, kBanks> banks_;
};

/**
 * The frame port, from its bus: an access is shown from its request to its grant, accesses of one frame inside of a
 * slice of that frame. Stores are the drain. The purpose of a load follows from its address and from what happened
 * before. A load from the table at mtvt reads an entry of the vector table. A load after a write of mframe, from the
 * frame that mframe names, is a load ahead, unless words of another frame were on their way. Any other load belongs to
 * an emret.
 */
class PortTracks {
 public:
  /** `layout`: of frames. `ids`: number of entries of the vector table. */
  PortTracks(TraceEvents& events, unsigned process, unsigned first, const FrameLayout& layout, unsigned ids)
      : events_(events), process_(process), first_(first), layout_(layout), ids_(ids) {}
  /** The hart has banks of registers. */
  void on_banks() { banks_ = true; }
  void on_table(std::uint64_t address) { table_ = address; }
  /** mframe was written in this cycle. */
  void on_hint(std::uint64_t cycle, std::uint64_t frame);
  /** An interrupt, an exception or an emret has come. A load requested later belongs to no earlier hint. */
  void end_hint(std::uint64_t cycle);
  /** `entry`: returns the name of an entry of the vector table, by interrupt id. */
  void on_access(const tz_activity& access, const std::function<std::string(unsigned)>& entry);
  void finish();

 private:
  enum Use : unsigned { kDrain, kEmret, kAhead, kTable, kUses };
  struct Word {
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t address;
  };
  struct Frame {
    std::uint64_t base = 0;
    std::vector<Word> words;
  };
  struct Hint {
    bool valid = false;
    bool begun = false;
    std::uint64_t frame = 0;
    std::uint64_t from = 0;
    std::uint64_t until = ~std::uint64_t{0};
  };

  unsigned words() const { return layout_.words; }
  std::uint64_t cause_of(std::uint64_t frame) const { return frame + 4 * (words() - 1); }
  Use use_of(const tz_activity& access);
  bool goes_on(Use use, std::uint64_t address) const;
  bool within(std::uint64_t frame, std::uint64_t address) const {
    return address >= frame && address <= cause_of(frame);
  }
  std::string word_name(std::uint64_t index) const;
  void close(Use use);

  TraceEvents& events_;
  unsigned process_;
  unsigned first_;
  FrameLayout layout_;
  unsigned ids_;
  bool banks_ = false;
  std::uint64_t table_ = 0;
  std::uint64_t last_frame_ = 0;
  std::uint64_t last_store_ = 0;  ///< cycle after the last store's grant
  Hint hint_;
  std::array<Frame, kUses> frames_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_TRACKS_H
