// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/following/clic_view.h"

#include <algorithm>
#include <cstdio>

#include "model/memory/device.h"

namespace trapeze::following {
ClicView::ClicView(unsigned sources, unsigned ctl_bits, bool staged, bool user)
    : sources_(sources), staged_(staged), absent_ctl_(model::absent_ctl(ctl_bits)) {
  for (Source& source : sources_) source.ctl = static_cast<std::uint8_t>(TRAPEZE_CLIC_IRQ_CTL_RESET | absent_ctl_);
  config_.has_user = user;
}

// --- registers

std::optional<unsigned> ClicView::seen_at(std::uint32_t offset, unsigned region) const {
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  const bool hidden = id && region == model::kUser && config_.privilege(sources_[*id]) != model::kUser;
  return hidden ? std::nullopt : id;
}

std::optional<std::uint32_t> ClicView::read(std::uint32_t offset, unsigned enables, std::uint64_t now,
                                            unsigned region) {
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) return region == model::kUser ? config_.user_word() : config_.word();
  const std::optional<unsigned> id = seen_at(offset, region);
  if (!id) return 0;
  const Tri ip = pending(sources_[*id]);
  if (ip == Tri::kUnknown && (enables & ClicSource::kPendingLane) != 0) return std::nullopt;
  return sources_[*id].word(ip == Tri::kOn, config_.privilege(sources_[*id]));
}

void ClicView::write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now, unsigned region) {
  const bool user = region == model::kUser;
  advance(now);
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) {
    past_configs_.push_back({now + 1, config_});
    user ? config_.write_user(enables, value) : config_.write(enables, value);
  }
  const std::optional<unsigned> id = seen_at(offset, region);
  if (!id) return;
  Source& source = sources_[*id];
  const Source before = source;
  keep(*id, now + 1);
  write_source(source, enables, user ? model::user_written(value) : value, now);
  if (!keeps(before, source, enables, value)) written_ = {now, *id};
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

std::string ClicView::check_read(std::uint32_t offset, unsigned enables, std::uint32_t value, unsigned region) {
  const std::optional<unsigned> id = seen_at(offset, region);
  if (!id || (enables & ClicSource::kPendingLane) == 0 || pending(sources_[*id]) != Tri::kUnknown) return {};
  learn(*id, (value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0);
  const std::uint32_t known = sources_[*id].word(false, config_.privilege(sources_[*id]));
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
  if (source.wire != sample.level) keep(sample.id, sample.cycle);
  for (Past& one : past_) {
    if (one.id == sample.id && one.cycle > sample.cycle) change(one.before, sample.level);
  }
  if (source.retriggered != sample.cycle) {
    change(source, sample.level);
    return;
  }
  // Edges of the new polarity count from the next cycle on. An edge of the old polarity may have come in this cycle.
  const bool moved = source.wire != sample.level;
  source.wire = sample.level;
  if (moved && source.was_edge && source.is_edge() && source.latched == Tri::kOff) source.latched = Tri::kUnknown;
}

/** An edge without the wire: has the effect of an edge of the wire. */
void ClicView::pulse(const Sample& sample) {
  Source& source = sources_[sample.id];
  const auto latch = [](Source& one) {
    if (one.is_edge()) one.latched = Tri::kOn;
  };
  keep(sample.id, sample.cycle);
  for (Past& one : past_) {
    if (one.id == sample.id && one.cycle > sample.cycle) latch(one.before);
  }
  if (source.retriggered != sample.cycle) {
    latch(source);
  } else if (source.was_edge && source.is_edge() && source.latched == Tri::kOff) {
    source.latched = Tri::kUnknown;
  }
}

void ClicView::insert(const Sample& sample) {
  const auto behind = std::upper_bound(later_.begin(), later_.end(), sample.cycle,
                                       [](std::uint64_t value, const Sample& one) { return value < one.cycle; });
  later_.insert(behind, sample);
}

void ClicView::drive_later(unsigned id, bool level, std::uint64_t cycle) {
  for (Sample& one : later_) {
    if (one.id != id || one.cycle != cycle || one.pulse) continue;
    one.level = level;
    return;
  }
  insert({cycle, id, level, false});
}

void ClicView::pulse_later(unsigned id, std::uint64_t cycle) {
  if (id < sources_.size()) insert({cycle, id, false, true});
}

void ClicView::advance(std::uint64_t now) {
  now_ = now;
  std::size_t done = 0;
  for (; done < later_.size() && later_[done].cycle < now; ++done) {
    later_[done].pulse ? pulse(later_[done]) : sample(later_[done]);
  }
  later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(done));
  const auto old = [now](const auto& one) { return one.cycle + kKept < now; };
  std::erase_if(past_, old);
  std::erase_if(past_configs_, old);
}

