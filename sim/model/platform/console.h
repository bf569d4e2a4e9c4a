// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The console of a run, where several UARTs write: bytes of hart 0's as they come, of another hart's whole lines, each
 * with `[hart N] ` before it, where hart 0 begins a line.
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
  /** Gives out what waits for the end of a line: no more comes. */
  void finish();
  /** What is to be shown; whoever shows it empties it. */
  std::vector<std::uint8_t>& output() { return output_; }
  /** Nothing was written. */
  void reset() { *this = {}; }

 private:
  /** So many bytes of other harts wait for the end of a line of hart 0, then they end it. */
  static constexpr std::size_t kPatience = 4096;

  void end_line(unsigned hart, std::string& line);
  void show_waiting();

  std::vector<std::uint8_t> output_;
  std::string waiting_;                      ///< whole lines of other harts
  std::map<unsigned, std::string> partial_;  ///< their lines that have no end yet
  bool line_begins_ = true;                  ///< hart 0 has written whole lines
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CONSOLE_H
