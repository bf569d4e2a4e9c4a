// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/devices.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "gdb/packet.h"
#include "gdb/text.h"
#include "kernel/error.h"
#include "kernel/number.h"

namespace trapeze::gdb {
namespace {

using devices::Field;
using devices::Register;

/** Registers of an array that are shown: of a CLIC those of all its sources in most configurations. */
constexpr unsigned kMostElements = 64;
constexpr unsigned kByteBits = 8;
constexpr unsigned kNameWidth = 24;
constexpr unsigned kValueWidth = 10;

std::string hexadecimal(std::uint64_t value, unsigned digits) {
  const std::string text = hex_number(value);
  return "0x" + std::string(digits - std::min<std::size_t>(digits, text.size()), '0') + text;
}

/** A device as one hart sees it. */
class View {
 public:
  View(Target& target, const Device& device, unsigned hart) : target_(target), device_(device), hart_(hart) {}

  /** Whether the bus answers there: a configuration need not have all devices of its map. */
  bool there() const {
    if (std::find(device_.harts.begin(), device_.harts.end(), hart_) == device_.harts.end()) return false;
    const auto readable = std::find_if(device_.registers.begin(), device_.registers.end(),
                                       [](const Register& one) { return one.readable; });
    return readable != device_.registers.end() ? value(*readable, 0).has_value()
                                               : target_.read_bus(hart_, device_.base, 4).has_value();
  }

  /** A line for each register, but for those that others replace now. */
  std::string registers() const {
    std::string text;
    for (const Register& one : device_.registers) text += replaced(one) ? "" : elements(one);
    return text;
  }

  /** The registers of this index, where there are many of a kind. */
  std::string registers(std::uint64_t index) const {
    std::string text;
    for (const Register& one : device_.registers) {
      if (one.count > 1) text += element(one, index, true);
    }
    return text;
  }

 private:
  std::optional<std::uint32_t> value(const Register& one, std::uint64_t index) const {
    const auto bytes = target_.read_bus(hart_, device_.base + one.offset + index * one.stride, one.width / kByteBits);
    if (!bytes) return std::nullopt;
    std::uint32_t result = 0;
    for (std::size_t i = bytes->size(); i > 0; --i) {
      result = result << kByteBits | static_cast<std::uint8_t>((*bytes)[i - 1]);
    }
    return result;
  }

  /** Whether the field of this name is set. */
  bool is_set(std::string_view mode) const {
    for (const Register& one : device_.registers) {
      for (const Field& field : one.fields) {
        if (field.name == mode && one.mode.empty()) return (value(one, 0).value_or(0) >> field.low & 1U) != 0;
      }
    }
    return false;
  }

  /** Whether a register is not there, as the mode of the device is now. */
  bool replaced(const Register& one) const {
    if (!one.mode.empty()) return !is_set(one.mode);
    return std::any_of(device_.registers.begin(), device_.registers.end(), [&](const Register& other) {
      return !other.mode.empty() && other.offset == one.offset && is_set(other.mode);
    });
  }

  /** What the fields of a value are, if that is not the value itself. */
  static std::string fields(const Register& one, std::uint32_t all) {
    std::string text;
    for (const Field& field : one.fields) {
      if (field.width >= one.width) continue;
      const std::uint32_t part = all >> field.low & ((std::uint32_t{1} << field.width) - 1);
      text += (text.empty() ? "  " : ", ") + std::string(field.name) + " " +
              (part < 10 ? std::to_string(part) : hexadecimal(part, 1));
      for (const devices::Value& named : field.values) {
        if (named.value == part) text += " (" + std::string(named.name) + ")";
      }
    }
    return text;
  }

  /** A line, or nothing for an element that reads as zero and is not to be shown then. */
  std::string element(const Register& one, std::uint64_t index, bool zeros) const {
    if (index >= one.count) return {};
    std::string name(one.name);
    if (one.count > 1) name += "[" + std::to_string(index) + "]";
    const std::string begin = "  " + hexadecimal(one.offset + index * one.stride, 4) + "  " + padded(name, kNameWidth);
    if (!one.readable) return begin + "write only\n";
    const auto now = value(one, index);
    if (!now) return begin + "bus error\n";
    if (*now == 0 && !zeros) return {};
    const std::string parts = fields(one, *now);
    const std::string all = hexadecimal(*now, one.width / 4);
    return begin + (parts.empty() ? all : padded(all, kValueWidth) + parts) + "\n";
  }

