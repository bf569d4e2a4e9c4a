// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <memory>
#include <tuple>

#include "kernel/engine.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

bool ends_with(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/** What can be written, by suffix. */
constexpr std::array<std::pair<const char*, TraceKind>, 5> kTraceKinds{{{"fst", TraceKind::kWave},
                                                                        {"vcd", TraceKind::kVcd},
                                                                        {"log", TraceKind::kLog},
                                                                        {"json", TraceKind::kJson},
                                                                        {"jsonl", TraceKind::kRecords}}};

/** The kind of a trace: by the suffix of its file, or `KIND:FILE`, which leaves the file in `path`. Throws Error. */
TraceKind trace_kind(std::string& path) {
  if (path.empty()) return TraceKind::kNone;
  for (const auto& [name, kind] : kTraceKinds) {
    const std::string prefix = std::string(name) + ":";
    if (path.compare(0, prefix.size(), prefix) == 0) {
      path.erase(0, prefix.size());
      if (path.empty())
        throw Error("--trace '" + prefix + "': there is no file; give one behind it, or - for the output");
      if (path == "-" && is_wave(kind)) throw Error("--trace '" + prefix + "-': waves need a file; give its name");
      return kind;
    }
  }
  for (const auto& [name, kind] : kTraceKinds) {
    if (ends_with(path, std::string(".") + name)) return kind;
  }
  throw Error(
      "--trace '" + path +
      "': the suffix says what is written; use .fst or .vcd (waves), .log (listing), .json (Perfetto) or .jsonl "
      "(records), or name it in front: log:FILE, and log:- for standard output");
}

/** CLI11's message as one line with the remedy. */
std::string one_line(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text + "; see trapeze-sim --help";
}

/** Spans, and their budgets. */
std::vector<SpanSpec> spans(const std::vector<std::tuple<std::string, std::string, std::string>>& given,
                            const std::vector<std::pair<std::string, std::string>>& budgets) {
  std::vector<SpanSpec> all;
  for (const auto& [name, from, to] : given) {
    for (const SpanSpec& other : all) {
      if (other.name == name) throw Error("--span: there are two of the name '" + name + "'; give each its own");
    }
    all.push_back({name, parse_event(from), parse_event(to), {}});
  }
  for (const auto& [name, cycles] : budgets) {
    const auto number = parse_number(cycles);
    if (!number || *number == 0) throw Error("--span-budget: '" + cycles + "' is no number above 0");
    const auto found = std::find_if(all.begin(), all.end(), [&](const SpanSpec& span) { return span.name == name; });
    if (found == all.end()) throw Error("--span-budget: there is no span '" + name + "'; give it with --span");
    found->budget = number;
  }
  return all;
}

/** What ends the run. */
std::optional<Until> until_of(const std::optional<std::pair<std::string, std::string>>& span,
                              const std::optional<std::pair<std::string, std::string>>& event,
                              const std::vector<SpanSpec>& spans) {
  if (!span && !event) return std::nullopt;
  const auto& [what, number] = span ? *span : *event;
  const std::string option = span ? "--until-span" : "--until-event";
  const auto count = parse_number(number);
  if (!count || *count == 0) throw Error(option + " " + what + ": '" + number + "' is no number above 0");
  if (event) return Until{{}, parse_event(what), *count};
  const auto is_it = [&what = what](const SpanSpec& one) { return one.name == what; };
  if (std::none_of(spans.begin(), spans.end(), is_it)) {
    throw Error(option + ": there is no span '" + what + "'; give it with --span");
  }
  return Until{what, {}, *count};
}

/** Accesses of --log-access. */
std::vector<LoggedAccess> logged(
    const std::vector<std::tuple<unsigned, std::string, std::uint64_t, std::uint64_t, std::uint64_t>>& given) {
  static constexpr std::array<std::pair<const char*, tz_watch_kind>, 4> kKinds{{{"load", TZ_WATCH_LOAD},
                                                                                {"store", TZ_WATCH_STORE},
                                                                                {"user-load", TZ_WATCH_USER_LOAD},
                                                                                {"user-store", TZ_WATCH_USER_STORE}}};
  std::vector<LoggedAccess> all;
  for (const auto& [hart, text, address, size, step] : given) {
    const auto* const kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&text = text](const auto& one) { return text == one.first; });
    if (kind == kKinds.end()) {
      throw Error("--log-access: '" + text + "' is none of load, store, user-load and user-store");
    }
    if (size == 0 || step == 0) throw Error("--log-access: a size or a step is 0; give numbers above 0");
    all.push_back({{address, size, static_cast<std::uint16_t>(kind->second), static_cast<std::uint16_t>(hart)}, step});
  }
  return all;
}

