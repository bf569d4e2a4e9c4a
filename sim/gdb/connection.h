// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A TCP connection with GDB, on this machine only.
 */
#ifndef TRAPEZE_SIM_GDB_CONNECTION_H
#define TRAPEZE_SIM_GDB_CONNECTION_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace trapeze::gdb {

/** Owns a file descriptor. */
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

/** A connected stream of bytes. A peer that is gone is no error: open() says so. */
class Connection {
 public:
  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

  bool open() const { return open_; }
  /** Bytes that are there, waiting at most `milliseconds` (-1: for ever) for the first. Empty: none, or closed. */
  std::string receive(int milliseconds);
  void send(std::string_view bytes);

 private:
  Descriptor socket_;
  bool open_ = true;
};

/** Waits for connections to 127.0.0.1. */
class Listener {
 public:
  /** Port 0: a free one. Throws Error if the port cannot be had. */
  explicit Listener(std::uint16_t port);
  std::uint16_t port() const { return port_; }
  /** The next connection. Throws Error. */
  Connection accept();

 private:
  Descriptor socket_;
  std::uint16_t port_ = 0;
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_CONNECTION_H
