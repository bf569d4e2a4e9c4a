// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Several observers of a run as one.
 */
#ifndef TRAPEZE_SIM_APP_OBSERVERS_H
#define TRAPEZE_SIM_APP_OBSERVERS_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/session.h"

namespace trapeze {

/** Several observers as one. */
class Observers final : public Observer {
 public:
  void add(Observer* observer) {
    if (observer != nullptr) all_.push_back(observer);
  }
  /** What a session takes: null if there are none. */
  Observer* get() { return all_.empty() ? nullptr : this; }

  void on_retire(const tz_retire& record) override {
    for (Observer* observer : all_) observer->on_retire(record);
  }
  void on_claim(const tz_claim& claim) override {
    for (Observer* observer : all_) observer->on_claim(claim);
  }
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override {
    for (Observer* observer : all_) observer->on_line(cycle, hart, line, level);
  }
  bool watches_activity() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->watches_activity(); });
  }
  void on_span(const std::string& name, std::uint64_t from, std::uint64_t to) override {
    for (Observer* observer : all_) observer->on_span(name, from, to);
  }
  void on_activity(const tz_activity& activity) override {
    for (Observer* observer : all_) {
      if (observer->watches_activity()) observer->on_activity(activity);
    }
  }
  bool watches_posts() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->watches_posts(); });
  }
  void on_post(const tz_post& post) override {
    for (Observer* observer : all_) {
      if (observer->watches_posts()) observer->on_post(post);
    }
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_OBSERVERS_H
