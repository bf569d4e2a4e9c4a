// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One hart of the reference: a C++ interface to the functions of kernel/oracle.h. A call that fails throws Error.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_REFERENCE_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_REFERENCE_H

#include <array>
#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>

#include "kernel/dynamic_engine.h"
#include "kernel/frame_layout.h"

namespace trapeze::following {

class Reference {
 public:
  /** `engine` must have an oracle. */
  Reference(Engine& engine, unsigned hart);

  unsigned number() const { return number_; }
  const tz_hart_info& info() const { return engine_.hart(number_); }
  bool has_clic() const { return info().num_sources != 0; }
  bool is_fast() const { return fast_; }
  /** Whether user mode handles interrupts. */
  bool has_user_interrupts() const { return user_interrupts_; }
  bool is_embedded() const { return embedded_; }
  bool has_triggers() const { return triggers_; }
  const FrameLayout& frame() const { return frame_; }
  /** Whether the hart sends and takes user interrupts from hart to hart. */
  bool has_posts() const { return posts_; }
  /** Properties of the CLIC; the hart must have one. */
  tz_oracle_clic clic() const;

  std::uint64_t x(unsigned n) const { return read(n); }
  std::uint64_t pc() const { return read(TZ_REGISTER_PC); }
  unsigned mode() const { return static_cast<unsigned>(read(TZ_REGISTER_MODE)); }
  bool frame_faults_wait() const { return read(TZ_REGISTER_FRAME_FAULTS_WAIT) != 0; }
  bool frame_refused() const { return read(TZ_REGISTER_FRAME_REFUSED) != 0; }
  /** What triggers ask for before the next instruction: TZ_TRIGGERS_*. */
  unsigned triggers() const { return triggers_ ? static_cast<unsigned>(read(TZ_REGISTER_TRIGGERS)) : 0; }
  /** Value of a CSR; the hart must have it. */
  std::uint64_t csr(unsigned number) const;
  /** Whether interrupts of machine mode can be taken at all. */
  bool interrupts_on() const;
  /** xIE: whether interrupts that `privilege` handles are enabled. */
  bool own_interrupts_on(unsigned privilege) const;
  /** A word of memory; nothing if no memory is at the address. */
  std::optional<std::uint32_t> word(std::uint64_t address) const;
  /** Whether other harts see the memory at an address, too. */
  bool shares(std::uint64_t address) const;
  /** `address` with zero in the low bits that an instruction's address has not. */
  std::uint64_t code_address(std::uint64_t value) const { return value & ~std::uint64_t{compressed_ ? 1U : 3U}; }

  void set_x(unsigned n, std::uint64_t value);
  /** Sets a register by its number for debuggers (kernel/debug.h), with the effect that an instruction would have. */
  void set(unsigned number, std::uint64_t value) { engine_.write_register(number_, number, value); }
  void settle(const tz_word& word);
  tz_entry enter(unsigned interrupt, bool in_table);
  tz_effects step(const tz_choices& choices);
  /** Debug mode begins, see tz_oracle_api. */
  void halt(bool by_trigger);
  // With posts, see tz_oracle_api.
  void access(tz_word_access& access);
  std::optional<std::uint64_t> receiver(unsigned vector) const;
  void join(std::uint32_t first, std::uint32_t vectors);
  unsigned munv() const { return static_cast<unsigned>(csr(isa::csr::kMunv)); }
  /** UIRR. */
  std::uint64_t requests() const { return csr(isa::csr::kMuirr) | (csr(isa::csr::kMuirrh) << 32); }
  /** Calls `body` for changes of the interrupt outputs of devices, see tz_oracle_api.wires. */
  template <typename Body>
  void see_wires(std::uint64_t until, Body&& body) {
    std::array<tz_wire_change, 16> changes;
    std::size_t count = 0;
    do {
      check(api_.wires(engine_.handle(), until, changes.data(), changes.size(), &count));
      for (std::size_t i = 0; i < count; ++i) body(changes[i]);
    } while (count == changes.size());
  }

 private:
  std::uint64_t read(std::uint32_t number) const;
  bool has_csr(unsigned number) const;
  void check(tz_status status) const;

  Engine& engine_;
  const tz_oracle_api& api_;
  unsigned number_;
  bool fast_;
  bool user_interrupts_;
  bool posts_;
  bool triggers_;
  bool embedded_;
  FrameLayout frame_;
  bool compressed_;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_REFERENCE_H
