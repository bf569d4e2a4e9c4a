// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Control and status registers of a hart with M and U mode.
 *
 * Sources: Privileged ISA 20211203, chapters 2 and 3; docs/core.md for what the specification leaves open: which
 * registers exist and the legal values of the WARL fields. With a CLIC: csr_clic.h; with fastirq: fast.h;
 * with PMP: pmp.h; with user-level interrupts: csr_user.h, from hart to hart: csr_post.h; with S mode:
 * csr_supervisor.h; with F: csr_float.h; with Zicbom: csr_block.h; with triggers: triggers.h.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <utility>

#include "model/isa/csr_block.h"
#include "model/isa/csr_clic.h"
#include "model/isa/csr_float.h"
#include "model/isa/csr_post.h"
#include "model/isa/csr_supervisor.h"
#include "model/isa/csr_user.h"
#include "model/isa/fast.h"
#include "model/isa/params.h"
#include "model/isa/pmp.h"
#include "model/isa/triggers.h"
#include "model/memory/access.h"

namespace trapeze::model {

// Numbers of the registers that the model names.
using isa::csr::kCycle;
using isa::csr::kCycleh;
using isa::csr::kInstret;
using isa::csr::kInstreth;
using isa::csr::kJalmnxti;
using isa::csr::kMcause;
using isa::csr::kMconfigptr;
using isa::csr::kMcounteren;
using isa::csr::kMcountinhibit;
using isa::csr::kMcycle;
using isa::csr::kMcycleh;
using isa::csr::kMenvcfg;
using isa::csr::kMenvcfgh;
using isa::csr::kMepc;
using isa::csr::kMfastirq;
using isa::csr::kMframe;
using isa::csr::kMhartid;
using isa::csr::kMie;
using isa::csr::kMinstret;
using isa::csr::kMinstreth;
using isa::csr::kMintstatus;
using isa::csr::kMintthresh;
using isa::csr::kMip;
using isa::csr::kMisa;
using isa::csr::kMnxti;
using isa::csr::kMscratch;
using isa::csr::kMscratchcsw;
using isa::csr::kMscratchcswl;
using isa::csr::kMstatus;
using isa::csr::kMstatush;
using isa::csr::kMtval;
using isa::csr::kMtvec;
using isa::csr::kMtvt;
using isa::csr::kMvendorid;

/** A 64-bit counter that software can stop and write, computed from a count that never stops. */
class Counter {
 public:
  std::uint64_t read(std::uint64_t now) const { return stopped_ ? frozen_ : now + offset_; }
  /** Writes the counter: the write takes the place of an increment, so that a read one count later gives `value`. */
  void write(std::uint64_t value, std::uint64_t now) {
    frozen_ = value;
    offset_ = value - (now + 1);
  }
  /** The last write was by no instruction, so it took no increment's place: a read at once gives its value. */
  void at_once() { ++offset_; }
  /** Stops or starts the counter from count `now` on. */
  void stop(bool stopped, std::uint64_t now) {
    if (stopped == stopped_) return;
    if (stopped) {
      frozen_ = read(now);
    } else {
      offset_ = frozen_ - now;
    }
    stopped_ = stopped;
  }

 private:
  std::uint64_t offset_ = 0;
  std::uint64_t frozen_ = 0;
  bool stopped_ = false;
};

/** Values of the counts at the instruction that accesses a CSR. */
struct Counts {
  std::uint64_t cycles = 0;
  std::uint64_t retired = 0;
  std::uint64_t time = 0;  ///< the platform's timer; used only by a hart with S mode
};

/** Bits of mcounteren and mcountinhibit. */
constexpr unsigned kCountCycle = 1U << isa::mcounteren::kCy;
constexpr unsigned kCountInstret = 1U << isa::mcounteren::kIr;
constexpr unsigned kCountTime = 1U << isa::mcounteren::kTm;

/** The registers. A value: copy it with a snapshot. */
template <Kind K>
class CsrFile {
 public:
  using Word = Register<K.xlen>;
  static constexpr Word kInterruptBit = Word{1} << (K.xlen - 1);
  static constexpr unsigned kPrivilegeShift = 8;
  static constexpr Word kCounters = kCountCycle | kCountInstret | (K.supervisor ? kCountTime : 0U);  ///< in mcounteren
  static constexpr Word kCodes = K.xlen == 64 ? 0x3f : 0x1f;  ///< bits of the code in mcause, without a CLIC

