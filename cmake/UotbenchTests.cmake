# Tests live beside what they test: those in the folders `tests` of a room and of the rooms in it are one GoogleTest
# program. Each test is in one of two tiers, which are labels of CTest:
#   quick   what tools/check runs; the target `quick` builds what these tests need: one native worker, one executor of
#           CUDA kernels
#   full    what tools/check --all runs besides: tools/tests/full, which holds tests of the other workers and scripts that
#           compile, install or take more than a few seconds
add_custom_target(quick)
find_package(GTest QUIET)
if(NOT TARGET GTest::gmock_main)
  set(GTest_FOUND FALSE)
endif()
uotbench_need(GTest_FOUND "GoogleTest with gmock" "libgtest-dev libgmock-dev" "gtest-devel gmock-devel" gtest
  "googletest +gmock")
uotbench_stop_where_missing("Only the tests need it: -DUOTBENCH_TESTS=OFF does without.")
include(GoogleTest)

# What tests read of this clone is told by a header that the compiler includes before all else, in words that are the same
# in every clone, and by one object: so clones share the other objects.
set(places ${PROJECT_BINARY_DIR}/test_places)
file(CONFIGURE OUTPUT ${places}.hpp CONTENT [[
extern const char* const uotbench_source_dir;
extern const char* const uotbench_bin_dir;
#define UOTBENCH_SOURCE_DIR uotbench_source_dir
#define UOTBENCH_BIN_DIR uotbench_bin_dir
]])
file(CONFIGURE OUTPUT ${places}.cpp CONTENT [[
#include "test_places.hpp"
const char* const uotbench_source_dir = R"(@PROJECT_SOURCE_DIR@)";
const char* const uotbench_bin_dir = R"(@CMAKE_RUNTIME_OUTPUT_DIRECTORY@)";
]] @ONLY)
add_library(uotbench_test_places OBJECT ${places}.cpp)
target_include_directories(uotbench_test_places INTERFACE ${PROJECT_BINARY_DIR})
# A precompiled header comes before all else. A program of tests that has one has this header in it.
set(not_precompiled "$<OR:$<NOT:$<BOOL:$<TARGET_PROPERTY:PRECOMPILE_HEADERS>>>,$<BOOL:$<TARGET_PROPERTY:DISABLE_PRECOMPILE_HEADERS>>>")
target_compile_options(uotbench_test_places INTERFACE "$<${not_precompiled}:SHELL:-include \"${places}.hpp\">")
# What the files of TARGET, many tests, include is compiled once for all of them. (It takes 7 s and 140 MB: too much for a
# program of a few files.)
function(uotbench_precompile_tests TARGET)
  target_precompile_headers(${TARGET} PRIVATE <test_places.hpp> <gmock/gmock.h> ${ARGN})
