// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/clic.h"

#include <optional>

namespace trapeze::model {

Clic::Clic(unsigned sources, unsigned ctl_bits) : sources_(sources), absent_ctl_(absent_ctl(ctl_bits)) {
  reset();
}

void Clic::reset() {
  for (Source& source : sources_) {
    source = {};
    source.ctl = static_cast<std::uint8_t>(TRAPEZE_CLIC_IRQ_CTL_RESET | absent_ctl_);
  }
  levels_.bits = TRAPEZE_CLIC_MCLICCFG_RESET;
}

// --- registers

DeviceRead Clic::on_read(std::uint32_t offset, unsigned enables, std::uint64_t /*now*/, const Origin& /*from*/) {
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) return {levels_.bits, false, false};
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (!id) return {};
  const Source& source = sources_[*id];
  return {source.word(source.pending()), false, (enables & ClicSource::kPendingLane) != 0};
}

bool Clic::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t /*now*/,
                    const Origin& /*from*/) {
  if (offset == TRAPEZE_CLIC_MCLICCFG_OFFSET) levels_.write(enables, value);
  const std::optional<unsigned> id = ClicSource::at(offset, sources_.size());
  if (!id) return true;
  Source& source = sources_[*id];
  const bool was_edge = source.is_edge();
  source.write(enables, value, absent_ctl_);
  if (!was_edge) source.latched = false;  // no change of the trigger is an edge
  const std::optional<bool> pending = ClicSource::written_pending(enables, value);
  if (pending && source.is_edge()) source.latched = *pending;
  return true;
}

// --- gateways

void Clic::drive(unsigned id, bool level) {
  Source& source = sources_[id];
  if (source.is_edge() && source.wire != level && level != source.is_negative()) source.latched = true;
  source.wire = level;
}

void Clic::claim(unsigned id) {
  sources_[id].latched = false;
}

// --- selection

ClicOffer Clic::offer(unsigned id) const {
  if (id >= sources_.size()) return {};
  return {true, id, levels_.of(sources_[id]), sources_[id].vectored};
}

bool Clic::outranks(unsigned a, unsigned b) const {
  return sources_[a].ctl != sources_[b].ctl ? sources_[a].ctl > sources_[b].ctl : a > b;
}

ClicOffer Clic::best() const {
  std::optional<unsigned> winner;
  for (unsigned id = 0; id < sources_.size(); ++id) {
    const Source& source = sources_[id];
    if (!source.pending() || !levels_.competes(source)) continue;
    if (!winner || outranks(id, *winner)) winner = id;
  }
  return winner ? offer(*winner) : ClicOffer{};
}

}  // namespace trapeze::model
