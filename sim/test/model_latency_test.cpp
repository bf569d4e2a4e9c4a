// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's latency measurement against the register description and the rules in hw/probe/README.md.
#include <gtest/gtest.h>
#include <trapeze/map.h>
#include <trapeze/probe.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include "model/platform/latency.h"

namespace trapeze::model {
namespace {

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kWe = TRAPEZE_PROBE_CONTROL_WE_MASK;
constexpr std::uint32_t kClear = TRAPEZE_PROBE_CONTROL_CLEAR_MASK;
constexpr std::uint32_t kEnable = TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK;
constexpr std::uint32_t kOneShot = TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK;
constexpr std::uint32_t kPulse = TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK;
constexpr std::uint32_t kReady = TRAPEZE_RANDOM_STATUS_READY_MASK;
constexpr std::uint32_t kBusy = TRAPEZE_RANDOM_STATUS_BUSY_MASK;

constexpr std::uint32_t probe(unsigned number, std::uint32_t offset) {
  return (number == 0 ? TRAPEZE_PROBE_REGS0_BASE : TRAPEZE_PROBE_REGS1_BASE) + offset;
}
constexpr std::uint32_t control(unsigned number) {
  return probe(number, TRAPEZE_PROBE_CONTROL_OFFSET);
}
constexpr std::uint32_t random(std::uint32_t offset) {
  return TRAPEZE_PROBE_RANDOM_BASE + offset;
}
constexpr std::uint32_t timer(std::uint32_t offset, unsigned number = 0) {
  return TRAPEZE_PROBE_TIMER_BASE + offset + number * TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE;
}
constexpr std::uint32_t stress(std::uint32_t offset) {
  return TRAPEZE_PROBE_STRESS_BASE + offset;
}

/** The device, accessed by addresses. `now` is the cycle in which a block sees an access, one before the bus grant. */
class ModelLatency : public ::testing::Test {
 protected:
  std::uint32_t get(std::uint32_t address, std::uint64_t now) {
    const DeviceRead read = device.read(address - TRAPEZE_PROBE_BASE, kWord, now + 1);
    EXPECT_FALSE(read.error) << std::hex << address;
    return read.value;
  }
  bool open(std::uint32_t address) { return device.read(address - TRAPEZE_PROBE_BASE, kWord, 0).open; }
  void put(std::uint32_t address, std::uint32_t value, std::uint64_t now) {
    EXPECT_TRUE(device.write(address - TRAPEZE_PROBE_BASE, kWord, value, now + 1)) << std::hex << address;
  }
  std::uint32_t num(unsigned number, std::uint64_t now) {
    return get(control(number), now) >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT;
  }
  std::uint32_t missed(unsigned number, std::uint64_t now) {
    return (get(control(number), now) & TRAPEZE_PROBE_CONTROL_MISSED_MASK) >> TRAPEZE_PROBE_CONTROL_MISSED_SHIFT;
  }
  /** Reads a whole block; the last word is answered in `done`. */
  void take_block(std::uint64_t done) {
    for (unsigned i = parameters.words; i > 0; --i) get(random(TRAPEZE_RANDOM_DATA_OFFSET), done - i);
  }

  LatencyParameters parameters;
  Latency device{parameters};
};

TEST_F(ModelLatency, ValuesAfterReset) {
  put(random(TRAPEZE_RANDOM_SEED_OFFSET), 77, 0);
  put(stress(TRAPEZE_STRESS_BANKS_OFFSET), 0, 0);
  put(control(0), kWe, 0);
  device.reset();
  EXPECT_EQ(get(control(0), 1), 0U);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_ALARM_LAT_OFFSET), 1), 0U);
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_SEED_OFFSET), 1), unsigned{TRAPEZE_RANDOM_SEED_RESET});
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 1), 0U);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET, 2), 1), 0U);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_BANKS_OFFSET), 1), unsigned{TRAPEZE_STRESS_BANKS_RESET});
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_SEED_OFFSET), 1), unsigned{TRAPEZE_STRESS_SEED_RESET});
  EXPECT_FALSE(device.interrupt(1000000));
  EXPECT_EQ(device.next_event(1), kNever);
}

