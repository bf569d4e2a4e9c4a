// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Triggers of a hart: their registers, which instructions and events they match, and what follows.
 *
 * Source: RISC-V Debug Specification 1.0, chapter Sdtrig. Types: mcontrol6 (addresses alone, before the instruction),
 * and with debug mode icount, itrigger, etrigger and tmexttrigger, which only begin debug mode. A value: it is copied
 * with the CSRs of a snapshot.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_TRIGGERS_H
#define TRAPEZE_SIM_MODEL_ISA_TRIGGERS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <type_traits>

#include "model/isa/params.h"
#include "model/memory/access.h"

namespace trapeze::model {

using isa::csr::kTdata1;
using isa::csr::kTdata2;
using isa::csr::kTinfo;
using isa::csr::kTselect;

/** Fields of tdata1. */
namespace tdata1 {
enum Type : unsigned { kIcount = 3, kItrigger = 4, kEtrigger = 5, kMcontrol6 = 6, kTmexttrigger = 7 };
constexpr unsigned kTypeShift = 28;
constexpr std::uint32_t kDmode = 1U << 27;
constexpr std::uint32_t kOff = std::uint32_t{kMcontrol6} << kTypeShift;  ///< mcontrol6, enabled in no mode
// mcontrol6
constexpr std::uint32_t kLoad = 1U << 0, kStore = 1U << 1, kExecute = 1U << 2, kU = 1U << 3, kM = 1U << 6;
constexpr unsigned kMatchShift = 7, kActionShift = 12, kSizeShift = 16;
constexpr std::uint32_t kMatch = 0xfU << kMatchShift, kChain = 1U << 11, kAction = 0xfU << kActionShift;
constexpr std::uint32_t kSize = 7U << kSizeShift, kHit0 = 1U << 22;
enum Match : unsigned { kEqual, kNapot, kNotBelow, kBelow };
// The other types
constexpr std::uint32_t kEventAction = 0x3fU, kEventU = 1U << 6, kEventM = 1U << 9, kEventHit = 1U << 26;
constexpr unsigned kCountShift = 10;
constexpr std::uint32_t kPending = 1U << 8, kCount = 0x3fffU << kCountShift, kCountHit = 1U << 24;
constexpr std::uint32_t kInput0 = 1U << 6;  ///< of tmexttrigger's select
}  // namespace tdata1

/** The instruction that is about to execute, as triggers see it. */
struct TriggerPoint {
  std::uint32_t pc = 0;
  unsigned bytes = 0;    ///< of the instruction; 0: its fetch fails
  bool loads = false;    ///< ... and it is a load or store of the program
  bool stores = false;   ///< an AMO is both, an SC also if it fails
  unsigned access = 0;   ///< bytes that it loads or stores
  std::uint32_t at = 0;  ///< lowest address of them
  unsigned mode = 0;     ///< privilege of the hart; MPRV does not matter
  bool handles = true;   ///< a breakpoint exception may be raised: not in machine mode with mstatus.MIE clear
};

/** Triggers that fire, by their numbers: bit n is trigger n. Those of a chain fire together. */
struct Firing {
  std::uint32_t breakpoint = 0;  ///< with the action 0
  std::uint32_t debug = 0;       ///< with the action 1
};

class Triggers {
 public:
  static constexpr unsigned kMost = 8;

  /** `debug`: the hart has debug mode. Without triggers there are no registers. */
  explicit Triggers(unsigned count = 0, bool debug = false) : count_(std::min(count, kMost)), debug_(debug) {
    for (unsigned n = 0; n < count_; ++n) all_[n].data1 = tdata1::kOff;
  }

  bool exist() const { return count_ != 0; }
  /** Whether any may match something: if not, nothing below needs to be called for instructions and traps. */
  bool armed() const { return armed_; }

  bool has_csr(unsigned number) const {
    return exist() && (number == kTselect || number == kTdata1 || number == kTdata2 || number == kTinfo);
  }
  std::optional<std::uint32_t> read(unsigned number) const {
    if (!has_csr(number)) return std::nullopt;
    if (number == kTselect) return select_;
    if (number == kTdata1) return all_[select_].data1;
    if (number == kTdata2) return all_[select_].data2;
    constexpr std::uint32_t kVersion = 1U << 24;
    constexpr std::uint32_t kEvents =
        1U << tdata1::kIcount | 1U << tdata1::kItrigger | 1U << tdata1::kEtrigger | 1U << tdata1::kTmexttrigger;
    return kVersion | 1U << tdata1::kMcontrol6 | (debug_ ? kEvents : 0);
  }
  /** Writes a register; `in_debug_mode`: a debugger does. Returns false if it does not exist. */
  bool write(unsigned number, std::uint32_t value, bool in_debug_mode) {
    if (!has_csr(number)) return false;
    if (number == kTselect && value < count_) select_ = value;
    Trigger& own = all_[select_];
    const bool locked = own.dmode() && !in_debug_mode;
    if (number == kTdata1 && !locked) write_data1(value, in_debug_mode);
    if (number == kTdata2 && !locked) own.data2 = value;
    find_armed();
    return true;
  }

