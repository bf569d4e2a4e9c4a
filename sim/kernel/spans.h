// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Spans: how long it takes from one event to another, each time.
 *
 * Which end belongs to which start:
 *  - From an edge or a claim to marker 1 of the same hart: a marker in a handler ends the span of the interrupt that
 * this handler serves (HandlerStack), so handlers may nest.
 *  - To a task: the kernel makes the task ready, and then it runs. This ends the oldest open span; of several that are
 *    open the others are missed. An interrupt that comes after the task was made ready has no part in that. One whose
 *    handler returns while the task is ready or runs, and which has not made it ready, is counted as `unwoken`. An
 * event in the handler of an interrupt counts as this interrupt does.
 *  - All others by order: an end ends the span that is open. A start while a span is open is counted as `missed`, and
 *    the first start stays, since a worst case is the longest wait. An end without a start is ignored.
 *  - Of a start and an end in the same cycle the end comes first where a span is open, else the start. An event that is
 *    both ends one span and starts the next.
 *  - Loads and stores of a hart's start-up code are no events.
 */
#ifndef TRAPEZE_SIM_KERNEL_SPANS_H
#define TRAPEZE_SIM_KERNEL_SPANS_H

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/elf.h"
#include "kernel/engine.h"
#include "kernel/event.h"
#include "kernel/handlers.h"
#include "kernel/stimulus.h"

namespace trapeze {

/** A span to measure. */
struct SpanSpec {
  std::string name;
  Event from;
  Event to;
  std::optional<std::uint64_t> budget;  ///< budget in cycles: the first span that takes longer ends the run
};

/** What ends a run: the `count`th end of a span, or occurrence of an event. */
struct Until {
  std::string span;            ///< its name; empty: an event ends the run
  std::optional<Event> event;  ///< ... this one
  std::uint64_t count = 1;
};

/** Code that switches tasks, by address: [from, to). */
struct CodeRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/** What is known of the kernel of a hart, for `task:NAME`. */
struct TaskKernel {
  unsigned hart = 0;
  std::uint64_t current = 0;    ///< address of the pointer to the running task
  std::uint64_t started = 0;    ///< address of the word that is not zero once tasks run
  std::vector<CodeRange> port;  ///< functions of the port
  std::uint64_t list = 0;  ///< offset of the pointer to the list that a task is in, in its control block; 0: unknown,
                           ///< then every switch to a task counts as a wake
  CodeRange ready;         ///< the lists of tasks that are ready
  std::function<std::string(std::uint32_t task)> name_of;
  bool named = false;  ///< the tasks that ran last are asked for
};

/** Where the start-up code of a hart begins and ends: from an instruction of `begins` to one of `ends`. */
struct StartUp {
  unsigned hart = 0;
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
};

/** The start-up code of a program that `hart` runs: from `_start` to `main`, or to `__hart_park`, where a hart waits
 * for work. Nothing if the program has no `main`, or does not say where a hart other than the first one waits. */
std::optional<StartUp> start_up(const std::vector<ElfSymbol>& symbols, unsigned hart);

/** The spans to measure, and the events that an engine has to report for them. Constant during a run. */
class SpanPlan {
 public:
  SpanPlan() = default;
  /** Throws Error if a span or `until` names a hart, a line, an interrupt, a signal or a kernel that the engine or the
   * program lacks. */
  SpanPlan(std::vector<SpanSpec> spans, std::vector<TaskKernel> kernels, const tz_engine_info& info,
           const std::vector<StartUp>& start_ups = {}, std::optional<Until> until = {});

  const std::vector<SpanSpec>& spans() const { return spans_; }
  /** What ends the run, if anything does. */
  const std::optional<Until>& until() const { return until_; }
  const std::vector<tz_watch>& watches() const { return watches_; }
  /** Whether every instruction must be reported: a task begins with the first instruction outside of the kernel. */
  bool needs_all() const { return needs_all_; }
  /** Whether ends are matched to starts by the nesting of handlers. */
  bool needs_handlers() const;

