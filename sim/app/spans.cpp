// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/spans.h"

#include <algorithm>
#include <utility>

#include "kernel/error.h"

namespace trapeze {

std::vector<TaskSource> task_sources(const Options& options, Engine& engine, const Programs& programs) {
  std::vector<TaskSource> sources(engine.harts());
  for (const TaskAddresses& at : options.tasks) {
    sources[at.hart] = {at.current,
                        at.name,
                        at.started,
                        [&engine, hart = at.hart](std::uint64_t address, void* data, std::size_t size) {
                          engine.read_memory(hart, address, data, size);
                        },
                        {},
                        {}};
  }
  for (const TaskWaits& one : options.task_waits) {
    if (one.hart >= sources.size()) continue;
    sources[one.hart].waits = one.places;
    if (const ElfFile* const elf = programs.of(one.hart)) sources[one.hart].objects = elf->objects;
  }
  return sources;
}

std::shared_ptr<const SpanPlan> plan_spans(const Options& options, Engine& engine, const Programs& programs) {
  if (options.spans.empty() && !options.until && options.task_stacks.empty()) return nullptr;
  const bool no_edges = !options.sweep && options.injections.empty() && options.stimuli.empty();
  std::vector<TaskKernel> kernels;
  const std::vector<TaskSource> sources = task_sources(options, engine, programs);
  for (const TaskAddresses& at : options.tasks) {
    TaskKernel kernel{at.hart, at.current, at.started, {}, 0, {}, [source = sources[at.hart]](std::uint32_t task) {
                        return task_name(source, task);
                      }};
    for (const PortCode& port : options.port) {
      if (port.hart == at.hart) kernel.port.push_back(port.range);
    }
    for (const TaskReady& ready : options.task_ready) {
      if (ready.hart != at.hart) continue;
      kernel.list = ready.list;
      kernel.ready = ready.lists;
    }
    kernel.named = std::any_of(options.task_stacks.begin(), options.task_stacks.end(),
                               [&](const TaskStack& one) { return one.hart == at.hart; });
    kernels.push_back(std::move(kernel));
  }
  for (const SpanSpec& span : options.spans) {
    if (no_edges && (span.from.kind == EventKind::kEdge || span.to.kind == EventKind::kEdge)) {
      throw Error("--span " + span.name + ": no line rises; say which one and when with --irq, --stimulus or --sweep");
    }
  }
  if (no_edges && options.until && options.until->event && options.until->event->kind == EventKind::kEdge) {
    throw Error("--until: no line rises; say which one and when with --irq, --stimulus or --sweep");
  }
  std::vector<StartUp> start_ups;
  for (unsigned hart = 0; hart < engine.harts(); ++hart) {
    const ElfFile* const elf = programs.of(hart);
    if (auto code = elf != nullptr ? start_up(elf->symbols, hart) : std::nullopt) start_ups.push_back(std::move(*code));
  }
  return std::make_shared<const SpanPlan>(options.spans, std::move(kernels), engine.info(), start_ups, options.until);
}

std::string span_over_budget(const RunState& state, const char* unit) {
  const std::optional<std::size_t> late = state.spans.empty() ? std::nullopt : state.spans.late();
  if (!late) return {};
  const SpanSpec& span = state.spans.plan().spans()[*late];
  const std::string said = "span '" + span.name + "', which may take " + std::to_string(*span.budget) + " " + unit;
  const std::uint64_t since = *state.spans.late_since();
  if (const std::optional<std::uint64_t> until = state.spans.late_until()) {
    return said + ", took " + std::to_string(*until - since) + ", from " + std::to_string(since) + " to " +
           std::to_string(*until);
  }
  return said + ", began in " + std::to_string(since) + " and did not end";
}

}  // namespace trapeze
