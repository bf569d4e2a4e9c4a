// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Command line of trapeze-sim.
 */
#ifndef TRAPEZE_SIM_APP_OPTIONS_H
#define TRAPEZE_SIM_APP_OPTIONS_H

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

/** Where the kernel of a hart keeps its tasks, see TaskSource. */
struct TaskAddresses {
  unsigned hart = 0;
  std::uint64_t current = 0;
  std::uint64_t name = 0;
  std::uint64_t started = 0;
};

/** Where a hart's kernel has what its tasks wait for, see WaitPlaces. */
struct TaskWaits {
  unsigned hart = 0;
  WaitPlaces places;
};

/** How a hart's kernel keeps tasks that are ready, see TaskKernel. */
struct TaskReady {
  unsigned hart = 0;
  std::uint64_t list = 0;
  CodeRange lists;
};

/** Offset of the pointer to the lowest word of its stack in a control block of a hart's kernel. */
struct TaskStack {
  unsigned hart = 0;
  std::uint64_t offset = 0;
};

/** A list of a hart's kernel, and the state of the tasks in it. */
struct TaskList {
  unsigned hart = 0;
  std::string state;
  std::uint64_t address = 0;
};

/** Code of a hart's kernel that switches tasks. */
struct PortCode {
  unsigned hart = 0;
  CodeRange range;
};

/** How a trace is written, from the suffix of its name. */
enum class TraceKind { kNone, kWave, kVcd, kLog, kJson, kRecords };

/** Whether the engine writes it. */
constexpr bool is_wave(TraceKind kind) {
  return kind == TraceKind::kWave || kind == TraceKind::kVcd;
}

/** Beyond every cycle. */
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/** The name of standard input as a file. */
constexpr char kStandardInput[] = "-";

struct Options {
  std::vector<std::string> elfs;  ///< the k-th is hart k's, one alone is all harts'
  std::string engine;
  std::string follow;   ///< engine that follows it in lockstep; empty: none
  std::string command;  ///< the command line, for a shell
  std::string config;
  std::vector<Injection> injections;
  std::vector<std::shared_ptr<const ArrivalSpec>> stimuli;
  std::optional<std::uint64_t> stamps_of;  ///< edges of stimuli that rise in this cycle are recorded, each for itself
  std::optional<SweepRange> sweep;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> sweep_part;  ///< first and last cycle of it that are run
  std::uint64_t max_cycles = 0;
  std::optional<std::uint64_t> budget;  ///< budget of each interrupt, in cycles from edge to marker
  std::string trace;
  TraceKind trace_kind = TraceKind::kNone;
  std::uint64_t trace_from = 0;     ///< what ends before this cycle is left out
  std::uint64_t trace_to = kNever;  ///< what comes after this cycle is left out
  std::vector<TaskAddresses> tasks;
  std::vector<TaskList> task_lists;
  std::vector<PortCode> port;
  std::vector<TaskStack> task_stacks;
  std::vector<TaskReady> task_ready;
  std::vector<TaskWaits> task_waits;
  std::vector<SpanSpec> spans;
  std::optional<Until> until;
  std::string json;
  std::string console_tail;
  std::string exit_pc;
  unsigned wait_instr = 0;
  unsigned wait_data = 0;
  std::uint32_t seed = 0;
  std::uint32_t reset_seed = 0;       ///< seed of what no reset reaches, registers and memories; 0: zeros
  std::string uart_in;                ///< a file, or kStandardInput
  bool keys = false;                  ///< the console receives every key that is typed, Ctrl-C, too
  bool typed = false;                 ///< it receives what is typed at a terminal: kStandardInput is one
  bool uart_pty = false;              ///< the console is a pseudo-terminal
  std::string platform;               ///< file that describes the platform; empty: none
  std::optional<std::uint16_t> gdb;   ///< port for a debugger; 0: a free one
  std::uint64_t turn = 1;             ///< instructions that each of several harts executes in turn
  std::optional<unsigned> last_hart;  ///< whose exit ends the run
  std::vector<Restart> restarts;      ///< by cycle
  bool coherence = false;             ///< look for missing cache maintenance
  std::vector<std::pair<unsigned, std::string>> symbols;  ///< files with more symbols of a hart
  EventLogPlan log;                                       ///< events that are written down
  bool quiet = false;
  bool progress = false;
  bool speed = false;
};

/** Parse the command line. Empty if help or the version was asked for and printed. Throws Error. */
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_OPTIONS_H
