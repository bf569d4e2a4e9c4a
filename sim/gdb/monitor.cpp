// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/monitor.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include "gdb/devices.h"
#include "gdb/protection.h"
#include "kernel/error.h"

namespace trapeze::gdb {
namespace {

constexpr char kHelp[] =
    "monitor cycles             cycles executed and instructions retired since reset\n"
    "monitor device             devices, and where they are\n"
    "monitor device [HART:]NAME [INDEX]\n"
    "                           registers of a device, of those that there are many of one; reading changes nothing\n"
    "monitor irq [HART:]LINE    raise a platform line until its interrupt is served\n"
    "monitor irq [HART:]LINE off  lower it\n"
    "monitor pmp [HART]         rows of memory protection: what each matches, and who may do what there\n"
    "monitor reset              start again; then: maintenance flush register-cache\n"
    "monitor catch irq|off      stop at the first instruction of every interrupt handler, or not (default)\n"
    "monitor help               this list\n";

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

std::optional<unsigned> number(const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string cycles(const Target& target) {
  const std::string instructions = std::to_string(target.state().retired) + " instructions\n";
  if (!target.has_cycles())
    return "the engine '" + std::string(target.info().engine) + "' counts no cycles; " + instructions;
  return std::to_string(target.state().cycle) + " cycles, " + instructions;
}

std::string no_hart(const Target& target, const std::string& text) {
  return "there is no hart '" + text + "'; use 0 to " + std::to_string(target.harts() - 1) + "\n";
}

std::string irq(Target& target, const std::string& text, bool off) {
  const std::size_t colon = text.find(':');
  const auto hart = colon == std::string::npos ? std::optional(0U) : number(text.substr(0, colon));
  const auto line = number(colon == std::string::npos ? text : text.substr(colon + 1));
  if (!hart || *hart >= target.harts()) return no_hart(target, text.substr(0, colon));
  const std::string whose = target.harts() > 1 ? " of hart " + std::to_string(*hart) : "";
  const std::string what = "line " + text.substr(colon == std::string::npos ? 0 : colon + 1) + whose;
  if (line && off && *line < target.info().harts[*hart].num_lines) {
    return what + (target.lower(*hart, *line) ? " is low\n" : " was low\n");
  }
  if (!line || !target.raise(*hart, *line)) {
    return "there is no interrupt line '" + text + "'; use 0 to " +
           std::to_string(target.info().harts[*hart].num_lines - 1) + "\n";
  }
  return what + " is high until its interrupt is served\n";
}

std::string pmp(Target& target, const std::string& text) {
  const auto hart = number(text);
  return hart && *hart < target.harts() ? protection(target, *hart) : no_hart(target, text);
}

}  // namespace

std::string monitor(Target& target, std::span<const Device> devices, std::string_view command) {
  const std::vector<std::string> all = words(command);
  const std::string name = all.empty() ? "help" : all[0];
  if (name == "help" && all.size() <= 1) return kHelp;
  if (name == "cycles" && all.size() == 1) return cycles(target);
  if (name == "device" && all.size() <= 3) {
    try {
      return devices_text(target, devices, {all.begin() + 1, all.end()});
    } catch (const Error& error) {  // an engine that shows none
      return std::string(error.what()) + "\n";
    }
  }
  if (name == "irq" && all.size() == 2) return irq(target, all[1], false);
  if (name == "irq" && all.size() == 3 && all[2] == "off") return irq(target, all[1], true);
  if (name == "pmp" && all.size() <= 2) return pmp(target, all.size() == 2 ? all[1] : "0");
  if (name == "catch" && all.size() == 2 && (all[1] == "irq" || all[1] == "off")) {
    target.catch_interrupts(all[1] == "irq");
    return all[1] == "irq" ? "interrupt handlers stop at their first instruction\n"
                           : "interrupt handlers run; steps run through them\n";
  }
  if (name == "reset" && all.size() == 1) {
    try {
      target.reset();
    } catch (const Error& error) {
      return std::string(error.what()) + "\n";
    }
    return "at the start\n";
  }
  return "monitor commands:\n" + std::string(kHelp);
}

}  // namespace trapeze::gdb
