// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/system.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "model/time/instruction_count.h"

namespace trapeze::model {

namespace {

/** Number of the UARTs of a plan: they must not move once there are pointers to them. */
std::size_t count_uarts(const PlatformPlan& plan) {
  const auto is_uart = [](const RegionPlan& region) { return region.block == kUartBlock; };
  return static_cast<std::size_t>(std::count_if(plan.regions.begin(), plan.regions.end(), is_uart));
}

[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::string& why) {
  throw std::invalid_argument(what + " '" + name + "': " + why);
}

}  // namespace

System::System(const PlatformPlan& plan, const MakeHart& make, const LatencyParameters& latency)
    : clint_(static_cast<unsigned>(plan.harts.size())),
      latency_(latency),
      latency_parameters_(latency),
      inputs_(plan.harts.size()) {
  uarts_.reserve(count_uarts(plan));
  if (plan.shared_memory) shared_memory_.emplace(*plan.shared_memory);
  for (unsigned n = 0; n < plan.harts.size(); ++n) {
    buses_.emplace_back(n, reservations_);
    harts_.push_back(make(n, plan.harts[n], buses_[n]));
    cores_.push_back(dynamic_cast<Core*>(harts_[n].get()));
    exact_ |= harts_[n]->exact;
    hart_ids_.push_back(plan.harts[n].hart_id);
    harts_[n]->show_time(clint_);
    harts_[n]->connect(*this);
    harts_[n]->show_stress(latency_);
    if (shared_memory_) harts_[n]->show_shared_memory(*shared_memory_);
  }
  std::map<std::string, Placed> placed;
  for (const RegionPlan& region : plan.regions) {
    if (region.is_memory()) {
      attach_memory(region);
    } else if (const auto device = place(region, plan)) {
      for (const unsigned hart : region.harts) buses_[hart].attach(region.base, region.size, *device->device);
      placed.emplace(region.name, *device);
    } else {
      for (const unsigned hart : region.harts) harts_[hart]->attach(region);
    }
  }
  for (const auto& [name, device] : placed) {
    if (device.source != nullptr) sources_.push_back(device.source);
  }
  for (const WirePlan& wire : plan.wires) {
    const auto from = placed.find(wire.from);
    if (from == placed.end() || from->second.source == nullptr) refuse("wire", wire.from, "no such interrupt");
    connect(wire, *from->second.source, from->second.first_output + wire.output);
  }
  if (uarts_.empty()) uarts_.emplace_back();
  for (const Wire& wire : plic_inputs_) {
    if (wire.from == &uart()) uart().hold_until_enabled();
  }
  reset();
}

void System::attach_memory(const RegionPlan& region) {
  const bool shared = !region.own && harts_.size() > 1;
  for (const unsigned hart : region.harts) {
    if (region.own || hart == region.harts.front()) {
      std::uint8_t* const own = shared ? nullptr : harts_[hart]->own_memory(region);
      memories_.push_back(own == nullptr ? std::make_unique<Memory>(region.base, region.size, shared)
                                         : std::make_unique<Memory>(region.base, own, region.size));
    }
    buses_[hart].attach(*memories_.back());
    if (region.coherent) harts_[hart]->show_coherent(region);
  }
}

std::optional<System::Placed> System::place(const RegionPlan& region, const PlatformPlan& plan) {
  if (region.block == kClicBlock || region.block == kClicUserBlock) return std::nullopt;
  if (region.block == kHostBlock) return Placed{&host_, nullptr, 0};
  if (region.block == kClintBlock) return Placed{&clint_, &clint_, 0};
  if (region.block == kPlicBlock) return Placed{&plic_, &plic_, 0};
  if (region.block == kProbeBlock) {
    const auto is_probe = [](const RegionPlan& other) { return other.block == kProbeBlock; };
    const auto to_plic = [&](const WirePlan& wire) {
      return wire.from == region.name && std::holds_alternative<PlicSource>(wire.to);
    };
    const bool only = std::count_if(plan.regions.begin(), plan.regions.end(), is_probe) == 1;
    const bool of_application = std::any_of(plan.wires.begin(), plan.wires.end(), to_plic);
    Latency& block = of_application && !only ? plic_latencies_.emplace_back(latency_parameters_) : latency_;
    if (of_application) block.access_at_begin();
    return Placed{&block, &block, 0};
  }
  if (region.block == kUartBlock) {
    if (!region.console) main_uart_ = uarts_.size();
    consoles_.push_back(region.console);
    uarts_.emplace_back();
    return Placed{&uarts_.back(), &uarts_.back(), 0};
  }
  if (region.block == kBellsBlock) return Placed{&bells_.registers(), &bells_, 0};
  if (region.block == kBellPagesBlock) return Placed{&bells_.pages(), nullptr, 0};
  if (region.block != kMailboxBlock) refuse("region", region.name, "the model has no device '" + region.block + "'");
  const auto is_peer = [&](const RegionPlan& other) { return other.name == region.peer && other.peer == region.name; };
  if (std::none_of(plan.regions.begin(), plan.regions.end(), is_peer)) {
    refuse("region", region.name, "its peer '" + region.peer + "' is no other side of it");
  }
  auto known = std::find(mailbox_sides_.begin(), mailbox_sides_.end(), region.name);
  if (known == mailbox_sides_.end()) {
    mailboxes_.emplace_back();
    known = mailbox_sides_.insert(mailbox_sides_.end(), {region.name, region.peer});
  }
  const auto number = static_cast<std::size_t>(known - mailbox_sides_.begin());
  Mailbox& mailbox = mailboxes_[number / Mailbox::kSides];
  const auto side = static_cast<unsigned>(number % Mailbox::kSides);
  return Placed{&mailbox.port(side), &mailbox, side};
}

void System::connect(const WirePlan& wire, InterruptSource& from, unsigned output) {
  if (const auto* to = std::get_if<PlicSource>(&wire.to)) {
    if (to->source == 0 || to->source >= Plic::kSources) refuse("wire", wire.from, "the PLIC has no such source");
    plic_inputs_.push_back({&from, output, to->source});
  } else if (const auto* line = std::get_if<HartLine>(&wire.to)) {
    inputs_[line->hart].lines.push_back({&from, output, line->line});
    inputs_[line->hart].device_lines |= std::uint64_t{1} << line->line;
  } else {
    const auto& interrupt = std::get<HartInterrupt>(wire.to);
    if (&from == &plic_ && output >= Plic::kContexts) refuse("wire", wire.from, "the PLIC has no such context");
    inputs_[interrupt.hart].interrupts.push_back({&from, output, interrupt.interrupt});
  }
}

Core& System::core(unsigned n) {
  if (cores_[n] == nullptr) throw std::invalid_argument("hart " + std::to_string(n) + " is none of the model's own");
  return *cores_[n];
}

void System::reset() {
  clint_.reset();
  for (Uart& uart : uarts_) uart.reset();
  console_.reset();
  host_.reset();
  latency_.reset();
  rises_.clear();
  for (Latency& latency : plic_latencies_) latency.reset();
  for (Mailbox& mailbox : mailboxes_) mailbox.reset();
  bells_.reset();
  plic_.reset();
  reservations_.clear();
  if (shared_memory_) shared_memory_->reset();
  for (const auto& hart : harts_) hart->reset();
  for (Inputs& inputs : inputs_) inputs.host_lines = 0;
}

void System::reset_hart(unsigned hart) {
  const std::uint64_t time = now();
  clint_.reset_hart(hart, time);
  HartPort& one = *harts_[hart];
  one.reset();
  one.time = one.since = time;
  // Its CLIC sees the lines as they are.
  const std::uint64_t lines = lines_of(hart, time);
  for (unsigned line = 0; line < kLines; ++line) {
    if (((lines >> line) & 1U) != 0) one.drive_line(line, true);
  }
}

void System::notify(std::uint32_t hart, unsigned vector) {
  for (unsigned n = 0; n < harts(); ++n) {
    if (hart_ids_[n] == hart) harts_[n]->notified(vector);
  }
}

std::uint64_t System::retired() const {
  std::uint64_t count = 0;
  for (const auto& hart : harts_) count += hart->retired();
  return count;
}

void System::observe(AccessObserver& observer) {
  observer_ = &observer;
  for (Bus& bus : buses_) bus.observe(&observer);
}

void System::flush() {
  for (const auto& hart : harts_) hart->flush();
}

void System::set_line(unsigned hart, unsigned line, bool level) {
  std::uint64_t& lines = inputs_[hart].host_lines;
  const std::uint64_t bit = std::uint64_t{1} << line;
  lines = level ? lines | bit : lines & ~bit;
  harts_[hart]->drive_line(line, (lines_of(hart, now()) & bit) != 0);
}

/** Platform lines of a hart: the host and devices drive them. */
std::uint64_t System::lines_of(unsigned hart, std::uint64_t time) {
  std::uint64_t lines = inputs_[hart].host_lines;
  for (const Wire& wire : inputs_[hart].lines) {
    lines |= std::uint64_t{wire.from->level(wire.output, time)} << wire.number;
  }
  return lines;
}

/** Standard interrupts of a hart. */
std::uint64_t System::pending(unsigned hart, std::uint64_t time) {
  // After each access to a device there is a turn of some hart: the PLIC misses no change of a wire.
  for (const Wire& wire : plic_inputs_) plic_.drive(wire.number, wire.from->level(wire.output, time));
  std::uint64_t bits = 0;
  for (const Wire& wire : inputs_[hart].interrupts) {
    bits |= std::uint64_t{wire.from->level(wire.output, time)} << wire.number;
  }
  return bits;
}

std::uint64_t System::next_event(std::uint64_t time) const {
  std::uint64_t next = kNever;
  for (const InterruptSource* source : sources_) next = std::min(next, source->next_event(time));
  return next;
}

unsigned System::next_hart() const {
  const auto before = [](const HartPort& one, const HartPort& other) {
    return one.time != other.time ? one.time < other.time : one.exact && !other.exact;
  };
  unsigned next = 0;
  for (unsigned n = 1; n < harts_.size(); ++n) {
    if (before(*harts_[n], *harts_[next])) next = n;
  }
  return next;
}

bool System::another_may_wake(const HartPort& hart) const {
  return hart.waiting && std::any_of(harts_.begin(), harts_.end(), [&](const auto& other) {
           return other.get() != &hart && other->asleep && other->time <= hart.time;
         });
}

std::uint64_t System::end_of_turn(HartPort& hart, std::uint64_t turn, std::uint64_t limit) const {
  std::uint64_t reached = kNever;
  for (const auto& other : harts_) {
    if (other.get() != &hart && !other->asleep) reached = std::min(reached, other->time);
  }
  // Nothing but a device wakes the others, and an access to one ends a slice.
  if (reached == kNever) return another_may_wake(hart) ? std::min(limit, hart.time + 1) : limit;
  if (!hart.waiting) return std::min(limit, hart.time + turn);
  hart.time = std::max(hart.time, std::min(reached, limit - 1));
  return hart.time + 1;
}

std::uint64_t System::next_meeting(const HartPort& hart, std::uint64_t turn, std::uint64_t limit) const {
  std::uint64_t reached = kNever, exact = kNever;
  for (const auto& other : harts_) {
    if (other.get() == &hart || other->asleep) continue;
    reached = std::min(reached, other->time);
    if (other->exact) exact = std::min(exact, other->time);
  }
  // It looks at its inputs at its own time. Nothing that others do changes them before the others' time.
  if (hart.waiting) {
    return std::min(limit, another_may_wake(hart) ? hart.time + 1 : std::max(reached, hart.time + 1));
  }
  // An instruction of a modelled hart comes behind the cycles of the hardware in which it begins.
  if (hart.exact) return std::min(limit, reached == kNever ? kNever : reached + 1);
  limit = std::min(limit, exact);
  return reached == kNever ? limit : std::min(limit, hart.time + turn);
}

void System::wake(unsigned by, std::uint64_t time) {
  for (unsigned n = 0; n < harts_.size(); ++n) {
    if (n != by && harts_[n]->waiting) harts_[n]->time = std::max(harts_[n]->time, time);
  }
}

void System::watch(std::span<const tz_watch> watches) {
  const auto same = [](const tz_watch& a, const tz_watch& b) {
    return a.address == b.address && a.size == b.size && a.kind == b.kind && a.hart == b.hart;
  };
  if (std::equal(watches.begin(), watches.end(), watches_.begin(), watches_.end(), same)) return;
  watches_.assign(watches.begin(), watches.end());
  for (const auto& hart : harts_) hart->watch(watches);
}

void System::run(const tz_run_args& args, tz_run_result& result) {
  result = {};
  watch({args.watches, args.num_watches});
  latency_.keep_rises(args.rises != nullptr);
  if (!plic_latencies_.empty()) plic_latencies_.front().keep_rises(args.rises != nullptr);
  result.stop = TZ_STOP_CYCLES;
  host_.forget_exits();
  const std::uint64_t retired_limit = args.max_retired == 0 ? kNever : retired() + args.max_retired;
  const std::uint64_t turn = InstructionCount::turn(harts(), args.turn);
  std::uint64_t until = args.until_cycle;
  bool running = true;
  // Between two runs a hart may have been reset, driven, or written by a debugger: it looks at its inputs again.
  for (const auto& hart : harts_) hart->asleep = false;
  while (running) {
    const unsigned number = next_hart();
    HartPort& hart = *harts_[number];
    if (hart.time >= until) break;
    std::uint64_t limit = std::min(until, next_event(hart.time));
    if (exact_) {
      limit = next_meeting(hart, turn, limit);
    } else if (turn == 1) {
      limit = std::min(limit, hart.time + 1);
    } else if (turn != kNever) {
      limit = end_of_turn(hart, turn, limit);
    }
    const std::uint64_t time = hart.time;
    const bool was_waiting = hart.waiting;
    const std::uint64_t own_limit = retired_limit == kNever ? kNever : retired_limit - (retired() - hart.retired());
    Bus& bus = buses_[number];
    bus.forget_device_access();
    running = hart.run(
        {limit, own_limit, pending(number, time), lines_of(number, time), inputs_[number].device_lines, args, result});
    hart.asleep = was_waiting && hart.waiting;
    if (observer_ != nullptr && observer_->code_changed()) flush();
    if (exact_ && bus.device_access() != kNever) wake(number, bus.device_access() + 1);
    gather_output(hart.time);
    if (!console_.output().empty()) running &= drain_console(args, result);
    if (host_.any_exit()) {
      result.stop = TZ_STOP_EXIT;
      running = false;
    }
    // The hardware stops at the end of a cycle, and all harts there. The store of an exit retires in the cycle behind
    // its grant.
    if (exact_ && !running && result.stop == TZ_STOP_EXIT) {
      if (bus.device_access() != kNever) until = std::min(until, bus.device_access() + 2);
      running = true;
    } else if (hart.exact && !running && (result.stop == TZ_STOP_CLAIM || result.stop == TZ_STOP_RETIRED)) {
      until = std::min(until, hart.time);
      running = true;
    }
  }
  if (args.finish != 0) console_.finish();
  if (args.finish != 0) drain_console(args, result);
  result.cycle = now();
  result.retired = retired();
  if (args.rises != nullptr) {
    gather_rises(result.cycle);
    if (!drain_rises(args, result)) result.stop = std::max(result.stop, TZ_STOP_RECORDS);
  }
  report(args);
  const bool waiting = std::all_of(harts_.begin(), harts_.end(), [](const auto& hart) { return hart->waiting; });
  result.asleep = waiting && next_event(result.cycle) == kNever ? 1 : 0;
}

void System::report(const tz_run_args& args) const {
  for (unsigned n = 0; args.harts != nullptr && n < harts_.size(); ++n) {
    const HartPort& hart = *harts_[n];
    const std::optional<std::uint32_t> exit_code = host_.exit_code(n);
    args.harts[n] = {hart.pc(),
                     hart.waiting || hart.exact ? hart.since : hart.time,
                     hart.retired(),
                     hart.waiting ? 1U : 0U,
                     exit_code ? 1U : 0U,
                     exit_code.value_or(0),
                     {}};
    std::copy(hart.first_in_mode.begin(), hart.first_in_mode.end(), args.harts[n].first);
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
    const HartPort& hart = *harts_[next_hart()];
    one.until_cycle = hart.waiting ? args.until_cycle : std::min(args.until_cycle, hart.time + 1);
    run(one, result.run);
  } while (result.run.num_records == 0 && result.run.stop == TZ_STOP_CYCLES && result.run.cycle < args.until_cycle);
  for (std::size_t i = 0; i < result.run.num_claims; ++i) result.entered |= std::uint64_t{1} << args.claims[i].hart;
  result.boundary = (std::uint64_t{1} << harts_.size()) - 1;
  if (result.run.stop == TZ_STOP_RECORDS) result.run.stop = TZ_STOP_RETIRED;
}

std::unique_ptr<System::Snapshot> System::save_but_memories() const {
  auto snapshot = std::make_unique<Snapshot>(Snapshot{
      {}, reservations_, clint_, uarts_, console_, host_, latency_, plic_latencies_, {}, bells_.save(), plic_, {}, {}});
  snapshot->shared_memory = shared_memory_;
  for (const Mailbox& mailbox : mailboxes_) snapshot->mailboxes.push_back(mailbox.save());
  for (const auto& hart : harts_) snapshot->harts.push_back(hart->save());
  for (const Inputs& inputs : inputs_) snapshot->lines.push_back(inputs.host_lines);
  return snapshot;
}

std::unique_ptr<System::Snapshot> System::save() const {
  auto snapshot = save_but_memories();
  for (const auto& memory : memories_) snapshot->memories.emplace_back(memory->data.begin(), memory->data.end());
  return snapshot;
}

BusRead System::look(unsigned hart, std::uint64_t address, unsigned enables) {
  const auto here = save_but_memories();
  const BusRead read = bus(hart).read(address, enables, harts_[hart]->time);
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
  rises_.clear();
  std::copy(snapshot.plic_latencies.begin(), snapshot.plic_latencies.end(), plic_latencies_.begin());
  for (std::size_t n = 0; n < mailboxes_.size(); ++n) mailboxes_[n].restore(snapshot.mailboxes[n]);
  bells_.restore(snapshot.bells);
  plic_ = snapshot.plic;
  if (shared_memory_) *shared_memory_ = *snapshot.shared_memory;
  for (std::size_t n = 0; n < harts_.size(); ++n) {
    harts_[n]->restore(*snapshot.harts[n]);
    inputs_[n].host_lines = snapshot.lines[n];
  }
}

}  // namespace trapeze::model
