// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Rocket (ExampleRocketSystem, LitexFullConfig) with a memory of a fixed latency: runs one program to its end.
//
//   rocket --image FILE [--latency N] [--gap N] [--write-latency N] [--device-latency N] [--max-cycles N] [--trace
//   FILE]
//
// Exit code: 0 if the program ended, whatever it ended with; 2 for wrong words; 1 for anything else. The program's
// console goes to standard output, the run's figures to standard error: `KEY VALUE` each. A trace has a line for each
// instruction: the cycle in which it commits, and its address.

#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "Vrocket.h"
#include "Vrocket___024root.h"
#include "axi_port.h"
#include "targets.h"
#include "verilated.h"

namespace rocket {
namespace {

constexpr std::uint64_t kResetCycles = 100;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string image, trace;
  Times memory, devices;
  std::uint64_t max_cycles = 1'000'000'000;
};

std::uint64_t number(const std::string& name, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) {
    throw UsageError(name + ": '" + std::string(text) + "' is not a number from 1 on");
  }
  return value;
}

Options options(int argc, char** argv) {
  Options found;
  std::map<std::string, std::function<void(const std::string&, const std::string&)>> known;
  const auto text = [](std::string& to) { return [&to](const auto&, const auto& value) { to = value; }; };
  const auto cycles = [](std::uint64_t& to) {
    return [&to](const auto& name, const auto& value) { to = number(name, value); };
  };
  known["--image"] = text(found.image);
  known["--trace"] = text(found.trace);
  known["--latency"] = cycles(found.memory.first);
  known["--gap"] = cycles(found.memory.beat);
  known["--write-latency"] = cycles(found.memory.write);
  known["--device-latency"] = [&found](const auto& name, const auto& value) {
    found.devices.first = found.devices.write = number(name, value);
  };
  known["--max-cycles"] = cycles(found.max_cycles);
  for (int at = 1; at < argc; at += 2) {
    const std::string name = argv[at];
    const auto set = known.find(name);
    if (set == known.end()) throw UsageError("unknown option '" + name + "'");
    if (at + 1 == argc) throw UsageError(name + ": a value is missing");
    set->second(name, argv[at + 1]);
  }
  if (found.image.empty()) throw UsageError("--image is missing");
  return found;
}

/** A file of lines that is there in full, or not at all. */
class Trace {
 public:
  explicit Trace(const std::string& path) : path_(path) {
    if (path.empty()) return;
    file_.reset(std::fopen(path.c_str(), "w"));
    if (!file_) throw std::runtime_error("--trace: cannot write '" + path + "'");
  }

  void commit(std::uint64_t cycle, std::uint64_t pc) {
    if (file_) {
      std::fprintf(file_.get(), "%llu %llx\n", static_cast<unsigned long long>(cycle),
                   static_cast<unsigned long long>(pc));
    }
  }

