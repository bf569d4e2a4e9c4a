// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "coherence/coherence.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace trapeze::coherence {

using model::Actor;
using model::BlockAction;

Coherence::Coherence(const model::PlatformPlan& plan) : fences_(plan.harts.size(), 1) {
  // Harts with supervisor mode run one Linux, which needs their caches to be coherent among themselves: they are one.
  std::optional<unsigned> of_linux;
  for (const model::HartPlan& hart : plan.harts) {
    if (hart.params.zicbom && hart.params.supervisor && of_linux) {
      cache_of_.push_back(*of_linux);
      continue;
    }
    const auto number = static_cast<unsigned>(is_cache_.size());
    if (hart.params.zicbom && hart.params.supervisor) of_linux = number;
    cache_of_.push_back(number);
    is_cache_.push_back(hart.params.zicbom);
  }
  const bool any = std::find(is_cache_.begin(), is_cache_.end(), true) != is_cache_.end();
  for (const model::RegionPlan& region : plan.regions) {
    if (!region.is_memory() || region.own || region.coherent || region.harts.size() < 2) continue;
    regions_.push_back({region.base, region.size, {}});
    regions_.back().pages.resize((region.size + model::kPageBytes - 1) / model::kPageBytes);
  }
  if (!any || is_cache_.size() < 2 || regions_.empty()) {
    throw std::invalid_argument("configuration '" + plan.name +
                                "' has no memory that harts share of which one has a cache of its own (Zicbom)");
  }
}

std::size_t Coherence::find(std::uint64_t address) const {
  const auto holds = [address](const Region& region) { return address - region.base < region.size; };
  return static_cast<std::size_t>(std::find_if(regions_.begin(), regions_.end(), holds) - regions_.begin());
}

std::optional<Coherence::Found> Coherence::line(std::uint64_t address) {
  const std::size_t found = find(address);
  if (found == regions_.size()) return std::nullopt;
  const std::uint64_t offset = address - regions_[found].base;
  std::unique_ptr<Page>& page = regions_[found].pages[offset / model::kPageBytes];
  const auto caches = static_cast<unsigned>(is_cache_.size());
  const auto harts = static_cast<unsigned>(cache_of_.size());
  if (page == nullptr) page = std::make_unique<Page>(caches, harts);
  const auto number = static_cast<unsigned>(offset % model::kPageBytes / kLineBytes);
  return Found{address & ~std::uint64_t{kLineBytes - 1}, page->lines[number], &page->copies[number * caches],
               &page->codes[number * harts]};
}

/** One bit for each byte of an access, which lies in one line. */
Coherence::Bytes Coherence::bytes(std::uint64_t address, std::uint64_t size) {
  return (~Bytes{0} >> (kLineBytes - size)) << (address % kLineBytes);
}

// The number of the hart, and one, stands in the top byte. No address needs it: those of Sv39 are sign-extended.
constexpr unsigned kHartShift = 56;

Coherence::Place Coherence::place(const Actor& actor) {
  return (Place{actor.hart} + 1) << kHartShift | (actor.pc & ((Place{1} << kHartShift) - 1));
}

Actor Coherence::actor(Place place) {
  constexpr unsigned kSpare = 64 - kHartShift;
  const auto pc = static_cast<std::uint64_t>(static_cast<std::int64_t>(place << kSpare) >> kSpare);
  return {static_cast<unsigned>(place >> kHartShift) - 1, pc};
}

Coherence::Place Coherence::writer(const Found& at, unsigned byte, unsigned but) const {
  for (unsigned cache = 0; cache < is_cache_.size(); ++cache) {
    const Place place = at.copies[cache].wrote[byte / 8];
    if (cache != but && place != 0) return place;
  }
  return 0;
}

