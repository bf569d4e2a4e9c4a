// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What timelines show beside the instructions: observe_pkg::observe_t (hw/common), which the top has as plain ports.
#include <engine_config.h>

#include <string_view>

#include "rtl/rtl_hart.h"

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
  if (kShown[place_].levels) now(TZ_ACTIVITY_LEVEL, io_.observe_level_o[place_], watched.level);
  if (kShown[place_].banks) {
    const std::uint32_t held = io_.observe_held_o[place_];
    const std::uint32_t leaving = io_.observe_leaving_o[place_];
    now(TZ_ACTIVITY_BANKS, io_.observe_bank_o[place_] | held << 8 | leaving << 16, watched.banks);
  }
  now(TZ_ACTIVITY_JUDGE, io_.observe_judging_o[place_], watched.judging);
  if (io_.observe_frame_req_o[place_] == 0) return;
  if (!watched.requested) watched.since = cycle;
  watched.requested = io_.observe_frame_gnt_o[place_] == 0;
  if (watched.requested) return;
  add(io_.observe_frame_we_o[place_] != 0 ? TZ_ACTIVITY_STORE : TZ_ACTIVITY_LOAD, watched.since,
      io_.observe_frame_addr_o[place_]);
}
