// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "kernel/trace.h"

namespace trapeze {
namespace {

std::deque<HartTimeline> timelines(TraceEvents& events, std::vector<SymbolTable> symbols, const tz_engine_info& info,
                                   std::vector<TaskSource> tasks) {
  std::deque<HartTimeline> harts;
  tasks.resize(info.num_harts);
  for (std::uint32_t i = 0; i < info.num_harts; ++i) {
    const std::string name = info.num_harts > 1 ? "hart " + std::to_string(i) + " " : "";
    harts.emplace_back(events, HartTimeline::Group{i * HartTimeline::kProcesses, name}, std::move(symbols[i]),
                       info.harts[i], std::move(tasks[i]));
  }
  return harts;
}

std::vector<PostTracks::Hart> post_tracks(const std::deque<HartTimeline>& harts, const tz_engine_info& info) {
  std::vector<PostTracks::Hart> found;
  for (std::uint32_t i = 0; i < info.num_harts; ++i) {
    found.push_back(
        {info.harts[i].hart_id, harts[i].posts_track(), harts[i].notifications_track(), harts[i].handlers_track()});
  }
  return found;
}

}  // namespace

JsonTrace::JsonTrace(const std::string& path, std::vector<SymbolTable> symbols, const tz_engine_info& info,
                     std::vector<TaskSource> tasks, std::uint64_t from)
    : events_(path, info.config, from),
      harts_(timelines(events_, std::move(symbols), info, std::move(tasks))),
      posts_(events_, post_tracks(harts_, info)) {}

void JsonTrace::on_retire(const tz_retire& record) {
  harts_[record.hart].on_retire(record);
}

void JsonTrace::on_claim(const tz_claim& claim) {
  harts_[claim.hart].on_claim(claim);
  posts_.on_claim(claim);
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
  posts_.finish();
  events_.finish();
}

}  // namespace trapeze
