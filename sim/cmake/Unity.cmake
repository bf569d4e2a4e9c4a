# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# cmake -DDIR=... -P Unity.cmake: gathers Verilator's output of DIR/obj into DIR/fast.cpp, DIR/save.cpp and DIR/slow.cpp.
# One unit for all that runs every cycle lets the compiler inline; what saves and restores runs for each phase of a sweep.
file(GLOB all RELATIVE ${DIR} ${DIR}/obj/Vsim*.cpp)
list(SORT all)
set(fast "")
set(save "")
set(slow "")
foreach(file IN LISTS all)
  if(file MATCHES "___024root__Slow.cpp")
    string(APPEND save "#include \"${file}\"\n")
  elseif(file MATCHES "__(Slow|Trace__|TraceDecls|Dpi)|__Slow")
    string(APPEND slow "#include \"${file}\"\n")
  else()
    string(APPEND fast "#include \"${file}\"\n")
  endif()
endforeach()
file(WRITE ${DIR}/fast.cpp "${fast}")
file(WRITE ${DIR}/save.cpp "${save}")
file(WRITE ${DIR}/slow.cpp "${slow}")
