// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A pseudo-terminal as the console of a run: to terminal programs a serial port, such as screen, picocom and pyserial
 * open.
 */
#ifndef TRAPEZE_SIM_APP_PSEUDO_TERMINAL_H
#define TRAPEZE_SIM_APP_PSEUDO_TERMINAL_H

#include <string>
#include <string_view>

#include "app/byte_source.h"

namespace trapeze {

class PseudoTerminal final : public ByteSource {
 public:
  /** Bytes pass as they are: no echo, no lines. Throws Error if the host has none left. */
  PseudoTerminal();
  ~PseudoTerminal() override;
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  /** What others open, such as /dev/pts/3. */
  const std::string& path() const { return path_; }
  /** Until somebody has opened it, or the process is to stop. */
  void wait_for_peer();

  std::string read(std::chrono::milliseconds patience) override;
  bool at_end() const override { return false; }
  /** As on a serial line, what nobody takes is lost: after a second in which the buffer of 4 KiB stays full. */
  void write(std::string_view bytes);
  /** Until the peer has taken everything, for a second at most. */
  void finish();

 private:
  int host_ = -1;  ///< the side of the run
  int peer_ = -1;  ///< the other side, held open so that a peer may come and go
  std::string path_;
  bool deaf_ = false;  ///< nobody has taken anything for a second
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_PSEUDO_TERMINAL_H
