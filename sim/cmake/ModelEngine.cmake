# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# trapeze_add_model_engine(<configuration>): target model-<configuration>, the model as that platform.

set(_model_dir ${CMAKE_CURRENT_LIST_DIR}/../model)

# Without configuration: devices, decoder. Tests use it too.
add_library(trapeze-model STATIC ${_model_dir}/bus.cpp ${_model_dir}/clint.cpp ${_model_dir}/decode.cpp
  ${_model_dir}/host.cpp ${_model_dir}/uart.cpp)
target_include_directories(trapeze-model PUBLIC ${CMAKE_CURRENT_LIST_DIR}/../../regs/gen/c)
target_link_libraries(trapeze-model PUBLIC trapeze-kernel PRIVATE trapeze-warnings)

function(trapeze_add_model_engine config)
  set(file ${TRAPEZE_CONFIG_DIR}/${config}.json)
  file(READ ${file} json)
  file(READ ${TRAPEZE_MAP} map)
  set(TZ_CONFIG ${config})
  _rtl_get(TZ_ISA "${json}" isa)
  _rtl_get(TZ_LINES "${json}" lines)
  _rtl_get(TZ_LINE_ID_BASE "${json}" line_id_base 16)
  _rtl_get(TZ_RESET_VECTOR "${json}" reset_vector)
  _rtl_get(TZ_HARTS "${json}" harts 1)
  string(JSON TZ_HART_ID ERROR_VARIABLE error GET "${json}" parameters HartId)
  if(error)
    set(TZ_HART_ID 0)
  endif()

  set(TZ_MEMORIES "")
  string(JSON regions LENGTH "${map}" regions)
  math(EXPR last "${regions} - 1")
  foreach(i RANGE ${last})
    string(JSON kind GET "${map}" regions ${i} kind)
    if(kind STREQUAL "memory")
      string(JSON name GET "${map}" regions ${i} name)
      string(JSON base GET "${map}" regions ${i} base)
      string(JSON size GET "${map}" regions ${i} size)
      string(APPEND TZ_MEMORIES " X(\"${name}\", ${base}ULL, ${size}ULL)")
    endif()
  endforeach()

  set(dir ${CMAKE_CURRENT_BINARY_DIR}/model/${config})
  configure_file(${_model_dir}/model_config.h.in ${dir}/model_config.h)
  add_library(model-${config} MODULE ${_model_dir}/engine.cpp)
  set_target_properties(model-${config} PROPERTIES PREFIX "")
  target_include_directories(model-${config} PRIVATE ${dir})
  target_link_libraries(model-${config} PRIVATE trapeze-model trapeze-warnings)
  target_link_options(model-${config} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
  # Jumps to computed addresses are what the loop is made of: these two would gather them into one.
  target_compile_options(model-${config} PRIVATE -O3 -fno-gcse -fno-crossjumping)
  if(TRAPEZE_NATIVE)
    target_compile_options(model-${config} PRIVATE -march=native)
  endif()
endfunction()