endfunction()
# uotbench_discover_tests(PROGRAM [full]): its tests are quick unless they are full. "By/..." wait for limits and signals:
# early, beside what compiles, no CPU waits with them. "Of/..." judge all variants of a family: a minute, so they are not
# started last.
function(uotbench_discover_tests PROGRAM)
  set(tier quick)
  if("full" IN_LIST ARGN)
    set(tier full)
  else()
    add_dependencies(quick ${PROGRAM})
  endif()
  set(properties DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS ${tier})
  gtest_discover_tests(${PROGRAM} TEST_FILTER -Of/*:By/* ${properties})
  if(PROGRAM MATCHES "^tools_")
    gtest_discover_tests(${PROGRAM} TEST_FILTER By/* ${properties} COST 450)
    gtest_discover_tests(${PROGRAM} TEST_FILTER Of/* ${properties} COST 30)
  endif()
endfunction()
# uotbench_quick_test(NAME PROGRAM...): a quick test that was added, and what it needs.
function(uotbench_quick_test NAME)
  set_tests_properties(${NAME} PROPERTIES LABELS quick)
  if(ARGN)
    add_dependencies(quick ${ARGN})
  endif()
endfunction()
# Rooms whose test files may be compiled together; those of each family are, too.
set(UOTBENCH_UNITY_TESTS results roofline harness/host harness/protocol harness/worker harness/sweep harness/trace tools)

# uotbench_test_room(ROOM LIBRARY...): the program ROOM_tests. Those in the folder tests/full are another program,
# ROOM_full_tests.
function(uotbench_test_room ROOM)
  string(REPLACE "/" "_" name ${ROOM})
  uotbench_test_program(${name}_tests ${ROOM} "/tests/[^/]*_test\\.cpp$" quick ${ARGN})
  if(EXISTS ${PROJECT_SOURCE_DIR}/${ROOM}/tests/full)
    uotbench_test_program(${name}_full_tests ${ROOM} "/tests/full/[^/]*_test\\.cpp$" full ${ARGN})
  endif()
endfunction()

function(uotbench_test_program name ROOM PLACES TIER)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${ROOM}/*_test.cpp)
  list(FILTER sources INCLUDE REGEX ${PLACES})
  if(NOT sources)
    message(FATAL_ERROR "${ROOM} has no tests: no file in it or below matches ${PLACES}")
  endif()
  if(ROOM IN_LIST UOTBENCH_UNITY_TESTS)
    uotbench_together(sources ${name} 16 ${sources})
  elseif(ROOM MATCHES "^kernels/")
    uotbench_together(sources ${name} 8 ${sources})
  endif()
  add_executable(${name} ${sources})
  # What is tested is optimised; a quarter less to compile. Tests of kernels compute references themselves.
  if(ROOM IN_LIST UOTBENCH_UNITY_TESTS)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE uotbench_test_places GTest::gmock_main ${ARGN})
  uotbench_discover_tests(${name} ${TIER})
endfunction()

# The tests of FAMILY run its kernels themselves: the objects of the worker that is compiled anyway, so what is tested is
# what is timed. (So they want a CPU with AVX2.)
function(uotbench_test_with_kernels FAMILY)
  set(worker uotbench-worker-${UOTBENCH_NATIVE})
  target_sources(kernels_${FAMILY}_tests PRIVATE $<FILTER:$<TARGET_OBJECTS:${worker}>,INCLUDE,/kernels/${FAMILY}/>)
  target_link_libraries(kernels_${FAMILY}_tests PRIVATE Eigen3::Eigen ${CMAKE_DL_LIBS})
endfunction()

# Where a library is missing, the test of what is built with it is left out. (Rooms of UOTBENCH_UNITY_TESTS: see
# UOTBENCH_WITHOUT.)
function(uotbench_leave_out TARGET WORD)
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources EXCLUDE REGEX ${WORD})
  set_target_properties(${TARGET} PROPERTIES SOURCES "${sources}")
endfunction()

# The native worker of quick tests, which every machine of its kind runs.
set(UOTBENCH_NATIVE native)
if(TARGET uotbench-worker-native-v3)
  set(UOTBENCH_NATIVE native-v3)
endif()

uotbench_test_room(results uotbench_results)
target_include_directories(results_tests SYSTEM PRIVATE ${BOOST_MATH_INCLUDE_DIR})
# Draws the gate's operating curve: minutes, so no test runs it.
file(GLOB_RECURSE curve CONFIGURE_DEPENDS results/operating_curve.cpp)
add_executable(gate_curve ${curve})
target_link_libraries(gate_curve PRIVATE uotbench_results)
target_include_directories(gate_curve SYSTEM PRIVATE ${BOOST_MATH_INCLUDE_DIR})
uotbench_test_room(roofline uotbench_roofline)
uotbench_test_room(harness/host uotbench_harness_host)
if(HWLOC_FOUND)
  target_link_libraries(harness_host_tests PRIVATE hwloc)
endif()
uotbench_test_room(harness/trace uotbench_harness_trace_threads uotbench_harness_trace_warps)
if(UOTBENCH_TRACE)
  # The tests watch from outside; what is watched is built as a worker's kernels are.
  file(GLOB traced_sources CONFIGURE_DEPENDS harness/trace/tests/traced/*.cpp)
  add_library(harness_trace_traced OBJECT ${traced_sources})
  target_include_directories(harness_trace_traced PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(harness_trace_traced PRIVATE ${UOTBENCH_TRACED})
  target_link_libraries(harness_trace_traced PRIVATE OpenMP::OpenMP_CXX)
  target_sources(harness_trace_tests PRIVATE $<TARGET_OBJECTS:harness_trace_traced>)
  uotbench_link_traced(harness_trace_tests)
  # The same for kernels of a GPU, whose callbacks are others: a program of its own.
  set(traced_warps harness/trace/tests/traced_warps)
  add_library(harness_trace_traced_warps OBJECT ${traced_warps}/kernels.cpp)
  target_include_directories(harness_trace_traced_warps PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(harness_trace_traced_warps PRIVATE ${UOTBENCH_TRACED}
    --param=tsan-instrument-func-entry-exit=1 -fsanitize-coverage=trace-pc)
  add_executable(harness_trace_warps_tests ${traced_warps}/kernels_test.cpp
    $<TARGET_OBJECTS:harness_trace_traced_warps>)
  target_link_libraries(harness_trace_warps_tests PRIVATE GTest::gmock_main)
  uotbench_link_warps(harness_trace_warps_tests)
  uotbench_discover_tests(harness_trace_warps_tests)
else()
  uotbench_leave_out(harness_trace_tests traced_test)
endif()
if(TARGET uotbench_simt)
  uotbench_test_room(harness/simt uotbench_simt)
  # Kernels as the worker simt has them.
  file(GLOB kernel_tests CONFIGURE_DEPENDS harness/simt/tests/kernels/*.cu)
  set_source_files_properties(${kernel_tests} PROPERTIES LANGUAGE CXX)
  add_library(harness_simt_kernels OBJECT ${kernel_tests})
  target_include_directories(harness_simt_kernels PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(harness_simt_kernels PRIVATE ${UOTBENCH_SIMT_FLAGS})
  target_sources(harness_simt_tests PRIVATE $<TARGET_OBJECTS:harness_simt_kernels>)
  # The right ones are CUDA to nvcc, too.
  if(UOTBENCH_CUDA)
    add_test(NAME GoodKernels.CompileWithNvcc
             COMMAND ${UOTBENCH_NVCC} -std=c++20 -arch=sm_90 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror
                     -I${PROJECT_SOURCE_DIR} -c ${PROJECT_SOURCE_DIR}/harness/simt/tests/kernels/good.cu
                     -o ${PROJECT_BINARY_DIR}/good_kernels.o)
    set_tests_properties(GoodKernels.CompileWithNvcc PROPERTIES TIMEOUT 120 LABELS full)
  endif()
  # And as simt-trace has them.
  if(UOTBENCH_TRACE AND TARGET uotbench_warp_callbacks)
    add_library(harness_simt_traced OBJECT ${kernel_tests})
    target_include_directories(harness_simt_traced PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(harness_simt_traced PRIVATE ${UOTBENCH_TRACED} ${UOTBENCH_FIBER_FLAGS}
      --param=tsan-instrument-func-entry-exit=1 -fsanitize-coverage=trace-pc)
    file(GLOB traced_kernel_tests CONFIGURE_DEPENDS harness/simt/tests/traced/*_test.cpp)
    add_executable(harness_simt_traced_tests ${traced_kernel_tests} $<TARGET_OBJECTS:harness_simt_traced>)
    target_link_libraries(harness_simt_traced_tests PRIVATE uotbench_test_places GTest::gmock_main uotbench_simt)
    uotbench_link_warps(harness_simt_traced_tests)
    uotbench_discover_tests(harness_simt_traced_tests)
  endif()
endif()
uotbench_test_room(harness/protocol uotbench_harness_protocol)
uotbench_test_room(harness/worker uotbench_worker uotbench_harness_protocol)
# Where a library lies is told to the one test that loads it.
function(uotbench_tell_places TEST)
  file(GLOB_RECURSE source harness/worker/${TEST}.cpp)
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS ${ARGN})
endfunction()
target_compile_definitions(harness_worker_tests PRIVATE UOTBENCH_WITH_PAPI=$<BOOL:${PAPI_FOUND}>)
if(PAPI_FOUND AND NOT UOTBENCH_SANITIZE)  # a sanitizer wants to be loaded first
  # Virtual machines have no hardware counters, without which PAPI attaches to no thread: here are some.
  add_library(software_pmu MODULE harness/worker/tests/software_pmu.cpp)
  add_dependencies(harness_worker_tests software_pmu)
  add_test(NAME Papi.WithCountersOfSoftware
           COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:software_pmu>
                   $<TARGET_FILE:harness_worker_tests> --gtest_filter=Papi.CountsOld*:Papi.CountsAgain*)
  set_tests_properties(Papi.WithCountersOfSoftware PROPERTIES TIMEOUT 60 SKIP_REGULAR_EXPRESSION "PAPI says")
  uotbench_quick_test(Papi.WithCountersOfSoftware)
endif()
# What a GPU's worker has besides and needs no GPU for; the driver's library is one of software.
file(GLOB gpu_parts CONFIGURE_DEPENDS harness/worker/gpu/cuda_*.cpp)
list(FILTER gpu_parts EXCLUDE REGEX "/cuda_platform\\.cpp$")
target_sources(harness_worker_tests PRIVATE ${gpu_parts} harness/worker/oracle/family.cpp
  harness/worker/oracle/difference.cpp)
add_library(software_nvml MODULE harness/worker/tests/software_nvml.cpp)
add_library(software_nvml_old MODULE harness/worker/tests/software_nvml.cpp)
target_compile_definitions(software_nvml_old PRIVATE SOFTWARE_NVML_OLD)
add_dependencies(harness_worker_tests software_nvml software_nvml_old)
uotbench_tell_places(cuda_nvml_test UOTBENCH_SOFTWARE_NVML="$<TARGET_FILE:software_nvml>"
  UOTBENCH_SOFTWARE_NVML_OLD="$<TARGET_FILE:software_nvml_old>")
add_dependencies(harness_worker_tests uotbench-worker-${UOTBENCH_NATIVE})  # phases are those of a real worker
if(NVTX_FOUND)
  add_library(nvtx_recorder MODULE harness/worker/tests/nvtx_recorder.cpp)
  target_include_directories(nvtx_recorder SYSTEM PRIVATE ${NVTX_INCLUDE_DIR})
  add_dependencies(harness_worker_tests nvtx_recorder)
  uotbench_tell_places(phases_test UOTBENCH_NVTX_RECORDER="$<TARGET_FILE:nvtx_recorder>")
endif()
if(TARGET uotbench_call)
  uotbench_test_room(harness/call uotbench_call)
  target_link_libraries(harness_call_tests PRIVATE OpenMP::OpenMP_CXX)
  string(REPLACE - _ kernels uotbench_${UOTBENCH_NATIVE})
  add_dependencies(harness_call_tests uotbench_call ${kernels})
endif()
uotbench_test_room(harness/sweep uotbench_harness_sweep)
# Plans are made with real workers.
add_dependencies(harness_sweep_tests uotbench uotbench-worker-oracle uotbench-worker-${UOTBENCH_NATIVE})
# Families of kernels. What else the tests of one need is in its tests/tests.cmake.
file(GLOB family_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} kernels/*/tests)
foreach(folder ${family_tests})
  get_filename_component(family ${folder} DIRECTORY)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(sources)
    uotbench_test_room(${family} uotbench_oracle_families uotbench_shared)
  endif()
  include(${folder}/tests.cmake OPTIONAL)
