// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The firmware's console as standard output.
 */
#ifndef TRAPEZE_SIM_APP_CONSOLE_H
#define TRAPEZE_SIM_APP_CONSOLE_H

#include <string_view>

namespace trapeze {

/**
 * Console bytes, unbuffered so that an interactive program is seen at once.
 *
 * Where standard output is closed, as services may start a program, its bytes are lost, and the run goes on: the files
 * that it writes are whole. Any other failure of a write ends the run.
 */
class Console {
 public:
  /** Throws ReaderGone if a pipe has no reader any more, Error if there is no space. */
  void write(std::string_view bytes);

  /** At the end, behind the files of the run. Throws Error if bytes were lost. */
  void finish() const;

 private:
  bool lost_ = false;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_CONSOLE_H
