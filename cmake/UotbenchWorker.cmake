# Workers: programs that hold kernels and speak the protocol. This file is used in the tree and installed with it.
#
#   uotbench_add_native(NAME SOURCE... [FLAGS FLAG...])   -> the program and target uotbench-worker-NAME
#   uotbench_add_trace_worker(NAME SOURCE... [FLAGS FLAG...])   the same, its memory accesses counted
#
# In somebody's own repository uotbench_add_worker (UotbenchOwnWorker.cmake) makes both.
#
# FLAGS (-march=native where none are given) are for these sources; -O3, -ffp-contract=fast and -falign-functions=64 are
# added. They are linked whole, as objects: a static library would drop those that register themselves. Every record
# says the flags, and the commit of the project that calls this; sources in folders outside it are listed with their own.
#
# It wants set: UOTBENCH_HARNESS (the folder of a worker's main.cpp), UOTBENCH_TIMED (the .cpp files of
# kernels/FAMILY/timed/), UOTBENCH_TRACE_SOURCE (the file trace_source.cpp), UOTBENCH_VERSION, and the targets
# uotbench::shared (kernels/FAMILY/shared/, and the half of a worker that is built once) and uotbench::trace_threads;
# UOTBENCH_OPTIMISE may replace -O3, and UOTBENCH_PRECOMPILED lists headers that are compiled once for each worker of many
# files.

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

  # Optimised even in Debug: -O0 kernels answer no question. Their record says Debug all the same.
  if(NOT DEFINED UOTBENCH_OPTIMISE)
    set(UOTBENCH_OPTIMISE -O3)
  endif()
  # -falign-functions: the same instructions took 1.1 times as long where other code had moved them by 16 bytes.
  # -Werror=subobject-linkage: two files with a class of the same name would run one file's code.
  target_compile_options(${program} PRIVATE ${ARG_FLAGS} ${UOTBENCH_OPTIMISE} -ffp-contract=fast -falign-functions=64
    $<$<CXX_COMPILER_ID:GNU>:-Werror=subobject-linkage>)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" base)
  set(options "$<JOIN:$<FILTER:$<TARGET_PROPERTY:COMPILE_OPTIONS>,EXCLUDE,^(-W|--param=ggc|-g1|-ffile-prefix-map)>, >")
  # Only build.cpp is compiled with what tells this build from others: kernels' objects depend on none of it, and a
  # compiler cache finds them again for another clone or commit. A source file's properties are shared by all
  # programs that compile it, so they refer to properties of the program.
  set_target_properties(${program} PROPERTIES UOTBENCH_GENERATED ${generated})
  set_property(TARGET ${program} APPEND PROPERTY UOTBENCH_BUILD_DEFINITIONS
    UOTBENCH_WORKER="${NAME}" "UOTBENCH_FLAGS=\"${base} ${options}\"" UOTBENCH_BUILD_TYPE="$<CONFIG>"
    UOTBENCH_VERSION="${UOTBENCH_VERSION}")
  set_source_files_properties(${UOTBENCH_HARNESS}/build.cpp PROPERTIES
    INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:UOTBENCH_GENERATED>"
    COMPILE_DEFINITIONS "$<GENEX_EVAL:$<TARGET_PROPERTY:UOTBENCH_BUILD_DEFINITIONS>>")
  target_link_libraries(${program} PRIVATE OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
  list(LENGTH ARG_SOURCES count)
  if(UOTBENCH_PRECOMPILED AND count GREATER 8)  # a precompiled header is 130 MB and takes 7 s
    target_precompile_headers(${program} PRIVATE ${UOTBENCH_PRECOMPILED})
    set_source_files_properties(${UOTBENCH_HARNESS}/build.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# Checks what the functions that add a worker are given, and sets kernels, sources (kernels, timed/ and main.cpp) and
# flags in them.
function(uotbench_worker_arguments FUNCTION NAME)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "FLAGS")
  set(right "expected ${FUNCTION}(mine my_uot.cpp FLAGS -march=native)")
  if(NOT NAME MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "${FUNCTION}: \"${NAME}\" is no name of letters, digits, '_', '.', '+', '-'; ${right}")
  elseif(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${FUNCTION}(${NAME}): no source files; ${right}")
  endif()
  if(NOT DEFINED ARG_FLAGS)
    set(ARG_FLAGS -march=native)
  endif()
  set(kernels ${ARG_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  set(sources ${ARG_UNPARSED_ARGUMENTS} ${UOTBENCH_TIMED} ${UOTBENCH_HARNESS}/main.cpp PARENT_SCOPE)
  set(flags ${ARG_FLAGS} PARENT_SCOPE)
endfunction()

# Writes next to the file of TARGET which machine code each of OBJECTS is.
function(uotbench_note_code TARGET OBJECTS)
  if(CMAKE_STRIP AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    add_custom_command(TARGET ${TARGET} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -DSTRIP=${CMAKE_STRIP} "-DOBJECTS=$<JOIN:${OBJECTS},|>"
              -DLIBRARY=$<TARGET_FILE:uotbench::worker> -DOUTPUT=$<TARGET_FILE:${TARGET}>.code.json
              -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/code_hashes.cmake)
  endif()
endfunction()

# Lines and inlining, no more: for who is to blame. They are told by their place in the project, wherever it was built,
# whether the compiler was told an absolute path or, as by ccache, one from the build's folder.
file(RELATIVE_PATH uotbench_to_source ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
set(uotbench_places -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${uotbench_to_source}=)
set(UOTBENCH_LINES -g1 ${uotbench_places})

function(uotbench_add_native NAME)
  uotbench_worker_arguments(uotbench_add_native ${NAME} ${ARGN})
  uotbench_add_program(${NAME} SOURCES ${sources} FLAGS ${flags})
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench::shared Eigen3::Eigen)
  uotbench_note_code(uotbench-worker-${NAME} $<TARGET_OBJECTS:uotbench-worker-${NAME}>)
endfunction()

# Calls before every access to memory (harness/trace/callbacks.cpp defines what is called). g++ puts them in after
# its scalar optimisations and before it vectorises, so that accesses come element by element, with std::simd a
# vector at a time, and none for what is kept in registers.
#  -O2              -O3 would copy loops for cases that calls rule out
#  -g1, places      lines, for who is to blame
#  -fno-tree-sra    or copies of a vector object that are optimised away later would count as reads
#  func-entry-exit  calls that nobody needs
#  -fno-builtin-…   g++ expands copies and fills of a known size in place after that, unseen, unless they are calls
#                   that the linker passes on to callbacks.cpp. (What std::copy_n and the like come to is not
#                   expanded; __builtin_memcpy by name is.)
# Every source of a program is compiled so: of an inline function that two objects hold the linker keeps one, and
# were that the plain one, accesses would be lost. Objects come before libraries, whose copies are the plain ones.
set(UOTBENCH_TRACED -O2 -g1 -fsanitize=thread -fno-tree-sra --param=tsan-instrument-func-entry-exit=0 ${uotbench_places}
  -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-memcmp)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND UOTBENCH_TRACED -mstringop-strategy=libcall)  # the same, for large ones
endif()

# Links what was compiled with UOTBENCH_TRACED: without -fsanitize=thread, so that a callback that is missing is an
# error. harness/trace/threads/openmp.cpp says what of OpenMP passes through it, and why.
function(uotbench_link_traced TARGET)
  set(wrapped memcpy memmove memset memcmp GOMP_parallel GOMP_parallel_sections GOMP_barrier GOMP_loop_end
    GOMP_sections_end GOMP_single_start GOMP_single_copy_start GOMP_sections_start GOMP_task GOMP_taskloop
    GOMP_doacross_post GOMP_doacross_wait GOMP_atomic_start GOMP_atomic_end GOMP_critical_start GOMP_critical_end
    GOMP_critical_name_start GOMP_critical_name_end GOMP_ordered_start GOMP_ordered_end omp_set_lock omp_unset_lock
    omp_test_lock omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock pthread_mutex_lock pthread_mutex_trylock
    pthread_mutex_unlock __cxa_guard_acquire __cxa_guard_release)
  foreach(schedule dynamic guided runtime nonmonotonic_dynamic nonmonotonic_guided nonmonotonic_runtime
          maybe_nonmonotonic_runtime)
    list(APPEND wrapped GOMP_parallel_loop_${schedule})
  endforeach()
  foreach(loop GOMP_loop GOMP_loop_ull)
    foreach(schedule dynamic guided runtime nonmonotonic_dynamic nonmonotonic_guided nonmonotonic_runtime
            maybe_nonmonotonic_runtime)
      list(APPEND wrapped ${loop}_${schedule}_start)
    endforeach()
  endforeach()
  list(TRANSFORM wrapped PREPEND "LINKER:--wrap=")
  target_link_options(${TARGET} PRIVATE ${wrapped})
  target_link_libraries(${TARGET} PRIVATE uotbench::trace_threads)
endfunction()

function(uotbench_add_trace_worker NAME)
  uotbench_worker_arguments(uotbench_add_trace_worker ${NAME} ${ARGN})
  set(UOTBENCH_OPTIMISE ${UOTBENCH_TRACED})
  uotbench_add_program(${NAME} SOURCES ${sources} ${UOTBENCH_TRACE_SOURCE} FLAGS ${flags})
  target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench::shared Eigen3::Eigen)
  uotbench_link_traced(uotbench-worker-${NAME})
endfunction()
