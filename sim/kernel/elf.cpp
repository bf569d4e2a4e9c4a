// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/elf.h"

#include <algorithm>

#include "kernel/error.h"
#include "kernel/input_file.h"
#include "kernel/isa.h"

namespace trapeze {
namespace {

/** Offsets of the fields of one class of ELF files, each from the start of the structure that holds it. Addresses,
 * offsets and sizes are words of 4 bytes (ELF32) or 8 bytes (ELF64). */
struct Layout {
  unsigned word;
  // Fields of the file's header. Counts, and sizes of entries, have 2 bytes.
  unsigned header, entry, program_headers, section_headers, flags;
  unsigned program_header_size, program_header_count, section_header_size, section_header_count;
  // Fields of a program header. Its first field is the type.
  unsigned program_header, segment_offset, segment_address, segment_load_address, segment_file_size,
      segment_memory_size;
  // Fields of a section header. Its type is at offset 4.
  unsigned section_header, section_flags, section_offset, section_size, section_link;
  // Fields of a symbol. Its first field is the name.
  unsigned symbol, symbol_type, symbol_section, symbol_value, symbol_size;
};
constexpr Layout kElf32 = {4,  52, 24, 28, 32, 36, 42, 44, 46, 48, 32, 4, 8,
                           12, 16, 20, 40, 8,  16, 20, 24, 16, 12, 14, 4, 8};
constexpr Layout kElf64 = {8,  64, 24, 32, 40, 48, 54, 56, 58, 60, 56, 8, 16,
                           24, 32, 40, 64, 8,  24, 32, 40, 24, 4,  6,  8, 16};

constexpr std::uint16_t kTypeExecutable = 2;
constexpr std::uint16_t kMachineRiscv = 243;
constexpr std::uint32_t kSegmentLoad = 1;
constexpr std::uint32_t kSectionSymbols = 2;
constexpr std::uint32_t kSectionNote = 7;
constexpr std::uint32_t kFlagFloatAbi = 0x6;

/** Bounds-checked little-endian view of the file. */
class Reader {
 public:
  Reader(const std::string& path, const std::vector<std::uint8_t>& bytes) : path_(path), bytes_(bytes) {}

  [[noreturn]] void fail(const std::string& text) const { throw Error("ELF file '" + path_ + "' " + text); }

  /** Fails unless `size` bytes from `offset` on lie in the file; `what` names the part. */
  void need(std::uint64_t offset, std::uint64_t size, const std::string& what) const {
    if (offset <= bytes_.size() && size <= bytes_.size() - offset) return;
    fail("is truncated: " + what + " has " + std::to_string(size) + " bytes from byte " + std::to_string(offset) +
         " on but the file has " + std::to_string(bytes_.size()) + "; build or copy it again");
  }

  std::uint8_t u8(std::size_t offset) const { return bytes_[offset]; }
  std::uint16_t u16(std::size_t offset) const {
    return static_cast<std::uint16_t>(bytes_[offset] | (bytes_[offset + 1] << 8));
  }
  std::uint32_t u32(std::size_t offset) const {
    return u16(offset) | (static_cast<std::uint32_t>(u16(offset + 2)) << 16);
  }
  std::uint64_t word(std::size_t offset) const {
    const std::uint64_t low = u32(offset);
    return layout().word == 4 ? low : low | (std::uint64_t{u32(offset + 4)} << 32);
  }
  bool is_64() const { return u8(4) == 2; }
  const Layout& layout() const { return is_64() ? kElf64 : kElf32; }

  /** The zero-terminated string at `offset`, which must end before `end`. */
  std::string text(std::size_t offset, std::size_t end) const {
    std::string result;
    while (offset < end && bytes_[offset] != 0) result += static_cast<char>(bytes_[offset++]);
    return result;
  }

