// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/request.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "kernel/error.h"
#include "kernel/field.h"
#include "kernel/input_file.h"

namespace trapeze {
namespace {

constexpr char kSchema[] = "trapeze.request/1";

/** The value of a word that is one of some. */
template <typename T, std::size_t N>
T one_of(const Field& field, const std::array<std::pair<std::string_view, T>, N>& words) {
  const auto word = field.as<std::string>();
  const auto* const found =
      std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.first == word; });
  if (found == words.end()) field.fail("'" + word + "' is not known");
  return found->second;
}

constexpr std::array<std::pair<std::string_view, TraceKind>, 5> kTraces{{{"fst", TraceKind::kWave},
                                                                         {"vcd", TraceKind::kVcd},
                                                                         {"log", TraceKind::kLog},
                                                                         {"json", TraceKind::kJson},
                                                                         {"jsonl", TraceKind::kRecords}}};

constexpr std::array<std::pair<std::string_view, tz_watch_kind>, 4> kAccesses{{{"load", TZ_WATCH_LOAD},
                                                                               {"store", TZ_WATCH_STORE},
                                                                               {"user-load", TZ_WATCH_USER_LOAD},
                                                                               {"user-store", TZ_WATCH_USER_STORE}}};

constexpr std::array<std::pair<std::string_view, Gaps>, 4> kGaps{
    {{"every", Gaps::kEvery}, {"uniform", Gaps::kUniform}, {"exp", Gaps::kExponential}, {"file", Gaps::kFile}}};

constexpr std::array<std::pair<std::string_view, EventKind>, 8> kEvents{{{"edge", EventKind::kEdge},
                                                                         {"claim", EventKind::kClaim},
                                                                         {"signal", EventKind::kSignal},
                                                                         {"pc", EventKind::kPc},
                                                                         {"marker", EventKind::kMarker},
                                                                         {"store", EventKind::kStore},
                                                                         {"load", EventKind::kLoad},
                                                                         {"task", EventKind::kTask}}};

Injection edge_of(const Field& field) {
  field.only({"hart", "line", "cycle", "pulse"});
  return {field["line"].as<unsigned>(), field["cycle"].as<std::uint64_t>(), field.as_or<std::uint64_t>("pulse", 0),
          field.as_or<unsigned>("hart", 0)};
}

std::shared_ptr<const ArrivalSpec> stream_of(const Field& field) {
  field.only(
      {"text", "hart", "line", "gaps", "least", "most", "file", "from", "n", "seed", "burst", "burst_gap", "pulse"});
  ArrivalSpec spec;
  spec.text = field["text"].as<std::string>();
  spec.hart = field.as_or<unsigned>("hart", 0);
  spec.line = field["line"].as<unsigned>();
  spec.gaps = one_of(field["gaps"], kGaps);
  if (spec.gaps == Gaps::kFile) {
    spec.cycles = read_cycles(field["file"].as<std::string>());
  } else {
    spec.least = field["least"].as<std::uint64_t>();
    spec.most = field.as_or<std::uint64_t>("most", spec.least);
    if (spec.least == 0 || spec.most < spec.least) field["least"].fail("is no number above 0, up to 'most'");
  }
  spec.from = field.as_or<std::uint64_t>("from", 0);
  spec.n = field.find_as<std::uint64_t>("n");
  spec.seed = field.as_or<std::uint64_t>("seed", spec.seed);
  spec.burst = field.as_or<std::uint64_t>("burst", 1);
  spec.burst_gap = field.as_or<std::uint64_t>("burst_gap", 0);
  spec.pulse_cycles = field.as_or<std::uint64_t>("pulse", 0);
  return std::make_shared<const ArrivalSpec>(std::move(spec));
}

SweepRange sweep_of(const Field& field) {
  field.only({"text", "hart", "line", "from", "to", "pulse", "part"});
  const SweepRange range{field["line"].as<unsigned>(),     field["from"].as<std::uint64_t>(),
                         field["to"].as<std::uint64_t>(),  field.as_or<std::uint64_t>("pulse", 0),
                         field.as_or<unsigned>("hart", 0), field["text"].as<std::string>()};
  if (range.to < range.from) field["to"].fail("is before 'from'");
  return range;
}

using Cycles = std::pair<std::uint64_t, std::uint64_t>;

Cycles part_of(const Field& field, const SweepRange& range) {
  const auto part = field.as<Cycles>();
  if (part.first < range.from || part.second < part.first || range.to < part.second) field.fail("is no part of it");
  return part;
}

