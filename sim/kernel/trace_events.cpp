// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/trace_events.h"

#include <nlohmann/json.hpp>

namespace trapeze {
namespace {

std::string head(const char* phase, Track track) {
  return std::string("{\"ph\":\"") + phase + "\",\"pid\":" + std::to_string(track.process) +
         ",\"tid\":" + std::to_string(track.thread);
}

std::string tail(const std::string& name, const std::string& arguments) {
  return ",\"name\":" + json_string(name) + (arguments.empty() ? "" : ",\"args\":{" + arguments + "}") + "}";
}

}  // namespace

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

TraceEvents::TraceEvents(const std::string& path, const std::string& config, std::uint64_t from)
    : file_(path, "trace"), from_(from) {
  file_.write("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is 1 clock cycle\",\"config\":" +
              json_string(config) + "},\"traceEvents\":[\n");
}

void TraceEvents::raw(const std::string& object) {
  file_.write((first_ ? "" : ",\n") + object);
  first_ = false;
}

void TraceEvents::name_process(unsigned process, const std::string& name) {
  raw(head("M", {process, 0}) + tail("process_name", "\"name\":" + json_string(name)));
}

void TraceEvents::name_track(Track track, const std::string& name) {
  if (!named_.insert(track).second) return;
  raw(head("M", track) + tail("thread_name", "\"name\":" + json_string(name)));
}

void TraceEvents::slice(Track track, std::uint64_t start, std::uint64_t end, const std::string& name,
                        const std::string& arguments) {
  if (end <= start || end <= from_) return;
  raw(head("X", track) + ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(end - start) +
      tail(name, arguments));
}

void TraceEvents::instant(Track track, std::uint64_t cycle, const std::string& name, const std::string& arguments) {
  if (cycle < from_) return;
  raw(head("i", track) + ",\"s\":\"t\",\"ts\":" + std::to_string(cycle) + tail(name, arguments));
}

void TraceEvents::arrow(Arrow part, Track track, std::uint64_t cycle, std::uint64_t number) {
  if (cycle < from_) return;
  const char phase[] = {static_cast<char>(part), '\0'};
  raw(head(phase, track) + ",\"bp\":\"e\",\"cat\":\"post\",\"id\":" + std::to_string(number) +
      ",\"ts\":" + std::to_string(cycle) + tail("post", {}));
}

void TraceEvents::finish() {
  file_.write("\n]}\n");
  file_.commit();
}

}  // namespace trapeze
