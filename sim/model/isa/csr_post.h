// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Registers of user interrupts from hart to hart, and the structures in memory that they are about.
 *
 * Source: docs/user-interrupts.md. RV32 alone.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_POST_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_POST_H

#include <bit>
#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>

#include "model/isa/params.h"

namespace trapeze::model {

using isa::csr::kMuirr;
using isa::csr::kMuirrh;
using isa::csr::kMuitt;
using isa::csr::kMuittsz;
using isa::csr::kMunv;
using isa::csr::kMupid;

/** The source of the CLIC that is pending while UIRR is not zero. */
constexpr unsigned kPostSource = isa::interrupt::kUserPost;

/** An entry of the table of targets, as its four words. */
struct Target {
  static constexpr std::uint32_t kBytes = isa::uitt::kBytes;
  static constexpr unsigned kVectors = 64;

  std::uint32_t word[kBytes / 4] = {};

  std::uint32_t control() const { return word[isa::uitt::kControlOffset / 4]; }
  unsigned vector() const { return (control() & isa::uitt_control::kVector) >> isa::uitt_control::kVectorShift; }
  std::uint32_t descriptor() const { return word[isa::uitt::kUpidOffset / 4]; }
  /** Whether senduipi may use the entry: it is valid, its reserved bits are zero, its vector exists, and its
   * descriptor's address is possible. */
  bool usable() const {
    using namespace isa::uitt_control;
    return (control() & ~kVector) == kValid && vector() < kVectors && word[isa::uitt::kReservedOffset / 4] == 0 &&
           descriptor() % isa::upid::kAlignment == 0 && word[isa::uitt::kUpidHighOffset / 4] == 0;
  }
};

/** The descriptor of a thread (UPID): offsets of its words, and fields of the first word. */
struct Descriptor {
  static constexpr std::uint32_t kControl = isa::upid::kControlOffset, kDestination = isa::upid::kNdstOffset;
  static constexpr std::uint32_t kPosted = isa::upid::kPuirOffset;  ///< posted vectors: two words
  static constexpr std::uint32_t kOutstanding = isa::upid_control::kOn, kSuppressed = isa::upid_control::kSn;

  static constexpr unsigned notification(std::uint32_t control) {
    return (control & isa::upid_control::kNv) >> isa::upid_control::kNvShift;
  }
};

/** The registers. */
class PostCsrs {
 public:
  /** `present`: the hart has user interrupts from hart to hart. Without them no register exists. */
  explicit PostCsrs(bool present) : present_(present) {}

  std::optional<std::uint32_t> read(unsigned number) const {
    if (!present_) return std::nullopt;
    switch (number) {
      case kMuitt:
        return table_;
      case kMuittsz:
        return entries_;
      case kMupid:
        return running_;
      case kMunv:
        return vector_;
      case kMuirr:
        return static_cast<std::uint32_t>(requests_);
      case kMuirrh:
        return static_cast<std::uint32_t>(requests_ >> 32);
      default:
        return std::nullopt;
    }
  }
  /** Writes a register. Returns false if it does not exist. */
  bool write(unsigned number, std::uint32_t value) {
    if (!present_) return false;
    switch (number) {
      case kMuitt:
        table_ = value & (kEnabled | ~std::uint32_t{isa::uitt::kAlignment - 1});
        return true;
      case kMuittsz:
        entries_ = value & 0xffffU;
        return true;
      case kMupid:
        running_ = value & (kEnabled | ~std::uint32_t{isa::upid::kAlignment - 1});
        return true;
      case kMunv:
        vector_ = value & 0xffU;
        return true;
      case kMuirr:
        requests_ = (requests_ & ~std::uint64_t{0xffffffffU}) | value;
        return true;
      case kMuirrh:
        requests_ = (requests_ & 0xffffffffU) | (std::uint64_t{value} << 32);
        return true;
      default:
        return false;
    }
  }

  bool present() const { return present_; }
  bool sends() const { return (table_ & kEnabled) != 0; }
  /** Address of the entry with an index. Nothing: the table has no such entry. */
  std::optional<std::uint32_t> entry(std::uint32_t index) const {
    if (index >= entries_) return std::nullopt;
    return (table_ & ~kEnabled) + Target::kBytes * index;
  }
  /** Address of the descriptor of the running thread, if a notification with this vector is for it. Nothing: it is not.
   */
  std::optional<std::uint32_t> descriptor(unsigned notification) const {
    if ((running_ & kEnabled) == 0 || notification != vector_) return std::nullopt;
    return running_ & ~kEnabled;
  }

  bool pending() const { return requests_ != 0; }
  void request(std::uint64_t vectors) { requests_ |= vectors; }
  /** Takes the highest vector out of UIRR and returns it; requires pending(). */
  unsigned take() {
    const auto vector = static_cast<unsigned>(std::bit_width(requests_)) - 1;
    requests_ &= ~(std::uint64_t{1} << vector);
    return vector;
  }

 private:
  static constexpr std::uint32_t kEnabled = 1U << isa::muitt::kEnable;
  static_assert(isa::muitt::kEnable == isa::mupid::kEnable);

  bool present_;
  std::uint32_t table_ = 0;    ///< muitt
  std::uint32_t entries_ = 0;  ///< muittsz
  std::uint32_t running_ = 0;  ///< mupid
  std::uint32_t vector_ = 0;   ///< munv
  std::uint64_t requests_ = 0;
};

/** The registers of a kind of hart without user interrupts: none, and no state. */
struct NoPostCsrs {
  explicit constexpr NoPostCsrs(bool) {}
  static constexpr bool present() { return false; }
  static constexpr std::optional<std::uint32_t> read(unsigned) { return std::nullopt; }
  static constexpr bool write(unsigned, std::uint32_t) { return false; }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_POST_H
