// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/elf.h"

#include <gtest/gtest.h>

#include "elf_builder.h"
#include "engine_info.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

using test::BuilderSegment;
using test::ElfBuilder;

constexpr tz_region kRegions[] = {{"imem", 0x80000000, 0x1000, 0}, {"dmem", 0x80100000, 0x1000, 0}};

/** An engine of one hart with two memories. */
class OneHart {
 public:
  explicit OneHart(const char* isa) : hart_(test::hart_info(isa)) {
    hart_.regions = kRegions;
    hart_.num_regions = 2;
  }
  operator tz_engine_info() const { return test::engine_info({&hart_, 1}); }

 private:
  tz_hart_info hart_;
};

OneHart engine(const char* isa) {
  return OneHart(isa);
}

ElfBuilder good() {
  ElfBuilder builder;
  builder.segments = {{0x80000000, {0x13, 0x13, 0x13}, 0}, {0x80100000, {1, 2}, 8}};
  builder.symbols = {{"_start", 0x80000000, 8}, {"main", 0x80000008, 4}};
  return builder;
}

/** The message of the Error that `action` throws, or an empty string. */
template <typename Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string parse_error(const ElfBuilder& builder) {
  return error_of([&] { parse_elf("x.elf", builder.build()); });
}

/** Expects one line that names the file, contains `part`, and gives a remedy after a semicolon. */
void expect_error(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find("'x.elf'"), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Elf, ReadsSegmentsAndSymbols) {
  const ElfFile elf = parse_elf("x.elf", good().build());
  ASSERT_EQ(elf.segments.size(), 2U);
  EXPECT_EQ(elf.segments[1].address, 0x80100000U);
  EXPECT_EQ(elf.segments[1].memory_size, 16U);
  EXPECT_EQ(elf.segments[1].data, (std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(elf.entry, 0x80000000U);
  const SymbolTable symbols(elf.symbols);
  EXPECT_EQ(symbols.describe(0x80000000), "_start");
  EXPECT_EQ(symbols.describe(0x80000004), "_start+0x4");
  EXPECT_EQ(symbols.describe(0x8000000a), "main+0x2");
  EXPECT_EQ(symbols.describe(0x8000000c), "");
  EXPECT_EQ(symbols.describe(0x1000), "");
  EXPECT_NO_THROW(check_elf(elf, engine("rv32imc_zicsr")));
}

TEST(Elf, InitialValuesAreWhereStartUpCodeCopiesThemFrom) {
  ElfBuilder builder = good();
  builder.segments[1].load_address = 0x80000100;
  builder.segments.push_back({0x80100010, {}, 32, 0x80000108});
  const ElfFile elf = parse_elf("x.elf", builder.build());
  ASSERT_EQ(elf.segments.size(), 3U);
  EXPECT_EQ(elf.segments[1].address, 0x80000100U);
  EXPECT_EQ(elf.segments[1].memory_size, 8U) << "the zeros behind them are not copied";
  EXPECT_EQ(elf.segments[2].address, 0x80100010U) << "zeros have no load address";
  EXPECT_EQ(elf.segments[2].memory_size, 32U);
}

/** A program of 64 bits, beyond the addresses of 32. */
ElfBuilder wide() {
  ElfBuilder builder;
  builder.elf_class = 2;
  builder.entry = 0x1'80000000;
  builder.segments = {{0x1'80000000, {0x13, 0x13, 0x13}, 0}, {0xffffffff'ffffff00, {1, 2}, 8}};
  builder.symbols = {{"_start", 0x1'80000000, 8}, {"main", 0x1'80000008, 4}};
  return builder;
}

TEST(Elf, ReadsSegmentsAndSymbolsOf64Bits) {
  const ElfFile elf = parse_elf("x.elf", wide().build());
  EXPECT_EQ(elf.xlen, 64U);
  EXPECT_EQ(elf.entry, 0x1'80000000U);
  ASSERT_EQ(elf.segments.size(), 2U);
  EXPECT_EQ(elf.segments[0].address, 0x1'80000000U);
  EXPECT_EQ(elf.segments[0].memory_size, 12U);
  EXPECT_EQ(elf.segments[1].address, 0xffffffff'ffffff00U);
  EXPECT_EQ(elf.segments[1].memory_size, 16U);
  EXPECT_EQ(elf.segments[1].data, (std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0}));
  const SymbolTable symbols(elf.symbols);
  EXPECT_EQ(symbols.describe(0x1'80000004), "_start+0x4");
  EXPECT_EQ(symbols.describe(0x1'80000008), "main");
  EXPECT_EQ(symbols.describe(0x80000004), "") << "all 64 bits of an address count";
}

TEST(Elf, WidthMustMatch) {
  const ElfFile elf = parse_elf("x.elf", wide().build());
  const std::string narrow = error_of([&] { check_elf(elf, engine("rv32imc")); });
  expect_error(narrow, "is 64-bit (EI_CLASS 2) but configuration 'mcu' has 32 bits; build it with --config mcu");
  // The memories of an RV64 hart, up to the last address of 64 bits.
  constexpr tz_region kHigh[] = {{"dram", 0x1'80000000, 0x1000, 0}, {"top", 0xffffffff'fffff000, 0x1000, 0}};
  tz_hart_info hart = test::hart_info("rv64imac");
  hart.xlen = 64;
  hart.reset_vector = 0x1'80000000;
  hart.regions = kHigh;
  hart.num_regions = 2;
  const tz_engine_info info = test::engine_info({&hart, 1});
  EXPECT_NO_THROW(check_elf(elf, info));
  expect_error(error_of([&] { check_elf(parse_elf("x.elf", good().build()), info); }), "is 32-bit (EI_CLASS 1)");
  ElfBuilder builder = wide();
  builder.segments[1].extra = 0xf8;
  EXPECT_NO_THROW(check_elf(parse_elf("x.elf", builder.build()), info));
  builder.segments[1].extra = 0xf9;
  expect_error(error_of([&] { check_elf(parse_elf("x.elf", builder.build()), info); }), "beyond the last address");
  builder.segments[1] = {0x1'80000ffc, {1}, 12};
  expect_error(error_of([&] { check_elf(parse_elf("x.elf", builder.build()), info); }),
               "12 bytes beyond memory 'dram'");
}

TEST(Elf, MissingFileAndFolder) {
  const std::string missing = error_of([] { read_elf("/nonexistent/x.elf"); });
  EXPECT_NE(missing.find("No such file"), std::string::npos);
  EXPECT_NE(missing.find("build it first"), std::string::npos);
  EXPECT_NE(error_of([] { read_elf("/tmp"); }).find("not a regular file"), std::string::npos);
}

TEST(Elf, EveryTruncationIsAnError) {
  for (const ElfBuilder& builder : {good(), wide()}) {
    const std::vector<std::uint8_t> whole = builder.build();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::vector<std::uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string message = error_of([&] { parse_elf("x.elf", part); });
      expect_error(message, size == 0 ? "empty" : "truncated");
    }
  }
}

TEST(Elf, WrongKindsOfFile) {
  expect_error(error_of([] { parse_elf("x.elf", {'#', '!', '/', 'b', 'i', 'n'}); }), "not an ELF file");
  ElfBuilder builder = good();
  builder.elf_class = 3;
  expect_error(parse_error(builder), "EI_CLASS 3");
  builder = good();
  builder.data = 2;
  expect_error(parse_error(builder), "big-endian");
  builder = good();
  builder.machine = 62;
  expect_error(parse_error(builder), "not for RISC-V (e_machine 62)");
  builder = good();
  builder.type = 1;
  expect_error(parse_error(builder), "an object file");
  builder.type = 3;
  expect_error(parse_error(builder), "position-independent");
  builder = good();
  builder.segments.clear();
  expect_error(parse_error(builder), "nothing to load");
}

TEST(Elf, DamagedHeaders) {
  std::vector<std::uint8_t> bytes = good().build();
  bytes[42] = 31;
  expect_error(error_of([&] { parse_elf("x.elf", bytes); }), "e_phentsize");
  bytes = good().build();
  bytes[46] = 39;
  expect_error(error_of([&] { parse_elf("x.elf", bytes); }), "e_shentsize");
  bytes = good().build();
  bytes[52 + 20] = 0;
  bytes[52 + 16] = 1;
  bytes[52 + 20] = 0;
  ASSERT_NO_THROW(parse_elf("x.elf", bytes));  // an empty segment is left out
  bytes[52 + 20] = 4;
  bytes[52 + 16] = 8;
  expect_error(error_of([&] { parse_elf("x.elf", bytes); }), "p_filesz");
  bytes = wide().build();
  for (std::size_t i = 32; i < 40; ++i) bytes[i] = 0xff;
  expect_error(error_of([&] { parse_elf("x.elf", bytes); }), "program header table has 112 bytes from byte 1844674");
}

TEST(Elf, SegmentsThatDoNotFit) {
  const auto check = [](std::uint32_t address, std::uint32_t extra) {
    ElfBuilder builder = good();
    builder.segments.push_back({address, {1}, extra});
    return error_of([&] { check_elf(parse_elf("x.elf", builder.build()), engine("rv32imc")); });
  };
  expect_error(check(0x90000000, 0), "no memory");
  expect_error(check(0x7ffffffc, 64), "no memory");
  expect_error(check(0x80100ffc, 12), "12 bytes beyond memory 'dmem'");
  expect_error(check(0xfffffffc, 0xffffffff - 4), "no memory");
  EXPECT_EQ(check(0x80100ffc, 0), "");
}

TEST(Elf, BaseAndExtensionsMustMatch) {
  const auto check = [](std::uint32_t flags, const char* isa) {
    ElfBuilder builder = good();
    builder.flags = flags;
    return error_of([&] { check_elf(parse_elf("x.elf", builder.build()), engine(isa)); });
  };
  expect_error(check(8, "rv32imc"), "is built for RV32E");
  expect_error(check(0, "rv32emc"), "is built for RV32I");
  expect_error(check(1, "rv32im"), "compressed");
  expect_error(check(2, "rv32imc"), "floating-point ABI");
  EXPECT_EQ(check(9, "rv32emc_zba"), "");
  EXPECT_EQ(check(3, "rv32imfc"), "");
}

TEST(Elf, EntryMustBeTheResetVector) {
  ElfBuilder builder = good();
  builder.entry = 0x80000004;
  expect_error(error_of([&] { check_elf(parse_elf("x.elf", builder.build()), engine("rv32imc")); }), "e_entry");
}

}  // namespace
}  // namespace trapeze
