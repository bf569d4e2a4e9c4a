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

/** What the user can do about an errno of a write. */
const char* remedy(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free space on that disk or write to another one";
    case ENOENT:
      return "create the folder first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder that you may write";
    case EISDIR:
      return "give the name of a file";
    default:
      return "choose another file";
  }
}

/** The path of the file itself where `path` is a symbolic link to a file that exists. */
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
  if (path_ == kStandardOutput) {
    direct_ = true;
    working_ = path_;
    fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd_ < 0) fail(errno);
    buffer_.reserve(kBufferSize);
    return;
  }
  struct stat status = {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  direct_ = exists && !S_ISREG(status.st_mode);
  if (direct_) {
    working_ = target_;
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    open_temporary(exists ? (status.st_mode & 0777) : 0);
  }
  if (fd_ < 0) fail(errno);
  buffer_.reserve(kBufferSize);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!direct_ && !nameless_) ::unlink(working_.c_str());
}

void AtomicFile::open_temporary(unsigned mode) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  // A file without a name vanishes however the process ends. A file system that has no such files gets a file with a
  // temporary name.
  const std::size_t slash = target_.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
  fd_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  nameless_ = fd_ >= 0;
  if (nameless_) {
    working_ = "/proc/self/fd/" + std::to_string(fd_);
    nameless_ = ::access(working_.c_str(), F_OK) == 0;
    if (!nameless_) ::close(fd_);
  }
  if (!nameless_) {
    working_ = target_ + ".part-XXXXXX";
    fd_ = ::mkostemp(working_.data(), O_CLOEXEC);
  }
  // The file gets the mode that open() would have given it, or the mode of the file that it replaces.
  if (fd_ >= 0) ::fchmod(fd_, mode != 0 ? mode : (0666 & ~mask));
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
  // Pipes and terminals cannot be synchronised to disk, so that failure is no error.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) fail(errno);
  if (nameless_) {
    const std::string name = target_ + ".part-" + std::to_string(::getpid());
    ::unlink(name.c_str());
    if (::linkat(AT_FDCWD, working_.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
    working_ = name;
    nameless_ = false;
  }
  if (!direct_ && ::rename(working_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(std::exchange(fd_, -1));
}

}  // namespace trapeze
