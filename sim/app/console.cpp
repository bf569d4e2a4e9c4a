// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

#include "app/ending.h"
#include "app/stop.h"
#include "kernel/error.h"

namespace trapeze {

void Console::write(std::string_view bytes) {
  while (!bytes.empty() && !lost_) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR && stop_signal() == 0) continue;
    if (written < 0 && stop_signal() != 0) return;
    if (written < 0 && errno == EPIPE) throw ReaderGone("the reader of the console has gone");
    if (written < 0 && errno == EBADF) {
      lost_ = true;
      return;
    }
    if (written < 0) {
      throw Error("cannot write the console to stdout: " + errno_text(errno) + "; free space or write it elsewhere");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Console::finish() const {
  if (lost_) throw Error("standard output is closed and the console is lost; send it to a file, or to /dev/null");
}

}  // namespace trapeze
