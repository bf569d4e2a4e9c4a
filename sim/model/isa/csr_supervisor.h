// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The registers that S mode adds to a hart of 64 bits: their state, and their bits in mstatus. The rest of their
 * behaviour, which needs the other registers, is in csr_file_supervisor.h.
 *
 * Source: Privileged ISA 20211203, sections 3.1.6 and 4.1.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_SUPERVISOR_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_SUPERVISOR_H

#include <cstdint>
#include <trapeze/isa.hpp>

#include "model/isa/params.h"
#include "model/memory/access.h"

namespace trapeze::model {

using isa::csr::kMedeleg;
using isa::csr::kMideleg;
using isa::csr::kSatp;
using isa::csr::kScause;
using isa::csr::kScounteren;
using isa::csr::kSenvcfg;
using isa::csr::kSepc;
using isa::csr::kSie;
using isa::csr::kSip;
using isa::csr::kSscratch;
using isa::csr::kSstatus;
using isa::csr::kStval;
using isa::csr::kStvec;
using isa::csr::kTime;

/** A value: it is copied with the CSRs of a snapshot. */
struct SupervisorCsrs {
  static constexpr std::uint64_t kSoftware = std::uint64_t{1} << isa::mip::kSsip;
  static constexpr std::uint64_t kTimer = std::uint64_t{1} << isa::mip::kStip;
  static constexpr std::uint64_t kExternal = std::uint64_t{1} << isa::mip::kSeip;
  /** Interrupts of S mode. Machine mode can make each of them pending by writing mip. */
  static constexpr std::uint64_t kInterrupts = kSoftware | kTimer | kExternal;
  /** Interrupts that cannot be delegated. */
  static constexpr std::uint64_t kMachineInterrupts = (std::uint64_t{1} << isa::mip::kMsip) |
                                                      (std::uint64_t{1} << isa::mip::kMtip) |
                                                      (std::uint64_t{1} << isa::mip::kMeip);
  /** Exceptions that can be delegated: those that S mode and U mode can raise. */
  static constexpr std::uint64_t kExceptions = [] {
    std::uint64_t bits = 0;
    for (const unsigned cause :
         {kFetchMisaligned, kFetchFault, kIllegal, kBreakpoint, kLoadMisaligned, kLoadFault, kStoreMisaligned,
          kStoreFault, kCallFromUser, kCallFromSupervisor, kFetchPageFault, kLoadPageFault, kStorePageFault}) {
      bits |= std::uint64_t{1} << cause;
    }
    return bits;
  }();

  bool sie = false;
  bool spie = false;
  unsigned spp = kUser;
  bool sum = false;
  bool mxr = false;
  bool tvm = false;
  bool tsr = false;
  std::uint64_t pending = 0;  ///< bits of mip as software has written them
  std::uint64_t medeleg = 0;
  std::uint64_t mideleg = 0;
  std::uint64_t stvec = 0;
  std::uint64_t scounteren = 0;
  std::uint64_t sscratch = 0;
  std::uint64_t sepc = 0;
  std::uint64_t scause = 0;
  std::uint64_t stval = 0;
  std::uint64_t satp = 0;
  unsigned asid_bits = 16;  ///< of satp
  /** Grows with each change of satp and MXR. A hart must forget the translations that it has found before. */
  std::uint64_t changes = 0;

  /** Whether addresses of S mode and U mode are translated. */
  bool translates() const { return (satp >> isa::satp::kMode) != isa::satp::kModeBare; }

  /** sstatus. */
  std::uint64_t status() const {
    using namespace isa::mstatus;
    return bit(sie, isa::mstatus::kSie) | bit(spie, kSpie) | (std::uint64_t{spp} << kSpp) | bit(sum, kSum) |
           bit(mxr, kMxr) | (std::uint64_t{kUxlRv64} << kUxl);
  }
  void write_status(std::uint64_t value) {
    using namespace isa::mstatus;
    sie = has(value, isa::mstatus::kSie);
    spie = has(value, kSpie);
    spp = has(value, kSpp) ? kSupervisor : kUser;
    sum = has(value, kSum);
    if (mxr != has(value, kMxr)) ++changes;
    mxr = has(value, kMxr);
  }
  /** The fields of mstatus that belong to S mode. */
  std::uint64_t machine_status() const {
    using namespace isa::mstatus;
    return status() | bit(tvm, kTvm) | bit(tsr, kTsr) | (std::uint64_t{kSxlRv64} << kSxl);
  }
  void write_machine_status(std::uint64_t value) {
    write_status(value);
    tvm = has(value, isa::mstatus::kTvm);
    tsr = has(value, isa::mstatus::kTsr);
  }
  /** Writes satp; a value with a mode that does not exist is ignored. Bits of an ASID that do not exist stay 0. */
  void write_satp(std::uint64_t value) {
    const std::uint64_t missing = (1U << isa::satp::kAsidWidth) - (1U << asid_bits);
    value &= ~(missing << isa::satp::kAsid);
    const std::uint64_t mode = value >> isa::satp::kMode;
    if ((mode != isa::satp::kModeBare && mode != isa::satp::kModeSv39) || value == satp) return;
    satp = value;
    ++changes;
  }

 private:
  static constexpr std::uint64_t bit(bool on, unsigned n) { return std::uint64_t{on} << n; }
  static constexpr bool has(std::uint64_t value, unsigned n) { return ((value >> n) & 1U) != 0; }
};

/** The registers of a hart without S mode: none. */
struct NoSupervisorCsrs {};

template <Kind K>
using SupervisorCsrsOf = std::conditional_t<K.supervisor, SupervisorCsrs, NoSupervisorCsrs>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_SUPERVISOR_H
