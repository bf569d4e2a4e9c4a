// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/event_log.h"

#include <utility>

#include "kernel/error.h"
#include "kernel/names.h"

namespace trapeze {
namespace {

/** The end of a line: when, and which hart. */
std::string at(std::uint64_t cycle, unsigned hart) {
  return ",\"cycle\":" + std::to_string(cycle) + ",\"hart\":" + std::to_string(hart);
}

bool is_load(unsigned kind) {
  return kind == TZ_WATCH_LOAD || kind == TZ_WATCH_USER_LOAD;
}

}  // namespace

EventLog::EventLog(EventLogPlan plan, const tz_engine_info& info)
    : plan_(std::move(plan)), info_(info), file_(plan_.path, "log") {
  const auto check = [&info](unsigned hart) {
    if (hart >= info.num_harts) throw Error("--log: there is no hart " + std::to_string(hart));
  };
  for (const LoggedAccess& one : plan_.accesses) {
    check(one.watch.hart);
    watches_.push_back(one.watch);
  }
  if (plan_.user) check(*plan_.user);
}

void EventLog::on_hit(const tz_hit& hit) {
  const LoggedAccess& access = plan_.accesses[hit.watch];
  const std::uint64_t offset = hit.address - access.watch.address;
  if (offset >= access.watch.size || offset % access.step != 0) return;
  const bool load = is_load(access.watch.kind);
  if (load) {
    const auto [last, is_new] = seen_.try_emplace(hit.address, hit.value);
    if (!is_new && std::exchange(last->second, hit.value) == hit.value) return;
  } else {
    seen_.erase(hit.address);
  }
  file_.write((load ? "{\"load\":" : "{\"store\":") + std::to_string(hit.watch) + at(hit.cycle, access.watch.hart) +
              ",\"offset\":" + std::to_string(offset) + ",\"value\":" + std::to_string(hit.value) + "}\n");
}

void EventLog::on_retire(const tz_retire& record) {
  if (record.hart != plan_.user) return;
  if (record.mode == 0 && !in_user_) {
    file_.write("{\"user\":true" + at(record.cycle_ex, record.hart) + ",\"pc\":" + std::to_string(record.pc) + "}\n");
  } else if (record.mode != 0 && in_user_) {
    file_.write("{\"user\":false" + at(record.cycle_ex, record.hart) + "}\n");
  }
  in_user_ = record.mode == 0;
}

void EventLog::on_claim(const tz_claim& claim) {
  const tz_hart_info& hart = info_.harts[claim.hart];
  file_.write("{\"interrupt\":\"" + interrupt_name(claim.id, hart.line_id_base, hart.num_lines) + "\"" +
              at(claim.cycle, claim.hart) + "}\n");
}

}  // namespace trapeze
