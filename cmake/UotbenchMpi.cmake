# The worker of several processes: kernels that say "// workers: mpi" (UotbenchFamilies.cmake), linked to the MPI whose
# compiler CMake finds (-DMPI_CXX_COMPILER=mpicxx.mpich chooses another), and the script that launches it.
set(UOTBENCH_MPI OFF)
if(MPI_CXX_FOUND AND MPIEXEC_EXECUTABLE AND NOT UOTBENCH_SANITIZE)  # libraries of MPI leak what they keep until the end
  set(UOTBENCH_MPI ON)
  file(GLOB mpi_sources CONFIGURE_DEPENDS harness/worker/mpi/*.cpp)
  add_library(uotbench_worker_mpi STATIC ${mpi_sources})
  target_link_libraries(uotbench_worker_mpi PUBLIC uotbench_worker MPI::MPI_CXX)

  set(mpi_kernels "")
  foreach(source ${kernel_sources})
    uotbench_said(workers workers ${source})
    if(workers)
      uotbench_sources_for(its mpi ${source})
      list(APPEND mpi_kernels ${its})
    endif()
  endforeach()
  # uotbench_add_mpi_worker(NAME SOURCE...)
  function(uotbench_add_mpi_worker NAME)
    set(flags -march=native)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(flags -march=x86-64-v3)
    endif()
    uotbench_add_program(${NAME} SOURCES ${ARGN} ${UOTBENCH_HARNESS}/mpi_main.cpp FLAGS ${flags})
    # Before MPI's own library: calls of MPI go through harness/worker/mpi/calls.cpp.
    target_link_libraries(uotbench-worker-${NAME} PRIVATE uotbench_worker_mpi uotbench::worker Eigen3::Eigen)
    uotbench_link_needs(uotbench-worker-${NAME} ${ARGN})
    uotbench_note_code(uotbench-worker-${NAME})
  endfunction()
  uotbench_add_mpi_worker(mpi ${mpi_kernels})
  configure_file(${PROJECT_SOURCE_DIR}/harness/worker/mpi/launch.in ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/uotbench-mpirun
                 @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_dependencies(programs uotbench-worker-mpi)
endif()
