# CUDA sources as programs for the CPU. This file is used in the tree and installed with it.
#
#   uotbench_add_simt_worker(NAME SOURCE.cu...)         g++; its threads run as fibers: right or wrong, never timed
#   uotbench_add_simt_trace_worker(NAME SOURCE.cu...)   the same, instrumented: what its warps do to memory
#
# It wants set, besides what UotbenchWorker.cmake wants: UOTBENCH_SIMT_PLATFORM and UOTBENCH_SIMT_TRACE (the files
# simt_platform.cpp and simt_trace.cpp), and the targets uotbench::simt and uotbench::warp_callbacks.

# What kernels have to be compiled with: calls are not made jumps, which would hide where they came from; large
# arrays on the stack do not reach across the page that guards it; #pragma unroll is nvcc's.
# Lines are told by paths in the project, whether the compiler was told an absolute one or one from the build's folder.
set(UOTBENCH_FIBER_FLAGS -fno-optimize-sibling-calls -fstack-clash-protection -Wno-unknown-pragmas
  -fdebug-prefix-map=${CMAKE_BINARY_DIR}=. -fdebug-prefix-map=${uotbench_to_source}=)
# And with what else the worker simt has: -g1 for lines in messages.
set(UOTBENCH_SIMT_FLAGS -O2 -g1 -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= ${UOTBENCH_FIBER_FLAGS})

# g++ takes a .cu for nothing it knows: each is included by a file of its own, whose only line that is. Ours by the
# path that messages shall name.
function(uotbench_as_cpp RESULT WORKER)
  set(wrappers "")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(family ${source} DIRECTORY)
    if(family MATCHES "/kernels/([^/]+)")  # ours, in a folder of the family or below it
      set(family ${CMAKE_MATCH_1})
    endif()
    get_filename_component(family ${family} NAME)
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/generated/uotbench-worker-${WORKER}/${family}_${name}.cpp)
    cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${source}" NORMALIZE ours)
    if(ours)
      file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${source})
    endif()
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${source}\"\n")
    list(APPEND wrappers ${wrapper})
  endforeach()
  set(${RESULT} ${wrappers} PARENT_SCOPE)
endfunction()

function(uotbench_add_simt_worker NAME)
  uotbench_as_cpp(sources ${NAME} ${ARGN})
  set(UOTBENCH_OPTIMISE ${UOTBENCH_SIMT_FLAGS})
  uotbench_add_program(${NAME} SOURCES ${sources} ${UOTBENCH_TIMED} ${UOTBENCH_HARNESS}/main.cpp
    ${UOTBENCH_SIMT_PLATFORM} FLAGS "")
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench::shared uotbench::simt)
endfunction()

# Links callbacks of warps: copies and exponentials that are left to the C library pass through them.
function(uotbench_link_warps TARGET)
  target_link_libraries(${TARGET} PRIVATE uotbench::warp_callbacks)
  set(wrapped memcpy memmove memset memcmp exp expf exp2 exp2f)
  list(TRANSFORM wrapped PREPEND "LINKER:--wrap=")
  target_link_options(${TARGET} PRIVATE ${wrapped})
endfunction()

# As UotbenchWorker.cmake tells of trace workers; with basic blocks and calls, from which paths through a kernel are
# known.
function(uotbench_add_simt_trace_worker NAME)
  uotbench_as_cpp(sources ${NAME} ${ARGN})
  set(UOTBENCH_OPTIMISE ${UOTBENCH_TRACED} --param=tsan-instrument-func-entry-exit=1 -fsanitize-coverage=trace-pc
    ${UOTBENCH_FIBER_FLAGS})
  uotbench_add_program(${NAME} SOURCES ${sources} ${UOTBENCH_TIMED} ${UOTBENCH_HARNESS}/main.cpp
    ${UOTBENCH_SIMT_TRACE} FLAGS "")
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench::shared uotbench::simt)
  uotbench_link_warps(uotbench-worker-${NAME})
endfunction()
