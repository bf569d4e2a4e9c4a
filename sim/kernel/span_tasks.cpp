// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
// The part of SpanTracker that follows tasks of a kernel: when one is made ready, when it runs, and which interrupts
// were served without making it ready.
#include <algorithm>

#include "kernel/spans.h"

namespace trapeze {
namespace {

/** The start of a span in no handler. */
constexpr std::uint64_t kNoService = ~std::uint64_t{0};

}  // namespace

// --- from instructions to occurrences of task:NAME

void SpanTracker::follow_tasks(const tz_retire& record, const HandlerStack& handlers) {
  for (std::size_t k = 0; k < running_.size(); ++k) {
    if (plan_->kernels_[k].hart != record.hart) continue;
    follow_lists(k, record);
    if (!running_[k].started) continue;
    follow_services(k, record, handlers);
    follow_switch(k, record, handlers);
  }
}

/** Finds out whether the kernel makes a task ready: it puts the task into another list, by a store to its control
 * block. In between the task is in no list, for a moment. */
void SpanTracker::follow_lists(std::size_t kernel, const tz_retire& record) {
  const TaskKernel& of = plan_->kernels_[kernel];
  Running& running = running_[kernel];
  if (record.mem_wmask == 0 || of.list == 0 || record.mem_wdata == 0) return;
  const auto found = running.tasks.find(static_cast<std::uint32_t>(record.mem_addr - of.list));
  if (found == running.tasks.end()) return;
  Task& task = found->second;
  const bool ready = record.mem_wdata >= of.ready.from && record.mem_wdata < of.ready.to;
  if (ready && !task.ready) {
    task.wakes = ++running.wakes;
    task.woken = record.cycle_ex;
  }
  task.ready = ready;
}

/** Follows the interrupts that are being served. One has been served without a wake of a task that is ready, or runs,
 * and that has not been made ready meanwhile. If the task waits, another one may still wake it on the interrupt's
 * behalf. */
void SpanTracker::follow_services(std::size_t kernel, const tz_retire& record, const HandlerStack& handlers) {
  Running& running = running_[kernel];
  while (!running.services.empty() && !handlers.serves(running.services.back().claim)) {
    const Service over = running.services.back();
    running.services.pop_back();
    for (const auto& [block, task] : running.tasks) {
      if (!task.ready || task.wakes > over.wakes) continue;
      add_tasks(kernel, block, {record.cycle_ex, 0, over.edge, over.claim, Wake::kServedWithout, 0});
    }
  }
  const std::optional<std::uint64_t> claim = handlers.served_since();
  if (!claim || (!running.services.empty() && running.services.back().claim == *claim)) return;
  const std::size_t served = handlers.served();
  const std::optional<std::uint64_t> edge =
      served == Stimulus::kNone ? std::nullopt : std::optional<std::uint64_t>(served);
  running.services.push_back({*claim, edge, running.wakes});
}

/** Finds out whether the task that the kernel has chosen runs: it begins with its first instruction that belongs
 * neither to a handler nor to the kernel's port. */
void SpanTracker::follow_switch(std::size_t kernel, const tz_retire& record, const HandlerStack& handlers) {
  const TaskKernel& of = plan_->kernels_[kernel];
  Running& running = running_[kernel];
  if (!running.switching) return;
  const bool port = std::any_of(of.port.begin(), of.port.end(), [&](const CodeRange& range) {
    return record.pc >= range.from && record.pc < range.to;
  });
  if (port || !handlers.empty()) {
    running.in_port |= port;
    return;
  }
  if (!running.in_port) return;  // still a function that the port calls to choose the next task
  running.switching = false;
  Task& task = running.tasks[running.current];
  if (of.list == 0 && running.current != running.task) task.woken = record.cycle_ex;
  running.task = running.current;
  if (!task.woken) return;  // it was preempted, and goes on
  add_tasks(kernel, running.task, {record.cycle_ex, 0, {}, {}, Wake::kWoken, *task.woken});
  task.woken.reset();
}

/** Adds an occurrence to each event of a task. */
void SpanTracker::add_tasks(std::size_t kernel, std::uint32_t task, const Occurrence& occurrence) {
  const TaskKernel& of = plan_->kernels_[kernel];
  const std::string name = of.name_of(task);
  for (std::size_t i = 0; i < plan_->events_.size(); ++i) {
    const Event& event = plan_->events_[i];
    if (event.kind != EventKind::kTask || event.hart != of.hart || event.name != name) continue;
    waiting_.push_back(occurrence);
    waiting_.back().event = i;
  }
}

/** Cycle of the claim of the interrupt that a hart serves, as far as tasks are followed. */
std::optional<std::uint64_t> SpanTracker::service_of(unsigned hart) const {
  for (std::size_t k = 0; k < running_.size(); ++k) {
    if (plan_->kernels_[k].hart != hart || running_[k].services.empty()) continue;
    return running_[k].services.back().claim;
  }
  return std::nullopt;
}

// --- from occurrences to spans

void SpanTracker::by_wake(std::size_t span, std::vector<Occurrence>::const_iterator begin,
                          std::vector<Occurrence>::const_iterator end) {
  const SpanPlan::Ends& ends = plan_->ends_[span];
  const EventKind from = plan_->events_[ends.from].kind;
  const bool interrupt = from == EventKind::kEdge || from == EventKind::kClaim || from == EventKind::kSignal;
  std::deque<Start>& open = open_[span];
  const auto wake =
      std::find_if(begin, end, [&](const Occurrence& one) { return one.event == ends.to && one.wake == Wake::kWoken; });
  const auto finish = [&] {
    const auto caused = [&](const Start& start) { return !interrupt || start.cycle <= wake->ready; };
    const auto last = std::find_if_not(open.begin(), open.end(), caused);
    if (wake == end || last == open.begin()) return;
    this->end(span, open.front().cycle, wake->cycle);
    results_[span].missed += static_cast<std::uint64_t>(last - open.begin()) - 1;
    open.erase(open.begin(), last);
  };
  for (auto one = begin; one != end; ++one) {
    if (one->event == ends.to && one->wake == Wake::kServedWithout) drop(span, *one);
  }
  const bool ends_one = !open.empty();
  if (ends_one) finish();
  for (auto one = begin; one != end; ++one) {
    if (one->event != ends.from || one->wake == Wake::kServedWithout) continue;
    if (!results_[span].first) results_[span].first = one->cycle;
    open.push_back({one->cycle, (from == EventKind::kEdge ? one->edge : one->claim).value_or(kNoService)});
  }
  if (!ends_one && ends.from != ends.to) finish();
}

/** An interrupt has been served without a wake: a span that began with it never ends. */
void SpanTracker::drop(std::size_t span, const Occurrence& served) {
  const EventKind from = plan_->events_[plan_->ends_[span].from].kind;
  std::deque<Start>& open = open_[span];
  const auto is_its = [&](const Start& start) {
    if (from == EventKind::kSignal) return start.cycle <= *served.claim;
    return start.key == (from == EventKind::kEdge ? served.edge : served.claim).value_or(kNoService - 1);
  };
  const auto found = std::find_if(open.begin(), open.end(), is_its);
  if (found == open.end()) return;
  ++(found == open.begin() ? results_[span].unwoken : results_[span].missed);
  open.erase(found);
}

}  // namespace trapeze
