// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/spans.h"

#include <algorithm>

#include "kernel/disasm.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::uint64_t kHandlerMarker = 1;
constexpr std::uint64_t kPointerBytes = 4;
/** Tasks that are remembered; an overflow may overwrite the pointer to the running one some times. */
constexpr std::size_t kRecent = 64;
constexpr std::uint64_t kEnd = ~std::uint64_t{0};

bool is_interrupt(const Event& event) {
  return event.kind == EventKind::kEdge || event.kind == EventKind::kClaim;
}

bool is_access_event(const Event& event) {
  return event.kind == EventKind::kStore || event.kind == EventKind::kLoad;
}

/** `0 to LAST`. */
std::string up_to(std::uint64_t last) {
  return last == 0 ? "0" : "0 to " + std::to_string(last);
}

}  // namespace

std::optional<StartUp> start_up(const std::vector<ElfSymbol>& symbols, unsigned hart) {
  StartUp code;
  code.hart = hart;
  bool waits = false;
  for (const ElfSymbol& symbol : symbols) {
    if (symbol.name == "_start") code.begins.push_back(symbol.address);
    if (symbol.name == "main" || symbol.name == "__hart_park") code.ends.push_back(symbol.address);
    waits |= symbol.name == "__hart_park";
  }
  if (code.ends.size() < (waits ? 2 : 1) || (hart != 0 && !waits)) return std::nullopt;
  return code;
}

// --- the plan

SpanPlan::SpanPlan(std::vector<SpanSpec> spans, std::vector<TaskKernel> kernels, const tz_engine_info& info,
                   const std::vector<StartUp>& start_ups, std::optional<Until> until)
    : spans_(std::move(spans)), until_(std::move(until)), kernels_(std::move(kernels)), starts_up_(info.num_harts) {
  for (const SpanSpec& span : spans_) {
    for (const Event* event : {&span.from, &span.to}) check(*event, info);
    const bool nested = is_interrupt(span.from) && span.to.kind == EventKind::kMarker &&
                        span.to.number == kHandlerMarker && span.from.hart == span.to.hart;
    ends_.push_back({number_of(span.from), number_of(span.to), nested});
  }
  if (until_ && until_->event) {
    check(*until_->event, info);
    until_number_ = number_of(*until_->event);
  } else if (until_) {
    while (spans_[until_number_].name != until_->span) ++until_number_;
  }
  for (const Event& event : events_) {
    std::uint32_t signal = 0;
    while (event.kind == EventKind::kSignal && info.signals[signal] != event.name) ++signal;
    signals_.push_back(signal);
  }
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (!needs_all_ && !kernels_[i].named) continue;
    const unsigned hart = kernels_[i].hart;
    watch(kernels_[i].current, kPointerBytes, TZ_WATCH_STORE, hart, {WatchUse::kCurrent, i});
    watch(kernels_[i].started, kPointerBytes, TZ_WATCH_STORE, hart, {WatchUse::kStarted, i});
  }
  for (const StartUp& code : start_ups) watch_start_up(code);
}

void SpanPlan::watch(std::uint64_t address, std::uint64_t size, tz_watch_kind kind, unsigned hart, Use use) {
  watches_.push_back({address, size, static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(hart)});
  uses_.push_back(use);
}

/** Watches the start-up code of a hart whose loads or stores are events. */
void SpanPlan::watch_start_up(const StartUp& code) {
  const auto counts = [&](const Event& event) { return is_access_event(event) && event.hart == code.hart; };
  if (std::none_of(events_.begin(), events_.end(), counts)) return;
  starts_up_[code.hart] = true;
  for (const std::uint64_t at : code.begins)
    watch(at, 1, TZ_WATCH_EXECUTE, code.hart, {WatchUse::kStartUpBegins, code.hart});
  for (const std::uint64_t at : code.ends)
    watch(at, 1, TZ_WATCH_EXECUTE, code.hart, {WatchUse::kStartUpEnds, code.hart});
}

