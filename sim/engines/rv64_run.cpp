// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// rv64-run [-s] FILE: loads the bytes of FILE at the start of a memory and runs them on one RV64 hart of the model.
// With -s the hart has S mode and 16 rows of memory protection. The console goes to stdout. Exit code: the program's; 2
// for bad input; 3 if the program does not end. For test_rv64.py. rv64-run-float is the same program with F and D, for
// test_float.py.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "kernel/input_file.h"
#include "model/platform/machine.h"

namespace {

using namespace trapeze::model;

#ifdef WITH_FLOAT
constexpr Params kHart = parse_params("rv64imafdc_zba_zbb_zbs");
#else
constexpr Params kHart = parse_params("rv64imac_zba_zbb_zbs");
#endif
constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kLongest = 100'000'000;
constexpr tz_region kRegions[] = {{"memory", kBase, 0x100000, 0}};

template <Params P>
int run(const std::vector<std::uint8_t>& program) {
  Machine<P> machine(Platform{kRegions, kBase, 0, 1, 0, 16});
  std::uint8_t* const memory = machine.bus().memory(kBase, program.size());
  if (memory == nullptr) {
    std::fprintf(stderr, "rv64-run: the program is larger than the memory\n");
    return 2;
  }
  std::copy(program.begin(), program.end(), memory);
  std::vector<std::uint8_t> console(4096);
  tz_run_args args{};
  args.until_cycle = kLongest;
  args.console = console.data();
  args.console_capacity = console.size();
  tz_hart_state state{};
  args.harts = &state;
  tz_run_result result{};
  do {
    machine.run(args, result);
    std::fwrite(console.data(), 1, result.console_bytes, stdout);
  } while (result.stop != TZ_STOP_EXIT && result.stop != TZ_STOP_CYCLES);
  return result.stop == TZ_STOP_EXIT ? static_cast<int>(state.exit_code) : 3;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool supervisor = argc == 3 && std::string_view(argv[1]) == "-s";
    if (supervisor) return run<kHart.with_supervisor(true).with_pmp(16)>(trapeze::read_input(argv[2], "program"));
    if (argc == 2) return run<kHart>(trapeze::read_input(argv[1], "program"));
    std::fprintf(stderr, "rv64-run: one file, the program, and before it -s for a hart with S mode\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rv64-run: %s\n", error.what());
  }
  return 2;
}
