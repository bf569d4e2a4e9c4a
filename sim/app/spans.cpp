// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/spans.h"

#include <algorithm>
#include <utility>

namespace trapeze {

std::vector<TaskSource> task_sources(const Request& request, Engine& engine, const Programs& programs) {
  std::vector<TaskSource> sources(engine.harts());
  for (const Kernel& kernel : request.kernels) {
    TaskSource& source = sources[kernel.hart];
    source.current = kernel.current;
    source.name = kernel.name;
    source.started = kernel.started;
    source.read = [&engine, hart = kernel.hart](std::uint64_t address, void* data, std::size_t size) {
      engine.read_memory(hart, address, data, size);
    };
    if (!kernel.waits) continue;
    source.waits = *kernel.waits;
    if (const ElfFile* const elf = programs.of(kernel.hart)) source.objects = elf->objects;
  }
  return sources;
}

std::shared_ptr<const SpanPlan> plan_spans(const Request& request, Engine& engine, const Programs& programs) {
  const bool names_last = std::any_of(request.kernels.begin(), request.kernels.end(),
                                      [](const Kernel& one) { return one.stack.has_value(); });
  if (request.spans.empty() && !request.until && !names_last) return nullptr;
  std::vector<TaskKernel> kernels;
  const std::vector<TaskSource> sources = task_sources(request, engine, programs);
  for (const Kernel& one : request.kernels) {
    TaskKernel kernel{
        one.hart, one.current, one.started, one.port, 0, {}, [source = sources[one.hart]](std::uint32_t task) {
          return task_name(source, task);
        }};
    if (one.ready) {
      kernel.list = one.ready->list;
      kernel.ready = one.ready->lists;
    }
    kernel.named = one.stack.has_value();
    kernels.push_back(std::move(kernel));
  }
  std::vector<StartUp> start_ups;
  for (unsigned hart = 0; hart < engine.harts(); ++hart) {
    const ElfFile* const elf = programs.of(hart);
    if (auto code = elf != nullptr ? start_up(elf->symbols, hart) : std::nullopt) start_ups.push_back(std::move(*code));
  }
  return std::make_shared<const SpanPlan>(request.spans, std::move(kernels), engine.info(), start_ups, request.until);
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
