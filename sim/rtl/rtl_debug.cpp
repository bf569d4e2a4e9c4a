// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stopping between two instructions, for debuggers. Only in the variant with waves and registers.
//
// Instructions retire in order in WB, and the one behind (in EX) has its effects at the earliest at the edge that ends
// the cycle in which its predecessor retires: CSR flip-flops, a store's request, the trap. So just before that edge
// CSRs and memory are those between the two instructions; of the predecessor only the register write is missing, and
// that is in its record, and that of an AMO to its memory bank, which comes a cycle after the answer or later and is in
// the record, too. There the clock is held. A trapped instruction and an interrupt empty the pipeline: behind the
// edge that enters the handler nothing is on its way, except a wfi that an interrupt has completed and which retires
// next.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <trapeze/isa.hpp>
#include <utility>

#include "kernel/handlers.h"
#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

/** mcause.minhv: mepc is the address of a table entry; ucause.uinhv is the same bit. */
constexpr std::uint64_t kMinhv = 1U << trapeze::isa::mcause::kMinhv;
static_assert(trapeze::isa::mcause::kMinhv == trapeze::isa::ucause::kUinhv);

bool is_rv32e(std::uint32_t hart) {
#define TZ_ISA(number, isa, ...) isa,
  static constexpr const char* kIsas[] = {TZ_HARTS(TZ_ISA)};
#undef TZ_ISA
  return kIsas[hart][4] == 'e';
}

}  // namespace

/** Reports the outputs of the cycle in `result`. Returns the most important reason to stop after it. */
tz_stop tz_engine::observe(const tz_run_args& args, tz_run_result& run) {
  tz_stop reason = TZ_STOP_CYCLES;
  for (RtlHart& hart : harts_) {
    if (!hart.retires()) continue;
    tz_retire& record = args.records[run.num_records++];
    hart.fill(record);
    (void)hart.changes_handlers();
    const bool whole = hart.retire(state_.cycle);
    HartState& state = state_.harts[record.hart];
    state_.retired += whole;
    if (!state.held.entered_ahead) follow_pc(record);
    state.held.entered_ahead = false;
    state.held.retired = whole;
    state.held.rd = record.rd;
    state.held.rd_value = record.rd_value;
    if (whole) await_word(record);
    reason = TZ_STOP_RETIRED;
  }
  return std::max(reason, around_instructions(args, run));
}

void tz_engine::step(const tz_run_args& args, tz_step_result& result) {
  result = {};
  // The rest of a held cycle. Its claims have been reported; what comes of them has not.
  if (state_.held) {
    result.entered = io_->irq_event_valid_o;
    release();
  }
  const auto retired = [this](const HartState& state) { return state.held.retired; };
  while (result.entered == 0 && result.run.stop == TZ_STOP_CYCLES && state_.cycle < args.until_cycle) {
    begin_cycle();
    settle_words();
    result.run.stop = observe(args, result.run);
    if (result.run.stop != TZ_STOP_EXIT && std::any_of(state_.harts.begin(), state_.harts.end(), retired)) {
      state_.held = true;
      break;
    }
    for (HartState& state : state_.harts) state.held.retired = false;
    result.entered = io_->irq_event_valid_o;
    end_cycle();
  }
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    Held& held = state_.harts[hart].held;
    const bool boundary = held.retired || io_->observe_idle_o[hart] != 0;
    result.boundary |= std::uint64_t{boundary} << hart;
    if ((result.entered >> hart & 1U) == 0) continue;
    held.pc = io_->observe_next_pc_o[hart];
    if (io_->observe_next_table_o[hart] != 0) held.pc = through_table(hart, held.pc);
    held.entered_ahead = !boundary;
  }
  report(args, result.run);
}

/** The word of an AMO that retires, if its bank does not hold the new value yet. */
void tz_engine::await_word(const tz_retire& record) {
  std::uint32_t word = 0;
  if (record.mem_rmask == 0 || record.mem_wmask == 0) return;
  std::uint8_t* const memory = locate(record.hart, record.mem_addr, sizeof word);
  if (memory == nullptr) return;
  const auto result = static_cast<std::uint32_t>(record.mem_wdata);
  std::memcpy(&word, memory, sizeof word);
  if (word != result) state_.pending.push_back({memory, result, result});
}

/** Ends the wait for words that their banks have taken, and writes to them what a debugger has written since. */
void tz_engine::settle_words() {
  std::erase_if(state_.pending, [](const PendingWord& one) {
    std::uint32_t word = 0;
    std::memcpy(&word, one.data, sizeof word);
    if (word != one.result) return false;
    std::memcpy(one.data, &one.shown, sizeof one.shown);
    return true;
  });
}

/** Whether a frame of fastirq is still on its way to memory. */
bool tz_engine::frames_leave() const {
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
    if (io_->observe_leaving_o[hart] != 0) return true;
  }
  return false;
}

/** What of the frames that are on their way is not in memory yet. The program goes on until all of it is, in a
 * simulation that is thrown away. Frames of interrupts that come meanwhile are none of these. */
