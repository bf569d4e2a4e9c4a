// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Harts as threads of GDB, packet by packet, on the scripted engine of three harts.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <thread>

#include "elf_builder.h"
#include "gdb/server.h"
#include "kernel/dynamic_engine.h"
#include "kernel/session.h"

namespace trapeze::gdb {
namespace {

using test::addi;

/** Hart 0 counts up in a0 and loops, hart 1 does the same one instruction later, hart 2 has no program. */
std::vector<ElfFile> programs() {
  std::vector<ElfFile> files;
  for (const unsigned late : {0U, 1U}) {
    test::ElfBuilder builder;
    std::vector<std::uint32_t> words(late, addi(0, 0, 0));
    for (int n = 1; n <= 8; ++n) words.push_back(addi(10, 0, n));
    words.push_back(test::jump(0));
    builder.segments = {{0x80000000, words, 0}, {0x80000100, {addi(11, 0, 'x'), test::kMret}, 0}};
    files.push_back(parse_elf(late == 0 ? "a.elf" : "b.elf", builder.build()));
  }
  return files;
}

/** GDB's side of a connection. */
class GdbThreads : public ::testing::Test {
 protected:
  /** `files`: of programs that harts have of their own. */
  explicit GdbThreads(const std::vector<std::string>& files = {}) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, static_cast<int*>(sockets_)), 0);
    session_.load(Programs(programs(), engine_.info()));
    server_ = std::thread([this, files, socket = sockets_[0]] {
      Connection connection(Descriptor{socket}, [] { return false; });
      const auto never = [](unsigned) { return 0; };
      ending_ =
          Server(connection, target_, never, {}, {{"uart", 0x10000000, 0x100, {0, 1, 2}, false, "UART", {}}}, files)
              .serve();
    });
  }
  ~GdbThreads() override { end(); }

  /** Kills the run unless it has ended. */
  Ending end() {
    if (!server_.joinable()) return ending_;
    const std::string goodbye = frame("k");
    EXPECT_EQ(::write(sockets_[1], goodbye.data(), goodbye.size()), static_cast<ssize_t>(goodbye.size()));
    ::shutdown(sockets_[1], SHUT_WR);
    server_.join();
    ::close(sockets_[1]);
    return ending_;
  }

  std::string ask(const std::string& packet) {
    const std::string framed = frame(packet);
    EXPECT_EQ(::write(sockets_[1], framed.data(), framed.size()), static_cast<ssize_t>(framed.size()));
    while (true) {
      while (auto input = reader_.next()) {
        if (input->kind == Input::Kind::kPacket) return input->payload;
      }
      std::array<char, 4096> bytes{};
      const ssize_t count = ::read(sockets_[1], bytes.data(), bytes.size());
      if (count <= 0) return "closed";
      reader_.feed({bytes.data(), static_cast<std::size_t>(count)});
    }
  }
  /** Stop reply of a hart at an address. */
  static std::string at(unsigned thread, std::uint32_t pc, const std::string& why = "") {
    return "T05" + why + "20:" + to_hex_little(pc, 4) + ";thread:" + std::to_string(thread) + ";";
  }

  int sockets_[2] = {};
  Engine engine_{TEST_FAKE_TRIO};
  Session session_{engine_};
  RunState state_;
  Target target_{engine_, session_, state_, 1000, [] {}};
  PacketReader reader_;
  Ending ending_ = Ending::kLost;
  std::thread server_;
};

/** Harts as processes: hart 2 has no program. */
class GdbProcesses : public GdbThreads {
 protected:
  GdbProcesses() : GdbThreads({"/a.elf", "b.elf"}) {
    EXPECT_NE(ask("qSupported:multiprocess+;swbreak+").find(";multiprocess+;qXfer:exec-file:read+"), std::string::npos);
  }
  static std::string at(unsigned hart, std::uint32_t pc, const std::string& why = "") {
    const std::string thread = std::to_string(hart + 1);
    return "T05" + why + "20:" + to_hex_little(pc, 4) + ";thread:p" + thread + "." + thread + ";";
  }
};

TEST_F(GdbThreads, EachHartIsOne) {
  EXPECT_EQ(ask("qfThreadInfo"), "m1,2,3");
  EXPECT_EQ(ask("qsThreadInfo"), "l");
  EXPECT_EQ(ask("qThreadExtraInfo,2"), to_hex("hart 1, mhartid 5, rv32imc_zicsr"));
  EXPECT_EQ(ask("T3"), "OK");
  EXPECT_EQ(ask("T4"), "E16");
  EXPECT_EQ(ask("Hg4"), "E16");
  EXPECT_EQ(ask("qC"), "QC1");
  EXPECT_EQ(ask("Hg2"), "OK");
  EXPECT_EQ(ask("qC"), "QC2");
}

