# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# trapeze_add_rtl_engine(<configuration>): targets rtl-<configuration> and, outside `all`, rtl-<configuration>-wave, the
# variant with waves, with registers for debuggers, and with the assertions of the design.

if(NOT VERILATOR_BIN)
  set(VERILATOR_BIN ${VERILATOR_ROOT}/bin/verilator)
endif()
foreach(variable VERILATOR_ROOT TRAPEZE_CONFIG_DIR)
  if(NOT EXISTS "${${variable}}")
    message(FATAL_ERROR "${variable} is '${${variable}}', which does not exist; see sim/README.md")
  endif()
endforeach()
if(NOT EXISTS ${VERILATOR_BIN})
  message(FATAL_ERROR "no Verilator at ${VERILATOR_BIN}; set VERILATOR_ROOT or VERILATOR_BIN")
endif()

set(_rtl_dir ${CMAKE_CURRENT_LIST_DIR}/../rtl)
set(_rtl_cmake_dir ${CMAKE_CURRENT_LIST_DIR})

# What reads a hart of a verilated design, and what makes an engine of a whole SoC.
set(_rtl_of_a_hart design_error.cpp rtl_hart.cpp rtl_activity.cpp rtl_posts.cpp snapshot.cpp)
list(TRANSFORM _rtl_of_a_hart PREPEND ${_rtl_dir}/)
set(_rtl_of_a_soc ${_rtl_dir}/rtl_api.cpp ${_rtl_dir}/rtl_engine.cpp)

# Verilator's own library, without and with FST.
set(_rtl_runtime verilated.cpp verilated_save.cpp verilated_threads.cpp)
list(TRANSFORM _rtl_runtime PREPEND ${VERILATOR_ROOT}/include/)

add_library(verilator-flags INTERFACE)
target_include_directories(verilator-flags SYSTEM INTERFACE ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_compile_definitions(verilator-flags INTERFACE VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VM_TIMING=0 VM_TRACE_SAIF=0
  VL_TIME_CONTEXT VL_USER_STOP VL_USER_FATAL VL_USER_FINISH)
find_package(Threads REQUIRED)
target_link_libraries(verilator-flags INTERFACE Threads::Threads)

add_library(verilated STATIC EXCLUDE_FROM_ALL ${_rtl_runtime})
target_compile_definitions(verilated PUBLIC VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
target_link_libraries(verilated PUBLIC verilator-flags)

add_library(verilated-wave STATIC EXCLUDE_FROM_ALL ${_rtl_runtime} ${_rtl_dir}/fst_writer.cpp)
target_compile_definitions(verilated-wave PUBLIC VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0)
# What an assertion says is no output of the program.
target_compile_options(verilated-wave PRIVATE "-DVL_PRINTF(...)=fprintf(stderr,__VA_ARGS__)")
target_link_libraries(verilated-wave PUBLIC verilator-flags lz4 z)

add_library(verilated-vcd STATIC EXCLUDE_FROM_ALL ${_rtl_runtime} ${VERILATOR_ROOT}/include/verilated_vcd_c.cpp)
target_compile_definitions(verilated-vcd PUBLIC VM_TRACE=1 VM_TRACE_FST=0 VM_TRACE_VCD=1)
target_compile_options(verilated-vcd PRIVATE "-DVL_PRINTF(...)=fprintf(stderr,__VA_ARGS__)")
target_link_libraries(verilated-vcd PUBLIC verilator-flags)

# One library: `name`, its folder `dir`, Verilator's arguments `args`, sources `sources`, runtime library `runtime`, compiler
# options of the design `flags`.
function(_rtl_add_library name dir args sources runtime flags)
  set(units ${dir}/fast.cpp ${dir}/save.cpp ${dir}/slow.cpp)
  add_custom_command(
    OUTPUT ${units} ${dir}/obj/Vsim.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}/obj
    COMMAND ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${VERILATOR_ROOT} ${VERILATOR_BIN} --Mdir ${dir}/obj ${args} ${sources}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -P ${_rtl_cmake_dir}/Unity.cmake
    DEPENDS ${sources} ${_rtl_cmake_dir}/Unity.cmake
    COMMENT "Verilating ${name}"
    VERBATIM)
  add_library(${name} MODULE ${ARGN} ${_rtl_of_a_hart} ${units} ${dir}/obj/Vsim.h)
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/../regs/gen/cpp)
  target_include_directories(${name} SYSTEM PRIVATE ${dir}/obj ${TRAPEZE_CONFIG_DIR}/${config})
  target_link_libraries(${name} PRIVATE ${runtime})
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
  # Our own sources are compiled as one: most of their time goes into headers, again for each engine.
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
  set_source_files_properties(${dir}/fast.cpp PROPERTIES COMPILE_OPTIONS "${flags};-w")
  set_source_files_properties(${dir}/save.cpp PROPERTIES COMPILE_OPTIONS "-O2;-w")
  # Construction, reset values and traces: not worth the time that more takes to compile.
  set_source_files_properties(${dir}/slow.cpp PROPERTIES COMPILE_OPTIONS "-O0;-w")
  if(TRAPEZE_NATIVE)
    target_compile_options(${name} PRIVATE -march=native)
  endif()