  /** The mcontrol6 that fire before an instruction. Nothing changes. */
  Firing before(const TriggerPoint& point) const {
    Firing firing;
    std::uint32_t chain = 0;  // triggers of the chain so far
    bool matches = true;
    for (unsigned n = 0; n < count_; ++n) {
      const Trigger& own = all_[n];
      if (own.type() != tdata1::kMcontrol6) {  // it neither belongs to a chain nor heeds one
        chain = 0;
        matches = true;
        continue;
      }
      chain |= 1U << n;
      matches = matches && matched(own, point);
      if ((own.data1 & tdata1::kChain) != 0) continue;
      if (matches) {
        if ((own.data1 & tdata1::kAction) != 0) {
          firing.debug |= chain;
        } else if (point.handles) {
          firing.breakpoint |= chain;
        }
      }
      chain = 0;
      matches = true;
    }
    return firing;
  }
  /** Sets the hit bits of mcontrol6 that have fired. */
  void hit(std::uint32_t fired) {
    for (unsigned n = 0; n < count_; ++n) {
      if (((fired >> n) & 1U) != 0 && all_[n].type() == tdata1::kMcontrol6) all_[n].data1 |= tdata1::kHit0;
    }
  }

  /** An instruction of `mode` has retired, or trapped; or an interrupt was taken from that mode. */
  void counts(unsigned mode) {
    for (unsigned n = 0; n < count_; ++n) {
      Trigger& own = all_[n];
      if (own.type() != tdata1::kIcount || !own.event_mode(mode) || (own.data1 & tdata1::kCount) == 0) continue;
      own.data1 -= 1U << tdata1::kCountShift;
      if ((own.data1 & tdata1::kCount) == 0) own.data1 |= tdata1::kPending;
    }
  }
  /** An interrupt was taken from `mode`; of a user interrupt by a notification `code` is the source. */
  void interrupted(unsigned code, unsigned mode) { happened(tdata1::kItrigger, code, mode); }
  /** The same of an exception. */
  void excepted(unsigned code, unsigned mode) { happened(tdata1::kEtrigger, code, mode); }

  /** The triggers of events, and of counted instructions, for which debug mode must begin before the next instruction,
   * which is one of `mode`. */
  std::uint32_t due(unsigned mode) const {
    std::uint32_t all = events_;
    for (unsigned n = 0; n < count_; ++n) {
      if (counted(all_[n], mode)) all |= 1U << n;
    }
    return all;
  }
  /** Debug mode begins, before an instruction of `mode`, for whatever reason. */
  void halted(unsigned mode) {
    events_ = 0;
    for (unsigned n = 0; n < count_; ++n) {
      if (counted(all_[n], mode)) all_[n].data1 = (all_[n].data1 & ~tdata1::kPending) | tdata1::kCountHit;
    }
    find_armed();
  }
  /** Whether a trigger waits for the external input. */
  bool awaits_input() const {
    return std::any_of(all_.begin(), all_.begin() + count_, [](const Trigger& own) {
      return own.type() == tdata1::kTmexttrigger && (own.data1 & tdata1::kInput0) != 0;
    });
  }

 private:
  struct Trigger {
    std::uint32_t data1 = 0;
    std::uint32_t data2 = 0;

    unsigned type() const { return data1 >> tdata1::kTypeShift; }
    bool dmode() const { return (data1 & tdata1::kDmode) != 0; }
    bool chains() const { return type() == tdata1::kMcontrol6 && (data1 & tdata1::kChain) != 0; }
    /** Whether the trigger, which is not an mcontrol6, is enabled in a mode. */
    bool event_mode(unsigned mode) const {
      return (data1 & (mode == kMachine ? tdata1::kEventM : tdata1::kEventU)) != 0;
    }
    bool holds(unsigned code) const { return code < 32 && ((data2 >> code) & 1U) != 0; }
  };

  static bool counted(const Trigger& own, unsigned mode) {
    return own.type() == tdata1::kIcount && (own.data1 & tdata1::kPending) != 0 && own.event_mode(mode);
  }

  void happened(unsigned type, unsigned code, unsigned mode) {
    for (unsigned n = 0; n < count_; ++n) {
      Trigger& own = all_[n];
      if (own.type() != type || !own.event_mode(mode) || !own.holds(code)) continue;
      own.data1 |= tdata1::kEventHit;
      events_ |= 1U << n;
    }
  }

