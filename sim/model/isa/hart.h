// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A hart: registers, its parts, and the loop that executes instructions.
 *
 * Instructions are decoded once into blocks of operations (blocks.h). Each operation has the address of the host code
 * that executes it (threaded code).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_H
#define TRAPEZE_SIM_MODEL_ISA_HART_H

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/engine.h"
#include "model/isa/blocks.h"
#include "model/isa/choices.h"
#include "model/isa/clic_port.h"
#include "model/isa/csr.h"
#include "model/isa/decode.h"
#include "model/isa/door.h"
#include "model/isa/executed.h"
#include "model/isa/fast.h"
#include "model/isa/frames.h"
#include "model/isa/of_time.h"
#include "model/isa/posts.h"
#include "model/isa/priority.h"
#include "model/isa/watches.h"
#include "model/memory/bus.h"
#include "model/time/instruction_count.h"
#include "model/time/time_source.h"

namespace trapeze::model {

/** `Time` is a policy of time, see model/time/instruction_count.h. */
template <Kind K, class Time = InstructionCount>
class Hart {
 public:
  using Word = Register<K.xlen>;
  using SignedWord = std::make_signed_t<Word>;
  /** The floating-point registers with all their bits: a single number is boxed. */
  using FloatRegisters = std::conditional_t<K.f, std::array<std::uint64_t, 32>, Nothing>;

  /** `params`: a hart of this kind; `clic`: its CLIC; null if it has none. */
  Hart(const Params& params, unsigned number, std::uint64_t hart_id, std::uint64_t interrupts, Bus& bus,
       ClicPort* clic = nullptr, Time time = {})
      : number_(number),
        bus_(bus),
        clic_(clic),
        csr_(params, hart_id, interrupts, clic != nullptr ? clic->sources() : 0),
        initial_csr_(csr_),
        door_(bus, csr_, mode_, number),
        posts_(bus, csr_, door_, clic),
        frames_(csr_, door_),
        time_(std::move(time)),
        blocks_(bus, csr_, door_, watches_, time_, labels()) {
    static_assert(!K.supervisor || (K.xlen == 64 && !K.clic));  // S mode is RV64's, and without a CLIC
  }
  Hart(const Hart&) = delete;
  Hart& operator=(const Hart&) = delete;

  void reset(Word reset_vector);

  /** Executes whole blocks that fit into `budget`, a time. `now` is that of the first instruction. While a trigger is
   * armed nothing fits. */
  Executed execute(std::uint64_t budget, std::uint64_t now) {
    follow_rows();
    if (csr_.triggers().armed()) [[unlikely]]
      return {};  // each instruction is asked for by step()
    return exception_due() ? no_instruction() : run(budget, now, &blocks_.fast(door_.view_of(mode_)));
  }
  /** Executes one instruction. If `record` is not null, fills it in, except for the cycles. `choices`: decisions that
   * the specifications leave open; null: the hart decides by its own time. */
  Executed step(std::uint64_t now, tz_retire* record, const Choices* choices = nullptr);

  /** Enter the handler of interrupt `id`; with a CLIC see enter(). */
  void interrupt(unsigned id);
  /** Claims the interrupt that the CLIC offers, and enters its handler. `in_table`: the interrupt comes before the
   * table entry of the last interrupt or instruction has been fetched. */
  void enter(const ClicOffer& offer, bool in_table = false);
  /** The interrupt to take now, or -1; with a CLIC see takes(). */
  int next_interrupt() const { return most_important(csr_.due(mode_)); }
  /** Whether the interrupt that the CLIC offers is to be taken now. */
  bool takes(const ClicOffer& offer) const;
  bool wakes() const {
    if constexpr (K.clic) return rouses(clic_->best());
    return (csr_.mip() & csr_.mie()) != 0;
  }

  /** Whether the next instruction is a marker. */
  bool at_marker() {
    follow_rows();
    return blocks_.find(pc_, blocks_.single(door_.view_of(mode_)))->first.op == Operation::slti_marker;
  }
  /** Number of instructions that have trapped since reset. */
  std::uint64_t trapped() const { return trapped_; }

  /** Addresses that are watched from now on. */
  void watch(Watches watches) {
    watches_ = std::move(watches);
    flush_all();
  }
  Watches& watches() { return watches_; }
  Time& policy() { return time_; }
  const Time& policy() const { return time_; }

