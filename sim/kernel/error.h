// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Errors that are shown to the user: one line that names the thing and the remedy.
 */
#ifndef TRAPEZE_SIM_KERNEL_ERROR_H
#define TRAPEZE_SIM_KERNEL_ERROR_H

#include <stdexcept>
#include <string>

namespace trapeze {

/** Bad input or an environment that cannot do what was asked. what() is one line without a final stop or newline. */
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** The engine failed: nothing that the user gave it is wrong. */
class EngineFailure : public Error {
 public:
  using Error::Error;
};

/** Who read standard output has gone, as `head` does: the run ends, and there is nothing to say. */
class ReaderGone : public Error {
 public:
  using Error::Error;
};

/** `0x` and at least eight lower-case hexadecimal digits. */
std::string hex(unsigned long long value);

/** Text of the current or given errno, such as "No space left on device". */
std::string errno_text(int number);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ERROR_H
