// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/programs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "kernel/error.h"

namespace trapeze {
namespace {

/** Code of a hart without a program: wfi, and a jump back to the wfi. */
constexpr std::uint32_t kPark[] = {0x10500073, 0xffdff06f};

/** The memory of a hart that holds an address, or null. */
const tz_region* region_at(const tz_hart_info& hart, std::uint64_t address) {
  for (std::uint32_t i = 0; i < hart.num_regions; ++i) {
    const tz_region& region = hart.regions[i];
    if (address >= region.base && address - region.base < region.size) return &region;
  }
  return nullptr;
}

/** A program and the hart that it is for. */
struct Placed {
  const ElfFile& elf;
  unsigned hart;
};

/** Throws Error if the program given to a hart runs main() on another hart, or uses the devices of another hart. It
 * would wait there for ever. */
void check_main(const Placed& placed, const std::string& config) {
  const auto& built = placed.elf.built;
  if (!built || built->main_hart.value_or(0) == placed.hart) return;
  const std::string own = std::to_string(placed.hart);
  if (!built->main_hart) {
    throw Error("ELF file '" + placed.elf.path + "' is given to hart " + own + " and was built for configuration '" +
                built->config + "' of one hart: its timer and software interrupt would be those of hart 0; build it " +
                "with --config " + config + " --hart " + own);
  }
  throw Error("ELF file '" + placed.elf.path + "' is given to hart " + own + " and runs main() on hart " +
              std::to_string(*built->main_hart) + "; give the k-th file to hart k, or build it with --hart " + own);
}

/** Throws Error if all harts would run a program that was built for a platform with one hart. Only hart 0 has the
 * devices that such a program uses. */
void check_all(const ElfFile& elf, const tz_engine_info& info) {
  if (info.num_harts == 1 || !elf.built || elf.built->main_hart) return;
  throw Error("ELF file '" + elf.path + "' was built for configuration '" + elf.built->config + "' of one hart and '" +
              info.config + "' has " + std::to_string(info.num_harts) +
              ": all would take the timer of hart 0 for theirs; " + "build it with --config " + info.config);
}

/** Throws Error if two programs occupy the same bytes of shared memory. */
void check_apart(const Placed& one, const Placed& other, const tz_engine_info& info) {
  const auto shared_at = [&info](unsigned hart, std::uint64_t address) {
    const tz_region* const region = region_at(info.harts[hart], address);
    return region != nullptr && region->shared != 0 ? region : nullptr;
  };
  const auto named = [](const Placed& placed) {
    return "'" + placed.elf.path + "' (hart " + std::to_string(placed.hart) + ")";
  };
  for (const ElfSegment& a : one.elf.segments) {
    for (const ElfSegment& b : other.elf.segments) {
      const std::uint64_t first = std::max(a.address, b.address);
      const std::uint64_t end = std::min(a.address + a.memory_size, b.address + b.memory_size);
      if (first >= end) continue;
      const tz_region* const region = shared_at(one.hart, first);
      if (region == nullptr || shared_at(other.hart, first) == nullptr) continue;
      throw Error("ELF files " + named(one) + " and " + named(other) + " overlap at " + hex(first) + ".." +
                  hex(end - 1) + " in the shared memory '" + region->name + "'; link one of them to other addresses");
    }
  }
}

bool begin_alike(const tz_engine_info& info) {
  return std::all_of(info.harts, info.harts + info.num_harts,
                     [&](const tz_hart_info& hart) { return hart.reset_vector == info.harts[0].reset_vector; });
}

/** Whether a segment of the program holds one of the `size` bytes at an address. */
bool holds(const ElfFile& elf, std::uint64_t address, std::uint64_t size) {
  return std::any_of(elf.segments.begin(), elf.segments.end(), [&](const ElfSegment& segment) {
    return segment.address < address + size && address < segment.address + segment.memory_size;
  });
}

void write(Engine& engine, unsigned hart, const ElfFile& elf) {
  for (const ElfSegment& segment : elf.segments) {
    if (!segment.data.empty()) engine.write_memory(hart, segment.address, segment.data.data(), segment.data.size());
    const std::vector<std::uint8_t> zeros(segment.memory_size - segment.data.size());
    if (!zeros.empty()) {
      engine.write_memory(hart, segment.address + segment.data.size(), zeros.data(), zeros.size());
    }
  }
}

}  // namespace

Programs::Programs(std::vector<ElfFile> files, const tz_engine_info& info)
    : files_(std::move(files)), for_all_(files_.size() == 1 && begin_alike(info)) {
  if (files_.size() > info.num_harts) {
    const std::string harts = std::to_string(info.num_harts);
    const char* const plural = info.num_harts == 1 ? "" : "s";
    throw Error("ELF file '" + files_[info.num_harts].path + "' has no hart: configuration '" + info.config + "' has " +
                harts + " hart" + plural + "; give at most " + harts + " file" + plural);
  }
  for (unsigned hart = 0; hart < info.num_harts; ++hart) {
    if (of(hart) != nullptr) check_elf(*of(hart), info, hart);
  }
  if (for_all_) check_all(files_.front(), info);
  for (unsigned hart = 0; hart < own(); ++hart) {
    check_main({files_[hart], hart}, info.config);
    for (unsigned other = hart + 1; other < own(); ++other) {
      check_apart({files_[hart], hart}, {files_[other], other}, info);
    }
  }
}

const ElfFile* Programs::of(unsigned hart) const {
  if (for_all_) return &files_.front();
  return hart < files_.size() ? &files_[hart] : nullptr;
}

std::vector<SymbolTable> Programs::symbols(unsigned harts) const {
  std::vector<SymbolTable> tables;
  for (unsigned hart = 0; hart < harts; ++hart) {
    const ElfFile* const elf = of(hart);
    tables.push_back(elf != nullptr ? SymbolTable(elf->symbols) : SymbolTable());
  }
  return tables;
}

void Programs::load(Engine& engine) const {
  const auto in_use = [this](std::uint64_t address) {
    return std::any_of(files_.begin(), files_.end(),
                       [&](const ElfFile& elf) { return holds(elf, address, sizeof kPark); });
  };
  for (unsigned hart = 0; hart < engine.harts(); ++hart) {
    const tz_hart_info& info = engine.hart(hart);
    const tz_region* const start = region_at(info, info.reset_vector);
    if (const ElfFile* elf = of(hart); elf != nullptr) {
      write(engine, hart, *elf);
    } else if (start != nullptr && (start->shared == 0 || !in_use(info.reset_vector))) {
      engine.write_memory(hart, info.reset_vector, kPark, sizeof kPark);
    }
  }
}

void Programs::load_again(Engine& engine, unsigned hart) const {
  write(engine, hart, files_.at(hart));
}

}  // namespace trapeze