  /** Forgets decoded code: memory was written from outside. */
  void flush() { blocks_.forget(); }
  /** Forgets decoded code and all pointers into memory. */
  void flush_all() {
    flush();
    door_.forget();
  }

  CsrFile<K>& csr() { return csr_; }
  const CsrFile<K>& csr() const { return csr_; }
  Word x(unsigned n) const { return x_[n]; }
  Word pc() const { return pc_; }
  /** A floating-point register. */
  std::uint64_t f(unsigned n) const { return f_[n]; }
  unsigned mode() const { return mode_; }
  /** For debuggers. */
  void set_x(unsigned n, Word value) {
    if (n != 0) x_[n] = value;
  }
  void set_f(unsigned n, std::uint64_t value) { f_[n] = value; }
  void set_pc(Word pc) {
    pc_ = pc & ~Word{csr_.params().zero_bits()};
    no_entry_ = false;
  }
  void set_mode(unsigned mode) { mode_ = CsrFile<K>::legal_mode(mode); }
  std::uint64_t retired() const { return steps_ - trapped_; }
  Counts counts(std::uint64_t now) const { return counts(now, retired()); }
  /** Sets the timer that the time CSR reads. Without one the CSR reads the hart's own time. */
  void show_time(const TimeSource* source) { time_source_ = source; }
  /** Whether the next instruction is the first one of a handler. */
  bool at_handler() const { return entered_; }

  /** User interrupts from hart to hart. */
  Posts<K, Time>& posts() { return posts_; }
  const Posts<K, Time>& posts() const { return posts_; }

  // With triggers, see hart_triggers.h.
  /** The triggers for which debug mode must begin before the next instruction, as TZ_REGISTER_TRIGGERS has them. */
  std::uint32_t triggers_due();
  /** Debug mode begins before the next instruction. `by_trigger`: an mcontrol6 that matches has fired; those of other
   * types that are due always have. */
  void halted(bool by_trigger);

  // With fastirq, see hart_fast.h.
  /** An interrupt that an emret has chained. */
  struct Chained {
    ClicOffer offer;
    Word epc = 0;  ///< address at which the interrupted program goes on
  };
  /** The interrupt that the last instruction has chained, if it has; a second call returns nothing. */
  std::optional<Chained> take_chained() { return std::exchange(chained_, std::nullopt); }
  bool frame_fault_due() const { return K.fast && frames_.faulty() && !frame_faults_held(); }
  /** Whether the exception for a frame may not be taken before the next instruction. */
  bool frame_faults_held() const;
  /** User-level interrupts: whether user mode may not store the frame of the interrupt offered, see hart_user.h. */
  bool refuses(const ClicOffer& offer) const;
  /** The next thing that happens is the exception for that frame, in the place of the interrupt. `in_table`: see
   * enter(). */
  void refuse(bool in_table = false);
  /** The table entry through which the last instruction or interrupt went on. */
  std::optional<Word> table_entry() const { return vectored_; }
  /** The frame of the last interrupt, and the exceptions that are due for frames. */
  auto& frames() { return frames_; }

  /** State without caches, for snapshots. */
  struct State {
    std::array<Word, 33> x;
    [[no_unique_address]] FloatRegisters f;
    Word pc;
    unsigned mode;
    std::uint64_t steps, trapped, order;
    bool entered, entered_by_interrupt, no_entry;
    CsrFile<K> csr;
    FrameState frames;
    [[no_unique_address]] Time time;
  };
  State save() const {
    return {x_,        f_,       pc_,
            mode_,     steps_,   trapped_,
            order_,    entered_, entered_by_interrupt_,
            no_entry_, csr_,     frames_.state(),
            time_};
  }
  void restore(const State& state);

 private:
  using MemoryDoor = Door<K, Time>;
  using Located = typename MemoryDoor::Located;
  using Span = typename MemoryDoor::Span;
  using DecodedBlocks = Blocks<K, Time>;
  using Op = typename DecodedBlocks::Op;
  using Block = typename DecodedBlocks::Block;
  using BlockCache = typename DecodedBlocks::Cache;
  using Situation = typename OfTime<Time>::Situation;
  static constexpr unsigned kDummy = DecodedBlocks::kDummy;

  struct Loaded {
    Word value = 0;
    unsigned cause = 0;  ///< exception, 0: none
    bool device = false;
    Word tval = 0;
  };

