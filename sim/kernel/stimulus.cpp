// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stimulus.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernel/error.h"
#include "kernel/event.h"

namespace trapeze {
namespace {

struct Parts {
  unsigned hart = 0;
  unsigned line = 0;
  std::string_view when;
  std::uint64_t pulse_cycles = 0;
};

/** Splits `[HART:]LINE@WHEN[:SHAPE]`. `option` and `usage` are for messages. */
Parts split(std::string_view text, const std::string& option, const std::string& usage) {
  const auto fail = [&](const std::string& why) {
    throw Error(option + " '" + std::string(text) + "': " + why + "; use " + usage);
  };
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) fail("there is no '@'");
  std::string_view where = text.substr(0, at);
  Parts parts;
  if (const std::size_t split = where.find(':'); split != std::string_view::npos) {
    const auto hart = parse_number(where.substr(0, split));
    if (!hart || *hart > 4095) fail("'" + std::string(where.substr(0, split)) + "' is no hart number");
    parts.hart = static_cast<unsigned>(*hart);
    where.remove_prefix(split + 1);
  }
  const auto line = parse_number(where);
  if (!line || *line > 4095) fail("'" + std::string(where) + "' is no line number");
  parts.line = static_cast<unsigned>(*line);
  parts.when = text.substr(at + 1);
  const std::size_t colon = parts.when.find(':');
  if (colon == std::string_view::npos) return parts;
  const std::string_view shape = parts.when.substr(colon + 1);
  parts.when = parts.when.substr(0, colon);
  if (shape == "pulse") {
    parts.pulse_cycles = 1;
  } else if (shape.substr(0, 6) == "pulse=") {
    const auto cycles = parse_number(shape.substr(6));
    if (!cycles || *cycles == 0) fail("'" + std::string(shape) + "' needs a number of cycles above 0");
    parts.pulse_cycles = *cycles;
  } else if (shape != "level") {
    fail("'" + std::string(shape) + "' is no shape");
  }
  return parts;
}

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

Injection parse_injection(std::string_view text) {
  const std::string usage =
      "LINE@CYCLE, LINE@CYCLE:pulse, LINE@CYCLE:pulse=N or LINE@CYCLE:level, with HART: in front for a hart but 0";
  const Parts parts = split(text, "--irq", usage);
  const auto cycle = parse_number(parts.when);
  if (!cycle) {
    throw Error("--irq '" + std::string(text) + "': '" + std::string(parts.when) +
                "' is no cycle number (0 or more); use " + usage);
  }
  return {parts.line, *cycle, parts.pulse_cycles, parts.hart};
}

SweepRange parse_sweep(std::string_view text) {
  const std::string usage = "LINE@FROM..TO or HART:LINE@FROM..TO with cycles 0 <= FROM <= TO";
  const Parts parts = split(text, "--sweep", usage);
  const auto fail = [&](const std::string& why) {
    throw Error("--sweep '" + std::string(text) + "': " + why + "; use " + usage);
  };
  const std::size_t dots = parts.when.find("..");
  if (dots == std::string_view::npos) fail("there is no '..'");
  const auto from = parse_number(parts.when.substr(0, dots));
  const auto to = parse_number(parts.when.substr(dots + 2));
  if (!from) fail("'" + std::string(parts.when.substr(0, dots)) + "' is no cycle number (0 or more)");
  if (!to) fail("'" + std::string(parts.when.substr(dots + 2)) + "' is no cycle number (0 or more)");
  if (*to < *from) fail("the range is reversed");
  return {parts.line, *from, *to, parts.pulse_cycles, parts.hart};
}

Stimulus::Stimulus(std::vector<Injection> injections)
    : injections_(std::move(injections)), states_(injections_.size()) {}

std::size_t Stimulus::add(const Injection& injection) {
  injections_.push_back(injection);
  states_.emplace_back();
  next_change_ = std::min(next_change_, injection.cycle);
  return injections_.size() - 1;
}

std::vector<LineChange> Stimulus::begin(std::uint64_t cycle) {
  next_change_ = kNever;
  std::vector<std::uint64_t> high(high_.size());
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    const Injection& injection = injections_[i];
    State& state = states_[i];
    const bool ends = injection.pulse_cycles != 0 && injection.pulse_cycles < kNever - injection.cycle;
    const std::uint64_t end = ends ? injection.cycle + injection.pulse_cycles : kNever;
    if (state.phase == Phase::kWaiting && cycle >= injection.cycle) state.phase = Phase::kHigh;
    if (state.phase == Phase::kHigh && cycle >= end) state.phase = Phase::kDone;
    if (state.phase == Phase::kWaiting) next_change_ = std::min(next_change_, injection.cycle);
    if (state.phase == Phase::kHigh) {
      next_change_ = std::min(next_change_, end);
      if (high.size() <= injection.hart) high.resize(injection.hart + 1);
      high[injection.hart] |= std::uint64_t{1} << injection.line;
    }
  }
  std::vector<LineChange> changes;
  high_.resize(high.size());
  for (unsigned hart = 0; hart < high.size(); ++hart) {
    const std::uint64_t changed = high[hart] ^ high_[hart];
    for (unsigned line = 0; line < 64 && changed >> line != 0; ++line) {
      if (((changed >> line) & 1) != 0) changes.push_back({hart, line, ((high[hart] >> line) & 1) != 0});
    }
  }
  high_ = std::move(high);
  return changes;
}

std::size_t Stimulus::claim(unsigned hart, unsigned line, std::uint64_t cycle) {
  // The oldest injection that still holds the line is served; else the last pulse that may have caused the claim.
  std::size_t found = kNone;
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    const Injection& injection = injections_[i];
    const State& state = states_[i];
    if (injection.hart != hart || injection.line != line || state.claimed || injection.cycle > cycle) continue;
    if (found == kNone) {
      found = i;
      continue;
    }
    const bool high = state.phase == Phase::kHigh;
    const bool found_high = states_[found].phase == Phase::kHigh;
    const bool older = injection.cycle < injections_[found].cycle;
    if (high != found_high ? high : high == older) found = i;
  }
  if (found == kNone) return kNone;
  states_[found].claimed = true;
  if (injections_[found].pulse_cycles == 0) states_[found].phase = Phase::kDone;
  return found;
}

}  // namespace trapeze
