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

  std::vector<std::string> command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {dir_ / "p.elf", "--engine", TEST_FAKE_ENGINE, "--config", "fake"});
    return arguments;
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
  void expect(std::vector<std::string> arguments, const std::vector<std::string>& parts) {
    expect(simulate(command(std::move(arguments))), parts);
  }

  TempDir dir_;
};

TEST_F(Errors, Usage) {
  expect(simulate({}), {"ELF", "--help"});
  expect({"--nonsense"}, {"--nonsense"});
  expect({"--max-cycles", "0"}, {"--max-cycles"});
  expect({"--max-cycles", "-5"}, {"--max-cycles"});
  expect({"--max-cycles", "many"}, {"many"});
  expect({"--wait-data", "256"}, {"--wait-data"});
  expect({"--seed", "x"}, {"--seed"});
  expect({"--trace", dir_ / "t.wave"}, {"t.wave", ".fst", ".vcd", "log:-"});
  expect({"--trace", dir_ / "t.vcd"}, {"without VCD", "-vcd.so"});
  expect({"--trace", "log:"}, {"log:", "there is no file"});
  expect({"--trace", "fst:-"}, {"fst:-", "waves need a file"});
  expect({"--trace-to", "5"}, {"--trace-to", "--trace"});
  expect({"--trace", dir_ / "t.log", "--trace-from", "9", "--trace-to", "5"}, {"--trace-from 9", "--trace-to 5"});
  expect({"--trace-from", "5"}, {"--trace-from", "--trace"});
  expect({"--uart-in", dir_ / "none"}, {"--uart-in", "none"});
  expect({"--gdb", "65536"}, {"--gdb", "65536"});
  expect({"--gdb", "0"}, {"--gdb", "registers"});
  expect({"--gdb", "0", "--sweep", "1@2..3"}, {"--gdb", "--sweep"});
}

TEST_F(Errors, Lines) {
  expect({"--irq", "4@10"}, {"no interrupt line 4", "0 to 3"});
  expect({"--irq", "x@10"}, {"--irq 'x@10'", "LINE@CYCLE"});
  expect({"--irq", "1@-1"}, {"-1"});
  expect({"--irq", "1@10:square"}, {"square"});
  expect({"--irq", "1@1000", "--max-cycles", "500"}, {"1@1000", "--max-cycles 500"});
}

TEST_F(Errors, Sweeps) {
  expect({"--sweep", "4@1..2"}, {"no interrupt line 4"});
  expect({"--sweep", "1@20..10"}, {"reversed"});
  expect({"--sweep", "1@-5..10"}, {"-5"});
  expect({"--sweep", "1@5"}, {"'..'"});
  expect({"--sweep", "1@5..2000"}, {"--sweep 1@5..2000: the program ends in cycle 901"});
  expect({"--sweep", "1@5..2000:pulse", "--sweep-part", "1000", "1500"},
         {"--sweep 1@5..2000:pulse: the program ends in cycle 901"});
  expect({"--sweep", "1@5..2000", "--sweep-part", "4", "10"}, {"--sweep-part 4 10", "--sweep 1@5..2000"});
  expect({"--sweep", "1@5..2000", "--sweep-part", "20", "10"}, {"--sweep-part 20 10"});
  expect({"--sweep-part", "20", "10"}, {"--sweep-part", "--sweep"});
  expect({"--sweep", "1@5..10", "--max-cycles", "7"}, {"cycle 10", "--max-cycles 7"});
  expect({"--sweep", "1@5..10", "--sweep-part", "5", "8", "--max-cycles", "7"}, {"cycle 10", "--max-cycles 7"});
  expect({"--sweep", "1@5..10", "--trace", dir_ / "t.log"}, {"--trace", "--irq"});
}

TEST_F(Errors, EnginesAndConfigurations) {
  expect(simulate({dir_ / "p.elf", "--engine", "/nonexistent.so", "--config", "fake"}), {"/nonexistent.so"});
  expect(simulate({dir_ / "p.elf", "--engine", dir_ / "p.elf", "--config", "fake"}), {"cannot load engine"});
  expect(simulate({dir_ / "p.elf", "--engine", TEST_FAKE_ENGINE, "--config", "other"}), {"'fake', not 'other'"});
  expect({"--trace", dir_ / "t.fst"}, {"without waves", "-wave.so"});
  expect({"--wait-data", "10"}, {"wait states"});
}

TEST_F(Errors, Elf) {
  expect(simulate({dir_ / "none.elf", "--engine", TEST_FAKE_ENGINE, "--config", "fake"}), {"none.elf", "No such file"});
  expect(simulate({TEST_SIMULATOR, "--engine", TEST_FAKE_ENGINE, "--config", "fake"}), {"not for RISC-V"});
  ElfBuilder builder;
  builder.elf_class = 2;
  builder.segments = {{0x80000000, {kEbreak}, 0}};
  write_bytes(dir_ / "p.elf", builder.build());
  expect(simulate(command({})), {"p.elf", "is 64-bit", "configuration 'fake' has 32 bits"});
}

TEST_F(Errors, UnwritableOutputs) {
  expect({"--json", dir_ / "none/r.json"}, {"cannot write record", "create the folder"});
  expect({"--trace", dir_ / "none/t.log"}, {"cannot write trace", "create the folder"});
}

TEST_F(Errors, FullDisk) {
  // A file-size limit makes write() fail in the middle, as a full disk does.
  expect(simulate(command({"--trace", dir_ / "t.log", "--quiet"}), 8192),
         {"cannot write trace", "t.log", "free space"});
  expect(simulate(command({"--trace", dir_ / "t.json", "--quiet"}), 8192), {"cannot write trace", "t.json"});
  ElfBuilder builder;
  builder.segments = {{0x80000000, std::vector<std::uint32_t>(900, marker(2)), 0}};
  builder.segments[0].words.push_back(kEbreak);
  write_bytes(dir_ / "p.elf", builder.build());
  expect(simulate(command({"--json", dir_ / "r.json", "--quiet"}), 8192),
         {"cannot write record", "r.json", "free space"});
  const ProcessResult device = simulate(command({"--json", "/dev/full", "--quiet"}));
  expect(device, {"/dev/full", "No space left on device"});
}

}  // namespace
}  // namespace trapeze::test
