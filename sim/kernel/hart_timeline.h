// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a timeline shows of one hart.
 */
#ifndef TRAPEZE_SIM_KERNEL_HART_TIMELINE_H
#define TRAPEZE_SIM_KERNEL_HART_TIMELINE_H

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/disasm.h"
#include "kernel/elf.h"
#include "kernel/engine.h"
#include "kernel/trace_events.h"
#include "kernel/tracks.h"

namespace trapeze {

/**
 * Tracks of one hart: instructions in the pipeline with their stages (as many lanes as overlap), functions by symbol,
 * interrupt lines, interrupt handlers; and those of kernel/tracks.h, from what the engine reports beside the
 * instructions.
 */
class HartTimeline {
 public:
  /** Number of processes of a hart in the timeline. */
  static constexpr unsigned kProcesses = 4;
  /** Place of the tracks of a hart: process first_process + 1 and those behind it. Their names begin with `name`. */
  struct Group {
    unsigned first_process = 0;
    std::string name;
  };

  HartTimeline(TraceEvents& events, const Group& group, SymbolTable symbols, const tz_hart_info& hart,
               TaskSource tasks);
  void on_retire(const tz_retire& record);
  void on_claim(const tz_claim& claim);
  void on_line(std::uint64_t cycle, unsigned line, bool level);
  void on_activity(const tz_activity& activity);
  Track handlers_track() const { return handlers_track_; }
  /** First thread that is free for the posts and notifications of user interrupts (kernel/post_tracks.h). */
  Track posts_track() const;
  Track notifications_track() const;
  /** Ends all open slices. `cycle`: the next cycle to execute. */
  void finish(std::uint64_t cycle);

 private:
  struct Handler {
    std::uint64_t start;
    std::string name;
  };

  unsigned process(unsigned number) const;
  void name_process(unsigned number, const std::string& name);
  Track line_track(unsigned line) const;
  unsigned lane(std::uint64_t start, std::uint64_t end);
  void show_pipeline(const tz_retire& record);
  void show_function(const tz_retire& record);
  void follow_handlers(const tz_retire& record);
  void follow_frames(const tz_retire& record);
  void end_function(std::uint64_t cycle);
  void end_handler(std::uint64_t cycle);
  void replace_handler(const tz_retire& record);
  std::string interrupt(unsigned id) const;
  const std::string& context() const { return handlers_.empty() ? tasks_.name() : handlers_.back().name; }

  TraceEvents& events_;
  Group group_;
  Track functions_;
  Track handlers_track_;
  SymbolTable symbols_;
  std::uint32_t num_lines_;
  std::uint32_t line_id_base_;
  InstructionSet set_;
  std::vector<std::uint64_t> lanes_;  ///< cycle in which each lane becomes free
  std::vector<std::uint64_t> line_since_;
  std::vector<Handler> handlers_;
  std::string function_;
  std::uint64_t function_since_ = 0;
  std::uint64_t last_cycle_ = 0;
  bool frames_ = false;              ///< an activity of fastirq was reported
  std::uint64_t context_since_ = 0;  ///< cycle from which on context() runs
  PrivilegeTrack privilege_;
  LevelTrack levels_;
  TaskTrack tasks_;
  BankTracks banks_;
  PortTracks port_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_HART_TIMELINE_H
