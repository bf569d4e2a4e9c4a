// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Looks for missing cache maintenance on a platform whose caches are not coherent with each other. README.md has the
 * rules.
 */
#ifndef TRAPEZE_SIM_COHERENCE_COHERENCE_H
#define TRAPEZE_SIM_COHERENCE_COHERENCE_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "kernel/coherence.h"
#include "model/memory/access_observer.h"
#include "model/memory/memory.h"
#include "model/platform/plan.h"

namespace trapeze::coherence {

class Coherence final : public model::AccessObserver {
 public:
  /** Throws std::invalid_argument if nothing of the platform can be incoherent. */
  explicit Coherence(const model::PlatformPlan& plan);

  bool watches(std::uint64_t address) const override { return find(address) < regions_.size(); }
  void load(const model::Actor& by, std::uint64_t address, unsigned size) override;
  void store(const model::Actor& by, std::uint64_t address, unsigned size) override;
  void fetch(const model::Actor& by, std::uint64_t address, std::uint64_t size) override;
  void manage(const model::Actor& by, model::BlockAction action, std::uint64_t address) override;
  void fence_code(unsigned hart) override { ++fences_[hart]; }
  bool code_changed() override { return std::exchange(code_changed_, false); }

  /** A hart was reset: its caches are empty. */
  void reset(unsigned hart);
  /** Memory was written from outside: it is what no cache knows. */
  void written(std::uint64_t address, std::uint64_t size);

  /** What was found since the last call, at most `most`. */
  std::vector<tz_incoherence> take(std::size_t most);

 private:
  static constexpr unsigned kLineBytes = 64;
  static constexpr unsigned kLines = model::kPageBytes / kLineBytes;

  /** Bytes of a line, one bit each. */
  using Bytes = std::uint64_t;
  /** An instruction of a hart; 0: none. */
  using Place = std::uint64_t;
  /** Last writers of a line, by doubleword. */
  using Places = std::array<Place, kLineBytes / 8>;

  /** A line as one cache may have it; of a hart without a cache only who wrote. */
  struct Copy {
    Bytes dirty = 0;    ///< written here, and not certainly in memory
    Bytes old = 0;      ///< changed in memory since the copy may have been taken
    bool held = false;  ///< there may be a copy
    Places wrote = {};
  };
  /** A line as a hart may have it as code. */
  struct Code {
    std::uint32_t fetched = 0;  ///< number of the fence.i before the last fetch
    std::uint32_t old = 0;      ///< the same, when memory changed behind it
    bool decoded = false;       ///< the hart keeps instructions of it
  };
  struct Line {
    Bytes discarded = 0;  ///< what an invalidation may have discarded, and nobody has written since
    Place discarder = 0;
    Bytes overwritten = 0;  ///< what the write-back of an old copy may have written over, likewise
    Place overwriter = 0;   ///< the store that made that copy dirty
  };
  /** The lines of a page, and their copies: a line's are side by side. */
  struct Page {
    Page(unsigned caches, unsigned harts) : copies(kLines * caches), codes(kLines * harts) {}
    std::array<Line, kLines> lines;
    std::vector<Copy> copies;
    std::vector<Code> codes;
  };
  struct Region {
    std::uint64_t base;
    std::uint64_t size;
    std::vector<std::unique_ptr<Page>> pages;
  };
  /** A line, with all that is known of it. */
  struct Found {
    std::uint64_t address;
    Line& line;
    Copy* copies;  ///< by cache
    Code* codes;   ///< by hart
  };

  /** Number of the region that holds an address, or of none. */
  std::size_t find(std::uint64_t address) const;
  std::optional<Found> line(std::uint64_t address);
  template <typename Each>
  void for_all(Each&& each);

  static Bytes bytes(std::uint64_t address, std::uint64_t size);
  static Place place(const model::Actor& actor);
  static model::Actor actor(Place place);
  /** Memory holds `changed` now, which is new to all caches but `but`. */
  void changed(Found& at, Bytes changed, unsigned but);
  void decode_anew(Found& at, unsigned but);
  /** Reports bytes that are read and may be lost. */
  void suspect(const model::Actor& by, const Found& at, Bytes read);
  /** Who has written a byte, other than cache `but`. */
  Place writer(const Found& at, unsigned byte, unsigned but) const;
  void report(tz_incoherence_kind kind, const model::Actor& by, const Found& at, Bytes where, Place other,
              Place third = 0);

  std::vector<Region> regions_;
  std::vector<unsigned> cache_of_;     ///< by hart; the number of a hart without a cache is its own, too
  std::vector<bool> is_cache_;         ///< by that number
  std::vector<std::uint32_t> fences_;  ///< by hart: fence.i so far, and 1
  bool code_changed_ = false;
  std::set<std::tuple<unsigned, Place, Place>> known_;
  std::vector<tz_incoherence> found_;
};

}  // namespace trapeze::coherence

#endif  // TRAPEZE_SIM_COHERENCE_COHERENCE_H
