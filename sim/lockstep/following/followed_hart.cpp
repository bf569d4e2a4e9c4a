// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Executing one instruction as the leader did, whatever the interrupt controller.
#include "lockstep/following/followed_hart.h"

#include <trapeze/clint.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/error.h"
#include "kernel/handlers.h"

namespace trapeze::following {
namespace {

/** Platform line that the latency measurement shares with the host: the 16th, or the last one of fewer. */
constexpr unsigned kLatencyLine = 15;

std::optional<ClicView> view_of_clic(const Reference& reference) {
  if (!reference.has_clic()) return std::nullopt;
  const tz_oracle_clic clic = reference.clic();
  return ClicView(reference.info().num_sources, clic.ctl_bits, clic.staged != 0);
}

}  // namespace

FollowedHart::FollowedHart(Engine& engine, unsigned number, DeviceViews& devices)
    : reference_(engine, number),
      number_(number),
      line_id_base_(engine.hart(number).line_id_base),
      latency_line_(std::min(kLatencyLine, std::max(1U, engine.hart(number).num_lines) - 1)),
      devices_(devices),
      clic_(view_of_clic(reference_)) {
  if (reference_.is_fast()) frames_.emplace(reference_);
}

Outcome FollowedHart::follow(const Step& step) {
  const tz_retire& leader = step.leader;
  Outcome outcome;
  const auto note = [&outcome](std::string text) {
    if (outcome.complaint.empty()) outcome.complaint = std::move(text);
  };
  tz_choices choices{};
  choices.now = leader.cycle_ex;
  choices.interrupt = TZ_NO_INTERRUPT;
  note(clic_ ? prepare_clic(step, choices) : prepare_clint(step, choices));
  note(check_mtime(leader));
  notice_store(leader);
  choose_reads(leader, choices);
  if (frames_) frames_->prepare(leader, choices);
  if (clic_) choose_next_interrupt(leader, choices);

  tz_effects effects = reference_.step(choices);
  table_entry_ = effects.vectored != 0 ? std::optional(effects.table_entry) : std::nullopt;
  if (effects.record.mem_wmask != 0) devices_.store(effects.record, leader.cycle_ex, clic_ ? &*clic_ : nullptr);
  if (frames_) frames_->finish(effects);
  if (clic_) finish_claim(leader, effects);
  if (leader.mem_wmask != 0) doubt_latency(leader);
  if (clic_) note(finish_clic(leader));
  outcome.own = effects.record;
  if (effects.exited != 0) outcome.exit_code = effects.exit_code;
  return outcome;
}

void FollowedHart::choose_reads(const tz_retire& leader, tz_choices& choices) {
  if (leader.mem_rmask != 0) {
    choices.given |= TZ_CHOICE_LOAD;
    choices.load = devices_.load(leader, clic_ ? &*clic_ : nullptr);
  }
  const unsigned counter = accessed_csr(leader.insn) & ~0x80U;  // with and without h
  if ((counter == isa::csr::kMcycle || counter == isa::csr::kCycle) && leader.rd != 0) {
    choices.given |= TZ_CHOICE_CSR;
    choices.csr = leader.rd_value;
  }
}

std::string FollowedHart::check_mtime(const tz_retire& leader) {
  std::string complaint;
  if (leader.mem_rmask == 0xf && leader.mem_addr == TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET) {
    // The clock of the leader, from here on.
    const std::uint64_t time = devices_.clint.mtime(leader.cycle_ex);
    const auto behind =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(leader.mem_rdata) - static_cast<std::uint32_t>(time));
    devices_.clint.set_mtime(time + static_cast<std::uint64_t>(std::int64_t{behind}), leader.cycle_ex);
    if (devices_.clock_known && std::abs(behind) > static_cast<std::int32_t>(kTimeSlack)) {
      complaint =
          "mtime reads " + hex(leader.mem_rdata) + ", " + std::to_string(behind) + " cycles from where it must be";
    }
    devices_.clock_known = complaint.empty();
  }
  const std::uint64_t clint = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask != 0 && clint >= TRAPEZE_CLINT_MTIME_LO_OFFSET && clint < TRAPEZE_CLINT_SIZE) {
    devices_.clock_known = false;
  }
  return complaint;
}

void FollowedHart::doubt_latency(const tz_retire& leader) {
  // Its devices run by the leader's clock, which is not known here: as long as data may become ready they may be.
  if (devices_.latency.active() == latency_doubted_) return;
  latency_doubted_ = !latency_doubted_;
  if (!latency_doubted_) latency_settles_ = leader.cycle_retire + kTimeSlack;
  if (!clic_) return;
  const unsigned id = line_id_base_ + latency_line_;
  if (!latency_doubted_) {
    clic_->doubt(id, leader.cycle_ex, to_tri(latency_host_), latency_settles_);
  } else if (!latency_host_) {
    clic_->doubt(id, leader.cycle_ex, Tri::kUnknown, 0);
  }
}

void FollowedHart::notice_store(const tz_retire& leader) {
  if (leader.mem_wmask != 0 && leader.hart != number_) doubt_latency(leader);
  const std::uint64_t offset = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask == 0 || offset >= TRAPEZE_CLINT_SIZE) return;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) timer_written_ = leader.cycle_ex;
  if (leader.hart == number_) return;
  software_written_ = leader.cycle_ex;
  if (clic_) notice_clint_store(offset, leader.cycle_ex);
}

}  // namespace trapeze::following
