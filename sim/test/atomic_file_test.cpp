// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_builder.h"
#include "kernel/error.h"
#include "kernel/fst_file.h"

namespace trapeze {
namespace {

using test::TempDir;

/** The message of the error when 1 MiB is written to `path`. */
std::string error_of_writing(const std::string& path) {
  try {
    AtomicFile file(path, "record");
    file.write(std::string(1U << 20, 'x'));
    file.commit();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(AtomicFile, AppearsWholeOnCommit) {
  const TempDir dir;
  const std::string path = dir / "out.json";
  {
    AtomicFile file(path, "record");
    file.write("one");
    EXPECT_NE(::access(path.c_str(), F_OK), 0);
    file.write(" two");
    file.commit();
  }
  EXPECT_EQ(test::read_text(path), "one two");
  EXPECT_EQ(dir.list(), std::vector<std::string>{"out.json"});
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TempDir dir;
  test::write_bytes(dir / "old", {'o', 'l', 'd'});
  {
    AtomicFile fresh(dir / "new", "record");
    AtomicFile over(dir / "old", "record");
    fresh.write("x");
    over.write("x");
  }
  EXPECT_EQ(dir.list(), std::vector<std::string>{"old"});
  EXPECT_EQ(test::read_text(dir / "old"), "old");
}

TEST(AtomicFile, KeepsModeAndFollowsLinks) {
  const TempDir dir;
  test::write_bytes(dir / "real", {'x'});
  ASSERT_EQ(::chmod((dir / "real").c_str(), 0640), 0);
  ASSERT_EQ(::symlink((dir / "real").c_str(), (dir / "link").c_str()), 0);
  AtomicFile file(dir / "link", "record");
  file.write("new");
  file.commit();
  EXPECT_EQ(test::read_text(dir / "real"), "new");
  struct stat status = {};
  ASSERT_EQ(::lstat((dir / "link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(::stat((dir / "real").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(AtomicFile, FullDiskIsAnError) {
  const std::string message = error_of_writing("/dev/full");
  EXPECT_NE(message.find("'/dev/full': No space left on device; free space"), std::string::npos) << message;
  struct stat status = {};
  ASSERT_EQ(::stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode)) << "a device is not replaced";
}

TEST(AtomicFile, DevicesAreWrittenDirectly) {
  EXPECT_EQ(error_of_writing("/dev/null"), "");
}

TEST(AtomicFile, BadPlaces) {
  const TempDir dir;
  EXPECT_NE(error_of_writing(dir / "none/x").find("create the folder first"), std::string::npos);
  EXPECT_NE(error_of_writing(dir.path()).find("give the name of a file"), std::string::npos);
}

TEST(FstFile, RecognisesWholeFiles) {
  const TempDir dir;
  std::vector<std::uint8_t> bytes(1 + 329 + 1 + 8 + 4);
  bytes[7] = 329 >> 8;
  bytes[8] = 329 & 0xff;
  for (std::size_t i = 202; i < 228; ++i) bytes[i] = 'd';
  bytes[1 + 329] = 1;
  bytes[1 + 329 + 8] = 12;
  test::write_bytes(dir / "whole", bytes);
  EXPECT_TRUE(fst_is_whole(dir / "whole"));
  EXPECT_TRUE(fst_clear_date(dir / "whole"));
  EXPECT_EQ(test::read_text(dir / "whole").find('d'), std::string::npos);
  bytes.pop_back();
  test::write_bytes(dir / "short", bytes);
  EXPECT_FALSE(fst_is_whole(dir / "short"));
  test::write_bytes(dir / "empty", {});
  EXPECT_FALSE(fst_is_whole(dir / "empty"));
  EXPECT_FALSE(fst_is_whole(dir / "missing"));
}

}  // namespace
}  // namespace trapeze
