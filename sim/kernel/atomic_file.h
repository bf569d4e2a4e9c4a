// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Output files that are either whole or absent.
 */
#ifndef TRAPEZE_SIM_KERNEL_ATOMIC_FILE_H
#define TRAPEZE_SIM_KERNEL_ATOMIC_FILE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace trapeze {

/** The path that stands for standard output. It is written directly, a whole line at a time. A file named `-` is
 * reached as `./-`. */
constexpr std::string_view kStandardOutput = "-";

/**
 * A file written beside its place, without a name or under a temporary one, and moved there on commit().
 *
 * Without commit() it vanishes, so that no half-written result is ever left. Where the target exists and is not a
 * regular file (a terminal, /dev/null, a pipe) it is written directly. Symbolic links are followed. Errors, also those
 * of a full disk, are thrown as Error and name the target.
 */
class AtomicFile {
 public:
  /** Opens a temporary file beside `path`. `what` names the kind of output in errors, such as "trace". */
  AtomicFile(std::string path, std::string what);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /** Append; buffered. */
  void write(std::string_view text);

  /** Path of the file that is written until commit(). Another writer may open this path instead of using write(). */
  const std::string& working_path() const { return working_; }

  /** Flush to disk and give the file its name. */
  void commit();

 private:
  void open_temporary(unsigned mode);
  void flush();
  [[noreturn]] void fail(int number);

  std::string path_;
  std::string what_;
  std::string target_;
  std::string working_;
  std::string buffer_;
  int fd_ = -1;
  bool direct_ = false;    ///< the target is written directly, see above
  bool nameless_ = false;  ///< has no name before commit()
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ATOMIC_FILE_H
