# uotbench_add_oracle(NAME SOURCE...) -> bin/uotbench-worker-NAME, which makes inputs and judges outputs.
#
# It links no kernel: objects of two instruction sets never meet in one program. What it knows of the families is a
# library of objects (they register themselves), so that tests can link it, too.
function(uotbench_add_oracle NAME)
  set(families uotbench_${NAME}_families)
  add_library(${families} OBJECT ${ARGN} ${PROJECT_SOURCE_DIR}/harness/worker/arrays.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/oracle/contents.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/oracle/difference.cpp ${PROJECT_SOURCE_DIR}/harness/worker/oracle/family.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/oracle/items.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/oracle/pattern.cpp)
  if(DEFINED UOTBENCH_OPTIMISE)
    target_compile_options(${families} PRIVATE ${UOTBENCH_OPTIMISE})
  else()
    target_compile_options(${families} PRIVATE -O3)
  endif()
  target_compile_definitions(${families} PUBLIC UOTBENCH_WITH_PNG=$<BOOL:${PNG_FOUND}>)
  target_link_libraries(${families} PUBLIC uotbench_harness_protocol OpenMP::OpenMP_CXX Eigen3::Eigen)
  uotbench_link_needs(${families} ${ARGN})
  target_include_directories(${families} SYSTEM PRIVATE ${XXHASH_INCLUDE_DIR})
  if(PNG_FOUND)
    target_link_libraries(${families} PUBLIC PNG::PNG)
  endif()
  uotbench_add_program(${NAME} SOURCES ${UOTBENCH_HARNESS}/oracle_main.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/serve/build_json.cpp ${PROJECT_SOURCE_DIR}/harness/worker/serve/serve.cpp)
  target_link_libraries(uotbench-worker-${NAME} PRIVATE ${families} uotbench_harness_protocol)
endfunction()