 private:
  const std::string& path_;
  const std::vector<std::uint8_t>& bytes_;
};

void check_header(const Reader& in, const std::vector<std::uint8_t>& bytes) {
  if (bytes.empty()) in.fail("is empty; build it again");
  static constexpr std::uint8_t kMagic[4] = {0x7f, 'E', 'L', 'F'};
  const std::size_t have = std::min<std::size_t>(bytes.size(), 4);
  if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(have), kMagic)) {
    in.fail("is not an ELF file (wrong magic); give the linked executable");
  }
  in.need(0, 16, "its identification (e_ident)");
  if (in.u8(4) != 1 && !in.is_64())
    in.fail("has the unknown class EI_CLASS " + std::to_string(in.u8(4)) + "; build it again");
  if (in.u8(5) == 2) in.fail("is big-endian (EI_DATA 2); link it for little-endian RISC-V");
  if (in.u8(5) != 1) in.fail("has the unknown byte order EI_DATA " + std::to_string(in.u8(5)) + "; build it again");
  in.need(0, in.layout().header, "its header");
  if (in.u16(18) != kMachineRiscv) {
    in.fail("is not for RISC-V (e_machine " + std::to_string(in.u16(18)) + "); build it with `trapeze cc`");
  }
  if (in.u16(16) != kTypeExecutable) {
    const std::uint16_t type = in.u16(16);
    const char* name = type == 1 ? ", an object file" : type == 3 ? ", position-independent" : "";
    in.fail("is not an executable (e_type " + std::to_string(type) + name + "); link it with `trapeze cc`");
  }
}

void read_segments(const Reader& in, const std::vector<std::uint8_t>& bytes, ElfFile& elf) {
  const Layout& at = in.layout();
  const std::uint64_t table = in.word(at.program_headers);
  const std::uint16_t entry_size = in.u16(at.program_header_size);
  const std::uint16_t count = in.u16(at.program_header_count);
  if (count > 0 && entry_size != at.program_header) {
    in.fail("has program headers of " + std::to_string(entry_size) + " bytes (e_phentsize) instead of " +
            std::to_string(at.program_header) + "; build it again");
  }
  in.need(table, std::uint64_t{count} * at.program_header, "its program header table");
  for (std::uint16_t i = 0; i < count; ++i) {
    const std::uint64_t header = table + std::uint64_t{i} * at.program_header;
    if (in.u32(header) != kSegmentLoad) continue;
    const std::uint64_t offset = in.word(header + at.segment_offset);
    const std::uint64_t file_size = in.word(header + at.segment_file_size);
    ElfSegment segment;
    segment.address = in.word(header + at.segment_address);
    segment.memory_size = in.word(header + at.segment_memory_size);
    if (segment.memory_size == 0) continue;
    // Start-up code copies initial values to their place, so the loader puts them at the load address. Bytes that the
    // file lacks are zeros at the address where they are used.
    const std::uint64_t load_address = in.word(header + at.segment_load_address);
    const bool copied = file_size != 0 && load_address != segment.address;
    const std::string name = "segment " + std::to_string(i);
    if (file_size > segment.memory_size) {
      in.fail("has a damaged program header: " + name +
              " is larger in the file (p_filesz) than in memory (p_memsz); "
              "build it again");
    }
    if (copied) {
      segment.address = load_address;
      segment.memory_size = file_size;
    }
    if (file_size != 0) {
      in.need(offset, file_size, name);
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
      segment.data.assign(first, first + static_cast<std::ptrdiff_t>(file_size));
    }
    elf.segments.push_back(std::move(segment));
  }
  if (elf.segments.empty()) in.fail("has nothing to load (no PT_LOAD segment); link it with `trapeze cc`");
}

/** Place and size of the table of section headers in the file. */
struct Sections {
  std::uint64_t table = 0;
  std::uint16_t count = 0;

