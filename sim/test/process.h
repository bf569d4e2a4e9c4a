// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Running a program in a test.
 */
#ifndef TRAPEZE_SIM_TEST_PROCESS_H
#define TRAPEZE_SIM_TEST_PROCESS_H

#include <string>
#include <vector>

namespace trapeze::test {

struct ProcessResult {
  int code = -1;  ///< exit code; 128 + signal if killed
  std::string out;
  std::string err;
};

/** Runs `command`, waits, and collects its output. `file_limit`: largest file that it may write, in bytes; 0: no
 * limit. */
ProcessResult run_process(const std::vector<std::string>& command, unsigned long file_limit = 0);

/** Runs trapeze-sim. */
ProcessResult simulate(std::vector<std::string> arguments, unsigned long file_limit = 0);

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_PROCESS_H