  /** Outcome of an instruction of extension A. */
  struct Atomic {
    Word value = 0;      ///< for rd
    unsigned cause = 0;  ///< exception, 0: none
  };
  template <Operation kOp>
  Atomic atomic(Word address, Word operand, std::uint64_t now);

  /** Where the code of each operation is. */
  const void* const* labels() {
    const void* const* all = nullptr;
    run(0, 0, nullptr, &all);
    return all;
  }
  Executed run(std::uint64_t budget, std::uint64_t now, BlockCache* from, const void* const** labels = nullptr);
  // For a policy of time other than the number of instructions, see hart_time.h.
  void take_way(Block& block, const Situation& from);
  using Course = CourseFrom<Situation>;
  std::uint64_t cost_of(const Block& block, std::uint64_t first, std::uint64_t last, Situation& situation) const;
  /** The page of an access may have to be looked up in tables: what that adds. */
  std::uint64_t walk_for_data(Word address);
  void walk_for_code(Word address);
  struct Steps;
  Steps steps_to(Word address) const;
  std::int64_t stall(const Block& block, std::uint64_t index, Course& course, std::uint64_t met);
  void spend_access(Word address, const Span& where, unsigned size, bool device, bool store);
  void spend(std::uint64_t time) { unpaid_ += time; }

  /** Zicbom: an operation on the block that holds an address; no memory changes. Returns its exception; 0: none. */
  unsigned manage_block(Operation op, Word address);
  BlockAction block_action(Operation op) const;

  // With F, see hart_float.h.
  static constexpr unsigned kRs3Shift = DecodedBlocks::kRs3Shift;
  static constexpr unsigned kRoundingMask = (1U << kRs3Shift) - 1;
  bool floats_off() const;
  /** The register that an instruction writes. */
  std::uint64_t& float_target(unsigned rd);
  /** False if the instruction is illegal: FS is Off, or the rounding mode does not exist. */
  template <Operation kOp>
  bool compute_float(const Op& op);

  // With S mode, see door.h and paging.h.
  /** sfence.vma of an address, or of all. */
  void forget_translations(std::optional<Word> address) { blocks_.forget_places(door_.forget_translations(address)); }
  bool sret_allowed() const {
    if constexpr (K.supervisor) return mode_ == kMachine || (mode_ == kSupervisor && !csr_.supervisor().tsr);
    return false;
  }
  bool sfence_allowed() const {
    if constexpr (K.supervisor) return mode_ == kMachine || (mode_ == kSupervisor && !csr_.supervisor().tvm);
    return false;
  }
  /** wfi is illegal below machine mode if TW is set; on a hart with S mode it is always illegal in U mode. */
  bool wfi_allowed() const { return mode_ == kMachine || (!csr_.timeout_wait() && !(K.supervisor && mode_ == kUser)); }
  static constexpr unsigned call_from(unsigned mode) {
    return mode == kMachine                      ? kCallFromMachine
           : K.supervisor && mode == kSupervisor ? kCallFromSupervisor
                                                 : kCallFromUser;
  }

  /** Forgets what is no longer valid, because rows of protection or translations have changed or another hart has made
   * an LR. */
  void follow_rows() {
    const auto stale = door_.follow();
    if (stale == MemoryDoor::Stale::kNothing) [[likely]]
      return;
    stale == MemoryDoor::Stale::kAll ? flush() : blocks_.forget_places(std::nullopt);
  }

  Counts counts(std::uint64_t now, std::uint64_t retired) const {
    if constexpr (!K.supervisor) return {now, retired};
    return {now, retired, time_source_ != nullptr ? time_source_->mtime(now) : now};
  }
  /** Time of the bus word behind the first `done` bytes of an access. */
  std::uint64_t time_of_word(unsigned done, std::uint64_t now) const {
    return done != 0 && choices_ != nullptr ? choices_->second_word.value_or(now) : now;
  }
  Loaded load_slow(Word address, unsigned size, std::uint64_t now);
  Loaded store_slow(Word address, unsigned size, Word value, std::uint64_t now);
  /** What a CSR instruction has done besides reading and writing. */
  enum class CsrEffect : std::uint8_t { kNone, kIllegal, kSync, kJump };
  CsrEffect access_csr(const Op& op, const Counts& counts, Word pc);
  void trap(unsigned cause, Word value, Word pc);
  void record_access(tz_retire& record, const Decoded& decoded, const MemoryUse& use) const;

