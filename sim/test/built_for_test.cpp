// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/built_for.h"

#include <gtest/gtest.h>

#include "engine_info.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr const char* kText =
    "config=mine isa=rv32imc_zbs interrupts=fastirq later=yes lines=48 line_base=16 sources=64";

tz_hart_info hart(const char* isa, const char* interrupts, unsigned lines, unsigned base, unsigned sources) {
  tz_hart_info info = test::hart_info(isa);
  info.interrupts = interrupts;
  info.num_lines = lines;
  info.line_id_base = base;
  info.num_sources = sources;
  return info;
}

std::string differences(const tz_hart_info& info) {
  return differences(parse_built_for(kText), info, 1);
}

TEST(BuiltFor, ReadsItsText) {
  const BuiltFor built = parse_built_for(std::string(kText) + '\0');
  EXPECT_EQ(built.config, "mine");
  EXPECT_EQ(built.isa, "rv32imc_zbs");
  EXPECT_EQ(built.interrupts, "fastirq");
  EXPECT_EQ(built.lines, 48U);
  EXPECT_EQ(built.line_base, 16U);
  EXPECT_EQ(built.sources, 64U);
}

TEST(BuiltFor, RefusesDamage) {
  for (const char* text : {"", "config=x", "config= isa=rv32i interrupts=clint lines=1 line_base=16 sources=0",
                           "config=x isa=rv32i interrupts=clint lines=many line_base=16 sources=0"}) {
    EXPECT_THROW(parse_built_for(text), Error) << text;
  }
}

TEST(BuiltFor, RunsWhereEverythingIs) {
  EXPECT_EQ(differences(hart("rv32imc_zbs_zicsr", TZ_IRQ_FASTIRQ, 48, 16, 64)), "");
  EXPECT_EQ(differences(hart("rv32imac_zba_zbs", TZ_IRQ_FASTIRQ, 60, 16, 64)), "");
  BuiltFor clic = parse_built_for(kText);
  clic.interrupts = TZ_IRQ_CLIC;
  EXPECT_EQ(differences(clic, hart("rv32imc_zbs", TZ_IRQ_FASTIRQ, 48, 16, 64), 1), "");
}

TEST(BuiltFor, NamesWhatIsNotThere) {
  EXPECT_EQ(differences(hart("rv32imc", TZ_IRQ_CLINT, 16, 16, 0)), "no Zbs, no CLIC, no fastirq");
  EXPECT_EQ(differences(hart("rv32emc_zbs", TZ_IRQ_CLIC, 48, 16, 64)),
            "16 registers (RV32E) instead of 32, no fastirq");
  EXPECT_EQ(differences(hart("rv32imc_zbs", TZ_IRQ_FASTIRQ, 4, 12, 16)),
            "interrupt lines: 4 instead of 48, line 0 as interrupt 12 instead of 16, "
            "interrupt sources: 16 instead of 64");
  BuiltFor clint = parse_built_for(kText);
  clint.interrupts = TZ_IRQ_CLINT;
  EXPECT_EQ(differences(clint, hart("rv32imc_zbs", TZ_IRQ_CLIC, 48, 16, 64), 1),
            "a CLIC instead of the CLINT's interrupts");
}

TEST(BuiltFor, TableOfHandlersKeepsItsAddress) {
  // A CLIC of 65 sources ignores one bit of mtvt more than the alignment of a table for 64 sources guarantees to be
  // zero.
  EXPECT_EQ(differences(hart("rv32imc_zbs", TZ_IRQ_FASTIRQ, 48, 16, 65)), "interrupt sources: 65 instead of 64");
  BuiltFor built = parse_built_for(kText);
  built.sources = 50;
  EXPECT_EQ(differences(built, hart("rv32imc_zbs", TZ_IRQ_FASTIRQ, 48, 16, 64), 1), "");
}

}  // namespace
}  // namespace trapeze
