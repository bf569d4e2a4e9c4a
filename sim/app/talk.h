// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The console of a run with somebody at the other end: the keyboard or a pseudo-terminal, as the request says.
 */
#ifndef TRAPEZE_SIM_APP_TALK_H
#define TRAPEZE_SIM_APP_TALK_H

#include <memory>
#include <optional>
#include <string_view>

#include "app/host_input.h"
#include "app/request.h"

namespace trapeze {

class Keyboard;
class PseudoTerminal;

class Talk {
 public:
  /** A terminal that is typed at is in its hands from here on, up to the destructor. Throws Error. */
  explicit Talk(const ConsoleRequest& console);
  ~Talk();

  /** Null: nobody talks to the console. */
  ConsoleInput* input() { return input_ ? &*input_ : nullptr; }
  /** Says where the other end of a pseudo-terminal is, and waits until somebody has opened it. */
  void wait_for_peer();
  /** False: console output goes to standard output. */
  bool write(std::string_view bytes);
  /** Until what was written has been read, for a second at most. */
  void finish();

 private:
  std::unique_ptr<PseudoTerminal> terminal_;
  std::unique_ptr<Keyboard> keyboard_;
  std::optional<HostInput> input_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_TALK_H
