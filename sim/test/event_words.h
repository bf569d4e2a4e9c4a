// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Events as tests write them, `KIND:[HART:]NUMBER`, `signal:NAME`, `task:[HART:]NAME`, and behind the address of a
 * store or load `+SIZE` and `=VALUE`. What users write, the laboratory reads.
 */
#ifndef TRAPEZE_SIM_TEST_EVENT_WORDS_H
#define TRAPEZE_SIM_TEST_EVENT_WORDS_H

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "kernel/event.h"

namespace trapeze::test {

inline Event event(const std::string& text) {
  constexpr std::array<std::pair<const char*, EventKind>, 8> kKinds{{{"edge", EventKind::kEdge},
                                                                     {"claim", EventKind::kClaim},
                                                                     {"signal", EventKind::kSignal},
                                                                     {"pc", EventKind::kPc},
                                                                     {"marker", EventKind::kMarker},
                                                                     {"store", EventKind::kStore},
                                                                     {"load", EventKind::kLoad},
                                                                     {"task", EventKind::kTask}}};
  Event made;
  const std::size_t colon = text.find(':');
  for (const auto& [name, kind] : kKinds) {
    if (text.substr(0, colon) == name) made.kind = kind;
  }
  std::string rest = text.substr(colon + 1);
  if (const std::size_t hart = rest.find(':'); made.kind != EventKind::kSignal && hart != std::string::npos) {
    made.hart = static_cast<unsigned>(std::stoul(rest));
    rest.erase(0, hart + 1);
  }
  made.name = rest;
  if (made.kind == EventKind::kSignal || made.kind == EventKind::kTask) return made;
  made.name.clear();
  const bool by_number =
      made.kind == EventKind::kEdge || made.kind == EventKind::kClaim || made.kind == EventKind::kMarker;
  (by_number ? made.number : made.address) = std::stoull(rest, nullptr, 0);
  if (const std::size_t at = rest.find('+'); at != std::string::npos)
    made.size = std::stoull(rest.substr(at + 1), nullptr, 0);
  if (const std::size_t at = rest.find('='); at != std::string::npos)
    made.value = std::stoull(rest.substr(at + 1), nullptr, 0);
  return made;
}

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_EVENT_WORDS_H
