// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/arrivals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/error.h"
#include "kernel/event.h"
#include "kernel/input_file.h"

namespace trapeze {
namespace {

constexpr const char* kUsage =
    "[HART:]LINE: with every=N, uniform=A..B, exp=MEAN or file=PATH behind it, and n=COUNT, from=CYCLE, seed=N, "
    "burst=COUNTxGAP, pulse=N with commas between them";

/** Largest number of a line or of a hart in the option. */
constexpr std::uint64_t kMostLines = 4095;

/** Largest cycle that an option may name. It is far below 2^64, so that sums of cycles do not overflow. */
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 62;

class Parser {
 public:
  explicit Parser(std::string_view text) { spec_.text = text; }

  ArrivalSpec parse() {
    std::string_view rest = spec_.text;
    spec_.line = static_cast<unsigned>(place(rest));
    // Two numbers may stand in front of the keys, HART:LINE. If there is a second number, the first one was the hart.
    const std::size_t colon = rest.find(':');
    if (colon != std::string_view::npos && parse_number(rest.substr(0, colon))) {
      spec_.hart = std::exchange(spec_.line, static_cast<unsigned>(place(rest)));
    }
    while (true) {
      const std::size_t comma = rest.find(',');
      assign(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    check();
    return std::move(spec_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error("--stimulus '" + spec_.text + "': " + why + "; use " + kUsage);
  }

  std::uint64_t place(std::string_view& rest) const {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) fail("there is no ':' behind the line");
    const auto number = parse_number(rest.substr(0, colon));
    if (!number || *number > kMostLines) fail("'" + std::string(rest.substr(0, colon)) + "' is no line number");
    rest.remove_prefix(colon + 1);
    return *number;
  }

  std::uint64_t number(std::string_view key, std::string_view value, std::uint64_t least) const {
    const auto found = parse_number(value);
    if (!found || *found < least || *found > kMostCycles) {
      fail(std::string(key) + "=" + std::string(value) + " is no number of at least " + std::to_string(least));
    }
    return *found;
  }

  void gaps(Gaps kind) {
    if (has_gaps_) fail("there are two of every=, uniform=, exp= and file=");
    has_gaps_ = true;
    spec_.gaps = kind;
  }

  void assign(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) fail("'" + std::string(word) + "' is no KEY=VALUE");
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) fail("there are two " + std::string(key) + "=");
    seen_.push_back(key);
    if (key == "every" || key == "exp") {
      gaps(key == "every" ? Gaps::kEvery : Gaps::kExponential);
      spec_.least = spec_.most = number(key, value, 1);
    } else if (key == "uniform") {
      gaps(Gaps::kUniform);
      const std::size_t dots = value.find("..");
      if (dots == std::string_view::npos) fail("uniform=" + std::string(value) + " is not A..B");
      spec_.least = number(key, value.substr(0, dots), 1);
      spec_.most = number(key, value.substr(dots + 2), 1);
      if (spec_.most < spec_.least) fail("uniform=" + std::string(value) + " is reversed");
    } else if (key == "file") {
      gaps(Gaps::kFile);
      read(std::string(value));
    } else if (key == "burst") {
      const std::size_t times = value.find('x');
      if (times == std::string_view::npos) fail("burst=" + std::string(value) + " is not COUNTxGAP");
      spec_.burst = number(key, value.substr(0, times), 1);
      spec_.burst_gap = number(key, value.substr(times + 1), 1);
    } else if (key == "from") {
      spec_.from = number(key, value, 0);
      has_from_ = true;
    } else if (key == "n") {
      spec_.n = number(key, value, 1);
    } else if (key == "seed") {
      spec_.seed = number(key, value, 0);
    } else if (key == "pulse") {
      spec_.pulse_cycles = number(key, value, 1);
    } else {
      fail("there is no key '" + std::string(key) + "'");
    }
  }

  /** Reads a file of arrivals: one cycle in each line, ascending; a comment begins with #. */
  void read(const std::string& path) {
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
    spec_.cycles = std::move(cycles);
  }

  void check() {
    if (!has_gaps_) fail("it does not say how far edges are apart");
    const bool file = spec_.gaps == Gaps::kFile;
    if (file && (has_from_ || spec_.burst != 1)) fail("a file says every cycle; leave out from= and burst=");
    if (spec_.burst > kMostCycles / std::max<std::uint64_t>(spec_.burst_gap, 1)) fail("the burst is too long");
    if (spec_.gaps == Gaps::kEvery && (spec_.burst - 1) * spec_.burst_gap >= spec_.least) {
      fail("a burst takes " + std::to_string((spec_.burst - 1) * spec_.burst_gap) +
           " cycles, and the next one begins " + std::to_string(spec_.least) + " behind it");
    }
    if (spec_.gaps == Gaps::kEvery && !has_from_) spec_.from = spec_.least;
  }

  ArrivalSpec spec_;
  std::vector<std::string_view> seen_;
  bool has_gaps_ = false;
  bool has_from_ = false;
};

}  // namespace

ArrivalSpec parse_arrivals(std::string_view text) {
  return Parser(text).parse();
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
