// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/timing_reader.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string_view>

namespace trapeze::model {
namespace {

constexpr unsigned kLongestLatency = 127;  ///< that the scoreboard can count (sim/timing)
constexpr unsigned kLongestCost = 100'000;

/** Members of an object: each is read once, and then there must be no other. */
class Members {
 public:
  explicit Members(const Field& field) : field_(field) {}
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  Field get(const char* key) {
    names_.emplace_back(key);
    return field_[key];
  }
  unsigned number(const char* key, unsigned least, unsigned most) {
    const Field one = get(key);
    const auto value = one.as<std::uint64_t>();
    if (value < least || value > most) {
      one.fail("is not from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<unsigned>(value);
  }
  unsigned latency(const char* key, unsigned least = 1) { return number(key, least, kLongestLatency); }
  unsigned cost(const char* key) { return number(key, 0, kLongestCost); }
  unsigned power(const char* key, unsigned most) {
    const unsigned value = number(key, 1, most);
    if (!std::has_single_bit(value)) field_[key].fail("is no power of two");
    return value;
  }
  void end() const {
    field_.each_name([&](const std::string& name) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) field_.fail("has an unknown '" + name + "'");
    });
  }

 private:
  const Field& field_;
  std::vector<std::string_view> names_;
};

/** The members that all caches have. */
TimingPlan::Cache lines_of(Members& in, const Field& field) {
  constexpr unsigned kMostBytes = 1U << 30, kMostWays = 64, kPage = 4096;
  TimingPlan::Cache cache;
  cache.size = in.power("size", kMostBytes);
  cache.ways = in.power("ways", kMostWays);
  cache.line = in.power("line", kPage);
  if (cache.line < 8) field["line"].fail("is less than 8");
  if (std::uint64_t{cache.ways} * cache.line > cache.size) field["size"].fail("is less than a line for each way");
  const auto replacement = in.get("replacement").as<std::string>();
  if (replacement != "lru" && replacement != "random") field["replacement"].fail("is neither 'lru' nor 'random'");
  cache.lru = replacement == "lru";
  return cache;
}

TimingPlan::Cache cache_of(const Field& field, bool data) {
  Members in(field);
  TimingPlan::Cache cache = lines_of(in, field);
  cache.miss = in.cost("miss");
  if (data) cache.dirty_miss = in.cost("dirty_miss");
  if (data && cache.dirty_miss < cache.miss) field["dirty_miss"].fail("is less than 'miss'");
  in.end();
  return cache;
}

TimingPlan::SecondLevel level2_of(const Field& field, const TimingPlan& plan) {
  Members in(field);
  const TimingPlan::SecondLevel level2{lines_of(in, field), in.cost("latency"), in.cost("write_back")};
  if (level2.lines.line < std::max(plan.instructions.line, plan.data.line)) {
    field["line"].fail("is less than that of the first level");
  }
  in.end();
  return level2;
}

TimingPlan::Kinds kinds_of(const Field& field) {
  TimingPlan::Kinds kinds;
  field.each([&kinds](const Field& one) {
    const auto name = one.as<std::string>();
    bool* const kind = name == "integer"    ? &kinds.integer
                       : name == "multiply" ? &kinds.multiply
                       : name == "memory"   ? &kinds.memory
                       : name == "floating" ? &kinds.floating
                       : name == "branch"   ? &kinds.branch
                                            : nullptr;
    if (kind == nullptr) one.fail("is no kind of instruction");
    *kind = true;
  });
  return kinds;
}

TimingPlan::Pipelines pipelines_of(const Field& field) {
  Members in(field);
  const TimingPlan::Pipelines both{kinds_of(in.get("first")), kinds_of(in.get("second"))};
  const auto& [first, second] = both;
  if (!(first.integer || second.integer) || !(first.multiply || second.multiply) || !(first.memory || second.memory) ||
      !(first.floating || second.floating) || !(first.branch || second.branch)) {
    field.fail("has a kind of instruction that neither takes");
  }
  in.end();
  return both;
}

TimingPlan::Load load_of(const Field& field) {
  Members in(field);
  const TimingPlan::Load load{in.latency("word"), in.latency("part"), in.latency("floating"),
                              in.latency("behind_store", 0)};
  in.end();
  return load;
}

TimingPlan::Multiply multiply_of(const Field& field) {
  Members in(field);
  TimingPlan::Multiply multiply;
  multiply.latency = in.latency("latency");
  multiply.bits = in.number("bits", 0, 64);
  multiply.most = in.number("most", multiply.latency, kLongestLatency);
  multiply.most_word = in.number("most_word", multiply.latency, kLongestLatency);
  in.end();
  return multiply;
}

TimingPlan::Divide divide_of(const Field& field) {
  Members in(field);
  TimingPlan::Divide divide;
  divide.latency = in.latency("latency");
  divide.negative = in.latency("negative", 0);
  divide.by_zero = in.number("by_zero", divide.latency, kLongestLatency);
  in.end();
  return divide;
}

TimingPlan::Precision precision_of(const Field& field) {
  Members in(field);
  const TimingPlan::Precision latency{in.latency("single"), in.latency("double")};
  in.end();
  return latency;
}

TimingPlan::Floating floating_of(const Field& field) {
  Members in(field);
  const TimingPlan::Floating floating{precision_of(in.get("arithmetic")), precision_of(in.get("divide")),
                                      in.latency("move"), in.latency("integer")};
  in.end();
  return floating;
}

TimingPlan::Branches branches_of(const Field& field) {
  constexpr unsigned kMostEntries = 1U << 20;
  Members in(field);
  TimingPlan::Branches branches;
  branches.misprediction = in.cost("misprediction");
  branches.taken = in.cost("taken");
  branches.counters = in.power("counters", kMostEntries);
  branches.bits = in.number("bits", 1, 2);
  branches.history = in.number("history", 0, 16);
  const auto least = static_cast<unsigned>(std::countr_zero(branches.counters));
  branches.history_bits = in.number("history_bits", 0, std::min(branches.history, least));
  branches.targets = in.number("targets", 1, 64);
  branches.returns = in.number("returns", 1, kMostEntries);
  in.end();
  return branches;
}

TimingPlan::Fetch fetch_of(const Field& field) {
  Members in(field);
  const TimingPlan::Fetch fetch{in.power("packet", 64), in.number("queue", 1, 64)};
  in.end();
  return fetch;
}

TimingPlan::Translation translation_of(const Field& field) {
  constexpr unsigned kMost = 64;
  Members in(field);
  TimingPlan::Translation translation;
  translation.entries = in.number("entries", 1, kMost);
  translation.pages = in.power("pages", kMost);
  translation.large = in.number("large", 1, kMost);
  translation.tables = in.number("tables", 1, kMost);
  translation.walk_data = in.cost("walk_data");
  translation.walk_code = in.cost("walk_code");
  translation.step = in.cost("step");
  translation.known_step = in.cost("known_step");
  translation.asid_bits = in.number("asid_bits", 0, 16);
  in.end();
  return translation;
}

TimingPlan::System system_of(const Field& field) {
  Members in(field);
  TimingPlan::System system;
  system.csr = in.latency("csr");
  system.flush = in.latency("flush", 0);
  system.trap = in.cost("trap");
  system.fence = in.latency("fence", 0);
  system.fence_i = in.latency("fence_i", 0);
  system.atomic = in.latency("atomic");
  system.device_load = in.number("device_load", 1, kLongestCost);
  system.device_store = in.number("device_store", 1, kLongestCost);
  system.block = in.cost("block");
  in.end();
  return system;
}

}  // namespace

std::variant<ExactTiming, TimingPlan> timing_of(const Field& field) {
  Members in(field);
  const auto kind = in.get("kind").as<std::string>();
  if (kind == "exact") {
    in.end();
    return ExactTiming{};
  }
  if (kind != "modelled") field["kind"].fail("is neither 'exact' nor 'modelled'");
  in.get("name").as<std::string>();
  TimingPlan plan;
  plan.memory_latency = in.cost("memory_latency");
  plan.results_wait = in.get("results_wait").as<bool>();
  if (in.number("issue", 1, 2) == 2) plan.pipelines = pipelines_of(in.get("pipelines"));
  plan.instructions = cache_of(in.get("instructions"), false);
  plan.data = cache_of(in.get("data"), true);
  if (field.find("level2")) plan.level2 = level2_of(in.get("level2"), plan);
  plan.load = load_of(in.get("load"));
  plan.multiply = multiply_of(in.get("multiply"));
  plan.divide = divide_of(in.get("divide"));
  plan.floating = floating_of(in.get("floating"));
  plan.fetch = fetch_of(in.get("fetch"));
  plan.branches = branches_of(in.get("branches"));
  plan.translation = translation_of(in.get("translation"));
  plan.system = system_of(in.get("system"));
  in.end();
  return plan;
}

}  // namespace trapeze::model
