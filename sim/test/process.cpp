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

}  // namespace trapeze::test