  std::uint64_t header(const Reader& in, unsigned n) const {
    return table + std::uint64_t{n} * in.layout().section_header;
  }
  std::uint32_t type(const Reader& in, unsigned n) const { return in.u32(header(in, n) + 4); }
  std::uint64_t offset(const Reader& in, unsigned n) const {
    return in.word(header(in, n) + in.layout().section_offset);
  }
  std::uint64_t size(const Reader& in, unsigned n) const { return in.word(header(in, n) + in.layout().section_size); }
};

/** Reads the section headers. A stripped file may have none; a damaged table is an error even so. */
Sections find_sections(const Reader& in) {
  const Layout& at = in.layout();
  const Sections sections{in.word(at.section_headers), in.u16(at.section_header_count)};
  if (sections.table == 0 || sections.count == 0) return {};
  if (in.u16(at.section_header_size) != at.section_header) {
    in.fail("has section headers of " + std::to_string(in.u16(at.section_header_size)) +
            " bytes (e_shentsize) instead of " + std::to_string(at.section_header) + "; build it again");
  }
  in.need(sections.table, std::uint64_t{sections.count} * at.section_header, "its section header table");
  return sections;
}

/** Reads symbols. Only traces need them. */
void read_symbols(const Reader& in, const Sections& sections, ElfFile& elf) {
  const Layout& at = in.layout();
  for (unsigned i = 0; i < sections.count; ++i) {
    if (sections.type(in, i) != kSectionSymbols) continue;
    const std::uint64_t offset = sections.offset(in, i);
    const std::uint64_t size = sections.size(in, i);
    const std::uint32_t link = in.u32(sections.header(in, i) + at.section_link);
    in.need(offset, size, "its symbol table");
    if (link >= sections.count) {
      in.fail("has a damaged symbol table (sh_link " + std::to_string(link) + "); build it again");
    }
    const std::uint64_t strings = sections.offset(in, link);
    const std::uint64_t strings_size = sections.size(in, link);
    in.need(strings, strings_size, "its string table");
    for (std::uint64_t s = 0; s + at.symbol <= size; s += at.symbol) {
      const std::uint64_t symbol = offset + s;
      const std::uint8_t type = in.u8(symbol + at.symbol_type) & 0xf;
      const std::uint16_t section = in.u16(symbol + at.symbol_section);
      // Variables; and code: functions and untyped labels of allocated sections.
      if (type > 2 || section == 0 || section >= sections.count) continue;
      const std::uint64_t flags = in.word(sections.header(in, section) + at.section_flags);
      if (type != 1 && (flags & 0x4) == 0) continue;  // SHF_EXECINSTR
      const std::uint32_t name = in.u32(symbol);
      if (name >= strings_size) continue;
      std::string text = in.text(strings + name, strings + strings_size);
      // Mapping symbols ($x, $d) and local labels (.L) do not name a place in the program.
      if (text.empty() || text[0] == '$' || text.compare(0, 2, ".L") == 0) continue;
      (type == 1 ? elf.objects : elf.symbols)
          .push_back({in.word(symbol + at.symbol_value), in.word(symbol + at.symbol_size), std::move(text), type == 2});
    }
  }
  std::stable_sort(elf.symbols.begin(), elf.symbols.end(), [](const ElfSymbol& a, const ElfSymbol& b) {
    return a.address != b.address ? a.address < b.address : a.function < b.function;
  });
}

/** Finds the note of `trapeze cc` in the section at [offset, offset + size). The search ends at the first content
 * that is not a well-formed note: a section may be called .note.version and hold text. */
std::optional<BuiltFor> find_note(const Reader& in, std::uint64_t offset, std::uint64_t size) {
  constexpr std::uint64_t kHeader = 12;
  const auto padded = [](std::uint64_t length) { return (length + 3) & ~std::uint64_t{3}; };
  const std::uint64_t end = offset + size;
  while (offset + kHeader <= end) {
    const std::uint64_t name = offset + kHeader;
    const std::uint64_t content = name + padded(in.u32(offset));
    const std::uint64_t content_size = in.u32(offset + 4);
    if (content > end) return std::nullopt;
    if (in.u32(offset + 8) == kNoteType && in.text(name, content) == kNoteOwner) {
      if (content + content_size > end) in.fail("has a damaged note section; build it again");
      try {
        return parse_built_for(in.text(content, content + content_size));
      } catch (const Error& error) {
        in.fail(error.what());
      }
    }
    offset = content + padded(content_size);
  }
  return std::nullopt;
}

