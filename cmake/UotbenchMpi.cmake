# Workers of several processes: kernels that say "// workers: mpi mpi-*" (UotbenchFamilies.cmake), linked to an MPI, and the
# script that launches them by the launcher of that MPI. `mpi` is of the one whose compiler CMake finds
# (-DMPI_CXX_COMPILER=mpicxx.mpich chooses another); `mpi-mpich` is MPICH's, where `mpi` is not.
set(UOTBENCH_MPI OFF)
if(MPI_CXX_FOUND AND MPIEXEC_EXECUTABLE AND NOT UOTBENCH_SANITIZE)  # libraries of MPI leak what they keep until the end
  set(UOTBENCH_MPI ON)

  # uotbench_add_mpi_worker(NAME LIBRARY SOURCE...): LIBRARY is harness/worker/mpi, of one MPI.
  function(uotbench_add_mpi_worker NAME LIBRARY)
    set(flags -march=native)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(flags -march=x86-64-v3)
    endif()
    uotbench_add_program(${NAME} SOURCES ${ARGN} ${UOTBENCH_PARTS} ${UOTBENCH_HARNESS}/mpi_main.cpp FLAGS ${flags})
    # Before MPI's own library: calls of MPI go through harness/worker/mpi/calls.cpp.
    target_link_libraries(uotbench-worker-${NAME} PRIVATE ${LIBRARY} uotbench::parts Eigen3::Eigen)
    uotbench_link_needs(uotbench-worker-${NAME} ${ARGN})
    uotbench_note_code(uotbench-worker-${NAME})
  endfunction()

  # uotbench_add_mpi(NAME TARGET LAUNCHER): the worker NAME by an MPI, and its script.
  function(uotbench_add_mpi NAME TARGET LAUNCHER)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} harness/worker/mpi/*.cpp)
    uotbench_together(sources uotbench_worker_${NAME} 12 ${sources})
    add_library(uotbench_worker_${NAME} STATIC ${sources})
    target_link_libraries(uotbench_worker_${NAME} PUBLIC uotbench_worker ${TARGET})
    set(kernels "")
    foreach(source ${kernel_sources})
      uotbench_said(workers workers ${source})
      if(workers)
        uotbench_sources_for(its ${NAME} ${source})
        list(APPEND kernels ${its})
      endif()
    endforeach()
    uotbench_add_mpi_worker(${NAME} uotbench_worker_${NAME} ${kernels})
    add_dependencies(programs uotbench-worker-${NAME})
    string(REGEX REPLACE "^mpi" "uotbench-mpirun" script ${NAME})
    set(script ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${script})
    configure_file(${PROJECT_SOURCE_DIR}/harness/worker/mpi/launch.in ${script} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    install(PROGRAMS ${script} DESTINATION bin)
  endfunction()

  # uotbench_mpi_of(TARGET WRAPPER): what a wrapper such as mpicc adds to a compiler's command. (find_package finds one
  # MPI a project.)
  function(uotbench_mpi_of TARGET WRAPPER)
    execute_process(COMMAND ${WRAPPER} -show OUTPUT_VARIABLE command COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${command}")
    add_library(${TARGET} INTERFACE IMPORTED)
    foreach(word ${words})
      if(word MATCHES "^-I(.+)")
        target_include_directories(${TARGET} SYSTEM INTERFACE ${CMAKE_MATCH_1})
      elseif(word MATCHES "^-(L|l|Wl,)")
        target_link_libraries(${TARGET} INTERFACE ${word})
      endif()
    endforeach()
    target_compile_definitions(${TARGET} INTERFACE MPICH_SKIP_MPICXX OMPI_SKIP_MPICXX)
  endfunction()

  uotbench_add_mpi(mpi MPI::MPI_CXX ${MPIEXEC_EXECUTABLE})
  file(STRINGS ${MPI_CXX_HEADER_DIR}/mpi.h is_mpich REGEX "#define MPICH_VERSION")
  if(UOTBENCH_MPICH_COMPILER AND NOT is_mpich)
    string(REGEX REPLACE "mpicc([^/]*)$" "mpiexec\\1" launcher ${UOTBENCH_MPICH_COMPILER})
    uotbench_mpi_of(uotbench_mpich ${UOTBENCH_MPICH_COMPILER})
    uotbench_add_mpi(mpi-mpich uotbench_mpich ${launcher})
    message(STATUS "MPICH: found; the worker mpi-mpich is built in addition to mpi")
  endif()
endif()
