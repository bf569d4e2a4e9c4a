// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A TCP connection with a debugger, on this machine only.
 */
#ifndef TRAPEZE_SIM_GDB_CONNECTION_H
#define TRAPEZE_SIM_GDB_CONNECTION_H

#include <cstdint>
#include <optional>
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

/** Whether the process was asked to end, which ends every wait here. */
using StopAsked = bool (*)();

/** A connected stream of bytes. A peer that is gone, or a process that is to end, is no error: open() says so. */
class Connection {
 public:
  Connection(Descriptor socket, StopAsked stop_asked) : socket_(std::move(socket)), stop_asked_(stop_asked) {}

  bool open() const { return open_ && !stop_asked_(); }
  /** Bytes that are there, waiting at most `milliseconds` (-1: for ever) for the first. Empty: none, or closed. */
  std::string receive(int milliseconds);
  void send(std::string_view bytes);

 private:
  Descriptor socket_;
  StopAsked stop_asked_;
  bool open_ = true;
};

/** Waits for connections to 127.0.0.1. */
class Listener {
 public:
  /** Port 0: a free one. `option`: whose port it is, for messages. Throws Error if the port cannot be had. */
  Listener(std::uint16_t port, StopAsked stop_asked, std::string option = "--gdb");
  std::uint16_t port() const { return port_; }
  /** The next connection; one that is not open if the process is to end. Throws Error. */
  Connection accept();
  /** A connection that comes within so many milliseconds. Throws Error. */
  std::optional<Connection> poll(int milliseconds);

 private:
  Descriptor socket_;
  StopAsked stop_asked_;
  std::string option_;
  std::uint16_t port_ = 0;
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_CONNECTION_H
