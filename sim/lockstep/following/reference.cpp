// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/reference.h"

#include <cstring>
#include <trapeze/isa.hpp>

#include "kernel/error.h"
#include "kernel/isa.h"
#include "model/memory/access.h"

namespace trapeze::following {

Reference::Reference(Engine& engine, unsigned hart)
    : engine_(engine),
      api_(*engine.oracle()),
      number_(hart),
      fast_(std::strcmp(engine.hart(hart).interrupts, TZ_IRQ_FASTIRQ) == 0),
      user_interrupts_(has_csr(isa::csr::kUstatus)),
      posts_(has_csr(isa::csr::kMuitt)),
      triggers_(has_csr(isa::csr::kTselect)),
      embedded_(parse_isa(engine.hart(hart).isa).embedded),
      frame_(frame_layout_of(engine.hart(hart).isa)),
      compressed_(parse_isa(engine.hart(hart).isa).has("c")) {}

void Reference::check(tz_status status) const {
  if (status != TZ_OK) throw Error("the reference failed: " + engine_.last_error());
}

std::uint64_t Reference::read(std::uint32_t number) const {
  std::uint64_t value = 0;
  check(api_.read_register(engine_.handle(), number_, number, &value));
  return value;
}

tz_oracle_clic Reference::clic() const {
  tz_oracle_clic clic{};
  check(api_.clic(engine_.handle(), number_, &clic));
  return clic;
}

bool Reference::has_csr(unsigned number) const {
  std::uint64_t value = 0;
  return api_.read_csr(engine_.handle(), number_, number, &value) == TZ_OK;
}

std::uint64_t Reference::csr(unsigned number) const {
  std::uint64_t value = 0;
  check(api_.read_csr(engine_.handle(), number_, number, &value));
  return value;
}

bool Reference::interrupts_on() const {
  return mode() != model::kMachine || own_interrupts_on(model::kMachine);
}

bool Reference::own_interrupts_on(unsigned privilege) const {
  const unsigned bit = privilege == model::kMachine ? isa::mstatus::kMie : isa::mstatus::kUie;
  return ((csr(isa::csr::kMstatus) >> bit) & 1U) != 0;
}

std::optional<std::uint32_t> Reference::word(std::uint64_t address) const {
  std::uint32_t value = 0;
  return engine_.find_memory(number_, address, &value, sizeof value) ? std::optional(value) : std::nullopt;
}

bool Reference::shares(std::uint64_t address) const {
  for (unsigned i = 0; i < info().num_regions; ++i) {
    const tz_region& region = info().regions[i];
    if (region.shared != 0 && address - region.base < region.size) return engine_.harts() > 1;
  }
  return false;
}

void Reference::set_x(unsigned n, std::uint64_t value) {
  check(api_.write_register(engine_.handle(), number_, n, value));
}

void Reference::settle(const tz_word& word) {
  check(api_.settle(engine_.handle(), number_, &word));
}

void Reference::access(tz_word_access& access) {
  check(api_.access(engine_.handle(), number_, &access));
}

std::optional<std::uint64_t> Reference::receiver(unsigned vector) const {
  std::uint64_t upid = 0;
  std::uint32_t there = 0;
  check(api_.receiver(engine_.handle(), number_, vector, &upid, &there));
  return there != 0 ? std::optional(upid) : std::nullopt;
}

void Reference::join(std::uint32_t first, std::uint32_t vectors) {
  check(api_.join(engine_.handle(), number_, first, vectors));
}

void Reference::halt(bool by_trigger) {
  check(api_.halt(engine_.handle(), number_, by_trigger ? 1 : 0));
}

tz_entry Reference::enter(unsigned interrupt, bool in_table) {
  tz_entry entry{};
  check(api_.enter(engine_.handle(), number_, interrupt, in_table ? 1 : 0, &entry));
  return entry;
}

tz_effects Reference::step(const tz_choices& choices) {
  tz_effects effects{};
  check(api_.step(engine_.handle(), number_, &choices, &effects));
  return effects;
}

}  // namespace trapeze::following
