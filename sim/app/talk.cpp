// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/talk.h"

#include <cstdio>

#include "app/keyboard.h"
#include "app/pseudo_terminal.h"

namespace trapeze {

Talk::Talk(const ConsoleRequest& console) {
  const bool keys = console.talker == Talker::kKeys;
  if (console.talker == Talker::kPseudoTerminal) {
    terminal_ = std::make_unique<PseudoTerminal>();
    input_.emplace(*terminal_, Pace::kFree);
  } else if (keys || console.talker == Talker::kTyped) {
    keyboard_ = std::make_unique<Keyboard>(keys ? Keys::kAll : Keys::kAllButCtrlC);
    input_.emplace(*keyboard_, keys ? Pace::kHuman : Pace::kFree);
  }
}

Talk::~Talk() = default;

void Talk::wait_for_peer() {
  if (!terminal_) return;
  std::fprintf(stderr, "trapeze-sim: the console is %s; waiting until it is opened\n", terminal_->path().c_str());
  terminal_->wait_for_peer();
}

bool Talk::write(std::string_view bytes) {
  if (terminal_) terminal_->write(bytes);
  return terminal_ != nullptr;
}

void Talk::finish() {
  if (terminal_) terminal_->finish();
}

}  // namespace trapeze