 private:
  friend class SpanTracker;
  enum class WatchUse : std::uint8_t { kEvent, kCurrent, kStarted, kStartUpBegins, kStartUpEnds };
  struct Use {
    WatchUse use;
    std::size_t index;  ///< number of an event, a kernel or a hart
  };
  struct Ends {
    std::size_t from;
    std::size_t to;
    bool nested;
  };

  std::size_t number_of(const Event& event);
  void check(const Event& event, const tz_engine_info& info);
  void watch(std::uint64_t address, std::uint64_t size, tz_watch_kind kind, unsigned hart, Use use);
  void watch_start_up(const StartUp& code);

  std::vector<SpanSpec> spans_;
  std::optional<Until> until_;
  std::size_t until_number_ = 0;        ///< number of its span, or of its event
  std::vector<Ends> ends_;              ///< for each span: its start and end as numbers of events
  std::vector<Event> events_;           ///< each event once
  std::vector<std::uint32_t> signals_;  ///< for each event: number of its signal
  std::vector<tz_watch> watches_;
  std::vector<Use> uses_;  ///< for each watch: what it is for
  std::vector<TaskKernel> kernels_;
  std::vector<bool> starts_up_;  ///< for each hart: whether it begins in start-up code that is watched
  bool needs_all_ = false;
};

/** Results of one span. */
struct SpanResult {
  struct Stretch {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::optional<std::uint64_t> swept;  ///< cycle in which the line of a sweep rises in the run of this span
  };
  std::map<std::uint64_t, std::uint64_t> histogram;  ///< number of spans by length in cycles
  std::uint64_t missed = 0;                          ///< starts while a span was open
  std::uint64_t open = 0;                            ///< spans that never ended
  std::uint64_t unwoken = 0;                         ///< starts that were served without a wake of the task
  std::optional<Stretch> worst;                      ///< the longest span, the first one of several
  std::optional<std::uint64_t> first;                ///< cycle of the first start

  /** Adds the results of the run of a sweep in which the line rises in cycle `swept`. */
  void add(const SpanResult& other, std::uint64_t swept);
};

/** Follows spans through a run. A value: copy it with a snapshot. */
class SpanTracker {
 public:
  SpanTracker() = default;
  explicit SpanTracker(std::shared_ptr<const SpanPlan> plan);

  bool empty() const {
    return plan_ == nullptr || (plan_->watches().empty() && plan_->spans().empty() && !plan_->until());
  }
  const SpanPlan& plan() const { return *plan_; }

  void on_injection(std::size_t index, const Injection& injection);
  void on_claim(unsigned hart, unsigned id, std::uint64_t cycle);
  void on_rise(const tz_rise& rise);
  void on_hit(const tz_hit& hit);
  /** A record has been given to HandlerStack, which has changed `handlers` by it. Call this after that. */
  void on_retire(const tz_retire& record, const HandlerStack& handlers);

  /** No event from before `cycle` will be reported any more. */
  void settle(std::uint64_t cycle);
  /** The run is over: settles the remaining events. */
  void finish();

  /** Results of each span of the plan. The field `open` is valid after finish(). */
  const std::vector<SpanResult>& results() const { return results_; }
  /** Number of the span that has exceeded its budget. */
  std::optional<std::size_t> late() const { return late_; }
  /** Cycle in which that span began. */
  std::optional<std::uint64_t> late_since() const { return late_since_; }
  /** Cycle in which it ended, if it has ended. */
  std::optional<std::uint64_t> late_until() const { return late_until_; }

  /** Cycle of what ends the run; nothing after it counts. */
  std::optional<std::uint64_t> reached() const { return reached_; }
  /** How often it came so far. */
  std::uint64_t until_seen() const { return until_seen_; }

  /** Control blocks that the kernel of a hart has chosen last, the last one first; for kernels with `named`. Some may
   * be none: a program that overwrites the pointer to the running task has chosen nothing. */
  std::vector<std::uint32_t> recent_tasks(unsigned hart) const;

