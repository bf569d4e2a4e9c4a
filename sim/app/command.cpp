// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/coherence.h"
#include "app/console.h"
#include "app/debug.h"
#include "app/ending.h"
#include "app/last_task.h"
#include "app/live.h"
#include "app/spans.h"
#include "app/stop.h"
#include "app/sweep.h"
#include "app/talk.h"
#include "app/trace_window.h"
#include "kernel/atomic_file.h"
#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"
#include "kernel/error.h"
#include "kernel/fst_file.h"
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

/** What the console receives in cycle 0: the file of --uart-in, or of `-` standard input up to its end, unless that is
 * a terminal. */
std::string console_input(const Options& options) {
  const bool standard = options.uart_in == kStandardInput;
  if (options.uart_in.empty() || options.typed) return {};
  const std::vector<std::uint8_t> input = read_input(standard ? "/dev/stdin" : options.uart_in, "--uart-in");
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

/** `3`, and of which hart if there are several. */
std::string edge_name(const tz_engine_info& info, unsigned hart, unsigned line) {
  return std::to_string(line) + (info.num_harts > 1 ? " of hart " + std::to_string(hart) : "");
}

void check_hart(const std::string& option, unsigned hart, const tz_engine_info& info) {
  if (hart < info.num_harts) return;
  const std::string last = std::to_string(info.num_harts - 1);
  throw Error(option + ": configuration '" + info.config + "' has no hart " + std::to_string(hart) + "; use " +
              (last == "0" ? last : "0 to " + last));
}

void check_engine(const Options& options, const Engine& engine) {
  const tz_engine_info& info = engine.info();
  if (options.config != info.config) {
    throw Error("engine '" + options.engine + "' is of configuration '" + info.config + "', not '" + options.config +
                "'; give the engine, or the platform, of that configuration");
  }
  const auto check_line = [&](const std::string& option, unsigned hart, unsigned line) {
    check_hart(option, hart, info);
    if (line < info.harts[hart].num_lines) return;
    const unsigned last = info.harts[hart].num_lines - 1;
    throw Error(option + ": configuration '" + options.config + "' has no interrupt line " +
                edge_name(info, hart, line) + "; use " + (last == 0 ? "0" : "0 to " + std::to_string(last)));
  };
  if (options.last_hart) check_hart("--last-hart", *options.last_hart, info);
  for (const Restart& one : options.restarts) {
    check_hart("--restart", one.hart, info);
    if (!engine.can(TZ_CAP_TURNS) || engine.debug() == nullptr) {
      throw Error("--restart: engine '" + std::string(info.engine) + "' has one reset for all harts; use the model");
    }
    if (options.sweep || options.gdb || options.trace_kind != TraceKind::kNone) {
      throw Error("--restart: not with --sweep, --gdb or --trace, which follow a program; leave them out");
    }
    if (one.hart >= options.elfs.size()) {
      throw Error("--restart: hart " + std::to_string(one.hart) + " has no program of its own; give one");
    }
  }
  for (const TaskAddresses& at : options.tasks) check_hart("--tasks", at.hart, info);
  for (const PortCode& port : options.port) check_hart("--port", port.hart, info);
  for (const Injection& injection : options.injections) {
    check_line("--irq", injection.hart, injection.line);
    if (injection.cycle < options.max_cycles) continue;
    throw Error("--irq " + hart_prefix(injection.hart) + std::to_string(injection.line) + "@" +
                std::to_string(injection.cycle) + ": the cycle is not below --max-cycles " +
                std::to_string(options.max_cycles) + "; raise --max-cycles");
  }
  for (std::size_t i = 0; i < options.stimuli.size(); ++i) {
    const ArrivalSpec& one = *options.stimuli[i];
    const std::string option = "--stimulus '" + one.text + "'";
    check_line(option, one.hart, one.line);
    const auto same = [&](const auto& other) { return other.hart == one.hart && other.line == one.line; };
    const auto end = options.stimuli.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(options.stimuli.begin(), end, [&](const auto& other) { return same(*other); }) ||
        std::any_of(options.injections.begin(), options.injections.end(), same)) {
      throw Error(option + ": something else raises line " + edge_name(info, one.hart, one.line) +
                  ", too, and their edges could not be told apart; use another line");
    }
  }
  if (options.sweep) {
    check_line("--sweep", options.sweep->hart, options.sweep->line);
    if (options.sweep->to >= options.max_cycles) {
      throw Error("--sweep: cycle " + std::to_string(options.sweep->to) + " is not below --max-cycles " +
                  std::to_string(options.max_cycles) + "; raise --max-cycles");
    }
    if (!engine.can(TZ_CAP_SNAPSHOT)) throw Error("--sweep: this engine has no snapshots; use the rtl engine");
  }
  if ((options.sweep || !options.injections.empty() || !options.stimuli.empty()) && !engine.can(TZ_CAP_CYCLES)) {
    throw Error("--irq, --stimulus, --sweep: this engine has no cycles to inject at; use the rtl engine");
  }
  if ((options.wait_instr != 0 || options.wait_data != 0) && !engine.can(TZ_CAP_WAIT)) {
    throw Error("--wait-instr, --wait-data: this engine has no wait states; use the rtl engine");
  }
  if (options.reset_seed != 0 && !engine.can(TZ_CAP_RANDOM)) {
    throw Error("--reset-seed: this engine has no registers without reset; use the rtl engine");
  }
  if (options.trace_kind == TraceKind::kJson && !engine.can(TZ_CAP_CYCLES)) {
    throw Error("--trace '" + options.trace +
                "': this engine has no cycles for a timeline; use the rtl engine or FILE.log");
  }
  if (options.turn != 1 && !engine.can(TZ_CAP_TURNS)) {
    throw Error("--turn: harts of engine '" + std::string(info.engine) +
                "' execute side by side, not in turn; use the model");
  }
  if (!options.follow.empty() && !engine.can(TZ_CAP_CYCLES)) {
    throw Error("--follow: engine '" + std::string(info.engine) +
                "' cannot lead, it has no cycles; use the rtl engine");
  }
  const bool vcd = options.trace_kind == TraceKind::kVcd;
  if (is_wave(options.trace_kind) && !engine.can(vcd ? TZ_CAP_WAVE_VCD : TZ_CAP_WAVE)) {
    throw Error("--trace '" + options.trace + "': this engine is built without " + (vcd ? "VCD" : "waves") +
                "; use the library rtl-" + options.config + (vcd ? "-vcd.so" : "-wave.so"));
  }
}

