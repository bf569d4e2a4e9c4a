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

/** The engine itself failed; the user's input is not the cause. */
class EngineFailure : public Error {
 public:
  using Error::Error;
};

/** The reader of standard output has gone, as `head` does. The run ends without a message. */
class ReaderGone : public Error {
 public:
  using Error::Error;
};

/** `0x` and at least eight lower-case hexadecimal digits. */
std::string hex(unsigned long long value);

/** Message of an errno, the current one by default, such as "No space left on device". */
std::string errno_text(int number);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ERROR_H
