// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Engines whose state is compared at the boundaries of their interface for debuggers (kernel/debug.h).
 */
#ifndef TRAPEZE_SIM_TEST_BOUNDARY_H
#define TRAPEZE_SIM_TEST_BOUNDARY_H

#include <random>

#include "elf_builder.h"
#include "kernel/debug.h"
#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"
#include "program.h"

namespace trapeze::test {

constexpr unsigned kMstatus = 0x300, kMie = 0x304, kMtvec = 0x305, kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342;
constexpr unsigned kMtval = 0x343, kMinstret = 0xb02;
constexpr std::uint32_t kData = 0x80100000;
constexpr std::size_t kWindow = 64;

constexpr std::uint32_t csrrw(unsigned rd, unsigned csr, unsigned rs1) {
  return 0x1073U | (rd << 7) | (rs1 << 15) | (csr << 20);
}
constexpr std::uint32_t csrr(unsigned rd, unsigned csr) {
  return 0x2073U | (rd << 7) | (csr << 20);
}
constexpr std::uint32_t csrsi(unsigned csr, unsigned bits) {
  return 0x6073U | (bits << 15) | (csr << 20);
}
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x33U | (rd << 7) | (rs1 << 15) | (rs2 << 20);
}
constexpr std::uint32_t divide(unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x02004033U | (rd << 7) | (rs1 << 15) | (rs2 << 20);
}
constexpr std::uint32_t store_at(unsigned rs2, unsigned rs1, unsigned offset) {
  return store(2, rs2, rs1) | ((offset & 31U) << 7);
}

/** An engine that a test steps from boundary to boundary. */
struct Machine {
  explicit Machine(const char* library, const char* platform = "") : engine(library, 0, platform) {}

  /** Goes on to the next boundary. False: the program has ended, or sleeps. */
  bool advance() {
    retired = entered = false;
    while (true) {
      tz_retire next{};
      tz_run_args args{};
      args.records = &next;
      args.records_capacity = 1;
      args.claims = &claim;
      args.claims_capacity = 1;
      args.until_cycle = cycle + 1000;
      const tz_step_result step = engine.step(args);
      cycle = step.run.cycle;
      if (step.run.num_records != 0) record = next;
      retired = retired || step.run.num_records != 0;
      entered = entered || step.entered != 0;
      exited = step.run.stop == TZ_STOP_EXIT;
      if (exited) return false;
      if (step.boundary != 0) return retired || entered;
    }
  }

  /** The state that must be equal in both engines. */
  std::vector<std::uint64_t> state() {
    std::vector<std::uint64_t> values;
    const unsigned registers = std::string(engine.hart(0).isa).compare(0, 5, "rv32e") == 0 ? 16 : 32;
    for (unsigned n = 1; n < registers; ++n) {
      values.push_back(((unspecified >> n) & 1U) != 0 ? 0 : engine.read_register(0, n));
    }
    values.push_back(engine.read_register(0, TZ_DEBUG_PC));
    values.push_back(engine.read_register(0, TZ_DEBUG_MODE));
    for (const unsigned csr : {kMstatus, kMie, kMtvec, kMscratch, kMepc, kMcause, kMtval, kMinstret}) {
      values.push_back(engine.read_register(0, TZ_DEBUG_CSR + csr));
    }
    std::uint8_t window[kWindow];
    engine.read_memory(0, kData, window, sizeof window);
    values.insert(values.end(), window, window + sizeof window);
    return values;
  }

  Engine engine;
  std::uint64_t cycle = 0;
  tz_claim claim{};
  tz_retire record{};             ///< record of the last instruction
  std::uint32_t unspecified = 0;  ///< registers whose value is open, one bit for each
  bool retired = false;
  bool entered = false;
  bool exited = false;
};

/** Drives a line: high at random cycles, each time until its interrupt is taken. */
class RandomLine {
 public:
  RandomLine(Engine& engine, unsigned seed) : engine_(engine), random_(seed) {}
  void maybe_raise(unsigned one_in) {
    if (line_ >= 0 || random_() % one_in != 0) return;
    line_ = static_cast<int>(random_() % engine_.hart(0).num_lines);
    engine_.set_line(0, static_cast<unsigned>(line_), true);
  }
  void drop() {
    engine_.set_line(0, static_cast<unsigned>(line_), false);
    line_ = -1;
  }

 private:
  Engine& engine_;
  std::mt19937 random_;
  int line_ = -1;
};

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_BOUNDARY_H
