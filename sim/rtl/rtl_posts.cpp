// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What posts and notifications of user interrupts do: observe_pkg::posts_t (hw/common), which the top has as plain
// ports.
#include <string>

#include "rtl/rtl_hart.h"

using namespace trapeze::rtl;

namespace {

/** The operation of an `atop` of obi_pkg (hw/common). */
tz_word_op operation_of(unsigned atop) {
  switch (atop) {
    case 0x25:  // AtopLoad
      return TZ_WORD_LOAD;
    case 0x28:  // AtopOr
      return TZ_WORD_OR;
    case 0x2c:  // AtopAnd
      return TZ_WORD_AND;
    case 0x21:  // AtopSwap
      return TZ_WORD_SWAP;
    case 0x29:  // AtopMark
      return TZ_WORD_MARK;
    default:
      throw DesignError("a post or a notification accesses memory by operation " + std::to_string(atop) +
                        ", which none of them has");
  }
}

}  // namespace

void RtlHart::show_posts(std::uint64_t cycle, const tz_run_args& args, tz_run_result& result) const {
  const auto add = [&](tz_post_kind kind, std::uint32_t address, std::uint32_t value, tz_word_op op = TZ_WORD_LOAD) {
    args.posts[result.num_posts++] = {cycle,
                                      address,
                                      value,
                                      static_cast<std::uint16_t>(number_),
                                      static_cast<std::uint8_t>(kind),
                                      static_cast<std::uint8_t>(op)};
  };
  if (io_.observe_posts_word_o[place_] != 0) {
    add(io_.observe_posts_notified_o[place_] != 0 ? TZ_POST_TAKE : TZ_POST_ACCESS, io_.observe_posts_addr_o[place_],
        io_.observe_posts_wdata_o[place_], operation_of(io_.observe_posts_atop_o[place_]));
  }
  if (io_.observe_posts_joins_o[place_] != 0) {
    add(TZ_POST_JOIN, io_.observe_posts_high_o[place_] != 0 ? 32 : 0, io_.observe_posts_vectors_o[place_]);
  }
  if (io_.observe_posts_sends_o[place_] != 0) {
    add(TZ_POST_SEND, io_.observe_posts_to_o[place_], io_.observe_posts_vector_o[place_]);
  }
  if (io_.observe_posts_ends_o[place_] != 0) {
    add(io_.observe_posts_pulse_o[place_] != 0 ? TZ_POST_EDGE : TZ_POST_END, 0, io_.observe_posts_source_o[place_]);
  }
}
