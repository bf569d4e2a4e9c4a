// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The configuration of a CLIC: the register of each source, which sources are user mode's, and how many bits of ctl are
 * the level.
 *
 * Sources: RISC-V Fast Interrupts v0.10 (behaviour) and its commit 5f5f98d (memory map), with smclicshv and
 * smclicconfig; docs/user-level-interrupts.md; the register description in regs/ (offsets and masks by its generated
 * header).
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H

#include <trapeze/clic.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/isa/clic_port.h"
#include "model/memory/access.h"

namespace trapeze::model {

/** The register of a source, without ip, which depends on the wire. The register is a word: from the lowest byte ip,
 * ie, attr, ctl. */
struct ClicSource {
  static constexpr unsigned kPendingLane = 1U << (TRAPEZE_CLIC_IRQ_IP_OFFSET % 4);
  static constexpr unsigned kEnableLane = 1U << (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
  static constexpr unsigned kAttributeLane = 1U << (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
  static constexpr unsigned kControlLane = 1U << (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);

  bool enabled = false;
  bool vectored = false;
  bool machine = true;   ///< the mode bit as it was written; it counts only if ClicConfig::by_mode is set
  unsigned trigger = 0;  ///< bit 0 edge, bit 1 negative
  std::uint8_t ctl = 0;

  bool is_edge() const { return (trigger & 1U) != 0; }
  bool is_negative() const { return (trigger & 2U) != 0; }

  /** Value that the register reads. `privilege`: mode that handles the source's interrupt. */
  std::uint32_t word(bool pending, unsigned privilege = kMachine) const {
    std::uint32_t attributes =
        (privilege << TRAPEZE_CLIC_IRQ_ATTR_MODE_SHIFT) | (trigger << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT);
    if (vectored) attributes |= TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK;
    const std::uint32_t enable = enabled ? TRAPEZE_CLIC_IRQ_IE_IE_MASK : 0U;
    return (pending ? TRAPEZE_CLIC_IRQ_IP_IP_MASK : 0U) | (enable << kEnableShift) | (attributes << kAttributeShift) |
           (std::uint32_t{ctl} << kControlShift);
  }
  /** A write to the enabled lanes, without ip. `absent`: bits of ctl that are always ones. */
  void write(unsigned enables, std::uint32_t value, std::uint8_t absent) {
    if ((enables & kEnableLane) != 0) enabled = ((value >> kEnableShift) & TRAPEZE_CLIC_IRQ_IE_IE_MASK) != 0;
    if ((enables & kControlLane) != 0) ctl = static_cast<std::uint8_t>((value >> kControlShift) | absent);
    if ((enables & kAttributeLane) == 0) return;
    const std::uint32_t attributes = value >> kAttributeShift;
    trigger = (attributes & TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK) >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT;
    vectored = (attributes & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK) != 0;
    machine = (attributes & kMachineBit) != 0;
  }
  /** The value that a write gives to ip of an edge-triggered source. Nothing: the write does not reach ip. */
  static std::optional<bool> written_pending(unsigned enables, std::uint32_t value) {
    if ((enables & kPendingLane) == 0) return std::nullopt;
    return (value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0;
  }

  /** Number of the source whose register is at `offset` of the CLIC, if it is one of `sources`. */
  static std::optional<unsigned> at(std::uint32_t offset, std::size_t sources) {
    const std::uint32_t index = (offset - TRAPEZE_CLIC_IRQ_IP_OFFSET) / TRAPEZE_CLIC_IRQ_IP_STRIDE;
    if (offset < TRAPEZE_CLIC_IRQ_IP_OFFSET || index >= sources) return std::nullopt;
    return index;
  }

 private:
  /** Mode bits: only the upper one of the two exists. */
  static constexpr std::uint32_t kMachineBit = 2U << TRAPEZE_CLIC_IRQ_ATTR_MODE_SHIFT;
  static constexpr unsigned kEnableShift = 8 * (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
  static constexpr unsigned kAttributeShift = 8 * (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
  static constexpr unsigned kControlShift = 8 * (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);
};

/** mcliccfg, and the mode and level of sources that follow from it. */
struct ClicConfig {
  bool has_user = false;   ///< interrupts can be user mode's; without it those fields stay zero
  unsigned bits = 0;       ///< mnlbits: bits of ctl, from the top, that are the level
  unsigned user_bits = 0;  ///< unlbits
  bool by_mode = false;    ///< nmbits: the mode bit of a source counts

  std::uint32_t word() const {
    return bits | (std::uint32_t{by_mode} << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) | user_word();
  }
  /** ucliccfg. */
  std::uint32_t user_word() const { return user_bits << TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT; }
  /** A write of the lanes `enables` to mcliccfg. */
  void write(unsigned enables, std::uint32_t value) {
    if ((enables & 1U) != 0) {
      bits = std::min(value & TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK, kMostBits);
      by_mode = has_user && ((value >> TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) & 1U) != 0;
    }
    write_user(enables, value);
  }
  /** A write of the lanes `enables` to ucliccfg. */
  void write_user(unsigned enables, std::uint32_t value) {
    constexpr unsigned kLane = 1U << (TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT / 8);
    if (!has_user || (enables & kLane) == 0) return;
    const unsigned field = (value & TRAPEZE_CLIC_MCLICCFG_UNLBITS_MASK) >> TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT;
    user_bits = std::min(field, kMostBits);
  }

  /** The mode that handles the interrupt of a source. */
  unsigned privilege(const ClicSource& source) const { return by_mode && !source.machine ? kUser : kMachine; }
  /** Level of a source: the top bits of its ctl, with ones below. */
  unsigned level(const ClicSource& source) const {
    const unsigned own = privilege(source) == kUser ? user_bits : bits;
    return source.ctl | ((1U << (8 - own)) - 1);
  }
  /** Rank of a source: the source with the largest rank is the most important. */
  unsigned rank(const ClicSource& source) const { return (privilege(source) << 8) | source.ctl; }
  /** The offer of a source. A source whose level is 0 is not offered. */
  ClicOffer offer(unsigned id, const ClicSource& source) const {
    return {true, id, level(source), source.vectored, privilege(source)};
  }

 private:
  static constexpr unsigned kMostBits = 8;
};

/** The value that a write through user mode's view has: the mode bits stay zero. */
constexpr std::uint32_t user_written(std::uint32_t value) {
  return value & ~(std::uint32_t{TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK} << (8 * (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4)));
}

/** Bits of ctl that read as ones where `ctl_bits` are implemented, from the top. */
constexpr std::uint8_t absent_ctl(unsigned ctl_bits) {
  return static_cast<std::uint8_t>((1U << (8 - ctl_bits)) - 1);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H
