# What must be installed to configure, and what may be. Every name is one of a package: whoever lacks one reads
# what to install, for all that is missing at once.

# uotbench_need(FOUND-VARIABLE WHAT "Debian/Ubuntu" "Fedora/RHEL" "conda" "Spack")
set(uotbench_missing "")
function(uotbench_need FOUND WHAT DEBIAN FEDORA CONDA SPACK)
  if(NOT ${FOUND})
    string(APPEND uotbench_missing
      "  ${WHAT}: Debian/Ubuntu ${DEBIAN}; Fedora/RHEL ${FEDORA}; conda-forge ${CONDA}; Spack ${SPACK}\n")
    set(uotbench_missing "${uotbench_missing}" PARENT_SCOPE)
  endif()
endfunction()
function(uotbench_stop_where_missing HINT)
  if(uotbench_missing)
    message(FATAL_ERROR "not found, and needed; the packages are called\n${uotbench_missing}${HINT}")
  endif()
endfunction()

# uotbench_optional(NAME FOUND-VARIABLE "library" "with it" "without it" "Debian/Ubuntu" "Fedora/RHEL" "conda" "Spack")
function(uotbench_optional NAME FOUND LIBRARY WITH WITHOUT DEBIAN FEDORA CONDA SPACK)
  if(${FOUND})
    message(STATUS "${LIBRARY}: found; ${WITH}")
  elseif(UOTBENCH_WITH_${NAME})
    message(STATUS "${LIBRARY}: not found; ${WITHOUT} (Debian/Ubuntu ${DEBIAN}; Fedora/RHEL ${FEDORA}; "
                   "conda-forge ${CONDA}; Spack ${SPACK})")
  else()
    message(STATUS "${LIBRARY}: not wanted (UOTBENCH_WITH_${NAME}=OFF); ${WITHOUT}")
  endif()
endfunction()

find_package(fmt QUIET)
# fmt 11 moved fmt::join into another header.
if(fmt_FOUND AND fmt_VERSION VERSION_GREATER_EQUAL 11)
  message(FATAL_ERROR "fmt ${fmt_VERSION} in ${fmt_DIR} is too new; expected fmt 9 or 10: conda-forge \"fmt<11\", Spack fmt@:10")