// --- history

void ClicView::keep(unsigned id, std::uint64_t cycle) {
  const auto behind = std::upper_bound(past_.begin(), past_.end(), cycle,
                                       [](std::uint64_t value, const Past& one) { return value < one.cycle; });
  const auto next = std::find_if(behind, past_.end(), [id](const Past& one) { return one.id == id; });
  const Source before = next == past_.end() ? sources_[id] : next->before;
  past_.insert(behind, {cycle, id, before});
}

const ClicView::Source& ClicView::past(unsigned id, std::uint64_t back) const {
  const std::uint64_t cycle = now_ - std::min(now_, back);
  for (const Past& one : past_) {
    if (one.id == id && one.cycle > cycle) return one.before;
  }
  return sources_[id];
}

const model::ClicConfig& ClicView::past_config(std::uint64_t back) const {
  const std::uint64_t cycle = now_ - std::min(now_, back);
  for (const PastConfig& one : past_configs_) {
    if (one.cycle > cycle) return one.before;
  }
  return config_;
}

Tri ClicView::able(unsigned id, std::uint64_t back) const {
  const Source& source = past(id, back);
  return source.enabled ? pending(source) : Tri::kOff;
}

Tri ClicView::lasts(unsigned id) const {
  const auto ends = [&](const Ending& ending) { return now_ != 0 && ending.cycle == now_ - 1 && ending.id == id; };
  return ends(written_) || ends(claimed_) ? Tri::kOff : able(id, 1);
}

// --- selection

ClicOffer ClicView::offer(unsigned id) const {
  return past_config(0).offer(id, past(id, 0));
}

ClicOffer ClicView::best() const {
  const Source* winner = nullptr;  // the last one of those with the largest rank
  for (const Source& source : sources_) {
    if (pending(source) != Tri::kOn || !source.enabled) continue;
    if (winner == nullptr || config_.rank(source) >= config_.rank(*winner)) winner = &source;
  }
  if (winner == nullptr || config_.level(*winner) == 0) return {};
  return config_.offer(static_cast<unsigned>(winner - sources_.data()), *winner);
}

bool ClicView::wins(unsigned a, unsigned b) const {
  const model::ClicConfig& config = past_config(searched());
  const unsigned one = config.rank(past(a, searched()));
  const unsigned other = config.rank(past(b, searched()));
  return one != other ? one > other : a > b;
}

std::optional<unsigned> ClicView::found() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    if (able(id, searched()) == Tri::kOn && (!winner || wins(id, *winner))) winner = id;
  }
  return winner;
}

ClicOffer ClicView::seen() const {
  const std::optional<unsigned> winner = found();
  if (!winner || lasts(*winner) != Tri::kOn || offer(*winner).level == 0) return {};
  return offer(*winner);
}

ClicOffer ClicView::possible(unsigned id) const {
  if (id >= sources_.size() || able(id, searched()) == Tri::kOff || lasts(id) == Tri::kOff || offer(id).level == 0)
    return {};
  const std::optional<unsigned> sure = found();
  return sure && *sure != id && wins(*sure, id) ? ClicOffer{} : offer(id);
}

std::vector<ClicOffer> ClicView::candidates() const {
  std::vector<ClicOffer> all = {seen()};
  for (unsigned id = 0; id < sources_.size(); ++id) {
    if (able(id, searched()) != Tri::kUnknown && lasts(id) != Tri::kUnknown) continue;
    if (const ClicOffer one = possible(id); one.valid) all.push_back(one);
  }
  return all;
}

void ClicView::claim(unsigned id, std::uint64_t now) {
  claimed_ = {now, id};
  if (!sources_[id].is_edge()) return;
  keep(id, now + 1);
  sources_[id].latched = Tri::kOff;
}

void ClicView::learn(unsigned id, bool is_edge) {
  const auto know = [is_edge](Source& source) {
    if (source.latched == Tri::kUnknown) source.latched = to_tri(is_edge);
  };
  know(sources_[id]);
  for (Past& one : past_) {
    if (one.id == id) know(one.before);
  }
}

void ClicView::shown(const ClicOffer& winner) {
  if (!winner.valid) return;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    if (able(id, searched()) == Tri::kUnknown && wins(id, winner.id)) learn(id, false);
  }
}

}  // namespace trapeze::following
