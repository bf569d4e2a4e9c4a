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

# Reads one value of a configuration file; the fourth argument is the default, without it the value must be there.
function(_rtl_get out json key)
  string(JSON value ERROR_VARIABLE error GET "${json}" ${key})
  if(error)
    if(ARGC LESS 4)
      message(FATAL_ERROR "configuration '${config}' lacks '${key}': ${error}")
    endif()
    set(value "${ARGV3}")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Reads the memory map of a configuration, trapeze.map/2.
function(_rtl_get_map out config json)
  string(JSON file ERROR_VARIABLE error GET "${json}" map)
  if(error OR NOT EXISTS "${file}")
    message(FATAL_ERROR "configuration '${config}': its memory map '${file}' does not exist; see sim/README.md")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} map)
  set(${out} "${map}" PARENT_SCOPE)
endfunction()

# Reads a list of strings; absent: empty.
function(_rtl_get_list out json key)
  set(result)
  string(JSON length ERROR_VARIABLE error LENGTH "${json}" ${key})
  if(NOT error AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(i RANGE ${last})
      string(JSON item GET "${json}" ${key} ${i})
      list(APPEND result "${item}")
    endforeach()
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

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
  add_library(${name} MODULE ${ARGN} ${_rtl_dir}/rtl_api.cpp
    ${_rtl_dir}/rtl_engine.cpp ${_rtl_dir}/rtl_activity.cpp ${_rtl_dir}/rtl_posts.cpp ${_rtl_dir}/snapshot.cpp ${units} ${dir}/obj/Vsim.h)
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/../regs/gen/cpp)
  target_include_directories(${name} SYSTEM PRIVATE ${dir}/obj ${dir})
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

# Adds the rows of a hart to TZ_HARTS, TZ_BUS_PORTS and TZ_MEMORIES (engine_config.h.in): its number `h`, its part `hart` of
# the configuration, the prefix `soc` of the SoC's signals in the verilated root, whether the SoC is flat (a netlist,
# whose instances have their paths as names), and the memory map.
function(_rtl_add_hart h hart soc flat map)
  foreach(key isa hart_id reset_vector lines line_id_base line_delay scheme sources banks)
    string(JSON ${key} GET "${hart}" ${key})
  endforeach()
  string(APPEND TZ_HARTS " X(${h}, \"${isa}\", \"${scheme}\", ${hart_id}ULL, ${reset_vector}ULL, ${lines}, \
${line_id_base}, ${line_delay}, ${sources}, ${banks})")

  # Brackets and dots of a name are different from those of a path.
  set(tile ${soc}gen_tile__BRA__${h}__KET____DOT__u_tile__DOT__)
  set(dot __DOT__)
  if(NOT flat)
    string(APPEND TZ_BUS_PORTS " X(${h}, ${tile}mgr_)")
  endif()
  if(flat)
    set(tile ${soc}gen_tile__05b${h}__05d__02eu_tile__02e)
    set(dot __02e)
  endif()

  set(count 0)
  string(JSON regions LENGTH "${map}" regions)
  math(EXPR last "${regions} - 1")
  foreach(i RANGE ${last})
    string(JSON kind GET "${map}" regions ${i} kind)
    if(kind STREQUAL "memory")
      foreach(key name base size per_hart)
        string(JSON ${key} GET "${map}" regions ${i} ${key})
      endforeach()
      set(shared 0)
      set(array ${tile}u_${name}__DOT__mem)
      if(NOT per_hart)
        set(shared 1)
        set(array ${soc}gen_${name}${dot}u_${name}__DOT__mem)
      endif()
      string(APPEND TZ_MEMORIES " X(${h}, \"${name}\", ${base}ULL, ${size}ULL, ${shared}, ${array})")
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
  set(TZ_BUS_PORTS "${TZ_BUS_PORTS}" PARENT_SCOPE)
  set(TZ_HARTS "${TZ_HARTS}" PARENT_SCOPE)
  set(TZ_MEMORIES "${TZ_MEMORIES}" PARENT_SCOPE)
  set(TZ_MEMORIES_OF_A_HART ${count} PARENT_SCOPE)
endfunction()

set(TRAPEZE_RTL_FLAGS -O3 -fno-stack-protector CACHE STRING "compiler options for the verilated design")