  // With a CLIC, see hart_clic.h.
  /** Whether an offer ends a WFI. */
  bool rouses(const ClicOffer& offer) const;
  /** Whether the CSR is one of those whose writes the record does not show: xnxti, jalxnxti, scratch swaps. */
  static bool is_clic_access(unsigned number) {
    return (K.clic && (number == kMnxti || number == kJalmnxti || number == kMscratchcsw || number == kMscratchcswl)) ||
           (K.user_interrupts && (number == kUnxti || number == kUscratchcswl));
  }
  CsrEffect access_clic(const Op& op, unsigned number, Word pc);
  // With the registers of interrupts that `privilege` handles:
  CsrEffect swap_scratch(const Op& op, unsigned privilege, bool is_swap);
  CsrEffect next_interrupt_csr(const Op& op, unsigned privilege);
  CsrEffect jump_to_next_interrupt(const Op& op, Word pc);
  /** The interrupt that xnxti claims or emret chains: one of `privilege`, with a level above `above`. */
  ClicOffer next_offer(unsigned privilege, unsigned above) const;
  void serve(const ClicOffer& offer);
  /** Jumps to the handler whose address the table entry at `entry` holds. If the entry cannot be fetched, sets
   * no_entry_ and leaves pc at the entry's address. */
  void vector(Word entry);
  /** Takes an exception in the place of an instruction: for a table entry that cannot be fetched, or for a frame. */
  Executed no_instruction();
  bool exception_due() const { return no_entry_ || frame_fault_due() || frame_fault_chosen() || frames_.refused(); }

  // With triggers, see hart_triggers.h.
  TriggerPoint trigger_point();
  /** One instruction, or an exception in its place. */
  Executed execute_one(std::uint64_t now, BlockCache& cache) {
    if (csr_.triggers().armed()) [[unlikely]]
      return execute_watched(now, cache);
    return exception_due() ? no_instruction() : run(1, now, &cache);
  }
  Executed execute_watched(std::uint64_t now, BlockCache& cache);
  /** An interrupt of the source or code `id` was taken from `mode`. */
  void show_interrupt(unsigned id, unsigned mode);

  // With user-level interrupts, see hart_user.h.
  void interrupt_user(Word code);
  void return_from_user();

  // With fastirq, see hart_fast.h.
  static constexpr unsigned kSp = 2;
  /** The hart saves its context, interrupted in `mode`, for the handler of `offer`. */
  void save_frame(const ClicOffer& offer, unsigned mode);
  bool is_emret(Word pc) const;
  bool emret_allowed() const { return K.fast && mode_ == kMachine && csr_.fast().enabled(); }
  bool euret_allowed() const;
  /** Executes emret, or with kUser euret. Returns the address of the word that could not be loaded, if there is one. */
  std::optional<Word> leave_frame(unsigned privilege);
  void chain(const ClicOffer& offer);
  Word take_frame_fault();
  bool frame_fault_chosen() const { return K.fast && choices_ != nullptr && choices_->frame_fault.has_value(); }

  std::array<Word, 33> x_{};
  [[no_unique_address]] FloatRegisters f_{};
  Word pc_ = 0;
  unsigned mode_ = kMachine;
  bool entered_ = false;
  bool entered_by_interrupt_ = false;
  bool no_entry_ = false;         ///< pc is the address of a table entry that cannot be fetched
  std::optional<Word> vectored_;  ///< table entry through which the last instruction or interrupt went
  std::uint64_t steps_ = 0;
  std::uint64_t trapped_ = 0;
  std::uint64_t order_ = 0;
  bool atomic_wrote_ = false;         ///< the last SC or AMO stored
  std::uint64_t amo_left_ = 0;        ///< value that the last AMO has stored
  const Choices* choices_ = nullptr;  ///< choices for the instruction that is being executed
  Watches watches_;
  std::optional<Chained> chained_;
  unsigned number_;
  Bus& bus_;
  ClicPort* clic_;
  const TimeSource* time_source_ = nullptr;
  CsrFile<K> csr_;
  CsrFile<K> initial_csr_;
  MemoryDoor door_;
  Posts<K, Time> posts_;
  [[no_unique_address]] std::conditional_t<K.fast, Frames<K, Time>, NoFrames> frames_;
  [[no_unique_address]] Time time_;
  DecodedBlocks blocks_;
  [[no_unique_address]] ForTime<Time, std::uint64_t> unpaid_{};  ///< time of accesses that the loop has yet to add
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_H
