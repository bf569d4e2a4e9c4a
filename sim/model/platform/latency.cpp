// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/latency.h"

#include <trapeze/map.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include <algorithm>
#include <iterator>

namespace trapeze::model {
namespace {

enum class Part : std::uint8_t { kSamples0, kRegs0, kSamples1, kRegs1, kRandom, kTimer, kStress, kNone };

struct Range {
  std::uint32_t base;
  std::uint32_t size;
};

/** By Part. */
constexpr Range kParts[] = {
    {TRAPEZE_PROBE_SAMPLES0_BASE, TRAPEZE_PROBE_SAMPLES0_SIZE}, {TRAPEZE_PROBE_REGS0_BASE, TRAPEZE_PROBE_REGS0_SIZE},
    {TRAPEZE_PROBE_SAMPLES1_BASE, TRAPEZE_PROBE_SAMPLES1_SIZE}, {TRAPEZE_PROBE_REGS1_BASE, TRAPEZE_PROBE_REGS1_SIZE},
    {TRAPEZE_PROBE_RANDOM_BASE, TRAPEZE_PROBE_RANDOM_SIZE},     {TRAPEZE_PROBE_TIMER_BASE, TRAPEZE_PROBE_TIMER_SIZE},
    {TRAPEZE_PROBE_STRESS_BASE, TRAPEZE_PROBE_STRESS_SIZE},
};

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kStride = TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE;

/** The part at an offset of the region, which becomes one of the part. */
Part find(std::uint32_t& offset) {
  const std::uint32_t address = TRAPEZE_PROBE_BASE + offset;
  for (std::size_t i = 0; i < std::size(kParts); ++i) {
    if (address < kParts[i].base || address - kParts[i].base >= kParts[i].size) continue;
    offset = address - kParts[i].base;
    return static_cast<Part>(i);
  }
  return Part::kNone;
}

}  // namespace

Latency::Latency(const LatencyParameters& parameters)
    : probes_{LatencyProbe(parameters.width, parameters.depth), LatencyProbe(parameters.width, parameters.depth)},
      generator_(parameters.words, parameters.cycles) {
  reset();
}

void Latency::reset() {
  for (LatencyProbe& probe : probes_) probe.reset();
  generator_.reset();
  timers_ = {};
  active_ = false;
  stress_rate_ = TRAPEZE_STRESS_RATE_RESET;
  stress_seed_ = TRAPEZE_STRESS_SEED_RESET;
  stress_banks_ = TRAPEZE_STRESS_BANKS_RESET;
}

void Latency::timer_rises(std::uint64_t now) {
  probes_[0].interrupt(now);
  generator_.interrupt(now);
}

void Latency::advance(std::uint64_t now) {
  for (std::size_t i = 1; i < kTimers; ++i) timers_[i].skip(now);
  while (true) {
    const std::uint64_t ready = generator_.ready_at().value_or(kNever);
    const std::uint64_t expiry = timers_[0].expires_at();
    if (std::min(ready, expiry) > now) return;
    if (ready <= expiry) {
      generator_.finish();
      probes_[0].acknowledge(ready);
      probes_[1].interrupt(ready);
    } else if (timers_[0].expire()) {
      timer_rises(expiry);
    } else {
      // A level that is high: nothing comes of further expiries, but for the count.
      timers_[0].skip(std::min(now, ready));
    }
  }
}

std::uint64_t Latency::next_event(std::uint64_t now) const {
  if (generator_.ready()) return kNever;
  if (const auto ready = generator_.ready_at()) return std::max(*ready, now + 1);
  if (!generator_.enabled() || !timers_[0].will_rise() || timers_[0].expires_at() == kNever) return kNever;
  return std::max(timers_[0].expires_at(), now + 1);
}

DeviceRead Latency::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  if (enables != kWord) return {0, true, false};
  advance(now);
  bool done = false;
  DeviceRead result;
  switch (find(offset)) {
    case Part::kSamples0:
      return {probes_[0].sample(offset), false, true};
    case Part::kSamples1:
      return {probes_[1].sample(offset), false, true};
    case Part::kRegs0:
      return probes_[0].read(offset);
    case Part::kRegs1:
      return probes_[1].read(offset);
    case Part::kRandom:
      result = generator_.read(offset, now, done);
      if (done) probes_[1].acknowledge(now);
      return result;
    case Part::kTimer:
      return read_timer(offset, now);
    case Part::kStress:
      return read_stress(offset);
    case Part::kNone:
      break;
  }
  return {0, true, false};
}

bool Latency::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                       const Origin& /*from*/) {
  if (enables != kWord) return false;
  advance(now);
  switch (find(offset)) {
    case Part::kRegs0:
      probes_[0].write(offset, value);
      return true;
    case Part::kRegs1:
      probes_[1].write(offset, value);
      return true;
    case Part::kRandom:
      generator_.write(offset, value, now);
      if (offset == TRAPEZE_RANDOM_CONTROL_OFFSET) {
        constexpr std::uint32_t kStarts = TRAPEZE_RANDOM_CONTROL_ENABLE_MASK | TRAPEZE_RANDOM_CONTROL_START_MASK;
        active_ = (value & kStarts) != 0 || (active_ && (value & TRAPEZE_RANDOM_CONTROL_ACK_MASK) == 0);
      }
      return true;
    case Part::kTimer:
      write_timer(offset, value, now);
      return true;
    case Part::kStress:
      write_stress(offset, value);
      return true;
    case Part::kSamples0:
    case Part::kSamples1:
    case Part::kNone:
      break;
  }
  return false;
}

DeviceRead Latency::read_timer(std::uint32_t offset, std::uint64_t now) const {
  const std::size_t timer = offset / kStride;
  return timer < kTimers ? timers_[timer].read(offset % kStride, now) : DeviceRead{};
}

void Latency::write_timer(std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
  const std::size_t timer = offset / kStride;
  if (timer < kTimers && timers_[timer].write(offset % kStride, value, now) && timer == 0) timer_rises(now);
}

DeviceRead Latency::read_stress(std::uint32_t offset) const {
  switch (offset) {
    case TRAPEZE_STRESS_RATE_OFFSET:
      return {stress_rate_, false, false};
    case TRAPEZE_STRESS_SEED_OFFSET:
      return {stress_seed_, false, true};
    case TRAPEZE_STRESS_BANKS_OFFSET:
      return {stress_banks_, false, false};
    case TRAPEZE_STRESS_ACCESSES_OFFSET:
      return {0, false, true};
    default:
      return {};
  }
}

void Latency::write_stress(std::uint32_t offset, std::uint32_t value) {
  constexpr std::uint32_t kBanks =
      TRAPEZE_STRESS_BANKS_IMEM_MASK | TRAPEZE_STRESS_BANKS_DMEM_MASK | TRAPEZE_STRESS_BANKS_SMEM_MASK;
  if (offset == TRAPEZE_STRESS_RATE_OFFSET) stress_rate_ = value & TRAPEZE_STRESS_RATE_CHANCE_MASK;
  if (offset == TRAPEZE_STRESS_SEED_OFFSET) stress_seed_ = value == 0 ? 1 : value;
  if (offset == TRAPEZE_STRESS_BANKS_OFFSET) stress_banks_ = value & kBanks;
}

}  // namespace trapeze::model
