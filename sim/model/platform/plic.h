// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Platform-level interrupt controller: level-triggered sources, two contexts for each of two harts. A request that was
 * forwarded stays pending when its wire falls; the next one is forwarded after its completion.
 *
 * Sources: RISC-V Platform-Level Interrupt Controller Specification 1.0.0; the register description in regs/plic.rdl.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_PLIC_H
#define TRAPEZE_SIM_MODEL_PLATFORM_PLIC_H

#include <trapeze/plic.h>

#include <array>
#include <bitset>
#include <cstdint>

#include "model/memory/device.h"
#include "model/platform/interrupt_source.h"
#include "model/time/instant.h"

namespace trapeze::model {

/** Its interrupt outputs have the numbers of its contexts. */
class Plic final : public Device, public InterruptSource {
 public:
  /** Number of sources, with number 0, which is no source. */
  static constexpr unsigned kSources = TRAPEZE_PLIC_PRIORITY_COUNT;
  static constexpr unsigned kContexts = TRAPEZE_PLIC_CONTEXT_CLAIM_COUNT;

  void reset() override { *this = {}; }
  /** The wire of a source, from 1. */
  void drive(unsigned source, bool level);
  /** Whether a context has a request to claim. */
  bool interrupt(unsigned context) const;
  bool level(unsigned output, std::uint64_t /*now*/) override { return interrupt(output); }
  /** Its outputs follow its inputs and accesses. */
  std::uint64_t next_event(std::uint64_t /*now*/) const override { return kNever; }

 private:
  static constexpr unsigned kWordBits = 32;
  static constexpr unsigned kWords = kSources / kWordBits;
  using Sources = std::bitset<kSources>;

  struct Context {
    Sources enabled;
    std::uint32_t threshold = 0;
  };

  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  /** The most urgent request that a context has enabled, 0: none. */
  unsigned best(const Context& context) const;
  std::uint32_t claim(const Context& context);
  void complete(const Context& context, std::uint32_t source);
  static std::uint32_t word_of(const Sources& sources, unsigned word);

  std::array<std::uint32_t, kSources> priority_ = {};
  std::array<Context, kContexts> contexts_ = {};
  Sources levels_;
  Sources pending_;
  Sources claimed_;  ///< requests that were claimed and not completed
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_PLIC_H
