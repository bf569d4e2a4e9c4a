// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The macros that the threaded loop is written in (execute.h, which alone includes this file).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_THREADED_H
#define TRAPEZE_SIM_MODEL_ISA_THREADED_H

// Names in these macros are the locals of run().
#define TZ_X(field) x[op->field]
#define TZ_S(field) static_cast<SignedWord>(x[op->field])
#define TZ_NEXT     \
  do {              \
    ++op;           \
    goto * op->run; \
  } while (false)
#define TZ_ALU(name, expression)                       \
  L_##name : TZ_X(rd) = static_cast<Word>(expression); \
  TZ_NEXT
/** Time passes that a hook of the policy of time knows; at the end of a block. */
#define TZ_CHARGE(hook)                                                           \
  do {                                                                            \
    if constexpr (!Time::kIsCount) left -= static_cast<std::int64_t>(time_.hook); \
  } while (false)
/** The same of a load or store of memory, on the fast path. `paged`: its address was translated. */
#define TZ_TOUCH(kind, bytes)                                                        \
  do {                                                                               \
    if constexpr (!Time::kIsCount) {                                                 \
      std::uint64_t met_ = 0;                                                        \
      if constexpr (K.supervisor) {                                                  \
        if (paged && !time_.recent_data(address)) [[unlikely]]                       \
          met_ = walk_for_data(address);                                             \
      }                                                                              \
      const std::uint64_t touched_ = time_.kind(address + entry.to_physical, bytes); \
      if (met_ != 0) [[unlikely]]                                                    \
        met_ = Time::both(met_, touched_);                                           \
      else                                                                           \
        met_ = touched_;                                                             \
      if (met_ != 0) [[unlikely]] {                                                  \
        if (time_.reached_memory()) [[unlikely]]                                     \
          met_ = Time::both(met_, time_.transfer(TZ_NOW));                           \
        left -= stall(*block, TZ_INDEX, course, met_);                               \
        if (left <= 0) TZ_LEAVE_BEHIND(Leave::kBudget);                              \
      }                                                                              \
    }                                                                                \
  } while (false)
/** Time that was spent off the fast path. */
#define TZ_PAY_UNPAID                                                       \
  do {                                                                      \
    if constexpr (!Time::kIsCount) {                                        \
      if (unpaid_ != 0) {                                                   \
        if (time_.reached_memory()) [[unlikely]]                            \
          unpaid_ = Time::both(unpaid_, time_.transfer(TZ_NOW));            \
        left -= stall(*block, TZ_INDEX, course, std::exchange(unpaid_, 0)); \
      }                                                                     \
    }                                                                       \
  } while (false)
#define TZ_LEAVE_IF_OVER                 \
  do {                                   \
    if constexpr (!Time::kIsCount) {     \
      if (left <= 0) [[unlikely]]        \
        TZ_LEAVE_BEHIND(Leave::kBudget); \
    }                                    \
  } while (false)
/** What is known of an instruction's time only when it executes; mostly it is 0. If the rest of the block may not fit
 * into what is left of the budget then, the caller goes on instruction by instruction. */
#define TZ_ACCESS(hook)                                                    \
  do {                                                                     \
    if constexpr (!Time::kIsCount) {                                       \
      if (const std::uint64_t met_ = time_.hook; met_ != 0) [[unlikely]] { \
        left -= stall(*block, TZ_INDEX, course, met_);                     \
        if (left <= 0) TZ_LEAVE_BEHIND(Leave::kBudget);                    \
      }                                                                    \
    }                                                                      \
  } while (false)
/** `target` becomes the result of an ALU operation whose time depends on its operands. */
#define TZ_TIMED_BODY(name, hook, result)                                                    \
  {                                                                                          \
    [[maybe_unused]] std::uint64_t more = 0;                                                 \
    if constexpr (!Time::kIsCount) more = time_.hook(Operation::name, TZ_X(rs1), TZ_X(rs2)); \
    TZ_X(rd) = static_cast<Word>(result);                                                    \
    TZ_ACCESS(longer(more));                                                                 \
    TZ_NEXT;                                                                                 \
  }
