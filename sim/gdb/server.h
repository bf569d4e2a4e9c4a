// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * GDB's remote serial protocol: packets to what they mean.
 *
 * Source: Debugging with GDB (13), appendix E.
 */
#ifndef TRAPEZE_SIM_GDB_SERVER_H
#define TRAPEZE_SIM_GDB_SERVER_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdb/connection.h"
#include "gdb/devices.h"
#include "gdb/packet.h"
#include "gdb/target.h"
#include "gdb/threads.h"

namespace trapeze::gdb {

/** How a session with GDB ended. */
enum class Ending : std::uint8_t {
  kExited,    ///< the firmware has ended
  kLimit,     ///< the cycle limit is reached
  kDetached,  ///< GDB let the firmware run
  kKilled,    ///< GDB ended it
  kLost,      ///< the connection is gone
};

class Server {
 public:
  /** `exit_code` is the process's for one of the firmware's: what GDB is told. `devices`: the platform's; none:
   * unknown. `programs`: their files, by hart. */
  Server(Connection& connection, Target& target, int (*exit_code)(unsigned), std::vector<KernelPlaces> kernels = {},
         std::vector<Device> devices = {}, const std::vector<std::string>& programs = {});

  /** Serve until the session ends. Throws Error if the engine fails. */
  Ending serve();

 private:
  struct Reply {
    std::string payload;
    std::optional<Ending> ending;
  };

  std::optional<Input> next_input(int milliseconds);
  void send(std::string_view payload);
  /** No reply: nothing is to be sent. */
  std::optional<Reply> handle(std::string_view packet);
  Reply handle_query(std::string_view packet);
  Reply handle_threads(std::string_view packet);
  /** See Threads::hart_of(). */
  std::optional<unsigned> hart_of(std::string_view thread) const;
  std::string read_register(const RegisterInfo& info);
  std::string select(std::string_view arguments);
  Stop go_on(const Resume& how);
  Reply handle_v(std::string_view packet);
  bool steps_over_access(const Resume& how) const;
  Reply resume(const Resume& how);
  Reply resume_actions(std::string_view actions);
  Reply resume_at(std::string_view address, bool step);
  std::string stop_reply(const Stop& stop);
  /** The next process that GDB has to be told of at the end of the run. */
  Reply end_of_next();
  Reply let_go(std::string_view process, Ending how);
  std::string features(std::string_view arguments) const;
  std::string exec_file(std::string_view arguments) const;
  std::string read_all();
  std::string write_all(std::string_view hex);
  std::string read_one(std::string_view number);
  std::string write_one(std::string_view arguments);
  std::string read_memory(std::string_view arguments);
  std::string write_memory(std::string_view arguments, bool binary);
  std::string set_point(std::string_view arguments, bool insert);
  bool interrupted(int milliseconds);

  Connection& connection_;
  Target& target_;
  int (*exit_code_)(unsigned);
  std::string description_;
  PacketReader reader_;
  std::string last_sent_;
  bool acknowledge_ = true;
  bool said_no_devices_ = false;
  bool stop_reasons_ = false;  ///< it is GDB: it takes swbreak and hwbreak
  Stop last_stop_;
  unsigned hart_ = 0;  ///< whose registers and memory are looked at
  Processes processes_;
  Threads threads_;
  std::optional<Ending> over_;  ///< the run has ended, and GDB is still there for processes
  std::vector<Device> devices_;
  std::optional<Task> task_;  ///< whose registers are looked at instead of the hart's
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_SERVER_H