/** A word as a shell reads it. */
std::string for_shell(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789@%_-+=:,./") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/** `HART@CYCLE`. Throws Error. */
Restart parse_restart(const std::string& text) {
  Restart restart;
  const char* const end = text.data() + text.size();
  const auto hart = std::from_chars(text.data(), end, restart.hart);
  const bool at = hart.ec == std::errc() && hart.ptr != end && *hart.ptr == '@';
  const auto cycle = at ? std::from_chars(hart.ptr + 1, end, restart.cycle) : hart;
  if (!at || cycle.ec != std::errc() || cycle.ptr != end) {
    throw Error("--restart '" + text + "' is not HART@CYCLE; give two numbers, such as 1@1000000");
  }
  return restart;
}

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 0; i < argc; ++i) options.command += (i == 0 ? "" : " ") + for_shell(argv[i]);
  std::vector<std::string> irqs;
  std::vector<std::string> stimuli;
  std::string sweep;
  std::string uart;
  std::vector<std::tuple<unsigned, std::uint32_t, std::uint32_t, std::uint32_t>> tasks;
  std::vector<std::tuple<unsigned, std::string, std::uint64_t>> task_lists;
  std::vector<std::tuple<unsigned, std::uint64_t, std::uint64_t>> port;
  std::vector<std::tuple<unsigned, std::uint64_t, std::uint64_t, std::uint64_t>> task_ready;
  std::vector<std::pair<std::string, std::string>> task_stacks;
  std::vector<std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>> task_waits;
  std::vector<std::tuple<std::string, std::string, std::string>> span_texts;
  std::vector<std::pair<std::string, std::string>> span_budgets;
  std::optional<std::pair<std::string, std::string>> until_span;
  std::optional<std::pair<std::string, std::string>> until_event;
  std::vector<std::tuple<unsigned, std::string, std::uint64_t, std::uint64_t, std::uint64_t>> accesses;
  std::vector<std::string> restarts;
  std::optional<std::uint64_t> trace_from;
  std::int64_t max_cycles = 1'000'000'000;

  CLI::App app("Runs firmware on an engine and records what it measures.", "trapeze-sim");
  app.set_version_flag("--version", "trapeze-sim, engine interface " + std::to_string(TZ_ENGINE_ABI));
  app.add_option("ELF", options.elfs,
                 "Firmware: RISC-V executables; the k-th is hart k's, one alone is loaded for every hart")
      ->required()
      ->type_name("ELF");
  app.add_option("--engine", options.engine, "Engine library")->required()->type_name("LIB.so");
  app.add_option("--follow", options.follow,
                 "Engine library that follows in lockstep; the first difference ends the run")
      ->type_name("LIB.so");
  app.add_option("--config", options.config, "Configuration that the engine must be")->required()->type_name("NAME");
  app.add_option("--platform", options.platform,
                 "Description of the platform: what the model is to be, and which devices GDB can name")
      ->type_name("FILE");
  app.add_option("--irq", irqs,
                 "Raise a line, of hart 0 unless it says: [HART:]LINE@CYCLE[:level|:pulse|:pulse=N]; may be repeated")
      ->type_name("SPEC")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--stimulus", stimuli,
                 "Raise a line many times and count what that takes: [HART:]LINE:every=N, :uniform=A..B, :exp=MEAN or "
                 ":file=PATH, with ,n=COUNT ,from=CYCLE ,seed=N ,burst=COUNTxGAP ,pulse=N behind; may be repeated")
      ->type_name("SPEC")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--stamps-of", options.stamps_of,
                 "Record the edge of --stimulus that rises in this cycle as one of --irq, too")
      ->type_name("CYCLE");
  app.add_option("--sweep", sweep,
                 "Run once for each cycle FROM to TO in which the line is raised: [HART:]LINE@FROM..TO")
      ->type_name("SPEC");
  app.add_option("--sweep-part", options.sweep_part,
                 "Run these cycles of --sweep only, as one of several processes; messages name the whole")
      ->type_name("FROM TO");
  app.add_option("--max-cycles", max_cycles, "Stop after so many cycles with exit code 124 (default 1000000000)")
      ->type_name("N");
  app.add_option("--budget", options.budget,
                 "End with exit code 123 at the first interrupt whose marker has not executed N cycles after its edge")
      ->type_name("N");
  app.add_option("--trace", options.trace,
                 "Trace by suffix: .fst or .vcd waves, .log listing, .json Perfetto, .jsonl records; or KIND:FILE, and "
                 "log:-, json:-, jsonl:- for standard output")
      ->type_name("FILE");
  app.add_option("--trace-from", trace_from, "Leave out of the trace what ends before this cycle")->type_name("CYCLE");
  app.add_option("--trace-to", options.trace_to, "Leave out of the trace what comes after this cycle")
      ->type_name("CYCLE");
  app.add_option("--tasks", tasks,
                 "Tasks of a hart's kernel in FILE.json: address of the pointer to the running one, offset of the name "
                 "in it, address of the word that is not zero once tasks run; once for each hart")
      ->type_name("HART CURRENT NAME STARTED");
  app.add_option("--task-list", task_lists,
                 "A list of a hart's kernel, for --gdb: its tasks are threads; may be repeated")
      ->type_name("HART STATE ADDRESS");
  app.add_option("--port", port, "Code of a hart's kernel that switches tasks, for task:NAME; may be repeated")
      ->type_name("HART FROM TO");
  app.add_option(
         "--task-ready", task_ready,
         "How a hart's kernel keeps tasks that are ready, for task:NAME: offset in a control block of the pointer "
         "to the task's list, and where the lists of ready tasks begin and end; once for each hart")
      ->type_name("HART OFFSET FROM TO");
  app.add_option("--task-stack", task_stacks,
                 "Name the last task of a hart's kernel where a run ends badly, and say if its stack has overflowed: "
                 "offset in a control block of the pointer to the lowest word of the stack; once for each hart")
      ->type_name("HART OFFSET");
  app.add_option("--task-waits", task_waits,
                 "What tasks of a hart's kernel wait for, in FILE.json and FILE.jsonl: offset in a control block of "
                 "the pointer to the list of the awaited queue, and offsets in a queue of both lists, of a mutex's "
                 "holder and of the size of an item; once for each hart")
      ->type_name("HART EVENT SEND RECEIVE HOLDER ITEM");
  app.add_option("--span", span_texts,
                 "Measure from one event to another: edge:LINE, claim:ID, signal:NAME, pc:ADDRESS, marker:N, "
                 "store:ADDRESS[+SIZE][=VALUE], load:ADDRESS[+SIZE], task:NAME, with H: behind the colon for hart H; "
                 "may be repeated")
      ->type_name("NAME FROM TO");
  app.add_option("--span-budget", span_budgets, "End with exit code 123 when this span takes more than N cycles")
      ->type_name("NAME N");
  CLI::Option* const ends =
      app.add_option("--until-span", until_span, "End the run when this span ends the Nth time")->type_name("NAME N");
  app.add_option("--until-event", until_event, "End the run when this event, as of --span, comes the Nth time")
      ->type_name("EVENT N")
      ->excludes(ends);
  app.add_option("--log", options.log.path,
                 "Write down interrupts and what the next two options choose, see event_log.h")
      ->type_name("FILE");
  app.add_option("--log-access", accesses,
                 "Accesses of a hart: load, store, user-load or user-store, at a multiple of STEP from ADDRESS on; may "
                 "be repeated")
      ->type_name("HART KIND ADDRESS SIZE STEP");
  app.add_option("--log-user", options.log.user, "When this hart enters and leaves user mode")->type_name("HART");
  app.add_option("--console-tail", options.console_tail,
                 "Where a program ends with code 64 or more, write the last bytes of its console there, too")
      ->type_name("FILE");
  app.add_option("--exit-pc", options.exit_pc, "In the same case write the address of its last instruction there")
      ->type_name("FILE");
  app.add_option("--json", options.json, "Record of the run, schema trapeze.run/1")->type_name("FILE");
  app.add_option("--wait-instr", options.wait_instr, "Stalls on the fetch port: chance in 1/256 for each cycle")
      ->type_name("P")
      ->check(CLI::Range(0, 255));
  app.add_option("--wait-data", options.wait_data, "The same on the data port")
      ->type_name("P")
      ->check(CLI::Range(0, 255));
  app.add_option("--seed", options.seed, "Seed of the stalls (default 0)")->type_name("N");
  app.add_option("--reset-seed", options.reset_seed,
                 "Registers without reset and memory without a program start with values from this seed (default 0: "
                 "zeros)")
      ->type_name("N");
  app.add_option(
         "--uart-in", options.uart_in,
         "Bytes for the console input; - is standard input: of a terminal what is typed during the run, else all "
         "of it at the start")
      ->type_name("FILE");
  app.add_option("--uart", uart, "pty: the console is a pseudo-terminal, whose name is printed")
      ->type_name("KIND")
      ->check(CLI::IsMember({"pty"}))
      ->excludes("--uart-in");
  app.add_flag("--keys", options.keys, "The console receives what is typed; Ctrl-A x ends the run")
      ->excludes("--uart-in")
      ->excludes("--uart");
  app.add_option("--gdb", options.gdb, "Wait for GDB on this port of localhost; 0: a free one")
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535));
  app.add_option("--turn", options.turn,
                 "Instructions that each of several harts executes in turn, in an engine without cycles (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--last-hart", options.last_hart,
                 "The run ends when this hart's program does, whatever other harts do")
      ->type_name("HART");
  app.add_option("--restart", restarts,
                 "Reset this hart in this cycle and load its program anew, as a watchdog does; may be repeated")
      ->type_name("HART@CYCLE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag(
      "--coherence", options.coherence,
      "Take the harts' caches as not coherent, and report accesses that lack cache maintenance; exit code 126");
  app.add_option("--symbols", options.symbols, "An ELF file with more symbols of a hart, for --coherence")
      ->type_name("HART FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--quiet", options.quiet, "No summary");
  app.add_flag("--progress", options.progress, "Lines 'progress DONE TOTAL' on stderr during a sweep");
  app.add_flag("--speed", options.speed, "A line 'speed CYCLES SECONDS' on stderr: simulated cycles, host time");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return std::nullopt;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << "\n";
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw Error(one_line(error));
  }

  if (max_cycles <= 0)
    throw Error("--max-cycles " + std::to_string(max_cycles) + " is no limit; give a number above 0");
  options.max_cycles = static_cast<std::uint64_t>(max_cycles);
  options.trace_kind = trace_kind(options.trace);
  const bool bounded = trace_from.has_value() || options.trace_to != kNever;
  if (bounded && options.trace_kind == TraceKind::kNone) {
    throw Error(std::string(trace_from ? "--trace-from" : "--trace-to") + " bounds a trace; give one with --trace");
  }
  if (bounded && is_wave(options.trace_kind) && options.gdb) {
    throw Error("--gdb stops where you say: its waves are of the whole run; leave out --trace-from and --trace-to");
  }
  if (trace_from && *trace_from > options.trace_to) {
    throw Error("--trace-from " + std::to_string(*trace_from) + " is behind --trace-to " +
                std::to_string(options.trace_to) + "; give the smaller one first");
  }
  options.trace_from = trace_from.value_or(0);
  for (const auto& [hart, current, name, started] : tasks) options.tasks.push_back({hart, current, name, started});
  for (const auto& [hart, state, address] : task_lists) options.task_lists.push_back({hart, state, address});
  for (const std::string& text : restarts) options.restarts.push_back(parse_restart(text));
  std::stable_sort(options.restarts.begin(), options.restarts.end(),
                   [](const Restart& one, const Restart& other) { return one.cycle < other.cycle; });
  for (const auto& [hart, from, to] : port) options.port.push_back({hart, {from, to}});
  for (const auto& [hart, list, from, to] : task_ready) options.task_ready.push_back({hart, list, {from, to}});
  for (const auto& [hart, event, send, receive, holder, item] : task_waits) {
    options.task_waits.push_back({hart, {event, send, receive, holder, item}});
  }
  for (const auto& [hart, offset] : task_stacks) {
    const auto number = parse_number(hart);
    const auto bytes = parse_number(offset);
    if (!number || !bytes) throw Error("--task-stack " + hart + " " + offset + ": is no pair of numbers");
    options.task_stacks.push_back({static_cast<unsigned>(*number), *bytes});
  }
  options.spans = spans(span_texts, span_budgets);
  options.log.accesses = logged(accesses);
  if (!options.log.path.empty() && (!options.spans.empty() || !sweep.empty() || options.gdb)) {
    throw Error("--log is of one run without --span, --sweep and --gdb; leave them out");
  }
  options.until = until_of(until_span, until_event, options.spans);
  for (const std::string& irq : irqs) options.injections.push_back(parse_injection(irq));
  for (const std::string& stimulus : stimuli) {
    options.stimuli.push_back(std::make_shared<const ArrivalSpec>(parse_arrivals(stimulus)));
  }
  if (!stimuli.empty() && !sweep.empty()) {
    throw Error("--stimulus raises lines in one run, and --sweep makes many; use one of them");
  }
  if (!sweep.empty()) {
    options.sweep = parse_sweep(sweep);
    const auto [first, last] = options.sweep_part.value_or(std::pair(options.sweep->from, options.sweep->to));
    if (first < options.sweep->from || last < first || options.sweep->to < last) {
      throw Error("--sweep-part " + std::to_string(first) + " " + std::to_string(last) + ": is no part of --sweep " +
                  sweep + "; give two cycles of it, in order");
    }
    if (options.trace_kind != TraceKind::kNone) {
      throw Error("--trace shows one run and --sweep makes many; use --irq LINE@CYCLE for the run to trace");
    }
  }
  if (options.sweep_part && !options.sweep) throw Error("--sweep-part is of a --sweep; give one");
  if (options.gdb && options.budget) {
    throw Error("--gdb stops where you say, and --budget where an interrupt is late; use one of them");
  }
  if (options.gdb && options.until) {
    throw Error("--gdb stops where you say, and --until-span and --until-event end a run; use one of them");
  }
  if (options.gdb && !options.spans.empty()) {
    throw Error("--gdb debugs one run, and --span measures one; use one of them");
  }
  if (options.gdb && options.sweep) {
    throw Error("--gdb debugs one run and --sweep makes many; use --irq LINE@CYCLE for the run to debug");
  }
  if (options.gdb && !options.follow.empty()) {
    throw Error("--gdb stops one engine and --follow needs two; give the engine to debug alone");
  }
  if (options.coherence && (options.gdb || options.sweep || !options.follow.empty())) {
    throw Error("--coherence looks at one run of one engine; leave out --gdb, --sweep and --follow");
  }
  options.uart_pty = !uart.empty();
  options.typed = options.uart_in == kStandardInput && ::isatty(STDIN_FILENO) != 0;
  if ((options.typed || options.uart_pty || options.keys) && (options.sweep || !options.follow.empty())) {
    throw Error(std::string(options.uart_pty ? "--uart pty"
                            : options.keys   ? "--keys"
                                             : "--uart-in -") +
                ": one run of one engine has somebody to talk to, and --sweep and --follow need several; give a file "
                "with --uart-in");
  }
  if (!options.follow.empty() && options.sweep) {
    throw Error("--follow compares one run and --sweep makes many; use --irq LINE@CYCLE for the run to compare");
  }
  return options;
}

}  // namespace trapeze
