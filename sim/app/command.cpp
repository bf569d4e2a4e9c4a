// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/command.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/coherence.h"
#include "app/console.h"
#include "app/debug.h"
#include "app/halts.h"
#include "app/jtag_server.h"
#include "app/last_task.h"
#include "app/live.h"
#include "app/observers.h"
#include "app/outcome.h"
#include "app/refusals.h"
#include "app/spans.h"
#include "app/stop.h"
#include "app/sweep.h"
#include "app/talk.h"
#include "app/trace_window.h"
#include "app/waves.h"
#include "kernel/atomic_file.h"
#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"
#include "kernel/error.h"
#include "kernel/input_file.h"
#include "kernel/power_up.h"
#include "kernel/programs.h"
#include "kernel/record.h"
#include "kernel/session.h"
#include "kernel/trace.h"
#include "kernel/trace_records.h"
#include "lockstep/lockstep.h"

namespace trapeze {
namespace {

/** From here on exit codes are those of reports of the HAL and the monitor, and the simulator's own. */
constexpr int kCrashes = 64;

/** What the console receives in cycle 0: a file, of `-` standard input up to its end. */
std::string console_input(const ConsoleRequest& console) {
  if (console.talker != Talker::kFile || console.file.empty()) return {};
  const bool standard = console.file == kStandardInput;
  const std::vector<std::uint8_t> input = read_input(standard ? "/dev/stdin" : console.file, "--uart-in");
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::vector<ElfFile> read_programs(const std::vector<std::string>& paths) {
  std::vector<ElfFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back(read_elf(path));
  return files;
}

/** Names of code for --coherence: a hart's program, then what the request adds. */
std::vector<std::vector<SymbolTable>> coherence_symbols(const Request& request, const Engine& engine,
                                                        const Programs& programs) {
  std::vector<std::vector<SymbolTable>> symbols;
  for (SymbolTable& table : programs.symbols(engine.harts())) symbols.push_back({std::move(table)});
  for (const auto& [hart, path] : request.symbols) symbols[hart].emplace_back(read_elf(path).symbols);
  return symbols;
}

/** What writes the trace; null if none is wanted, or the engine writes it. */
std::unique_ptr<TraceWriter> trace_writer(const Request& request, Engine& engine, const Programs& programs) {
  const TraceRequest& trace = request.trace;
  if (trace.kind == TraceKind::kNone || is_wave(trace.kind)) return nullptr;
  std::vector<SymbolTable> symbols = programs.symbols(engine.harts());
  std::unique_ptr<TraceWriter> writer;
  if (trace.kind == TraceKind::kLog) {
    writer = std::make_unique<LogTrace>(trace.file, std::move(symbols), engine.info(), trace.from);
  } else if (trace.kind == TraceKind::kRecords) {
    writer = std::make_unique<RecordTrace>(trace.file, std::move(symbols), engine.info(),
                                           task_sources(request, engine, programs), trace.from);
  } else {
    writer = std::make_unique<JsonTrace>(trace.file, std::move(symbols), engine.info(),
                                         task_sources(request, engine, programs), trace.from);
  }
  if (trace.to == kNever) return writer;
  return std::make_unique<TraceWindow>(std::move(writer), trace.to, trace.kind == TraceKind::kJson);
}

/** The engine that follows, and the comparison. */
struct Follower {
  Follower(const Request& request, const Engine& leader, const Programs& programs, const std::string& input)
      : engine(request.follow, 0, request.platform),
        lockstep(engine, leader.info(), programs.symbols(leader.harts()), request.command) {
    fill_memories(engine, request.reset_seed);
    programs.load(engine);
    lockstep.console_input(input);
  }

  Engine engine;
  Lockstep lockstep;
};

/** A run, or a sweep of many, from the engine's reset to its record. */
class Run {
 public:
  /** Throws Error, before anything is executed, if the request cannot be run or an output not be written. */
  Run(const Request& request, const Reports& reports)
      : request_(request),
        reports_(reports),
        engine_(request.engine, request.reset_seed, request.platform),
        programs_(checked_programs()),
        session_(engine_),
        input_(console_input(request.console)),
        incoherent_(coherence_symbols(request, engine_, programs_)) {
    set_up_session();
    if (!request_.jtag) load();
    if (request_.coherence) engine_.watch_coherence();
    open_outputs();
    begin_record();
  }

  /** Returns the process's exit code. */
  int finish();

 private:
  Programs checked_programs() {
    std::vector<ElfFile> files = read_programs(request_.programs);
    check_request(request_, engine_);
    return {std::move(files), engine_.info()};
  }
  void set_up_session();
  void load();
  void open_outputs();
  void begin_record();
  /** Whether somebody else than the request says when the program runs. */
  bool debugged() const { return request_.gdb || request_.jtag || request_.halts; }
  void sweep();
  bool simulate();
  void complete();
  void write_record();

  const Request& request_;
  const Reports& reports_;
  Engine engine_;
  Programs programs_;
  Session session_;
  std::string input_;
  CoherenceReports incoherent_;
  Console console_;
  ConsoleTail tail_;
  std::unique_ptr<AtomicFile> json_;
  std::unique_ptr<TraceWriter> trace_;
  std::unique_ptr<WaveTrace> waves_;
  std::unique_ptr<Follower> follower_;
  std::unique_ptr<EventLog> log_;
  Observers observers_;
  RunRecord record_;
};

void Run::set_up_session() {
  session_.set_edges(request_.raises());
  session_.set_budget(request_.budget);
  session_.set_turn(request_.turn);
  session_.set_last_hart(request_.last_hart);
  session_.set_restarts(request_.restarts, programs_);
  session_.set_stop([] { return stop_signal() != 0; });
}

/** Memory, wait states and console input as at the start of a run. */
void Run::load() {
  fill_memories(engine_, request_.reset_seed);
  session_.load(programs_);
  if (request_.wait_instr != 0 || request_.wait_data != 0) {
    engine_.set_wait_states(request_.wait_instr, request_.wait_data, request_.seed);
  }
  if (!input_.empty()) engine_.console_input(input_);
}

/** Before the run: a name that cannot be written is found out before an hour of simulation. */
void Run::open_outputs() {
  if (!reports_.json.empty()) json_ = std::make_unique<AtomicFile>(reports_.json, "record");
  trace_ = trace_writer(request_, engine_, programs_);
  if (is_wave(request_.trace.kind)) {
    waves_ = std::make_unique<WaveTrace>(engine_, request_.trace);
    if (debugged()) waves_->open();
  }
  if (!request_.follow.empty()) follower_ = std::make_unique<Follower>(request_, engine_, programs_, input_);
  observers_.add(trace_.get());
  if (follower_) observers_.add(&follower_->lockstep);
  session_.set_observer(observers_.get());
  if (!request_.log.path.empty()) log_ = std::make_unique<EventLog>(request_.log, engine_.info());
  session_.set_log(log_.get());
}

void Run::begin_record() {
  record_.config = request_.config;
  record_.engine = follower_ ? "lockstep" : engine_.info().engine;
  record_.elf = base_name(request_.programs.front());
  for (unsigned hart = 0; hart < engine_.harts(); ++hart) {
    const ElfFile* const elf = programs_.of(hart);
    record_.harts.push_back({engine_.hart(hart).hart_id, elf != nullptr ? base_name(elf->path) : ""});
    record_.state.stamps.handlers(hart).set_monitor(elf != nullptr ? elf->monitor : Monitor::kNone);
  }
  record_.signals.assign(engine_.info().signals, engine_.info().signals + engine_.info().num_signals);
  record_.state.stimulus = Stimulus(request_.edges);
  for (const auto& one : request_.streams) record_.state.stimulus.add(one);
  record_.state.stamps.table().keep(request_.stamps_of);
  if (auto plan = plan_spans(request_, engine_, programs_)) record_.state.spans = SpanTracker(std::move(plan));
}

void Run::sweep() {
  record_.state.stamps.keep_markers(false);
  const RunState start = record_.state;
  record_.sweep = run_sweep(request_, reports_, engine_, session_, start, record_.state, record_.spans);
}

/** One run. False: a debugger ended it. */
bool Run::simulate() {
  // With many edges no marker is kept by itself: memory does not grow with their number.
  record_.state.stamps.keep_markers(request_.streams.empty());
  Talk talk(request_.console);
  Live live(engine_.can(TZ_CAP_CYCLES) ? "cycles" : "instructions");
  session_.set_console([&](std::string_view bytes) {
    tail_.add(bytes);
    live.make_way(bytes);
    if (!talk.write(bytes)) console_.write(bytes);
  });
  talk.wait_for_peer();
  session_.set_input(talk.input());
  if (!request_.gdb && request_.trace.file != "-") {  // which would be in between
    session_.set_stop([&, &state = record_.state] {
      live.show(state);
      incoherent_.show(engine_);
      return stop_signal() != 0;
    });
  }
  if (request_.gdb && !debug(request_, engine_, session_, record_.state, [this] { load(); })) return false;
  if (request_.jtag) serve_jtag(request_, engine_, session_, record_.state, [this] { load(); });
  if (request_.halts) run_with_halts(request_, engine_, session_, record_.state);
  if (waves_ && !debugged()) waves_->run(session_, record_.state, request_.max_cycles);
  complete();
  live.clear();
  talk.finish();
  session_.set_console({});
  session_.set_input(nullptr);
  session_.set_stop({});
  record_.spans = record_.state.spans.results();
  record_.state.stamps.table().finish();
  return true;
}

/** Up to the end; if the engines disagree, the trace up to there is kept. */
void Run::complete() {
  try {
    session_.complete(record_.state, request_.max_cycles);
    if (follower_) follower_->lockstep.finish(engine_, record_.state);
  } catch (const Mismatch&) {
    if (trace_) trace_->finish(record_.state);
    throw;
  }
}

/** What was measured until a signal came counts: of a sweep the runs that were over. */
void Run::write_record() {
  if (!json_) return;
  for (unsigned hart = 0; !record_.sweep && hart < engine_.harts(); ++hart) {
    record_.harts[hart].causes = engine_.causes(hart);
  }
  json_->write(to_json(record_));
  json_->commit();
}

int Run::finish() {
  const auto begin = std::chrono::steady_clock::now();
  if (request_.sweep) {
    sweep();
  } else if (!simulate()) {
    return kExitKilled;
  }
  if (reports_.speed) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "speed %llu %.6f\n", static_cast<unsigned long long>(record_.state.cycle), seconds.count());
  }
  if (trace_) trace_->finish(record_.state);
  if (log_) log_->finish();
  if (waves_) waves_->finish();
  write_record();
  console_.finish();
  incoherent_.show(engine_);
  incoherent_.finish();
  const RunState& state = record_.state;
  const int code = outcome(request_, reports_.quiet, engine_, programs_, state);
  if (code >= kCrashes && !state.stopped && !request_.sweep) {
    if (!reports_.console_tail.empty()) std::ofstream(reports_.console_tail) << tail_.text();
    if (!reports_.exit_pc.empty()) std::ofstream(reports_.exit_pc) << state.harts[state.exit_hart].now.pc;
    std::fputs(last_tasks(request_, engine_, state, tail_, state.exited).c_str(), stderr);
  }
  if (incoherent_.any() && !state.stopped) return kExitIncoherent;
  return code;
}

}  // namespace

int run_command(const Request& request, const Reports& reports) {
  return Run(request, reports).finish();
}

}  // namespace trapeze
