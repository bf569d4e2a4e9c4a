// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "kernel/trace.h"

namespace trapeze {

JsonTrace::JsonTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
                     std::vector<TaskSource> tasks, std::uint64_t from)
    : events_(path, info.config, from) {
  tasks.resize(info.num_harts);
  for (std::uint32_t i = 0; i < info.num_harts; ++i) {
    const std::string name = info.num_harts > 1 ? "hart " + std::to_string(i) + " " : "";
    harts_.emplace_back(events_, HartTimeline::Group{i * HartTimeline::kProcesses, name}, std::move(symbols[i]),
                        info.harts[i], std::move(tasks[i]));
  }
}

void JsonTrace::on_retire(const tz_retire& record) {
  harts_[record.hart].on_retire(record);
}

void JsonTrace::on_claim(const tz_claim& claim) {
  harts_[claim.hart].on_claim(claim);
}

void JsonTrace::on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) {
  harts_[hart].on_line(cycle, line, level);
}

void JsonTrace::on_activity(const tz_activity& activity) {
  harts_[activity.hart].on_activity(activity);
}

void JsonTrace::on_span(const std::string& name, std::uint64_t from, std::uint64_t to) {
  const auto process = static_cast<unsigned>(harts_.size()) * HartTimeline::kProcesses + 1;
  if (spans_.empty()) events_.name_process(process, "spans");
  const auto [found, is_new] = spans_.try_emplace(name, Track{process, static_cast<unsigned>(spans_.size()) + 1});
  if (is_new) events_.name_track(found->second, name);
  events_.slice(found->second, from, to, std::to_string(to - from) + " cycles");
}

void JsonTrace::finish(const RunState& state) {
  for (HartTimeline& hart : harts_) hart.finish(state.cycle);
  events_.finish();
}

}  // namespace trapeze
