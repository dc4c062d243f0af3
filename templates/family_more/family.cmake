find_package(BLAS QUIET)
uotbench_library(BLAS BLAS_FOUND LINK BLAS::BLAS)
