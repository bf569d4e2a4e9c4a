// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "rtl/rtl_hart.h"

#include <algorithm>
#include <bit>

#include "kernel/handlers.h"

using namespace trapeze::rtl;

namespace {

constexpr std::uint32_t kDret = 0x7b200073;

}  // namespace

bool RtlHart::retire(std::uint64_t cycle) {
  // What a hart executes in debug mode is not of its program, which goes on where dret says.
  const bool debugs = io_.rvfi_mode_o[place_] == TZ_MODE_DEBUG;
  const bool whole = io_.rvfi_trap_o[place_] == 0 && !debugs;
  past_.retired += whole;
  if (!debugs || insn() == kDret) past_.pc = {io_.rvfi_pc_wdata_o[place_], cycle};
  return whole;
}

void RtlHart::fill(tz_retire& r) const {
  r.order = io_.rvfi_order_o[place_];
  r.cycle_fetch = io_.rvfi_cycle_fetch_o[place_];
  r.cycle_ex = io_.rvfi_cycle_ex_o[place_];
  r.cycle_retire = io_.rvfi_cycle_retire_o[place_];
  r.cycle_mem = io_.rvfi_cycle_mem_o[place_];
  r.cycle_mem2 = io_.rvfi_cycle_mem2_o[place_];
  r.pc = io_.rvfi_pc_rdata_o[place_];
  r.pc_next = io_.rvfi_pc_wdata_o[place_];
  r.rs1_value = io_.rvfi_rs1_rdata_o[place_];
  r.rs2_value = io_.rvfi_rs2_rdata_o[place_];
  r.rd_value = io_.rvfi_rd_wdata_o[place_];
  r.mem_addr = io_.rvfi_mem_addr_o[place_];
  r.mem_rdata = io_.rvfi_mem_rdata_o[place_];
  r.mem_wdata = io_.rvfi_mem_wdata_o[place_];
  r.cause = io_.rvfi_cause_o[place_];
  r.csr_value = io_.rvfi_csr_wdata_o[place_];
  r.insn = io_.rvfi_insn_o[place_];
  r.csr_addr = io_.rvfi_csr_addr_o[place_];
  r.irq_id = io_.rvfi_irq_id_o[place_];
  r.hart = io_.rvfi_hart_o[place_];
  r.irq_level = io_.rvfi_irq_level_o[place_];
  r.flags = static_cast<std::uint8_t>(
      (io_.rvfi_trap_o[place_] ? TZ_RETIRE_TRAP : 0) | (io_.rvfi_intr_o[place_] ? TZ_RETIRE_INTR : 0) |
      (io_.rvfi_irq_o[place_] ? TZ_RETIRE_IRQ : 0) | (io_.rvfi_csr_we_o[place_] ? TZ_RETIRE_CSR_WE : 0));
  r.mode = io_.rvfi_mode_o[place_];
  r.rs1 = io_.rvfi_rs1_addr_o[place_];
  r.rs2 = io_.rvfi_rs2_addr_o[place_];
  r.rd = io_.rvfi_rd_addr_o[place_];
  r.mem_rmask = io_.rvfi_mem_rmask_o[place_];
  r.mem_wmask = io_.rvfi_mem_wmask_o[place_];
}

bool RtlHart::changes_handlers() {
  const bool trapped = io_.rvfi_trap_o[place_] != 0;
  const bool behind = past_.returned;
  past_.returned = !trapped && trapeze::is_trap_return(insn());
  return behind || trapped || trapeze::changes_handlers(insn());
}

/** Whether the instruction that retires meets a watch of the hart. */
bool RtlHart::meets(const tz_watch& watch, tz_hit& hit) const {
  const auto holds = [&](std::uint64_t address) {
    return address - watch.address < watch.size;  // below the range it wraps around
  };
  if (watch.kind == TZ_WATCH_EXECUTE) {
    hit.cycle = io_.rvfi_cycle_ex_o[place_];
    hit.address = io_.rvfi_pc_rdata_o[place_];
    return holds(hit.address);
  }
  const bool of_user = watch.kind == TZ_WATCH_USER_LOAD || watch.kind == TZ_WATCH_USER_STORE;
  if (of_user && io_.rvfi_mode_o[place_] != 0) return false;
  const bool store = watch.kind == TZ_WATCH_STORE || watch.kind == TZ_WATCH_USER_STORE;
  const unsigned mask = store ? io_.rvfi_mem_wmask_o[place_] : io_.rvfi_mem_rmask_o[place_];
  const std::uint64_t address = io_.rvfi_mem_addr_o[place_];
  const auto size = static_cast<unsigned>(std::bit_width(mask));
  if (size == 0 || (!holds(address) && watch.address - address >= size)) return false;
  constexpr std::uint64_t kWord = ~std::uint64_t{3};
  const bool second = std::max(address, watch.address) >= (address & kWord) + 4;
  hit.cycle = second ? io_.rvfi_cycle_mem2_o[place_] : io_.rvfi_cycle_mem_o[place_];
  hit.address = address;
  hit.value = store ? io_.rvfi_mem_wdata_o[place_] : io_.rvfi_mem_rdata_o[place_];
  hit.value &= ~std::uint64_t{0} >> (64 - 8 * size);
  hit.size = size;
  return true;
}

bool RtlHart::look(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const {
  for (std::size_t i = 0; i < args.num_watches; ++i) {
    tz_hit& hit = args.hits[result.num_hits];
    hit = {};
    hit.watch = static_cast<std::uint32_t>(i);
    hit.retired = cycle;
    if (args.watches[i].hart == number_ && meets(args.watches[i], hit)) ++result.num_hits;
  }
  return result.num_hits + args.num_watches <= args.hits_capacity;
}

void RtlHart::claim(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const {
  if ((io_.irq_event_valid_o >> place_ & 1U) == 0) return;
  args.claims[result.num_claims++] = {cycle, io_.irq_event_epc_o[place_], io_.irq_event_id_o[place_],
                                      static_cast<std::uint16_t>(number_), io_.irq_event_level_o[place_]};
}
