// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Records that a run of the model selects.
#include <gtest/gtest.h>
#include <trapeze/map.h>

#include <cstring>

#include "elf_builder.h"
#include "model/platform/machine.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kMret;
using test::marker;

constexpr Params kFull = parse_params("rv32imc_zba_zbb_zbs");
constexpr std::uint32_t kBase = TRAPEZE_IMEM_BASE;
constexpr tz_region kRegions[] = {{"imem", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, 0}};

TEST(ModelSelect, SelectsWhatChangesHandlers) {
  Machine<kFull> machine(Platform{kRegions, kBase, 0, 1, 16, 16});
  tz_run_result result{};
  const auto put = [&machine](std::uint32_t address, const std::vector<std::uint32_t>& words) {
    std::memcpy(machine.bus().memory(address, words.size() * 4), words.data(), words.size() * 4);
    machine.flush();
  };
  // mtvec, two ecalls with a marker between them; the handler goes on behind the ecall.
  put(kBase, {0x00000297, addi(5, 5, 64), 0x30529073, 0x00000073, marker(2), addi(0, 0, 0), 0x00000073, addi(0, 0, 0),
              jump(0)});
  put(kBase + 64, {0x34102373, addi(6, 6, 4), 0x34131073, kMret});
  const auto selected = [&](std::uint32_t select) {
    machine.reset();
    std::vector<tz_retire> records(100);
    tz_run_args args{};
    args.until_cycle = 30;
    args.select = select;
    args.records = records.data();
    args.records_capacity = records.size();
    machine.run(args, result);
    std::vector<std::uint64_t> words;
    for (std::size_t i = 0; i < result.num_records; ++i) words.push_back((records[i].pc - kBase) / 4);
    return words;
  };
  EXPECT_EQ(selected(TZ_SELECT_TRAPS), (std::vector<std::uint64_t>{3, 19, 4, 6, 19, 7}));
  EXPECT_EQ(selected(TZ_SELECT_TRAPS | TZ_SELECT_HANDLERS | TZ_SELECT_MARKERS),
            (std::vector<std::uint64_t>{3, 16, 19, 4, 6, 16, 19, 7}));
  EXPECT_EQ(selected(TZ_SELECT_HANDLERS | TZ_SELECT_MARKERS), (std::vector<std::uint64_t>{16, 4, 16}));
}

}  // namespace
}  // namespace trapeze::model
