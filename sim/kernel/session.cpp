// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/session.h"

#include <algorithm>
#include <array>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::size_t kRecords = 1024;
constexpr std::size_t kConsoleBytes = 256;
/** Capacity of the buffer of rises, for each signal. */
constexpr std::size_t kRises = 256;
constexpr std::size_t kActivities = 1024;
constexpr std::size_t kHits = 1024;
constexpr std::size_t kPosts = 1024;
/** Cycles after which an event is certainly known. When an instruction retires, everything that happened so many
 * cycles before has been reported. Later events may be missing: the next instruction may have executed, and the bus
 * may have granted its access, while it still waited to retire. */
constexpr std::uint64_t kInFlight = 1024;
constexpr std::uint64_t kNoChange = ~std::uint64_t{0};
/** Cycles between two looks at whether the host asks to stop and whether the harts sleep for ever. */
constexpr std::uint64_t kSliceCycles = 1U << 16;
/** The same where an event is to end the run, which goes on for so long after it at most. */
constexpr std::uint64_t kUntilCycles = 4096;
/** Cycles after which harts that sleep have seen everything that happened before they fell asleep: interrupts on
 * their way through the controller, and the UART's receive timeout. */
constexpr std::uint64_t kSettleCycles = 4096;

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320U : 0U);
    table[i] = value;
  }
  return table;
}

/** The first injection whose interrupt has not reached its marker. */
std::optional<Injection> first_unmarked(const RunState& state) {
  const std::vector<Injection>& injections = state.stimulus.injections();
  const std::vector<InterruptStamp>& stamps = state.stamps.interrupts();
  std::optional<Injection> first;
  for (std::size_t i = 0; i < injections.size(); ++i) {
    const bool marked = i < stamps.size() && stamps[i].tx;
    if (!marked && (!first || injections[i].cycle < first->cycle)) first = injections[i];
  }
  const auto look = [&first](const InterruptStamp& stamp) {
    if (!stamp.tx && (!first || stamp.t0 < first->cycle)) first = {stamp.line, stamp.t0, 0, stamp.hart};
  };
  for (const InterruptTable::Passing& one : state.stamps.table().passing()) look(one.stamp);
  for (const ArrivalResult& one : state.stamps.table().arrivals()) {
    if (one.unmarked) look(*one.unmarked);
  }
  return first;
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  crc = ~crc;
  for (const char byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xff];
  return ~crc;
}

Session::Session(Engine& engine)
    : engine_(engine),
      records_(kRecords),
      claims_(engine.harts()),
      harts_(engine.harts()),
      console_(kConsoleBytes),
      rises_(kRises * engine.info().num_signals),
      activities_(kActivities),
      hits_(kHits),
      posts_(kPosts) {}

void Session::load(const Programs& programs) {
  programs.load(engine_);
  own_programs_ = programs.own();
}

void Session::begin_cycle(RunState& state) {
  const Stimulus& stimulus = state.stimulus;
  for (const LineChange& change : state.stimulus.begin(state.cycle)) {
    engine_.set_line(change.hart, change.line, change.level);
    if (observer_ != nullptr) observer_->on_line(state.cycle, change.hart, change.line, change.level);
    state.quiet.since = state.cycle;
  }
  for (std::size_t i = 0; i < stimulus.injections().size(); ++i) {
    if (stimulus.injections()[i].cycle != state.cycle) continue;
    state.stamps.on_injection(i, stimulus.injections()[i]);
    state.spans.on_injection(i, stimulus.injections()[i]);
  }
  for (const Stimulus::Risen& one : stimulus.risen()) {
    state.stamps.on_injection(one.index, one.injection, one.stream);
    state.spans.on_injection(one.index, one.injection);
  }
}

tz_run_args Session::arguments(const RunState& state, std::uint64_t until) {
  tz_run_args args{};
  args.until_cycle = std::min(until, state.stimulus.next_change());
  // An engine without cycles gets no edges, so there are no handlers to follow.
  args.select = TZ_SELECT_MARKERS | TZ_SELECT_HANDLERS;
  const bool follows = edges_ || !engine_.can(TZ_CAP_TURNS);
  if (follows && engine_.can(TZ_CAP_CYCLES)) args.select |= TZ_SELECT_TRAPS;
  if (!state.spans.empty()) {
    const SpanPlan& plan = state.spans.plan();
    if (plan.needs_handlers()) args.select |= TZ_SELECT_TRAPS;
    if (plan.needs_all()) args.select = TZ_SELECT_ALL;
    args.num_watches = plan.watches().size();
    args.watches = args.num_watches != 0 ? plan.watches().data() : nullptr;
    args.hits = hits_.data();
    args.hits_capacity = hits_.size();
  }
  if (log_ != nullptr) {
    args.select |= TZ_SELECT_USER;
    args.num_watches = log_->watches().size();
    args.watches = args.num_watches != 0 ? log_->watches().data() : nullptr;
    args.hits = hits_.data();
    args.hits_capacity = hits_.size();
  }
  if (observer_ != nullptr) args.select = TZ_SELECT_ALL;
  args.records = records_.data();
  args.records_capacity = records_.size();
  args.claims = claims_.data();
  args.claims_capacity = claims_.size();
  args.console = console_.data();
  args.console_capacity = console_.size();
  args.rises = rises_.empty() ? nullptr : rises_.data();
  args.rises_capacity = rises_.size();
  const bool watched = observer_ != nullptr && observer_->watches_activity();
  args.activities = watched ? activities_.data() : nullptr;
  args.activities_capacity = activities_.size();
  args.posts = observer_ != nullptr && observer_->watches_posts() ? posts_.data() : nullptr;
  args.posts_capacity = posts_.size();
  args.harts = harts_.data();
  args.turn = turn_;
  return args;
}

