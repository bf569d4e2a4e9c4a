// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Hits of watched addresses in a run of the model, one instruction at a time and in blocks.
#include <gtest/gtest.h>
#include <trapeze/map.h>

#include <cstring>
#include <tuple>
#include <vector>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::load;
using test::lui;
using test::store;

constexpr Params kFull = parse_params("rv32imac");
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr std::uint32_t kData = TRAPEZE_DMEM_BASE;
constexpr tz_region kRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 0},
                                  {"dmem", TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE, 0}};
constexpr std::uint32_t kAmoadd = 0x0000202f | 6U << 20 | 5U << 15 | 7U << 7;  // amoadd.w x7, x6, (x5)

/** Watch, cycle, address, value, size. */
using Hit = std::tuple<unsigned, std::uint64_t, std::uint64_t, std::uint64_t, unsigned>;

TEST(ModelWatch, SaysWhatIsMet) {
  Machine<kFull> machine(Platform{kRegions, kBase, 0, 1, 16, 16});
  const std::vector<std::uint32_t> words = {
      lui(5, kData),         // 0
      addi(6, 0, 0x123),     // 1
      store(2, 6, 5),        // 2: sw x6, 0(x5)
      store(1, 6, 5),        // 3: sh
      load(0, 7, 5, 1),      // 4: lb x7, 1(x5)
      addi(5, 5, 2),         // 5
      store(2, 6, 5),        // 6: sw in two words
      addi(5, 5, 2),         // 7
      kAmoadd,               // 8
      store(2, 6, 5),        // 9
      load(2, 7, 5, 0x100),  // 10: beside what is watched
      jump(0),
  };
  std::memcpy(machine.bus().memory(kBase, words.size() * 4), words.data(), words.size() * 4);
  const std::vector<tz_watch> watches = {
      {kData, 4, TZ_WATCH_STORE, 0},        {kData + 4, 4, TZ_WATCH_STORE, 0},   {kData + 1, 1, TZ_WATCH_LOAD, 0},
      {kData + 4, 4, TZ_WATCH_LOAD, 0},     {kBase + 8, 1, TZ_WATCH_EXECUTE, 0}, {kData, 4, TZ_WATCH_STORE, 1},
      {kBase + 20, 1, TZ_WATCH_EXECUTE, 0},
  };
  const auto hits = [&](std::uint32_t select, std::size_t capacity) {
    machine.reset();
    std::memset(machine.bus().memory(kData, 16), 0, 16);
    std::vector<tz_retire> records(100);
    std::vector<tz_hit> buffer(capacity);
    std::vector<Hit> found;
    tz_run_result result{};
    do {
      tz_run_args args{};
      args.until_cycle = 30;
      args.select = select;
      args.records = records.data();
      args.records_capacity = records.size();
      args.watches = watches.data();
      args.num_watches = watches.size();
      args.hits = buffer.data();
      args.hits_capacity = buffer.size();
      machine.run(args, result);
      EXPECT_LE(result.num_hits, capacity);
      for (std::size_t i = 0; i < result.num_hits; ++i) {
        const tz_hit& hit = buffer[i];
        EXPECT_EQ(hit.cycle, hit.retired);
        found.emplace_back(hit.watch, hit.cycle, hit.address, hit.value, hit.size);
      }
      if (select == 0) {
        EXPECT_EQ(result.num_records, 0U);
      }
    } while (result.cycle < 30);
    return found;
  };
  const std::vector<Hit> expected = {
      {0, 2, kData, 0x123, 4},     {4, 2, kBase + 8, 0, 0},     {0, 3, kData, 0x123, 2},     {2, 4, kData + 1, 0x01, 1},
      {6, 5, kBase + 20, 0, 0},    {0, 6, kData + 2, 0x123, 4}, {1, 6, kData + 2, 0x123, 4}, {3, 8, kData + 4, 0, 4},
      {1, 8, kData + 4, 0x123, 4}, {1, 9, kData + 4, 0x123, 4},
  };
  EXPECT_EQ(hits(0, 100), expected);
  EXPECT_EQ(hits(0, watches.size()), expected) << "with room for one instruction's hits";
  EXPECT_EQ(hits(TZ_SELECT_ALL, 100), expected);
  EXPECT_EQ(hits(TZ_SELECT_MARKERS | TZ_SELECT_HANDLERS, 100), expected);
}

}  // namespace
}  // namespace trapeze::model
