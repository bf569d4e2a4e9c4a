// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Verilator's FST writer, with checks that throw. The original aborts the process when the disk is full. With these
// checks the engine reports an error instead.
#include <fstcpp/fstcpp_assertion.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#undef FST_CHECK
#undef FST_CHECK_EQ
#undef FST_CHECK_NE
#undef FST_CHECK_GT
#undef FST_CHECK_GE

// What failed is a matter of the file: the system's error says more than the condition.
#define FST_CHECK(condition)                      \
  if (!(condition))                               \
  throw std::runtime_error("cannot write waves" + \
                           (errno == 0 ? std::string() : std::string(": ") + std::strerror(errno)))
#define FST_CHECK_EQ(a, b) FST_CHECK((a) == (b))
#define FST_CHECK_NE(a, b) FST_CHECK((a) != (b))
#define FST_CHECK_GT(a, b) FST_CHECK((a) > (b))
#define FST_CHECK_GE(a, b) FST_CHECK((a) >= (b))

#include <verilated_fst_c.cpp>
