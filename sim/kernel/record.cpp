// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/record.h"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace trapeze {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json optional(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* name(Fate fate) {
  switch (fate) {
    case Fate::kNotTaken:
      return "not-taken";
    case Fate::kTaken:
      return "not-begun";
    case Fate::kRunning:
      return "running";
    case Fate::kMarked:
      return "marked";
    case Fate::kReturned:
      return "returned";
    case Fate::kNotAttributed:
      break;
  }
  return "not-attributed";
}

/** Returns the stamps of one interrupt, in the form that runs and sweeps share. */
Json stamps(const InterruptStamp& stamp) {
  return {{"t0", stamp.t0},
          {"fate", name(stamp.fate)},
          {"taken_count", stamp.taken_count},
          {"taken", optional(stamp.taken)},
          {"id", optional(stamp.id)},
          {"level", optional(stamp.level)},
          {"epc", optional(stamp.epc)},
          {"tf", optional(stamp.tf)},
          {"tx", optional(stamp.tx)},
          {"tr", optional(stamp.tr)}};
}

/** Returns the cycles in which each signal rose, or only their number; null if the engine has no signals. */
template <typename What>
Json signals(const RunRecord& record, What what) {
  if (record.signals.empty()) return nullptr;
  const std::vector<SignalRises>& all = record.state.stamps.signals();
  Json rows = Json::object();
  for (std::size_t i = 0; i < record.signals.size(); ++i) {
    rows[record.signals[i]] = i < all.size() ? all[i].*what : std::decay_t<decltype(all[i].*what)>{};
  }
  return rows;
}

/** Returns the interrupt that exceeded the budget; null if none did. */
Json late(const RunState& state) {
  if (!state.late) return nullptr;
  return {{"hart", state.late->hart}, {"line", state.late->line}, {"t0", state.late->cycle}};
}

/** Returns the first span that exceeded its budget, with a null where it did not end; null if none did. */
Json late_span(const RunState& state) {
  if (state.spans.empty() || !state.spans.late()) return nullptr;
  return {{"from", *state.spans.late_since()}, {"to", optional(state.spans.late_until())}};
}

Json histogram(const std::map<std::uint64_t, std::uint64_t>& counts) {
  Json pairs = Json::array();
  for (const auto& [cycles, count] : counts) pairs.push_back({cycles, count});
  return pairs;
}

/** Returns the spans of a run, or of all runs of a sweep. */
Json spans(const RunRecord& record) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < record.spans.size(); ++i) {
    const SpanResult& span = record.spans[i];
    Json worst = nullptr;
    if (span.worst)
      worst = {{"from", span.worst->from}, {"to", span.worst->to}, {"swept", optional(span.worst->swept)}};
    rows.push_back({{"name", record.state.spans.plan().spans()[i].name},
                    {"open", span.open},
                    {"missed", span.missed},
                    {"unwoken", span.unwoken},
                    {"histogram", histogram(span.histogram)},
                    {"first", optional(span.first)},
                    {"worst", std::move(worst)}});
  }
  return rows;
}

/** Writes the sums over the arrivals of each stimulus. */
Json stimuli(const RunState& state) {
  Json rows = Json::array();
  const std::vector<ArrivalResult>& results = state.stamps.table().arrivals();
  for (std::size_t i = 0; i < state.stimulus.streams().size(); ++i) {
    const Stimulus::Stream& stream = state.stimulus.streams()[i];
    const ArrivalSpec& spec = stream.arrivals.spec();
    const ArrivalResult result = i < results.size() ? results[i] : ArrivalResult{};
    Json fates = Json::object();
    for (std::size_t fate = 0; fate < kFates; ++fate) fates[name(static_cast<Fate>(fate))] = result.fates.at(fate);
    rows.push_back({{"spec", spec.text},
                    {"hart", spec.hart},
                    {"line", spec.line},
                    {"raised", result.raised},
                    {"merged", stream.merged},
                    {"left", optional(stream.arrivals.left())},
                    {"fates", std::move(fates)},
                    {"taken", histogram(result.taken.counts())},
                    {"tf", histogram(result.tf.counts())},
                    {"tx", histogram(result.tx.counts())},
                    {"tr", histogram(result.tr.counts())},
                    {"worst", result.worst ? stamps(*result.worst) : Json(nullptr)},
                    {"best", result.best ? stamps(*result.best) : Json(nullptr)},
                    {"unmarked", result.unmarked ? stamps(*result.unmarked) : Json(nullptr)}});
  }
  return rows;
}

/** Writes the numbers of markers and claims of a RunState or a SweepRun. */
template <typename Run>
const char* reason(const Run& run) {
  if (run.reached) return "until";
  return run.exited ? "exit" : run.over_budget ? "budget" : run.asleep ? "asleep" : "max-cycles";
}

