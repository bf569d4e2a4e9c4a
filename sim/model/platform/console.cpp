// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/console.h"

namespace trapeze::model {

void Console::write(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) {
    output_.push_back(byte);
    line_begins_ = byte == '\n';
    if (line_begins_) show_waiting();
  }
}

void Console::write_line(unsigned hart, std::span<const std::uint8_t> bytes) {
  std::string& line = partial_[hart];
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n') {
      end_line(hart, line);
    } else {
      line.push_back(static_cast<char>(byte));
    }
  }
  if (line_begins_ || waiting_.size() > kPatience) show_waiting();
}

void Console::finish() {
  for (auto& [hart, line] : partial_) {
    if (!line.empty()) end_line(hart, line);
  }
  show_waiting();
}

void Console::end_line(unsigned hart, std::string& line) {
  waiting_ += "[hart " + std::to_string(hart) + "] " + line + '\n';
  line.clear();
}

void Console::show_waiting() {
  if (waiting_.empty()) return;
  if (!line_begins_) output_.push_back('\n');
  output_.insert(output_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  line_begins_ = true;
}

}  // namespace trapeze::model
