# uotbench_add_oracle(NAME SOURCE...) -> bin/uotbench-worker-NAME, which makes inputs and judges outputs.
#
# It links no kernel: objects of two instruction sets never meet in one program. What it knows of the families is a
# library of objects (they register themselves), so that tests can link it, too.
function(uotbench_add_oracle NAME)
  set(families uotbench_${NAME}_families)
  # The files of a folder are compiled together; those outside the tree are somebody's.
  set(objects ${PROJECT_SOURCE_DIR}/harness/worker/arrays.cpp)
  file(GLOB rest CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/worker/oracle/*.cpp)
  list(APPEND rest ${ARGN})
  while(rest)
    list(GET rest 0 first)
    get_filename_component(folder ${first} DIRECTORY)
    set(sources ${rest})
    list(FILTER sources INCLUDE REGEX "^${folder}/[^/]+$")
    list(REMOVE_ITEM rest ${sources})
    if(folder MATCHES "^${PROJECT_SOURCE_DIR}/")
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
      list(TRANSFORM sources REPLACE "^${PROJECT_SOURCE_DIR}/" "")
      string(MAKE_C_IDENTIFIER "${families}_${name}" name)
      uotbench_together(sources ${name} 12 ${sources})
    endif()
    list(APPEND objects ${sources})
  endwhile()
  add_library(${families} OBJECT ${objects})
  # g++ takes a .cpp file that another includes for a header, and warns of the classes in its unnamed namespace.
  target_compile_options(${families} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  if(DEFINED UOTBENCH_OPTIMISE)
    target_compile_options(${families} PRIVATE ${UOTBENCH_OPTIMISE})
  else()
    target_compile_options(${families} PRIVATE -O2)
  endif()
  target_compile_definitions(${families} PUBLIC UOTBENCH_WITH_PNG=$<BOOL:${PNG_FOUND}>)
  target_link_libraries(${families} PUBLIC uotbench_harness_protocol OpenMP::OpenMP_CXX Eigen3::Eigen)
  uotbench_link_needs(${families} ${ARGN})
  # A family's problem.hpp may include <uotbench/kernel.hpp>.
  target_include_directories(${families} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${families} SYSTEM PRIVATE ${XXHASH_INCLUDE_DIR})
  if(PNG_FOUND)
    target_link_libraries(${families} PUBLIC PNG::PNG)
  endif()
  uotbench_add_program(${NAME} SOURCES ${UOTBENCH_HARNESS}/oracle_main.cpp ${PROJECT_SOURCE_DIR}/harness/worker/stop.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/serve/build_json.cpp ${PROJECT_SOURCE_DIR}/harness/worker/serve/crash_frames.cpp
    ${PROJECT_SOURCE_DIR}/harness/worker/serve/serve.cpp)
  target_link_libraries(uotbench-worker-${NAME} PRIVATE ${families} uotbench_harness_protocol)
endfunction()