endfunction()

set(TRAPEZE_RTL_FLAGS -O3 -fno-stack-protector CACHE STRING "compiler options for the verilated design")

# Sets the variables of a configuration's file: top, sources, include_dirs, flat, variant, rtl_flags, several_harts,
# many_sources, scheme, host_base, uart_base.
macro(trapeze_read_config config)
  set(_file ${TRAPEZE_CONFIG_DIR}/${config}.cmake)
  if(NOT EXISTS ${_file})
    message(FATAL_ERROR "no ${_file} for configuration '${config}'; see sim/README.md")
  endif()
  include(${_file})
endmacro()

# Sets `args` in the caller: Verilator's arguments, by the variables of a configuration's file.
macro(_rtl_arguments)
  set(args --cc --quiet --prefix Vsim --top-module ${top} -O3 --x-assign fast --x-initial unique --savable
    --default-language 1800-2017)
  if(several_harts)
    # What tiles have in common stays a module of its own otherwise, whose signals are not in the root.
    list(APPEND args --flatten)
  endif()
  if(many_sources)
    # Inlined and unrolled, the engine of a CLIC with 4096 sources is 67 MB of C++, too much to compile, and one with 256
    # sources takes minutes instead of seconds.
    list(APPEND args --unroll-count 0 ${_rtl_dir}/many_sources.vlt)
  endif()
  list(TRANSFORM include_dirs PREPEND -I)
  list(APPEND args ${include_dirs})
endmacro()

function(trapeze_add_rtl_engine config)
  trapeze_read_config(${config})
  if(rtl_flags)
    set(TRAPEZE_RTL_FLAGS ${rtl_flags})
  endif()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/rtl/${config})
  _rtl_arguments()
  list(APPEND args -GWaitStates=1)
  _rtl_add_library(rtl-${config} ${dir} "${args};--no-assert" "${sources}" verilated "${TRAPEZE_RTL_FLAGS}" ${_rtl_of_a_soc})
  set(device_port)
  if(NOT flat)  # a netlist has no such signals
    set(device_port ";${_rtl_dir}/device_port.vlt")
  endif()
  _rtl_add_library(rtl-${config}-wave ${dir}-wave
    "${args};--assert;-DTRAPEZE_CHECK;--trace-fst;--trace-structs;-GDebug=1${device_port}"
    "${sources}" verilated-wave "-O1;-fno-stack-protector" EXCLUDE_FROM_ALL ${_rtl_of_a_soc} ${_rtl_dir}/rtl_debug.cpp
    ${_rtl_dir}/rtl_bus.cpp)
  target_compile_definitions(rtl-${config}-wave PRIVATE TZ_DEBUG)
  set_source_files_properties(${dir}-wave/save.cpp PROPERTIES COMPILE_OPTIONS "-O2;-w;-include;${_rtl_dir}/forces.h")
  _rtl_add_library(rtl-${config}-vcd ${dir}-vcd "${args};--assert;-DTRAPEZE_CHECK;--trace-vcd;--trace-structs" "${sources}"
    verilated-vcd "-O1;-fno-stack-protector" EXCLUDE_FROM_ALL ${_rtl_of_a_soc})
  set_target_properties(rtl-${config} PROPERTIES EXCLUDE_FROM_ALL TRUE)
endfunction()

# trapeze_add_timed_engine(<configuration>): target timed-<configuration>, the model with one tile of the platform verilated.
function(trapeze_add_timed_engine config)
  trapeze_read_config(${config}/tile)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/timed/${config})
  set(cosim_dir ${CMAKE_CURRENT_SOURCE_DIR}/cosim)
  _rtl_arguments()
  list(APPEND args -GWaitStates=0)
  set(config ${config}/tile)  # the folder of engine_config.h
  _rtl_add_library(timed-${ARGV0} ${dir} "${args};--no-assert" "${sources}" verilated "${TRAPEZE_RTL_FLAGS}" EXCLUDE_FROM_ALL
    ${cosim_dir}/tile_hart.cpp ${cosim_dir}/outside.cpp ${CMAKE_CURRENT_SOURCE_DIR}/engines/model.cpp ${CMAKE_CURRENT_SOURCE_DIR}/engines/timed_harts.cpp)
  # It has a type of its own without a name in a type that has one, which a file by itself may.
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/engines/model.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(timed-${ARGV0} PRIVATE trapeze-coherence trapeze-timing trapeze-harts trapeze-model)
endfunction()
