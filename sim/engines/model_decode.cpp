// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// model-decode ISA [-s] FILE: decodes the words of FILE (32 bits, little endian) with the model's decoder. A compressed
// instruction is in the lower half of its word. Prints one line for each word that is not illegal: number of the word,
// operation, rd, rs1, rs2, rs3, immediate, and 1 if the immediate is relative to the program counter. With -s the hart
// has S mode. For verify.dev.encodings.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>
#include <vector>

#include "kernel/input_file.h"
#include "model/isa/decode.h"

namespace {

using namespace trapeze::model;

constexpr const char* kNames[] = {
#define TZ_NAME(name) #name,
    TZ_MODEL_OPERATIONS(TZ_NAME)
#undef TZ_NAME
};

void decode_all(const Params& params, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
    const Decoded found = decode(word, params);
    if (found.op == Operation::illegal) continue;
    std::printf("%zu %s %d %d %d %d %d %d\n", at / 4, kNames[static_cast<std::size_t>(found.op)], found.rd, found.rs1,
                found.rs2, found.rs3, found.imm, static_cast<int>(found.relative));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool supervisor = argc == 4 && std::string_view(argv[2]) == "-s";
    const Params params = parse_params(argc == 3 || supervisor ? argv[1] : "").with_supervisor(supervisor);
    if (params.valid) {
      decode_all(params, trapeze::read_input(argv[argc - 1], "words"));
      return 0;
    }
    std::fprintf(stderr,
                 "model-decode: an ISA that the model has, such as rv32imc, -s for S mode, and a file of words\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "model-decode: %s\n", error.what());
  }
  return 2;
}
