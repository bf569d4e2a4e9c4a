// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The registers that Zicbom has fields in: menvcfg and, with S mode, senvcfg say whether a mode below may execute
 * cbo.inval (CBIE) and cbo.clean and cbo.flush (CBCFE).
 *
 * Source: Base Cache Management Operation ISA extensions 1.0.0, control and status registers. A write of the reserved
 * value of CBIE leaves the field unchanged.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_BLOCK_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_BLOCK_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>

#include "model/isa/params.h"
#include "model/memory/access.h"

namespace trapeze::model {

/** Bytes of a block that an instruction of Zicbom names: what operating systems call the block size. */
constexpr std::uint64_t kBlockBytes = 64;

/** A value: it is copied with the CSRs of a snapshot. */
template <bool kWithSupervisor>
class BlockCsrs {
 public:
  /** `present`: the hart has Zicbom. Without it menvcfg and senvcfg read zero. */
  explicit BlockCsrs(bool present) : present_(present) {}

  bool has_csr(unsigned number) const {
    return present_ && (number == isa::csr::kMenvcfg || (kWithSupervisor && number == isa::csr::kSenvcfg));
  }
  std::optional<std::uint64_t> read(unsigned number) const {
    if (!has_csr(number)) return std::nullopt;
    return number == isa::csr::kMenvcfg ? machine_ : supervisor_;
  }
  bool write(unsigned number, std::uint64_t value) {
    if (!has_csr(number)) return false;
    std::uint64_t& own = number == isa::csr::kMenvcfg ? machine_ : supervisor_;
    const bool reserved = (value & kInval) == kReserved;
    own = (value & kClean) | ((reserved ? own : value) & kInval);
    return true;
  }

  /** Whether `mode` may execute cbo.inval. */
  bool may_invalidate(unsigned mode) const { return enabled(mode, kInval); }
  /** Whether CBIE turns a cbo.inval of `mode` into a flush, which matters to an observer of memory alone. */
  bool flushes(unsigned mode) const {
    if (mode == kMachine) return false;
    return (machine_ & kInval) == kFlush || (kWithSupervisor && mode == kUser && (supervisor_ & kInval) == kFlush);
  }
  /** Whether `mode` may execute cbo.clean and cbo.flush. */
  bool may_clean(unsigned mode) const { return enabled(mode, kClean); }

 private:
  static constexpr std::uint64_t kInval = std::uint64_t{3} << isa::menvcfg::kCbie;
  static constexpr std::uint64_t kFlush = std::uint64_t{1} << isa::menvcfg::kCbie;
  static constexpr std::uint64_t kReserved = std::uint64_t{2} << isa::menvcfg::kCbie;
  static constexpr std::uint64_t kClean = std::uint64_t{1} << isa::menvcfg::kCbcfe;

  bool enabled(unsigned mode, std::uint64_t field) const {
    if (mode == kMachine) return true;
    return (machine_ & field) != 0 && (!kWithSupervisor || mode != kUser || (supervisor_ & field) != 0);
  }

  bool present_;
  std::uint64_t machine_ = 0;
  std::uint64_t supervisor_ = 0;
};

/** The registers of a kind of hart without Zicbom: no state. */
struct NoBlockCsrs {
  explicit constexpr NoBlockCsrs(bool) {}
  static constexpr std::optional<std::uint64_t> read(unsigned) { return std::nullopt; }
  static constexpr bool write(unsigned, std::uint64_t) { return false; }
};

template <Kind K>
using BlockCsrsOf = std::conditional_t<K.xlen == 64, BlockCsrs<K.supervisor>, NoBlockCsrs>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_BLOCK_H