const FrameWords& tz_engine::leaving_words() {
  constexpr std::uint64_t kLimit = 10'000;  // wait states make it long
  if (leaving_ && leaving_->cycle == state_.cycle && leaving_->held == state_.held) return *leaving_;
  FrameWords found{state_.cycle, state_.held, {}};
  const std::unique_ptr<Snapshot> here = save();
#if VM_TRACE
  std::unique_ptr<Waves> hidden = std::move(wave);
#endif
  std::array<std::uint32_t, kHarts> banks{};
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) banks[hart] = io_->observe_leaving_o[hart];
  bool held = state_.held;
  bool left = false;
  while (!left && state_.cycle < found.cycle + kLimit) {
    if (!std::exchange(held, false)) begin_cycle();
    std::array<std::uint8_t*, kHarts> stored{};
    for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
      const bool granted = io_->observe_frame_req_o[hart] != 0 && io_->observe_frame_gnt_o[hart] != 0;
      if (banks[hart] == 0 || !granted || io_->observe_frame_we_o[hart] == 0) continue;
      stored[hart] = locate(hart, io_->observe_frame_addr_o[hart], sizeof(std::uint32_t));
    }
    end_cycle();
    left = true;
    for (std::uint32_t hart = 0; hart < kHarts; ++hart) {
      if (stored[hart] != nullptr) {
        std::uint32_t word = 0;
        std::memcpy(&word, stored[hart], sizeof word);
        found.words.emplace_back(stored[hart], word);
      }
      banks[hart] &= io_->observe_leaving_o[hart];
      left = left && banks[hart] == 0;
    }
  }
  restore(*here);
#if VM_TRACE
  wave = std::move(hidden);
#endif
  leaving_ = std::move(found);
  return *leaving_;
}

void tz_engine::read_memory(const std::uint8_t* memory, void* data, std::size_t size) {
  settle_words();
  std::memcpy(data, memory, size);
  const auto put = [&](const std::uint8_t* word, std::uint32_t value) {
    const auto* const shown = reinterpret_cast<const std::uint8_t*>(&value);
    for (std::size_t i = 0; i < sizeof value; ++i) {
      const std::uint8_t* const place = word + i;
      if (place >= memory && place < memory + size) static_cast<std::uint8_t*>(data)[place - memory] = shown[i];
    }
  };
  for (const PendingWord& one : state_.pending) put(one.data, one.shown);
  if (!frames_leave()) return;
  for (const auto& [word, value] : leaving_words().words) put(word, value);
}

void tz_engine::write_memory(std::uint8_t* memory, const void* data, std::size_t size) {
  settle_words();
  std::memcpy(memory, data, size);
  for (PendingWord& one : state_.pending) {
    auto* const shown = reinterpret_cast<std::uint8_t*>(&one.shown);
    for (std::size_t i = 0; i < sizeof one.shown; ++i) {
      const std::uint8_t* const place = one.data + i;
      if (place >= memory && place < memory + size) shown[i] = static_cast<const std::uint8_t*>(data)[place - memory];
    }
    // Anything but the result, so that the bank's write is seen; nobody reads it before.
    const std::uint32_t other = ~one.result;
    std::memcpy(one.data, &other, sizeof other);
  }
}

/** The address of the handler that a table entry holds; the entry's own address if it is in no memory. */
std::uint64_t tz_engine::through_table(std::uint32_t hart, std::uint64_t entry) {
  std::uint32_t target = 0;
  const std::uint8_t* memory = locate(hart, entry, sizeof target);
  if (memory == nullptr) return entry;
  std::memcpy(&target, memory, sizeof target);
  return target & ~1U;
}

void tz_engine::follow_pc(const tz_retire& record) {
  std::uint64_t& pc = state_.harts[record.hart].held.pc;
  pc = record.pc_next;
  if ((record.flags & TZ_RETIRE_TRAP) != 0) return;
  // The record names the table entry of a jump through one.
  std::uint64_t cause = 0;
  const bool jalxnxti = trapeze::isa::encoding::kJalxnxti.is(record.insn);
  const bool user = record.insn == trapeze::kUret || record.insn == trapeze::kEuret;
  const unsigned register_of_cause = user ? trapeze::isa::csr::kUcause : trapeze::isa::csr::kMcause;
  const bool again = trapeze::is_trap_return(record.insn) && inspect(record.hart, true, register_of_cause, cause) &&
                     (cause & kMinhv) != 0;
  if ((jalxnxti && record.pc_next != record.pc + 4) || again) pc = through_table(record.hart, pc);
}

/** A register of the hart as it is between two clock edges (observe_pkg::inspect_t); whether it exists. */
bool tz_engine::inspect(std::uint32_t hart, bool csr, std::uint32_t number, std::uint64_t& value) {
  io_->inspect_valid_i = 1;
  io_->inspect_csr_i = csr ? 1 : 0;
  io_->inspect_number_i = static_cast<std::uint16_t>(number);
  top_->eval();
  const bool exists = io_->observe_exists_o[hart] != 0;
  value = io_->observe_value_o[hart];
  // All of it, so that waves do not show what was asked last.
  io_->inspect_valid_i = 0;
  io_->inspect_csr_i = 0;
  io_->inspect_number_i = 0;
  top_->eval();
  return exists;
}

tz_status tz_engine::read_register(std::uint32_t hart, std::uint32_t number, std::uint64_t& value) {
  constexpr std::uint32_t kCsrs = 4096;
  if (hart < kHarts) {
    const Held& held = state_.harts[hart].held;
    if (number < (is_rv32e(hart) ? 16U : 32U)) {
      (void)inspect(hart, false, number, value);
      if (number != 0 && state_.held && held.retired && held.rd == number) value = held.rd_value;
      return TZ_OK;
    }
    if (number == TZ_DEBUG_PC) {
      value = held.pc;
      return TZ_OK;
    }
    if (number == TZ_DEBUG_MODE) {
      value = io_->observe_priv_o[hart];
      return TZ_OK;
    }
    if (number >= TZ_DEBUG_CSR && number < TZ_DEBUG_CSR + kCsrs && inspect(hart, true, number - TZ_DEBUG_CSR, value)) {
      return TZ_OK;
    }
  }
  return fail(TZ_ERR_ARGUMENT, "no register " + std::to_string(number) + " in hart " + std::to_string(hart));
}
