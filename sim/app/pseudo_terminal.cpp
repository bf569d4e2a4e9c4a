// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/pseudo_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "app/stop.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{20};
constexpr milliseconds kPatience{1000};

}  // namespace

PseudoTerminal::PseudoTerminal() : host_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  char name[64];
  if (host_ >= 0 && ::grantpt(host_) == 0 && ::unlockpt(host_) == 0 && ::ptsname_r(host_, name, sizeof name) == 0) {
    peer_ = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  termios raw{};
  if (peer_ < 0 || ::tcgetattr(peer_, &raw) != 0) {
    const std::string why = errno_text(errno);
    if (host_ >= 0) ::close(host_);
    throw Error("--uart pty: there is no pseudo-terminal to have: " + why + "; see that /dev/pts is mounted");
  }
  ::cfmakeraw(&raw);
  ::tcsetattr(peer_, TCSANOW, &raw);
  ::fcntl(host_, F_SETFL, O_NONBLOCK);
  path_ = name;
}

PseudoTerminal::~PseudoTerminal() {
  if (peer_ >= 0) ::close(peer_);
  ::close(host_);
}

void PseudoTerminal::wait_for_peer() {
  // A side that was open and is not says so.
  ::close(peer_);
  peer_ = -1;
  pollfd state{host_, POLLIN, 0};
  do {
    state.revents = 0;
    ::poll(&state, 1, 0);
    if ((state.revents & POLLHUP) != 0) std::this_thread::sleep_for(kLook);
  } while ((state.revents & POLLHUP) != 0 && stop_signal() == 0);
  peer_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
}

std::string PseudoTerminal::read(milliseconds patience) {
  pollfd input{host_, POLLIN, 0};
  if (::poll(&input, 1, static_cast<int>(patience.count())) <= 0) return {};
  char bytes[256];
  const ssize_t count = ::read(host_, bytes, sizeof bytes);
  return {bytes, static_cast<std::size_t>(count > 0 ? count : 0)};
}

void PseudoTerminal::write(std::string_view bytes) {
  milliseconds waited{0};
  while (!bytes.empty() && stop_signal() == 0) {
    const ssize_t count = ::write(host_, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      deaf_ = false;
      continue;
    }
    if (deaf_ || waited >= kPatience) {
      deaf_ = true;
      return;
    }
    pollfd output{host_, POLLOUT, 0};
    ::poll(&output, 1, static_cast<int>(kLook.count()));
    waited += kLook;
  }
}

void PseudoTerminal::finish() {
  for (milliseconds waited{0}; waited < kPatience && stop_signal() == 0; waited += kLook) {
    // Unlike FIONREAD, poll() also sees what the kernel has not yet brought to the other side.
    pollfd untaken{peer_, POLLIN, 0};
    if (::poll(&untaken, 1, 0) <= 0) return;
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace trapeze
