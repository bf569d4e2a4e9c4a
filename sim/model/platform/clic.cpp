// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/clic.h"

#include <trapeze/clic.h>

#include <algorithm>
#include <cstdio>

namespace trapeze::model {
namespace {

/** A source is one word: ip, ie, attr, ctl from the lowest byte. */
constexpr std::uint32_t kSources = TRAPEZE_CLIC_IRQ_IP_OFFSET;
constexpr unsigned kPendingLane = 1U << (TRAPEZE_CLIC_IRQ_IP_OFFSET % 4);
constexpr unsigned kEnableLane = 1U << (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
constexpr unsigned kAttributeLane = 1U << (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
constexpr unsigned kControlLane = 1U << (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);
constexpr unsigned kEnableShift = 8 * (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
constexpr unsigned kAttributeShift = 8 * (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
constexpr unsigned kControlShift = 8 * (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);
constexpr unsigned kLevelBitsMost = 8;

constexpr Tri invert(Tri value) {
  return value == Tri::kUnknown ? value : to_tri(value == Tri::kOff);
}

}  // namespace

Clic::Clic(unsigned sources, unsigned ctl_bits, bool staged)
    : sources_(sources), staged_(staged), absent_ctl_(static_cast<std::uint8_t>((1U << (8 - ctl_bits)) - 1)) {
  reset();
}

void Clic::reset() {
  for (Source& source : sources_) {
    source = {};
    source.ctl = static_cast<std::uint8_t>(TRAPEZE_CLIC_IRQ_CTL_RESET | absent_ctl_);
  }
  later_.clear();
  level_bits_ = TRAPEZE_CLIC_MCLICCFG_RESET;
  blank_ = changed_ = kNever;
  written_.reset();
}

// --- registers

const Clic::Source* Clic::source_at(std::uint32_t offset) const {
  const std::uint32_t index = (offset - kSources) / TRAPEZE_CLIC_IRQ_IP_STRIDE;
  return offset >= kSources && index < sources_.size() ? &sources_[index] : nullptr;
}

DeviceRead Clic::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) return {level_bits_, false, false};
  const Source* source = source_at(offset);
  if (source == nullptr) return {};
  const Tri ip = pending(*source);
  std::uint32_t value = ip == Tri::kOn ? TRAPEZE_CLIC_IRQ_IP_IP_MASK : 0U;
  if (source->enabled) value |= std::uint32_t{TRAPEZE_CLIC_IRQ_IE_IE_MASK} << kEnableShift;
  std::uint32_t attributes = TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK | (source->trigger << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT);
  if (source->vectored) attributes |= TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK;
  value |= (attributes << kAttributeShift) | (std::uint32_t{source->ctl} << kControlShift);
  return {value, false, ip == Tri::kUnknown && (enables & kPendingLane) != 0};
}

bool Clic::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                    const Origin& /*from*/) {
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET && (enables & 1U) != 0) {
    level_bits_ = std::min(value & TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK, kLevelBitsMost);
  }
  if (const Source* source = source_at(offset)) {
    const auto id = static_cast<unsigned>(source - sources_.data());
    const Source before = *source;
    write_source(sources_[id], enables, value, now);
    written_ = {now, id, before, keeps(before, sources_[id], enables, value)};
    if (!written_->kept) blank_ = now + 1;
    note_change(sources_[id], now);
  }
  return true;
}

void Clic::write_source(Source& source, unsigned enables, std::uint32_t value, std::uint64_t now) {
  if ((enables & kEnableLane) != 0) source.enabled = ((value >> kEnableShift) & TRAPEZE_CLIC_IRQ_IE_IE_MASK) != 0;
  if ((enables & kControlLane) != 0) source.ctl = static_cast<std::uint8_t>((value >> kControlShift) | absent_ctl_);
  if ((enables & kAttributeLane) != 0) {
    const std::uint32_t attributes = value >> kAttributeShift;
    const unsigned trigger = (attributes & TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK) >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT;
    source.vectored = (attributes & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK) != 0;
    if (trigger != source.trigger) {
      source.retriggered = now;
      source.was_edge = is_edge(source);
      source.trigger = trigger;
      if (!source.was_edge) source.latched = cleared(source);
    }
  }
  if ((enables & kPendingLane) != 0 && is_edge(source)) {
    source.latched = (value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0 ? Tri::kOn : cleared(source);
  }
}

bool Clic::keeps(const Source& before, const Source& after, unsigned enables, std::uint32_t value) {
  const bool writes = (enables & kPendingLane) != 0;
  const bool sets = writes && (value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0;
  if (!after.enabled) return false;
  if (is_edge(after)) return sets || (is_edge(before) && !writes);
  return before.trigger == after.trigger;
}

std::string Clic::check_read(std::uint32_t offset, unsigned enables, std::uint32_t value) {
  const Source* found = source_at(offset);
  if (found == nullptr || (enables & kPendingLane) == 0 || pending(*found) != Tri::kUnknown) return {};
  Source& source = sources_[found - sources_.data()];
  if (is_edge(source)) source.latched = to_tri((value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0);
  const std::uint32_t known = read(offset, enables & ~kPendingLane, 0).value & ~TRAPEZE_CLIC_IRQ_IP_IP_MASK;
  const std::uint32_t lanes = lane_mask(enables);
  if (((value ^ known) & lanes & ~TRAPEZE_CLIC_IRQ_IP_IP_MASK) == 0) return {};
  char text[96];
  std::snprintf(text, sizeof text, "the word of a CLIC source reads %08x; but for ip it must be %08x", value & lanes,
                known & lanes);
  return text;
}

// --- gateways

Tri Clic::pending(const Source& source) {
  if (is_edge(source)) return source.latched;
  return (source.trigger & 2U) != 0 ? invert(source.wire) : source.wire;
}

void Clic::change(Source& source, Tri level) {
  const Tri before = source.wire;
  source.wire = level;
  if (!is_edge(source) || source.latched == Tri::kOn) return;
  const Tri start = to_tri((source.trigger & 2U) != 0);  // what an edge leaves
  const Tri end = invert(start);
  if (before == start && level == end) {
    source.latched = Tri::kOn;
  } else if (level == Tri::kUnknown || (before == Tri::kUnknown && level == end)) {
    source.latched = Tri::kUnknown;
  }
}

void Clic::sample(const Sample& sample) {
  Source& source = sources_[sample.id];
  if (source.wire != sample.level) note_change(source, sample.cycle);
  if (written_ && written_->id == sample.id && written_->cycle == sample.cycle) change(written_->before, sample.level);
  if (source.retriggered != sample.cycle || sample.level == Tri::kUnknown) {
    change(source, sample.level);
    return;
  }
  // Edges of the new kind count from the next cycle on; one of the old kind may just have counted.
  const bool moved = source.wire != sample.level;
  source.wire = sample.level;
  if (moved && source.was_edge && is_edge(source) && source.latched == Tri::kOff) source.latched = Tri::kUnknown;
}

void Clic::drive_later(unsigned id, Tri level, std::uint64_t cycle) {
  const auto behind = std::upper_bound(later_.begin(), later_.end(), cycle,
                                       [](std::uint64_t value, const Sample& sample) { return value < sample.cycle; });
  later_.insert(behind, {cycle, id, level});
}

void Clic::doubt(unsigned id, std::uint64_t cycle, Tri level, std::uint64_t settled) {
  std::erase_if(later_, [&](const Sample& sample) { return sample.id == id && sample.cycle >= cycle; });
  drive_later(id, Tri::kUnknown, cycle);
  if (level != Tri::kUnknown) drive_later(id, level, settled);
}

void Clic::advance(std::uint64_t now) {
  now_ = now;
  std::size_t done = 0;
  for (; done < later_.size() && later_[done].cycle < now; ++done) sample(later_[done]);
  later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(done));
}

// --- selection

unsigned Clic::level(const Source& source) const {
  const unsigned below = (1U << (8 - level_bits_)) - 1;
  return source.ctl | below;
}

ClicOffer Clic::offer(unsigned id) const {
  return {true, id, level(sources_[id]), sources_[id].vectored};
}

bool Clic::outranks(unsigned a, unsigned b) const {
  return sources_[a].ctl != sources_[b].ctl ? sources_[a].ctl > sources_[b].ctl : a > b;
}

ClicOffer Clic::best() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = sources_[id];
    if (pending(source) != Tri::kOn || !competes(source)) continue;
    if (!winner || outranks(id, *winner)) winner = id;
  }
  return winner ? offer(*winner) : ClicOffer{};
}

std::optional<unsigned> Clic::found() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = as_seen(id);
    if (pending(source) != Tri::kOn || !source.enabled || unsettled(id)) continue;  // level 0 loses to all others
    if (!winner || source.ctl >= as_seen(*winner).ctl) winner = id;
  }
  return winner;
}