/** Several observers as one. */
class Observers final : public Observer {
 public:
  void add(Observer* observer) {
    if (observer != nullptr) all_.push_back(observer);
  }
  /** What a session takes: null if there are none. */
  Observer* get() { return all_.empty() ? nullptr : this; }

  void on_retire(const tz_retire& record) override {
    for (Observer* observer : all_) observer->on_retire(record);
  }
  void on_claim(const tz_claim& claim) override {
    for (Observer* observer : all_) observer->on_claim(claim);
  }
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override {
    for (Observer* observer : all_) observer->on_line(cycle, hart, line, level);
  }
  bool watches_activity() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->watches_activity(); });
  }
  void on_span(const std::string& name, std::uint64_t from, std::uint64_t to) override {
    for (Observer* observer : all_) observer->on_span(name, from, to);
  }
  void on_activity(const tz_activity& activity) override {
    for (Observer* observer : all_) {
      if (observer->watches_activity()) observer->on_activity(activity);
    }
  }
  bool watches_posts() const override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* one) { return one->watches_posts(); });
  }
  void on_post(const tz_post& post) override {
    for (Observer* observer : all_) {
      if (observer->watches_posts()) observer->on_post(post);
    }
  }

 private:
  std::vector<Observer*> all_;
};

/** The engine that follows, and the comparison. */
struct Follower {
  Follower(const Options& options, const Engine& leader, const Programs& programs, const std::string& input)
      : engine(options.follow, 0, options.platform),
        lockstep(engine, leader.info(), programs.symbols(leader.harts()), options.command) {
    fill_memories(engine, options.reset_seed);
    programs.load(engine);
    lockstep.console_input(input);
  }

  Engine engine;
  Lockstep lockstep;
};

