# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# cmake -DDIR=... -P Unity.cmake: gathers Verilator's output of DIR/obj into DIR/fast.cpp and DIR/slow.cpp. Two units are
# as many as most machines can use here, and one unit for all that runs every cycle lets the compiler inline.
file(GLOB all RELATIVE ${DIR} ${DIR}/obj/Vsim*.cpp)
list(SORT all)
set(fast "")
set(slow "")
foreach(file IN LISTS all)
  if(file MATCHES "__(Slow|Trace__|TraceDecls|Dpi)|__Slow")
    string(APPEND slow "#include \"${file}\"\n")
  else()
    string(APPEND fast "#include \"${file}\"\n")
  endif()
endforeach()
file(WRITE ${DIR}/fast.cpp "${fast}")
file(WRITE ${DIR}/slow.cpp "${slow}")
