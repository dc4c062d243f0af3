# Workers: programs that hold kernels, or the oracle, and speak the protocol.
#
#   uotbench_add_worker(NAME [TEST_ONLY] SOURCE... [FLAGS FLAG...])   -> bin/uotbench-worker-NAME
#
# TEST_ONLY: not among the `programs` that a user builds.
# Kernel files are compiled with FLAGS and linked whole, as objects: a static library would drop the objects
# that register themselves. The rest is built once, for the baseline instruction set.

# Rewritten only when it changes, so that an unchanged tree rebuilds nothing.
add_custom_target(uotbench_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/generated/uotbench_commit.hpp
          -P ${CMAKE_CURRENT_LIST_DIR}/commit.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/uotbench_commit.hpp
  COMMENT "" VERBATIM)

set(UOTBENCH_HARNESS ${PROJECT_SOURCE_DIR}/harness/worker)

# Optimised even in Debug: -O0 kernels answer no question. Their record says Debug all the same. Sanitizers
# find nothing more in them, and -O3 takes twice as long to compile.
set(UOTBENCH_OPTIMISE -O3)
if(UOTBENCH_SANITIZE)
  set(UOTBENCH_OPTIMISE "")
endif()

add_library(uotbench_worker OBJECT
  ${UOTBENCH_HARNESS}/measure.cpp ${UOTBENCH_HARNESS}/serve.cpp ${UOTBENCH_HARNESS}/team.cpp
  ${UOTBENCH_HARNESS}/usage.cpp ${UOTBENCH_HARNESS}/variant.cpp)
target_link_libraries(uotbench_worker PUBLIC uotbench_protocol benchmark::benchmark OpenMP::OpenMP_CXX)

function(uotbench_add_program NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "TEST_ONLY" "" "FLAGS;SOURCES;HARNESS")
  set(program uotbench-worker-${NAME})
  add_executable(${program} ${ARG_SOURCES} ${ARG_HARNESS} ${UOTBENCH_HARNESS}/build.cpp)
  add_dependencies(${program} uotbench_commit)
  if(NOT ARG_TEST_ONLY)
    add_dependencies(programs ${program})
  endif()
  # The warning would mean that two files with a class of the same name run one file's code.
  set(flags ${ARG_FLAGS} ${UOTBENCH_OPTIMISE} -ffp-contract=fast -Werror=subobject-linkage)
  target_compile_options(${program} PRIVATE ${flags})
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" base)
  list(JOIN flags " " text)
  target_compile_definitions(${program} PRIVATE
    UOTBENCH_WORKER="${NAME}" UOTBENCH_FLAGS="${base} ${text}" UOTBENCH_BUILD_TYPE="${CMAKE_BUILD_TYPE}")
  target_include_directories(${program} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${program} PRIVATE uotbench_protocol OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
endfunction()

function(uotbench_add_worker NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "TEST_ONLY" "" "FLAGS")
  set(test_only "")
  if(ARG_TEST_ONLY)
    set(test_only TEST_ONLY)
  endif()
  uotbench_add_program(${NAME} ${test_only} SOURCES ${ARG_UNPARSED_ARGUMENTS} FLAGS ${ARG_FLAGS}
                       HARNESS ${UOTBENCH_HARNESS}/main.cpp)
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench_worker Eigen3::Eigen)
endfunction()

# The oracle links no kernel: objects of two instruction sets never meet in one program. What it knows of the
# families is a library of objects (they register themselves), so that tests can link it, too.
function(uotbench_add_oracle NAME)
  set(families uotbench_${NAME}_families)
  add_library(${families} OBJECT ${ARGN} ${UOTBENCH_HARNESS}/difference.cpp ${UOTBENCH_HARNESS}/family.cpp)
  target_compile_options(${families} PRIVATE ${UOTBENCH_OPTIMISE})
  target_link_libraries(${families} PUBLIC uotbench_protocol OpenMP::OpenMP_CXX Eigen3::Eigen PNG::PNG)
  uotbench_add_program(${NAME} HARNESS ${UOTBENCH_HARNESS}/oracle_main.cpp ${UOTBENCH_HARNESS}/serve.cpp)
  target_link_libraries(uotbench-worker-${NAME} PRIVATE ${families})
endfunction()
