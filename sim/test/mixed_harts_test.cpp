// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A platform of two kinds of harts on the model (platforms/mixed-harts.yaml): hart 0 is RV32I with Zba and fastirq,
// hart 1 is RV32E with A and a CLINT, and mhartid 7.
#include <gtest/gtest.h>
#include <trapeze/map.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <trapeze/isa.hpp>

#include "elf_builder.h"
#include "kernel/dynamic_engine.h"
#include "kernel/error.h"
#include "process.h"

namespace trapeze::test {
namespace {

const std::string kPlatform = TEST_PLATFORMS "mixed-harts.json";
constexpr std::uint32_t kBase = 0x80000000;
constexpr std::uint32_t kShared = 0x80300000;
constexpr std::uint32_t kEmbedded = 8;  // e_flags RVE

/** Stores of the exit code 0 to the host port, and an endless loop. */
void leave(std::vector<std::uint32_t>& words) {
  words.insert(words.end(),
               {lui(13, TRAPEZE_HOST_BASE), lui(14, 0x5000), addi(14, 14, 0x555), store(2, 14, 13), jump(0)});
}

/** Sets msip of hart 1 and waits until the shared memory holds 7. */
ElfBuilder sender() {
  ElfBuilder builder;
  std::vector<std::uint32_t> words = {
      lui(5, TRAPEZE_CLINT_BASE),
      addi(6, 0, 1),
      0x205342b3,  // sh2add t0, t1, t0
      store(2, 6, 5),
      lui(11, kShared),
      load(2, 14, 11, 0),
      addi(14, 14, -7),
      branch_nonzero(14, -8),
  };
  leave(words);
  builder.segments = {{kBase, words, 0}};
  return builder;
}

/** Waits for its software interrupt, whose handler adds mhartid to the shared memory. */
ElfBuilder receiver() {
  ElfBuilder builder;
  builder.flags = kEmbedded;
  const std::vector<std::uint32_t> words = {
      0x00000297,      // auipc t0, 0
      addi(5, 5, 64),  // handler
      0x30529073,      // csrw mtvec, t0
      addi(6, 0, 8),
      0x30431073,  // csrw mie, t1
      0x30046073,  // csrsi mstatus, 8
      0x10500073,  // wfi
      jump(-4),
  };
  std::vector<std::uint32_t> handler = {
      0xf1402573,  // csrr a0, mhartid
      lui(11, kShared),
      0x00a5a62f,  // amoadd.w a2, a0, (a1)
  };
  leave(handler);
  builder.segments = {{kBase, words, 0}, {kBase + 64, handler, 0}};
  return builder;
}

class MixedHarts : public ::testing::Test {
 protected:
  ProcessResult run(const ElfBuilder& first, const ElfBuilder& second) {
    write_bytes(dir_ / "first.elf", first.build());
    write_bytes(dir_ / "second.elf", second.build());
    return simulate({{"programs", {std::string(dir_ / "first.elf"), std::string(dir_ / "second.elf")}},
                     {"engine", TEST_MODEL},
                     {"platform", kPlatform},
                     {"config", "mixed-harts"},
                     {"max_cycles", 1000}},
                    {"--json", dir_ / "r.json"});
  }

  TempDir dir_;
};

TEST_F(MixedHarts, EachRunsAProgramOfItsKind) {
  const ProcessResult result = run(sender(), receiver());
  EXPECT_EQ(result.code, 0) << result.err;
  const auto harts = nlohmann::json::parse(read_text(dir_ / "r.json")).at("harts");
  ASSERT_EQ(harts.size(), 2U);
  EXPECT_EQ(harts[0].at("hart_id"), 0);
  EXPECT_EQ(harts[0].at("elf"), "first.elf");
  EXPECT_EQ(harts[1].at("hart_id"), 7);
  EXPECT_EQ(harts[1].at("elf"), "second.elf");
  for (const auto& hart : harts) EXPECT_EQ(hart.at("exit").at("code"), 0);
}

TEST_F(MixedHarts, AProgramOfTheOtherKindIsRefused) {
  const ProcessResult result = run(receiver(), sender());
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_NE(result.err.find("is built for RV32E (e_flags RVE) but hart 0 of configuration 'mixed-harts' is RV32I"),
            std::string::npos)
      << result.err;
}

TEST_F(MixedHarts, EachHasRegistersCsrsAndLinesOfItsKind) {
  Engine engine(TEST_MODEL, 0, kPlatform);
  EXPECT_STREQ(engine.hart(0).interrupts, TZ_IRQ_FASTIRQ);
  EXPECT_STREQ(engine.hart(1).interrupts, TZ_IRQ_CLINT);
  EXPECT_EQ(engine.hart(0).num_sources, 64U);
  EXPECT_EQ(engine.hart(1).num_sources, 0U);
  for (unsigned hart = 0; hart < 2; ++hart) {
    engine.write_register(hart, 5, 0x100 + hart);
    engine.write_register(hart, TZ_DEBUG_CSR + isa::csr::kMscratch, 0x200 + hart);
    EXPECT_THROW(engine.write_register(hart, TZ_DEBUG_CSR + isa::csr::kMhartid, 1), Error) << "read-only";
  }
  EXPECT_EQ(engine.read_register(0, 5), 0x100U);
  EXPECT_EQ(engine.read_register(1, 5), 0x101U);
  EXPECT_EQ(engine.read_register(0, TZ_DEBUG_CSR + isa::csr::kMscratch), 0x200U);
  EXPECT_EQ(engine.read_register(1, TZ_DEBUG_CSR + isa::csr::kMscratch), 0x201U);
  EXPECT_EQ(engine.read_register(1, TZ_DEBUG_CSR + isa::csr::kMhartid), 7U);
  EXPECT_EQ(engine.read_register(0, 16), 0U);
  EXPECT_THROW(engine.read_register(1, 16), Error) << "RV32E";
  EXPECT_EQ(engine.read_register(0, TZ_DEBUG_CSR + isa::csr::kMfastirq), 0U);
  EXPECT_THROW(engine.read_register(1, TZ_DEBUG_CSR + isa::csr::kMfastirq), Error) << "no fastirq";
  EXPECT_NO_THROW(engine.set_line(0, 47, true));
  EXPECT_NO_THROW(engine.set_line(1, 15, true));
  EXPECT_THROW(engine.set_line(1, 16, true), Error);
  tz_oracle_clic clic{};
  EXPECT_EQ(engine.oracle()->clic(engine.handle(), 0, &clic), TZ_OK);
  EXPECT_EQ(engine.oracle()->clic(engine.handle(), 1, &clic), TZ_ERR_ARGUMENT);
  std::uint64_t value = 0;
  EXPECT_EQ(engine.oracle()->read_register(engine.handle(), 0, TZ_REGISTER_FRAME_FAULTS_WAIT, &value), TZ_OK);
  EXPECT_EQ(engine.oracle()->read_register(engine.handle(), 1, TZ_REGISTER_FRAME_FAULTS_WAIT, &value), TZ_ERR_ARGUMENT);
}

}  // namespace
}  // namespace trapeze::test
