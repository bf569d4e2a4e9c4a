// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "elf_builder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace trapeze::test {
namespace {

/** Little-endian output. */
class Writer {
 public:
  void u8(unsigned value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
  void u16(unsigned value) {
    u8(value & 0xff);
    u8(value >> 8);
  }
  void u32(std::uint32_t value) {
    u16(value & 0xffff);
    u16(value >> 16);
  }
  void text(const std::string& value) { bytes.insert(bytes.end(), value.begin(), value.end()); }

  std::vector<std::uint8_t> bytes;
};

}  // namespace

std::vector<std::uint8_t> ElfBuilder::build() const {
  const auto count = static_cast<std::uint32_t>(segments.size());
  // Header, program headers, section headers (null, text, symbols, strings), contents, symbols, strings.
  const std::uint32_t sections_at = 52 + 32 * count;
  std::uint32_t at = sections_at + 4 * 40;
  std::vector<std::uint32_t> offsets;
  for (const BuilderSegment& segment : segments) {
    offsets.push_back(at);
    at += static_cast<std::uint32_t>(4 * segment.words.size());
  }
  const std::uint32_t symbols_at = at;
  const auto symbols_size = static_cast<std::uint32_t>(16 * (symbols.size() + 1));
  std::string strings(1, '\0');
  Writer table;
  for (int i = 0; i < 4; ++i) table.u32(0);
  for (const BuilderSymbol& symbol : symbols) {
    table.u32(static_cast<std::uint32_t>(strings.size()));
    table.u32(symbol.address);
    table.u32(symbol.size);
    table.u8(0x12);  // global function
    table.u8(0);
    table.u16(1);
    strings += symbol.name + '\0';
  }

  Writer out;
  out.text(
      "\x7f"
      "ELF");
  out.u8(elf_class);
  out.u8(data);
  out.u8(1);
  for (int i = 0; i < 9; ++i) out.u8(0);
  out.u16(type);
  out.u16(machine);
  out.u32(1);
  out.u32(entry);
  out.u32(52);
  out.u32(sections_at);
  out.u32(flags);
  out.u16(52);
  out.u16(32);
  out.u16(count);
  out.u16(40);
  out.u16(4);
  out.u16(0);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(4 * segments[i].words.size());
    for (const std::uint32_t value :
         {1U, offsets[i], segments[i].address, segments[i].address, size, size + segments[i].extra, 7U, 4U}) {
      out.u32(value);
    }
  }
  const auto section = [&out](std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values) out.u32(value);
  };
  section({0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  section({0, 1, 6, segments.empty() ? 0 : segments[0].address, sections_at + 160, symbols_at - sections_at - 160, 0, 0,
           4, 0});
  section({0, 2, 0, 0, symbols_at, symbols_size, 3, 1, 4, 16});
  section({0, 3, 0, 0, symbols_at + symbols_size, static_cast<std::uint32_t>(strings.size()), 0, 0, 1, 0});
  for (const BuilderSegment& segment : segments) {
    for (const std::uint32_t word : segment.words) out.u32(word);
  }
  out.bytes.insert(out.bytes.end(), table.bytes.begin(), table.bytes.end());
  out.text(strings);
  return out.bytes;
}

void write_bytes(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error("cannot write " + path);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TempDir::TempDir() {
  const char* base = std::getenv("TMPDIR");
  path_ = std::string(base != nullptr ? base : "/tmp") + "/trapeze-test-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TempDir::list() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace trapeze::test