endif()
find_package(nlohmann_json QUIET)
find_package(benchmark QUIET)
find_package(OpenMP QUIET COMPONENTS CXX)
find_package(Eigen3 QUIET NO_MODULE)
# Headers alone; not all packages of them bring files for CMake.
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp)
find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_path(BOOST_MATH_INCLUDE_DIR boost/math/distributions/binomial.hpp)
# Newer versions bring a file for CMake, which names the parts of Abseil that they need; Debian 12's does not.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  find_path(RE2_INCLUDE_DIR re2/re2.h)
  find_library(RE2_LIBRARY re2)
  if(RE2_INCLUDE_DIR AND RE2_LIBRARY)
    add_library(re2::re2 UNKNOWN IMPORTED)
    set_target_properties(re2::re2 PROPERTIES
      IMPORTED_LOCATION ${RE2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
  endif()
endif()
if(TARGET re2::re2)
  set(RE2_FOUND TRUE)
else()
  set(RE2_FOUND FALSE)
endif()

uotbench_need(fmt_FOUND "fmt" libfmt-dev fmt-devel "\"fmt<11\"" fmt@:10)
uotbench_need(nlohmann_json_FOUND "nlohmann_json" nlohmann-json3-dev json-devel nlohmann_json nlohmann-json)
uotbench_need(benchmark_FOUND "Google Benchmark" libbenchmark-dev google-benchmark-devel benchmark benchmark)
uotbench_need(OpenMP_CXX_FOUND "OpenMP" g++ gcc-c++ gxx gcc)
uotbench_need(Eigen3_FOUND "Eigen" libeigen3-dev eigen3-devel "\"eigen<4\"" eigen@3)
uotbench_need(BOOST_MATH_INCLUDE_DIR "Boost.Math" libboost-math-dev boost-devel libboost-devel "boost+math")
uotbench_need(XXHASH_INCLUDE_DIR "xxHash" libxxhash-dev xxhash-devel xxhash xxhash)
uotbench_need(RE2_FOUND "RE2" libre2-dev re2-devel "re2" re2)
uotbench_need(CLI11_INCLUDE_DIR "CLI11" libcli11-dev cli11-devel cli11 cli11)
uotbench_stop_where_missing("See docs/guide/install.md.")

option(UOTBENCH_WITH_PNG "read PNG files for data=colors, where there is libpng" ON)
if(UOTBENCH_WITH_PNG)
  find_package(PNG QUIET)
endif()
uotbench_optional(PNG PNG_FOUND "libpng" "data=colors reads PNG files" "data=colors knows only its own scenes"
  libpng-dev libpng-devel libpng libpng)

option(UOTBENCH_WITH_MINIZIP "pack artefacts as ZIP files, where there is minizip" ON)
if(UOTBENCH_WITH_MINIZIP)
  find_path(MINIZIP_INCLUDE_DIR minizip/zip.h)
  find_library(MINIZIP_LIBRARY minizip)
  find_package(ZLIB QUIET)  # its headers include zlib.h
  if(MINIZIP_INCLUDE_DIR AND MINIZIP_LIBRARY AND ZLIB_FOUND)
    set(MINIZIP_FOUND TRUE)
  endif()
endif()
uotbench_optional(MINIZIP MINIZIP_FOUND "minizip" "uotbench pack writes and checks artefacts"
  "uotbench pack says what is missing" libminizip-dev minizip-devel minizip minizip)

option(UOTBENCH_WITH_HWLOC "order CPUs by what hwloc knows, where there is one" ON)
if(UOTBENCH_WITH_HWLOC)
  find_path(HWLOC_INCLUDE_DIR hwloc.h)
  find_library(HWLOC_LIBRARY hwloc)
  if(HWLOC_INCLUDE_DIR AND HWLOC_LIBRARY)
    # Kinds of core came with 2.4.
    include(CheckCXXSymbolExists)
    set(CMAKE_REQUIRED_INCLUDES ${HWLOC_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${HWLOC_LIBRARY})
    check_cxx_symbol_exists(hwloc_cpukinds_get_info hwloc.h UOTBENCH_HWLOC_KNOWS_KINDS)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
  endif()
  if(UOTBENCH_HWLOC_KNOWS_KINDS)
    set(HWLOC_FOUND TRUE)
    add_library(hwloc INTERFACE)
    target_include_directories(hwloc SYSTEM INTERFACE ${HWLOC_INCLUDE_DIR})
    target_link_libraries(hwloc INTERFACE ${HWLOC_LIBRARY})
  endif()
endif()
uotbench_optional(HWLOC HWLOC_FOUND "hwloc (2.4 or later)" "cores and caches as it reports" "cores and caches as /sys reports"
  libhwloc-dev hwloc-devel libhwloc hwloc)

option(UOTBENCH_WITH_PAPI "count events by PAPI's names, where there is PAPI" ON)
if(UOTBENCH_WITH_PAPI)
  find_path(PAPI_INCLUDE_DIR papi.h)
  find_library(PAPI_LIBRARY papi)
  if(PAPI_INCLUDE_DIR AND PAPI_LIBRARY)
    set(PAPI_FOUND TRUE)
  endif()
endif()
uotbench_optional(PAPI PAPI_FOUND "PAPI" "counters by its names and by perf's" "counters by perf's names alone"
  libpapi-dev papi-devel papi papi)

option(UOTBENCH_WITH_NVTX "mark phases for profilers, where there are NVTX's headers" ON)
if(UOTBENCH_WITH_NVTX)
  # Version 3 is headers alone; the CUDA toolkit brings them, often where no compiler looks.
  find_path(NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
            PATHS /usr/local/cuda/include ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES include)
  if(NVTX_INCLUDE_DIR)
    set(NVTX_FOUND TRUE)
  endif()
endif()
uotbench_optional(NVTX NVTX_FOUND "NVTX 3" "profilers see phases" "profilers see no phases"
  nvidia-cuda-toolkit "NVIDIA's cuda-nvtx-devel" cuda-nvtx-dev cuda)

option(UOTBENCH_WITH_SIMT "run CUDA kernels on the CPU, where there is Boost.Context" ON)
if(UOTBENCH_WITH_SIMT)
  find_package(Boost QUIET COMPONENTS context)
endif()
uotbench_optional(SIMT Boost_CONTEXT_FOUND "Boost.Context" "CUDA kernels run on the CPU, too: workers simt and simt-trace"
  "no workers simt and simt-trace: CUDA kernels are not proven on the CPU"
  libboost-context-dev boost-devel libboost-devel "boost+context")

option(UOTBENCH_WITH_MPI "build the worker `mpi`, where there is MPI; `mpi-mpich` can be built where MPICH is there, too" ON)
if(UOTBENCH_WITH_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  # Debian keeps several in one folder, and whoever may can switch which of them is called mpicxx: own names, then.
  find_program(UOTBENCH_MPICXX mpicxx)
  mark_as_advanced(UOTBENCH_MPICXX)
  get_filename_component(mpi_folder "${UOTBENCH_MPICXX}" DIRECTORY)
  find_program(MPI_CXX_COMPILER NAMES mpicxx.openmpi mpicxx.mpich PATHS ${mpi_folder} NO_DEFAULT_PATH)
  if(MPI_CXX_COMPILER MATCHES "mpicxx\\.([a-z]+)$")
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${CMAKE_MATCH_1} PATHS ${mpi_folder} NO_DEFAULT_PATH)
  endif()
  find_package(MPI QUIET COMPONENTS CXX)
  find_program(UOTBENCH_MPICH_COMPILER NAMES mpicc.mpich PATHS ${mpi_folder} DOC "mpicc of MPICH, for the worker mpi-mpich")
endif()
uotbench_optional(MPI MPI_CXX_FOUND "MPI" "the worker mpi is built" "no worker mpi: no kernels over several processes"
  "openmpi-bin libopenmpi-dev" "openmpi-devel" openmpi openmpi)
