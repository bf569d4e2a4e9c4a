// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A hart: registers, decoded blocks, and the loop that executes them.
 *
 * Instructions are decoded once into blocks of operations, each with the address of the code that does it (threaded
 * code); a block ends with the first instruction that may go elsewhere and remembers the blocks that followed it. As
 * the specification allows, a changed instruction is seen after fence.i.
 */
#ifndef TRAPEZE_SIM_MODEL_HART_H
#define TRAPEZE_SIM_MODEL_HART_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernel/engine.h"
#include "model/bus.h"
#include "model/clic.h"
#include "model/csr.h"
#include "model/decode.h"

namespace trapeze::model {

/** Why execute() came back. */
enum class Leave : std::uint8_t {
  kBudget,  ///< as many instructions as asked for, or fewer than the next block has
  kSync,    ///< something changed that outside must look at: CSR, device, code
  kTrap,    ///< an exception was entered
  kWait,    ///< wfi
  kMarker   ///< a marker is the next instruction
};

/** What execute() did. */
struct Executed {
  std::uint64_t steps = 0;  ///< instructions, with those that trapped
  Leave leave = Leave::kBudget;
};

template <Params P>
class Hart {
 public:
  using Word = Register<P.xlen>;
  using SignedWord = std::make_signed_t<Word>;

  /** `clic`: its controller if it has one, else null. */
  Hart(unsigned number, std::uint64_t hart_id, std::uint32_t interrupts, Bus& bus, Clic* clic = nullptr)
      : number_(number),
        bus_(bus),
        clic_(clic),
        csr_(hart_id, interrupts, clic != nullptr ? clic->sources() : 0),
        initial_csr_(csr_) {
    fast_.limit = kBlockLimit;
    single_.limit = 1;
  }
  Hart(const Hart&) = delete;
  Hart& operator=(const Hart&) = delete;

  void reset(Word reset_vector);

  /** Execute at most `budget` instructions, whole blocks; `now` is the time of the first, each takes one unit. */
  Executed execute(std::uint64_t budget, std::uint64_t now) {
    return no_entry_ ? no_entry_trap() : run(budget, now, fast_);
  }
  /** Execute one instruction, and if `record` is not null say what it did (all but its cycles). */
  Executed step(std::uint64_t now, tz_retire* record);
  /** As step(), with what depends on time taken from the record of a leader. */
  Executed follow(std::uint64_t now, const tz_retire& leader, tz_retire& record);

  /** Enter the handler of interrupt `id`; with a CLIC see enter(). */
  void interrupt(unsigned id);
  /** Claim what the CLIC offers, and enter its handler. */
  void enter(const ClicOffer& offer, std::uint64_t now);
  /** Pending and enabled interrupt with the highest priority, or -1; whether it can be taken is not looked at. */
  static int winner(Word candidates);
  /** The interrupt to take now, or -1; with a CLIC see takes(). */
  int next_interrupt() const { return csr_.interrupts_on(mode_) ? winner(csr_.mip() & csr_.mie()) : -1; }
  /** Whether what the CLIC offers is to be taken now. */
  bool takes(const ClicOffer& offer) const { return csr_.interrupts_on(mode_) && exceeds(offer); }
  bool wakes() const {
    if constexpr (P.clic) return exceeds(clic_->best());
    return (csr_.mip() & csr_.mie()) != 0;
  }

  /** Forget decoded code: memory was written from outside. */
  void flush();
  /** Forget pointers into memory too. */
  void flush_all();

  CsrFile<P>& csr() { return csr_; }
  const CsrFile<P>& csr() const { return csr_; }
  Word x(unsigned n) const { return x_[n]; }
  Word pc() const { return pc_; }
  unsigned mode() const { return mode_; }
  /** For debuggers. */
  void set_x(unsigned n, Word value) {
    if (n != 0) x_[n] = value;
  }
  void set_pc(Word pc) {
    pc_ = pc & ~Word{P.c ? 1U : 3U};
    no_entry_ = false;
  }
  void set_mode(unsigned mode) { mode_ = mode == kMachine ? kMachine : kUser; }
  std::uint64_t retired() const { return steps_ - trapped_; }
  Counts counts(std::uint64_t now) const { return {now, retired()}; }
  /** The next instruction is the first of a handler. */
  bool at_handler() const { return entered_; }

  /** State without caches, for snapshots. */
  struct State {
    std::array<Word, 33> x;
    Word pc;
    unsigned mode;
    std::uint64_t steps, trapped, order;
    bool entered, entered_by_interrupt, no_entry;
    CsrFile<P> csr;
  };
  State save() const {
    return {x_, pc_, mode_, steps_, trapped_, order_, entered_, entered_by_interrupt_, no_entry_, csr_};
  }
  void restore(const State& state);

