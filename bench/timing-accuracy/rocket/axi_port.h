// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * @brief The subordinate's side of an AXI4 port of 64 bits: answers bursts of increasing addresses in their order, each
 * after a fixed time.
 */
#ifndef TRAPEZE_BENCH_TIMING_ACCURACY_AXI_PORT_H_
#define TRAPEZE_BENCH_TIMING_ACCURACY_AXI_PORT_H_

#include <cstdint>
#include <deque>
#include <stdexcept>

namespace rocket {

/** What stands behind a port. Addresses are those of doublewords; bit n of `lanes` says that byte n is written. */
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;
  virtual std::uint64_t read(std::uint64_t address) = 0;
  virtual void write(std::uint64_t address, std::uint64_t data, unsigned lanes) = 0;
};

/** Times of a port, in cycles, each at least 1. */
struct Times {
  std::uint64_t first = 1;  ///< From the handshake of a read's address to its first beat.
  std::uint64_t beat = 1;   ///< From one beat of a read to the next.
  std::uint64_t write = 1;  ///< From the last beat of a write to its response.
};

/** What the core drives in one cycle. */
struct Requests {
  struct Address {
    bool valid;
    std::uint64_t address;
    unsigned id, beats, size, burst;
  };
  Address read, write;
  bool data_valid, data_last, read_ready, response_ready;
  std::uint64_t data;
  unsigned lanes;
};

/** What the port drives in one cycle; addresses are always taken. */
struct Answers {
  bool data_ready = false, read_valid = false, read_last = false, response_valid = false;
  std::uint64_t read_data = 0;
  unsigned read_id = 0, response_id = 0;
};

class AxiPort {
 public:
  AxiPort(Target& target, const Times& times) : target_(target), times_(times) {}

  /** What the port drives in a cycle, before the core's part of that cycle is known. */
  const Answers& answers(std::uint64_t cycle) {
    now_ = {};
    now_.data_ready = !writes_.empty();
    if (!reads_.empty() && cycle >= reads_.front().due && cycle >= next_beat_) {
      const Burst& burst = reads_.front();
      now_.read_valid = true;
      if (!fetched_) held_ = target_.read(burst.address & ~std::uint64_t{7});
      fetched_ = true;
      now_.read_data = held_;
      now_.read_id = burst.id;
      now_.read_last = burst.beats == 1;
    }
    if (!responses_.empty() && cycle >= responses_.front().due) {
      now_.response_valid = true;
      now_.response_id = responses_.front().id;
    }
    return now_;
  }

  /** The handshakes of the same cycle. */
  void step(std::uint64_t cycle, const Requests& core) {
    if (now_.read_valid && core.read_ready) beat_read(cycle);
    if (now_.response_valid && core.response_ready) responses_.pop_front();
    if (now_.data_ready && core.data_valid) beat_written(cycle, core);
    if (core.read.valid) {
      reads_.push_back(burst(core.read, cycle + times_.first));
      ++reads;
    }
    if (core.write.valid) {
      writes_.push_back(burst(core.write, 0));
      ++writes;
    }
  }

  std::uint64_t reads = 0;   ///< Bursts read.
  std::uint64_t writes = 0;  ///< Bursts written.

 private:
  struct Burst {
    std::uint64_t address, due;
    unsigned id, beats, bytes;

    void advance() { address = (address & ~std::uint64_t{bytes - 1}) + bytes; }
  };
  struct Response {
    std::uint64_t due;
    unsigned id;
  };

  static Burst burst(const Requests::Address& asked, std::uint64_t due) {
    constexpr unsigned kIncreasing = 1;
    if (asked.beats > 1 && asked.burst != kIncreasing)
      throw std::runtime_error("a burst of a kind that is not handled");
    return {asked.address, due, asked.id, asked.beats, 1U << asked.size};
  }

  void beat_read(std::uint64_t cycle) {
    fetched_ = false;
    next_beat_ = cycle + times_.beat;
    if (--reads_.front().beats == 0) {
      reads_.pop_front();
    } else {
      reads_.front().advance();
    }
  }

  void beat_written(std::uint64_t cycle, const Requests& core) {
    Burst& of = writes_.front();
    target_.write(of.address & ~std::uint64_t{7}, core.data, core.lanes);
    of.advance();
    if (!core.data_last) return;
    responses_.push_back({cycle + times_.write, of.id});
    writes_.pop_front();
  }

  Target& target_;
  Times times_;
  Answers now_;
  std::deque<Burst> reads_, writes_;
  std::deque<Response> responses_;
  std::uint64_t next_beat_ = 0, held_ = 0;
  bool fetched_ = false;
};

}  // namespace rocket

#endif  // TRAPEZE_BENCH_TIMING_ACCURACY_AXI_PORT_H_
