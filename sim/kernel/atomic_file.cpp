// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "kernel/error.h"

namespace trapeze {
namespace {

constexpr std::size_t kBufferSize = 1U << 18;

/** The remedy for an errno while writing. */
const char* remedy(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "free space on that disk or write to another one";
    case ENOENT: return "create the folder first";
    case EACCES:
    case EPERM:
    case EROFS: return "choose a folder that you may write";
    case EISDIR: return "give the name of a file";
    default: return "choose another file";
  }
}

/** Follows symbolic links where the file exists. */
std::string resolve(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::string what)
    : path_(std::move(path)), what_(std::move(what)), target_(resolve(path_)) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  direct_ = exists && !S_ISREG(status.st_mode);
  if (direct_) {
    working_ = target_;
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    working_ = target_ + ".part-XXXXXX";
    fd_ = ::mkostemp(working_.data(), O_CLOEXEC);
    if (fd_ >= 0) {
      const mode_t mask = ::umask(0);
      ::umask(mask);
      // The mode that open() would have given, or the one that the file has.
      ::fchmod(fd_, exists ? (status.st_mode & 0777) : (0666 & ~mask));
    }
  }
  if (fd_ < 0) fail(errno);
  buffer_.reserve(kBufferSize);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!direct_) ::unlink(working_.c_str());
}

void AtomicFile::fail(int number) {
  throw Error("cannot write " + what_ + " '" + path_ + "': " + errno_text(number) + "; " + remedy(number));
}

void AtomicFile::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBufferSize) flush();
}

void AtomicFile::flush() {
  const char* data = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t written = ::write(fd_, data, left);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(errno);
    }
    data += written;
    left -= static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // Pipes and terminals cannot be synchronised: that is no error.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) fail(errno);
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0 || (!direct_ && ::rename(working_.c_str(), target_.c_str()) != 0)) {
    const int number = errno;
    if (!direct_) ::unlink(working_.c_str());
    fail(number);
  }
}

}  // namespace trapeze
