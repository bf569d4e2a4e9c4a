// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What software has configured of a CLIC: the register of each source, and how many bits of ctl are the level.
 *
 * Sources: RISC-V Fast Interrupts v0.10 (behaviour) and its commit 5f5f98d (memory map), with smclicshv and
 * smclicconfig; the register description in regs/ (offsets and masks by its generated header).
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H

#include <trapeze/clic.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace trapeze::model {

/** The register of a source but for ip, which depends on its wire. It is one word: ip, ie, attr, ctl from the lowest
 * byte. */
struct ClicSource {
  static constexpr unsigned kPendingLane = 1U << (TRAPEZE_CLIC_IRQ_IP_OFFSET % 4);
  static constexpr unsigned kEnableLane = 1U << (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
  static constexpr unsigned kAttributeLane = 1U << (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
  static constexpr unsigned kControlLane = 1U << (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);

  bool enabled = false;
  bool vectored = false;
  unsigned trigger = 0;  ///< bit 0 edge, bit 1 negative
  std::uint8_t ctl = 0;

  bool is_edge() const { return (trigger & 1U) != 0; }
  bool is_negative() const { return (trigger & 2U) != 0; }

  /** The register as it reads. */
  std::uint32_t word(bool pending) const {
    std::uint32_t attributes = TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK | (trigger << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT);
    if (vectored) attributes |= TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK;
    const std::uint32_t enable = enabled ? TRAPEZE_CLIC_IRQ_IE_IE_MASK : 0U;
    return (pending ? TRAPEZE_CLIC_IRQ_IP_IP_MASK : 0U) | (enable << kEnableShift) | (attributes << kAttributeShift) |
           (std::uint32_t{ctl} << kControlShift);
  }
  /** A write of the enabled lanes, but for ip; `absent`: bits of ctl that are always ones. */
  void write(unsigned enables, std::uint32_t value, std::uint8_t absent) {
    if ((enables & kEnableLane) != 0) enabled = ((value >> kEnableShift) & TRAPEZE_CLIC_IRQ_IE_IE_MASK) != 0;
    if ((enables & kControlLane) != 0) ctl = static_cast<std::uint8_t>((value >> kControlShift) | absent);
    if ((enables & kAttributeLane) == 0) return;
    const std::uint32_t attributes = value >> kAttributeShift;
    trigger = (attributes & TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK) >> TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT;
    vectored = (attributes & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK) != 0;
  }
  /** Whether a write makes the source pending, if it is edge-triggered; nothing: it does not write ip. */
  static std::optional<bool> written_pending(unsigned enables, std::uint32_t value) {
    if ((enables & kPendingLane) == 0) return std::nullopt;
    return (value & TRAPEZE_CLIC_IRQ_IP_IP_MASK) != 0;
  }

  /** The source whose register is at `offset` of the CLIC, among `sources`. */
  static std::optional<unsigned> at(std::uint32_t offset, std::size_t sources) {
    const std::uint32_t index = (offset - TRAPEZE_CLIC_IRQ_IP_OFFSET) / TRAPEZE_CLIC_IRQ_IP_STRIDE;
    if (offset < TRAPEZE_CLIC_IRQ_IP_OFFSET || index >= sources) return std::nullopt;
    return index;
  }

 private:
  static constexpr unsigned kEnableShift = 8 * (TRAPEZE_CLIC_IRQ_IE_OFFSET % 4);
  static constexpr unsigned kAttributeShift = 8 * (TRAPEZE_CLIC_IRQ_ATTR_OFFSET % 4);
  static constexpr unsigned kControlShift = 8 * (TRAPEZE_CLIC_IRQ_CTL_OFFSET % 4);
};

/** mcliccfg. */
struct ClicLevels {
  unsigned bits = 0;  ///< from the top of ctl

  /** A write of the lanes `enables` to mcliccfg. */
  void write(unsigned enables, std::uint32_t value) {
    constexpr unsigned kMost = 8;
    if ((enables & 1U) != 0) bits = std::min(value & TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK, kMost);
  }
  /** Level of a source: the top of its ctl, with ones below. */
  unsigned of(const ClicSource& source) const { return source.ctl | ((1U << (8 - bits)) - 1); }
  /** Whether a source that is pending is looked at. */
  bool competes(const ClicSource& source) const { return source.enabled && of(source) != 0; }
};

/** Bits of ctl that read as ones where `ctl_bits` are implemented, from the top. */
constexpr std::uint8_t absent_ctl(unsigned ctl_bits) {
  return static_cast<std::uint8_t>((1U << (8 - ctl_bits)) - 1);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLIC_SOURCE_H