  /** A span that has ended; `span` is its number in the plan. */
  struct Ended {
    std::size_t span;
    SpanResult::Stretch stretch;
  };
  /** Spans that have ended since the last call. */
  std::vector<Ended> take_ended() { return std::exchange(ended_, {}); }

 private:
  /** What an occurrence of `task:` says: the task runs after a wake, or an interrupt was served without one. */
  enum class Wake : std::uint8_t { kNone, kWoken, kServedWithout };
  /** An event that happened. `edge` and `claim` identify the interrupt that the event belongs to, if it has one. */
  struct Occurrence {
    std::uint64_t cycle;
    std::size_t event;
    std::optional<std::uint64_t> edge;
    std::optional<std::uint64_t> claim;
    Wake wake = Wake::kNone;
    std::uint64_t ready = 0;  ///< with kWoken: cycle in which the kernel made the task ready
  };
  struct Start {
    std::uint64_t cycle;
    std::uint64_t key;
  };
  struct Task {
    bool ready = true;                       ///< it is in a list of tasks that are ready
    std::uint64_t wakes = 0;                 ///< Running::wakes after it was made ready the last time
    std::optional<std::uint64_t> woken = 0;  ///< cycle in which it was made ready, and it has not run since then
  };
  /** An interrupt that is being served. */
  struct Service {
    std::uint64_t claim;
    std::optional<std::uint64_t> edge;
    std::uint64_t wakes;  ///< Running::wakes when it began
  };
  struct Running {
    std::deque<std::uint32_t> recent;  ///< the last control blocks that were chosen, the last one first
    std::uint32_t current = 0;         ///< control block of the task that is to run next
    std::uint32_t task = 0;            ///< control block of the task that runs
    bool started = false;
    bool switching = false;               ///< the kernel has chosen a task, and no instruction of it has executed yet
    bool in_port = false;                 ///< an instruction of the port has executed since the last switch
    std::uint64_t wakes = 0;              ///< how often tasks were made ready
    std::map<std::uint32_t, Task> tasks;  ///< tasks that have been chosen at least once, by control block
    std::vector<Service> services;        ///< the innermost last
  };

  void add(std::size_t event, std::uint64_t cycle, std::optional<std::uint64_t> edge = {},
           std::optional<std::uint64_t> claim = {});
  void settle_one_cycle(std::vector<Occurrence>::const_iterator begin, std::vector<Occurrence>::const_iterator end);
  void by_order(std::size_t span, std::uint64_t cycle, std::uint64_t starts, std::uint64_t ends);
  void by_nesting(std::size_t span, const Occurrence& occurrence);
  void by_wake(std::size_t span, std::vector<Occurrence>::const_iterator begin,
               std::vector<Occurrence>::const_iterator end);
  void drop(std::size_t span, const Occurrence& served);
  void end(std::size_t span, std::uint64_t from, std::uint64_t to);
  void judge(std::uint64_t cycle);
  void follow_tasks(const tz_retire& record, const HandlerStack& handlers);
  void follow_lists(std::size_t kernel, const tz_retire& record);
  void follow_services(std::size_t kernel, const tz_retire& record, const HandlerStack& handlers);
  void follow_switch(std::size_t kernel, const tz_retire& record, const HandlerStack& handlers);
  void add_tasks(std::size_t kernel, std::uint32_t task, const Occurrence& occurrence);
  std::optional<std::uint64_t> service_of(unsigned hart) const;

  std::shared_ptr<const SpanPlan> plan_;
  std::vector<Occurrence> waiting_;  ///< events that are not settled yet
  std::uint64_t settled_ = 0;
  std::vector<std::deque<Start>> open_;  ///< for each span: its starts without an end, the oldest first
  std::vector<SpanResult> results_;
  std::vector<Running> running_;  ///< for each kernel: its tasks
  std::vector<bool> starts_up_;   ///< for each hart: whether it executes start-up code
  std::vector<Ended> ended_;
  std::optional<std::size_t> late_;
  std::optional<std::uint64_t> late_since_;
  std::optional<std::uint64_t> late_until_;
  std::uint64_t until_seen_ = 0;
  std::optional<std::uint64_t> reached_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_SPANS_H
