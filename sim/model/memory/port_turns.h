// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Who has the memory's next cycle: a beat of a line transfer, or an access of a tile. Source: hw/soc/rtl/
 * tz_memory_port.sv, in front of a memory that serves a beat in each cycle; a test there holds both against each other.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_PORT_TURNS_H
#define TRAPEZE_SIM_MODEL_MEMORY_PORT_TURNS_H

namespace trapeze::model {

class PortTurns {
 public:
  enum class Granted : unsigned char { kNobody, kLine, kWord };

  /** `turn`: beats that transfers have before the tile's turn; 0: a transfer is not interrupted. */
  explicit PortTurns(unsigned turn) : turn_(turn) {}

  /** A cycle in which a transfer asks for a beat, or its last one, and the tile asks. */
  Granted cycle(bool line, bool last, bool word) {
    if (word && (words_turn_ || !line)) {
      words_turn_ = false;
      beats_ = 0;
      return Granted::kWord;
    }
    if (!line) return Granted::kNobody;
    if (turn_ == 0) {
      words_turn_ = last;
    } else if (!words_turn_) {
      words_turn_ = last || ++beats_ == turn_;
      if (words_turn_) beats_ = 0;
    }
    return Granted::kLine;
  }

 private:
  unsigned turn_;
  unsigned beats_ = 0;       ///< of transfers since the tile's last access
  bool words_turn_ = false;  ///< the tile's turn comes first
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_PORT_TURNS_H
