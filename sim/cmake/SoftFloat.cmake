# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# Target trapeze-float, if SOFTFLOAT_DIR holds the sources of Berkeley SoftFloat 3e: what harts with F and D compute with
# (model/isa/float_arithmetic.h). Of the library the formats of 32 and 64 bits are compiled, as RISC-V specialises it,
# without the functions for machines that lack integers of 64 bits (*M.c).

set(SOFTFLOAT_DIR "" CACHE PATH "sources of Berkeley SoftFloat 3e, for harts with F")

if(EXISTS ${SOFTFLOAT_DIR}/source/RISCV/specialize.h)
  set(_softfloat ${SOFTFLOAT_DIR}/source)
  file(GLOB _softfloat_sources ${_softfloat}/*.c ${_softfloat}/RISCV/*.c)
  list(FILTER _softfloat_sources EXCLUDE REGEX "/[^/]*(F80|[fF]16|[fF]128|256)[^/]*$|M[.]c$")
  add_library(softfloat STATIC EXCLUDE_FROM_ALL ${_softfloat_sources})
  target_include_directories(softfloat SYSTEM PUBLIC ${_softfloat}/include
    PRIVATE ${_softfloat}/RISCV ${SOFTFLOAT_DIR}/build/Linux-x86_64-GCC)
  # Options of the library's own makefile for machines of 64 bits; its state, modes and flags, is each thread's own.
  target_compile_definitions(softfloat PUBLIC THREAD_LOCAL=__thread
    PRIVATE SOFTFLOAT_FAST_INT64 SOFTFLOAT_FAST_DIV32TO16 SOFTFLOAT_FAST_DIV64TO32 INLINE_LEVEL=5)
  target_compile_options(softfloat PRIVATE -O3 -w)

  add_library(trapeze-float STATIC EXCLUDE_FROM_ALL model/isa/float_arithmetic.cpp)
  target_compile_options(trapeze-float PRIVATE -O3)
  target_link_libraries(trapeze-float PUBLIC trapeze-model PRIVATE softfloat trapeze-warnings)
endif()