void SpanPlan::check(const Event& event, const tz_engine_info& info) {
  const std::string of = "configuration '" + std::string(info.config) + "' has no ";
  if (event.kind == EventKind::kSignal) {
    std::string all;
    for (std::uint32_t i = 0; i < info.num_signals; ++i) {
      if (event.name == info.signals[i]) return;
      all += (i == 0 ? "" : ", ") + std::string(info.signals[i]);
    }
    if (all.empty()) throw Error("signal:" + event.name + ": this engine has no signals; use the rtl engine");
    throw Error("signal:" + event.name + ": " + of + "such signal; use one of " + all);
  }
  if (event.hart >= info.num_harts) {
    throw Error(of + "hart " + std::to_string(event.hart) + "; use " + up_to(info.num_harts - 1));
  }
  const tz_hart_info& hart = info.harts[event.hart];
  if (event.kind == EventKind::kEdge && event.number >= hart.num_lines) {
    throw Error("edge:" + std::to_string(event.number) + ": " + of + "such line; use " + up_to(hart.num_lines - 1));
  }
  const std::uint64_t ids = std::max(hart.num_sources, hart.line_id_base + hart.num_lines);
  if (event.kind == EventKind::kClaim && event.number >= ids) {
    throw Error("claim:" + std::to_string(event.number) + ": " + of + "such interrupt; use " + up_to(ids - 1));
  }
  if (event.kind != EventKind::kTask) return;
  needs_all_ = true;
  const auto is_its = [&](const TaskKernel& kernel) { return kernel.hart == event.hart; };
  if (std::none_of(kernels_.begin(), kernels_.end(), is_its)) {
    throw Error("task:" + event.name + ": the program of hart " + std::to_string(event.hart) +
                " has no FreeRTOS; give another event");
  }
}

std::size_t SpanPlan::number_of(const Event& event) {
  const auto found = std::find(events_.begin(), events_.end(), event);
  const auto number = static_cast<std::size_t>(found - events_.begin());
  if (found != events_.end()) return number;
  events_.push_back(event);
  const Use use{WatchUse::kEvent, number};
  if (event.kind == EventKind::kPc) {
    watch(event.address, 1, TZ_WATCH_EXECUTE, event.hart, use);
    for (const std::uint64_t place : event.places) watch(place, 1, TZ_WATCH_EXECUTE, event.hart, use);
  }
  if (event.kind == EventKind::kStore) watch(event.address, event.size, TZ_WATCH_STORE, event.hart, use);
  if (event.kind == EventKind::kLoad) watch(event.address, event.size, TZ_WATCH_LOAD, event.hart, use);
  return number;
}

bool SpanPlan::needs_handlers() const {
  return std::any_of(ends_.begin(), ends_.end(), [](const Ends& ends) { return ends.nested; }) || needs_all_;
}

// --- results

void SpanResult::add(const SpanResult& other, std::uint64_t swept) {
  for (const auto& [cycles, count] : other.histogram) histogram[cycles] += count;
  missed += other.missed;
  unwoken += other.unwoken;
  open += other.open;
  if (!first) first = other.first;
  if (other.worst && (!worst || other.worst->to - other.worst->from > worst->to - worst->from)) {
    worst = {other.worst->from, other.worst->to, swept};
  }
}

// --- events

SpanTracker::SpanTracker(std::shared_ptr<const SpanPlan> plan)
    : plan_(std::move(plan)),
      open_(plan_->spans_.size()),
      results_(plan_->spans_.size()),
      running_(plan_->kernels_.size()),
      starts_up_(plan_->starts_up_) {}

void SpanTracker::add(std::size_t event, std::uint64_t cycle, std::optional<std::uint64_t> edge,
                      std::optional<std::uint64_t> claim) {
  if (cycle < settled_) {
    throw Error("an event of cycle " + std::to_string(cycle) + " was reported when cycle " + std::to_string(settled_) +
                " had been settled; this is a defect of the simulator, please report it");
  }
  waiting_.push_back({cycle, event, edge, claim, Wake::kNone, 0});
}

void SpanTracker::on_injection(std::size_t index, const Injection& injection) {
  if (empty()) return;
  for (std::size_t i = 0; i < plan_->events_.size(); ++i) {
    const Event& event = plan_->events_[i];
    const bool is_it = event.kind == EventKind::kEdge && event.hart == injection.hart && event.number == injection.line;
    if (is_it) add(i, injection.cycle, index);
  }
}

