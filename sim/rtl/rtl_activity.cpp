// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What timelines show beside the instructions, from the signals that timeline.vlt names. The frame port is watched
// where it leaves the core, as a bus (hw/common/rtl/obi_pkg.sv), whatever is behind it.
#include <engine_config.h>

#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

// obi_pkg::obi_req_t and obi_rsp_t, from the highest bit: req, we, be[3:0], addr[31:0], wdata[31:0]; gnt, rvalid, ...
constexpr unsigned kRequestWord = 2;
constexpr std::uint32_t kRequest = 1U << 5;
constexpr std::uint32_t kWrite = 1U << 4;
constexpr unsigned kAddressWord = 1;
constexpr std::uint64_t kGrant = std::uint64_t{1} << 34;

#if TZ_FAST_BANKS > 0
/** Slots to banks: of each bank left behind there is a slot, and both are used in turn. */
std::uint32_t banks(std::uint32_t slots, std::uint32_t next_slot, std::uint32_t bank) {
  std::uint32_t found = 0;
  for (std::uint32_t back = 1; back <= TZ_FAST_BANKS; ++back) {
    const std::uint32_t slot = (next_slot + TZ_FAST_BANKS - back) % TZ_FAST_BANKS;
    const std::uint32_t left = (bank + TZ_FAST_BANKS + 1 - back) % (TZ_FAST_BANKS + 1);
    found |= (slots >> slot & 1U) << left;
  }
  return found;
}
#endif

}  // namespace

/** Activities of the cycle; false if the buffer has no room for those of another one. */
bool tz_engine::watch(const tz_run_args& args, tz_run_result& result) {
  const auto add = [&](tz_activity_kind kind, std::uint64_t since, std::uint32_t value) {
    args.activities[result.num_activities++] = {cycle_, since, value, static_cast<std::uint16_t>(kind), 0};
  };
  [[maybe_unused]] const auto now = [&](tz_activity_kind kind, std::uint32_t value, std::uint32_t& before) {
    if (value != before) add(kind, cycle_, value);
    before = value;
  };
#if TZ_CLIC
  now(TZ_ACTIVITY_LEVEL, io_->TZ_CORE(u_csr__DOT__gen_clic__DOT__u_irq__DOT__mil_q), watched_.level);
#endif
#if TZ_FAST_BANKS > 0
#define TZ_CONTEXT(name) \
  io_->TZ_CORE(gen_fast__DOT__u_fastirq__DOT__gen_banks__DOT__u_banks__DOT__u_context__DOT__##name)
  const std::uint32_t bank = TZ_CONTEXT(bank_q);
  const std::uint32_t held = banks(TZ_CONTEXT(valid_q), TZ_CONTEXT(slot_q), bank);
  const std::uint32_t leave = banks(TZ_CONTEXT(pend_q), TZ_CONTEXT(slot_q), bank);
#undef TZ_CONTEXT
  now(TZ_ACTIVITY_BANKS, bank | held << 8 | leave << 16, watched_.banks);
#endif
  const auto& request = io_->TZ_SOC(frame_req);
  if ((request[kRequestWord] & kRequest) != 0) {
    if (!watched_.requested) watched_.since = cycle_;
    watched_.requested = (io_->TZ_SOC(frame_rsp) & kGrant) == 0;
    if (!watched_.requested) {
      add((request[kRequestWord] & kWrite) != 0 ? TZ_ACTIVITY_STORE : TZ_ACTIVITY_LOAD, watched_.since,
          request[kAddressWord]);
    }
  }
  return result.num_activities + TZ_ACTIVITIES_A_CYCLE <= args.activities_capacity;
}
