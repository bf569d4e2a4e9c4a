// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Executing one instruction as the leader did, whatever the interrupt controller.
#include "lockstep/following/followed_hart.h"

#include <algorithm>

#include "kernel/handlers.h"
#include "model/isa/params.h"
#include "model/isa/priority.h"

namespace trapeze::following {
namespace {

/** Number of the platform line that the latency measurement shares with the host: 15, or the last if there are fewer.
 */
constexpr unsigned kLatencyLine = 15;
constexpr std::uint32_t kWfi = 0x10500073;
/** If an interrupt is pending at two points that are at most so many cycles apart, it counts as pending in between. */
constexpr std::uint64_t kSteady = 64;

/** Whether an interrupt that is to be taken after this instruction must be taken before the next one: after an explicit
 * write of a CSR and after a return (Privileged Architecture 1.12, 3.1.9). */
bool judges_interrupts(const tz_retire& record) {
  const bool writes = (record.flags & TZ_RETIRE_CSR_WE) != 0;
  return (record.flags & TZ_RETIRE_TRAP) == 0 && (writes || is_trap_return(record.insn));
}

std::optional<ClicView> view_of_clic(const Reference& reference) {
  if (!reference.has_clic()) return std::nullopt;
  const tz_oracle_clic clic = reference.clic();
  return ClicView(reference.info().num_sources, clic.ctl_bits, clic.staged != 0, reference.has_user_interrupts());
}

}  // namespace

FollowedHart::FollowedHart(Engine& engine, unsigned number)
    : reference_(engine, number),
      number_(number),
      line_id_base_(engine.hart(number).line_id_base),
      latency_line_(std::min(kLatencyLine, std::max(1U, engine.hart(number).num_lines) - 1)),
      clic_(view_of_clic(reference_)) {
  if (reference_.is_fast()) frames_.emplace(reference_, open_);
  if (clic_ && reference_.has_posts()) posts_.emplace(reference_, *clic_);
}

std::optional<unsigned> FollowedHart::certainly_due() const {
  if (clic_) return due_clic();
  const int id = model::most_important(due_clint(last_pending_));
  return id >= 0 ? std::optional<unsigned>(id) : std::nullopt;
}

/** Judges a wfi: it completes only if no interrupt was to be taken before it. Other instructions may execute before an
 * interrupt is taken: from their records it cannot be told when the leader looked at its interrupts. */
std::string FollowedHart::check_wfi(const Step& step) const {
  const tz_retire& leader = step.leader;
  if (debugger_.masks_interrupts()) return {};
  if (!let_in_ || leader.insn != kWfi || (leader.flags & TZ_RETIRE_TRAP) != 0 || !step.claims.empty()) return {};
  if (leader.cycle_ex - let_in_->cycle > kSteady || certainly_due() != let_in_->id) return {};
  return "wfi was executed though interrupt " + std::to_string(let_in_->id) +
         " was pending and enabled behind the instruction before it";
}

/** The leader has executed an instruction outside of debug mode: no trigger may ask for debug mode before it. */
std::string FollowedHart::check_triggers(const tz_retire& leader) const {
  const unsigned due = reference_.triggers() & (TZ_TRIGGERS_MATCH | TZ_TRIGGERS_EVENT);
  if (due == 0) return {};
  // An exception may come in the place of the instruction: for a frame, or for a table entry that cannot be fetched.
  // Whether debug mode begins before or behind it is open.
  const bool displaced = leader.cause == model::kFrameStoreFault || leader.pc == table_entry_;
  if ((leader.flags & TZ_RETIRE_TRAP) != 0 && displaced) return {};
  return "a trigger did not fire: trigger " + first_trigger(due) +
         ((due & TZ_TRIGGERS_MATCH) != 0 ? " matches this instruction"
                                         : " had to begin debug mode before this instruction");
}

Outcome FollowedHart::follow(const Step& step) {
  const tz_retire& leader = step.leader;
  Outcome outcome;
  const auto note = [&outcome](std::string text) {
    if (outcome.complaint.empty()) outcome.complaint = std::move(text);
  };
  tz_choices choices{};
  choices.now = cycle_of(leader);
  choices.now2 = leader.cycle_mem2 != 0 ? leader.cycle_mem2 : choices.now;
  choices.interrupt = TZ_NO_INTERRUPT;
  note(clic_ ? prepare_clic(step, choices) : prepare_clint(step, choices));
  note(check_wfi(step));
  if (leader.mem_rmask != 0) {
    choices.given |= TZ_CHOICE_LOAD;
    choices.load = clic_ ? load_clic(leader) : leader.mem_rdata;
  }
  if (frames_) {
    frames_->prepare(leader, choices);
  } else {
    open_.adopt(leader);
  }
  if (clic_) choose_next_interrupt(leader, choices);
  note(check_triggers(leader));

  if (posts_) posts_->prepare(leader, choices);

  tz_effects effects = reference_.step(choices);
  if (posts_) {
    posts_->show_requests(leader.cycle_ex);
    note(posts_->finish(leader, effects.posted));
  }
  table_entry_ = effects.vectored != 0 ? std::optional(effects.table_entry) : std::nullopt;
  if (clic_) store_clic(leader, effects.record);
  open_.finish(effects.record);
  if (frames_) frames_->finish(effects);
  if (clic_) finish_claim(leader, effects);
  if (clic_) note(finish_clic(leader));
  let_in_.reset();
  if (judges_interrupts(leader) && !debugger_.masks_interrupts()) {
    if (const auto id = certainly_due()) let_in_ = LetIn{*id, leader.cycle_ex};
  }
  outcome.own = effects.record;
  if (effects.exited != 0) outcome.exit_code = effects.exit_code;
  return outcome;
}

void FollowedHart::see(const tz_wire_change& change) {
  const bool level = change.level != 0;
  const std::uint64_t cycle = change.cycle;
  switch (change.wire) {
    case TZ_WIRE_SOFTWARE:
    case TZ_WIRE_TIMER: {
      if (change.hart != number_) return;
      const unsigned id = change.wire == TZ_WIRE_TIMER ? model::kTimerInterrupt : model::kSoftwareInterrupt;
      clic_ ? clic_->drive_later(id, level, cycle) : shown_.change(cycle, id, level);
      break;
    }
    // Like platform lines, the CLINT shows these to the core one cycle later.
    case TZ_WIRE_UART:
      clic_ ? clic_->drive_later(model::kExternalInterrupt, level, cycle)
            : shown_.change(cycle + 1, model::kExternalInterrupt, level);
      break;
    default:
      clic_ ? line_device_.push_back({cycle, latency_line_, change.level})
            : shown_.change(cycle + 1, line_id_base_ + latency_line_, level);
      break;
  }
}

}  // namespace trapeze::following
