// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The packet layer of GDB's remote serial protocol: framing, checksums, escapes, hexadecimal.
 *
 * Source: Debugging with GDB (13), appendix E, "Overview" and "Packet acknowledgment".
 */
#ifndef TRAPEZE_SIM_GDB_PACKET_H
#define TRAPEZE_SIM_GDB_PACKET_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trapeze::gdb {

/** Longest payload taken or sent, in bytes; told to GDB as PacketSize. */
constexpr std::size_t kMaxPayload = 0x4000;

/** Two lower-case digits for each byte. */
std::string to_hex(std::string_view bytes);

/** The reverse; nothing if the text is not whole pairs of digits. */
std::optional<std::string> from_hex(std::string_view text);

/** `bytes` bytes of a value, low byte first, as registers are sent. */
std::string to_hex_little(std::uint64_t value, unsigned bytes);

/** The reverse, for 1 to 8 bytes. */
std::optional<std::uint64_t> from_hex_little(std::string_view text);

/** A number as in commands: hexadecimal, high digit first, filling all of `text`. */
std::optional<std::uint64_t> parse_hex(std::string_view text);

/** A number in hexadecimal without leading zeros. */
std::string hex_number(std::uint64_t value);

/** Payload to `$payload#checksum`, with escapes. */
std::string frame(std::string_view payload);

/** What came from GDB. */
struct Input {
  enum class Kind : std::uint8_t {
    kPacket,     ///< a packet with the right checksum
    kDamaged,    ///< one with a wrong checksum, or too long
    kAck,        ///< +
    kNak,        ///< -
    kInterrupt,  ///< Ctrl-C
  };
  Kind kind = Kind::kPacket;
  std::string payload;  ///< payload of a packet, without escapes
};

/** Cuts a stream of bytes into inputs. */
class PacketReader {
 public:
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  /** The next whole input; nothing: more bytes are needed. Bytes between packets that mean nothing are dropped. */
  std::optional<Input> next();

 private:
  std::string buffer_;
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_PACKET_H