endforeach()
# Through the programs, as a user runs them, with a worker whose kernels misbehave.
file(GLOB fault_sources CONFIGURE_DEPENDS kernels/*/tests/fault/*.cpp)
uotbench_add_native(fault ${fault_sources} FLAGS -march=native ${UOTBENCH_LINES})
if(UOTBENCH_MPI)
  file(GLOB fault_sources CONFIGURE_DEPENDS kernels/*/tests/fault_ranks/*.cpp)
  uotbench_add_mpi_worker(fault-ranks uotbench_worker_mpi ${fault_sources})
endif()
# For tools/gate_proof: a worker of the same objects, which lie elsewhere.
if(TARGET uotbench-worker-native-v3 AND NOT UOTBENCH_SANITIZE)
  add_executable(uotbench-worker-relinked EXCLUDE_FROM_ALL tools/tests/relink/padding.cpp
    $<TARGET_OBJECTS:uotbench-worker-native-v3>)
  target_link_libraries(uotbench-worker-relinked PRIVATE uotbench::shared OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
  add_dependencies(uotbench-worker-relinked uotbench-worker-native-v3)
  add_custom_command(TARGET uotbench-worker-relinked POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:uotbench-worker-native-v3>.code.json
            $<TARGET_FILE:uotbench-worker-relinked>.code.json)
endif()
uotbench_test_room(tools uotbench_tools_uotbench uotbench_results uotbench_harness_protocol)
add_dependencies(tools_tests uotbench uotbench-worker-oracle uotbench-worker-${UOTBENCH_NATIVE} uotbench-worker-fault)
if(TARGET uotbench-worker-simt)
  add_dependencies(tools_tests uotbench-worker-simt)
endif()
add_dependencies(tools_full_tests packaged uotbench-worker-fault)
if(TARGET call)
  add_dependencies(tools_full_tests call)
endif()
if(UOTBENCH_MPI)
  add_dependencies(tools_full_tests uotbench-worker-fault-ranks)
  add_library(fast_clock MODULE tools/tests/preloaded/fast_clock.cpp)
  target_link_libraries(fast_clock PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(tools_full_tests fast_clock)
endif()
# Which families have awkward sizes is looked up when the program is linked.
file(GLOB awkward CONFIGURE_DEPENDS kernels/*/awkward.json)
set_property(TARGET tools_tests tools_full_tests APPEND PROPERTY LINK_DEPENDS ${awkward})
if(UOTBENCH_SIMT AND UOTBENCH_TRACE)
  file(GLOB broken_kernels CONFIGURE_DEPENDS kernels/*/tests/broken/*.cu)
  uotbench_add_simt_trace_worker(simt-broken ${broken_kernels})
  add_dependencies(tools_full_tests uotbench-worker-simt-broken)
endif()
if(UOTBENCH_TRACE)
  file(GLOB traced_kernels CONFIGURE_DEPENDS kernels/*/tests/traced/*.cpp)
  uotbench_add_trace_worker(trace-fault ${traced_kernels} FLAGS -march=x86-64-v3)
  add_dependencies(tools_full_tests uotbench-worker-trace-fault)
endif()

include(cmake/UotbenchFuzz.cmake)

# Lints and the scripts' own tests are tests, so that CTest counts them; 77 means skipped.
function(uotbench_test_script NAME SCRIPT TIER)
  add_test(NAME ${NAME} COMMAND ${PROJECT_SOURCE_DIR}/${SCRIPT})
  set_tests_properties(${NAME} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS ${TIER}
                       ENVIRONMENT "UOTBENCH_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()

foreach(lint includes names format words links language)
  uotbench_test_script(lint.${lint} tools/lint_${lint} quick)
endforeach()
foreach(tier quick full)
  set(folder tools/tests/${tier})
  if(tier STREQUAL quick)
    set(folder tools/tests)
  endif()
  file(GLOB script_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${folder}/*_test.sh)
  foreach(script ${script_tests})
    get_filename_component(name ${script} NAME_WE)
    uotbench_test_script(tools.${name} ${script} ${tier})
  endforeach()
endforeach()
# These compile: minutes, so they start first.
set_tests_properties(tools.one_file_variant_test tools.family_test PROPERTIES TIMEOUT 1800 COST 500)
set_tests_properties(tools.install_test PROPERTIES TIMEOUT 1800 COST 200)
set_tests_properties(tools.call_test tools.wheel_test PROPERTIES TIMEOUT 900 COST 120)
# These take up to some minutes each. Started last, each would keep one CPU busy while the other waits.
set_tests_properties(tools.asan_test tools.tsan_test PROPERTIES TIMEOUT 1800 COST 200)
set_tests_properties(tools.slurm_test PROPERTIES COST 160)
set_tests_properties(tools.own_repository_test tools.own_benchmarks_test tools.own_page_test PROPERTIES TIMEOUT 1800 COST 140)
set_tests_properties(tools.readme_test PROPERTIES TIMEOUT 1800 COST 150)
set_tests_properties(tools.gpu_check_test PROPERTIES TIMEOUT 900 COST 130)
set_tests_properties(tools.python_test PROPERTIES TIMEOUT 1800 COST 50)  # XLA compiles for every case
set_tests_properties(tools.quota_test PROPERTIES RUN_SERIAL TRUE)  # it measures what its share of the CPUs does
set_tests_properties(tools.optional_test tools.ccache_test tools.mpi4py_test tools.declared_test PROPERTIES COST 40)

# Every public header compiles alone. What a .cpp file includes first is compiled so there, unless the file is compiled
# together with others; for each of the other headers there is a file that includes nothing else. A failure fails the
# build. Which these are is looked up when configuring.
set(rooms include results roofline harness kernels)
list(TRANSFORM rooms APPEND "/*.hpp" OUTPUT_VARIABLE header_places)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${header_places})
# Not those that want nvcc's libraries, nor forwarding headers, which print a note.
list(FILTER headers EXCLUDE REGEX "/tests/|/gpu/cublas\\.hpp$|^kernels/[^/]+/parts/")
if(NOT TARGET uotbench_simt)
  list(FILTER headers EXCLUDE REGEX "^harness/simt/|/gpu/simt_|/uotbench/cuda")  # they want Boost
endif()
if(NOT MPI_CXX_FOUND)  # without those that include <mpi.h>, and those that include them
  set(absent "<mpi.h>")
  while(absent)
    string(REPLACE "." "\\." absent "${absent}")
    list(JOIN absent "|" absent)
    set(found "")
    foreach(header ${headers})
      file(STRINGS ${PROJECT_SOURCE_DIR}/${header} lines REGEX "^#include .*(${absent})")
      if(lines)
        list(APPEND found ${header})
      endif()
    endforeach()
    if(found)
      list(REMOVE_ITEM headers ${found})
    endif()
    set(absent ${found})
  endwhile()
endif()
list(TRANSFORM rooms APPEND "/*.cpp" OUTPUT_VARIABLE source_places)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${source_places} tools/*.cpp)
if(UOTBENCH_UNITY)
  list(FILTER sources INCLUDE REGEX "^(harness/(worker/(gpu|mpi|program|oracle)|trace|simt)|kernels)/")
  list(FILTER sources EXCLUDE REGEX "^kernels/[^/]+/oracle/")
endif()
foreach(source ${sources})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${source} first REGEX "^#include" LIMIT_COUNT 1)
  if(first MATCHES "^#include \"([^\"]+)\"")
    list(REMOVE_ITEM headers ${CMAKE_MATCH_1})
  endif()
endforeach()
if(NOT headers)
  message(FATAL_ERROR "lint.headers_alone: every header is the first of some file; is that so?")
endif()
set(alone_sources "")
foreach(header ${headers})
  string(REPLACE "/" "_" source ${header})
  set(source ${PROJECT_BINARY_DIR}/headers_alone/${source}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
  list(APPEND alone_sources ${source})
endforeach()
add_library(headers_alone OBJECT ${alone_sources})
target_link_libraries(headers_alone PRIVATE uotbench_results uotbench_harness_host uotbench_harness_protocol
  uotbench_harness_sweep benchmark::benchmark OpenMP::OpenMP_CXX Eigen3::Eigen
  $<TARGET_NAME_IF_EXISTS:uotbench_simt> $<TARGET_NAME_IF_EXISTS:MPI::MPI_CXX>)
target_include_directories(headers_alone PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(headers_alone PRIVATE -O0 -g0)  # they are not run
# Has nothing left to do after a whole build; there to be counted, and for those who build one test program.
add_test(NAME lint.headers_alone
         COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target headers_alone)
set_tests_properties(lint.headers_alone PROPERTIES TIMEOUT 600)
uotbench_quick_test(lint.headers_alone headers_alone)
