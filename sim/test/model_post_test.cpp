// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// User interrupts from hart to hart on the model: senduipi, notifications, and what goes wrong with them.
#include <gtest/gtest.h>
#include <trapeze/host.h>

#include "post_harts.h"

namespace trapeze::model {
namespace {

class ModelPost : public ::testing::Test, public PostHarts {
 protected:
  std::uint32_t after_writing(unsigned number, std::uint32_t value) {
    write(0, number, value);
    return read(0, number);
  }
  /** Hart 0 sends by `index`, which is exception 26 and changes nothing. */
  void expect_refused(std::uint32_t index, const char* why) {
    hart(0).set_mode(kUser);
    send(0, index);
    EXPECT_EQ(cause(0), 26U) << why;
    EXPECT_EQ(read(0, kMtval), index) << why;
    EXPECT_EQ(read(0, kMepc), program(0)) << why;
    EXPECT_EQ(hart(0).pc(), kEntry) << why;
    EXPECT_EQ(control(1), kNotification << 16) << why;
    EXPECT_EQ(posted(1), 0U) << why;
    EXPECT_EQ(requests(1), 0U) << why;
    write(0, kMcause, 0);
  }
};

TEST_F(ModelPost, LegalValues) {
  EXPECT_EQ(after_writing(kMuitt, 0xffffffff), 0xfffffff1U);
  EXPECT_EQ(after_writing(kMuittsz, 0xffffffff), 0xffffU);
  EXPECT_EQ(after_writing(kMupid, 0xffffffff), 0xffffffc1U);
  EXPECT_EQ(after_writing(kMunv, 0xffffffff), 0xffU);
  EXPECT_EQ(after_writing(kMuirr, 0x89abcdef), 0x89abcdefU);
  EXPECT_EQ(after_writing(kMuirrh, 0x12345678), 0x12345678U);
  EXPECT_EQ(read(0, kMuirr), 0x89abcdefU);
  write(0, kUstatus, 0);
  EXPECT_EQ(after_writing(kUcause, 0xffffffff), 0xc8ff1fffU);
}

TEST_F(ModelPost, RegistersAreMachineModes) {
  for (const unsigned number :
       {unsigned{kMuitt}, unsigned{kMuittsz}, unsigned{kMupid}, unsigned{kMunv}, unsigned{kMuirr}, unsigned{kMuirrh}}) {
    hart(0).set_mode(kUser);
    run(0, {csr_op(kCsrSet, 5, number, 0)}, 1);
    EXPECT_EQ(cause(0), unsigned{kIllegal}) << number;
    hart(0).set_mode(kMachine);
    write(0, kMcause, 0);
    run(0, {csr_op(kCsrSet, 5, number, 0)}, 1);
    EXPECT_EQ(cause(0), 0U) << number;
    EXPECT_EQ(hart(0).x(5), read(0, number));
  }
}

TEST_F(ModelPost, IllegalWhereItIsOff) {
  for (const unsigned mode : {kUser, kMachine}) {
    write(0, kMuitt, kTargets);
    hart(0).set_mode(mode);
    send(0, 2);
    EXPECT_EQ(cause(0), unsigned{kIllegal});
    EXPECT_EQ(read(0, kMtval), senduipi(5));
    write(0, kMuitt, kTargets | 1);
    hart(0).set_mode(mode);
    send(0, 2);
    EXPECT_EQ(hart(0).pc(), program(0) + 4);
  }
}

TEST_F(ModelPost, FromHartToHart) {
  send(0, 2);
  EXPECT_EQ(hart(0).pc(), program(0) + 4);
  EXPECT_EQ(requests(1), 1U << 3);
  EXPECT_EQ(requests(0), 0U);
  EXPECT_EQ(control(1), kNotification << 16) << "ON was set, and cleared";
  EXPECT_EQ(posted(1), 0U);
  EXPECT_EQ(source(1, 0) & 1U, 1U);
  EXPECT_EQ(source(0, 0) & 1U, 0U);
  send(0, 3);
  EXPECT_EQ(requests(1), (1U << 3) | (std::uint64_t{1} << 43));
  send(1, 0);
  EXPECT_EQ(requests(0), 1U << 3);
}

TEST_F(ModelPost, EveryVector) {
  std::uint64_t all = 0;
  for (unsigned vector = 0; vector < 64; ++vector) {
    entry(4, vector, descriptor(1));
    send(0, 4);
    all |= std::uint64_t{1} << vector;
    EXPECT_EQ(requests(1), all);
  }
}

TEST_F(ModelPost, ToItself) {
  user_on(0);
  send(0, 0);
  step(0);
  EXPECT_EQ(hart(0).pc(), kUserEntry);
  EXPECT_EQ(read(0, kUepc), program(0) + 4);
  EXPECT_EQ(read(0, kUcause), kInterrupt | kWasOn | kPosted | 3U);
}

TEST_F(ModelPost, FromUserModeToWhatItMayNotAccess) {
  // Rows without a lock bind user mode alone.
  write(0, kPmpaddr0, (kTargets | 0x1ff) >> 2);  // 1 KiB: table and descriptors
  write(0, kPmpcfg0, kRowNapot);
  send(0, 2);
  EXPECT_EQ(requests(1), 1U << 3);
  run(0, {test::load(2, 6, 7, 0)}, 0);
  hart(0).set_x(7, descriptor(1));
  step(0);
  EXPECT_EQ(cause(0), unsigned{kLoadFault});
}

TEST_F(ModelPost, InvalidIndex) {
  expect_refused(kEntries, "the first one behind the table");
  expect_refused(0x80000002, "a large one");
  expect_refused(0x10000002, "times 16 it is entry 2");
  expect_refused(0xffffffff, "the largest");
  write(0, kMuittsz, 2);
  expect_refused(2, "a smaller table");
  write(0, kMuittsz, 0);
  expect_refused(0, "an empty table");
}

TEST_F(ModelPost, InvalidEntries) {
  expect_refused(7, "an entry of zeros");
  entry(4, 3, descriptor(1));
  poke(kTargets + 64, peek(kTargets + 64) & ~1U);
  expect_refused(4, "not valid");
  for (unsigned bit = 1; bit < 128; ++bit) {
    const bool vector = bit >= 8 && bit < 14;
    const bool address = bit >= 70 && bit < 96;
    if (vector || address) continue;
    entry(4, 3, descriptor(1));
    const std::uint32_t at = kTargets + 64 + 4 * (bit / 32);
    poke(at, peek(at) | (1U << (bit % 32)));
    expect_refused(4, ("bit " + std::to_string(bit)).c_str());
  }
}

TEST_F(ModelPost, DescriptorsThatAreNoMemory) {
  entry(4, 3, TRAPEZE_CLIC_BASE + 0x1000);
  expect_refused(4, "a device");
  entry(4, 3, TRAPEZE_HOST_BASE);
  expect_refused(4, "another device");
  entry(4, 3, 0x40);
  expect_refused(4, "nothing");
  entry(4, 3, TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE);
  expect_refused(4, "behind a memory");
  write(0, kMuitt, TRAPEZE_CLIC_BASE | 1);
  expect_refused(0, "a table in a device");
  write(0, kMuitt, 1);
  expect_refused(0, "a table in nothing");
  write(0, kMuitt, 0xfffffff1);
  expect_refused(1, "a table around the end");
}

TEST_F(ModelPost, WordsThatMachineModeMayNotAccess) {
  constexpr std::uint8_t kLocked = kRowLocked | kRowNa4;
  const auto try_word = [](std::uint32_t address, std::uint8_t rights, bool refused) {
    PostHarts fresh;
    fresh.write(0, kPmpaddr0, address / 4);
    fresh.write(0, kPmpcfg0, kLocked | rights);
    fresh.send(0, 2);
    EXPECT_EQ(fresh.cause(0), refused ? 26U : 0U) << std::hex << address << " " << unsigned{rights};
    EXPECT_EQ(fresh.requests(1), refused ? 0U : 8U);
    EXPECT_EQ(fresh.posted(1), 0U);
    EXPECT_EQ(fresh.control(1), kNotification << 16);
  };
  for (const std::uint32_t offset : {0U, 4U, 8U, 12U}) {
    try_word(kTargets + 32 + offset, 0, true);
    try_word(kTargets + 32 + offset, kRowR, false);
  }
  for (const std::uint32_t offset : {0U, 4U, 8U}) {
    try_word(descriptor(1) + offset, 0, true);
    try_word(descriptor(1) + offset, kRowR, true);
    try_word(descriptor(1) + offset, kRowR | kRowW, false);
  }
  try_word(descriptor(1) + 12, 0, false);  // the other half of PUIR is none of its business
}

TEST_F(ModelPost, SuppressedAndOutstanding) {
  for (const std::uint32_t bit : {Descriptor::kOutstanding, Descriptor::kSuppressed}) {
    poke(descriptor(1), (kNotification << 16) | bit);
    poke(descriptor(1) + 8, 0x10);
    send(0, 2);
    EXPECT_EQ(control(1), (kNotification << 16) | bit) << "as it was";
    EXPECT_EQ(posted(1), 0x18U);
    EXPECT_EQ(requests(1), 0U);
  }
}

TEST_F(ModelPost, ReservedBitsStay) {
  poke(descriptor(1), 0xff00fffcU | (kNotification << 16));
  send(0, 2);
  EXPECT_EQ(control(1), 0xff00fffcU | (kNotification << 16));
  EXPECT_EQ(requests(1), 8U);
}

TEST_F(ModelPost, ToNoHart) {
  poke(descriptor(1) + 4, 2);
  send(0, 2);
  EXPECT_EQ(control(1), (kNotification << 16) | Descriptor::kOutstanding);
  EXPECT_EQ(posted(1), 8U);
  EXPECT_EQ(requests(0) | requests(1), 0U);
}

TEST_F(ModelPost, BothToOne) {
  send(0, 2);
  send(1, 3);
  EXPECT_EQ(requests(1), 8U | (std::uint64_t{1} << 43));
  send(0, 2);
  send(1, 2);
  EXPECT_EQ(requests(1), 8U | (std::uint64_t{1} << 43)) << "one bit for a vector";
}

TEST_F(ModelPost, NotificationsOfOthersAreTheKernels) {
  const auto expect_pending = [&](unsigned id, bool pending) {
    EXPECT_EQ(source(1, id) & 1U, pending ? 1U : 0U) << id;
    EXPECT_EQ(control(1) & 3U, Descriptor::kOutstanding);
    EXPECT_EQ(posted(1), 8U);
    EXPECT_EQ(requests(1), 0U);
    poke(descriptor(1) + 8, 0);
    source(1, id, 0);
  };
  const auto send_with = [&](unsigned notification) {
    poke(descriptor(1), notification << 16);
    send(0, 2);
  };
  for (const std::uint32_t trigger : {1U, 3U}) {  // of either edge
    source(1, 21, 0x80c00100U | (trigger << 17));
    send_with(21);
    expect_pending(21, true);
  }
  source(1, 21, 0x80c00100U);
  send_with(21);
  expect_pending(21, false);  // level-triggered
  send_with(64);
  expect_pending(21, false);  // there is none
  source(1, kNotification, 0x80c20100U);
  write(1, kMupid, descriptor(1));
  send_with(kNotification);
  expect_pending(kNotification, true);  // no receiver
  source(1, kNotification, 0x80c20100U);
  write(1, kMupid, TRAPEZE_HOST_BASE | 1);
  send_with(kNotification);
  expect_pending(kNotification, true);  // no memory
  source(1, kNotification, 0x80c20100U);
  write(1, kMupid, descriptor(1) | 1);
  write(1, kPmpaddr0, descriptor(1) / 4 + 3);
  write(1, kPmpcfg0, kRowLocked | kRowNa4 | kRowR);
  send_with(kNotification);
  expect_pending(kNotification, true);  // a word that it may not write
}

TEST_F(ModelPost, TheKernelIsToldTheVector) {
  source(1, 21, 0x80c20100U);
  poke(descriptor(1), 21U << 16);
  idle(1);
  send(0, 2);
  step(1);
  EXPECT_EQ(hart(1).pc(), kEntry);
  EXPECT_EQ(cause(1), kInterrupt | 21U);
}

TEST_F(ModelPost, ASpuriousNotificationClearsOn) {
  // That of a thread that has left, with the vector of the one that runs.
  poke(descriptor(1), (kNotification << 16) | Descriptor::kOutstanding);
  poke(descriptor(0) + 4, 1);
  send(0, 0);
  EXPECT_EQ(control(1), kNotification << 16);
  EXPECT_EQ(requests(1), 0U);
  EXPECT_EQ(posted(0), 8U) << "stays for the thread's return";
  EXPECT_EQ(control(0) & 1U, 1U);
}

TEST_F(ModelPost, EndsReservations) {
  hart(1).set_x(6, descriptor(1) + 8);
  const std::uint32_t load_reserved = 0x100322af, store_conditional = 0x185323af;  // lr.w x5, (x6); sc.w x7, x5, (x6)
  run(1, {load_reserved, kNop, store_conditional}, 1);
  write(1, kMupid, 0);  // the notification changes nothing there
  send(0, 2);
  step(1, 2);
  EXPECT_EQ(hart(1).x(7), 1U);
  EXPECT_EQ(posted(1), 8U);
}

TEST_F(ModelPost, SnapshotsHoldWhatWaits) {
  send(0, 2);
  const auto snapshot = machine.save();
  machine.reset();
  EXPECT_EQ(requests(1), 0U);
  EXPECT_EQ(source(1, 0) & 1U, 0U);
  machine.restore(*snapshot);
  EXPECT_EQ(requests(1), 8U);
  EXPECT_EQ(source(1, 0) & 1U, 1U);
}

}  // namespace
}  // namespace trapeze::model
