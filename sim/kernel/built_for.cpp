// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/built_for.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <vector>

#include "kernel/error.h"
#include "kernel/isa.h"

namespace trapeze {
namespace {

/** Number of entries to which the handler table of a CLIC with so many sources is aligned: a power of two, at least
 * 16. */
std::uint32_t table_entries(std::uint32_t sources) {
  constexpr std::uint32_t kLeast = 16;
  return std::max(kLeast, std::bit_ceil(sources));
}

void compare_isa(const Isa& built, const Isa& there, std::vector<std::string>& found) {
  if (built.embedded != there.embedded) {
    found.emplace_back(there.embedded ? "16 registers (RV32E) instead of 32" : "32 registers (RV32I) instead of 16");
  }
  for (const std::string& extension : built.extensions) {
    if (there.has(extension)) continue;
    std::string name = extension;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    found.push_back("no " + name);
  }
}

/** Compares the interrupt controllers. True if the engine's controller can do what the program was built for. */
bool compare_controllers(std::string_view built, std::string_view there, std::vector<std::string>& found) {
  const std::size_t before = found.size();
  if (built == TZ_IRQ_CLINT && there != TZ_IRQ_CLINT) {
    found.emplace_back("a CLIC instead of the CLINT's interrupts");
  } else {
    if (built != TZ_IRQ_CLINT && there == TZ_IRQ_CLINT) found.emplace_back("no CLIC");
    if (built == TZ_IRQ_FASTIRQ && there != TZ_IRQ_FASTIRQ) found.emplace_back("no fastirq");
  }
  return found.size() == before;
}

void compare_lines(const BuiltFor& built, const tz_hart_info& hart, std::vector<std::string>& found) {
  const auto instead = [&](const std::string& what, std::uint32_t there, std::uint32_t wanted) {
    found.push_back(what + std::to_string(there) + " instead of " + std::to_string(wanted));
  };
  if (hart.num_lines < built.lines) instead("interrupt lines: ", hart.num_lines, built.lines);
  if (built.lines != 0 && hart.line_id_base != built.line_base) {
    instead("line 0 as interrupt ", hart.line_id_base, built.line_base);
  }
  // More sources than the program was built for do no harm, unless the larger CLIC aligns the handler table further:
  // then it ignores low bits of the program's table address.
  if (hart.num_sources < built.sources || table_entries(hart.num_sources) > table_entries(built.sources)) {
    instead("interrupt sources: ", hart.num_sources, built.sources);
  }
}

}  // namespace

BuiltFor parse_built_for(std::string_view text) {
  std::map<std::string_view, std::string_view> values;
  text = text.substr(0, text.find('\0'));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const auto value = [&](std::string_view key) {
    const auto found = values.find(key);
    if (found == values.end() || found->second.empty()) {
      throw Error("has a damaged note .note.trapeze (no '" + std::string(key) + "'); build it again");
    }
    return found->second;
  };
  const auto number = [&](std::string_view key) -> std::uint32_t {
    const std::string_view digits = value(key);
    std::uint32_t result = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      throw Error("has a damaged note .note.trapeze ('" + std::string(key) + "' is no number); build it again");
    }
    return result;
  };
  BuiltFor built = {std::string(value("config")),
                    std::string(value("isa")),
                    std::string(value("interrupts")),
                    number("lines"),
                    number("line_base"),
                    number("sources"),
                    1,
                    std::nullopt};
  if (values.count("harts") != 0) built.harts = number("harts");
  if (values.count("main_hart") != 0) built.main_hart = number("main_hart");
  return built;
}

std::string differences(const BuiltFor& built, const tz_hart_info& hart, std::uint32_t harts) {
  std::vector<std::string> found;
  if (harts < built.harts)
    found.push_back("harts: " + std::to_string(harts) + " instead of " + std::to_string(built.harts));
  compare_isa(parse_isa(built.isa), parse_isa(hart.isa), found);
  if (compare_controllers(built.interrupts, hart.interrupts, found)) compare_lines(built, hart, found);
  std::string text;
  for (const std::string& one : found) text += (text.empty() ? "" : ", ") + one;
  return text;
}

}  // namespace trapeze
