// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "cosim/tile_hart.h"

#include <engine_config.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernel/handlers.h"
#include "rtl/snapshot.h"

/** What `Vsim::eval` does of the design; see rtl_engine.h. Verilator's name. */
void Vsim___024root___eval(Vsim___024root* root);

namespace trapeze::cosim {
namespace {

/** Clock cycles in reset. */
constexpr int kResetCycles = 4;

/** Cycles for which a tile sleeps, with no frame and no access on its way, before its clock stands. What is left then
 * in fetch, CLIC and retirement takes no more than a few cycles. */
constexpr std::uint64_t kQuiet = 32;

// Standard interrupts, as in mip.
constexpr unsigned kSoftware = 3, kTimer = 7, kExternal = 11;

/** The banks of the tile, in the order of the stress generator's register. */
struct Bank {
  std::uint32_t base, size;
};
constexpr Bank kBanks[] = {TZ_BANKS};

constexpr std::uint64_t bit(std::uint64_t word, unsigned number) {
  return word >> number & 1U;
}

}  // namespace

TileHart::TileHart(unsigned number, const model::HartPlan& plan, model::Bus& bus)
    : number_(number),
      reset_vector_(plan.reset_vector),
      outside_(bus),
      context_(std::make_unique<VerilatedContext>()),
      top_((select(), context_->randReset(0), std::make_unique<Vsim>(context_.get(), ""))),
      io_(*top_->rootp),
      hart_(io_, 0, number) {
  if (number != TZ_NUMBER) {
    throw std::invalid_argument("hart " + std::to_string(number) + ": the tile of this engine is that of hart " +
                                std::to_string(TZ_NUMBER));
  }
  exact = true;
  io_.clk_i = 0;
  io_.clk_bench_i = 0;
  for (auto* const input : {&io_.uart_tx_ready_i, &io_.uart_rx_valid_i, &io_.uart_rx_data_i, &io_.wait_instr_i,
                            &io_.wait_data_i, &io_.inspect_valid_i, &io_.inspect_csr_i, &io_.other_gnt_i,
                            &io_.other_hold_i, &io_.other_rvalid_i, &io_.other_err_i, &io_.other_exokay_i}) {
    *input = 0;
  }
  io_.stress_req_i = 0;
  io_.stress_addr_i = 0;
  io_.wait_seed_i = 0;
  io_.inspect_number_i = 0;
  io_.other_rdata_i = 0;
  io_.passed_i = 0;
}

TileHart::~TileHart() {
  // Verilator's destructors work on the context of the thread, which may be that of another instance.
  select();
  top_.reset();
}

std::uint8_t* TileHart::own_memory(const model::RegionPlan& region) {
#define TZ_FIND(hart, title, base, bytes, shared, member)                                 \
  static_assert(sizeof(io_.member) == (bytes), "the memory map and the design disagree"); \
  if (region.name == (title)) return reinterpret_cast<std::uint8_t*>(&io_.member);
  TZ_MEMORIES(TZ_FIND)
#undef TZ_FIND
  return nullptr;
}

void TileHart::clock() {
  io_.clk_i = 0;
  top_->eval();
  io_.clk_i = 1;
  top_->eval();
}

void TileHart::reset() {
  select();
  past_ = {};
  hart_.reset(reset_vector_);
  time = since = 0;
  waiting = false;
  drive({});
  io_.other_gnt_i = io_.other_hold_i = io_.other_rvalid_i = io_.stress_req_i = 0;
  // Asynchronous resets need the edge; until then nothing holds and no clock comes.
  io_.rst_ni = 1;
  top_->eval();
  io_.rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) clock();
  io_.rst_ni = 1;
  top_->eval();
}

void TileHart::drive(const Pins& pins) {
  // The latency measurement's line has a way of its own into the tile, behind the synchroniser of the pins.
  constexpr unsigned kProbeLine = TZ_PROBE_LINE;
  const bool device = bit(pins.device_lines, kProbeLine) != 0;
  const std::uint64_t probe = device ? pins.lines & (std::uint64_t{1} << kProbeLine) : 0;
  io_.irq_i[0] = static_cast<std::remove_reference_t<decltype(io_.irq_i[0])>>(pins.lines & ~probe);
  io_.probe_irq_i = probe != 0;
  io_.software_irq_i = static_cast<CData>(bit(pins.wires, kSoftware));
  io_.timer_irq_i = static_cast<CData>(bit(pins.wires, kTimer));
  io_.uart_irq_i = static_cast<CData>(bit(pins.wires, kExternal));
  past_.pins = pins;
}

void TileHart::catch_up() {
  if (past_.cycle == time) return;
  io_.passed_i = time - past_.cycle - 1;
  end_cycle();
  io_.passed_i = 0;
  past_.cycle = time;
}

void TileHart::meet_outside() {
  if (io_.other_reserved_o != 0) outside_.reserved_elsewhere();
  const bool granted = io_.other_req_o != 0 && ask();
  if (io_.other_req_o == 0) hold(false);
  io_.other_rvalid_i = granted;
  if (granted) {
    io_.other_rdata_i = past_.answer.data;
    io_.other_err_i = past_.answer.error;
    io_.other_exokay_i = past_.answer.done;
  }
  const auto stress = stress_ == nullptr ? std::nullopt : stress_->stress(past_.cycle + 1);
  io_.stress_req_i = stress ? 1 : 0;
  if (stress) io_.stress_addr_i = kBanks[stress->bank].base | (stress->word << 2 & (kBanks[stress->bank].size - 1));
}

