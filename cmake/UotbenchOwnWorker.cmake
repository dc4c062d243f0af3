# A worker in somebody's own repository, with the builds that count for it. Installed, and not used in the tree.
#
#   uotbench_add_worker(NAME SOURCE... [FLAGS FLAG...])
#
# makes of C++ sources
#   uotbench-worker-NAME                what is judged and timed
#   uotbench-worker-NAME-nofma          the same for callgrind: valgrind 3.19 splits the memory operand of a vector FMA
#                                       into elements, an access each, and knows no AVX-512
#   uotbench-worker-NAME-trace          the same with its memory accesses counted
# and of CUDA sources, where this uotbench was built with Boost.Context,
#   uotbench-worker-NAME                run thread by thread on the CPU: judged, never timed
#   uotbench-worker-NAME-simt-trace     the same with what its warps do to memory counted
# and beside them uotbench-worker-NAME.worker.json, the manifest by which `--worker NAME=…/uotbench-worker-NAME` finds
# the builds that count. -DUOTBENCH_COUNTING=OFF leaves these out. Libraries, folders and definitions that are added to
# the target uotbench-worker-NAME are those of the builds that count, too.
#
#   uotbench_install_worker(NAME)
#
# `cmake --install` puts all of it beside the uotbench that it was built with, which then knows NAME.
option(UOTBENCH_COUNTING "build what counts for a worker, too: for callgrind, and the trace" ON)

# The build COUNTING has what is added to the target of NAME.
function(uotbench_as_its_worker NAME COUNTING)
  set(its uotbench-worker-${NAME})
  target_compile_definitions(${COUNTING} PRIVATE $<TARGET_PROPERTY:${its},COMPILE_DEFINITIONS>)
  target_include_directories(${COUNTING} PRIVATE $<TARGET_PROPERTY:${its},INCLUDE_DIRECTORIES>)
  target_link_libraries(${COUNTING} PRIVATE $<TARGET_PROPERTY:${its},LINK_LIBRARIES>)
  set_property(TARGET ${its} APPEND PROPERTY UOTBENCH_COUNTING_BUILDS ${COUNTING})
endfunction()

# MORE: lines of JSON, each begun with a comma.
function(uotbench_write_manifest NAME MORE)
  file(GENERATE OUTPUT $<TARGET_FILE:uotbench-worker-${NAME}>.worker.json CONTENT
"{
  \"name\": \"${NAME}\",
  \"about\": \"built in ${CMAKE_CURRENT_SOURCE_DIR}\",
  \"command\": [\"{bin}/uotbench-worker-${NAME}\"]${MORE}
}
")
endfunction()

function(uotbench_add_cpp_worker NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "FLAGS;SOURCES")
  # With lines, so that a crash names the kernel's. They change no instruction.
  uotbench_add_native(${NAME} ${ARG_SOURCES} FLAGS ${ARG_FLAGS} ${UOTBENCH_LINES})
  set(builds "")
  if(UOTBENCH_COUNTING)
    set(callgrind ${NAME})
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(callgrind ${NAME}-nofma)
      uotbench_add_native(${callgrind} ${ARG_SOURCES} FLAGS ${ARG_FLAGS} -march=x86-64-v3 -mno-avx512f -mno-fma
                          ${UOTBENCH_LINES})
      target_compile_definitions(uotbench-worker-${callgrind} PRIVATE UOTBENCH_COUNTED)
      uotbench_as_its_worker(${NAME} uotbench-worker-${callgrind})
    endif()
    set(builds "\"callgrind\": [\"{bin}/uotbench-worker-${callgrind}\"],
                 \"callgrind-l2\": [\"{bin}/uotbench-worker-${callgrind}\"]")
    if(UOTBENCH_TRACES)
      uotbench_add_trace_worker(${NAME}-trace ${ARG_SOURCES} FLAGS ${ARG_FLAGS})
      uotbench_as_its_worker(${NAME} uotbench-worker-${NAME}-trace)
      string(APPEND builds ",\n                 \"trace\": [\"{bin}/uotbench-worker-${NAME}-trace\"]")
    endif()
    set(builds ",\n  \"counted_by\": {${builds}}")
  endif()
  uotbench_write_manifest(${NAME} "${builds}")
endfunction()

function(uotbench_add_cu_worker NAME)
  if(NOT TARGET uotbench::simt)
    message(FATAL_ERROR "uotbench_add_worker(${NAME}): this uotbench was built without Boost.Context, which runs CUDA "
                        "sources on the CPU; docs/guide/install.md names the package")
  endif()
  uotbench_add_simt_worker(${NAME} ${ARGN})
  target_include_directories(uotbench-worker-${NAME} PRIVATE ${CMAKE_SOURCE_DIR})  # by such paths they are included
  set(more ",\n  \"steps\": [\"verify\"]")
  if(UOTBENCH_COUNTING AND UOTBENCH_TRACES)
    uotbench_add_simt_trace_worker(${NAME}-simt-trace ${ARGN})
    uotbench_as_its_worker(${NAME} uotbench-worker-${NAME}-simt-trace)
    string(APPEND more ",\n  \"counters\": [\"simt-trace:gpu\"]"
                       ",\n  \"counted_by\": {\"simt-trace\": [\"{bin}/uotbench-worker-${NAME}-simt-trace\"]}")
  endif()
  uotbench_write_manifest(${NAME} "${more}")
endfunction()

function(uotbench_add_worker NAME)
  uotbench_worker_arguments(uotbench_add_worker ${NAME} ${ARGN})
  set(cuda ${kernels})
  list(FILTER cuda INCLUDE REGEX "\\.cu$")
  if(NOT cuda)
    uotbench_add_cpp_worker(${NAME} SOURCES ${kernels} FLAGS ${flags})
  elseif("${cuda}" STREQUAL "${kernels}")
    uotbench_add_cu_worker(${NAME} ${kernels})
  else()
    message(FATAL_ERROR "uotbench_add_worker(${NAME}): .cu files and others are built by different compilers; give each "
                        "kind a worker; expected uotbench_add_worker(${NAME}-cuda ${cuda})")
  endif()
endfunction()

function(uotbench_install_worker NAME)
  get_target_property(builds uotbench-worker-${NAME} UOTBENCH_COUNTING_BUILDS)
  if(NOT builds)
    set(builds "")
  endif()
  install(TARGETS uotbench-worker-${NAME} ${builds} DESTINATION ${UOTBENCH_PREFIX}/bin)
  install(FILES $<TARGET_FILE:uotbench-worker-${NAME}>.code.json DESTINATION ${UOTBENCH_PREFIX}/bin OPTIONAL)
  install(FILES $<TARGET_FILE:uotbench-worker-${NAME}>.worker.json RENAME ${NAME}.json
          DESTINATION ${UOTBENCH_PREFIX}/share/uotbench/configs/workers)
endfunction()
