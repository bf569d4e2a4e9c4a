// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bad input to trapeze-sim as a process: one line on stderr that names the thing and the remedy, exit code 2, and no
// output file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "elf_builder.h"
#include "process.h"

namespace trapeze::test {
namespace {

using Json = nlohmann::json;

class Errors : public ::testing::Test {
 protected:
  void SetUp() override {
    ElfBuilder builder;
    std::vector<std::uint32_t> words(900, addi(0, 0, 0));
    words.push_back(addi(10, 0, 0));
    words.push_back(kEbreak);
    builder.segments = {{0x80000000, words, 0}};
    write_bytes(dir_ / "p.elf", builder.build());
  }

  Json request(const Json& fields) const {
    Json whole{{"programs", {dir_ / "p.elf"}}, {"engine", TEST_FAKE_ENGINE}, {"config", "fake"}};
    if (!fields.is_null()) whole.update(fields);
    return whole;
  }

  /** Expects exit code 2, nothing on stdout, and one line that contains every part. */
  void expect(const ProcessResult& result, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.compare(0, 20, "trapeze-sim: error: "), 0) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(';'), std::string::npos) << "no remedy: " << result.err;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos) << part << ": " << result.err;
    EXPECT_EQ(dir_.list(), std::vector<std::string>{"p.elf"}) << "a file was left behind";
  }
  void expect(const Json& fields, const std::vector<std::string>& parts, const std::vector<std::string>& words = {}) {
    expect(simulate(request(fields), words), parts);
  }

  TempDir dir_;
};

TEST_F(Errors, Usage) {
  expect(simulate(std::vector<std::string>{}), {"REQUEST", "--help"});
  expect(Json{}, {"--nonsense"}, {"--nonsense"});
  expect(simulate(std::vector<std::string>{"/nonexistent.json"}), {"/nonexistent.json", "No such file"});
  expect(simulate(std::vector<std::string>{dir_ / "p.elf"}), {"p.elf", "is no JSON"});
}

/** A field that is missing, unknown, of another type, or impossible, is named with its place. */
TEST_F(Errors, Fields) {
  expect({{"schema", "trapeze.request/2"}}, {"request '", ".schema: is not trapeze.request/1"});
  expect({{"speed", 3}}, {"has 'speed', which is not known"});
  expect({{"programs", Json::array()}}, {".programs: is empty"});
  expect({{"max_cycles", -5}}, {".max_cycles: is no number"});
  expect({{"max_cycles", "many"}}, {".max_cycles: is no number"});
  expect({{"reset_seed", 1ULL << 32}}, {".reset_seed: is too large"});
  expect({{"gdb", 65536}}, {".gdb: is too large"});
  expect({{"edges", {{{"line", 1}}}}}, {".edges.0: lacks 'cycle'"});
  expect({{"edges", {{{"line", 1}, {"cycle", 5}, {"shape", 1}}}}}, {".edges.0: has 'shape'"});
  expect({{"trace", {{"kind", "wave"}, {"file", "x"}}}}, {".trace.kind: 'wave' is not known"});
  expect({{"sweep", sweep("1@20..10", 1, 20, 10)}}, {".sweep.to: is before 'from'"});
  expect({{"sweep", part(sweep("1@5..2000", 1, 5, 2000), 4, 10)}}, {".sweep.part: is no part of it"});
  expect({{"sweep", part(sweep("1@5..2000", 1, 5, 2000), 20, 10)}}, {".sweep.part: is no part of it"});
  expect({{"until", {{"span", "a"}, {"count", 1}}}}, {".until.span: is the name of none"});
  expect({{"console", {{"file", dir_ / "none"}}}}, {"--uart-in", "none"});
  expect({{"gdb", 0}}, {"--gdb", "registers"});
}

TEST_F(Errors, Lines) {
  expect({{"edges", {edge(4, 10)}}}, {"no interrupt line 4", "0 to 3"});
  expect({{"edges", {edge(1, 1000)}}, {"max_cycles", 500}}, {"1@1000", "--max-cycles 500"});
}

TEST_F(Errors, Sweeps) {
  expect({{"sweep", sweep("4@1..2", 4, 1, 2)}}, {"no interrupt line 4"});
  const Json long_one = sweep("1@5..2000", 1, 5, 2000);
  expect({{"sweep", long_one}}, {"--sweep 1@5..2000: the program ends in cycle 901"});
  expect({{"sweep", part(long_one, 1000, 1500)}}, {"--sweep 1@5..2000: the program ends in cycle 901"});
  const Json short_one = sweep("1@5..10", 1, 5, 10);
  expect({{"sweep", short_one}, {"max_cycles", 7}}, {"cycle 10", "--max-cycles 7"});
  expect({{"sweep", part(short_one, 5, 8)}, {"max_cycles", 7}}, {"cycle 10", "--max-cycles 7"});
}

TEST_F(Errors, EnginesAndConfigurations) {
  expect({{"engine", "/nonexistent.so"}}, {"/nonexistent.so"});
  expect({{"engine", dir_ / "p.elf"}}, {"cannot load engine"});
  expect({{"config", "other"}}, {"'fake', not 'other'"});
  expect({{"trace", trace(dir_ / "t.fst")}}, {"without waves", "-wave.so"});
  expect({{"trace", trace(dir_ / "t.vcd")}}, {"without VCD", "-vcd.so"});
  expect({{"wait", {{"instr", 0}, {"data", 10}, {"seed", 0}}}}, {"wait states"});
}

TEST_F(Errors, Elf) {
  expect({{"programs", {dir_ / "none.elf"}}}, {"none.elf", "No such file"});
  expect({{"programs", {TEST_SIMULATOR}}}, {"not for RISC-V"});
  ElfBuilder builder;
  builder.elf_class = 2;
  builder.segments = {{0x80000000, {kEbreak}, 0}};
  write_bytes(dir_ / "p.elf", builder.build());
  expect(Json{}, {"p.elf", "is 64-bit", "configuration 'fake' has 32 bits"});
}

TEST_F(Errors, UnwritableOutputs) {
  expect(Json{}, {"cannot write record", "create the folder"}, {"--json", dir_ / "none/r.json"});
  expect({{"trace", trace(dir_ / "none/t.log")}}, {"cannot write trace", "create the folder"});
}

TEST_F(Errors, FullDisk) {
  // A file-size limit makes write() fail in the middle, as a full disk does.
  const std::vector<std::string> quiet{"--quiet"};
  expect(simulate(request({{"trace", trace(dir_ / "t.log")}}), quiet, 8192),
         {"cannot write trace", "t.log", "free space"});
  expect(simulate(request({{"trace", trace(dir_ / "t.json")}}), quiet, 8192), {"cannot write trace", "t.json"});
  ElfBuilder builder;
  builder.segments = {{0x80000000, std::vector<std::uint32_t>(900, marker(2)), 0}};
  builder.segments[0].words.push_back(kEbreak);
  write_bytes(dir_ / "p.elf", builder.build());
  expect(simulate(request({}), {"--json", dir_ / "r.json", "--quiet"}, 8192),
         {"cannot write record", "r.json", "free space"});
  expect(Json{}, {"/dev/full", "No space left on device"}, {"--json", "/dev/full", "--quiet"});
}

}  // namespace
}  // namespace trapeze::test
