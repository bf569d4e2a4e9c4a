// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/clic.h"

#include <trapeze/clic_user.h>

#include <optional>

namespace trapeze::model {

Clic::Clic(unsigned sources, unsigned ctl_bits, bool user) : sources_(sources), absent_ctl_(absent_ctl(ctl_bits)) {
  config_.has_user = user;
  reset();
}

void Clic::reset() {
  for (Source& source : sources_) {
    source = {};
    source.ctl = static_cast<std::uint8_t>(TRAPEZE_CLIC_IRQ_CTL_RESET | absent_ctl_);
  }
  const bool user = config_.has_user;
  config_ = {};
  config_.has_user = user;
}

// --- registers

DeviceRead Clic::read_source(const Source& source, unsigned enables) const {
  const std::uint32_t value = source.word(source.pending(), config_.privilege(source));
  return {value, false, (enables & ClicSource::kPendingLane) != 0};
}

void Clic::write_source(Source& source, unsigned enables, std::uint32_t value) {
  const bool was_edge = source.is_edge();
  source.write(enables, value, absent_ctl_);
  if (!was_edge) source.latched = false;  // a change of the trigger is not an edge
  const std::optional<bool> pending = ClicSource::written_pending(enables, value);
  if (pending && source.is_edge()) source.latched = *pending;
}

DeviceRead Clic::on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/, const Origin& /*from*/) {
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) return {config_.word(), false, false};
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  return id ? read_source(sources_[*id], enables) : DeviceRead{};
}

bool Clic::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t /*now*/,
                    const Origin& /*from*/) {
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) config_.write(enables, value);
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (id) write_source(sources_[*id], enables, value);
  return true;
}

DeviceRead Clic::read_user(std::uint32_t offset, unsigned enables) const {
  if (offset == TRAPEZE_CLIC_USER_UCLICCFG_OFFSET) return {config_.user_word(), false, false};
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  return id && is_user(*id) ? read_source(sources_[*id], enables) : DeviceRead{};
}

void Clic::write_user(std::uint32_t offset, unsigned enables, std::uint32_t value) {
  if (offset == TRAPEZE_CLIC_USER_UCLICCFG_OFFSET) config_.write_user(enables, value);
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (id && is_user(*id)) write_source(sources_[*id], enables, user_written(value));
}

// --- gateways

void Clic::drive(unsigned id, bool level) {
  Source& source = sources_[id];
  if (source.is_edge() && source.wire != level && level != source.is_negative()) source.latched = true;
  source.wire = level;
}

void Clic::pulse(unsigned id) {
  if (id < sources_.size() && sources_[id].is_edge()) sources_[id].latched = true;
}

void Clic::claim(unsigned id) {
  sources_[id].latched = false;
}

// --- selection

ClicOffer Clic::offer(unsigned id) const {
  return id < sources_.size() ? config_.offer(id, sources_[id]) : ClicOffer{};
}

ClicOffer Clic::best() const {
  std::optional<unsigned> winner;  // the last one of those with the largest rank
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = sources_[id];
    if (!source.pending() || !source.enabled) continue;
    if (!winner || config_.rank(source) >= config_.rank(sources_[*winner])) winner = id;
  }
  const ClicOffer found = winner ? offer(*winner) : ClicOffer{};
  return found.level != 0 ? found : ClicOffer{};
}

}  // namespace trapeze::model
