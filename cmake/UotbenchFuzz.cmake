# Fuzz targets (tools/tests/robustness.md): run with seeded mutations in CTest; with UOTBENCH_FUZZ, by libFuzzer,
# too: a program uotbench-fuzz-TARGET for each.
option(UOTBENCH_FUZZ "programs of libFuzzer, one for each fuzz target; needs clang (the preset fuzz)" OFF)

set(fuzz_places results harness/protocol harness/sweep roofline kernels/common tools)
list(TRANSFORM fuzz_places APPEND "/tests/fuzz/*.cpp")
file(GLOB fuzz_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${fuzz_places})
list(FILTER fuzz_sources EXCLUDE REGEX "/(libfuzzer|mutations_test)\\.cpp$")
# The judge's reader of pictures, without the judge.
set(image_sources kernels/common/oracle/images.cpp kernels/common/oracle/scenes.cpp)
if(NOT PNG_FOUND)
  list(FILTER fuzz_sources EXCLUDE REGEX "/png\\.cpp$")
  set(image_sources "")
endif()
add_library(fuzz_targets OBJECT ${fuzz_sources} ${image_sources})
target_include_directories(fuzz_targets PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(fuzz_targets PRIVATE UOTBENCH_WITH_PNG=$<BOOL:${PNG_FOUND}>)
target_link_libraries(fuzz_targets PUBLIC uotbench_test_places uotbench_tools_uotbench uotbench_harness_protocol
  $<TARGET_NAME_IF_EXISTS:PNG::PNG> PRIVATE GTest::gtest)

uotbench_precompile_tests(fuzz_targets)

add_executable(fuzz_tests tools/tests/fuzz/mutations_test.cpp)
target_link_libraries(fuzz_tests PRIVATE fuzz_targets uotbench_test_places GTest::gtest_main)
uotbench_discover_tests(fuzz_tests)

if(UOTBENCH_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR NOT UOTBENCH_SANITIZE MATCHES "fuzzer-no-link")
    message(FATAL_ERROR "UOTBENCH_FUZZ wants clang, and every file watched by libFuzzer: cmake --preset fuzz")
  endif()
  add_custom_target(fuzzers)
  foreach(source ${fuzz_sources})
    file(STRINGS ${source} named REGEX "\\.name = \"[a-z_]+\", \\.one_input")
    foreach(line ${named})
      string(REGEX REPLACE ".*\\.name = \"([a-z_]+)\", \\.one_input.*" "\\1" fuzz_target "${line}")
      add_executable(uotbench-fuzz-${fuzz_target} tools/tests/fuzz/libfuzzer.cpp)
      target_compile_definitions(uotbench-fuzz-${fuzz_target} PRIVATE UOTBENCH_FUZZ_TARGET="${fuzz_target}")
      target_link_libraries(uotbench-fuzz-${fuzz_target} PRIVATE fuzz_targets uotbench_test_places)
      target_link_options(uotbench-fuzz-${fuzz_target} PRIVATE -fsanitize=fuzzer)
      add_dependencies(fuzzers uotbench-fuzz-${fuzz_target})
    endforeach()
  endforeach()
endif()