/** Gives records and activities to the observer in order of cycles. Posts come first: the effects of a post may
 * precede the retirement of its instruction by any number of cycles. */
void Session::show(const tz_run_result& result) {
  for (std::size_t i = 0; i < result.num_posts; ++i) observer_->on_post(posts_[i]);
  std::size_t next = 0;
  for (std::size_t i = 0; i < result.num_records; ++i) {
    for (; next < result.num_activities && activities_[next].cycle < records_[i].cycle_retire; ++next) {
      observer_->on_activity(activities_[next]);
    }
    observer_->on_retire(records_[i]);
  }
  for (; next < result.num_activities; ++next) observer_->on_activity(activities_[next]);
}

/** The platform line whose interrupt has the number `id` in a hart; nothing if no line has it. */
std::optional<unsigned> Session::line_of(unsigned hart, unsigned id) const {
  const tz_hart_info& info = engine_.hart(hart);
  if (id < info.line_id_base || id - info.line_id_base >= info.num_lines) return std::nullopt;
  return id - info.line_id_base;
}

/** Takes records into the state, and each hit behind the record of its instruction. */
void Session::absorb_instructions(RunState& state, const tz_run_result& result) {
  const HandlerStack::HandOut hand_out = [&](unsigned hart, unsigned id, std::uint64_t cycle) -> HandlerStack::Source {
    const std::optional<unsigned> line = line_of(hart, id);
    state.spans.on_claim(hart, id, cycle);
    return {line ? state.stimulus.claim(hart, *line, cycle) : Stimulus::kNone, line};
  };
  const auto meet = [&](const tz_hit& hit) {
    if (log_ != nullptr) {
      log_->on_hit(hit);
    } else {
      state.spans.on_hit(hit);
    }
  };
  std::size_t next = 0;
  for (const tz_retire& record : records()) {
    for (; next < result.num_hits && hits_[next].retired < record.cycle_retire; ++next) meet(hits_[next]);
    if (log_ != nullptr) log_->on_retire(record);
    state.stamps.on_retire(record, hand_out);
    state.spans.on_retire(record, state.stamps.handlers(record.hart));
  }
  for (; next < result.num_hits; ++next) meet(hits_[next]);
}

/** Turns events into spans as soon as no earlier event can still be reported. */
void Session::settle(RunState& state) {
  if (state.spans.empty()) return;
  std::uint64_t known = state.cycle;
  for (const tz_hart_state& hart : harts_) {
    if (hart.asleep == 0) known = std::min(known, hart.pc_since);
  }
  state.spans.settle(known - std::min(known, kInFlight));
  show_spans(state);
  if (state.spans.late()) state.over_budget = true;
  if (state.spans.reached()) state.reached = true;
}

void Session::show_spans(RunState& state) {
  for (const SpanTracker::Ended& ended : state.spans.take_ended()) {
    if (observer_ == nullptr) continue;
    observer_->on_span(state.spans.plan().spans()[ended.span].name, ended.stretch.from, ended.stretch.to);
  }
}

/** The run is over: the remaining events become spans. A span without an end stays open. What was to end the run may
 * be among them: then that ended it, whatever came after. */
void Session::finish_spans(RunState& state) {
  state.spans.finish();
  show_spans(state);
  if (state.over_budget || state.stopped || !state.spans.reached()) return;
  state.reached = true;
  state.exited = false;
  state.asleep = false;
}

void Session::show_console(RunState& state, const tz_run_result& result) const {
  if (result.console_bytes == 0) return;
  const std::string_view bytes(reinterpret_cast<const char*>(console_.data()), result.console_bytes);
  state.console_crc = crc32(state.console_crc, bytes);
  if (console_sink_) console_sink_(bytes);
}

void Session::absorb(RunState& state, const tz_run_result& result) {
  last_ = result;
  state.cycle = result.cycle;
  state.retired = result.retired;
  absorb_instructions(state, result);
  if (observer_ != nullptr) show(result);
  for (std::size_t i = 0; i < result.num_rises; ++i) {
    state.stamps.on_rise(rises_[i]);
    state.spans.on_rise(rises_[i]);
  }
  for (const tz_claim& claim : claims()) {
    const std::optional<unsigned> line = line_of(claim.hart, claim.id);
    const std::size_t index = line ? state.stimulus.claim(claim.hart, *line, claim.cycle) : Stimulus::kNone;
    state.stamps.on_claim(claim, index, line);
    state.spans.on_claim(claim.hart, claim.id, claim.cycle);
    if (observer_ != nullptr) observer_->on_claim(claim);
    if (log_ != nullptr) log_->on_claim(claim);
  }
  show_console(state, result);
  absorb_harts(state);
  settle(state);
}

