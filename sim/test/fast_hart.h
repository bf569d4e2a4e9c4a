// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The model's hart with fastirq, for tests that set its registers directly.
 */
#ifndef TRAPEZE_SIM_TEST_FAST_HART_H
#define TRAPEZE_SIM_TEST_FAST_HART_H

#include <trapeze/clic.h>
#include <trapeze/map.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {

constexpr Params kFast = parse_params("rv32imc_zba_zbb_zbs").with_clic(true).with_fast(true);
constexpr Params kFastEmbedded = parse_params("rv32emc_zba_zbb_zbs").with_clic(true).with_fast(true);

constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kEntry = kBase + 0x400;    ///< mtvec
constexpr std::uint32_t kHandler = kBase + 0x800;  ///< address of the handlers: that of source n is at + 8 n
constexpr std::uint32_t kLink = kBase + 0x300;     ///< address of an emret
constexpr std::uint32_t kTable = TRAPEZE_DMEM_BASE;
constexpr std::uint32_t kStack = TRAPEZE_DMEM_BASE + 0x2000;
constexpr std::uint32_t kNop = test::addi(0, 0, 0);
constexpr std::uint32_t kInterrupt = 0x80000000, kInTable = 1U << 30, kFromMachine = 3U << 28, kWasOn = 1U << 27;
constexpr std::uint32_t kEnable = 1, kNest = 2;
constexpr unsigned kSourceCount = 64;
constexpr tz_region kFastRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 0},
                                      {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 0}};

/** 8 level bits, fastirq on with nesting, sp at kStack, a table with a handler for every source. */
template <Params P>
struct FastHart {
  static constexpr FrameLayout kLayout = frame_layout(P);

  FastHart() {
    for (unsigned id = 0; id < kSourceCount; ++id) poke(kTable + 4 * id, handler(id));
    for (unsigned id = 0; id < kSourceCount; ++id) {
      poke(handler(id), kNop);
      poke(handler(id) + 4, kEmret);
    }
    poke(kLink, kEmret);
    machine.bus().write(TRAPEZE_CLIC_BASE, 0xf, 8, 0);
    write(kMtvec, kEntry);
    write(kMtvt, kTable);
    write(kMfastirq, kLink | kEnable | kNest);
    for (unsigned n = 1; n < P.registers(); ++n) hart().set_x(n, value_of(n));
    hart().set_x(2, kStack);
  }

  static std::uint32_t handler(unsigned id) { return kHandler + 8 * id; }
  /** Initial value of a register of the interrupted program. */
  static std::uint32_t value_of(unsigned n) { return 0xabcd0000U + n; }

  Hart<kind_of(P)>& hart() { return machine.hart(0); }
  std::uint32_t x(unsigned n) { return hart().x(n); }
  std::uint32_t read(unsigned number) { return hart().csr().read(number, {}).value(); }
  void write(unsigned number, std::uint32_t value) { hart().csr().write(number, value, {}); }
  std::uint32_t peek(std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, machine.bus().memory(address, sizeof value), sizeof value);
    return value;
  }
  void poke(std::uint32_t address, std::uint32_t value) {
    std::memcpy(machine.bus().memory(address, sizeof value), &value, sizeof value);
    machine.flush();
  }
  /** Word `index` of the frame at sp. */
  std::uint32_t frame(unsigned index) { return peek((x(2) & ~3U) + 4 * index); }
  /** Writes a frame at sp, which an emret will leave. */
  void put_frame(std::uint32_t epc, std::uint32_t cause) {
    for (unsigned i = 0; i < kLayout.registers.size(); ++i) poke(x(2) + 4 * i, value_of(kLayout.registers[i]));
    poke(x(2) + 4 * kLayout.epc, epc);
    poke(x(2) + 4 * kLayout.cause, cause);
    for (const unsigned n : kLayout.registers) hart().set_x(n, 0);
  }

  static std::uint32_t address(unsigned id) { return TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * id; }
  /** Makes an edge-triggered source enabled and pending. */
  void raise(unsigned id, unsigned level, bool vectored = true) {
    machine.bus().write(address(id), 0xf, 0x00020101U | (level << 24) | (vectored ? 0x10000U : 0U), 0);
  }
  bool pending(unsigned id) { return (machine.bus().read(address(id), 0xf, 0).value & 1U) != 0; }
  void set_level(unsigned level) { hart().csr().clic().level = static_cast<std::uint8_t>(level); }
  void interrupts_on() { write(kMstatus, 8); }

  /** Executes `words` at kBase. An entry into a handler is a step, as an instruction is. */
  void run(const std::vector<std::uint32_t>& words, std::uint64_t steps) {
    for (std::size_t i = 0; i < words.size(); ++i) poke(kBase + static_cast<std::uint32_t>(4 * i), words[i]);
    hart().set_pc(kBase);
    go(steps);
  }
  void go(std::uint64_t steps) {
    const std::uint64_t until = machine.now() + steps;
    tz_run_args args{};
    args.until_cycle = until;
    args.select = TZ_SELECT_ALL;
    args.records = records.data();
    args.records_capacity = 1;
    tz_claim claim{};
    args.claims = &claim;
    args.claims_capacity = 1;
    do {
      machine.run(args, result);
      if (result.num_records != 0) last = records[0];
      if (result.num_claims != 0) claims.push_back(claim);
    } while (machine.now() < until);
  }

  Machine<P> machine{Platform{kFastRegions, kBase, 0, 1, 48, 16, kSourceCount}};
  tz_run_result result{};
  std::vector<tz_retire> records = std::vector<tz_retire>(1);
  tz_retire last{};              ///< record of the last instruction
  std::vector<tz_claim> claims;  ///< all claims so far
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_TEST_FAST_HART_H
