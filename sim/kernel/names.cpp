// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/names.h"

#include <trapeze/isa.hpp>

namespace trapeze {

std::string interrupt_name(unsigned id, std::uint32_t line_id_base, std::uint32_t num_lines) {
  if (id >= line_id_base && id - line_id_base < num_lines) return "line " + std::to_string(id - line_id_base);
  switch (id) {
    case isa::interrupt::kUserPost:
      return "user post";
    case isa::interrupt::kSoftware:
      return "software";
    case isa::interrupt::kTimer:
      return "timer";
    case isa::interrupt::kExternal:
      return "external";
    default:
      return "id " + std::to_string(id);
  }
}

std::string exception_name(std::uint64_t cause) {
  switch (cause) {
    case isa::exception::kFetchMisaligned:
      return "instruction address misaligned";
    case isa::exception::kFetchFault:
      return "instruction access fault";
    case isa::exception::kIllegalInstruction:
      return "illegal instruction";
    case isa::exception::kBreakpoint:
      return "breakpoint";
    case isa::exception::kLoadMisaligned:
      return "load address misaligned";
    case isa::exception::kLoadFault:
      return "load access fault";
    case isa::exception::kStoreMisaligned:
      return "store address misaligned";
    case isa::exception::kStoreFault:
      return "store access fault";
    case isa::exception::kEcallU:
      return "environment call from U-mode";
    case isa::exception::kEcallS:
      return "environment call from S-mode";
    case isa::exception::kEcallM:
      return "environment call from M-mode";
    case isa::exception::kFetchPageFault:
      return "instruction page fault";
    case isa::exception::kLoadPageFault:
      return "load page fault";
    case isa::exception::kStorePageFault:
      return "store page fault";
    case isa::exception::kFrameStoreFault:
      return "frame store fault";
    case isa::exception::kFrameLoadFault:
      return "frame load fault";
    case isa::exception::kSendFault:
      return "send fault";
    default:
      return "cause " + std::to_string(cause);
  }
}

}  // namespace trapeze