TraceRequest trace_of(const Field& field) {
  field.only({"kind", "file", "from", "to"});
  return {one_of(field["kind"], kTraces), field["file"].as<std::string>(), field.as_or<std::uint64_t>("from", 0),
          field.as_or<std::uint64_t>("to", kNever)};
}

CodeRange range_of(const Field& field) {
  const auto [from, to] = field.as<Cycles>();
  return {from, to};
}

Kernel kernel_of(const Field& field) {
  field.only({"hart", "current", "name", "started", "lists", "port", "ready", "stack", "waits", "whole"});
  Kernel kernel;
  kernel.hart = field["hart"].as<unsigned>();
  kernel.current = field["current"].as<std::uint64_t>();
  kernel.name = field["name"].as<std::uint64_t>();
  kernel.started = field["started"].as<std::uint64_t>();
  kernel.whole = field.as_or<std::uint64_t>("whole", 0);
  if (const auto lists = field.find("lists")) {
    lists->each([&](const Field& one) {
      kernel.lists.push_back({one["state"].as<std::string>(), one["address"].as<std::uint64_t>()});
    });
  }
  if (const auto port = field.find("port")) {
    port->each([&](const Field& one) { kernel.port.push_back(range_of(one)); });
  }
  if (const auto ready = field.find("ready")) {
    kernel.ready = {(*ready)["list"].as<std::uint64_t>(), range_of((*ready)["lists"])};
  }
  kernel.stack = field.find_as<std::uint64_t>("stack");
  if (const auto waits = field.find("waits")) {
    const auto offset = [&](const char* key) { return (*waits)[key].as<std::uint32_t>(); };
    kernel.waits = {offset("event"), offset("send"), offset("receive"), offset("holder"), offset("item")};
  }
  return kernel;
}

Event event_of(const Field& field) {
  field.only({"kind", "hart", "number", "name", "address", "size", "value", "places"});
  Event event;
  event.kind = one_of(field["kind"], kEvents);
  event.hart = field.as_or<unsigned>("hart", 0);
  event.number = field.as_or<std::uint64_t>("number", 0);
  event.name = field.as_or<std::string>("name", "");
  event.address = field.as_or<std::uint64_t>("address", 0);
  event.size = field.as_or<std::uint64_t>("size", 1);
  event.value = field.find_as<std::uint64_t>("value");
  if (const auto places = field.find("places")) {
    places->each([&](const Field& one) { event.places.push_back(one.as<std::uint64_t>()); });
  }
  return event;
}

SpanSpec span_of(const Field& field) {
  field.only({"name", "from", "to", "budget"});
  return {field["name"].as<std::string>(), event_of(field["from"]), event_of(field["to"]),
          field.find_as<std::uint64_t>("budget")};
}

Until until_of(const Field& field, const std::vector<SpanSpec>& spans) {
  field.only({"span", "event", "count"});
  Until until;
  until.count = field["count"].as<std::uint64_t>();
  if (const auto event = field.find("event")) {
    until.event = event_of(*event);
    return until;
  }
  until.span = field["span"].as<std::string>();
  const auto is_it = [&](const SpanSpec& one) { return one.name == until.span; };
  if (std::none_of(spans.begin(), spans.end(), is_it)) field["span"].fail("is the name of none");
  return until;
}

EventLogPlan log_of(const Field& field) {
  field.only({"file", "accesses", "user"});
  EventLogPlan plan;
  plan.path = field["file"].as<std::string>();
  plan.user = field.find_as<unsigned>("user");
  field["accesses"].each([&](const Field& one) {
    one.only({"hart", "kind", "address", "size", "step"});
    plan.accesses.push_back(
        {{one["address"].as<std::uint64_t>(), one["size"].as<std::uint64_t>(),
          static_cast<std::uint16_t>(one_of(one["kind"], kAccesses)), one["hart"].as<std::uint16_t>()},
         one["step"].as<std::uint64_t>()});
    if (plan.accesses.back().watch.size == 0 || plan.accesses.back().step == 0) one.fail("has a size or step of 0");
  });
  return plan;
}

ConsoleRequest console_of(const Field& field) {
  field.only({"file", "talker"});
  static constexpr std::array<std::pair<std::string_view, Talker>, 2> kTalkers{
      {{"keys", Talker::kKeys}, {"pty", Talker::kPseudoTerminal}}};
  ConsoleRequest console;
  if (const auto talker = field.find("talker")) {
    console.talker = one_of(*talker, kTalkers);
    return console;
  }
  console.file = field["file"].as<std::string>();
  if (console.file == kStandardInput && ::isatty(STDIN_FILENO) != 0) console.talker = Talker::kTyped;
  return console;
}

