// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What trapeze-sim is to run, as one value. The laboratory reads the user's words, refuses what cannot be, and writes
 * the value as JSON (request.schema.json); here it is only read. So a message here that names an option of the user's
 * is about what the engine or the program makes impossible.
 */
#ifndef TRAPEZE_SIM_APP_REQUEST_H
#define TRAPEZE_SIM_APP_REQUEST_H

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/event_log.h"
#include "kernel/session.h"
#include "kernel/spans.h"
#include "kernel/stimulus.h"
#include "kernel/task_states.h"

namespace trapeze {

/** A list of a kernel, and the state of the tasks in it. */
struct TaskList {
  std::string state;
  std::uint64_t address = 0;
};

/** How a kernel keeps tasks that are ready, see TaskKernel. */
struct ReadyTasks {
  std::uint64_t list = 0;
  CodeRange lists;
};

/** A hart's kernel, with as much of it as the run needs. */
struct Kernel {
  unsigned hart = 0;
  std::uint64_t current = 0;  ///< see TaskSource, and so `name` and `started`
  std::uint64_t name = 0;
  std::uint64_t started = 0;
  std::uint64_t whole = 0;      ///< see gdb::KernelPlaces
  std::vector<TaskList> lists;  ///< a debugger shows their tasks as threads
  std::vector<CodeRange> port;  ///< code that switches tasks
  std::optional<ReadyTasks> ready;
  std::optional<std::uint64_t> stack;  ///< offset in a control block of the pointer to the lowest word of the stack
  std::optional<WaitPlaces> waits;
};

/** How a trace is written. */
enum class TraceKind { kNone, kWave, kVcd, kLog, kJson, kRecords };

/** Whether the engine writes it. */
constexpr bool is_wave(TraceKind kind) {
  return kind == TraceKind::kWave || kind == TraceKind::kVcd;
}

/** Beyond every cycle. */
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/** A trace, and the cycles that it has. */
struct TraceRequest {
  TraceKind kind = TraceKind::kNone;
  std::string file;        ///< `-`: standard output
  std::uint64_t from = 0;  ///< what ends before this cycle is left out
  std::uint64_t to = kNever;
};

/** The name of standard input as a file. */
constexpr char kStandardInput[] = "-";

/** Who gives the console its input. */
enum class Talker { kFile, kTyped, kKeys, kPseudoTerminal };

/** Where the console's input comes from. */
struct ConsoleRequest {
  Talker talker = Talker::kFile;  ///< kTyped: lines at a terminal; kKeys: every key there, Ctrl-C, too
  std::string file;               ///< of kFile; empty: no input
};

/** A run whose JTAG port a debugger has. */
struct JtagRequest {
  std::uint16_t port = 0;  ///< where it connects; 0: a free one
  std::string script;      ///< OpenOCD's, named to the user
};

struct Request {
  std::string command;                ///< the user's words that repeat the run
  std::string config;                 ///< name of the configuration that the engine must have
  std::string platform;               ///< file that describes the platform
  std::string engine;                 ///< its library
  std::string follow;                 ///< library of an engine that follows in lockstep; empty: none
  std::vector<std::string> programs;  ///< the k-th is hart k's, one alone is all harts'
  std::vector<Injection> edges;
  std::vector<std::shared_ptr<const ArrivalSpec>> streams;
  std::optional<std::uint64_t> stamps_of;  ///< edges of streams that rise in this cycle are recorded, each for itself
  std::optional<SweepRange> sweep;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> sweep_part;  ///< first and last cycle of it that are run
  std::uint64_t max_cycles = 0;
  std::optional<std::uint64_t> budget;  ///< of each interrupt, in cycles from edge to marker
  TraceRequest trace;
  std::vector<Kernel> kernels;
  std::vector<SpanSpec> spans;
  std::optional<Until> until;
  EventLogPlan log;
  unsigned wait_instr = 0;
  unsigned wait_data = 0;
  std::uint32_t seed = 0;        ///< of wait states
  std::uint32_t reset_seed = 0;  ///< seed of what no reset reaches, registers and memories; 0: zeros
  ConsoleRequest console;
  std::optional<std::uint16_t> gdb;                       ///< port for a debugger; 0: a free one
  std::optional<std::uint64_t> halts;                     ///< a debugger halts all harts, after about so many cycles
  std::optional<JtagRequest> jtag;                        ///< nothing: nobody is at the JTAG port
  std::uint64_t turn = 1;                                 ///< instructions that each of several harts executes in turn
  std::optional<unsigned> last_hart;                      ///< whose exit ends the run
  std::vector<Restart> restarts;                          ///< by cycle
  bool coherence = false;                                 ///< look for missing cache maintenance
  std::vector<std::pair<unsigned, std::string>> symbols;  ///< files with more symbols of a hart, for that

  /** Whether the host raises lines. */
  bool raises() const { return sweep || !edges.empty() || !streams.empty(); }
};

/** What a caller wants to be told of a run, which does not change it. */
struct Reports {
  std::string json;          ///< file of the record; empty: none
  std::string console_tail;  ///< of a program that ends with code 64 or more: file for the last bytes of its console
  std::string exit_pc;       ///< of the same: file for the address of its last instruction
  bool quiet = false;
  bool progress = false;
  bool speed = false;
};

/** Reads the file of a request. Throws Error, which names file and field. */
Request read_request(const std::string& path);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_REQUEST_H