void read_notes(const Reader& in, const Sections& sections, ElfFile& elf) {
  for (unsigned i = 0; i < sections.count && !elf.built; ++i) {
    if (sections.type(in, i) != kSectionNote) continue;
    in.need(sections.offset(in, i), sections.size(in, i), "its note section");
    elf.built = find_note(in, sections.offset(in, i), sections.size(in, i));
  }
}

/** The address to which the program's first two words jump, if they are `lui t0` and `jr t0`; otherwise 0. */
std::uint32_t first_jump(const ElfFile& elf) {
  constexpr std::size_t kWord = 4;
  for (const ElfSegment& segment : elf.segments) {
    if (elf.entry < segment.address || elf.entry - segment.address + 2 * kWord > segment.data.size()) continue;
    std::uint32_t words[2];
    for (std::size_t n = 0; n < std::size(words); ++n) {
      const std::uint8_t* const bytes = segment.data.data() + (elf.entry - segment.address) + n * kWord;
      words[n] =
          bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
    }
    if ((words[0] & 0xfff) != 0x2b7 || (words[1] & 0xfffff) != 0x28067) return 0;
    const std::uint32_t low = words[1] >> 20;
    return (words[0] & 0xfffff000) + low - ((low & 0x800) << 1);
  }
  return 0;
}

/** Finds the monitor of a program. It is linked with the program; or, if it emulates machine mode, it lies beside the
 * program, which begins with a jump there: in a segment without a section. */
Monitor find_monitor(const Reader& in, const Sections& sections, const ElfFile& elf) {
  const auto is_entry = [](const ElfSymbol& symbol) { return symbol.name == "monitor_trap"; };
  if (std::any_of(elf.symbols.begin(), elf.symbols.end(), is_entry)) return Monitor::kSerial;
  const std::uint32_t target = first_jump(elf);
  const auto holds = [target](const ElfSegment& segment) {
    return target >= segment.address && target - segment.address < segment.memory_size;
  };
  const auto monitor = std::find_if(elf.segments.begin(), elf.segments.end(), holds);
  if (target == 0 || monitor == elf.segments.end() || sections.count == 0) return Monitor::kNone;
  for (unsigned i = 0; i < sections.count; ++i) {
    const std::uint64_t begin = in.word(sections.header(in, i) + in.layout().section_flags + in.layout().word);
    const std::uint64_t end = begin + sections.size(in, i);
    if (begin < end && begin < monitor->address + monitor->memory_size && monitor->address < end) return Monitor::kNone;
  }
  return Monitor::kNesting;
}

}  // namespace

ElfFile parse_elf(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  const Reader in(path, bytes);
  check_header(in, bytes);
  ElfFile elf;
  elf.path = path;
  elf.xlen = in.is_64() ? 64 : 32;
  elf.entry = in.word(in.layout().entry);
  elf.flags = in.u32(in.layout().flags);
  read_segments(in, bytes, elf);
  const Sections sections = find_sections(in);
  read_symbols(in, sections, elf);
  read_notes(in, sections, elf);
  elf.monitor = find_monitor(in, sections, elf);
  return elf;
}

ElfFile read_elf(const std::string& path) {
  return parse_elf(path, read_input(path, "ELF file", "check the name or build it first"));
}