JtagRequest jtag_of(const Field& field) {
  field.only({"port", "script"});
  return {field["port"].as<std::uint16_t>(), field["script"].as<std::string>()};
}

/** Appends what `read` makes of each of a list, if there is one. */
template <typename T, typename Read>
void list(const Field& top, const char* key, std::vector<T>& into, Read&& read) {
  if (const auto found = top.find(key)) found->each([&](const Field& one) { into.push_back(read(one)); });
}

Request request_of(const Field& top) {
  top.only({"schema",    "command",  "config",  "platform",   "engine",  "follow",    "programs", "edges",
            "streams",   "sweep",    "budget",  "max_cycles", "trace",   "stamps_of", "kernels",  "spans",
            "until",     "log",      "wait",    "reset_seed", "console", "gdb",       "jtag",     "turn",
            "last_hart", "restarts", "symbols", "coherence",  "halts"});
  if (top["schema"].as<std::string>() != kSchema) top["schema"].fail(std::string("is not ") + kSchema);
  Request request;
  request.command = top["command"].as<std::string>();
  request.config = top["config"].as<std::string>();
  request.platform = top.as_or<std::string>("platform", "");
  request.engine = top["engine"].as<std::string>();
  request.follow = top.as_or<std::string>("follow", "");
  request.programs = top["programs"].as<std::vector<std::string>>();
  if (request.programs.empty()) top["programs"].fail("is empty");
  list(top, "edges", request.edges, edge_of);
  list(top, "streams", request.streams, stream_of);
  request.stamps_of = top.find_as<std::uint64_t>("stamps_of");
  if (const auto sweep = top.find("sweep")) {
    request.sweep = sweep_of(*sweep);
    if (const auto part = sweep->find("part")) request.sweep_part = part_of(*part, *request.sweep);
  }
  request.max_cycles = top["max_cycles"].as<std::uint64_t>();
  request.budget = top.find_as<std::uint64_t>("budget");
  if (const auto trace = top.find("trace")) request.trace = trace_of(*trace);
  list(top, "kernels", request.kernels, kernel_of);
  list(top, "spans", request.spans, span_of);
  if (const auto until = top.find("until")) request.until = until_of(*until, request.spans);
  if (const auto log = top.find("log")) request.log = log_of(*log);
  if (const auto wait = top.find("wait")) {
    wait->only({"instr", "data", "seed"});
    request.wait_instr = (*wait)["instr"].as<unsigned>();
    request.wait_data = (*wait)["data"].as<unsigned>();
    request.seed = (*wait)["seed"].as<std::uint32_t>();
  }
  request.reset_seed = top.as_or<std::uint32_t>("reset_seed", 0);
  if (const auto console = top.find("console")) request.console = console_of(*console);
  request.gdb = top.find_as<std::uint16_t>("gdb");
  request.halts = top.find_as<std::uint64_t>("halts");
  if (const auto jtag = top.find("jtag")) request.jtag = jtag_of(*jtag);
  request.turn = top.as_or<std::uint64_t>("turn", 1);
  request.last_hart = top.find_as<unsigned>("last_hart");
  list(top, "restarts", request.restarts, [](const Field& one) {
    one.only({"hart", "cycle"});
    return Restart{one["hart"].as<unsigned>(), one["cycle"].as<std::uint64_t>()};
  });
  std::stable_sort(request.restarts.begin(), request.restarts.end(),
                   [](const Restart& one, const Restart& other) { return one.cycle < other.cycle; });
  request.coherence = top.as_or<bool>("coherence", false);
  list(top, "symbols", request.symbols, [](const Field& one) {
    one.only({"hart", "file"});
    return std::pair(one["hart"].as<unsigned>(), one["file"].as<std::string>());
  });
  return request;
}

}  // namespace

Request read_request(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_input(path, "request", "the laboratory writes it; see sim/README.md");
  const nlohmann::json whole = nlohmann::json::parse(bytes, nullptr, false);
  const Field top(whole, "request '" + path + "'");
  try {
    if (whole.is_discarded()) top.fail("is no JSON");
    return request_of(top);
  } catch (const Error&) {  // of a file that it names
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(error.what() + std::string("; its form is in sim/app/request.schema.json"));
  }
}

}  // namespace trapeze
