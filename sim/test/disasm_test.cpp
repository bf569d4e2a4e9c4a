// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The disassembler against GNU objdump: every compressed encoding, random words of every opcode, and random words of
// every instruction in regs/isa/instructions.yaml; for RV32 and for RV64.
#include "kernel/disasm.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <trapeze/instructions.hpp>
#include <vector>

#include "elf_builder.h"
#include "process.h"

namespace trapeze {
namespace {

constexpr const char* kPrefix = "riscv64-unknown-elf-";
constexpr const char* kExtensions = "_zicsr_zifencei_zba_zbb_zbs_zicbom";
constexpr InstructionSet kRv32{32}, kRv64{64};

struct Expected {
  std::uint64_t address;
  std::string text;
};

/** Output of objdump for `words`, without comments and symbols. Fails the test if the tools are missing. RV64 has F and
 * D, too. */
std::vector<Expected> objdump(const std::vector<std::uint32_t>& words, unsigned size, unsigned xlen) {
  const std::string march = (xlen == 64 ? "rv64imafdc" : "rv32imac") + std::string(kExtensions);
  const test::TempDir dir;
  {
    std::ofstream source(dir / "t.s");
    char line[48];
    for (const std::uint32_t word : words) {
      std::snprintf(line, sizeof line, ".insn %u, 0x%x\n", size, word);
      source << line;
    }
  }
  const auto assembled = test::run_process({std::string(kPrefix) + "as", "-march=" + march,
                                            xlen == 64 ? "-mabi=lp64" : "-mabi=ilp32", dir / "t.s", "-o", dir / "t.o"});
  EXPECT_EQ(assembled.code, 0) << "install binutils-riscv64-unknown-elf\n" << assembled.err;
  const auto listed = test::run_process({std::string(kPrefix) + "objdump", "-d", dir / "t.o"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  std::vector<Expected> result;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    // "   4:\t00c58533          \tadd\ta0,a1,a2 # comment"
    const std::size_t colon = line.find(":\t");
    const std::size_t tab = line.find('\t', colon == std::string::npos ? colon : colon + 2);
    if (colon == std::string::npos || tab == std::string::npos) continue;
    std::string text = line.substr(tab + 1);
    text = text.substr(0, std::min(text.find(" <"), text.find(" #")));
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    result.push_back({std::stoull(line.substr(0, colon), nullptr, 16), text});
  }
  return result;
}

/** objdump 2.40 leaves out the `i` of immediate forms: `add sp,sp,-16`. Puts it back. */
std::string canonical(const std::string& text) {
  static const std::set<std::string> kForms = {"add",   "and",   "or",   "xor",  "sll",  "srl",  "sra",  "ror",
                                               "bclr",  "bext",  "binv", "bset", "csrw", "csrs", "csrc", "csrrw",
                                               "csrrs", "csrrc", "addw", "sllw", "srlw", "sraw", "rorw"};
  const std::size_t tab = text.find('\t');
  if (tab == std::string::npos || kForms.count(text.substr(0, tab)) == 0) return text;
  const std::string last = text.substr(text.rfind(',') + 1);
  const bool immediate = last[0] == '-' || (last[0] >= '0' && last[0] <= '9');
  const std::size_t end = text[tab - 1] == 'w' && text[0] != 'c' ? tab - 1 : tab;  // addiw, but csrrwi
  return immediate ? text.substr(0, end) + "i" + text.substr(end) : text;
}

/** Compares the texts of all words and counts them. `skip` selects encodings that do not exist on our cores. */
template <typename Skip>
void compare(const std::vector<std::uint32_t>& words, unsigned size, InstructionSet set, Skip&& skip,
             std::size_t at_least) {
  const std::vector<Expected> expected = objdump(words, size, set.xlen);
  ASSERT_EQ(expected.size(), words.size());
  std::size_t compared = 0;
  std::map<std::string, int> shown;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (skip(words[i], expected[i].text)) continue;
    ++compared;
    const std::string ours = disassemble(words[i], expected[i].address, set);
    const std::string theirs = canonical(expected[i].text);
    if (ours != theirs && ++shown[theirs.substr(0, theirs.find('\t'))] <= 3) {
      ADD_FAILURE() << std::hex << words[i] << ": '" << ours << "' instead of '" << theirs << "'";
    }
  }
  EXPECT_GE(compared, at_least);
}

/** True if objdump does not know the encoding, or takes it for a shift by 32 or more, which RV32 reserves. */
bool unknown(const std::string& text, unsigned xlen) {
  static const std::regex kWideShift("^(c\\.)?(s[lr][la]|ror|b(clr|ext|inv|set))i?\t.*,0x[2-3][0-9a-f]$");
  return text[0] == '.' || (xlen == 32 && std::regex_search(text, kWideShift));
}

/** True if objdump does not know the word, or knows more of it than Trapeze has. */
bool not_ours(std::uint32_t word, const std::string& text, unsigned xlen) {
  if (unknown(text, xlen) || text.compare(0, 5, "pause") == 0) return true;
  // CSRs of extensions that Trapeze does not have keep their numbers; floating-point ones have aliases of their own.
  const bool csr = (word & 0x7f) == 0x73 && ((word >> 12) & 3) != 0;
  char number[8];
  std::snprintf(number, sizeof number, "0x%x", word >> 20);
  if (csr && text.find(number) != std::string::npos) return true;  // objdump has no name for it
  constexpr unsigned kMfastirq = 0x7c0, kMframe = 0x7c1;
  return csr && (csr_name(word >> 20)[0] == '0' || (xlen == 32 && (word >> 20) < 4) || word >> 20 == kMfastirq ||
                 word >> 20 == kMframe);
}

class DisasmOf : public testing::TestWithParam<InstructionSet> {};
INSTANTIATE_TEST_SUITE_P(Widths, DisasmOf, testing::Values(kRv32, kRv64),
                         [](const auto& one) { return "Rv" + std::to_string(one.param.xlen); });

TEST(Disasm, WithoutCThereAreNoInstructionsOf16Bits) {
  for (const std::uint32_t word : {0x00000001U, 0x12340001U, 0U}) {
    char text[32];
    std::snprintf(text, sizeof text, ".4byte\t0x%x", word);
    EXPECT_EQ(disassemble(word, 0, {32, false}), text);
    EXPECT_EQ(instruction_size(word, false), 4U);
  }
  EXPECT_EQ(disassemble(0x00000013, 0, {32, false}), "nop");
  EXPECT_EQ(disassemble(0x00000001, 0, kRv32), "nop");
}

TEST_P(DisasmOf, EveryCompressedInstruction) {
  const unsigned xlen = GetParam().xlen;
  std::vector<std::uint32_t> words;
  for (std::uint32_t word = 0; word < 0x10000; ++word) {
    if ((word & 3) != 3) words.push_back(word);
  }
  compare(
      words, 2, GetParam(),
      [xlen](std::uint32_t word, const std::string& text) {
        // c.addi16sp by zero is reserved; c.f* of RV32 belong to F.
        const unsigned group = (word >> 13) << 2 | (word & 3);
        const bool floating = xlen == 32 && (word & 1) == 0 && ((word >> 13) & 1) != 0;
        return unknown(text, xlen) || word == 0x6101 || (group != 0 && floating);
      },
      28000);
}

TEST_P(DisasmOf, RandomWordsOfEveryOpcode) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  const auto one_in = [&random](unsigned n) { return random() % n == 0; };
  constexpr std::uint32_t kFunct7[] = {0, 1, 0x20, 0x30, 0x10, 0x14, 0x24, 0x34, 4, 5, 0x18};
  for (const std::uint32_t opcode :
       {0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23, 0x13, 0x33, 0x0f, 0x73, 0x2f, 0x1b, 0x3b}) {
    for (int i = 0; i < 4000; ++i) {
      auto word = static_cast<std::uint32_t>(random()) & ~0x7fU;
      if (one_in(3)) word &= ~0xf80U;
      if (one_in(3)) word &= ~0xf8000U;
      if (one_in(3)) word &= ~0x1f00000U;
      if (!one_in(3)) word = (word & 0x1ffffff) | (kFunct7[random() % std::size(kFunct7)] << 25);
      if (opcode == 0x0f) word &= 0x0ff00000;
      if (opcode == 0x73 && one_in(2)) word = (word & 0x000fffff) | (one_in(2) ? 0x30500000 : 0xc0000000) | 0x1000;
      words.push_back(word | opcode);
    }
  }
  for (const std::uint32_t word :
       {0x00000073U, 0x00100073U, 0x30200073U, 0x10200073U, 0x10500073U, 0xc0001073U, 0x0ff0000fU,
        0x8330000fU, 0x0000100fU, 0x00000013U, 0x00008067U, 0x00102013U, 0x60001013U, 0x60101013U,
        0x60201013U, 0x60401013U, 0x60501013U, 0x28705013U, 0x69805013U, 0x08004033U, 0x0005200fU,
        0x0015a00fU, 0x0026200fU, 0x0036200fU, 0x0026208fU}) {
    words.push_back(word);
  }
  compare(
      words, 4, GetParam(),
      [xlen = GetParam().xlen](std::uint32_t word, const std::string& text) { return not_ours(word, text, xlen); },
      28000);
}

/** Each instruction of the description with random fields, and with fields of zeros, which aliases need. */
TEST_P(DisasmOf, RandomFieldsOfEveryInstruction) {
  const unsigned xlen = GetParam().xlen;
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  for (const isa::Instruction& one : isa::kInstructions) {
    const bool floating = one.of == isa::Extension::kF || one.of == isa::Extension::kD;
    if ((one.widths & isa::width_bit(xlen)) == 0 || (floating && xlen == 32)) continue;
    for (unsigned i = 0; i < 64; ++i) {
      auto fields = static_cast<std::uint32_t>(random());
      if ((i & 1U) != 0) fields &= ~0xf8000U;
      if ((i & 2U) != 0) fields &= ~0x1f00000U;
      if ((i & 4U) != 0) fields &= ~0xfff00000U;
      words.push_back(one.match | (fields & ~one.mask));
    }
  }
  compare(
      words, 4, GetParam(), [xlen](std::uint32_t word, const std::string& text) { return not_ours(word, text, xlen); },
      xlen == 32 ? 6000 : 12000);
}

TEST(Disasm, FloatingPoint) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  for (const std::uint32_t opcode : {0x07, 0x27, 0x43, 0x47, 0x4b, 0x4f, 0x53}) {
    for (std::uint32_t funct7 = 0; funct7 < 128; ++funct7) {
      for (int i = 0; i < 80; ++i) {
        auto word = (static_cast<std::uint32_t>(random()) & 0x01ffff80U) | (funct7 << 25);
        if (i < 40) word &= ~(0x1cU << 20);                                        // conversions
        if (i % 4 == 0) word = (word & ~0x1f00000U) | ((word << 5) & 0x1f00000U);  // one register twice
        words.push_back(word | opcode);
      }
    }
  }
  for (std::uint32_t number = 1; number < 4; ++number) {
    for (const std::uint32_t funct3 : {1, 2, 3, 5, 6, 7}) {
      for (const std::uint32_t registers : {0U, 0x500U, 0x28000U, 0x28500U}) {
        words.push_back(0x73 | (number << 20) | (funct3 << 12) | registers);
      }
    }
  }
  compare(
      words, 4, kRv64, [](std::uint32_t, const std::string& text) { return unknown(text, 64); }, 20000);
}

