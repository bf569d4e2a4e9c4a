// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The console of a run with several UARTs.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "model/platform/console.h"

namespace trapeze::model {
namespace {

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string taken(Console& console) {
  const std::string text(console.output().begin(), console.output().end());
  console.output().clear();
  return text;
}

TEST(ModelConsole, OtherHartsWriteWholeLines) {
  Console console;
  console.write_line(1, bytes("a"));
  EXPECT_EQ(taken(console), "");
  console.write_line(1, bytes("b\nc\nd"));
  EXPECT_EQ(taken(console), "[hart 1] ab\n[hart 1] c\n");
  console.write(bytes("of hart 0"));
  console.write_line(1, bytes("\n"));
  console.write_line(2, bytes("e\n"));
  EXPECT_EQ(taken(console), "of hart 0") << "its line is not ended by another hart";
  console.write(bytes(" too\nnext"));
  EXPECT_EQ(taken(console), " too\n[hart 1] d\n[hart 2] e\nnext");
}

TEST(ModelConsole, TheRestComesAtTheEnd) {
  Console console;
  console.write(bytes("open"));
  console.write_line(1, bytes("a\nb"));
  EXPECT_EQ(taken(console), "open");
  console.finish();
  EXPECT_EQ(taken(console), "\n[hart 1] a\n[hart 1] b\n");
  console.finish();
  EXPECT_EQ(taken(console), "");
}

TEST(ModelConsole, ALineThatDoesNotEndHoldsUpNobodyForEver) {
  Console console;
  console.write(bytes("# "));
  const std::string line(1000, 'x');
  for (int i = 0; i < 5; ++i) console.write_line(1, bytes(line + "\n"));
  EXPECT_EQ(taken(console).substr(0, 13), "# \n[hart 1] x");
}

}  // namespace
}  // namespace trapeze::model
