// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart around execution: memory accesses off the fast path, CSR instructions, traps, records.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_STATE_H
#define TRAPEZE_SIM_MODEL_ISA_HART_STATE_H

#include <algorithm>
#include <bit>

#include "kernel/disasm.h"
#include "model/isa/csr_file.h"
#include "model/isa/csr_file_supervisor.h"
#include "model/isa/csr_sync.h"
#include "model/isa/hart.h"
#include "model/isa/hart_atomic.h"
#include "model/isa/hart_clic.h"
#include "model/isa/hart_fast.h"
#include "model/isa/hart_float.h"
#include "model/isa/hart_time.h"
#include "model/isa/hart_triggers.h"
#include "model/isa/hart_user.h"

namespace trapeze::model {

template <Kind K, class Time>
void Hart<K, Time>::reset(Word reset_vector) {
  x_ = {};
  f_ = {};
  pc_ = reset_vector;
  mode_ = kMachine;
  entered_ = entered_by_interrupt_ = no_entry_ = false;
  steps_ = trapped_ = order_ = 0;
  frames_.restore({});
  vectored_.reset();
  chained_.reset();
  csr_ = initial_csr_;
  time_.reset();
  flush_all();
}

template <Kind K, class Time>
void Hart<K, Time>::restore(const State& state) {
  x_ = state.x;
  f_ = state.f;
  pc_ = state.pc;
  mode_ = state.mode;
  steps_ = state.steps;
  trapped_ = state.trapped;
  order_ = state.order;
  entered_ = state.entered;
  entered_by_interrupt_ = state.entered_by_interrupt;
  no_entry_ = state.no_entry;
  csr_ = state.csr;
  frames_.restore(state.frames);
  time_ = state.time;
  vectored_.reset();
  chained_.reset();
  flush_all();
}

template <Kind K, class Time>
void Hart<K, Time>::interrupt(unsigned id) {
  show_interrupt(id, mode_);
  pc_ = csr_.enter(static_cast<Word>(id), true, pc_, 0, mode_);
  bus_.forget_reservation();
  entered_ = entered_by_interrupt_ = true;
}

template <Kind K, class Time>
void Hart<K, Time>::trap(unsigned cause, Word value, Word pc) {
  if constexpr (K.xlen == 32) csr_.triggers().excepted(cause, mode_);
  pc_ = csr_.enter(static_cast<Word>(cause), false, pc, value, mode_);
  bus_.forget_reservation();
  entered_ = true;
  entered_by_interrupt_ = false;
  ++trapped_;
}

// --- memory

template <Kind K, class Time>
auto Hart<K, Time>::load_slow(Word address, unsigned size, std::uint64_t now) -> Loaded {
  const Span where = door_.span(AccessKind::kLoad, address, size);
  if (where.cause != 0) return {0, where.cause, false, where.tval};
  // One transfer for each bus word that the access touches, in ascending order.
  const unsigned privilege = door_.privilege_of(AccessKind::kLoad);
  Loaded result;
  unsigned done = 0;
  bool open = false;
  while (done < size) {
    const Word at = where.at(done);
    const unsigned lane = at % 4;
    const unsigned bytes = std::min(4 - lane, size - done);
    const BusRead read = bus_.read(at - lane, ((1U << bytes) - 1) << lane, time_of_word(done, now), privilege);
    if (read.error) return {0, kLoadFault, false, address + static_cast<Word>(done)};
    result.device |= read.device;
    open |= read.open;
    const std::uint32_t part = (read.value >> (8 * lane)) & lane_mask((1U << bytes) - 1);
    result.value |= static_cast<Word>(part) << (8 * done);
    done += bytes;
  }
  if (choices_ != nullptr && choices_->load && open) result.value = static_cast<Word>(*choices_->load);
  if constexpr (!Time::kIsCount) spend_access(address, where, size, result.device, false);
  if (!result.device && !watches_.in_page(TZ_WATCH_LOAD, address, where.first))
    door_.learn(AccessKind::kLoad, address, where.first);
  result.device |= watches_.access(TZ_WATCH_LOAD, address, where.first, mode_ == kUser, size, result.value, now);
  return result;
}

template <Kind K, class Time>
auto Hart<K, Time>::store_slow(Word address, unsigned size, Word value, std::uint64_t now) -> Loaded {
  const Span where = door_.span(AccessKind::kStore, address, size);
  if (where.cause != 0) return {0, where.cause, false, where.tval};
  const unsigned privilege = door_.privilege_of(AccessKind::kStore);
  Loaded result;
  unsigned done = 0;
  while (done < size) {
    const Word at = where.at(done);
    const unsigned lane = at % 4;
    const unsigned bytes = std::min(4 - lane, size - done);
    const auto part = static_cast<std::uint32_t>(value >> (8 * done));
    const std::uint64_t when = time_of_word(done, now);
    const BusWrite write = bus_.write(at - lane, ((1U << bytes) - 1) << lane, part << (8 * lane), when, privilege);
    if (write.error) return {0, kStoreFault, result.device, address + static_cast<Word>(done)};
    result.device |= write.device;
    done += bytes;
  }
  if constexpr (!Time::kIsCount) spend_access(address, where, size, result.device, true);
  if (!result.device && !watches_.in_page(TZ_WATCH_STORE, address, where.first))
    door_.learn(AccessKind::kStore, address, where.first);
  result.device |= watches_.access(TZ_WATCH_STORE, address, where.first, mode_ == kUser, size, value, now);
  return result;
}

/** What an operation of Zicbom does here: CBIE may turn an invalidation into a flush. */
template <Kind K, class Time>
BlockAction Hart<K, Time>::block_action(Operation op) const {
  if constexpr (K.xlen == 64) {
    if (op == Operation::cbo_inval && !csr_.blocks().flushes(mode_)) return BlockAction::kInvalidate;
  }
  return op == Operation::cbo_clean ? BlockAction::kClean : BlockAction::kFlush;
}

/** An operation of Zicbom is allowed if the block may be loaded or stored. Pages and rows that allow stores allow
 * loads, so it is judged as a load. Its exceptions are those of a store. */
template <Kind K, class Time>
unsigned Hart<K, Time>::manage_block(Operation op, Word address) {
  constexpr auto kBytes = static_cast<unsigned>(kBlockBytes);
  const Span where = door_.span(AccessKind::kLoad, address & ~static_cast<Word>(kBytes - 1), kBytes);
  if (where.cause != 0) return where.cause == kLoadPageFault ? kStorePageFault : kStoreFault;
  if (!bus_.holds(where.first, kBytes)) return kStoreFault;
  bus_.managed(block_action(op), where.first);
  if constexpr (!Time::kIsCount) spend(time_.manage(op, where.first));
  return 0;
}

// --- CSR instructions

/** Whether a read of a CSR may have another value with fastirq: see tz_choices.csr. */
constexpr bool may_be_another(unsigned number) {
  using namespace isa::csr;
  return number == kMtval || number == kMcause || number == kMstatus || number == kMintstatus || number == kUcause ||
         number == kUstatus || number == kUintstatus;
}

template <Kind K, class Time>
auto Hart<K, Time>::access_csr(const Op& op, const Counts& counts, Word pc) -> CsrEffect {
  const auto number = static_cast<unsigned>(op.imm) & 0xfffU;
  const bool immediate = (op.rs2 & 4U) != 0;
  const unsigned kind = op.rs2 & 3U;  // 1 write, 2 set, 3 clear
  const bool writes = kind == 1 || op.rs1 != 0;
  if (!csr_.allowed(number, mode_, writes)) return CsrEffect::kIllegal;
  if constexpr (K.clic) {
    if (is_clic_access(number)) return access_clic(op, number, pc);
  }
  const auto value = csr_.read(number, counts);
  if (!value) return CsrEffect::kIllegal;
  Word old = *value;
  if (K.fast && choices_ != nullptr && choices_->csr && may_be_another(number)) {
    csr_.write(number, old = static_cast<Word>(*choices_->csr), counts);
  }
  const Word operand = immediate ? Word{op.rs1} : x_[op.rs1];
  if (writes) {
    const Word base = csr_.base_of_change(number, old);
    const Word result = kind == 1 ? operand : kind == 2 ? base | operand : base & ~operand;
    csr_.write(number, result, counts);
    if (number == kMuirr || number == kMuirrh) posts_.show();
  }
  x_[op.rd] = old;
  return kSyncTable<K>.ends(number, writes, csr_.protection().exists()) ? CsrEffect::kSync : CsrEffect::kNone;
}

// --- one instruction with its record

template <Kind K, class Time>
Executed Hart<K, Time>::step(std::uint64_t now, tz_retire* record, const Choices* choices) {
  follow_rows();
  BlockCache& cache = blocks_.single(door_.view_of(mode_));
  if (record == nullptr) {
    entered_ = false;
    return execute_one(now, cache);
  }
  choices_ = choices;
  const Block& block = *blocks_.find(pc_, cache);
  const Decoded d = no_entry_ ? Decoded{} : block.first;
  tz_retire& r = *record;
  r = {};
  r.order = order_++;
  r.pc = pc_;
  r.insn = d.insn;
  r.mode = static_cast<std::uint8_t>(mode_);
  r.hart = static_cast<std::uint16_t>(number_);
  unsigned flags = 0;
  if (entered_) flags |= TZ_RETIRE_INTR;
  if (entered_) r.cause = csr_.cause_in(mode_);
  if (entered_ && entered_by_interrupt_) {
    flags |= TZ_RETIRE_IRQ;
    const bool posted = csr_.post().present() && ((r.cause >> isa::ucause::kPosted) & 1U) != 0;
    r.irq_id = static_cast<std::uint16_t>(posted ? kPostSource : r.cause & 0xfffU);
    r.irq_level = csr_.clic(mode_).level;
  }
  entered_ = false;
  const bool csr_immediate = d.op == Operation::csr && (d.rs2 & 4U) != 0;
  const FloatUse floats = float_use(d.op);
  if (!csr_immediate && !floats.rs1) r.rs1 = d.rs1;
  if (d.op != Operation::csr && !floats.rs2) r.rs2 = d.rs2;
  r.rs1_value = x_[r.rs1];
  r.rs2_value = x_[r.rs2];
  const Word csr_operand = csr_immediate ? Word{d.rs1} : x_[d.rs1];
  const bool csr_writes = d.op == Operation::csr && ((d.rs2 & 3U) == 1 || d.rs1 != 0) &&
                          !is_clic_access(static_cast<unsigned>(d.imm) & 0xfffU);

  const std::uint64_t trapped = trapped_;
  vectored_.reset();
  chained_.reset();
  const Executed executed = execute_one(now, cache);
  r.pc_next = vectored_.value_or(pc_);
  if (trapped_ != trapped) {
    flags |= TZ_RETIRE_TRAP;
    r.cause = csr_.cause_in(mode_);
  } else {
    r.rd = floats.rd ? std::uint8_t{0} : d.rd;
    r.rd_value = r.rd != 0 ? x_[r.rd] : 0;
    const MemoryUse use = memory_use(d.op);
    if (use.size != 0) record_access(r, d, use);
    if (csr_writes) {
      flags |= TZ_RETIRE_CSR_WE;
      r.csr_addr = static_cast<std::uint16_t>(d.imm & 0xfff);
      const Word old = x_[d.rd == 0 ? kDummy : d.rd];
      const unsigned kind = d.rs2 & 3U;
      r.csr_value = kind == 1 ? csr_operand : kind == 2 ? old | csr_operand : old & ~csr_operand;
    }
  }
  if (K.fast && chained_) {
    // If an emret that chains is the first instruction of a handler, the record names the interrupt of that handler.
    if ((flags & TZ_RETIRE_IRQ) == 0) {
      r.irq_id = static_cast<std::uint16_t>(chained_->offer.id);
      r.irq_level = static_cast<std::uint8_t>(chained_->offer.level);
    }
    flags |= TZ_RETIRE_IRQ;
  }
  r.flags = static_cast<std::uint8_t>(flags);
  if constexpr (!Time::kIsCount) r.cycle_mem = (r.mem_rmask | r.mem_wmask) != 0 ? now : 0;
  r.cycle_fetch = now;
  r.cycle_ex = r.cycle_retire = now + executed.time - 1;
  choices_ = nullptr;
  return executed;
}

/** Memory fields of a record: an AMO reads and writes, an SC that fails does neither. */
template <Kind K, class Time>
void Hart<K, Time>::record_access(tz_retire& r, const Decoded& d, const MemoryUse& use) const {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * use.size);
  const auto lanes = static_cast<std::uint8_t>((1U << use.size) - 1);
  const auto held = [&](unsigned integer, unsigned number, bool is_float) -> std::uint64_t {
    if constexpr (K.f) {
      if (is_float) return f_[number];
    }
    return x_[integer];
  };
  const FloatUse floats = float_use(d.op);
  r.mem_addr = static_cast<Word>(static_cast<Word>(r.rs1_value) + static_cast<Word>(static_cast<SignedWord>(d.imm)));
  if (use.reads) {
    r.mem_rmask = lanes;
    r.mem_rdata = held(d.rd == 0 ? kDummy : d.rd, d.rd, floats.rd) & mask;
  }
  if (!use.writes || (use.atomic && !atomic_wrote_)) return;
  r.mem_wmask = lanes;
  r.mem_wdata = (floats.rs2 ? held(0, d.rs2, true) : r.rs2_value) & mask;
  if (!use.atomic || !use.reads) return;
  r.mem_wdata = amo_left_;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_STATE_H
