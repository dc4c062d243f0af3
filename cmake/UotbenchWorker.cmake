# Workers: programs that hold kernels and speak the protocol. This file is used in the tree and installed with it.
#
#   uotbench_add_worker(NAME SOURCE... [FLAGS FLAG...])   -> the program and target uotbench-worker-NAME
#
# FLAGS (-march=native where none are given) are for these sources; -O3 and -ffp-contract=fast are added. They are
# linked whole, as objects: a static library would drop those that register themselves. Every record says the
# flags, and the commit of the project that calls this; sources in folders outside it are listed with their own.
#
# It wants set: UOTBENCH_HARNESS (the folder of a worker's main.cpp), UOTBENCH_VERSION, and the target
# uotbench::worker; UOTBENCH_OPTIMISE may replace -O3.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

# Folders of sources that are not of this project.
function(uotbench_foreign_folders RESULT)
  set(folders "")
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    cmake_path(ABSOLUTE_PATH folder NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR "${folder}" NORMALIZE ours)
    cmake_path(IS_PREFIX UOTBENCH_HARNESS "${folder}" NORMALIZE harness)
    if(NOT ours AND NOT harness)
      list(APPEND folders ${folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(${RESULT} "${folders}" PARENT_SCOPE)
endfunction()

# A program that says hello as worker NAME: its sources, build.cpp, and the commit they are of.
function(uotbench_add_program NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "FLAGS;SOURCES")
  set(program uotbench-worker-${NAME})
  add_executable(${program} ${ARG_SOURCES} ${UOTBENCH_HARNESS}/build.cpp)
  set_target_properties(${program} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)

  # Asked at every build; the file is rewritten only when it changes, so that an unchanged tree rebuilds nothing.
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated/${program})
  uotbench_foreign_folders(folders ${ARG_SOURCES})
  string(REPLACE ";" "|" folders "${folders}")
  add_custom_target(${program}-commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DBINARY=${CMAKE_BINARY_DIR}
            "-DFOLDERS=${folders}" -DOUTPUT=${generated}/uotbench_commit.hpp
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/commit.cmake
    BYPRODUCTS ${generated}/uotbench_commit.hpp
    COMMENT "${program}: which commit" VERBATIM)
  add_dependencies(${program} ${program}-commit)
  target_include_directories(${program} PRIVATE ${generated})

  # Optimised even in Debug: -O0 kernels answer no question. Their record says Debug all the same.
  if(NOT DEFINED UOTBENCH_OPTIMISE)
    set(UOTBENCH_OPTIMISE -O3)
  endif()
  # The warning would mean that two files with a class of the same name run one file's code.
  target_compile_options(${program} PRIVATE ${ARG_FLAGS} ${UOTBENCH_OPTIMISE} -ffp-contract=fast
    $<$<CXX_COMPILER_ID:GNU>:-Werror=subobject-linkage>)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" base)
  set(options "$<JOIN:$<FILTER:$<TARGET_PROPERTY:COMPILE_OPTIONS>,EXCLUDE,^-W>, >")
  target_compile_definitions(${program} PRIVATE
    UOTBENCH_WORKER="${NAME}" UOTBENCH_FLAGS="${base} ${options}" UOTBENCH_BUILD_TYPE="$<CONFIG>"
    UOTBENCH_VERSION="${UOTBENCH_VERSION}")
  target_link_libraries(${program} PRIVATE OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
endfunction()

function(uotbench_add_worker NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "FLAGS")
  set(right "uotbench_add_worker(mine my_uot.cpp FLAGS -march=native) would be right")
  if(NOT NAME MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "uotbench_add_worker: \"${NAME}\" is no name of letters, digits, '_', '.', '+', '-'; ${right}")
  elseif(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "uotbench_add_worker(${NAME}): no source files; ${right}")
  endif()
  if(NOT DEFINED ARG_FLAGS)
    set(ARG_FLAGS -march=native)
  endif()
  uotbench_add_program(${NAME} SOURCES ${ARG_UNPARSED_ARGUMENTS} ${UOTBENCH_HARNESS}/main.cpp FLAGS ${ARG_FLAGS})
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench::worker Eigen3::Eigen)
endfunction()