/** Waves: the engine writes them into the temporary file, which is checked before it gets its name. */
class WaveTrace {
 public:
  WaveTrace(Engine& engine, const std::string& path, bool fst)
      : engine_(engine), path_(path), file_(path, "trace"), fst_(fst) {}

  /** Waves from the next cycle on. */
  void open() {
    engine_.wave_open(file_.working_path());
    opened_ = true;
  }

  /** Simulates from the first cycle of the waves to the last one, as far as the run goes. Throws Error. */
  void run(Session& session, RunState& state, const Options& options) {
    if (options.trace_from > state.cycle) session.advance(state, std::min(options.trace_from, options.max_cycles));
    if (state.cycle < options.trace_from) {
      throw Error("--trace-from " + std::to_string(options.trace_from) + ": the run ends in cycle " +
                  std::to_string(state.cycle) + ", before its waves begin; give an earlier cycle");
    }
    open();
    if (options.trace_to >= options.max_cycles) return;
    session.advance(state, options.trace_to + 1);
    close();
  }

  void finish() {
    if (opened_) close();
    file_.commit();
  }

 private:
  void close() {
    std::string why = "the file is not whole";
    bool whole = false;
    opened_ = false;
    try {
      engine_.wave_close();
      whole = !fst_ || (fst_is_whole(file_.working_path()) && fst_clear_date(file_.working_path()));
    } catch (const Error& error) {
      why = error.what();
    }
    if (!whole) {
      throw Error("cannot write trace '" + path_ + "': " + why + "; free space on that disk or write to another one");
    }
  }

  Engine& engine_;
  std::string path_;
  AtomicFile file_;
  bool fst_;
  bool opened_ = false;
};

/** One run; if the engines disagree, the trace up to there is kept. */
void run(Engine& engine, Session& session, RunState& state, std::uint64_t max_cycles, TraceWriter* trace,
         Lockstep* lockstep) {
  try {
    session.complete(state, max_cycles);
    if (lockstep != nullptr) lockstep->finish(engine, state);
  } catch (const Mismatch&) {
    if (trace != nullptr) trace->finish(state);
    throw;
  }
}

/** Names of code for --coherence: a hart's program, then what --symbols adds. */
std::vector<std::vector<SymbolTable>> coherence_symbols(const Options& options, const Engine& engine,
                                                        const Programs& programs) {
  std::vector<std::vector<SymbolTable>> symbols;
  for (SymbolTable& table : programs.symbols(engine.harts())) symbols.push_back({std::move(table)});
  for (const auto& [hart, path] : options.symbols) {
    check_hart("--symbols", hart, engine.info());
    symbols[hart].emplace_back(read_elf(path).symbols);
  }
  return symbols;
}

/** Memory, wait states and console input as at the start of a run. */
void load(const Options& options, const Programs& programs, const std::string& input, Engine& engine,
          Session& session) {
  fill_memories(engine, options.reset_seed);
  session.load(programs);
  if (options.wait_instr != 0 || options.wait_data != 0) {
    engine.set_wait_states(options.wait_instr, options.wait_data, options.seed);
  }
  if (!input.empty()) engine.console_input(input);
}

/** How far the interrupt of an edge came that has no marker; nothing if the edge never came. */
std::optional<Fate> fate_of(const RunState& state, const Injection& edge) {
  const auto is_it = [&](const InterruptStamp& stamp) {
    return stamp.raised && stamp.hart == edge.hart && stamp.line == edge.line && stamp.t0 == edge.cycle;
  };
  for (const InterruptStamp& stamp : state.stamps.interrupts()) {
    if (is_it(stamp)) return stamp.fate;
  }
  for (const ArrivalResult& one : state.stamps.table().arrivals()) {
    if (one.unmarked && is_it(*one.unmarked)) return one.unmarked->fate;
  }
  return std::nullopt;
}

/** Why a run of --budget fails; empty if it does not. */
std::string over_budget(const Options& options, const tz_engine_info& info, const RunState& state) {
  if (!state.late) return {};
  const Injection& late = *state.late;
  const std::string line = "line " + edge_name(info, late.hart, late.line);
  const std::string edge = line + ", raised in cycle " + std::to_string(late.cycle);
  if (state.over_budget) return edge + ": no marker within " + std::to_string(*options.budget) + " cycles";
  const std::string end = "the program ended in cycle " + std::to_string(state.cycle - 1);
  const std::optional<Fate> fate = fate_of(state, late);
  if (!fate) {
    return line + " was to rise in cycle " + std::to_string(late.cycle) + ", but " + end;
  }
  return edge + ": " + end + ", and " + to_words(*fate);
}

