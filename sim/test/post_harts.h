// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Two of the model's harts that send user interrupts to one another, for tests that set their registers directly and
 * choose which hart makes the next step.
 */
#ifndef TRAPEZE_SIM_TEST_POST_HARTS_H
#define TRAPEZE_SIM_TEST_POST_HARTS_H

#include <array>
#include <vector>

#include "user_hart.h"

namespace trapeze::model {

constexpr Params kPostHart = kUserFast.with_uintr(true);

constexpr tz_region kSharedRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 1},
                                        {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 1}};
constexpr std::uint32_t kTargets = TRAPEZE_DMEM_BASE + 0x800;      ///< UITT of both
constexpr std::uint32_t kDescriptors = TRAPEZE_DMEM_BASE + 0xa00;  ///< UPID of hart n at + 64 n
constexpr std::uint32_t kEntries = 8;
constexpr unsigned kNotification = 20;  ///< notification vector of both harts
constexpr std::uint32_t kPosted = 1U << 12;

constexpr std::uint32_t senduipi(unsigned rs1) {
  return isa::encoding::kSenduipi.match | (rs1 << 15);
}

/** Both in user mode, which may access all; source 0 is user mode's at level 255, not vectored. Entry 2 n + k of the
 * table is vector 3 + 40 k of hart n. */
struct PostHarts {
  PostHarts() {
    for (unsigned n = 0; n < 2; ++n) {
      write(n, kMtvec, kEntry);
      write(n, kUtvec, kUserEntry);
      write(n, kUtvt, kUserTable);
      write(n, kMuitt, kTargets | 1);
      write(n, kMuittsz, kEntries);
      write(n, kMupid, descriptor(n) | 1);
      write(n, kMunv, kNotification);
      write(n, kPmpaddr0 + 7, 0xffffffff);
      write(n, kPmpcfg0 + 1, (kRowR | kRowW | kRowX | kRowNapot) << 24);
      machine.bus(n).write(TRAPEZE_CLIC_BASE, 0xf, kByMode, 0);
      source(n, kPostSource, 0xff000100);
      poke(descriptor(n), kNotification << 16);
      poke(descriptor(n) + 4, n);
      entry(2 * n, 3, descriptor(n));
      entry(2 * n + 1, 43, descriptor(n));
      hart(n).set_x(2, kStack + 0x400 * n);
      hart(n).set_mode(kUser);
      hart(n).set_pc(program(n));
    }
  }

  static std::uint32_t descriptor(unsigned n) { return kDescriptors + 64 * n; }
  static std::uint32_t program(unsigned n) { return kBase + 0x40 * n; }

  Hart<kind_of(kPostHart)>& hart(unsigned n) { return machine.hart(n); }
  std::uint32_t read(unsigned n, unsigned number) { return hart(n).csr().read(number, {}).value(); }
  void write(unsigned n, unsigned number, std::uint32_t value) { machine.core(n).write_csr(number, value, 0); }
  std::uint32_t peek(std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, sizeof value), sizeof value);
    return value;
  }
  void poke(std::uint32_t address, std::uint32_t value) {
    std::memcpy(machine.bus().memory(address, sizeof value), &value, sizeof value);
    machine.flush();
  }
  void entry(unsigned index, unsigned vector, std::uint32_t address) {
    const std::array<std::uint32_t, 4> words{1U | (vector << 8), 0, address, 0};
    for (unsigned i = 0; i < words.size(); ++i) poke(kTargets + 16 * index + 4 * i, words[i]);
  }
  std::uint32_t source(unsigned n, unsigned id) { return machine.bus(n).read(UserHart::address(id), 0xf, 0).value; }
  void source(unsigned n, unsigned id, std::uint32_t word) {
    machine.bus(n).write(UserHart::address(id), 0xf, word, 0);
  }
  std::uint32_t control(unsigned n) { return peek(descriptor(n)); }
  std::uint64_t posted(unsigned n) { return peek(descriptor(n) + 8) | (std::uint64_t{peek(descriptor(n) + 12)} << 32); }
  std::uint64_t requests(unsigned n) { return read(n, kMuirr) | (std::uint64_t{read(n, kMuirrh)} << 32); }
  unsigned cause(unsigned n) { return read(n, kMcause) & (kInterrupt | 0xfffU); }
  void user_on(unsigned n) { write(n, kMstatus, read(n, kMstatus) | kUserOn); }

  /** Steps of one hart: instructions, and entries into handlers. */
  void step(unsigned n, unsigned steps = 1) {
    for (; steps != 0; --steps) {
      tz_run_args args{};
      args.select = TZ_SELECT_ALL;
      args.records = &last;
      args.records_capacity = 1;
      tz_claim claim{};
      args.claims = &claim;
      args.claims_capacity = 1;
      tz_run_result result{};
      Core& core = machine.core(n);
      core.run({core.time + 1, kNever, 0, 0, 0, args, result});
      if (result.num_claims != 0) claims.push_back(claim);
    }
  }
  /** Lets hart `n` execute `words` at the place of its program. */
  void run(unsigned n, const std::vector<std::uint32_t>& words, unsigned steps) {
    for (std::size_t i = 0; i < words.size(); ++i) poke(program(n) + static_cast<std::uint32_t>(4 * i), words[i]);
    hart(n).set_pc(program(n));
    step(n, steps);
  }
  /** Lets hart `n` execute senduipi. */
  void send(unsigned n, std::uint32_t index) {
    hart(n).set_x(5, index);
    run(n, {senduipi(5)}, 1);
  }
  /** Lets hart `n` go on in its program, a loop without effects. */
  void idle(unsigned n) { run(n, {kNop, kNop, kNop, kNop}, 0); }

  Machine<kPostHart> machine{Platform{kSharedRegions, kBase, 0, 2, 48, 16, kSourceCount}};
  tz_retire last{};
  std::vector<tz_claim> claims;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_TEST_POST_HARTS_H