#define TZ_TIMED(name, hook, expression) L_##name : TZ_TIMED_BODY(name, hook, expression)
#define TZ_INDEX static_cast<std::uint64_t>(op - block->ops)
/** Instructions executed before the current block. Without time of its own that follows from the budget. */
#define TZ_BEFORE_BLOCK (Time::kIsCount ? budget - static_cast<std::uint64_t>(left + block->count) : before)
/** Instructions executed before this one. */
#define TZ_BEFORE (TZ_BEFORE_BLOCK + TZ_INDEX)
/** Names this instruction to the bus, for an observer; off the fast path. */
#define TZ_AT_BUS bus_.at(block->address(TZ_INDEX))
/** Time before this instruction. */
#define TZ_NOW (now + time_before(TZ_BEFORE))
/** The instructions of the block from number `done` on, counted like TZ_BEFORE, are not executed after all. */
#define TZ_UNDO(done)                                                                  \
  do {                                                                                 \
    if constexpr (!Time::kIsCount) {                                                   \
      if (const std::uint64_t index_ = (done)-before; index_ < block->count) {         \
        Situation situation_ = course.from;                                            \
        const std::uint64_t used_ = cost_of(*block, course.first, index_, situation_); \
        left += static_cast<std::int64_t>(course.cost - used_);                        \
        time_.become(situation_);                                                      \
      }                                                                                \
    }                                                                                  \
  } while (false)
/** Leave behind the last instruction of a block. */
#define TZ_LEAVE_AT_END(reason, done)                                                             \
  do {                                                                                            \
    const std::uint64_t count_ = (done);                                                          \
    steps_ += count_;                                                                             \
    return {count_, reason, Time::kIsCount ? count_ : budget - static_cast<std::uint64_t>(left)}; \
  } while (false)
#define TZ_LEAVE(reason, done)          \
  do {                                  \
    const std::uint64_t done_ = (done); \
    TZ_UNDO(done_);                     \
    TZ_LEAVE_AT_END(reason, done_);     \
  } while (false)
#define TZ_TRAP(cause, value)                      \
  do {                                             \
    const std::uint64_t executed_ = TZ_BEFORE + 1; \
    TZ_UNDO(executed_);                            \
    trap(cause, value, block->address(TZ_INDEX));  \
    TZ_CHARGE(trapped());                          \
    TZ_LEAVE_AT_END(Leave::kTrap, executed_);      \
  } while (false)
#define TZ_LEAVE_BEHIND(reason)      \
  do {                               \
    pc_ = block->behind(TZ_INDEX);   \
    TZ_LEAVE(reason, TZ_BEFORE + 1); \
  } while (false)
/** The exception of a jump to an address where no instruction can be. `is_new`: the hart may not have gone there
 * before; no block begins at such an address. */
#define TZ_CHECK(is_new, target)                                            \
  do {                                                                      \
    if ((is_new) && ((target)&csr_.params().zero_bits()) != 0) [[unlikely]] \
      TZ_TRAP(kFetchMisaligned, target);                                    \
  } while (false)
/** Go on with the block in `slot`, which is looked for at `target` the first time. */
#define TZ_CHAIN(slot, target)                                    \
  do {                                                            \
    Block* next_ = slot;                                          \
    if (next_ == nullptr) [[unlikely]] {                          \
      if (left <= 0) {                                            \
        pc_ = target;                                             \
        TZ_LEAVE(Leave::kBudget, TZ_BEFORE_BLOCK + block->count); \
      }                                                           \
      next_ = blocks_.find(target, cache);                        \
      if (DecodedBlocks::chains(*block, *next_)) slot = next_;    \
    }                                                             \
    TZ_ENTER(next_);                                              \
  } while (false)
/** A block that does not fit into what is left of the budget is not entered. With time of its own, a block of one
 * instruction is, if it is the first: otherwise a hart could stand still. One that fits exactly is not: an instruction
 * that takes no time of its own belongs behind the budget if it begins at its end. */
