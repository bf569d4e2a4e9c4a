// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/event.h"

#include <array>
#include <charconv>
#include <utility>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::uint64_t kMostHarts = 4096;
constexpr std::uint64_t kMostMarkers = 2047;  // largest operand of `slti`

constexpr std::array<std::pair<std::string_view, EventKind>, 8> kKinds = {{
    {"edge", EventKind::kEdge},
    {"claim", EventKind::kClaim},
    {"signal", EventKind::kSignal},
    {"pc", EventKind::kPc},
    {"marker", EventKind::kMarker},
    {"store", EventKind::kStore},
    {"load", EventKind::kLoad},
    {"task", EventKind::kTask},
}};

/** Takes `H:` off the front of `text` and returns H; 0 if `text` has no such prefix. */
unsigned take_hart(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return 0;
  const auto hart = parse_number(text.substr(0, colon));
  if (!hart || *hart >= kMostHarts) return 0;
  text.remove_prefix(colon + 1);
  return static_cast<unsigned>(*hart);
}

/** Takes the separator and the number behind it off the end of `text`. False if something else than a number stands
 * there. */
bool take_last(std::string_view& text, char separator, std::optional<std::uint64_t>& number) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return true;
  number = parse_number(text.substr(at + 1));
  text = text.substr(0, at);
  return number.has_value();
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

Event parse_event(std::string_view text) {
  const auto fail = [text](const std::string& why) { throw Error("event '" + std::string(text) + "': " + why); };
  const std::size_t colon = text.find(':');
  Event event;
  bool known = false;
  for (const auto& [name, kind] : kKinds) {
    if (text.substr(0, colon) != name) continue;
    event.kind = kind;
    known = true;
  }
  if (!known || colon == std::string_view::npos) {
    fail(
        "there is no such kind; use edge:LINE, claim:ID, signal:NAME, pc:ADDRESS, marker:N, store:ADDRESS, "
        "load:ADDRESS or task:NAME");
  }
  std::string_view rest = text.substr(colon + 1);
  if (event.kind == EventKind::kSignal) {
    event.name = rest;
    return event;
  }
  event.hart = take_hart(rest);
  switch (event.kind) {
    case EventKind::kTask:
      event.name = rest;
      if (rest.empty()) fail("there is no name");
      return event;
    case EventKind::kStore:
      if (!take_last(rest, '=', event.value)) fail("behind '=' there is no number");
      [[fallthrough]];
    case EventKind::kLoad: {
      std::optional<std::uint64_t> size;
      if (!take_last(rest, '+', size) || (size && *size == 0)) fail("behind '+' there is no number of bytes");
      event.size = size.value_or(1);
      [[fallthrough]];
    }
    case EventKind::kPc: {
      const auto address = parse_number(rest);
      if (!address) fail("'" + std::string(rest) + "' is no address");
      event.address = address.value_or(0);
      return event;
    }
    default:
      break;
  }
  const auto number = parse_number(rest);
  if (!number) fail("'" + std::string(rest) + "' is no number");
  event.number = number.value_or(0);
  if (event.kind == EventKind::kMarker && (event.number == 0 || event.number > kMostMarkers)) {
    fail("markers are 1 to " + std::to_string(kMostMarkers));
  }
  return event;
}

}  // namespace trapeze
