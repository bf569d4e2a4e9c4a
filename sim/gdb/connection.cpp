// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kernel/error.h"

namespace trapeze::gdb {

namespace {

/** A wait lasts so long before it looks again whether the process is to end. */
constexpr int kPollMilliseconds = 200;

/** Whether bytes, or a connection, came within `milliseconds` (-1: for ever), or until `wanted` says no. */
template <typename Wanted>
bool wait_for(int socket, int milliseconds, Wanted&& wanted) {
  do {
    pollfd ready{socket, POLLIN, 0};
    if (::poll(&ready, 1, milliseconds < 0 ? kPollMilliseconds : milliseconds) > 0) return true;
  } while (milliseconds < 0 && wanted());
  return false;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::string Connection::receive(int milliseconds) {
  if (!open() || !wait_for(socket_.get(), milliseconds, [this] { return open(); })) return {};
  char bytes[4096];
  const ssize_t count = ::recv(socket_.get(), bytes, sizeof bytes, 0);
  if (count < 0 && errno == EINTR) return {};
  if (count <= 0) open_ = false;
  return {bytes, static_cast<std::size_t>(count > 0 ? count : 0)};
}

void Connection::send(std::string_view bytes) {
  while (open_ && !bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      open_ = false;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

Listener::Listener(std::uint16_t port, StopAsked stop_asked, std::string option)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), stop_asked_(stop_asked), option_(std::move(option)) {
  const auto fail = [&]() -> Error {
    return Error(option_ + " " + std::to_string(port) + ": cannot listen on localhost: " + errno_text(errno) +
                 "; give another port, or 0 for a free one");
  };
  if (socket_.get() < 0) throw fail();
  // A port whose last connection is not forgotten yet is free all the same.
  const int yes = 1;
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(socket_.get(), any, size) != 0 || ::listen(socket_.get(), 1) != 0 ||
      ::getsockname(socket_.get(), any, &size) != 0) {
    throw fail();
  }
  port_ = ntohs(address.sin_port);
}

Connection Listener::accept() {
  while (!stop_asked_()) {
    if (auto connection = poll(kPollMilliseconds)) return std::move(*connection);
  }
  return {Descriptor(-1), stop_asked_};
}

std::optional<Connection> Listener::poll(int milliseconds) {
  if (!wait_for(socket_.get(), milliseconds, [] { return false; })) return std::nullopt;
  const int number = ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (number < 0 && (errno == EINTR || errno == ECONNABORTED)) return std::nullopt;
  if (number < 0) throw Error(option_ + ": no connection: " + errno_text(errno) + "; try again");
  Descriptor socket(number);
  const int yes = 1;
  ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return Connection(std::move(socket), stop_asked_);
}

}  // namespace trapeze::gdb