void SpanTracker::on_claim(unsigned hart, unsigned id, std::uint64_t cycle) {
  if (empty()) return;
  for (std::size_t i = 0; i < plan_->events_.size(); ++i) {
    const Event& event = plan_->events_[i];
    if (event.kind == EventKind::kClaim && event.hart == hart && event.number == id) add(i, cycle, {}, cycle);
  }
}

void SpanTracker::on_rise(const tz_rise& rise) {
  if (empty()) return;
  for (std::size_t i = 0; i < plan_->events_.size(); ++i) {
    if (plan_->events_[i].kind == EventKind::kSignal && plan_->signals_[i] == rise.signal) add(i, rise.cycle);
  }
}

void SpanTracker::on_hit(const tz_hit& hit) {
  const SpanPlan::Use& use = plan_->uses_[hit.watch];
  if (use.use == SpanPlan::WatchUse::kCurrent) {
    Running& running = running_[use.index];
    running.current = static_cast<std::uint32_t>(hit.value);
    if (running.recent.empty() || running.recent.front() != running.current) running.recent.push_front(running.current);
    if (running.recent.size() > kRecent) running.recent.pop_back();
    running.switching = true;
    running.in_port = false;
    if (plan_->needs_all_) running.tasks.try_emplace(running.current);
  } else if (use.use == SpanPlan::WatchUse::kStarted) {
    running_[use.index].started |= hit.value != 0;
  } else if (use.use != SpanPlan::WatchUse::kEvent) {
    starts_up_[use.index] = use.use == SpanPlan::WatchUse::kStartUpBegins;
  } else {
    const Event& event = plan_->events_[use.index];
    if (is_access_event(event) && starts_up_[event.hart]) return;
    const std::uint64_t mask = hit.size == 0 ? 0 : kEnd >> (64 - 8 * std::uint64_t{hit.size});
    const bool other_value = event.value && (hit.address != event.address || hit.value != (*event.value & mask));
    if (!other_value) add(use.index, hit.cycle, {}, service_of(event.hart));
  }
}

void SpanTracker::on_retire(const tz_retire& record, const HandlerStack& handlers) {
  if (empty()) return;
  if (plan_->needs_all_) follow_tasks(record, handlers);
  const unsigned n = marker_number(record.insn);
  if (n == 0 || (record.flags & TZ_RETIRE_TRAP) != 0) return;
  for (std::size_t i = 0; i < plan_->events_.size(); ++i) {
    const Event& event = plan_->events_[i];
    if (event.kind != EventKind::kMarker || event.hart != record.hart || event.number != n) continue;
    const std::size_t served = handlers.served();
    add(i, record.cycle_ex, served == Stimulus::kNone ? std::nullopt : std::optional<std::uint64_t>(served),
        handlers.served_since());
  }
}

std::vector<std::uint32_t> SpanTracker::recent_tasks(unsigned hart) const {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (plan_->kernels_[i].hart == hart) return {running_[i].recent.begin(), running_[i].recent.end()};
  }
  return {};
}

// --- from events to spans

void SpanTracker::settle(std::uint64_t cycle) {
  if (cycle <= settled_ || reached_) return;
  settled_ = cycle;
  if (!waiting_.empty()) {
    const auto earlier = [](const Occurrence& a, const Occurrence& b) { return a.cycle < b.cycle; };
    std::stable_sort(waiting_.begin(), waiting_.end(), earlier);
    auto begin = waiting_.cbegin();
    while (begin != waiting_.cend() && begin->cycle < cycle && !reached_) {
      const auto end =
          std::find_if(begin, waiting_.cend(), [&](const Occurrence& o) { return o.cycle != begin->cycle; });
      settle_one_cycle(begin, end);
      begin = end;
    }
    waiting_.erase(waiting_.cbegin(), begin);
  }
  if (!reached_) judge(cycle);
}

