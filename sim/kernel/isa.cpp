// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/isa.h"

#include "kernel/error.h"

namespace trapeze {

Isa parse_isa(std::string_view text) {
  const std::string shown(text);
  const auto fail = [&shown] {
    throw Error("bad ISA string '" + shown + "'; expected something like rv32imc_zba_zbb_zbs_zicsr");
  };
  Isa isa;
  if (text.substr(0, 4) == "rv64") {
    isa.xlen = 64;
  } else if (text.substr(0, 4) != "rv32") {
    fail();
  }
  if (text.size() < 5 || (text[4] != 'i' && text[4] != 'e')) fail();
  isa.embedded = text[4] == 'e';
  std::size_t at = 5;
  for (; at < text.size() && text[at] != '_'; ++at) {
    if (text[at] < 'a' || text[at] > 'z') fail();
    isa.extensions.insert(std::string(1, text[at]));
  }
  while (at < text.size()) {
    const std::size_t end = text.find('_', at + 1);
    const std::string_view word = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    if (word.empty()) fail();
    isa.extensions.insert(std::string(word));
    at = end == std::string_view::npos ? text.size() : end;
  }
  return isa;
}

FrameLayout frame_layout_of(std::string_view text) {
  const Isa isa = parse_isa(text);
  return frame_layout(isa.embedded, isa.has(kWholeFrames));
}

}  // namespace trapeze