void check_elf(const ElfFile& elf, const tz_engine_info& info, unsigned number) {
  const std::string config = info.config;
  const tz_hart_info& hart = info.harts[number];
  const Isa isa = parse_isa(hart.isa);
  const std::string which = info.num_harts > 1 ? "hart " + std::to_string(number) + " of " : "";
  const std::string there = which + "configuration '" + config + "'";
  const auto fail = [&](const std::string& text) { throw Error("ELF file '" + elf.path + "' " + text); };
  if (elf.xlen != hart.xlen) {
    fail("is " + std::to_string(elf.xlen) + "-bit (EI_CLASS " + (elf.xlen == 64 ? "2" : "1") + ") but " + there +
         " has " + std::to_string(hart.xlen) + " bits; build it with --config " + config);
  }
  if (elf.built) {
    const std::string& own = elf.built->config;
    const std::string other = differences(*elf.built, hart, info.num_harts);
    if (!other.empty()) {
      fail("was built for " + own + "; " + which + config + " has " + other + ": run it with --config " + own +
           " or build it with --config " + config);
    }
  }
  if (elf.embedded() && !isa.embedded) {
    fail("is built for RV32E (e_flags RVE) but " + there +
         " is RV32I; choose an '-e' configuration or build with --config " + config);
  }
  if (!elf.embedded() && isa.embedded) {
    fail("is built for RV32I (no RVE in e_flags) but " + there +
         " is RV32E; choose a configuration without '-e' or build with --config " + config);
  }
  if (elf.compressed() && !isa.has("c")) {
    fail("holds compressed instructions (e_flags RVC) but " + there + " has no C extension; build with --config " +
         config);
  }
  if ((elf.flags & kFlagFloatAbi) != 0 && !isa.has("f")) {
    fail("uses a floating-point ABI (e_flags) but " + there +
         " has no F extension; build with -mabi=" + (isa.embedded ? "ilp32e" : "ilp32"));
  }
  for (const ElfSegment& segment : elf.segments) {
    const std::uint64_t first = segment.address;
    const std::uint64_t last = first + (segment.memory_size - 1);
    const std::string range = hex(first) + ".." + hex(last);
    if (last < first) fail("has a segment at " + range + ", beyond the last address; link it with `trapeze cc`");
    const tz_region* region = nullptr;
    for (std::uint32_t i = 0; i < hart.num_regions; ++i) {
      const tz_region& r = hart.regions[i];
      if (first >= r.base && first - r.base < r.size) region = &r;
    }
    if (region == nullptr) {
      fail("has a segment at " + range + " where " + there +
           " has no memory; link it with `trapeze cc` or see `trapeze show " + config + "`");
    }
    const std::uint64_t end = region->base + (region->size - 1);
    if (last > end) {
      fail("does not fit: its segment at " + range + " ends " + std::to_string(last - end) + " bytes beyond memory '" +
           region->name + "' (" + hex(region->base) + ".." + hex(end) + "); make it smaller");
    }
  }
  if (elf.entry != hart.reset_vector) {
    fail("starts at " + hex(elf.entry) + " (e_entry) but " + there + " resets to " + hex(hart.reset_vector) +
         "; link it with `trapeze cc`");
  }
}

SymbolTable::SymbolTable(const std::vector<ElfSymbol>& symbols) {
  // One name stays for each address. Functions are sorted last, so a function wins over a label.
  for (const ElfSymbol& symbol : symbols) {
    if (!symbols_.empty() && symbols_.back().address == symbol.address) symbols_.pop_back();
    symbols_.push_back(symbol);
  }
}

const ElfSymbol* SymbolTable::find(std::uint64_t address) const {
  auto above = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](std::uint64_t a, const ElfSymbol& s) { return a < s.address; });
  if (above == symbols_.begin()) return nullptr;
  const ElfSymbol& symbol = *(above - 1);
  if (symbol.size != 0 && address - symbol.address >= symbol.size) return nullptr;
  return &symbol;
}

std::string SymbolTable::describe(std::uint64_t address) const {
  const ElfSymbol* symbol = find(address);
  if (symbol == nullptr) return {};
  if (symbol->address == address) return symbol->name;
  char offset[24];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(address - symbol->address));
  return symbol->name + offset;
}

}  // namespace trapeze
