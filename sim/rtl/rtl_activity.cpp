// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What timelines show beside the instructions, from the signals that timeline.vlt names. The frame port is watched
// where it leaves the core, as a bus (hw/common/rtl/obi_pkg.sv), whatever is behind it.
#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

// obi_pkg::obi_req_t and obi_rsp_t, from the highest bit: req, we, be[3:0], addr[31:0], wdata[31:0]; gnt, rvalid, ...
constexpr unsigned kRequestWord = 2;
constexpr std::uint32_t kRequest = 1U << 5;
constexpr std::uint32_t kWrite = 1U << 4;
constexpr unsigned kAddressWord = 1;
constexpr std::uint64_t kGrant = std::uint64_t{1} << 34;

/** Slots to banks: of each bank left behind there is a slot, and both are used in turn. */
std::uint32_t banks(std::uint32_t slots, std::uint32_t next_slot, std::uint32_t bank, std::uint32_t spare) {
  std::uint32_t found = 0;
  for (std::uint32_t back = 1; back <= spare; ++back) {
    const std::uint32_t slot = (next_slot + spare - back) % spare;
    const std::uint32_t left = (bank + spare + 1 - back) % (spare + 1);
    found |= (slots >> slot & 1U) << left;
  }
  return found;
}

}  // namespace

void tz_engine::bind_timelines() {
#define TZ_CLINT(s, tile)
#define TZ_CLIC(s, tile) s.level = &io_->tile##u_core__DOT__u_csr__DOT__mil;
#define TZ_NONE(s, count, tile)
#define TZ_IN_PLACE(s, count, tile)
#define TZ_CONTEXT(tile, name) \
  &io_->tile##u_core__DOT__gen_fast__DOT__u_fastirq__DOT__gen_banks__DOT__u_banks__DOT__u_context__DOT__##name
#define TZ_BANKS(s, count, tile)          \
  s.spare_banks = count;                  \
  s.bank = TZ_CONTEXT(tile, bank_q);      \
  s.next_slot = TZ_CONTEXT(tile, slot_q); \
  s.valid = TZ_CONTEXT(tile, valid_q);    \
  s.pend = TZ_CONTEXT(tile, pend_q);
#define TZ_BIND(hart, controller, saver, count, tile)                                            \
  {                                                                                              \
    TimelineSignals& s = timelines_[hart];                                                       \
    TZ_##controller(s, tile) TZ_##saver(s, count, tile) s.frame_request = &io_->tile##frame_req; \
    s.frame_response = &io_->tile##frame_rsp;                                                    \
  }
  TZ_TILES(TZ_BIND)
#undef TZ_BIND
#undef TZ_BANKS
#undef TZ_CONTEXT
#undef TZ_IN_PLACE
#undef TZ_NONE
#undef TZ_CLIC
#undef TZ_CLINT
}

void tz_engine::watch(std::uint32_t hart, const tz_run_args& args, tz_run_result& result) {
  const TimelineSignals& signals = timelines_[hart];
  Watched& watched = state_.harts[hart].watched;
  const std::uint64_t cycle = state_.cycle;
  const auto add = [&](tz_activity_kind kind, std::uint64_t since, std::uint32_t value) {
    args.activities[result.num_activities++] = {cycle, since, value, static_cast<std::uint16_t>(kind),
                                                static_cast<std::uint16_t>(hart)};
  };
  const auto now = [&](tz_activity_kind kind, std::uint32_t value, std::uint32_t& before) {
    if (value != before) add(kind, cycle, value);
    before = value;
  };
  if (signals.level != nullptr) now(TZ_ACTIVITY_LEVEL, *signals.level, watched.level);
  if (signals.bank != nullptr) {
    const std::uint32_t bank = *signals.bank;
    const std::uint32_t held = banks(*signals.valid, *signals.next_slot, bank, signals.spare_banks);
    const std::uint32_t leave = banks(*signals.pend, *signals.next_slot, bank, signals.spare_banks);
    now(TZ_ACTIVITY_BANKS, bank | held << 8 | leave << 16, watched.banks);
  }
  const auto& request = *signals.frame_request;
  if ((request[kRequestWord] & kRequest) == 0) return;
  if (!watched.requested) watched.since = cycle;
  watched.requested = (*signals.frame_response & kGrant) == 0;
  if (watched.requested) return;
  add((request[kRequestWord] & kWrite) != 0 ? TZ_ACTIVITY_STORE : TZ_ACTIVITY_LOAD, watched.since,
      request[kAddressWord]);
}

/** Activities of the cycle; false if the buffer has no room for those of another one. */
bool tz_engine::watch(const tz_run_args& args, tz_run_result& result) {
  for (std::uint32_t hart = 0; hart < kHarts; ++hart) watch(hart, args, result);
  return result.num_activities + std::size_t{TZ_ACTIVITIES_A_CYCLE} * kHarts <= args.activities_capacity;
}
