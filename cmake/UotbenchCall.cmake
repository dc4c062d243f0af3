# Kernels as functions (docs/guide/call.md), built on demand: the target `call`.
#
#   lib/libuotbench.so              harness/call/call.h: the oracle, and the choice of kernels by the CPU
#   lib/libuotbench_native_v3.so    the objects of the worker native-v3 themselves: what is called is what was timed
#
# An object of a program may be part of a library where it refers to no data of another library by address. So all names
# but the interface are local (call.map), the C++ library is part of each library, and so is what is left of such data
# (addressed_data.cpp).
set(call_options LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/call.map LINKER:-Bsymbolic LINKER:--as-needed
  LINKER:--no-undefined -static-libstdc++)

# The part of a worker that kernels call. It has variables of threads, so it is compiled anew.
file(GLOB call_harness CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} harness/worker/*.cpp
  harness/worker/base/arena.cpp harness/host/process/blas_cores.cpp)
add_library(uotbench_call_harness OBJECT EXCLUDE_FROM_ALL ${call_harness} harness/call/addressed_data.cpp)
target_compile_options(uotbench_call_harness PRIVATE -O2)
target_link_libraries(uotbench_call_harness PRIVATE uotbench_harness_protocol OpenMP::OpenMP_CXX)
set_target_properties(uotbench_call_harness PROPERTIES POSITION_INDEPENDENT_CODE ON)

set(call_folder ${PROJECT_BINARY_DIR}/lib)
if(UOTBENCH_SANITIZE)
  string(APPEND call_folder /sanitized)  # an interpreter cannot load these: import uotbench does not look here
endif()

function(uotbench_call_library TARGET TYPE NAME)
  add_library(${TARGET} ${TYPE} EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${TARGET} PROPERTIES PREFIX lib OUTPUT_NAME ${NAME} POSITION_INDEPENDENT_CODE ON
    LIBRARY_OUTPUT_DIRECTORY ${call_folder} LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/call.map)
  target_link_options(${TARGET} PRIVATE ${call_options})
  target_link_libraries(${TARGET} PRIVATE uotbench_harness_protocol OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
endfunction()

add_custom_target(call)
# Of a worker, as far as it is one: not what speaks to the program.
foreach(worker native native-v3 native-v4)
  set(program uotbench-worker-${worker})
  if(NOT TARGET ${program})
    continue()
  endif()
  string(REPLACE - _ name uotbench_${worker})
  set(objects $<FILTER:$<TARGET_OBJECTS:${program}>,EXCLUDE,/worker/program/>)
  uotbench_call_library(${name} MODULE ${name} harness/call/native.cpp ${objects} $<TARGET_OBJECTS:uotbench_shared>
    $<TARGET_OBJECTS:uotbench_call_harness>)
  # With what runs around kernels in the program, so that the hash of a variant is the same as there.
  uotbench_note_code(${name} ${objects})
  add_dependencies(${name} uotbench_worker)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:uotbench_worker>)
  uotbench_sources_for(sources ${worker} ${kernel_sources})
  uotbench_link_needs(${name} ${sources})
  add_dependencies(call ${name})
endforeach()

file(GLOB call_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} harness/call/*.cpp)
list(FILTER call_sources EXCLUDE REGEX "/(native|addressed_data)\\.cpp$")
uotbench_together(call_sources uotbench_call 8 ${call_sources} harness/worker/serve/build.cpp)
uotbench_call_library(uotbench_call SHARED uotbench ${call_sources}
  $<FILTER:$<TARGET_OBJECTS:uotbench_call_harness>,EXCLUDE,/arrays\.cpp>)  # the oracle has that one
target_link_libraries(uotbench_call PRIVATE uotbench_oracle_families)
add_dependencies(call uotbench_call)