TEST_F(GdbThreads, BreakpointsAreThoseOfAllHarts) {
  ask("qSupported:swbreak+");
  EXPECT_EQ(ask("Z0,80000010,4"), "OK");
  EXPECT_EQ(ask("vCont;c"), at(1, 0x80000010, "swbreak:;"));
  EXPECT_EQ(ask("vCont;c"), at(2, 0x80000010, "swbreak:;")) << "in the same cycle";
  EXPECT_EQ(state_.cycle, 4U);
  EXPECT_EQ(ask("pa"), to_hex_little(3, 4)) << "registers of the hart that stopped";
  EXPECT_EQ(ask("Hg1"), "OK");
  EXPECT_EQ(ask("pa"), to_hex_little(4, 4));
  EXPECT_EQ(ask("p20"), to_hex_little(0x80000010, 4));
}

TEST_F(GdbThreads, AStepIsOneHarts) {
  EXPECT_EQ(ask("vCont;s:2;c"), at(2, 0x80000004));
  EXPECT_EQ(ask("vCont;s:1;c"), at(1, 0x80000008)) << "all harts go on";
  EXPECT_EQ(ask("vCont;r80000008,80000014:2;c:-1"), at(2, 0x80000014));
  EXPECT_EQ(ask("vCont;s:9"), "E16");
}

TEST_F(GdbThreads, WhileOneIsSteppedAloneNoOtherIsSaidToStop) {
  ask("qSupported:swbreak+");
  ask("Z0,80000004,4");
  ask("Z0,80000008,4");
  EXPECT_EQ(ask("vCont;s:2"), at(2, 0x80000004, "swbreak:;")) << "hart 0 is at its breakpoint, too";
  EXPECT_EQ(ask("vCont;c"), at(1, 0x80000004, "swbreak:;")) << "in the same cycle, so it is told now";
  EXPECT_EQ(ask("vCont;s:1;c"), at(1, 0x80000008, "swbreak:;"));
  EXPECT_EQ(ask("vCont;c:2"), at(2, 0x80000008, "swbreak:;")) << "so GDB steps, by a breakpoint";
}

TEST_F(GdbThreads, MemoryIsAsItsHartSeesIt) {
  EXPECT_EQ(ask("m80000000,4"), to_hex_little(addi(10, 0, 1), 4));
  ask("Hg2");
  EXPECT_EQ(ask("m80000000,4"), to_hex_little(addi(0, 0, 0), 4));
  EXPECT_EQ(ask("M80000000,4:" + to_hex_little(addi(10, 0, 77), 4)), "OK");
  EXPECT_EQ(ask("M80300000,4:01020304"), "OK");
  ask("Hg1");
  EXPECT_EQ(ask("m80000000,4"), to_hex_little(addi(10, 0, 1), 4));
  EXPECT_EQ(ask("m80300000,4"), "01020304") << "shared";
}

TEST_F(GdbThreads, AnEngineWithoutDevicesSaysSo) {
  EXPECT_EQ(ask("m10000000,4"), "E0e") << "nothing there";
  ask("Hg3");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(ask("m10000000,4"), "E0e");
  EXPECT_EQ(ask("m10000008,4"), "E0e") << "said once";
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "trapeze-sim: gdb: nothing read at 0x10000000: this hart shows no devices\n");
  EXPECT_EQ(from_hex(ask("qRcmd," + to_hex("device"))), "this hart shows no devices\n");
  EXPECT_EQ(ask("m80000000,4").size(), 8U) << "it goes on";
}

TEST_F(GdbThreads, LinesAndHandlersNameTheirHart) {
  const auto monitor = [this](const std::string& text) { return from_hex(ask("qRcmd," + to_hex(text))).value_or(""); };
  EXPECT_EQ(monitor("irq 3:2"), "there is no hart '3'; use 0 to 2\n");
  EXPECT_EQ(monitor("irq 1:9"), "there is no interrupt line '1:9'; use 0 to 3\n");
  monitor("catch irq");
  EXPECT_EQ(monitor("irq 1:2"), "line 2 of hart 1 is high until its interrupt is served\n");
  EXPECT_EQ(ask("vCont;c"), at(2, 0x80000100));
}

TEST_F(GdbThreads, NoProcessesForADebuggerThatKnowsNone) {
  EXPECT_EQ(ask("qSupported:multiprocess+").find("multiprocess"), std::string::npos) << "one program";
  EXPECT_EQ(ask("qfThreadInfo"), "m1,2,3");
}