  /** `interrupts`: bits that mip and mie have; `sources`: number of sources of the CLIC. */
  CsrFile(const Params& params, std::uint64_t hart_id, std::uint64_t interrupts, unsigned sources = 0)
      : params_(params),
        hart_id_(static_cast<Word>(hart_id)),
        mask_(static_cast<Word>(interrupts)),
        clic_(sources),
        pmp_(params.pmp, params.pmp_grain, params.smepmp),
        user_(params, sources),
        floats_(params.f),
        blocks_(params.zicbom),
        post_(params.uintr),
        triggers_(params.triggers, params.debug) {
    if constexpr (K.supervisor) {
      mask_ |= SupervisorCsrs::kInterrupts;
      supervisor_.asid_bits = params.asid_bits;
    }
  }

  const Params& params() const { return params_; }
  /** Whether the hart has this mode. */
  static constexpr unsigned legal_mode(unsigned mode) {
    return mode == kMachine || (K.supervisor && mode == kSupervisor) ? mode : kUser;
  }

  /** Value of the register with this number. Nothing: it does not exist. */
  std::optional<Word> read(unsigned number, const Counts& counts) const;
  /** Write a register that exists and is not read-only by its number. */
  void write(unsigned number, Word value, const Counts& counts);
  /** The same from outside, by no instruction. */
  void set(unsigned number, Word value, const Counts& counts) {
    write(number, value, counts);
    if (number == kMinstret || number == kMinstreth) instret_.at_once();
  }
  /** Whether `mode` may access the register: by its privilege, by mcounteren, and no write to a read-only register. */
  bool allowed(unsigned number, unsigned mode, bool writes) const;

  /** Trap entry from `mode`. Sets `mode` to the handler's mode and returns the handler's address. */
  Word enter(Word cause, bool interrupt, Word pc, Word value, unsigned& mode);
  /** mret: sets `mode` and returns the address. */
  Word leave(unsigned& mode);

  /** uret; sets `mode` and returns the address. */
  Word leave_user(unsigned& mode);

  /** Pending interrupts: those that hardware sets, and those that software has set. */
  Word mip() const {
    if constexpr (K.supervisor) return mip_ | supervisor_.pending;
    return mip_;
  }
  void set_mip(Word pending) { mip_ = pending & mask_; }
  Word mie() const { return mie_; }
  bool interrupts_on(unsigned mode) const { return mode != kMachine || mie_on_; }
  bool timeout_wait() const { return tw_; }
  /** Interrupt bit and code. */
  Word mcause() const { return mcause_; }

  /** The most important interrupt that is to be taken in `mode`, if there is one. */
  Word due(unsigned mode) const;

  // With S mode.
  const SupervisorCsrsOf<K>& supervisor() const { return supervisor_; }
  /** sret: sets `mode` and returns the address. */
  Word leave_supervisor(unsigned& mode);
  /** The value that csrrs and csrrc modify, where they read `old`. The two differ in mip.SEIP: they modify the bit that
   * software has written, not the one that hardware shows. */
  Word base_of_change(unsigned number, Word old) const;
  /** Interrupt bit and code of the last trap into `mode`. */
  Word cause_in(unsigned mode) const;