  std::string elements(const Register& one) const {
    if (one.count == 1) return element(one, 0, true);
    const unsigned shown = std::min(one.count, kMostElements);
    std::string text;
    for (unsigned index = 0; index < shown; ++index) text += element(one, index, false);
    text += "  " + hexadecimal(one.offset, 4) + "  " + std::string(one.name) + "[0] to [" + std::to_string(shown - 1) +
            "]: " + (text.empty() ? "all" : "all others") + " are zero";
    if (shown < one.count) text += "; give an index for those up to [" + std::to_string(one.count - 1) + "]";
    return text + "\n";
  }

  Target& target_;
  const Device& device_;
  unsigned hart_;
};

/** The lowest hart that sees a device. */
std::optional<unsigned> first_hart(Target& target, const Device& device) {
  for (unsigned hart = 0; hart < target.harts(); ++hart) {
    if (View(target, device, hart).there()) return hart;
  }
  return std::nullopt;
}

std::string list(Target& target, std::span<const Device> all) {
  std::string text;
  for (const Device& device : all) {
    if (!first_hart(target, device)) continue;
    text += padded(device.name, kNameWidth) + hexadecimal(device.base, 8) + "  " + device.title;
    if (target.harts() > 1 && device.harts.size() == 1) text += ", of hart " + std::to_string(device.harts[0]);
    if (device.harts.size() > 1 && device.own) text += ", each hart its own";
    text += "\n";
  }
  return text;
}

std::string no_device(Target& target, std::span<const Device> all, const std::string& name) {
  std::string names;
  for (const Device& device : all) {
    if (first_hart(target, device)) names += (names.empty() ? "" : ", ") + device.name;
  }
  return "there is no device '" + name + "'; use one of " + names + "\n";
}

/** The registers of a block of regs/; none: it is a memory. */
std::span<const Register> registers_of(const nlohmann::json& region) {
  const std::string name = region.value("block", "");
  for (const devices::Block& block : devices::kBlocks) {
    if (block.name == name) return block.registers;
  }
  return {};
}

}  // namespace

std::vector<Device> read_devices(const std::string& platform) {
  std::vector<Device> all;
  try {
    std::ifstream file(platform);
    const auto whole = nlohmann::json::parse(file);
    for (const auto& region : whole.at("regions")) {
      if (region.at("kind") != "device") continue;
      Device device{region.at("name"), region.at("base"),  region.at("size"),   region.at("harts"),
                    region.at("own"),  region.at("title"), registers_of(region)};
      if (!region.contains("parts")) all.push_back(device);
      for (const auto& part : region.value("parts", nlohmann::json::array())) {
        Device one = device;
        one.name += "." + part.at("name").get<std::string>();
        one.base = part.at("base");
        one.size = part.at("size");
        one.title = part.at("title");
        one.registers = registers_of(part);
        all.push_back(one);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error("--platform '" + platform + "': does not describe a platform (" + error.what() + ")");
  }
  return all;
}

std::string devices_text(Target& target, std::span<const Device> all, const std::vector<std::string>& words) {
  if (all.empty()) return "the devices are unknown; start the simulator with --platform FILE\n";
  if (words.empty()) return list(target, all);

  const std::size_t colon = words[0].find(':');
  const std::string name = colon == std::string::npos ? words[0] : words[0].substr(colon + 1);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Device& device) { return device.name == name; });
  if (found == all.end()) return no_device(target, all, name);
  std::optional<std::uint64_t> hart = first_hart(target, *found);
  if (colon != std::string::npos) hart = parse_number(words[0].substr(0, colon));
  if (colon != std::string::npos && (!hart || *hart >= target.harts())) {
    return "there is no hart '" + words[0].substr(0, colon) + "'; use 0 to " + std::to_string(target.harts() - 1) +
           "\n";
  }
  if (!hart || !View(target, *found, static_cast<unsigned>(*hart)).there()) return no_device(target, all, words[0]);
  const View view(target, *found, static_cast<unsigned>(*hart));
  const std::string head = name + " at " + hexadecimal(found->base, 8) + ": " + found->title + "\n";
  if (found->registers.empty()) return head + "  memory; look at it with x\n";
  if (words.size() == 1) return head + view.registers();

  unsigned most = 0;
  for (const Register& one : found->registers) most = std::max(most, one.count);
  const std::uint64_t index = parse_number(words[1]).value_or(most);
  if (most == 1) return "no register of '" + name + "' has an index\n";
  if (index < most) return head + view.registers(index);
  return "there is no register [" + words[1] + "] of '" + name + "'; use 0 to " + std::to_string(most - 1) + "\n";
}

}  // namespace trapeze::gdb