 private:
  static constexpr unsigned kBlockLimit = 64;
  static constexpr unsigned kDummy = 32;  ///< where writes to x0 go
  static constexpr std::size_t kTlbEntries = 256;
  static constexpr std::size_t kJumpEntries = 4096;

  /** One operation of a block: 16 bytes on RV32. */
  struct Op {
    const void* run;
    Word imm;  ///< immediate; for jumps and branches the target
    std::uint8_t rd, rs1, rs2, size;
  };
  struct Block {
    Word pc = 0;
    std::uint32_t count = 0;  ///< instructions
    Block* taken = nullptr;   ///< where it went when the jump at the end was taken
    Block* next = nullptr;    ///< what follows it in memory
    std::vector<Op> ops;
    std::vector<Word> pcs;  ///< addresses of the instructions, and of what is behind
    std::vector<Decoded> decoded;
  };
  struct BlockCache {
    unsigned limit = 1;  ///< instructions in a block
    std::unordered_map<Word, std::unique_ptr<Block>> blocks;
    std::array<Block*, kJumpEntries> recent{};
  };
  struct TlbEntry {
    Word tag = kNoTag;
    std::uint8_t* page = nullptr;
  };
  static constexpr Word kNoTag = 0x10;  // a bit that no page_tag() has
  struct Loaded {
    Word value = 0;
    bool fault = false;
    bool device = false;
    Word tval = 0;
  };

  Executed run(std::uint64_t budget, std::uint64_t now, BlockCache& cache, const void* const** labels = nullptr);
  Block* find(Word pc, BlockCache& cache);
  Block* build(Word pc, BlockCache& cache);
  Op translate(const Decoded& decoded, Word pc, const BlockCache& cache, const void* const* labels) const;
  bool fetch_half(Word pc, std::uint16_t& half);

  Loaded load_slow(Word address, unsigned size, std::uint64_t now);
  Loaded store_slow(Word address, unsigned size, Word value, std::uint64_t now);
  void learn(std::array<TlbEntry, kTlbEntries>& tlb, Word address);
  /** What a CSR instruction did beside reading and writing. */
  enum class CsrEffect : std::uint8_t { kNone, kIllegal, kSync, kJump };
  CsrEffect access_csr(const Op& op, const Counts& counts, Word pc);
  void trap(unsigned cause, Word value, Word pc);

  // With a CLIC, see hart_clic.h.
  bool exceeds(const ClicOffer& offer) const { return offer.valid && csr_.clic().exceeds(offer.level, mode_); }
  /** Accesses that the record does not count as CSR writes. */
  static bool is_clic_access(unsigned number) {
    return P.clic && (number == kMnxti || number == kJalmnxti || number == kMscratchcsw || number == kMscratchcswl);
  }
  CsrEffect access_clic(const Op& op, unsigned number, std::uint64_t now, Word pc);
  CsrEffect swap_scratch(const Op& op, bool is_swap);
  CsrEffect next_interrupt_csr(const Op& op, std::uint64_t now);
  CsrEffect jump_to_next_interrupt(const Op& op, std::uint64_t now, Word pc);
  ClicOffer next_offer(unsigned above, std::optional<Word> entry, std::uint64_t now) const;
  void serve(const ClicOffer& offer, std::uint64_t now);
  /** Go where the table entry at `entry` points; if it cannot be fetched, no_entry_ is set and pc is its address. */
  void vector(Word entry);
  /** The exception for an entry that cannot be fetched. */
  Executed no_entry_trap();

  template <unsigned kSize>
  static constexpr Word page_tag(Word address) {
    return address & (~static_cast<Word>(kPageBytes - 1) | (kSize - 1));
  }

  std::array<Word, 33> x_{};
  Word pc_ = 0;
  unsigned mode_ = kMachine;
  bool entered_ = false;
  bool entered_by_interrupt_ = false;
  bool no_entry_ = false;         ///< pc is the address of a table entry that cannot be fetched
  std::optional<Word> vectored_;  ///< table entry through which the last instruction went on
  std::uint64_t steps_ = 0;
  std::uint64_t trapped_ = 0;
  std::uint64_t order_ = 0;
  const tz_retire* leader_ = nullptr;
  unsigned number_;
  Bus& bus_;
  Clic* clic_;
  CsrFile<P> csr_;
  CsrFile<P> initial_csr_;
  std::array<TlbEntry, kTlbEntries> load_tlb_{};
  std::array<TlbEntry, kTlbEntries> store_tlb_{};
  BlockCache fast_;
  BlockCache single_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_HART_H
