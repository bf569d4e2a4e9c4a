// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The console of a run, to which several UARTs write. Bytes of hart 0 appear as they come. Of other harts whole lines
 * appear, each with `[hart N] ` before it, when hart 0 is at the beginning of a line.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CONSOLE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CONSOLE_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace trapeze::model {

/** A value: it is copied with a snapshot. */
class Console {
 public:
  /** Bytes of hart 0. */
  void write(std::span<const std::uint8_t> bytes);
  /** Bytes of another hart. */
  void write_line(unsigned hart, std::span<const std::uint8_t> bytes);
  /** At the end of a run: gives out the lines that have no end yet. */
  void finish();
  /** The bytes to be shown. The caller must empty this after showing them. */
  std::vector<std::uint8_t>& output() { return output_; }
  /** Whether there is nothing to show. */
  void reset() { *this = {}; }

 private:
  /** If more bytes of other harts than this wait for the end of hart 0's line, the line is ended for them. */
  static constexpr std::size_t kPatience = 4096;

  void end_line(unsigned hart, std::string& line);
  void show_waiting();

  std::vector<std::uint8_t> output_;
  std::string waiting_;                      ///< whole lines of other harts
  std::map<unsigned, std::string> partial_;  ///< lines of other harts that have no end yet
  bool line_begins_ = true;                  ///< hart 0 is at the beginning of a line
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CONSOLE_H
