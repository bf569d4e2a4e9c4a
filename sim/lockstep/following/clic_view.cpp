// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/clic_view.h"

#include <algorithm>
#include <cstdio>

#include "model/memory/device.h"

namespace trapeze::following {
ClicView::ClicView(unsigned sources, unsigned ctl_bits, bool staged)
    : sources_(sources), staged_(staged), absent_ctl_(model::absent_ctl(ctl_bits)) {
  for (Source& source : sources_) source.ctl = static_cast<std::uint8_t>(TRAPEZE_CLIC_IRQ_CTL_RESET | absent_ctl_);
  levels_.bits = TRAPEZE_CLIC_MCLICCFG_RESET;
}

// --- registers

std::optional<std::uint32_t> ClicView::read(std::uint32_t offset, unsigned enables, std::uint64_t now) {
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) return levels_.bits;
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (!id) return 0;
  const Tri ip = pending(sources_[*id]);
  if (ip == Tri::kUnknown && (enables & ClicSource::kPendingLane) != 0) return std::nullopt;
  return sources_[*id].word(ip == Tri::kOn);
}

void ClicView::write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now) {
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) levels_.write(enables, value);
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (!id) return;
  Source& source = sources_[*id];
  const Source before = source;
  write_source(source, enables, value, now);
  written_ = {now, *id, before, keeps(before, source, enables, value)};
  if (!written_->kept) blank_ = now + 1;
  note_change(source, now);
}

void ClicView::write_source(Source& source, unsigned enables, std::uint32_t value, std::uint64_t now) {
  const Source before = source;
  source.write(enables, value, absent_ctl_);
  if (source.trigger != before.trigger) {
    source.retriggered = now;
    source.was_edge = before.is_edge();
    if (!source.was_edge) source.latched = Tri::kOff;
  }
  const std::optional<bool> pending = ClicSource::written_pending(enables, value);
  if (pending && source.is_edge()) source.latched = to_tri(*pending);
}

bool ClicView::keeps(const Source& before, const Source& after, unsigned enables, std::uint32_t value) {
  const std::optional<bool> written = ClicSource::written_pending(enables, value);
  if (!after.enabled) return false;
  if (after.is_edge()) return written.value_or(before.is_edge());
  return before.trigger == after.trigger;
}

std::string ClicView::check_read(std::uint32_t offset, unsigned enables, std::uint32_t value) {
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (!id || (enables & ClicSource::kPendingLane) == 0 || pending(sources_[*id]) != Tri::kUnknown) return {};
  Source& source = sources_[*id];
  if (source.is_edge()) source.latched = to_tri((value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0);
  const std::uint32_t known = source.word(false);
  const std::uint32_t lanes = model::lane_mask(enables);
  if (((value ^ known) & lanes & ~TRAPEZE_CLIC_IRQ_IP_IP_MASK) == 0) return {};
  char text[96];
  std::snprintf(text, sizeof text, "the word of a CLIC source reads %08x; but for ip it must be %08x", value & lanes,
                known & lanes);
  return text;
}

// --- gateways

Tri ClicView::pending(const Source& source) {
  return source.is_edge() ? source.latched : to_tri(source.wire != source.is_negative());
}

void ClicView::change(Source& source, bool level) {
  const bool moved = source.wire != level;
  source.wire = level;
  if (moved && source.is_edge() && level != source.is_negative()) source.latched = Tri::kOn;
}

void ClicView::sample(const Sample& sample) {
  Source& source = sources_[sample.id];
  if (source.wire != sample.level) note_change(source, sample.cycle);
  if (written_ && written_->id == sample.id && written_->cycle == sample.cycle) change(written_->before, sample.level);
  if (source.retriggered != sample.cycle) {
    change(source, sample.level);
    return;
  }
  // Edges of the new kind count from the next cycle on; one of the old kind may just have counted.
  const bool moved = source.wire != sample.level;
  source.wire = sample.level;
  if (moved && source.was_edge && source.is_edge() && source.latched == Tri::kOff) source.latched = Tri::kUnknown;
}

void ClicView::drive_later(unsigned id, bool level, std::uint64_t cycle) {
  const auto behind = std::upper_bound(later_.begin(), later_.end(), cycle,
                                       [](std::uint64_t value, const Sample& sample) { return value < sample.cycle; });
  later_.insert(behind, {cycle, id, level});
}

void ClicView::advance(std::uint64_t now) {
  now_ = now;
  std::size_t done = 0;
  for (; done < later_.size() && later_[done].cycle < now; ++done) sample(later_[done]);
  later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(done));
}

// --- selection

ClicOffer ClicView::offer(unsigned id) const {
  return {true, id, levels_.of(sources_[id]), sources_[id].vectored};
}

bool ClicView::outranks(unsigned a, unsigned b) const {
  return sources_[a].ctl != sources_[b].ctl ? sources_[a].ctl > sources_[b].ctl : a > b;
}

ClicOffer ClicView::best() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = sources_[id];
    if (pending(source) != Tri::kOn || !levels_.competes(source)) continue;
    if (!winner || outranks(id, *winner)) winner = id;
  }
  return winner ? offer(*winner) : ClicOffer{};
}

std::optional<unsigned> ClicView::found() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = as_seen(id);
    if (pending(source) != Tri::kOn || !source.enabled || unsettled(id)) continue;  // level 0 loses to all others
    if (!winner || source.ctl >= as_seen(*winner).ctl) winner = id;
  }
  return winner;
}

ClicOffer ClicView::seen() const {
  if (blank(now_) && !disturbed()) return {};
  const std::optional<unsigned> winner = found();
  return winner && !ended(*winner) && levels_.competes(sources_[*winner]) ? offer(*winner) : ClicOffer{};
}

ClicOffer ClicView::possible(unsigned id) const {
  if (id >= sources_.size() || ended(id) || pending(sources_[id]) == Tri::kOff || !levels_.competes(sources_[id]))
    return {};
  if (unsettled(id)) return offer(id);
  const Source& source = as_seen(id);
  if (pending(source) == Tri::kOff || !source.enabled) return {};
  const std::optional<unsigned> sure = found();
  if (!sure || *sure == id) return offer(id);
  const std::uint8_t above = as_seen(*sure).ctl;
  return above > source.ctl || (above == source.ctl && *sure > id) ? ClicOffer{} : offer(id);
}

std::vector<ClicOffer> ClicView::candidates() const {
  std::vector<ClicOffer> all = {seen()};
  for (unsigned id = 0; id < sources_.size(); ++id) {
    if (pending(sources_[id]) != Tri::kUnknown && pending(as_seen(id)) != Tri::kUnknown && !unsettled(id)) continue;
    if (const ClicOffer one = possible(id); one.valid) all.push_back(one);
  }
  return all;
}

void ClicView::claim(unsigned id, std::uint64_t now) {
  Source& source = sources_[id];
  if (!source.is_edge()) return;
  source.latched = Tri::kOff;
  blank_ = now + 1;
  note_change(source, now);
}

void ClicView::shown(const ClicOffer& winner) {
  for (unsigned id = 0; id < sources_.size(); ++id) {
    Source& source = sources_[id];
    if (!source.is_edge() || source.latched != Tri::kUnknown || !levels_.competes(source) || fresh(id)) continue;
    if (!winner.valid || (outranks(id, winner.id) && !unsettled(id))) source.latched = Tri::kOff;
  }
}

}  // namespace trapeze::following
