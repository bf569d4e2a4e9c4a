// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 16;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::vector<std::uint8_t> read_input(const std::string& path, const std::string& what, const std::string& missing) {
  const auto fail = [&](const std::string& why, const std::string& remedy) {
    throw Error("cannot read " + what + " '" + path + "': " + why + "; " + remedy);
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(errno_text(errno), errno == ENOENT ? missing : "check its permissions");
  struct stat status = {};
  const bool known = ::fstat(file.get(), &status) == 0;
  // /dev/null is accepted: it is a common way to give an empty file.
  if (!known || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) fail("it is not a regular file", "name one");
  std::vector<std::uint8_t> bytes;
  std::size_t done = 0;
  while (true) {
    bytes.resize(done + kStep);
    const ssize_t count = ::read(file.get(), bytes.data() + done, kStep);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno_text(errno), "check the disk it is on");
    done += static_cast<std::size_t>(count);
    if (count == 0) break;
    if (S_ISCHR(status.st_mode)) fail("it is not a regular file", "name one");
    if (done > kMaxInputBytes) {
      fail("it has more than " + std::to_string(kMaxInputBytes >> 20) + " MiB", "give a smaller one");
    }
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace trapeze