#define TZ_ENTER(following)                                                                                         \
  do {                                                                                                              \
    if constexpr (Time::kIsCount) {                                                                                 \
      block = (following);                                                                                          \
      left -= block->count;                                                                                         \
      if (left < 0) [[unlikely]] {                                                                                  \
        pc_ = block->pc;                                                                                            \
        TZ_LEAVE(Leave::kBudget, TZ_BEFORE_BLOCK);                                                                  \
      }                                                                                                             \
    } else {                                                                                                        \
      before += block != nullptr ? block->count : 0;                                                                \
      block = (following);                                                                                          \
      course = {time_.situation(), 0, 0};                                                                           \
      const bool same_line_ = time_.fetched(block->line);                                                           \
      if constexpr (K.supervisor) {                                                                                 \
        if (!same_line_ && paged_code && !time_.recent_code(block->pc)) walk_for_code(block->pc);                   \
      }                                                                                                             \
      const std::uint64_t fetch_ = same_line_ ? 0 : time_.fetch_cost(block->line, course.from);                     \
      if (const auto& way_ = block->ways.way(); way_.cost == OfTime<Time>::kUnknown || !(way_.from == course.from)) \
        take_way(*block, course.from);                                                                              \
      course.cost = block->ways.way().cost;                                                                         \
      const auto whole_ = static_cast<std::int64_t>(course.cost + fetch_);                                          \
      left -= whole_;                                                                                               \
      if (left <= 0 && (cache.limit != 1 || before != 0)) [[unlikely]] {                                            \
        left += whole_;                                                                                             \
        pc_ = block->pc;                                                                                            \
        TZ_LEAVE_AT_END(Leave::kBudget, TZ_BEFORE_BLOCK);                                                           \
      }                                                                                                             \
      time_.become(block->ways.way().to);                                                                           \
      if (!same_line_ && time_.fetch(block->line)) [[unlikely]] {                                                   \
        if (time_.reached_memory()) time_.transfer_code(now + budget - static_cast<std::uint64_t>(left + whole_));  \
      }                                                                                                             \
    }                                                                                                               \
    op = block->ops;                                                                                                \
    goto * op->run;                                                                                                 \
  } while (false)
/** `target` becomes `convert` of what is loaded. */
#define TZ_LOAD_BODY(type, target, convert)                         \
  {                                                                 \
    const Word address = TZ_X(rs1) + op->imm;                       \
    const auto& entry = loads.of(address);                          \
    if (entry.has(address, sizeof(type))) [[likely]] {              \
      type value;                                                   \
      std::memcpy(&value, entry.at(address), sizeof value);         \
      target = convert(value);                                      \
      TZ_TOUCH(load, sizeof(type));                                 \
      TZ_NEXT;                                                      \
    }                                                               \
    TZ_AT_BUS;                                                      \
    const Loaded loaded = load_slow(address, sizeof(type), TZ_NOW); \
    if (loaded.cause != 0) TZ_TRAP(loaded.cause, loaded.tval);      \
    target = convert(static_cast<type>(loaded.value));              \
    TZ_PAY_UNPAID;                                                  \
    if (loaded.device) TZ_LEAVE_BEHIND(Leave::kSync);               \
    TZ_LEAVE_IF_OVER;                                               \
    TZ_NEXT;                                                        \
  }
#define TZ_EXTENDED(signed_type) (extended<Word, signed_type>)
#define TZ_LOAD(name, type, signed_type) L_##name : TZ_LOAD_BODY(type, TZ_X(rd), TZ_EXTENDED(signed_type))
#define TZ_STORE_BODY(type, source)                                          \
  {                                                                          \
    const Word address = TZ_X(rs1) + op->imm;                                \
    const auto& entry = stores.of(address);                                  \
    if (entry.has(address, sizeof(type))) [[likely]] {                       \
      const type value = static_cast<type>(source);                          \
      std::memcpy(entry.at(address), &value, sizeof value);                  \
      TZ_TOUCH(store, sizeof(type));                                         \
      TZ_NEXT;                                                               \
    }                                                                        \
    TZ_AT_BUS;                                                               \
    const Loaded stored = store_slow(address, sizeof(type), source, TZ_NOW); \
    if (stored.cause != 0) TZ_TRAP(stored.cause, stored.tval);               \
    TZ_PAY_UNPAID;                                                           \
    if (stored.device) TZ_LEAVE_BEHIND(Leave::kSync);                        \
    TZ_LEAVE_IF_OVER;                                                        \
    TZ_NEXT;                                                                 \
  }
#define TZ_STORE(name, type) L_##name : TZ_STORE_BODY(type, TZ_X(rs2))
/** Operations that RV64 alone has. */
#define TZ_ALU64(name, expression)            \
  L_##name : if constexpr (K.xlen == 64) {    \
    TZ_X(rd) = static_cast<Word>(expression); \
    TZ_NEXT;                                  \
  }                                           \
  else {                                      \
    __builtin_unreachable();                  \
  }
/** Their result is sign-extended from 32 bits. */
#define TZ_ALUW(name, expression) \
  TZ_ALU64(name, static_cast<SignedWord>(static_cast<std::int32_t>(static_cast<std::uint32_t>(expression))))
