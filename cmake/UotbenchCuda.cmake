# Workers of CUDA sources (kernels/FAMILY/*.cu). One source, three builds:
#
#   simt        g++; its threads run as fibers on the CPU: right or wrong, never timed
#   simt-trace  the same, instrumented: what its warps do to memory
#   cuda        nvcc, where there is one; for a GPU
#
# simt is a program of its own: the calls in front of every access and block, with nothing to count or check, make
# match/gpu3_padded at N=1024 take 3.6 times as long (process CPU time, 0.26 -> 0.93 s), uot/cuda_map_part2 1.1 times.
#
# A source with the line "// workers: cuda" (UotbenchFamilies.cmake) uses what only a GPU has, and is left out of the
# first two.
option(UOTBENCH_WITH_CUDA "build the worker `cuda`, where there is nvcc" ON)
set(UOTBENCH_CUDA_ARCHITECTURES "local" CACHE STRING
  "for whom nvcc compiles: local (this machine's GPU, else 90), release (75 to 90 and PTX), or a list: 80;90")

uotbench_variant_files(cuda_sources cu)
uotbench_kernel_dirs(foreign_cuda_sources cu)
uotbench_buildable(cuda_sources ${cuda_sources} ${foreign_cuda_sources})

# --- on the CPU ---------------------------------------------------------------------------------------------------

include(cmake/UotbenchSimt.cmake)
set(UOTBENCH_SIMT OFF)
# A sanitizer does not know fibers, and would take as long again.
if(TARGET uotbench_simt AND NOT UOTBENCH_SANITIZE)
  set(UOTBENCH_SIMT ON)
  uotbench_sources_for(simt_kernels simt ${cuda_sources})
  uotbench_add_simt_worker(simt ${simt_kernels})
  uotbench_link_needs(uotbench-worker-simt ${simt_kernels})
  add_dependencies(programs uotbench-worker-simt)
  if(UOTBENCH_TRACE)  # what g++'s callbacks need
    uotbench_sources_for(simt_kernels simt-trace ${cuda_sources})
    uotbench_add_simt_trace_worker(simt-trace ${simt_kernels})
    uotbench_link_needs(uotbench-worker-simt-trace ${simt_kernels})
    add_dependencies(programs uotbench-worker-simt-trace)
  endif()
endif()

# --- on a GPU -----------------------------------------------------------------------------------------------------
set(UOTBENCH_CUDA OFF)
if(UOTBENCH_WITH_CUDA AND NOT UOTBENCH_SANITIZE)
  find_program(UOTBENCH_NVCC nvcc PATHS /usr/local/cuda/bin ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin)
  if(UOTBENCH_NVCC)
    set(UOTBENCH_CUDA ON)
  endif()
endif()
uotbench_optional(CUDA UOTBENCH_NVCC "nvcc" "the worker cuda is built" "no worker cuda; simt runs its kernels on the CPU"
  "nvidia-cuda-toolkit, or NVIDIA's cuda-toolkit" "NVIDIA's cuda-toolkit" cuda-nvcc cuda)

function(uotbench_cuda_architectures RESULT)
  set(chosen "${UOTBENCH_CUDA_ARCHITECTURES}")
  if(chosen STREQUAL "release")
    set(chosen 75-real 80-real 86-real 89-real 90)
  elseif(chosen STREQUAL "local")
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capability ERROR_QUIET RESULT_VARIABLE failed)
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" capability "${capability}")
    string(REPLACE "." "" chosen "${capability}")
    if(failed OR chosen STREQUAL "")
      set(chosen 90)
    endif()
  endif()
  set(${RESULT} "${chosen}" PARENT_SCOPE)
endfunction()

# The kernels are objects of their own, so that nvcc's options and g++'s do not meet. What ptxas says of each kernel
# (registers, spills, shared memory) stands beside the program, for `list --json`.
function(uotbench_add_cuda_worker NAME)
  set(program uotbench-worker-${NAME})
  uotbench_cuda_architectures(architectures)
  uotbench_sources_for(kernels ${NAME} ${ARGN})
  add_library(${program}-kernels OBJECT ${kernels})
  uotbench_link_needs(${program}-kernels ${kernels})
  set_target_properties(${program}-kernels PROPERTIES
    CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF CUDA_ARCHITECTURES "${architectures}")
  target_compile_options(${program}-kernels PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-O3;-lineinfo;-Xptxas=-v;-Xcompiler=-Wall,-Wextra,-fopenmp;-Werror=all-warnings>")
  target_link_libraries(${program}-kernels PRIVATE uotbench::worker)
  set(UOTBENCH_OPTIMISE -O2)
  uotbench_add_program(${NAME} SOURCES $<TARGET_OBJECTS:${program}-kernels> ${UOTBENCH_TIMED} ${gpu_sources}
    ${UOTBENCH_HARNESS}/main.cpp FLAGS "")
  get_filename_component(toolkit ${UOTBENCH_NVCC} DIRECTORY)
  target_include_directories(${program} SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  string(REPLACE ";" "," architectures "${architectures}")
  set_property(TARGET ${program} APPEND PROPERTY UOTBENCH_BUILD_DEFINITIONS
    UOTBENCH_CUDA="nvcc ${CMAKE_CUDA_COMPILER_VERSION}, -O3, for sm_${architectures}")
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${program} PRIVATE uotbench::shared CUDA::cudart_static)
  uotbench_link_needs(${program} ${kernels})
  find_program(UOTBENCH_PYTHON python3)
  if(UOTBENCH_PYTHON)
    set(report ${UOTBENCH_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/ptxas_report)
    set_target_properties(${program}-kernels PROPERTIES
      CUDA_COMPILER_LAUNCHER "${report};${CMAKE_CUDA_COMPILER_LAUNCHER}")
    add_custom_command(TARGET ${program} POST_BUILD VERBATIM
      COMMAND ${report} --collect $<TARGET_FILE:${program}>.kernels.json
              $<TARGET_OBJECTS:${program}-kernels> COMMAND_EXPAND_LISTS)
    set_property(GLOBAL APPEND PROPERTY uotbench_beside_programs $<TARGET_FILE:${program}>.kernels.json)
  endif()
endfunction()

if(UOTBENCH_CUDA)
  set(CMAKE_CUDA_COMPILER ${UOTBENCH_NVCC})
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  uotbench_cuda_architectures(CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_FLAGS_RELEASE "-DNDEBUG")
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 12 and later has it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit REQUIRED)
  file(GLOB gpu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/worker/gpu/cuda_*.cpp)
  uotbench_add_cuda_worker(cuda ${cuda_sources})
  add_dependencies(programs uotbench-worker-cuda)
endif()