void Coherence::report(tz_incoherence_kind kind, const Actor& by, const Found& at, Bytes where, Place other,
                       Place third) {
  // Code that was not handed over is wrong in each of its instructions.
  const bool fetches = kind == TZ_FETCHES_UNWRITTEN || kind == TZ_FETCHES_OLD_COPY;
  if (!known_.emplace(kind, fetches ? by.hart : place(by), other).second) return;
  const Actor one = actor(other);
  const Actor two = third != 0 ? actor(third) : Actor{};
  const auto byte = static_cast<unsigned>(std::countr_zero(where));
  found_.push_back(
      {static_cast<std::uint32_t>(kind), by.hart, by.pc, at.address + byte, one.pc, one.hart, two.hart, two.pc});
}

void Coherence::suspect(const Actor& by, const Found& at, Bytes read) {
  if (const Bytes lost = at.line.discarded & read; lost != 0) {
    const auto byte = static_cast<unsigned>(std::countr_zero(lost));
    const unsigned cache = cache_of_[actor(at.line.discarder).hart];
    report(TZ_READS_DISCARDED, by, at, lost, at.copies[cache].wrote[byte / 8], at.line.discarder);
  }
  if (const Bytes lost = at.line.overwritten & read; lost != 0) {
    const auto byte = static_cast<unsigned>(std::countr_zero(lost));
    const unsigned cache = cache_of_[actor(at.line.overwriter).hart];
    report(TZ_READS_OVERWRITTEN, by, at, lost, writer(at, byte, cache), at.line.overwriter);
  }
}

void Coherence::load(const Actor& by, std::uint64_t address, unsigned size) {
  auto at = line(address);
  if (!at) return;
  const unsigned own = cache_of_[by.hart];
  Copy& mine = at->copies[own];
  const Bytes read = bytes(address, size) & ~mine.dirty;
  for (unsigned cache = 0; cache < is_cache_.size(); ++cache) {
    const Bytes unwritten = cache == own ? 0 : at->copies[cache].dirty & read;
    if (unwritten == 0) continue;
    const auto byte = static_cast<unsigned>(std::countr_zero(unwritten));
    report(TZ_READS_UNWRITTEN, by, *at, unwritten, at->copies[cache].wrote[byte / 8]);
  }
  suspect(by, *at, read);
  if (!is_cache_[own]) return;
  if (const Bytes old = mine.old & read; old != 0) {
    report(TZ_READS_OLD_COPY, by, *at, old, writer(*at, static_cast<unsigned>(std::countr_zero(old)), own));
  }
  mine.held = true;
}

void Coherence::store(const Actor& by, std::uint64_t address, unsigned size) {
  auto at = line(address);
  if (!at) return;
  const unsigned own = cache_of_[by.hart];
  Copy& mine = at->copies[own];
  const Bytes written = bytes(address, size);
  for (unsigned cache = 0; cache < is_cache_.size(); ++cache) {
    const Bytes dirty = cache == own ? 0 : at->copies[cache].dirty;
    if (dirty == 0) continue;
    const auto byte = static_cast<unsigned>(std::countr_zero(dirty));
    report(TZ_WRITES_BESIDE, by, *at, written, at->copies[cache].wrote[byte / 8]);
  }
  // No harm is done if all of the line is written: who gets a free page does so.
  if (const Bytes old = mine.old & ~written; old != 0) {
    at->line.overwritten |= old;
    at->line.overwriter = place(by);
  }
  at->line.discarded &= ~written;
  at->line.overwritten &= ~written;
  mine.old &= ~written;
  mine.wrote[address % kLineBytes / 8] = place(by);
  if (is_cache_[own]) {
    mine.dirty |= written;
    mine.held = true;
    decode_anew(*at, own);
  } else {
    changed(*at, written, own);
  }
}

