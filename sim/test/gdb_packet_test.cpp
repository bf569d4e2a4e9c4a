// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The packet layer of the GDB server.
#include <gtest/gtest.h>

#include "gdb/packet.h"

namespace trapeze::gdb {
namespace {

using Kind = Input::Kind;

/** All packets that a stream contains. */
std::vector<Input> read(std::string_view bytes, std::size_t chunk) {
  PacketReader reader;
  std::vector<Input> inputs;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    reader.feed(bytes.substr(at, chunk));
    while (auto input = reader.next()) inputs.push_back(*input);
  }
  return inputs;
}

TEST(GdbPacket, FramesWithChecksum) {
  EXPECT_EQ(frame("OK"), "$OK#9a");
  EXPECT_EQ(frame(""), "$#00");
  EXPECT_EQ(frame("m80000000,4"), "$m80000000,4#55");
}

TEST(GdbPacket, EveryByteGoesThereAndBack) {
  std::string payload;
  for (int byte = 0; byte < 256; ++byte) payload += static_cast<char>(byte);
  const std::string framed = frame(payload);
  EXPECT_EQ(framed.find('$', 1), std::string::npos);
  EXPECT_EQ(framed.find('#'), framed.size() - 3);
  const auto inputs = read(framed, framed.size());
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].kind, Kind::kPacket);
  EXPECT_EQ(inputs[0].payload, payload);
}

TEST(GdbPacket, StreamsInAnyPieces) {
  const std::string stream = "+-$g#67noise\x03" + frame("X0,1:}") + "$bad#00+";
  for (std::size_t chunk = 1; chunk <= stream.size(); ++chunk) {
    const auto inputs = read(stream, chunk);
    ASSERT_EQ(inputs.size(), 7U) << chunk;
    const Kind kinds[] = {Kind::kAck,    Kind::kNak,     Kind::kPacket, Kind::kInterrupt,
                          Kind::kPacket, Kind::kDamaged, Kind::kAck};
    for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(inputs[i].kind, kinds[i]) << i;
    EXPECT_EQ(inputs[2].payload, "g");
    EXPECT_EQ(inputs[4].payload, "X0,1:}");
  }
}

TEST(GdbPacket, DamagedOnesAreNamed) {
  for (const std::string& bytes :
       {std::string("$g#00"), std::string("$g#zz"), "$" + std::string(3 * kMaxPayload, 'a')}) {
    const auto inputs = read(bytes, bytes.size());
    ASSERT_EQ(inputs.size(), 1U);
    EXPECT_EQ(inputs[0].kind, Kind::kDamaged);
  }
  EXPECT_TRUE(read("$never ending", 3).empty());
}

TEST(GdbPacket, Numbers) {
  EXPECT_EQ(to_hex(std::string_view("\x00\x7f\xff", 3)), "007fff");
  EXPECT_EQ(from_hex("007FfF"), std::string("\x00\x7f\xff", 3));
  EXPECT_EQ(from_hex("0"), std::nullopt);
  EXPECT_EQ(from_hex("0g"), std::nullopt);
  EXPECT_EQ(to_hex_little(0x80000001, 4), "01000080");
  EXPECT_EQ(from_hex_little("01000080"), 0x80000001U);
  EXPECT_EQ(from_hex_little(""), std::nullopt);
  EXPECT_EQ(from_hex_little("010000000000000000"), std::nullopt);
  EXPECT_EQ(parse_hex("1341"), 0x1341U);
  EXPECT_EQ(parse_hex(""), std::nullopt);
  EXPECT_EQ(parse_hex("0x1"), std::nullopt);
  EXPECT_EQ(parse_hex("12345678123456789"), std::nullopt);
  EXPECT_EQ(hex_number(0x1341), "1341");
  EXPECT_EQ(hex_number(0), "0");
}

}  // namespace
}  // namespace trapeze::gdb
