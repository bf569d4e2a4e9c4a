// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * ELF files for tests, correct or with one defect, and encodings of the few instructions that tests use.
 */
#ifndef TRAPEZE_SIM_TEST_ELF_BUILDER_H
#define TRAPEZE_SIM_TEST_ELF_BUILDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trapeze::test {

struct BuilderSegment {
  std::uint64_t address = 0;
  std::vector<std::uint32_t> words;
  std::uint64_t extra = 0;                         ///< zero bytes in memory after the words
  std::optional<std::uint64_t> load_address = {};  ///< load address, if it differs from `address`
};

struct BuilderSymbol {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/** Contents of an ELF file. A test may set any field to a wrong value. */
struct ElfBuilder {
  std::uint8_t elf_class = 1;  ///< 1: 32 bits, 2: 64 bits
  std::uint8_t data = 1;
  std::uint16_t type = 2;
  std::uint16_t machine = 243;
  std::uint32_t flags = 0;
  std::uint64_t entry = 0x80000000;
  std::vector<BuilderSegment> segments;
  std::vector<BuilderSymbol> symbols;

  std::vector<std::uint8_t> build() const;
};

/** Writes bytes to a file. */
void write_bytes(const std::string& path, const std::vector<std::uint8_t>& bytes);

/** Reads the text of a file. */
std::string read_text(const std::string& path);

/** A fresh folder. It is removed with all its files when the object is destroyed. */
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /** Names of the files in the folder, sorted. */
  std::vector<std::string> list() const;

 private:
  std::string path_;
};

// Encodings of instructions.
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, int imm) {
  return 0x13U | (rd << 7) | (rs1 << 15) | (static_cast<std::uint32_t>(imm) << 20);
}
constexpr std::uint32_t lui(unsigned rd, std::uint32_t value) {
  return 0x37U | (rd << 7) | (value & 0xfffff000U);
}
constexpr std::uint32_t store(unsigned width, unsigned rs2, unsigned rs1) {
  return 0x23U | (width << 12) | (rs1 << 15) | (rs2 << 20);
}
constexpr std::uint32_t load(unsigned width, unsigned rd, unsigned rs1, unsigned offset) {
  return 0x03U | (rd << 7) | (width << 12) | (rs1 << 15) | (offset << 20);
}
constexpr std::uint32_t jump(int offset) {
  const auto u = static_cast<std::uint32_t>(offset);
  return 0x6fU | (u & 0xff000U) | ((u & 0x800U) << 9) | ((u & 0x7feU) << 20) | ((u & 0x100000U) << 11);
}
constexpr std::uint32_t branch_nonzero(unsigned rs1, int offset) {
  const auto u = static_cast<std::uint32_t>(offset);
  return 0x1063U | (rs1 << 15) | ((u >> 7) & 0x10U) << 3 | ((u & 0x1eU) << 7) | ((u & 0x7e0U) << 20) |
         ((u & 0x1000U) << 19);
}
constexpr std::uint32_t marker(unsigned n) {
  return 0x00002013U | (n << 20);
}
constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kEbreak = 0x00100073;

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_ELF_BUILDER_H
