// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The end of a trace: what comes after a cycle does not reach its writer.
 */
#ifndef TRAPEZE_SIM_APP_TRACE_WINDOW_H
#define TRAPEZE_SIM_APP_TRACE_WINDOW_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "kernel/trace.h"

namespace trapeze {

/** A writer that is shown what happens up to a cycle, included. `clips`: that is the end of what is still going on,
 * too. */
class TraceWindow final : public TraceWriter {
 public:
  TraceWindow(std::unique_ptr<TraceWriter> writer, std::uint64_t to, bool clips)
      : writer_(std::move(writer)), to_(to), clips_(clips) {}

  void on_retire(const tz_retire& record) override {
    if (record.cycle_retire <= to_) writer_->on_retire(record);
  }
  void on_claim(const tz_claim& claim) override {
    if (claim.cycle <= to_) writer_->on_claim(claim);
  }
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override {
    if (cycle <= to_) writer_->on_line(cycle, hart, line, level);
  }
  bool watches_activity() const override { return writer_->watches_activity(); }
  void on_activity(const tz_activity& activity) override {
    if (activity.cycle <= to_) writer_->on_activity(activity);
  }
  bool watches_posts() const override { return writer_->watches_posts(); }
  void on_post(const tz_post& post) override {
    if (post.cycle <= to_) writer_->on_post(post);
  }
  void on_span(const std::string& name, std::uint64_t from, std::uint64_t to) override {
    if (from <= to_) writer_->on_span(name, from, std::min(to, to_));
  }
  void finish(const RunState& state) override {
    RunState seen = state;
    if (clips_) seen.cycle = std::min(seen.cycle, to_ + 1);
    writer_->finish(seen);
  }

 private:
  std::unique_ptr<TraceWriter> writer_;
  std::uint64_t to_;
  bool clips_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_TRACE_WINDOW_H