ClicOffer Clic::seen() const {
  if (blank(now_) && !disturbed()) return {};
  const std::optional<unsigned> winner = found();
  return winner && !ended(*winner) && competes(sources_[*winner]) ? offer(*winner) : ClicOffer{};
}

ClicOffer Clic::possible(unsigned id) const {
  if (id >= sources_.size() || ended(id) || pending(sources_[id]) == Tri::kOff || !competes(sources_[id])) return {};
  if (unsettled(id)) return offer(id);
  const Source& source = as_seen(id);
  if (pending(source) == Tri::kOff || !source.enabled) return {};
  const std::optional<unsigned> sure = found();
  if (!sure || *sure == id) return offer(id);
  const std::uint8_t above = as_seen(*sure).ctl;
  return above > source.ctl || (above == source.ctl && *sure > id) ? ClicOffer{} : offer(id);
}

std::vector<ClicOffer> Clic::candidates() const {
  std::vector<ClicOffer> all = {seen()};
  for (unsigned id = 0; id < sources_.size(); ++id) {
    if (pending(sources_[id]) != Tri::kUnknown && pending(as_seen(id)) != Tri::kUnknown && !unsettled(id)) continue;
    if (const ClicOffer one = possible(id); one.valid) all.push_back(one);
  }
  return all;
}

void Clic::claim(unsigned id, std::uint64_t now) {
  Source& source = sources_[id];
  if (!is_edge(source)) return;
  source.latched = cleared(source);
  blank_ = now + 1;
  note_change(source, now);
}

void Clic::shown(const ClicOffer& winner) {
  for (unsigned id = 0; id < sources_.size(); ++id) {
    Source& source = sources_[id];
    const bool known_wire = source.wire != Tri::kUnknown;
    if (!is_edge(source) || source.latched != Tri::kUnknown || !known_wire || !competes(source) || fresh(id)) continue;
    if (!winner.valid || (outranks(id, winner.id) && !unsettled(id))) source.latched = Tri::kOff;
  }
}

}  // namespace trapeze::model
