// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/keyboard.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace trapeze {
namespace {

constexpr char kEscape = 1;  // Ctrl-A

}  // namespace

Keyboard::Keyboard(Keys keys) : keys_(keys) {
  termios now{};
  if (::tcgetattr(STDIN_FILENO, &now) != 0) return;
  if (in_background()) {  // a terminal stops who changes it from there
    at_end_ = true;
    return;
  }
  before_ = now;
  now.c_iflag &= ~static_cast<tcflag_t>(INLCR | IXON | ISTRIP);
  now.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN);
  if (keys == Keys::kAll) {
    now.c_iflag &= ~static_cast<tcflag_t>(ICRNL);
    now.c_lflag &= ~static_cast<tcflag_t>(ISIG);
  } else {
    for (const int key : {VQUIT, VSUSP}) now.c_cc[key] = _POSIX_VDISABLE;
  }
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

Keyboard::~Keyboard() {
  if (before_ && !in_background()) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

/** Whether another job of the shell has the terminal; without such a shell nobody else has it. */
bool Keyboard::in_background() const {
  const pid_t foreground = ::tcgetpgrp(STDIN_FILENO);
  return foreground >= 0 && foreground != ::getpgrp();
}

std::string Keyboard::read(std::chrono::milliseconds patience) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (at_end_ || (before_ && in_background())) {
    if (patience.count() > 0) std::this_thread::sleep_for(patience);
    return {};
  }
  if (::poll(&input, 1, static_cast<int>(patience.count())) <= 0) return {};
  char bytes[256];
  const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
  if (count < 0 && errno == EINTR) return {};
  at_end_ = count <= 0;
  if (at_end_) return {};
  const std::string_view typed(bytes, static_cast<std::size_t>(count));
  return before_ && keys_ == Keys::kAll ? without_escapes(typed) : std::string(typed);
}

std::string Keyboard::without_escapes(std::string_view typed) {
  std::string keys;
  for (const char key : typed) {
    if (escaped_) {
      escaped_ = false;
      if (key == 'x') ::raise(SIGINT);
      if (key == kEscape) keys += kEscape;
    } else if (key == kEscape) {
      escaped_ = true;
    } else {
      keys += key;
    }
  }
  return keys;
}

}  // namespace trapeze
