// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What the specifications leave open, decided from outside for one instruction. Without choices a hart decides by its
 * own time, see model/time.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CHOICES_H
#define TRAPEZE_SIM_MODEL_ISA_CHOICES_H

#include <cstdint>
#include <map>
#include <optional>

#include "model/isa/post_trail.h"

namespace trapeze::model {

struct Choices {
  /** Time of the second word of a memory access. Nothing: that of the first. */
  std::optional<std::uint64_t> second_word;
  /** What a load reads from a register that may read anything (DeviceRead::open). Nothing: the model's. */
  std::optional<std::uint64_t> load;
  /** What the CSR instruction reads from mtval behind an exception for a frame: which word of the frame that names is
   * open, and it keeps the value. Nothing: the model's. */
  std::optional<std::uint64_t> csr;
  /** The interrupt that xnxti, jalxnxti or emret goes on to, if it is one that qualifies. Nothing: none. */
  std::optional<unsigned> interrupt;
  /** fastirq: the exception for a frame that could not be stored comes in the place of the instruction; the address
   * that mtval names. Nothing: it does not come. */
  std::optional<std::uint64_t> frame_fault;
  /** fastirq: words of frames that emret finds in a bank, by address, whatever memory holds and rows allow. */
  std::map<std::uint64_t, std::uint32_t> kept;
  /** What a senduipi has done in memory before. Null: it does it itself, at once. */
  PostTrail* trail = nullptr;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CHOICES_H