TEST_F(ModelLatency, OnlyWholeWordsAndOnlyWhereSomethingIs) {
  const std::uint32_t seed = random(TRAPEZE_RANDOM_SEED_OFFSET) - TRAPEZE_PROBE_BASE;
  for (unsigned enables = 0; enables < kWord; ++enables) {
    EXPECT_TRUE(device.read(seed, enables, 0).error) << enables;
    EXPECT_FALSE(device.write(seed, enables, 5, 0)) << enables;
  }
  for (const std::uint32_t hole : {TRAPEZE_PROBE_SAMPLES0_SIZE, 0xffc, 0x2800, 0x7000, 0x7ffc}) {
    EXPECT_TRUE(device.read(hole, kWord, 0).error) << hole;
    EXPECT_FALSE(device.write(hole, kWord, 0, 0)) << hole;
  }
  EXPECT_FALSE(device.write(0, kWord, 0, 0)) << "a sample";
  EXPECT_FALSE(device.read(0, kWord, 0).error);
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_SEED_OFFSET), 0), 1U);
}

TEST_F(ModelLatency, ASampleThatWasNeverRecordedMayReadAnything) {
  EXPECT_TRUE(open(TRAPEZE_PROBE_SAMPLES0_BASE));
  put(control(0), kWe, 0);
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK, 1);
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 10, 2);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable | kOneShot, 3);
  EXPECT_EQ(num(0, 1000), 1U);
  EXPECT_FALSE(open(TRAPEZE_PROBE_SAMPLES0_BASE));
  EXPECT_EQ(get(TRAPEZE_PROBE_SAMPLES0_BASE, 2000), parameters.cycles);
  EXPECT_TRUE(open(TRAPEZE_PROBE_SAMPLES0_BASE + 4));
  EXPECT_FALSE(open(control(0)));
}

TEST_F(ModelLatency, ABlockOfWords) {
  put(random(TRAPEZE_RANDOM_SEED_OFFSET), 1, 0);
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), TRAPEZE_RANDOM_CONTROL_START_MASK, 10);
  EXPECT_EQ(device.next_event(10), 10U + parameters.cycles);
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 11), kBusy);
  EXPECT_FALSE(device.interrupt(9 + parameters.cycles));
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_DATA_OFFSET), 9 + parameters.cycles), 0U) << "not ready";
  EXPECT_TRUE(device.interrupt(10 + parameters.cycles));
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 100), kReady | (16U << TRAPEZE_RANDOM_STATUS_WORDS_SHIFT));
  // The sequence from 1, as in the literature.
  for (const std::uint32_t word : {270369U, 67634689U, 2647435461U, 307599695U, 2398689233U}) {
    EXPECT_EQ(get(random(TRAPEZE_RANDOM_DATA_OFFSET), 100), word);
  }
  for (unsigned i = 5; i < parameters.words; ++i) {
    EXPECT_TRUE(device.interrupt(100));
    get(random(TRAPEZE_RANDOM_DATA_OFFSET), 100);
  }
  EXPECT_FALSE(device.interrupt(100));
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 100), 0U);
}

TEST_F(ModelLatency, OverrunAndAcknowledge) {
  constexpr std::uint32_t kStart = TRAPEZE_RANDOM_CONTROL_START_MASK;
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), kStart, 0);
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), kStart, 5);
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 6), kBusy | TRAPEZE_RANDOM_STATUS_OVERRUN_MASK);
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), TRAPEZE_RANDOM_CONTROL_ACK_MASK | kStart, 20);
  EXPECT_EQ(get(random(TRAPEZE_RANDOM_STATUS_OFFSET), 21), 0U) << "a start with an acknowledge is lost";
  EXPECT_FALSE(device.interrupt(1000));
  EXPECT_EQ(num(1, 1000), 0U);
}

TEST_F(ModelLatency, TimersByPeriod) {
  for (unsigned n = 0; n < 3; ++n) {
    const auto status = timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET, n);
    const auto count = timer(TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET, n);
    put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET, n), 10, 0);
    put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET, n), kEnable, 100);
    EXPECT_EQ(get(count, 101), 0U);
    EXPECT_EQ(get(count, 109), 8U);
    EXPECT_EQ(get(status, 110), 0U);
    EXPECT_EQ(get(status, 111), 1U);
    EXPECT_EQ(get(count, 112), 1U);
    put(status, 1, 113);
    EXPECT_EQ(get(status, 120), 0U);
    EXPECT_EQ(get(status, 121), 1U);
    EXPECT_EQ(get(count, 100000000124), 3U) << "many periods at once";
    put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET, n), 0, 100000000126);
    EXPECT_EQ(get(count, 100000009999), 6U) << "stopped";
    device.reset();
  }
}

