// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What timelines show beside the instructions: observe_pkg::observe_t (hw/common), which the top has as plain ports.
#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

/** The kinds of activity that a hart reports, by what it has. */
struct Shown {
  bool levels;
  bool banks;
};

constexpr bool is_clint(std::string_view interrupts) {
  return interrupts == "clint";
}

#define TZ_SHOWN(hart, isa, interrupts, hart_id, reset_vector, lines, line_id_base, line_delay, sources, banks) \
  Shown{!is_clint(interrupts), (banks) > 0},
constexpr Shown kShown[] = {TZ_HARTS(TZ_SHOWN)};
#undef TZ_SHOWN

}  // namespace

void RtlHart::watch(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) {
  Watched& watched = past_.watched;
  const auto add = [&](tz_activity_kind kind, std::uint64_t since, std::uint32_t value) {
    args.activities[result.num_activities++] = {cycle, since, value, static_cast<std::uint16_t>(kind),
                                                static_cast<std::uint16_t>(number_)};
  };
  const auto now = [&](tz_activity_kind kind, std::uint32_t value, std::uint32_t& before) {
    if (value != before) add(kind, cycle, value);
    before = value;
  };
  if (kShown[number_].levels) now(TZ_ACTIVITY_LEVEL, io_.observe_level_o[number_], watched.level);
  if (kShown[number_].banks) {
    const std::uint32_t held = io_.observe_held_o[number_];
    const std::uint32_t leaving = io_.observe_leaving_o[number_];
    now(TZ_ACTIVITY_BANKS, io_.observe_bank_o[number_] | held << 8 | leaving << 16, watched.banks);
  }
  now(TZ_ACTIVITY_JUDGE, io_.observe_judging_o[number_], watched.judging);
  if (io_.observe_frame_req_o[number_] == 0) return;
  if (!watched.requested) watched.since = cycle;
  watched.requested = io_.observe_frame_gnt_o[number_] == 0;
  if (watched.requested) return;
  add(io_.observe_frame_we_o[number_] != 0 ? TZ_ACTIVITY_STORE : TZ_ACTIVITY_LOAD, watched.since,
      io_.observe_frame_addr_o[number_]);
}

/** Activities of the cycle; false if the buffer has no room for those of another one. */
bool tz_engine::watch(const tz_run_args& args, tz_run_result& result) {
  for (RtlHart& hart : harts_) hart.watch(state_.cycle, args, result);
  return result.num_activities + std::size_t{TZ_ACTIVITIES_A_CYCLE} * kHarts <= args.activities_capacity;
}
