// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/arrivals.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "kernel/error.h"
#include "kernel/input_file.h"
#include "kernel/number.h"

namespace trapeze {
namespace {

/** Largest cycle that a file may name. It is far below 2^64, so that sums of cycles do not overflow. */
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 62;

}  // namespace

std::shared_ptr<const std::vector<std::uint64_t>> read_cycles(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_input(path, "--stimulus file");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto cycles = std::make_shared<std::vector<std::uint64_t>>();
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty()) continue;
    const auto cycle = parse_number(line);
    const std::string where = path + ":" + std::to_string(number) + ": ";
    if (!cycle || *cycle > kMostCycles) {
      throw Error(where + "'" + std::string(line) + "' is no cycle; give one number in each line");
    }
    if (!cycles->empty() && *cycle <= cycles->back()) {
      throw Error(where + "cycle " + std::to_string(*cycle) + " is not behind the one before; sort them, each once");
    }
    cycles->push_back(*cycle);
  }
  if (cycles->empty()) throw Error(path + ": no cycle in it; give one number in each line");
  return cycles;
}

Arrivals::Arrivals(std::shared_ptr<const ArrivalSpec> spec) : spec_(std::move(spec)), state_(spec_->seed) {
  const bool at_once = spec_->gaps == Gaps::kEvery;
  arrival_ = spec_->gaps == Gaps::kFile ? 0 : spec_->from + (at_once ? 0 : gap());
  find();
}

/** The random generator SplitMix64 (Steele, Lea, Flood 2014). Every seed gives a good sequence, zero too. */
std::uint64_t Arrivals::random() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t value = state_;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

std::uint64_t Arrivals::gap() {
  if (spec_->gaps == Gaps::kEvery) return spec_->least;
  const double unit = static_cast<double>(random() >> 11) * 0x1p-53;  // 0 <= unit < 1
  if (spec_->gaps == Gaps::kUniform) {
    return spec_->least + static_cast<std::uint64_t>(unit * static_cast<double>(spec_->most - spec_->least + 1));
  }
  const double cycles = -std::log1p(-unit) * static_cast<double>(spec_->least);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(cycles + 0.5));
}

/** Computes the cycle of the next edge from the start of the burst (arrival_), the edge's number in the burst
 * (in_burst_) and the number of edges before it (passed_). */
void Arrivals::find() {
  const bool file = spec_->gaps == Gaps::kFile;
  if ((spec_->n && passed_ >= *spec_->n) || (file && passed_ >= spec_->cycles->size())) {
    next_ = kNever;
    return;
  }
  next_ = file ? (*spec_->cycles)[passed_] : arrival_ + in_burst_ * spec_->burst_gap;
}

void Arrivals::pop() {
  ++passed_;
  if (spec_->gaps != Gaps::kFile && ++in_burst_ == spec_->burst) {
    // A period counts from the start of one burst to the start of the next. A random gap counts from the last edge of
    // one burst to the first edge of the next.
    const std::uint64_t begin = spec_->gaps == Gaps::kEvery ? arrival_ : next_;
    arrival_ = begin + gap();
    in_burst_ = 0;
  }
  find();
}

std::optional<std::uint64_t> Arrivals::left() const {
  if (spec_->gaps == Gaps::kFile) {
    const std::uint64_t all = spec_->cycles->size();
    return (spec_->n ? std::min(*spec_->n, all) : all) - passed_;
  }
  if (!spec_->n) return std::nullopt;
  return *spec_->n - passed_;
}

}  // namespace trapeze