/** Takes over the state of each hart, and finds out whether the run is over. */
void Session::absorb_harts(RunState& state) {
  state.harts.resize(harts_.size());
  const auto end = [&state](unsigned hart) {
    state.exited = true;
    state.exit_hart = hart;
    state.exit_code = state.harts[hart].exit_code;
  };
  for (unsigned hart = 0; hart < harts_.size(); ++hart) {
    HartRun& run = state.harts[hart];
    run.now = harts_[hart];
    if (run.now.exited == 0 || run.exited) continue;
    run.exited = true;
    run.exit_code = run.now.exit_code;
    run.exit_cycle = state.cycle - 1;
    if (last_hart_) {
      if (hart == *last_hart_ && !state.exited) end(hart);
      continue;
    }
    const auto own = state.harts.begin() + own_programs_;
    const bool all = std::all_of(state.harts.begin(), own, [](const HartRun& one) { return one.exited; });
    if (!state.exited && (run.exit_code != 0 || all)) end(hart);
  }
}

std::uint64_t Session::restart(RunState& state) {
  for (; state.restarts < restarts_.size(); ++state.restarts) {
    const Restart& next = restarts_[state.restarts];
    if (next.cycle > state.cycle) return next.cycle;
    programs_->load_again(engine_, next.hart);
    engine_.reset_hart(next.hart);
    if (next.hart < state.harts.size()) state.harts[next.hart].exited = false;
    state.quiet.since = state.cycle;
  }
  return kNoChange;
}

void Session::execute(RunState& state, std::uint64_t until, bool whole) {
  while (!state.ended() && state.cycle < until) {
    if (stop_asked_ && stop_asked_()) {
      state.stopped = true;
      return;
    }
    receive(state);
    begin_cycle(state);
    const StampTracker::Deadline due = budget_ ? state.stamps.deadline(*budget_) : StampTracker::Deadline{};
    if (state.cycle >= due.cycle) {
      state.over_budget = true;
      state.late = due.edge;
      return;
    }
    const std::uint64_t next_restart = restart(state);
    const bool looks = !state.spans.empty() && state.spans.plan().until();
    const std::uint64_t most = state.cycle + (looks ? kUntilCycles : kSliceCycles);
    const std::uint64_t slice = std::min({until, due.cycle, next_restart, most});
    const tz_run_result result = engine_.run(arguments(state, slice));
    absorb(state, result);
    if (whole) judge_sleep(state, result);
  }
  if (whole && engine_.can(TZ_CAP_TURNS)) finish_console(state);
  if (whole) finish_spans(state);
  if (budget_ && state.exited) state.late = first_unmarked(state);
}

/** Shows the rest of the console output of an engine that keeps output until a line is complete. */
void Session::finish_console(RunState& state) {
  tz_run_args args = arguments(state, state.cycle);
  args.finish = 1;
  tz_run_result result{};
  do {
    result = engine_.run(args);
    show_console(state, result);
  } while (result.console_bytes == console_.size());
}

/**
 * Finds out whether the harts sleep for ever. They do if all of them sleep, nothing in the machine is on its way to
 * wake one, no line will change, and all this was also true kSettleCycles ago: an event that was under way then has
 * arrived by now and woken no hart, and harts that sleep start nothing new.
 */
void Session::judge_sleep(RunState& state, const tz_run_result& result) {
  if (result.asleep == 0 || result.retired != state.quiet.retired || state.stimulus.next_change() != kNoChange) {
    state.quiet = {result.cycle, result.retired};
    return;
  }
  if (state.restarts < restarts_.size()) return;
  if (state.exited || result.cycle - state.quiet.since < kSettleCycles) return;
  if (wakes_by_input(result.retired)) {
    state.quiet = {result.cycle, result.retired};
  } else {
    state.asleep = stop_asked_ == nullptr || !stop_asked_();
  }
}

bool Session::receive(const RunState& state) {
  const std::string bytes = input_ != nullptr ? input_->poll(state) : std::string();
  if (!bytes.empty()) engine_.console_input(bytes);
  return !bytes.empty();
}

/** Waits for bytes that may wake the harts. False if none come, or if earlier bytes woke no hart. */
bool Session::wakes_by_input(std::uint64_t retired) {
  if (input_ == nullptr || awaited_ == retired) return false;
  const std::string bytes = input_->await();
  if (bytes.empty()) return false;
  awaited_ = retired;
  engine_.console_input(bytes);
  return true;
}

tz_step_result Session::step(RunState& state, std::uint64_t until) {
  // After a reset the difference of the unsigned numbers is large too, so the input is looked at.
  if (input_ != nullptr && state.cycle - polled_ >= kSliceCycles) {
    polled_ = state.cycle;
    receive(state);
  }
  begin_cycle(state);
  const tz_step_result result = engine_.step(arguments(state, until));
  absorb(state, result.run);
  return result;
}

}  // namespace trapeze