void TileHart::hold(bool held) {
  if (held == (io_.other_hold_i != 0)) return;
  io_.other_hold_i = held ? 1 : 0;
  Vsim___024root___eval(&io_);  // the tile sees it in this cycle
}

bool TileHart::ask() {
  const Request request{io_.other_addr_o, io_.other_wdata_o, io_.other_be_o,     io_.other_atop_o,
                        io_.other_prv_o,  io_.other_port_o,  io_.other_we_o != 0};
  const bool refused = outside_.refuses(request, past_.cycle);
  hold(refused);
  io_.other_gnt_i = 0;
  if (refused) return false;
  const std::uint64_t left = outside_.delay(request) - past_.waited;
  if (left == 2 && !outside_.takes(request, past_.cycle)) return false;
  if ((left == 0) != (io_.other_gnt_o != 0)) throw rtl::DesignError("a tile and a device do not agree on a grant");
  // A device with a delay sees the access in the cycle before its grant.
  if (left <= 1 && !past_.asked) {
    outside_.at(pc());
    past_.answer = outside_.access(request, past_.cycle + left);
    past_.asked = true;
    past_.at_device = outside_.at_device();
  }
  past_.waited = left == 0 ? 0 : past_.waited + 1;
  past_.asked &= left != 0;
  io_.other_gnt_i = left == 1;
  return left == 0;
}

void TileHart::end_cycle() {
  // As in rtl_engine.h: nothing happens at falling edges.
  io_.__Vtrigprevexpr___TOP__clk_i__0 = 0;
  Vsim___024root___eval(&io_);
}

bool TileHart::report(const model::Slice& slice) {
  const tz_run_args& args = slice.args;
  tz_run_result& result = slice.result;
  bool running = true;
  const auto stop = [&](tz_stop reason) {
    running = false;
    result.stop = std::max(result.stop, reason);
  };
  if (hart_.retires()) {
    const std::uint32_t insn = hart_.insn();
    const bool whole = hart_.retire(past_.cycle);
    if (args.num_watches != 0 && whole && !hart_.look(past_.cycle, args, result)) stop(TZ_STOP_RECORDS);
    if ((args.select & record_kinds(insn, hart_.enters(), hart_.changes_handlers())) != 0) {
      hart_.fill(args.records[result.num_records++]);
      if (is_next_interrupt(insn) || result.num_records == args.records_capacity) stop(TZ_STOP_RECORDS);
    }
    if (hart_.past().retired >= slice.retired_limit) stop(TZ_STOP_RETIRED);
  }
  if (io_.irq_event_valid_o != 0) {
    if (args.claims != nullptr) hart_.claim(past_.cycle, args, result);
    stop(TZ_STOP_CLAIM);
  }
  if (args.activities != nullptr) {
    hart_.watch(past_.cycle, args, result);
    if (result.num_activities + TZ_ACTIVITIES_A_CYCLE > args.activities_capacity) stop(TZ_STOP_RECORDS);
  }
  if (args.posts != nullptr) {
    hart_.show_posts(past_.cycle, args, result);
    if (result.num_posts + TZ_POSTS_A_CYCLE > args.posts_capacity) stop(TZ_STOP_RECORDS);
  }
  return running;
}

bool TileHart::run(const model::Slice& slice) {
  const Pins pins{slice.lines, slice.device_lines, slice.wires};
  if (waiting && pins == past_.pins) {
    time = slice.limit;
    return true;
  }
  select();
  catch_up();
  waiting = false;
  if (pins != past_.pins) {
    past_.quiet = 0;
    drive(pins);
    Vsim___024root___eval(&io_);  // with the CLINT the core sees an interrupt in the cycle of its pin
  }
  bool running = true;
  bool met = false;
  while (running && !met && time < slice.limit) {
    meet_outside();
    met = std::exchange(past_.at_device, false);
    running = report(slice);
    const bool still = io_.sleep_o != 0 && io_.other_req_o == 0 && io_.observe_leaving_o[0] == 0;
    past_.quiet = still ? past_.quiet + 1 : 0;
    end_cycle();
    time = ++past_.cycle;
    if (past_.quiet >= kQuiet) {
      waiting = true;
      break;
    }
  }
  since = hart_.past().pc.since;
  return running;
}

std::unique_ptr<model::HartPort::State> TileHart::save() const {
  select();
  auto saved = std::make_unique<Saved>();
  rtl::SaveToMemory stream(saved->design);
  stream << *top_;
  stream.flush();
  saved->past = past_;
  saved->hart = hart_.past();
  saved->time = time;
  saved->since = since;
  saved->waiting = waiting;
  return saved;
}

void TileHart::restore(const State& state) {
  select();
  const auto& saved = static_cast<const Saved&>(state);
  rtl::RestoreFromMemory stream(saved.design);
  stream >> *top_;
  past_ = saved.past;
  hart_.restore(saved.hart);
  time = saved.time;
  since = saved.since;
  waiting = saved.waiting;
}

}  // namespace trapeze::cosim