  ClicCsrs& clic() { return clic_; }
  const ClicCsrs& clic(unsigned privilege = kMachine) const {
    if constexpr (K.user_interrupts) return privilege == kUser ? user_.clic : clic_;
    return clic_;
  }
  /** The registers of interrupts that `privilege` handles. */
  TrapRegisters<Word> of(unsigned privilege) {
    if constexpr (K.user_interrupts) {
      if (privilege == kUser) return user_.registers();
    }
    return {mie_on_, mpie_, mtvec_, mscratch_, mepc_, mcause_, clic_, fast_};
  }
  /** The registers of interrupts that user mode handles, if it handles any. */
  auto& user() { return user_; }
  const auto& user() const { return user_; }
  /** The registers of user interrupts from hart to hart, if the hart has them. */
  auto& post() { return post_; }
  const auto& post() const { return post_; }
  /** xnxti: its CSR instruction writes to mstatus; of the bits that it can write only MIE exists. */
  void set_interrupts_on(bool on) {
    mie_on_ = on;
    if (on) sole_context_ = false;
  }
  /** xnxti, and emret: the same of the mode whose interrupts they are. */
  void set_interrupts_on(unsigned privilege, bool on) {
    if (privilege == kMachine) return set_interrupts_on(on);
    of(privilege).on = on;
  }
  Word mscratch() const { return mscratch_; }
  void set_mscratch(Word value) { mscratch_ = value; }
  unsigned previous_mode() const { return mpp_; }
  /** Privilege of loads and stores of a program in `mode` (MPRV). */
  unsigned data_privilege(unsigned mode) const { return mprv_ ? mpp_ : mode; }
  const Pmp<K.xlen>& protection() const { return pmp_; }
  const BlockCsrsOf<K>& blocks() const { return blocks_; }
  TriggersOf<K>& triggers() { return triggers_; }
  const TriggersOf<K>& triggers() const { return triggers_; }
  FloatCsrsOf<K>& floats() { return floats_; }
  const FloatCsrsOf<K>& floats() const { return floats_; }

  // For fastirq.
  const FastControl& fast(unsigned privilege = kMachine) const {
    if constexpr (K.user_interrupts) return privilege == kUser ? user_.fast : fast_;
    return fast_;
  }
  /** Whether the exception for a frame must wait, because the only copy of mepc and mcause is in the registers. */
  bool holds_frame_faults() const { return sole_context_; }
  /** An interrupt was entered; tells whether its handler has its context only in mepc and mcause. */
  void set_sole_context(bool sole) { sole_context_ = sole; }
  Word mepc() const { return mepc_; }
  /** mcause with all its fields. */
  Word whole_mcause() const { return mcause_ | clic_.cause_fields(mpp_, mpie_); }
  /** xcause with all its fields. */
  Word whole_cause(unsigned privilege) const {
    if constexpr (K.user_interrupts) return privilege == kUser ? user_.whole_cause() : whole_mcause();
    return whole_mcause();
  }
  /** xepc and xcause as a frame holds them. */
  void load_context(unsigned privilege, Word pc, Word cause) {
    if constexpr (K.user_interrupts) {
      if (privilege == kUser) {
        user_.set_epc(pc);
        return user_.write_cause(cause);
      }
    }
    set_mepc(pc);
    write_mcause(cause);
  }

 private:
  std::optional<Word> read_clic(unsigned number) const;
  bool write_clic(unsigned number, Word value);
  std::optional<Word> read_supervisor(unsigned number, const Counts& counts) const;
  bool write_supervisor(unsigned number, Word value);
  bool allowed_to_supervisor(unsigned number, unsigned mode) const;
  bool is_delegated(Word cause, bool interrupt, unsigned mode) const;
  Word enter_supervisor(Word cause, bool interrupt, Word pc, Word value, unsigned& mode);
  void set_mepc(Word value) { mepc_ = value & ~Word{params_.zero_bits()}; }
  void write_mcause(Word value) {
    mcause_ = value & (kInterruptBit | ClicCsrs::kCodeMask);
    mpp_ = clic_.write_cause(static_cast<std::uint32_t>(value), mpie_);
  }
  Word mstatus() const;
  Word misa() const;