void Coherence::changed(Found& at, Bytes changed, unsigned but) {
  if (changed == 0) return;
  for (unsigned cache = 0; cache < is_cache_.size(); ++cache) {
    if (cache != but && at.copies[cache].held) at.copies[cache].old |= changed;
  }
  for (unsigned hart = 0; hart < cache_of_.size(); ++hart) {
    Code& code = at.codes[hart];
    if (cache_of_[hart] != but && code.fetched == fences_[hart]) code.old = fences_[hart];
  }
  decode_anew(at, but);
}

void Coherence::decode_anew(Found& at, unsigned but) {
  for (unsigned hart = 0; hart < cache_of_.size(); ++hart) {
    if (cache_of_[hart] == but || !at.codes[hart].decoded) continue;
    at.codes[hart].decoded = false;
    code_changed_ = true;
  }
}

void Coherence::fetch(const Actor& by, std::uint64_t address, std::uint64_t size) {
  const unsigned own = cache_of_[by.hart];
  for (std::uint64_t from = address, end = address + size; from < end;) {
    auto at = line(from);
    if (!at) return;
    const std::uint64_t part = std::min(end, at->address + kLineBytes) - from;
    const Bytes read = bytes(from, part);
    const Actor there{by.hart, by.pc + (from - address)};
    for (unsigned cache = 0; cache < is_cache_.size(); ++cache) {
      const Bytes unwritten = cache == own ? 0 : at->copies[cache].dirty & read;
      if (unwritten == 0) continue;
      const auto byte = static_cast<unsigned>(std::countr_zero(unwritten));
      report(TZ_FETCHES_UNWRITTEN, there, *at, unwritten, at->copies[cache].wrote[byte / 8]);
    }
    suspect(there, *at, read);
    Code& code = at->codes[by.hart];
    if (is_cache_[own] && code.old == fences_[by.hart]) {
      const auto byte = static_cast<unsigned>(std::countr_zero(read));
      if (const Place other = writer(*at, byte, own); other != 0) {
        report(TZ_FETCHES_OLD_COPY, there, *at, read, other);
      }
    }
    code.fetched = fences_[by.hart];
    code.decoded = true;
    from += part;
  }
}

void Coherence::manage(const Actor& by, BlockAction action, std::uint64_t address) {
  auto at = line(address);
  const unsigned own = cache_of_[by.hart];
  if (!at || !is_cache_[own]) return;
  Copy& mine = at->copies[own];
  if (action == BlockAction::kInvalidate) {
    if (mine.dirty != 0) {
      at->line.discarded |= mine.dirty;
      at->line.discarder = place(by);
    }
  } else {
    changed(*at, mine.dirty, own);
  }
  mine.dirty = 0;
  if (action == BlockAction::kClean) return;
  mine.old = 0;
  mine.held = false;
}

template <typename Each>
void Coherence::for_all(Each&& each) {
  for (Region& region : regions_) {
    for (std::size_t n = 0; n < region.pages.size(); ++n) {
      if (region.pages[n] != nullptr) each(*region.pages[n]);
    }
  }
}

void Coherence::reset(unsigned hart) {
  const unsigned own = cache_of_[hart];
  fence_code(hart);
  for_all([&](Page& page) {
    for (unsigned line = 0; line < kLines; ++line) {
      Copy& copy = page.copies[line * is_cache_.size() + own];
      copy.dirty = copy.old = 0;
      copy.held = false;
    }
  });
}

void Coherence::written(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t from = address; from - address < size; from = (from | (kLineBytes - 1)) + 1) {
    auto at = line(from);
    if (!at) return;
    at->line = {};
    std::fill_n(at->copies, is_cache_.size(), Copy{});
    std::fill_n(at->codes, cache_of_.size(), Code{});
  }
}

std::vector<tz_incoherence> Coherence::take(std::size_t most) {
  const auto end = found_.begin() + static_cast<std::ptrdiff_t>(std::min(most, found_.size()));
  std::vector<tz_incoherence> taken(found_.begin(), end);
  found_.erase(found_.begin(), end);
  return taken;
}

}  // namespace trapeze::coherence
