// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is typed at a run: standard input, key by key. Ctrl-C of a terminal ends the run and every other key reaches the
 * program, Enter as a line feed, as in files; or every key does, Enter as it is, and Ctrl-A x asks the run to stop,
 * Ctrl-A Ctrl-A being one Ctrl-A.
 */
#ifndef TRAPEZE_SIM_APP_KEYBOARD_H
#define TRAPEZE_SIM_APP_KEYBOARD_H

#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "app/byte_source.h"

namespace trapeze {

/** Which keys of a terminal reach the program. */
enum class Keys { kAll, kAllButCtrlC };

class Keyboard final : public ByteSource {
 public:
  /** From here on a terminal neither echoes nor waits for lines; the destructor gives it back as it was. */
  explicit Keyboard(Keys keys);
  ~Keyboard() override;
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /** Keys that were typed. Asks the process to stop by SIGINT for Ctrl-A x. */
  std::string read(std::chrono::milliseconds patience) override;
  bool at_end() const override { return at_end_; }

 private:
  bool in_background() const;
  std::string without_escapes(std::string_view typed);

  Keys keys_;
  std::optional<termios> before_;  ///< settings of a terminal
  bool at_end_ = false;            ///< standard input has ended
  bool escaped_ = false;           ///< the last key was Ctrl-A
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_KEYBOARD_H