  Params params_;
  Word hart_id_;
  Word mask_;
  bool mie_on_ = false;
  bool mpie_ = false;
  bool mprv_ = false;
  bool tw_ = false;
  unsigned mpp_ = kUser;
  Word mie_ = 0;
  Word mip_ = 0;
  Word mtvec_ = 0;
  Word mscratch_ = 0;
  Word mepc_ = 0;
  Word mcause_ = 0;
  Word mtval_ = 0;
  ClicCsrs clic_;
  FastControl fast_;
  Pmp<K.xlen> pmp_;
  [[no_unique_address]] SupervisorCsrsOf<K> supervisor_;
  [[no_unique_address]] typename UserCsrsOf<K>::Type user_;
  [[no_unique_address]] FloatCsrsOf<K> floats_;
  [[no_unique_address]] BlockCsrsOf<K> blocks_;
  [[no_unique_address]] std::conditional_t<K.user_interrupts, PostCsrs, NoPostCsrs> post_;
  [[no_unique_address]] TriggersOf<K> triggers_;
  bool sole_context_ = false;  ///< fastirq: see holds_frame_faults(); false while interrupts are enabled
  Word mcounteren_ = 0;
  Word mcountinhibit_ = 0;
  Counter cycle_;
  Counter instret_;
};

/** Bit numbers of mstatus. */
namespace mstatus_bit {
constexpr unsigned kInterruptEnable = isa::mstatus::kMie, kPrevious = isa::mstatus::kMpie, kMpp = isa::mstatus::kMpp,
                   kMprv = isa::mstatus::kMprv, kTw = isa::mstatus::kTw;
}

template <Kind K>
auto CsrFile<K>::mstatus() const -> Word {
  using namespace mstatus_bit;
  const Word own = (Word{mie_on_} << kInterruptEnable) | (Word{mpie_} << kPrevious) |
                   (static_cast<Word>(mpp_) << kMpp) | (Word{mprv_} << kMprv) | (Word{tw_} << kTw) | user_.status() |
                   static_cast<Word>(floats_.status());
  if constexpr (K.supervisor) return own | supervisor_.machine_status();
  return own;
}

template <Kind K>
auto CsrFile<K>::misa() const -> Word {
  const Params& p = params_;
  const auto letter = [](char name) { return Word{1} << (name - 'a'); };
  Word value = (Word{K.xlen / 32} << (K.xlen - 2)) | letter(p.embedded ? 'e' : 'i') | letter('u');
  if (p.m) value |= letter('m');
  if (p.a) value |= letter('a');
  if (p.c) value |= letter('c');
  if (p.f) value |= letter('f');
  if (p.d) value |= letter('d');
  if (p.supervisor) value |= letter('s');
  if (p.user_interrupts) value |= letter('n');
  if (p.zba && p.zbb && p.zbs) value |= letter('b');
  return value;
}

template <Kind K>
bool CsrFile<K>::allowed(unsigned number, unsigned mode, bool writes) const {
  if (((number >> kPrivilegeShift) & 3U) > mode) return false;
  if (writes && (number >> 10) == 3U) return false;
  if constexpr (K.f) {
    if (FloatCsrs::has_csr(number) && floats_.off()) return false;
  }
  if (mode == kMachine) return true;
  if constexpr (K.supervisor) return allowed_to_supervisor(number, mode);
  if (number == kCycle || number == kCycleh) return (mcounteren_ & kCountCycle) != 0;
  if (number == kInstret || number == kInstreth) return (mcounteren_ & kCountInstret) != 0;
  return true;
}

template <Kind K>
auto CsrFile<K>::enter(Word cause, bool interrupt, Word pc, Word value, unsigned& mode) -> Word {
  if constexpr (K.supervisor) {
    if (is_delegated(cause, interrupt, mode)) return enter_supervisor(cause, interrupt, pc, value, mode);
  }
  mepc_ = pc;
  mcause_ = interrupt ? cause | kInterruptBit : cause;
  mtval_ = value;
  mpie_ = mie_on_;
  mie_on_ = false;
  mpp_ = mode;
  sole_context_ = true;
  if constexpr (K.clic) {
    clic_.enter(interrupt, std::exchange(mode, kMachine));
    return mtvec_;
  }
  mode = kMachine;
  const Word base = mtvec_ & ~Word{3};
  return interrupt && (mtvec_ & 1U) != 0 ? base + 4 * cause : base;
}

template <Kind K>
auto CsrFile<K>::leave(unsigned& mode) -> Word {
  mode = mpp_;
  mie_on_ = mpie_;
  sole_context_ = false;
  mpie_ = true;
  mpp_ = kUser;
  if (mode != kMachine) mprv_ = false;
  if constexpr (K.clic) clic_.leave(mode);
  return mepc_;
}

template <Kind K>
auto CsrFile<K>::leave_user(unsigned& mode) -> Word {
  if (mode == kMachine) {
    mprv_ = false;
    clic_.threshold = 0;
    sole_context_ = false;  // machine mode has returned, without mepc and mcause: their values are no longer needed
  }
  mode = kUser;
  return user_.leave();
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_H