/** From here on exit codes are those of reports of the HAL and the monitor, and the simulator's own. */
constexpr int kCrashes = 64;

/** Says how the run ended and returns the process's exit code. */
int finish(const Options& options, const Engine& engine, const Programs& programs, const RunState& state) {
  const bool cycles = engine.can(TZ_CAP_CYCLES);
  std::string names;
  for (const std::string& elf : options.elfs) names += (names.empty() ? "'" : "', '") + base_name(elf);
  const Ending ending{names + "'", programs.symbols(engine.harts()), cycles, options.sweep.has_value()};
  if (state.stopped) return ending.stopped(state);
  std::string late = over_budget(options, engine.info(), state);
  if (late.empty()) late = span_over_budget(state, cycles ? "cycles" : "instructions");
  if (!late.empty()) std::fprintf(stderr, "trapeze-sim: over budget: %s\n", late.c_str());
  if (!late.empty() && (state.over_budget || state.exit_code == 0)) return kExitBudget;
  if (state.reached) {
    if (!options.quiet) ending.reached(state);
    return 0;
  }
  if (options.until) ending.not_reached(state);
  if (state.asleep) return ending.asleep(state);
  if (!state.exited) return ending.max_cycles(state, options.max_cycles);
  if (!options.quiet) ending.exited(state);
  if (!options.quiet) ending.phases(state);
  return options.until && state.exit_code == 0 ? kExitIncomplete : process_exit_code(state.exit_code);
}

}  // namespace