  void close() {
    if (file_ && std::fclose(file_.release()) != 0) throw std::runtime_error("--trace: cannot write '" + path_ + "'");
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// The model's two ports have the same signals under other names.
#define ROCKET_ANSWER(top, port, from)            \
  do {                                            \
    (top).port##_aw_ready = 1;                    \
    (top).port##_ar_ready = 1;                    \
    (top).port##_w_ready = (from).data_ready;     \
    (top).port##_r_valid = (from).read_valid;     \
    (top).port##_r_bits_data = (from).read_data;  \
    (top).port##_r_bits_id = (from).read_id;      \
    (top).port##_r_bits_last = (from).read_last;  \
    (top).port##_r_bits_resp = 0;                 \
    (top).port##_b_valid = (from).response_valid; \
    (top).port##_b_bits_id = (from).response_id;  \
    (top).port##_b_bits_resp = 0;                 \
  } while (false)

#define ROCKET_REQUESTS(top, port)                                                              \
  Requests {                                                                                    \
    {(top).port##_ar_valid != 0,    (top).port##_ar_bits_addr, (top).port##_ar_bits_id,         \
     (top).port##_ar_bits_len + 1U, (top).port##_ar_bits_size, (top).port##_ar_bits_burst},     \
        {(top).port##_aw_valid != 0,    (top).port##_aw_bits_addr, (top).port##_aw_bits_id,     \
         (top).port##_aw_bits_len + 1U, (top).port##_aw_bits_size, (top).port##_aw_bits_burst}, \
        (top).port##_w_valid != 0, (top).port##_w_bits_last != 0, (top).port##_r_ready != 0,    \
        (top).port##_b_ready != 0, (top).port##_w_bits_data, (top).port##_w_bits_strb           \
  }

/** The RTL with its clock. All inputs that nothing drives are zero: Verilator's start values. */
class Core {
 public:
  Core() : top_(std::make_unique<Vrocket>(&context_)) {}
  ~Core() { top_->final(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void reset(bool on) {
    top_->reset = on;
    top_->debug_reset = on;
    top_->debug_clockeddmi_dmiReset = on;
    top_->resetctrl_hartIsInReset_0 = on;
  }

  /** The first half of a cycle: what the ports drive, and what the core makes of it before the clock's edge. */
  void settle(const Answers& memory, const Answers& devices) {
    ROCKET_ANSWER(*top_, mem_axi4_0, memory);
    ROCKET_ANSWER(*top_, mmio_axi4_0, devices);
    clock(false);
  }
  Requests memory() const { return ROCKET_REQUESTS(*top_, mem_axi4_0); }
  Requests devices() const { return ROCKET_REQUESTS(*top_, mmio_axi4_0); }

  void clock(bool level) {
    top_->clock = level;
    // Also the debug module's: without clocks in reset its registers keep their start values.
    top_->debug_clock = level;
    top_->debug_clockeddmi_dmiClock = level;
    top_->eval();
  }

#define ROCKET_INSIDE(signal) \
  (top_->rootp->ExampleRocketSystem__DOT__tile_prci_domain__DOT__tile_reset_domain_tile__DOT__core__DOT__##signal)
  bool commits() const {
    return ROCKET_INSIDE(coreMonitorBundle_valid) != 0;
  }
  std::uint64_t pc() const {
    return ROCKET_INSIDE(coreMonitorBundle_pc);
  }
  bool mispredicts() const {
    return ROCKET_INSIDE(take_pc_mem) != 0;
  }
  bool replays() const {
    return ROCKET_INSIDE(take_pc_wb) != 0;
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Vrocket> top_;
};

int run(const Options& asked) {
  Memory memory(asked.image);
  Devices devices(memory);
  Trace trace(asked.trace);
  AxiPort memory_port(memory, asked.memory);
  AxiPort device_port(devices, asked.devices);
  Core core;
  std::uint64_t instructions = 0, mispredictions = 0, replays = 0, cycle = 0;
  for (; !devices.code() && cycle < asked.max_cycles; ++cycle) {
    const bool resetting = cycle < kResetCycles;
    core.reset(resetting);
    core.settle(memory_port.answers(cycle), device_port.answers(cycle));
    if (!resetting) {
      if (core.commits()) {
        ++instructions;
        trace.commit(cycle, core.pc());
      }
      mispredictions += core.mispredicts();
      replays += core.replays();
      memory_port.step(cycle, core.memory());
      device_port.step(cycle, core.devices());
    }
    core.clock(true);
  }
  trace.close();
  if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write the console's text");
  if (!devices.code()) {
    throw std::runtime_error("--max-cycles: the program has not ended after " + std::to_string(cycle) + " cycles");
  }
  const std::pair<const char*, std::uint64_t> figures[] = {{"code", static_cast<std::uint64_t>(*devices.code())},
                                                           {"cycles", cycle},
                                                           {"instructions", instructions},
                                                           {"mispredictions", mispredictions},
                                                           {"replays", replays},
                                                           {"memory-reads", memory_port.reads},
                                                           {"memory-writes", memory_port.writes}};
  for (const auto& [key, value] : figures)
    std::fprintf(stderr, "%s %llu\n", key, static_cast<unsigned long long>(value));
  return 0;
}

}  // namespace
}  // namespace rocket

int main(int argc, char** argv) {
  try {
    return rocket::run(rocket::options(argc, argv));
  } catch (const rocket::UsageError& error) {
    std::fprintf(stderr, "rocket: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rocket: %s\n", error.what());
    return 1;
  }
}