function(trapeze_add_rtl_engine config)
  set(file ${TRAPEZE_CONFIG_DIR}/${config}.json)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "no ${file} for configuration '${config}'")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} json)
  _rtl_get_map(map ${config} "${json}")

  _rtl_get(top "${json}" top)
  _rtl_get(package "${json}" package)
  _rtl_get(flat "${json}" flat OFF)
  _rtl_get_list(sources "${json}" sources)
  _rtl_get_list(include_dirs "${json}" include_dirs)
  _rtl_get_list(defines "${json}" defines)
  _rtl_get_list(flags "${json}" rtl_flags)
  if(flags)
    set(TRAPEZE_RTL_FLAGS ${flags})
  endif()
  if(NOT sources)
    message(FATAL_ERROR "configuration '${config}' has no sources in ${file}")
  endif()

  set(TZ_CONFIG ${config})
  set(TZ_HARTS "")
  set(TZ_BUS_PORTS "")
  set(TZ_MEMORIES "")
  string(JSON TZ_NUM_HARTS LENGTH "${json}" harts)
  math(EXPR last_hart "${TZ_NUM_HARTS} - 1")
  set(TZ_MOST_SOURCES 0)
  set(TZ_HART_SIGNALS "")
  foreach(h RANGE ${last_hart})
    string(JSON hart GET "${json}" harts ${h})
    string(JSON sources_of_hart GET "${hart}" sources)
    if(sources_of_hart GREATER TZ_MOST_SOURCES)
      set(TZ_MOST_SOURCES ${sources_of_hart})
    endif()
    if(h EQUAL 0)
      string(APPEND TZ_HART_SIGNALS "\"mtip\", \"msip\"")
    else()
      string(APPEND TZ_HART_SIGNALS ", \"${h}:mtip\", \"${h}:msip\"")
    endif()
    _rtl_add_hart(${h} "${hart}" ${top}__DOT__u_soc__DOT__ "${flat}" "${map}")
  endforeach()

  # The package of the platform is a source of the top.
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/rtl/${config})
  file(CONFIGURE OUTPUT ${dir}/platform_pkg.sv CONTENT "${package}" @ONLY)
  set(place 0)
  foreach(source IN LISTS sources)
    if(source MATCHES "/${top}\\.sv$")
      break()
    endif()
    math(EXPR place "${place} + 1")
  endforeach()
  list(INSERT sources ${place} ${dir}/platform_pkg.sv)

  set(args --cc --quiet --prefix Vsim --top-module ${top} -O3 --x-assign fast --x-initial unique --savable
    --default-language 1800-2017 -GWaitStates=1)
  if(TZ_NUM_HARTS GREATER 1)
    # What tiles have in common stays a module of its own otherwise, whose signals are not in the root.
    list(APPEND args --flatten)
  endif()
  if(TZ_MOST_SOURCES GREATER 128)
    # Inlined and unrolled, the engine of a CLIC with 4096 sources is 67 MB of C++, too much to compile, and one with 256
    # sources takes minutes instead of seconds.
    list(APPEND args --unroll-count 0 ${_rtl_dir}/many_sources.vlt)
  endif()
  list(TRANSFORM include_dirs PREPEND -I)
  list(TRANSFORM defines PREPEND -D)
  list(APPEND args ${include_dirs} ${defines})

  configure_file(${_rtl_dir}/engine_config.h.in ${dir}/engine_config.h)
  configure_file(${_rtl_dir}/engine_config.h.in ${dir}-wave/engine_config.h)
  set(checks --no-assert)
  if(defines)
    set(checks --assert)
  endif()
  _rtl_add_library(rtl-${config} ${dir} "${args};${checks}" "${sources}" verilated "${TRAPEZE_RTL_FLAGS}")
  set(device_port)
  if(NOT flat)  # a netlist has no such signals
    set(device_port ";${_rtl_dir}/device_port.vlt")
  endif()
  _rtl_add_library(rtl-${config}-wave ${dir}-wave
    "${args};--assert;-DTRAPEZE_CHECK;--trace-fst;--trace-structs;-GDebug=1${device_port}"
    "${sources}" verilated-wave "-O1;-fno-stack-protector" EXCLUDE_FROM_ALL ${_rtl_dir}/rtl_debug.cpp
    ${_rtl_dir}/rtl_bus.cpp)
  target_compile_definitions(rtl-${config}-wave PRIVATE TZ_DEBUG)
  set_source_files_properties(${dir}-wave/save.cpp PROPERTIES COMPILE_OPTIONS "-O2;-w;-include;${_rtl_dir}/forces.h")
  configure_file(${_rtl_dir}/engine_config.h.in ${dir}-vcd/engine_config.h)
  _rtl_add_library(rtl-${config}-vcd ${dir}-vcd "${args};--assert;-DTRAPEZE_CHECK;--trace-vcd;--trace-structs" "${sources}"
    verilated-vcd "-O1;-fno-stack-protector" EXCLUDE_FROM_ALL)
  set_target_properties(rtl-${config} PROPERTIES EXCLUDE_FROM_ALL TRUE)
endfunction()