TEST_F(GdbProcesses, EachHasOneThreadAndAFile) {
  EXPECT_EQ(ask("qfThreadInfo"), "mp1.1,p2.2,p3.3");
  EXPECT_EQ(ask("qC"), "QCp1.1");
  EXPECT_EQ(ask("Hgp2.2"), "OK");
  EXPECT_EQ(ask("qC"), "QCp2.2");
  EXPECT_EQ(ask("Hgp3.0"), "OK");
  EXPECT_EQ(ask("qC"), "QCp3.3");
  for (const char* wrong : {"p2.1", "p4.1", "p4.0", "p0.4", "p2.", "p", "4"}) {
    EXPECT_EQ(ask(std::string("T") + wrong), "E16") << wrong;
  }
  EXPECT_EQ(ask("Tp-1.2"), "OK");
  EXPECT_EQ(ask("qThreadExtraInfo,p2.2"), to_hex("hart 1, mhartid 5, rv32imc_zicsr"));
  EXPECT_EQ(ask("qXfer:exec-file:read:1:0,fff"), "l/a.elf");
  EXPECT_EQ(ask("qXfer:exec-file:read:1:2,3"), "m.el");
  const std::string second = ask("qXfer:exec-file:read:2:0,fff");
  EXPECT_EQ(second.substr(0, 2), "l/") << "from wherever GDB was started";
  EXPECT_EQ(second.substr(second.size() - 6), "/b.elf");
  EXPECT_EQ(ask("qXfer:exec-file:read:3:0,fff"), "l");
  EXPECT_EQ(ask("qXfer:exec-file:read:4:0,fff"), "E16");
}

TEST_F(GdbProcesses, BreakpointsAreThoseOfOne) {
  ask("Hgp2.2");
  EXPECT_EQ(ask("Z0,80000010,4"), "OK");
  EXPECT_EQ(ask("vCont;c"), at(1, 0x80000010, "swbreak:;")) << "hart 0 has passed it in the same cycle";
  ask("Hgp1.1");
  EXPECT_EQ(ask("Z0,80000020,4"), "OK");
  EXPECT_EQ(ask("z0,80000010,4"), "OK") << "another's, which stays";
  ask("Hgp2.2");
  EXPECT_EQ(ask("Z0,80000020,4"), "OK");
  EXPECT_EQ(ask("z0,80000020,4"), "OK");
  EXPECT_EQ(ask("vCont;c:p2.-1"), at(0, 0x80000020, "swbreak:;")) << "all harts go on";
}

TEST_F(GdbProcesses, AStepIsOneHarts) {
  EXPECT_EQ(ask("vCont;s:p2.2;c:p-1.-1"), at(1, 0x80000004));
  EXPECT_EQ(ask("vCont;s:p1.1"), at(0, 0x80000008));
  EXPECT_EQ(ask("vCont;s:p2.1"), "E16");
}

TEST_F(GdbProcesses, TheEndIsToldOfEach) {
  EXPECT_EQ(ask("vCont;c"), "X18;process:1");
  EXPECT_EQ(ask("qfThreadInfo"), "mp2.2,p3.3");
  EXPECT_EQ(ask("Tp1.1"), "E16");
  EXPECT_EQ(ask("qRcmd," + to_hex("reset")), to_hex("the run has ended\n"));
  EXPECT_EQ(ask("vCont;c"), "X18;process:2");
  EXPECT_EQ(ask("vKill;3"), "OK");
  EXPECT_EQ(end(), Ending::kLimit);
}

TEST_F(GdbProcesses, OneThatIsLetGoDoesNotStop) {
  EXPECT_EQ(ask("Z0,80000010,4"), "OK");
  EXPECT_EQ(ask("D;1"), "OK");
  EXPECT_EQ(ask("D;4"), "E16");
  EXPECT_EQ(ask("qfThreadInfo"), "mp2.2,p3.3");
  EXPECT_EQ(ask("vCont;c"), "X18;process:2");
  EXPECT_EQ(ask("D;3"), "OK");
  EXPECT_EQ(end(), Ending::kLimit);
}

TEST_F(GdbProcesses, AllThatAreLetGoRunToTheirEnd) {
  for (const char* one : {"D;2", "D;1", "D;3"}) EXPECT_EQ(ask(one), "OK");
  EXPECT_EQ(end(), Ending::kDetached);
}

TEST_F(GdbProcesses, OneThatIsKilledEndsTheRun) {
  EXPECT_EQ(ask("vKill;2"), "OK");
  EXPECT_EQ(ask("vCont;c"), "X09;process:1");
  EXPECT_EQ(ask("vCont;c"), "X09;process:3");
  EXPECT_EQ(end(), Ending::kKilled);
}

}  // namespace
}  // namespace trapeze::gdb
