# Compilers are started by ccache, where there is one: what was compiled before, in this folder or in another clone, is
# not compiled again. A launcher that somebody gave (CMAKE_CXX_COMPILER_LAUNCHER) stays as it is.
#
# The paths below base_dir go into ccache's keys relative to the folder of the build, and hash_dir leaves that folder
# itself out: so clones at different places share what they compile. UotbenchWorker.cmake maps both kinds of path to
# those of the project, so that an object says the same wherever it was made. With depend, the compiler tells what a
# file includes: the preprocessor need not run before it.
option(UOTBENCH_WITH_CCACHE "compile with ccache, where there is one" ON)
if(UOTBENCH_WITH_CCACHE)
  find_program(UOTBENCH_CCACHE ccache)
endif()
uotbench_optional(CCACHE UOTBENCH_CCACHE "ccache" "what was compiled before is not compiled again"
  "every clone compiles everything" ccache ccache ccache ccache)

# The deepest folder that holds the sources and the build.
function(uotbench_common_folder RESULT)
  set(folder ${CMAKE_SOURCE_DIR})
  set(holds FALSE)
  while(NOT holds)
    cmake_path(IS_PREFIX folder "${CMAKE_BINARY_DIR}" NORMALIZE holds)
    if(NOT holds)
      cmake_path(GET folder PARENT_PATH folder)
    endif()
  endwhile()
  set(${RESULT} ${folder} PARENT_SCOPE)
endfunction()

if(UOTBENCH_WITH_CCACHE AND UOTBENCH_CCACHE)
  uotbench_common_folder(folder)
  find_program(UOTBENCH_ENV env REQUIRED)  # starts in 2 ms, cmake -E env in 14
  foreach(language CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
        ${UOTBENCH_ENV} CCACHE_BASEDIR=${folder} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${UOTBENCH_CCACHE})
    endif()
  endforeach()
endif()
