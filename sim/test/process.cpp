// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "elf_builder.h"

namespace trapeze::test {

ProcessResult run_process(const std::vector<std::string>& command, unsigned long file_limit) {
  const TempDir dir;
  const std::string out = dir / "out";
  const std::string err = dir / "err";
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    if (file_limit != 0) {
      const rlimit limit{file_limit, file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ProcessResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(out);
  result.err = read_text(err);
  return result;
}

ProcessResult simulate(std::vector<std::string> arguments, unsigned long file_limit) {
  arguments.insert(arguments.begin(), TEST_SIMULATOR);
  return run_process(arguments, file_limit);
}

ProcessResult simulate(const nlohmann::json& fields, const std::vector<std::string>& words, unsigned long file_limit) {
  const TempDir dir;
  nlohmann::json request{{"schema", "trapeze.request/1"}, {"command", "trapeze run"}, {"max_cycles", 1'000'000'000}};
  if (!fields.is_null()) request.update(fields);
  const std::string text = request.dump();
  write_bytes(dir / "request.json", {text.begin(), text.end()});
  std::vector<std::string> arguments{dir / "request.json"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  return simulate(arguments, file_limit);
}

nlohmann::json edge(unsigned line, std::uint64_t cycle, std::uint64_t pulse, unsigned hart) {
  return {{"line", line}, {"cycle", cycle}, {"pulse", pulse}, {"hart", hart}};
}

nlohmann::json sweep(const std::string& text, unsigned line, std::uint64_t from, std::uint64_t to, unsigned hart) {
  return {{"text", text}, {"line", line}, {"from", from}, {"to", to}, {"hart", hart}};
}

nlohmann::json part(nlohmann::json sweep, std::uint64_t first, std::uint64_t last) {
  sweep["part"] = {first, last};
  return sweep;
}

nlohmann::json trace(const std::string& file) {
  return {{"kind", file.substr(file.rfind('.') + 1)}, {"file", file}};
}

}  // namespace trapeze::test