TEST_F(ModelLatency, OneShotAndLongestPeriod) {
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 10, 0);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable | kOneShot, 10);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), 20), kEnable | kOneShot);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), 21), kOneShot);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET), 50), 0U);
  put(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 1, 60);
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 0, 61);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable, 70);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 70 + 0x100000000ULL), 0U);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 71 + 0x100000000ULL), 1U);
  // A count that is past a new period expires at once.
  put(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 1, 5000000000);
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 5, 5000000001);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 5000000002), 0U);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 5000000003), 1U);
  // An expiry in the very cycle of a write is not lost: one of `expired`, and one of control that starts anew.
  put(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 1, 5000000007);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 5000000009), 1U);
  put(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 1, 5000000010);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable, 5000000012);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET), 5000000014), 1U);
  EXPECT_EQ(get(timer(TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET), 5000000015), 1U);
}

TEST_F(ModelLatency, TheWholeMeasurement) {
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK, 0);
  put(probe(1, TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0x10032, 0);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0), 0x32U) << "16 bits";
  for (const unsigned n : {0U, 1U}) put(control(n), kWe | kClear, 0);
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 999, 0);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable | kPulse, 100);
  const std::uint64_t waits[] = {40, 17, 50, 51};
  std::uint64_t rise = 1100;
  for (const std::uint64_t wait : waits) {
    const std::uint64_t ready = rise + parameters.cycles;
    EXPECT_LE(device.next_event(rise - 1), ready);
    EXPECT_FALSE(device.interrupt(ready - 1));
    EXPECT_EQ((get(control(1), ready - 1) & TRAPEZE_PROBE_CONTROL_ALARM_MASK), 0U);
    EXPECT_TRUE(device.interrupt(ready));
    take_block(ready + wait);
    rise += 999;
  }
  EXPECT_EQ(num(0, rise - 1), 4U);
  EXPECT_EQ(num(1, rise - 1), 4U);
  EXPECT_NE(get(control(1), rise - 1) & TRAPEZE_PROBE_CONTROL_ALARM_MASK, 0U) << "51 is above 50";
  EXPECT_EQ(get(probe(0, TRAPEZE_PROBE_MIN_OFFSET), rise - 1), parameters.cycles);
  EXPECT_EQ(get(probe(0, TRAPEZE_PROBE_MAX_OFFSET), rise - 1), parameters.cycles);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_MIN_OFFSET), rise - 1), 17U);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_MAX_OFFSET), rise - 1), 51U);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_LAST_OFFSET), rise - 1), 51U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4 * i, rise - 1), waits[i]);
  put(control(1), kClear, rise - 1);
  EXPECT_EQ(get(control(1), rise - 1), 0U);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_MAX_OFFSET), rise - 1), 0U);
  EXPECT_EQ(get(probe(1, TRAPEZE_PROBE_ALARM_LAT_OFFSET), rise - 1), 0x32U);
  EXPECT_EQ(get(TRAPEZE_PROBE_SAMPLES1_BASE, rise - 1), waits[0]) << "samples stay";
}

TEST_F(ModelLatency, MissedInterrupts) {
  put(control(0), kWe, 0);
  put(timer(TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET), 10, 0);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable | kPulse, 10);
  EXPECT_EQ(missed(0, 22), 0U) << "the first one is measured";
  EXPECT_EQ(missed(0, 42), 2U);
  EXPECT_EQ(missed(0, 1000000), 255U);
  // A level that is not cleared rises only once.
  put(control(0), kWe | kClear, 1000005);
  put(timer(TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET), kEnable, 1000005);
  const std::uint32_t once = missed(0, 1000010);
  EXPECT_EQ(missed(0, 2000000), once);
}

