// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * @brief Main memory and devices of the harness.
 *
 * The UART stands where the map `app` has it. Its host port, at 0x100000, is outside of what Rocket gives its ports, so
 * a second one stands at kHostPort: a program that was refused at the first (store access fault) writes there.
 */
#ifndef TRAPEZE_BENCH_TIMING_ACCURACY_TARGETS_H_
#define TRAPEZE_BENCH_TIMING_ACCURACY_TARGETS_H_

#include <trapeze/host.h>
#include <trapeze/map_app.h>
#include <trapeze/uart.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "axi_port.h"

namespace rocket {

constexpr std::uint64_t kResetVector = 0x10000000;  // RTL: `reset_vector` of LitexFullConfig
constexpr std::uint64_t kHostPort = 0x11000000;     // HARNESS_HOST_BASE in ../platform.h

inline std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/** Main memory, as large as that of the map `app`. */
class Memory final : public Target {
 public:
  /** Holds the bytes of a file from the first address on. */
  explicit Memory(const std::string& image) : bytes_(TRAPEZE_DRAM_SIZE) {
    std::ifstream file(image, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error("--image: cannot read '" + image + "'");
    const auto size = static_cast<std::uint64_t>(file.tellg());
    if (size == 0 || size > bytes_.size()) {
      throw std::runtime_error("--image: '" + image + "' has " + std::to_string(size) + " bytes; memory has " +
                               std::to_string(bytes_.size()));
    }
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes_.data()), static_cast<std::streamsize>(size));
  }

  std::uint64_t read(std::uint64_t address) override {
    // Lines behind the end are fetched when the core guesses; what they hold is never executed.
    std::uint64_t value = 0;
    if (inside(address)) std::memcpy(&value, &bytes_[address - TRAPEZE_DRAM_BASE], sizeof(value));
    touched_ = true;
    return value;
  }

  void write(std::uint64_t address, std::uint64_t data, unsigned lanes) override {
    if (!inside(address)) throw std::runtime_error("the program writes outside of memory, at " + hex(address));
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane) & 1U) {
        bytes_[address - TRAPEZE_DRAM_BASE + lane] = static_cast<std::uint8_t>(data >> (8 * lane));
      }
    }
  }

  bool touched() const { return touched_; }

 private:
  bool inside(std::uint64_t address) const {
    return address >= TRAPEZE_DRAM_BASE && address - TRAPEZE_DRAM_BASE < bytes_.size();
  }

  std::vector<std::uint8_t> bytes_;
  bool touched_ = false;
};

/** The console, the end of the run, and the code at the reset vector. */
class Devices final : public Target {
 public:
  explicit Devices(const Memory& memory) : memory_(memory) {}

  std::uint64_t read(std::uint64_t address) override {
    // The UART has the address of the reset vector, which nothing reads any more once memory has been read.
    if (!memory_.touched() && address >= kResetVector && address < kResetVector + sizeof(kBoot)) {
      std::uint64_t code = 0;
      std::memcpy(&code, &kBoot[(address - kResetVector) / sizeof(kBoot[0])], sizeof(code));
      return code;
    }
    if (address == TRAPEZE_UART_BASE) {
      return std::uint64_t{TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK} << (8 * TRAPEZE_UART_LSR_OFFSET);
    }
    return 0;
  }

  void write(std::uint64_t address, std::uint64_t data, unsigned lanes) override {
    if (address == TRAPEZE_UART_BASE && (lanes & 1U)) std::putchar(static_cast<int>(data & 0xffU));
    if (address != kHostPort + TRAPEZE_HOST_FINISHER_OFFSET || (lanes & 15U) != 15U || code_) return;
    const auto status = data & TRAPEZE_HOST_FINISHER_STATUS_MASK;
    const auto code = static_cast<std::uint32_t>(data) >> TRAPEZE_HOST_FINISHER_CODE_SHIFT;
    if (status == TRAPEZE_HOST_FINISHER_STATUS_PASS) code_ = 0;
    if (status == TRAPEZE_HOST_FINISHER_STATUS_FAIL) code_ = static_cast<int>(code);
  }

  /** The program's exit code, once it has ended. */
  std::optional<int> code() const { return code_; }

 private:
  // li t0, 1; slli t0, t0, 31; jr t0; nop: to the first address of memory.
  static constexpr std::uint32_t kBoot[] = {0x00100293, 0x01f29293, 0x00028067, 0x00000013};

  const Memory& memory_;
  std::optional<int> code_;
};

}  // namespace rocket

#endif  // TRAPEZE_BENCH_TIMING_ACCURACY_TARGETS_H_
