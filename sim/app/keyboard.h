// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is typed at a run: standard input, key by key. A terminal hands over every key, Ctrl-C among them, which so
 * reaches the program that runs; Ctrl-A x asks the run to stop, and Ctrl-A Ctrl-A is one Ctrl-A.
 */
#ifndef TRAPEZE_SIM_APP_KEYBOARD_H
#define TRAPEZE_SIM_APP_KEYBOARD_H

#include <termios.h>

#include <chrono>
#include <optional>
#include <string>

namespace trapeze {

class Keyboard {
 public:
  /** From here on a terminal neither echoes nor waits for lines; the destructor gives it back as it was. */
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /** Keys that were typed, none after `patience` without one. Asks the process to stop by SIGINT for Ctrl-A x. */
  std::string read(std::chrono::milliseconds patience);

 private:
  std::optional<termios> before_;  ///< of a terminal
  bool at_end_ = false;            ///< standard input has ended
  bool escaped_ = false;           ///< the last key was Ctrl-A
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_KEYBOARD_H