  /** What the value becomes in the trigger that is selected. */
  void write_data1(std::uint32_t value, bool in_debug_mode) {
    using namespace tdata1;
    const std::uint32_t dmode = in_debug_mode && debug_ ? value & kDmode : 0;
    // A chain may not lead from a trigger that anyone may write to one of the debugger's.
    if (dmode != 0 && select_ != 0 && all_[select_ - 1].chains() && !all_[select_ - 1].dmode()) return;
    const unsigned type = value >> kTypeShift;
    std::uint32_t& own = all_[select_].data1;
    events_ &= ~(1U << select_);
    if (type == kMcontrol6) {
      own = kOff | dmode | legal_mcontrol6(value, dmode != 0);
      return;
    }
    std::uint32_t fields = kEventAction;
    if (type == kIcount) {
      fields |= kCountHit | kCount | kEventM | kPending | kEventU;
    } else if (type == kItrigger || type == kEtrigger) {
      fields |= kEventHit | kEventM | kEventU;
    } else if (type == kTmexttrigger) {
      fields |= kEventHit | kInput0;
    } else {
      fields = 0;
    }
    const bool legal = fields != 0 && dmode != 0 && (value & kEventAction) == 1;
    own = (legal ? type << kTypeShift | (value & fields) : kOff) | dmode;
  }
  std::uint32_t legal_mcontrol6(std::uint32_t value, bool dmode) const {
    using namespace tdata1;
    std::uint32_t fields = value & (kLoad | kStore | kExecute | kU | kM | kHit0);
    if (((value & kSize) >> kSizeShift) <= 3) fields |= value & kSize;
    if (((value & kMatch) >> kMatchShift) <= kBelow) fields |= value & kMatch;
    if (((value & kAction) >> kActionShift) == 1 && dmode) fields |= value & kAction;
    const unsigned next = select_ + 1;
    if (next < count_ && (dmode || !all_[next].dmode())) fields |= value & kChain;
    return fields;
  }

  void find_armed() {
    using namespace tdata1;
    armed_ = std::any_of(all_.begin(), all_.begin() + count_, [](const Trigger& own) {
      switch (own.type()) {
        case kMcontrol6:
          return (own.data1 & (kM | kU)) != 0 && (own.data1 & (kLoad | kStore | kExecute)) != 0;
        case kIcount:
          return (own.data1 & (kEventM | kEventU)) != 0 && (own.data1 & (kCount | kPending)) != 0;
        case kItrigger:
        case kEtrigger:
          return (own.data1 & (kEventM | kEventU)) != 0;
        default:
          return false;
      }
    });
  }

  /** Whether the trigger matches by itself. */
  static bool matched(const Trigger& own, const TriggerPoint& point) {
    using namespace tdata1;
    if ((own.data1 & (point.mode == kMachine ? kM : kU)) == 0) return false;
    const unsigned size = (own.data1 & kSize) >> kSizeShift;
    const auto of_size = [size](unsigned bytes) { return size == 0 || (bytes != 0 && bytes == 1U << (size - 1)); };
    if ((own.data1 & kExecute) != 0 && of_size(point.bytes) && compares(own, point.pc, 1)) return true;
    const bool kind = ((own.data1 & kLoad) != 0 && point.loads) || ((own.data1 & kStore) != 0 && point.stores);
    return kind && of_size(point.access) && compares(own, point.at, point.access);
  }
  /** Whether one of `count` addresses from `lowest` on compares with tdata2. */
  static bool compares(const Trigger& own, std::uint32_t lowest, unsigned count) {
    using namespace tdata1;
    const std::uint64_t highest = std::uint64_t{lowest} + count - 1;
    const unsigned match = (own.data1 & kMatch) >> kMatchShift;
    if (match == kNotBelow) return highest >= own.data2;
    if (match == kBelow) return lowest < own.data2;
    // All bits up to the lowest 0 of tdata2 are free with napot; without a 0, all are.
    const std::uint32_t free = match == kNapot ? own.data2 ^ (own.data2 + 1) : 0;
    for (unsigned i = 0; i < count; ++i) {
      if ((((lowest + i) ^ own.data2) & ~free) == 0) return true;
    }
    return false;
  }

  unsigned count_;
  bool debug_;
  bool armed_ = false;
  std::uint32_t select_ = 0;
  std::uint32_t events_ = 0;  ///< itriggers and etriggers that have matched; debug mode has not begun since
  std::array<Trigger, kMost> all_{};
};

/** A kind of hart without triggers: no state. */
struct NoTriggers {
  explicit constexpr NoTriggers(unsigned = 0, bool = false) {}
  static constexpr bool exist() { return false; }
  static constexpr bool armed() { return false; }
  static constexpr std::optional<std::uint32_t> read(unsigned) { return std::nullopt; }
  static constexpr bool write(unsigned, std::uint32_t, bool) { return false; }
};

template <Kind K>
using TriggersOf = std::conditional_t<K.xlen == 32, Triggers, NoTriggers>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_TRIGGERS_H
