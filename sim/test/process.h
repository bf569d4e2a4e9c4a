// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Running a program in a test.
 */
#ifndef TRAPEZE_SIM_TEST_PROCESS_H
#define TRAPEZE_SIM_TEST_PROCESS_H

#include <cstdint>
#include <nlohmann/json.hpp>
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

/** The same with a request, which is what every request of a test has and these fields; `words` stand behind it. */
ProcessResult simulate(const nlohmann::json& fields, const std::vector<std::string>& words,
                       unsigned long file_limit = 0);

// Fields of requests, see app/request.schema.json.
nlohmann::json edge(unsigned line, std::uint64_t cycle, std::uint64_t pulse = 0, unsigned hart = 0);
nlohmann::json sweep(const std::string& text, unsigned line, std::uint64_t from, std::uint64_t to, unsigned hart = 0);
nlohmann::json part(nlohmann::json sweep, std::uint64_t first, std::uint64_t last);
/** A trace of the kind that the suffix of its file says. */
nlohmann::json trace(const std::string& file);

}  // namespace trapeze::test

#endif  // TRAPEZE_SIM_TEST_PROCESS_H
