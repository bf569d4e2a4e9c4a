// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Choices that the specifications leave open, made by the caller for one instruction. Without choices a hart decides by
 * itself, by its own time (model/time).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CHOICES_H
#define TRAPEZE_SIM_MODEL_ISA_CHOICES_H

#include <cstdint>
#include <map>
#include <optional>

#include "model/isa/post_trail.h"

namespace trapeze::model {

struct Choices {
  /** Time of the access to the second word, if a memory access has two. Nothing: the time of the first. */
  std::optional<std::uint64_t> second_word;
  /** Value that a load reads from a device register whose value is open (DeviceRead::open). Nothing: the model's value.
   */
  std::optional<std::uint64_t> load;
  /** Value that the CSR instruction reads from mtval after an exception for a frame; mtval keeps it. It is open which
   * word of the frame mtval names. Nothing: the model's value. */
  std::optional<std::uint64_t> csr;
  /** The interrupt that xnxti or jalxnxti claims or emret chains, if it qualifies. Nothing: no interrupt. */
  std::optional<unsigned> interrupt;
  /** fastirq: the exception for a frame that could not be stored comes in the place of the instruction, with this
   * address in mtval. Nothing: it does not come. */
  std::optional<std::uint64_t> frame_fault;
  /** fastirq: words of a frame that an emret finds in a bank, by address. They count whatever memory has there, and
   * whatever the rows of memory protection allow. */
  std::map<std::uint64_t, std::uint32_t> kept;
  /** Accesses to memory that were made for a senduipi before it executes. Null: it makes them itself, at once. */
  PostTrail* trail = nullptr;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CHOICES_H
