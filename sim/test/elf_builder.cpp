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

/** Writes little-endian values. A word has 4 or 8 bytes. */
class Writer {
 public:
  explicit Writer(bool wide) : wide_(wide) {}

  void u8(unsigned value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
  void u16(unsigned value) {
    u8(value & 0xff);
    u8(value >> 8);
  }
  void u32(std::uint32_t value) {
    u16(value & 0xffff);
    u16(value >> 16);
  }
  void word(std::uint64_t value) {
    u32(static_cast<std::uint32_t>(value));
    if (wide_) u32(static_cast<std::uint32_t>(value >> 32));
  }
  void text(const std::string& value) { bytes.insert(bytes.end(), value.begin(), value.end()); }

  std::vector<std::uint8_t> bytes;

 private:
  bool wide_;
};

void write_symbol(Writer& out, bool wide, std::uint32_t name, const BuilderSymbol& symbol) {
  const auto kind = [&out](bool null) {
    out.u8(null ? 0 : 0x12);  // global function
    out.u8(0);
    out.u16(null ? 0 : 1);
  };
  out.u32(name);
  if (wide) kind(name == 0);
  out.word(symbol.address);
  out.word(symbol.size);
  if (!wide) kind(name == 0);
}

struct Section {
  std::uint32_t type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t align, entry_size;
};

void write_section(Writer& out, std::uint32_t name, const Section& section) {
  out.u32(name);
  out.u32(section.type);
  out.word(section.flags);
  out.word(section.address);
  out.word(section.offset);
  out.word(section.size);
  out.u32(section.link);
  out.u32(section.info);
  out.word(section.align);
  out.word(section.entry_size);
}

}  // namespace

std::vector<std::uint8_t> ElfBuilder::build() const {
  const bool wide = elf_class == 2;
  const unsigned header_size = wide ? 64 : 52;
  const unsigned program_header_size = wide ? 56 : 32;
  const unsigned section_header_size = wide ? 64 : 40;
  const unsigned symbol_size = wide ? 24 : 16;
  const auto count = static_cast<unsigned>(segments.size());
  // Order: header, program headers, section headers (null, text, symbols, strings), contents, symbols, strings.
  const std::uint64_t sections_at = header_size + program_header_size * count;
  const std::uint64_t contents_at = sections_at + 4 * section_header_size;
  std::uint64_t at = contents_at;
  std::vector<std::uint64_t> offsets;
  for (const BuilderSegment& segment : segments) {
    offsets.push_back(at);
    at += 4 * segment.words.size();
  }
  const std::uint64_t symbols_at = at;
  const std::uint64_t symbols_size = symbol_size * (symbols.size() + 1);
  std::string strings(1, '\0');
  Writer table(wide);
  write_symbol(table, wide, 0, {});
  for (const BuilderSymbol& symbol : symbols) {
    write_symbol(table, wide, static_cast<std::uint32_t>(strings.size()), symbol);
    strings += symbol.name + '\0';
  }

  Writer out(wide);
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
  out.word(entry);
  out.word(header_size);
  out.word(sections_at);
  out.u32(flags);
  for (const unsigned value : {header_size, program_header_size, count, section_header_size, 4U, 0U}) out.u16(value);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint64_t size = 4 * segments[i].words.size();
    constexpr std::uint32_t kFlags = 7;
    out.u32(1);
    if (wide) out.u32(kFlags);
    for (const std::uint64_t value :
         {offsets[i], segments[i].address, segments[i].load_address.value_or(segments[i].address), size,
          size + segments[i].extra}) {
      out.word(value);
    }
    if (!wide) out.u32(kFlags);
    out.word(4);
  }
  const std::uint64_t text_at = segments.empty() ? 0 : segments[0].address;
  write_section(out, 0, {});
  write_section(out, 0, {1, 6, text_at, contents_at, symbols_at - contents_at, 0, 0, 4, 0});
  write_section(out, 0, {2, 0, 0, symbols_at, symbols_size, 3, 1, 4, symbol_size});
  write_section(out, 0, {3, 0, 0, symbols_at + symbols_size, strings.size(), 0, 0, 1, 0});
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