Json sweep(const SweepRecord& record) {
  Json runs = Json::array();
  for (const SweepRun& run : record.runs) {
    Json row = stamps(run.stamp);
    row["exit"] = run.exited ? Json(run.exit_code) : Json(nullptr);
    row["reason"] = reason(run);
    row["cycles"] = run.cycles;
    row["console_crc"] = run.console_crc;
    row["handler_markers"] = run.handler_markers;
    Json others = Json::array();
    for (const InterruptStamp& other : run.others) {
      others.push_back({{"hart", other.hart}, {"line", other.line}});
      others.back().update(stamps(other));
    }
    if (!others.empty()) row["others"] = std::move(others);
    runs.push_back(std::move(row));
  }
  return {{"hart", record.range.hart},
          {"line", record.range.line},
          {"from", record.range.from},
          {"to", record.range.to},
          {"runs", std::move(runs)}};
}

/** A time of tz_hart_state::first. */
Json first_time(std::uint64_t time) {
  return time == 0 ? Json(nullptr) : Json(time);
}

/** Returns where the cycles of a hart went, by privilege; null if that is not known. */
Json statistics(const std::vector<tz_cause>& causes) {
  if (causes.empty()) return nullptr;
  const auto by_mode = [](const std::uint64_t(&counts)[TZ_MODES]) -> Json {
    return {{"machine", counts[3]}, {"supervisor", counts[1]}, {"user", counts[0]}};
  };
  Json rows = Json::array();
  for (const tz_cause& one : causes) {
    rows.push_back({{"cause", one.name}, {"times", by_mode(one.times)}, {"cycles", by_mode(one.cycles)}});
  }
  return rows;
}

/** Returns each hart: its program, its retired instructions, and how it ended. */
Json harts(const RunRecord& record) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < record.harts.size(); ++i) {
    const HartRun run = i < record.state.harts.size() ? record.state.harts[i] : HartRun{};
    Json exit = nullptr;
    if (run.exited) exit = {{"code", run.exit_code}, {"cycle", run.exit_cycle}};
    rows.push_back({{"hart", i},
                    {"hart_id", record.harts[i].hart_id},
                    {"elf", record.harts[i].elf.empty() ? Json(nullptr) : Json(record.harts[i].elf)},
                    {"instructions", run.now.retired},
                    {"supervisor", first_time(run.now.first[1])},
                    {"user", first_time(run.now.first[0])},
                    {"statistics", statistics(record.harts[i].causes)},
                    {"exit", std::move(exit)}});
  }
  return rows;
}

}  // namespace

std::string to_json(const RunRecord& record) {
  const RunState& state = record.state;
  Json markers = Json::array();
  for (const MarkerStamp& m : state.stamps.markers()) {
    markers.push_back(
        {{"hart", m.hart}, {"n", m.n}, {"pc", m.pc}, {"tf", m.fetch}, {"tx", m.execute}, {"tr", m.retire}});
  }
  Json interrupts = Json::array();
  const auto add = [&interrupts](const InterruptStamp& stamp) {
    if (!stamp.raised) return;  // the run ended before the injection's cycle
    Json row = {{"hart", stamp.hart}, {"line", stamp.line}};
    row.update(stamps(stamp));
    interrupts.push_back(std::move(row));
  };
  for (const InterruptStamp& stamp : state.stamps.interrupts()) add(stamp);
  for (const InterruptStamp& stamp : state.stamps.table().kept()) add(stamp);
  Json other_claims = Json::array();
  for (const tz_claim& claim : state.stamps.other_claims()) {
    other_claims.push_back({{"hart", claim.hart}, {"id", claim.id}, {"taken", claim.cycle}, {"epc", claim.epc}});
  }
  const Json json = {
      {"schema", "trapeze.run/1"},
      {"config", record.config},
      {"engine", record.engine},
      {"elf", record.elf},
      {"exit",
       {{"reason", state.stopped ? "signal" : reason(state)},
        {"code", state.exited ? Json(state.exit_code) : Json(nullptr)}}},
      {"harts", harts(record)},
      {"cycles", state.cycle},
      {"instructions", state.retired},
      {"console_crc", state.console_crc},
      {"claims", state.stamps.claim_count()},
      {"marker_count", state.stamps.marker_count()},
      {"markers", std::move(markers)},
      {"interrupts", std::move(interrupts)},
      {"other_claims", std::move(other_claims)},
      {"stimuli", stimuli(state)},
      {"late", late(state)},
      {"late_span", late_span(state)},
      {"spans", spans(record)},
      {"signals", signals(record, &SignalRises::cycles)},
      {"signal_counts", signals(record, &SignalRises::count)},
      {"sweep", record.sweep ? sweep(*record.sweep) : Json(nullptr)},
  };
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace trapeze