/** A probe whose signals are low but where a test says so. */
struct DrivenProbe {
  void until(std::uint64_t time) {
    for (; now < time; ++now) probe.step(false, false, nullptr);
  }
  void step(std::uint64_t time, bool interrupt, bool acknowledge) {
    until(time);
    probe.step(interrupt, acknowledge, nullptr);
    ++now;
  }
  void interrupt(std::uint64_t time) { step(time, true, false); }
  void acknowledge(std::uint64_t time) { step(time, false, true); }
  void write(std::uint64_t time, std::uint32_t value) {
    until(time);
    const BlockWrite write{TRAPEZE_PROBE_CONTROL_OFFSET, value};
    probe.step(false, false, &write);
    ++now;
  }
  std::uint32_t read(std::uint64_t time, std::uint32_t offset) {
    until(time);
    return probe.read(offset);
  }
  std::uint32_t control(std::uint64_t time) { return read(time, TRAPEZE_PROBE_CONTROL_OFFSET); }

  LatencyProbe probe{8, 4};
  std::uint64_t now = 0;
};

TEST_F(ModelLatency, TheProbesRules) {
  DrivenProbe one;
  one.acknowledge(3);
  one.interrupt(5);
  EXPECT_EQ(one.control(6), 0U) << "off";
  one.write(7, kWe);
  one.acknowledge(9);
  one.step(11, true, true);
  EXPECT_EQ(one.control(13), kWe) << "no latency of 0";
  EXPECT_EQ(one.control(12 + 255), kWe);
  EXPECT_EQ(one.control(13 + 255), kWe | TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK) << "as soon as it is too long";
  one.acknowledge(310);
  one.interrupt(316);
  EXPECT_EQ(one.control(317) >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT, 0U);
  EXPECT_FALSE(one.probe.sample(0)) << "written in this cycle";
  EXPECT_EQ(one.control(318) >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT, 1U);
  EXPECT_EQ(one.read(318, TRAPEZE_PROBE_LAST_OFFSET), 255U);
  EXPECT_EQ(one.control(318) & TRAPEZE_PROBE_CONTROL_ALARM_MASK, 0U) << "no limit";
  EXPECT_EQ(one.control(318) >> TRAPEZE_PROBE_CONTROL_MISSED_SHIFT & 0xff, 1U);
  one.interrupt(318);
  one.acknowledge(319);
  EXPECT_EQ(one.read(330, TRAPEZE_PROBE_MIN_OFFSET), 1U);
  // When the probe is switched off, it abandons the measurement.
  one.interrupt(400);
  one.write(401, 0);
  one.write(402, kWe);
  one.acknowledge(410);
  for (std::uint64_t t = 500; t < 600; t += 20) {
    one.interrupt(t);
    one.acknowledge(t + 3);
  }
  EXPECT_EQ(one.control(700) >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT, 7U);
  EXPECT_EQ(one.probe.sample(0), 255U);
  EXPECT_EQ(one.probe.sample(4), 1U);
  EXPECT_EQ(one.probe.sample(8), 3U);
  EXPECT_EQ(one.probe.sample(16), 255U) << "the window repeats";
}

TEST_F(ModelLatency, StressCountsButAccessesNothing) {
  put(stress(TRAPEZE_STRESS_SEED_OFFSET), 0, 0);
  put(stress(TRAPEZE_STRESS_BANKS_OFFSET), 0xfd, 1);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_BANKS_OFFSET), 2), 5U);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_SEED_OFFSET), 9), 1U);
  put(stress(TRAPEZE_STRESS_RATE_OFFSET), 0x1ff, 10);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_SEED_OFFSET), 12), 270369U);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_RATE_OFFSET), 13), 0xffU);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_ACCESSES_OFFSET), 14), 2U);
  put(stress(TRAPEZE_STRESS_RATE_OFFSET), 0, 15);
  EXPECT_EQ(get(stress(TRAPEZE_STRESS_ACCESSES_OFFSET), 16), 0U);
}

TEST_F(ModelLatency, ACopyIsASnapshot) {
  put(random(TRAPEZE_RANDOM_CONTROL_OFFSET), TRAPEZE_RANDOM_CONTROL_START_MASK, 0);
  put(control(1), kWe, 0);
  const Latency saved = device;
  const auto play = [this] {
    EXPECT_TRUE(device.interrupt(40));
    take_block(60);
    return get(probe(1, TRAPEZE_PROBE_LAST_OFFSET), 70);
  };
  EXPECT_EQ(play(), 60 - parameters.cycles);
  device = saved;
  EXPECT_EQ(num(1, 10), 0U);
  EXPECT_EQ(play(), 60 - parameters.cycles);
}

}  // namespace
}  // namespace trapeze::model
