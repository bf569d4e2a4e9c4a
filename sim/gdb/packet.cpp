// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/packet.h"

#include <charconv>

namespace trapeze::gdb {
namespace {

constexpr char kEscape = '}';
constexpr char kEscapeFlip = 0x20;
constexpr char kInterrupt = 0x03;
constexpr std::size_t kChecksumDigits = 2;
/** Every byte of a payload may be escaped. */
constexpr std::size_t kMaxFramed = 2 * kMaxPayload;

std::uint8_t checksum(std::string_view framed) {
  unsigned sum = 0;
  for (const char byte : framed) sum += static_cast<std::uint8_t>(byte);
  return static_cast<std::uint8_t>(sum);
}

std::string without_escapes(std::string_view framed) {
  std::string payload;
  payload.reserve(framed.size());
  bool escaped = false;
  for (const char byte : framed) {
    if (!escaped && byte == kEscape) {
      escaped = true;
      continue;
    }
    payload += escaped ? static_cast<char>(byte ^ kEscapeFlip) : byte;
    escaped = false;
  }
  return payload;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<std::uint8_t>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto value = parse_hex(text.substr(i, 2));
    if (!value) return std::nullopt;
    bytes += static_cast<char>(*value);
  }
  return bytes;
}

std::string to_hex_little(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return to_hex(text);
}

std::optional<std::uint64_t> from_hex_little(std::string_view text) {
  const auto bytes = from_hex(text);
  if (!bytes || bytes->empty() || bytes->size() > sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes->size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>((*bytes)[i])) << (8 * i);
  }
  return value;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string hex_number(std::uint64_t value) {
  char text[16];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, 16);
  return error == std::errc{} ? std::string(text, end) : std::string();
}

std::string frame(std::string_view payload) {
  std::string framed;
  framed.reserve(payload.size() + 4);
  for (const char byte : payload) {
    const bool special = byte == '$' || byte == '#' || byte == '*' || byte == kEscape;
    if (special) framed += kEscape;
    framed += special ? static_cast<char>(byte ^ kEscapeFlip) : byte;
  }
  const auto sum = static_cast<char>(checksum(framed));
  return "$" + framed + "#" + to_hex({&sum, 1});
}

std::optional<Input> PacketReader::next() {
  using Kind = Input::Kind;
  while (!buffer_.empty()) {
    const char first = buffer_.front();
    if (first == '$') {
      const std::size_t end = buffer_.find('#');
      if (end == std::string::npos && buffer_.size() > kMaxFramed) {
        buffer_.clear();
        return Input{Kind::kDamaged, {}};
      }
      if (end == std::string::npos || buffer_.size() - end - 1 < kChecksumDigits) return std::nullopt;
      const std::string framed = buffer_.substr(1, end - 1);
      const auto sum = parse_hex(std::string_view(buffer_).substr(end + 1, kChecksumDigits));
      buffer_.erase(0, end + 1 + kChecksumDigits);
      if (framed.size() > kMaxFramed || sum != checksum(framed)) return Input{Kind::kDamaged, {}};
      return Input{Kind::kPacket, without_escapes(framed)};
    }
    buffer_.erase(0, 1);
    if (first == '+') return Input{Kind::kAck, {}};
    if (first == '-') return Input{Kind::kNak, {}};
    if (first == kInterrupt) return Input{Kind::kInterrupt, {}};
  }
  return std::nullopt;
}

}  // namespace trapeze::gdb
