// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A hart of the model behind its port, whatever kind of hart it is: with its CLIC, and with what a debugger and an
 * oracle need, that is its state between two instructions, and steps whose choices are made outside.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CORE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CORE_H

#include <cstdint>
#include <optional>

#include "kernel/handlers.h"
#include "kernel/oracle.h"
#include "model/isa/params.h"
#include "model/platform/clic.h"
#include "model/platform/hart_port.h"

namespace trapeze::model {

/** The standard interrupts. */
constexpr unsigned kStandardInterrupts[] = {kSoftwareInterrupt, kTimerInterrupt, kExternalInterrupt};

/** A hart of the model. */
class Core : public HartPort {
 public:
  /** `user`: user mode handles interrupts. */
  Core(unsigned number, const HartPlan& plan, Bus& to, bool user)
      : number_(number), plan_(plan), bus(to), clic(plan.sources, plan.ctl_bits, user) {}

  const HartPlan& plan() const { return plan_; }
  virtual bool has_clic() const = 0;
  virtual bool has_posts() const = 0;

  // Its state between two instructions. Registers have their numbers in kernel/debug.h; nothing: there is none of the
  // number. Those that are written must exist.
  virtual std::optional<std::uint64_t> read_register(unsigned number) const = 0;
  virtual void write_register(unsigned number, std::uint64_t value) = 0;
  virtual std::optional<std::uint64_t> read_csr(unsigned number, std::uint64_t now) const = 0;
  /** False: it is read-only. */
  virtual bool write_csr(unsigned number, std::uint64_t value, std::uint64_t now) = 0;

  // One step whose choices are made outside, see kernel/oracle.h. The first three functions are for a hart that
  // has_posts().
  virtual void access(tz_word_access& access) = 0;
  virtual std::optional<std::uint64_t> receiver(unsigned vector) const = 0;
  virtual void join(unsigned first, std::uint32_t vectors) = 0;
  /** False: there is no such interrupt. What `entry` points to is valid until the next call. */
  virtual bool enter(unsigned interrupt, bool in_table, tz_entry& entry) = 0;
  /** What `effects` says of exits is the platform's matter. */
  virtual void step(const tz_choices& choices, tz_effects& effects) = 0;
  /** fastirq: no exception for a frame may come before the next instruction. */
  virtual bool frame_faults_held() const = 0;
  /** User-level interrupts: user mode may not store the frame of one that came now. */
  virtual bool frame_refused() const = 0;
  /** What triggers ask for, as TZ_REGISTER_TRIGGERS has it. */
  virtual std::uint32_t triggers() = 0;
  /** Debug mode begins before the next instruction, see tz_oracle_api.halt. */
  virtual void halted(bool by_trigger) = 0;

 protected:
  unsigned number_;
  HartPlan plan_;

 public:
  Bus& bus;
  Clic clic;  ///< without sources where there is none
  ClicUser clic_user{clic};
  RecordFilter filter = {};
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CORE_H