int run_command(const Options& options) {
  std::vector<ElfFile> files;
  for (const std::string& path : options.elfs) files.push_back(read_elf(path));
  Engine engine(options.engine, options.reset_seed, options.platform);
  check_engine(options, engine);
  const Programs programs(std::move(files), engine.info());
  if (options.budget && !options.sweep && options.injections.empty() && options.stimuli.empty()) {
    throw Error("--budget counts from the edge of a line; say which one rises when with --irq, --stimulus or --sweep");
  }
  Console console;
  Session session(engine);
  session.set_edges(options.sweep || !options.injections.empty() || !options.stimuli.empty());
  session.set_budget(options.budget);
  session.set_turn(options.turn);
  session.set_last_hart(options.last_hart);
  session.set_restarts(options.restarts, programs);
  session.set_stop([] { return stop_signal() != 0; });
  const std::string input = console_input(options);
  load(options, programs, input, engine, session);
  CoherenceReports incoherent(coherence_symbols(options, engine, programs));
  if (options.coherence) engine.watch_coherence();

  // Output files are opened before the run: a name that cannot be written is found out before an hour of simulation.
  std::unique_ptr<AtomicFile> json;
  if (!options.json.empty()) json = std::make_unique<AtomicFile>(options.json, "record");
  std::unique_ptr<TraceWriter> trace;
  std::unique_ptr<WaveTrace> wave;
  if (options.trace_kind == TraceKind::kLog) {
    trace =
        std::make_unique<LogTrace>(options.trace, programs.symbols(engine.harts()), engine.info(), options.trace_from);
  }
  if (options.trace_kind == TraceKind::kRecords) {
    trace = std::make_unique<RecordTrace>(options.trace, programs.symbols(engine.harts()), engine.info(),
                                          task_sources(options, engine, programs), options.trace_from);
  }
  if (options.trace_kind == TraceKind::kJson) {
    trace = std::make_unique<JsonTrace>(options.trace, programs.symbols(engine.harts()), engine.info(),
                                        task_sources(options, engine, programs), options.trace_from);
  }
  if (trace && options.trace_to != kNever) {
    trace = std::make_unique<TraceWindow>(std::move(trace), options.trace_to, options.trace_kind == TraceKind::kJson);
  }
  if (is_wave(options.trace_kind)) {
    wave = std::make_unique<WaveTrace>(engine, options.trace, options.trace_kind == TraceKind::kWave);
    if (options.gdb) wave->open();
  }
  std::unique_ptr<Follower> follower;
  if (!options.follow.empty()) follower = std::make_unique<Follower>(options, engine, programs, input);
  Observers observers;
  observers.add(trace.get());
  if (follower) observers.add(&follower->lockstep);
  session.set_observer(observers.get());

  std::unique_ptr<EventLog> log;
  if (!options.log.path.empty()) log = std::make_unique<EventLog>(options.log, engine.info());
  session.set_log(log.get());

  RunRecord record;
  record.config = options.config;
  record.engine = follower ? "lockstep" : engine.info().engine;
  record.elf = base_name(options.elfs.front());
  for (unsigned hart = 0; hart < engine.harts(); ++hart) {
    const ElfFile* const elf = programs.of(hart);
    record.harts.push_back({engine.hart(hart).hart_id, elf != nullptr ? base_name(elf->path) : ""});
    record.state.stamps.handlers(hart).set_monitor(elf != nullptr ? elf->monitor : Monitor::kNone);
  }
  record.signals.assign(engine.info().signals, engine.info().signals + engine.info().num_signals);
  record.state.stimulus = Stimulus(options.injections);
  for (const auto& one : options.stimuli) record.state.stimulus.add(one);
  record.state.stamps.table().keep(options.stamps_of);
  if (auto plan = plan_spans(options, engine, programs)) record.state.spans = SpanTracker(std::move(plan));
  Talk talk(options);
  ConsoleTail tail;
  const auto begin = std::chrono::steady_clock::now();
  if (options.sweep) {
    record.state.stamps.keep_markers(false);
    const RunState start = record.state;
    record.sweep = run_sweep(options, engine, session, start, record.state, record.spans);
  } else {
    // With many edges no marker is kept by itself: memory does not grow with their number.
    record.state.stamps.keep_markers(options.stimuli.empty());
    Live live(engine.can(TZ_CAP_CYCLES) ? "cycles" : "instructions");
    session.set_console([&](std::string_view bytes) {
      tail.add(bytes);
      live.make_way(bytes);
      if (!talk.write(bytes)) console.write(bytes);
    });
    talk.wait_for_peer();
    session.set_input(talk.input());
    if (!options.gdb && options.trace != "-") {  // which would be in between
      session.set_stop([&, &state = record.state] {
        live.show(state);
        incoherent.show(engine);
        return stop_signal() != 0;
      });
    }
    if (options.gdb &&
        !debug(options, engine, session, record.state, [&] { load(options, programs, input, engine, session); })) {
      return kExitKilled;
    }
    if (wave && !options.gdb) wave->run(session, record.state, options);
    run(engine, session, record.state, options.max_cycles, trace.get(), follower ? &follower->lockstep : nullptr);
    live.clear();
    talk.finish();
    session.set_stop({});
    record.spans = record.state.spans.results();
    record.state.stamps.table().finish();
  }
  if (options.speed) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "speed %llu %.6f\n", static_cast<unsigned long long>(record.state.cycle), seconds.count());
  }
  if (trace) trace->finish(record.state);
  if (log) log->finish();
  if (wave) wave->finish();
  // What was measured until a signal came counts: of a sweep the runs that were over.
  for (unsigned hart = 0; json && !record.sweep && hart < engine.harts(); ++hart) {
    record.harts[hart].causes = engine.causes(hart);
  }
  if (json) {
    json->write(to_json(record));
    json->commit();
  }
  console.finish();
  incoherent.show(engine);
  incoherent.finish();
  const int code = finish(options, engine, programs, record.state);
  if (code >= kCrashes && !record.state.stopped && !options.sweep) {
    if (!options.console_tail.empty()) std::ofstream(options.console_tail) << tail.text();
    if (!options.exit_pc.empty()) std::ofstream(options.exit_pc) << record.state.harts[record.state.exit_hart].now.pc;
    std::fputs(last_tasks(options, engine, record.state, tail, record.state.exited).c_str(), stderr);
  }
  if (incoherent.any() && !record.state.stopped) return kExitIncoherent;
  return code;
}

}  // namespace trapeze