void SpanTracker::settle_one_cycle(std::vector<Occurrence>::const_iterator begin,
                                   std::vector<Occurrence>::const_iterator end) {
  for (std::size_t span = 0; span < plan_->ends_.size(); ++span) {
    const SpanPlan::Ends& ends = plan_->ends_[span];
    if (plan_->events_[ends.to].kind == EventKind::kTask) {
      by_wake(span, begin, end);
      continue;
    }
    if (ends.nested) {
      for (auto one = begin; one != end; ++one) by_nesting(span, *one);
      continue;
    }
    const auto count = [&](std::size_t event) {
      return static_cast<std::uint64_t>(std::count_if(begin, end, [event](const Occurrence& one) {
        return one.event == event && one.wake != Wake::kServedWithout;
      }));
    };
    const std::uint64_t starts = count(ends.from);
    const std::uint64_t stops = ends.to == ends.from ? starts : count(ends.to);
    if (starts != 0 || stops != 0) by_order(span, begin->cycle, starts, stops);
  }
  const std::optional<Until>& until = plan_->until_;
  if (!until) return;
  if (until->event) {
    until_seen_ += static_cast<std::uint64_t>(std::count_if(begin, end, [this](const Occurrence& one) {
      return one.event == plan_->until_number_ && one.wake != Wake::kServedWithout;
    }));
  }
  if (until_seen_ >= until->count && !late_) reached_ = begin->cycle;
}

void SpanTracker::by_order(std::size_t span, std::uint64_t cycle, std::uint64_t starts, std::uint64_t ends) {
  std::deque<Start>& open = open_[span];
  const bool same = plan_->ends_[span].from == plan_->ends_[span].to;
  const bool ended = !open.empty() && ends != 0;
  if (ended) {
    this->end(span, open.front().cycle, cycle);
    open.clear();
  }
  for (std::uint64_t i = 0; i < starts; ++i) {
    if (!results_[span].first) results_[span].first = cycle;
    if (open.empty()) {
      open.push_back({cycle, 0});
    } else {
      ++results_[span].missed;
    }
  }
  if (same || ended || ends == 0 || open.empty()) return;
  this->end(span, cycle, cycle);
  open.clear();
}

void SpanTracker::by_nesting(std::size_t span, const Occurrence& occurrence) {
  const SpanPlan::Ends& ends = plan_->ends_[span];
  const bool by_edge = plan_->events_[ends.from].kind == EventKind::kEdge;
  const std::optional<std::uint64_t>& key = by_edge ? occurrence.edge : occurrence.claim;
  std::deque<Start>& open = open_[span];
  if (occurrence.event == ends.from) {
    open.push_back({occurrence.cycle, key.value_or(0)});
    if (!results_[span].first) results_[span].first = occurrence.cycle;
  }
  if (occurrence.event != ends.to || !key) return;
  const auto found = std::find_if(open.begin(), open.end(), [&](const Start& start) { return start.key == *key; });
  if (found == open.end()) return;  // the event belongs to another interrupt, or is not the handler's first marker
  this->end(span, found->cycle, occurrence.cycle);
  open.erase(found);
}

void SpanTracker::end(std::size_t span, std::uint64_t from, std::uint64_t to) {
  SpanResult& result = results_[span];
  const std::uint64_t cycles = to - from;
  ++result.histogram[cycles];
  if (!result.worst || cycles > result.worst->to - result.worst->from) result.worst = {from, to, {}};
  ended_.push_back({span, {from, to, {}}});
  if (plan_->until_ && !plan_->until_->event && span == plan_->until_number_) ++until_seen_;
  const std::optional<std::uint64_t>& budget = plan_->spans_[span].budget;
  if (budget && cycles > *budget && !late_) {
    late_ = span;
    late_since_ = from;
  }
  if (late_ == span && late_since_ == from) late_until_ = to;
}

/** Checks the budgets of open spans, none of which has ended before `cycle`. */
void SpanTracker::judge(std::uint64_t cycle) {
  for (std::size_t span = 0; !late_ && span < open_.size(); ++span) {
    const std::optional<std::uint64_t>& budget = plan_->spans_[span].budget;
    if (!budget || open_[span].empty()) continue;
    const std::uint64_t from = open_[span].front().cycle;
    if (cycle != kEnd && (cycle <= from || cycle - 1 - from <= *budget)) continue;
    late_ = span;
    late_since_ = from;
  }
}

void SpanTracker::finish() {
  if (empty()) return;
  settle(kEnd);
  for (std::size_t span = 0; span < open_.size(); ++span) results_[span].open = open_[span].size();
}

}  // namespace trapeze