#define TZ_TIMEDW(name, hook, expression)                                                                           \
  L_##name : if constexpr (K.xlen == 64) TZ_TIMED_BODY(                                                             \
                 name, hook,                                                                                        \
                 static_cast<SignedWord>(static_cast<std::int32_t>(static_cast<std::uint32_t>(expression)))) else { \
    __builtin_unreachable();                                                                                        \
  }
#define TZ_W(field) static_cast<std::uint32_t>(TZ_X(field))
#define TZ_SW(field) static_cast<std::int32_t>(TZ_W(field))
#define TZ_LOAD64(name, type, signed_type)                                                             \
  L_##name : if constexpr (K.xlen == 64) TZ_LOAD_BODY(type, TZ_X(rd), TZ_EXTENDED(signed_type)) else { \
    __builtin_unreachable();                                                                           \
  }
/** What F and D add; without a unit they are illegal. */
#define TZ_ILLEGAL TZ_TRAP(kIllegal, block->sources[TZ_INDEX].insn)
#define TZ_FLOAT_LOAD(name, type, convert)            \
  L_##name : if constexpr (K.f) {                     \
    if (floats_off()) [[unlikely]]                    \
      TZ_ILLEGAL;                                     \
    TZ_LOAD_BODY(type, float_target(op->rd), convert) \
  }                                                   \
  else {                                              \
    __builtin_unreachable();                          \
  }
#define TZ_FLOAT_STORE(name, type)   \
  L_##name : if constexpr (K.f) {    \
    if (floats_off()) [[unlikely]]   \
      TZ_ILLEGAL;                    \
    TZ_STORE_BODY(type, f_[op->rs2]) \
  }                                  \
  else {                             \
    __builtin_unreachable();         \
  }
#define TZ_FLOAT(name)                                     \
  L_##name : if constexpr (K.f) {                          \
    if (!compute_float<Operation::name>(*op)) [[unlikely]] \
      TZ_ILLEGAL;                                          \
    TZ_NEXT;                                               \
  }                                                        \
  else {                                                   \
    __builtin_unreachable();                               \
  }
#define TZ_ATOMIC(name)                                                             \
  L_##name : if constexpr (K.xlen == 64 || memory_use(Operation::name).size == 4) { \
    TZ_AT_BUS;                                                                      \
    const Atomic done = atomic<Operation::name>(TZ_X(rs1), TZ_X(rs2), TZ_NOW);      \
    if (done.cause != 0) [[unlikely]]                                               \
      TZ_TRAP(done.cause, TZ_X(rs1));                                               \
    TZ_X(rd) = done.value;                                                          \
    TZ_PAY_UNPAID;                                                                  \
    if (watches_.met()) [[unlikely]]                                                \
      TZ_LEAVE_BEHIND(Leave::kSync);                                                \
    TZ_LEAVE_IF_OVER;                                                               \
    TZ_NEXT;                                                                        \
  }                                                                                 \
  else {                                                                            \
    __builtin_unreachable();                                                        \
  }
/** Zicbom. */
#define TZ_BLOCK(name, allowed)                                      \
  L_##name : if constexpr (K.xlen == 64) {                           \
    if (!csr_.blocks().allowed(mode_)) [[unlikely]]                  \
      TZ_ILLEGAL;                                                    \
    TZ_AT_BUS;                                                       \
    const unsigned cause = manage_block(Operation::name, TZ_X(rs1)); \
    if (cause != 0) [[unlikely]]                                     \
      TZ_TRAP(cause, TZ_X(rs1));                                     \
    TZ_PAY_UNPAID;                                                   \
    TZ_LEAVE_IF_OVER;                                                \
    TZ_NEXT;                                                         \
  }                                                                  \
  else {                                                             \
    __builtin_unreachable();                                         \
  }
#define TZ_BRANCH(name, condition)                \
  L_##name : if (condition) {                     \
    TZ_CHECK(block->taken == nullptr, op->imm);   \
    TZ_CHARGE(branch(block->end, op->imm, true)); \
    TZ_CHAIN(block->taken, op->imm);              \
  }                                               \
  TZ_CHARGE(branch(block->end, op->imm, false));  \
  TZ_CHAIN(block->next, block->end)

// One function is the loop; with `labels` it only says where the code of each operation is.

#endif  // TRAPEZE_SIM_MODEL_ISA_THREADED_H