TEST(Disasm, TargetsAndNames) {
  const auto name = [](std::uint64_t address) { return address == 0x80000010 ? std::string("f") : std::string(); };
  EXPECT_EQ(disassemble(0x010000ef, 0x80000000, kRv32, name), "jal\t80000010 <f>");
  EXPECT_EQ(disassemble(0x00000063, 0x80000000, kRv32), "beqz\tzero,80000000");
  EXPECT_EQ(disassemble(0xff1ff06f, 0, kRv32), "j\tfffffff0");
  EXPECT_EQ(disassemble(0xff1ff06f, 0, kRv64), "j\tfffffffffffffff0");
  EXPECT_EQ(disassemble(0xfe0008e3, 0xffffffff80001000, kRv64), "beqz\tzero,ffffffff80000ff0");
  EXPECT_EQ(disassemble(0xffffffff, 0, kRv32), ".4byte\t0xffffffff");
  EXPECT_EQ(disassemble(0xbc200073, 0, kRv32), "emret");
  EXPECT_EQ(disassemble(0x00200073, 0, kRv32), "uret");
  EXPECT_EQ(disassemble(0x8c200073, 0, kRv32), "euret");
  EXPECT_EQ(disassemble(0x8e050073, 0, kRv32), "senduipi\ta0");
  EXPECT_EQ(csr_name(0x7c0), "mfastirq");
  EXPECT_EQ(csr_name(0x800), "ufastirq");
  EXPECT_EQ(csr_name(0x801), "uframe");
  EXPECT_EQ(csr_name(0x802), "0x802");
  EXPECT_EQ(csr_name(0x7c1), "mframe");
  EXPECT_EQ(csr_name(0x7c2), "muitt");
  EXPECT_EQ(csr_name(0x347), "mintthresh");
  EXPECT_EQ(csr_name(0x307), "mtvt");
  EXPECT_EQ(csr_name(0xfb1), "mintstatus");
  EXPECT_EQ(csr_name(0x045), "unxti");
  EXPECT_EQ(disassemble(0x347f9073, 0, kRv32), "csrw\tmintthresh,t6");
  EXPECT_EQ(csr_name(0xb05), "mhpmcounter5");
  EXPECT_EQ(csr_name(0x3b7), "pmpaddr7");
}

TEST_P(DisasmOf, EveryCompressedInstructionExpandsToAFullOne) {
  for (std::uint32_t word = 0; word < 0x10000; ++word) {
    const std::uint32_t full =
        (word & 3) == 3 ? 0 : expand_compressed(static_cast<std::uint16_t>(word), GetParam().xlen);
    if (full != 0) {
      ASSERT_EQ(full & 3, 3U) << std::hex << word;
      ASSERT_NE(disassemble(full, 0, GetParam())[0], '.') << std::hex << word;
    }
  }
}

}  // namespace
}  // namespace trapeze
