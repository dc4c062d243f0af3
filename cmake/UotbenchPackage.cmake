# cpack --config build/release/CPackConfig.cmake: a .deb of what cmake --install installs, for the Debian that it is built
# on; with CPackSourceConfig.cmake a tarball of the sources. docs/guide/packages.md.
set(CPACK_PACKAGE_NAME uotbench)
set(CPACK_PACKAGE_VENDOR "the authors of uotbench")
set(CPACK_PACKAGE_CONTACT "the authors of uotbench")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "benchmarks of memory-bound optimal-transport kernels")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Shared libraries are found in the programs. What is started is no library: apt installs the recommended as well unless
# told otherwise, and `uotbench doctor` says what one of them would bring.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-liberation, git, valgrind, openmpi-bin, libopenblas0-pthread, python3")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME uotbench-${PROJECT_VERSION})
# What is built, measured or git's.
set(CPACK_SOURCE_IGNORE_FILES /build/ /results/runs/ /__pycache__/ "/\\.git/" "/\\.git$" "_cache/")
include(CPack)
