// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/system.h"

#include <trapeze/map.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "model/time/instruction_count.h"

namespace trapeze::model {

namespace {

/** Harts that the mailbox's sides belong to. */
constexpr unsigned kApplicationHart = 0;
constexpr unsigned kRealTimeHart = 1;
// The PLIC's contexts of a hart.
constexpr unsigned kMachineContext = 0;
constexpr unsigned kSupervisorContext = 1;
constexpr unsigned kContextsOfHart = 2;

}  // namespace

System::System(const std::vector<CorePlan>& plans, const LatencyParameters& latency, const Wiring& wiring)
    : clint_(static_cast<unsigned>(plans.size())), uarts_(1), latency_(latency), wiring_(wiring) {
  for (const CorePlan& plan : plans) {
    uart_numbers_.push_back(plan.uart_base != 0 ? uarts_.size() : 0);
    if (plan.uart_base != 0) uarts_.emplace_back();
  }
  if (wiring_.uart_sources[0] != 0) uart().hold_until_enabled();
  for (unsigned n = 0; n < plans.size(); ++n) {
    cores_.push_back(plans[n].make(n, plans[n], reservations_));
    Core& core = *cores_.back();
    core.show_time(clint_);
    core.connect(*this);
    if (core.has_clic()) core.bus.attach(TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_SIZE, core.clic);
    if (core.has_user_interrupts()) core.bus.attach(TRAPEZE_CLIC_USER_BASE, TRAPEZE_CLIC_USER_SIZE, core.clic_user);
    core.bus.attach(TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE, host_);
    core.bus.attach(TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, clint_);
    core.bus.attach(TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE, uart());
    for (unsigned other = 0; other < plans.size(); ++other) {
      if (plans[other].uart_base != 0) core.bus.attach(plans[other].uart_base, TRAPEZE_UART_SIZE, uart_of(other));
    }
    core.bus.attach(TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, latency_);
    for (const tz_region& region : plans[n].memories) {
      core.bus.attach(memory_of(region, region.shared != 0 && plans.size() > 1));
    }
  }
  wire();
  reset();
}

void System::wire() {
  unsigned contexts = 0;
  for (const auto& core : cores_) {
    if (!wiring_.has_plic() || !core->has_supervisor()) continue;
    if (contexts + kContextsOfHart > Plic::kContexts)
      throw std::length_error("the PLIC has no context for another hart");
    core->bus.attach(wiring_.plic.base, wiring_.plic.size, plic_);
    core->plic_context = contexts;
    contexts += kContextsOfHart;
  }
  if (!wiring_.has_mailbox()) return;
  for (const auto& core : cores_) {
    for (unsigned side = 0; side < Mailbox::kSides; ++side) {
      core->bus.attach(wiring_.mailbox[side].base, wiring_.mailbox[side].size, mailbox_.port(side));
    }
  }
  cores_[kRealTimeHart]->device_lines |= std::uint64_t{1} << wiring_.mailbox_line;
}

Memory& System::memory_of(const tz_region& region, bool shared) {
  for (const auto& memory : memories_) {
    if (shared && memory->shared && memory->base == region.base && memory->data.size() == region.size) return *memory;
  }
  memories_.push_back(std::make_unique<Memory>(region.base, region.size, shared));
  return *memories_.back();
}

void System::reset() {
  clint_.reset();
  for (Uart& uart : uarts_) uart.reset();
  console_.reset();
  host_.reset();
  latency_.reset();
  mailbox_.reset();
  plic_.reset();
  reservations_.clear();
  for (const auto& core : cores_) core->reset();
}

void System::reset_hart(unsigned hart) {
  Core& core = *cores_[hart];
  const std::uint64_t lines = core.lines;
  const std::uint64_t time = now();
  clint_.reset_hart(hart, time);
  core.reset();
  core.time = core.since = time;
  core.lines = lines;
  for (unsigned line = 0; line < core.plan().lines; ++line) set_line(hart, line, ((lines >> line) & 1U) != 0);
}

void System::notify(std::uint32_t hart, unsigned vector) {
  for (const auto& core : cores_) {
    if (core->plan().hart_id == hart) core->notified(vector);
  }
}

std::uint64_t System::now() const {
  return cores_[next_hart()]->time;
}

std::uint64_t System::retired() const {
  std::uint64_t count = 0;
  for (const auto& core : cores_) count += core->retired();
  return count;
}

void System::flush() {
  for (const auto& core : cores_) core->flush();
}

void System::set_line(unsigned hart, unsigned line, bool level) {
  Core& core = *cores_[hart];
  const std::uint64_t bit = std::uint64_t{1} << line;
  core.lines = level ? core.lines | bit : core.lines & ~bit;
  if (core.has_clic()) core.clic.drive(core.plan().line_id_base + line, ((lines_of(core, now()) >> line) & 1U) != 0);
}

/** Platform lines of a hart; the latency measurement has one of each, the mailbox one of its hart. */
std::uint64_t System::lines_of(const Core& core, std::uint64_t time) {
  std::uint64_t lines = core.lines | (std::uint64_t{latency_.interrupt(time)} << core.shared_line());
  if (wiring_.has_mailbox() && &core == cores_[kRealTimeHart].get()) {
    lines |= std::uint64_t{mailbox_.interrupt(kRealTimeHart, time)} << wiring_.mailbox_line;
  }
  return lines;
}

void System::drive_plic(std::uint64_t time) {
  for (unsigned hart = 0; hart < harts() && hart < wiring_.uart_sources.size(); ++hart) {
    if (wiring_.uart_sources[hart] != 0) plic_.drive(wiring_.uart_sources[hart], uart_of(hart).interrupt(time));
  }
  if (wiring_.mailbox_source != 0) {
    plic_.drive(wiring_.mailbox_source, mailbox_.interrupt(kApplicationHart, time));
  }
}

/** Standard interrupts of a hart. */
std::uint64_t System::pending(unsigned hart, std::uint64_t time) {
  std::uint64_t bits = 0;
  if (clint_.software(hart)) bits |= 1U << kSoftwareInterrupt;
  if (clint_.timer(hart, time)) bits |= 1U << kTimerInterrupt;
  // After each access to a device there is a turn of some hart: the PLIC misses no change of a wire.
  if (wiring_.has_plic()) drive_plic(time);
  if (const auto context = cores_[hart]->plic_context) {
    if (plic_.interrupt(*context + kMachineContext)) bits |= 1U << kExternalInterrupt;
    if (plic_.interrupt(*context + kSupervisorContext)) bits |= 1U << isa::interrupt::kSupervisorExternal;
  } else if (uart_of(hart).interrupt(time)) {
    bits |= 1U << kExternalInterrupt;
  }
  return bits;
}

std::size_t System::wires(std::uint64_t until, std::span<tz_wire_change> changes) {
  const auto collect = [&](LevelChanges& output, std::uint64_t before, tz_wire wire, unsigned hart) {
    output.take(before, [&](const LevelChanges::Change& change) {
      wires_.push_back(
          {change.time, static_cast<std::uint16_t>(wire), static_cast<std::uint16_t>(hart), change.level ? 1U : 0U});
    });
  };
  const std::size_t left = wires_.size();
  clint_.advance(until);
  uart().interrupt(until);
  for (unsigned n = 0; n < harts(); ++n) {
    collect(clint_.software_output(n), until + 1, TZ_WIRE_SOFTWARE, n);
    collect(clint_.timer_output(n), until + 1, TZ_WIRE_TIMER, n);
  }
  collect(uart().interrupt_output(), until + 1, TZ_WIRE_UART, 0);
  // An access that is granted in `until` has been in the block in the cycle before.
  latency_.interrupt(until - std::min<std::uint64_t>(until, 1));
  collect(latency_.interrupt_output(), until, TZ_WIRE_LATENCY, 0);
  if (wires_.empty()) return 0;
  const auto earlier = [](const tz_wire_change& a, const tz_wire_change& b) { return a.cycle < b.cycle; };
  std::stable_sort(wires_.begin() + static_cast<std::ptrdiff_t>(left), wires_.end(), earlier);
  const std::size_t count = std::min(wires_.size(), changes.size());
  std::copy_n(wires_.begin(), count, changes.begin());
  wires_.erase(wires_.begin(), wires_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

std::uint64_t System::next_event(std::uint64_t time) const {
  std::uint64_t next = std::min(latency_.next_event(time), mailbox_.next_event(time));
  for (const Uart& uart : uarts_) next = std::min(next, uart.next_event(time));
  for (unsigned n = 0; n < harts(); ++n) next = std::min(next, clint_.next_event(n, time));
  return next;
}

unsigned System::next_hart() const {
  unsigned next = 0;
  for (unsigned n = 1; n < cores_.size(); ++n) {
    if (cores_[n]->time < cores_[next]->time) next = n;
  }
  return next;
}

std::uint64_t System::end_of_turn(Core& core, std::uint64_t turn, std::uint64_t limit) const {
  std::uint64_t reached = kNever;
  for (const auto& other : cores_) {
    if (other.get() != &core && !other->waiting) reached = std::min(reached, other->time);
  }
  if (reached == kNever) return limit;  // nothing but a device wakes the others, and an access to one ends a slice
  if (!core.waiting) return std::min(limit, core.time + turn);
  core.time = std::max(core.time, std::min(reached, limit - 1));
  return core.time + 1;
}

void System::gather_output(std::uint64_t time) {
  for (std::size_t n = 0; n < uarts_.size(); ++n) {
    Uart& uart = uarts_[n];
    if (uart.sending()) uart.advance(time);
    if (uart.output().empty()) continue;
    if (n == 0) {
      console_.write(uart.output());
    } else {
      const auto owner = std::find(uart_numbers_.begin(), uart_numbers_.end(), n);
      console_.write_line(static_cast<unsigned>(owner - uart_numbers_.begin()), uart.output());
    }
    uart.output().clear();
  }
}

void System::drop_output() {
  for (Uart& uart : uarts_) uart.output().clear();
}

bool System::drain_console(const tz_run_args& args, tz_run_result& result) {
  std::vector<std::uint8_t>& output = console_.output();
  if (args.console == nullptr) output.clear();
  const std::size_t count =
      std::min(output.size(), args.console == nullptr ? 0 : args.console_capacity - result.console_bytes);
  if (count != 0) std::memcpy(args.console + result.console_bytes, output.data(), count);
  result.console_bytes += count;
  output.erase(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(count));
  if (args.console == nullptr || result.console_bytes < args.console_capacity) return true;
  result.stop = std::max(result.stop, TZ_STOP_CONSOLE);
  return false;
}

void System::watch(std::span<const tz_watch> watches) {
  const auto same = [](const tz_watch& a, const tz_watch& b) {
    return a.address == b.address && a.size == b.size && a.kind == b.kind && a.hart == b.hart;
  };
  if (std::equal(watches.begin(), watches.end(), watches_.begin(), watches_.end(), same)) return;
  watches_.assign(watches.begin(), watches.end());
  for (const auto& core : cores_) core->watch(watches);
}

void System::run(const tz_run_args& args, tz_run_result& result) {
  result = {};
  watch({args.watches, args.num_watches});
  result.stop = TZ_STOP_CYCLES;
  host_.forget_exits();
  const std::uint64_t retired_limit = args.max_retired == 0 ? kNever : retired() + args.max_retired;
  const std::uint64_t turn = InstructionCount::turn(harts(), args.turn);
  bool running = true;
  while (running) {
    const unsigned hart = next_hart();
    Core& core = *cores_[hart];
    if (core.time >= args.until_cycle) break;
    std::uint64_t limit = std::min(args.until_cycle, next_event(core.time));
    if (turn == 1) {
      limit = std::min(limit, core.time + 1);
    } else if (turn != kNever) {
      limit = end_of_turn(core, turn, limit);
    }
    const std::uint64_t time = core.time;
    const std::uint64_t own_limit = retired_limit == kNever ? kNever : retired_limit - (retired() - core.retired());
    running = core.run({limit, own_limit, pending(hart, time), lines_of(core, time), args, result});
    gather_output(core.time);
    if (!console_.output().empty()) running &= drain_console(args, result);
    if (host_.any_exit()) {
      result.stop = TZ_STOP_EXIT;
      running = false;
    }
  }
  if (args.finish != 0) console_.finish();
  if (args.finish != 0) drain_console(args, result);
  result.cycle = now();
  result.retired = retired();
  report(args);
  const bool waiting = std::all_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->waiting; });
  result.asleep = waiting && next_event(result.cycle) == kNever ? 1 : 0;
}

void System::report(const tz_run_args& args) const {
  for (unsigned n = 0; args.harts != nullptr && n < cores_.size(); ++n) {
    const Core& core = *cores_[n];
    const std::optional<std::uint32_t> exit_code = host_.exit_code(n);
    args.harts[n] = {core.waiting ? core.pc() - kWfiBytes : core.pc(),
                     core.waiting ? core.since : core.time,
                     core.retired(),
                     core.waiting ? 1U : 0U,
                     exit_code ? 1U : 0U,
                     exit_code.value_or(0)};
  }
}

void System::step(const tz_run_args& args, tz_step_result& result) {
  result = {};
  tz_run_args one = args;
  one.select = TZ_SELECT_ALL;
  one.records_capacity = 1;
  one.max_retired = 0;
  one.turn = 0;
  do {
    // A hart that waits does so in one go.
    const Core& core = *cores_[next_hart()];
    one.until_cycle = core.waiting ? args.until_cycle : std::min(args.until_cycle, core.time + 1);
    run(one, result.run);
  } while (result.run.num_records == 0 && result.run.stop == TZ_STOP_CYCLES && result.run.cycle < args.until_cycle);
  for (std::size_t i = 0; i < result.run.num_claims; ++i) result.entered |= std::uint64_t{1} << args.claims[i].hart;
  result.boundary = (std::uint64_t{1} << cores_.size()) - 1;
  if (result.run.stop == TZ_STOP_RECORDS) result.run.stop = TZ_STOP_RETIRED;
}

std::unique_ptr<System::Snapshot> System::save_but_memories() const {
  auto snapshot = std::make_unique<Snapshot>(
      Snapshot{{}, reservations_, clint_, uarts_, console_, host_, latency_, mailbox_.save(), plic_, {}});
  for (const auto& core : cores_) snapshot->cores.push_back(core->save());
  return snapshot;
}

std::unique_ptr<System::Snapshot> System::save() const {
  auto snapshot = save_but_memories();
  for (const auto& memory : memories_) snapshot->memories.emplace_back(memory->data.begin(), memory->data.end());
  return snapshot;
}

BusRead System::look(unsigned hart, std::uint64_t address, unsigned enables) {
  const auto here = save_but_memories();
  const BusRead read = bus(hart).read(address, enables, cores_[hart]->time);
  restore(*here);
  return read;
}

void System::restore(const Snapshot& snapshot) {
  // In place: harts keep pointers into the memories.
  for (std::size_t i = 0; i < snapshot.memories.size(); ++i) {
    std::memcpy(memories_[i]->data.data(), snapshot.memories[i].data(), snapshot.memories[i].size());
  }
  reservations_ = snapshot.reservations;
  clint_ = snapshot.clint;
  uarts_ = snapshot.uarts;
  console_ = snapshot.console;
  host_ = snapshot.host;
  latency_ = snapshot.latency;
  mailbox_.restore(snapshot.mailbox);
  plic_ = snapshot.plic;
  for (std::size_t n = 0; n < cores_.size(); ++n) cores_[n]->restore(*snapshot.cores[n]);
}

}  // namespace trapeze::model
