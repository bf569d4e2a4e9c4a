// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/keyboard.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace trapeze {
namespace {

constexpr char kEscape = 1;  // Ctrl-A

}  // namespace

Keyboard::Keyboard() {
  termios now{};
  if (::tcgetattr(STDIN_FILENO, &now) != 0) return;
  before_ = now;
  now.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IXON | ISTRIP);
  now.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

Keyboard::~Keyboard() {
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

std::string Keyboard::read(std::chrono::milliseconds patience) {
  if (at_end_) {
    std::this_thread::sleep_for(patience);
    return {};
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, static_cast<int>(patience.count())) <= 0) return {};
  char bytes[256];
  const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
  at_end_ = count <= 0;
  std::string keys;
  for (ssize_t i = 0; i < count; ++i) {
    if (!before_) {
      keys += bytes[i];
    } else if (escaped_) {
      escaped_ = false;
      if (bytes[i] == 'x') ::raise(SIGINT);
      if (bytes[i] == kEscape) keys += kEscape;
    } else if (bytes[i] == kEscape) {
      escaped_ = true;
    } else {
      keys += bytes[i];
    }
  }
  return keys;
}

}  // namespace trapeze
