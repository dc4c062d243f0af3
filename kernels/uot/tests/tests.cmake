uotbench_test_with_kernels(uot)
# An OpenBLAS that knows no CPU, for openblas_core_test.cpp.
add_library(uot_fallback_blas MODULE ${CMAKE_CURRENT_LIST_DIR}/fallback_blas.cpp)
add_dependencies(kernels_uot_tests uot_fallback_blas)
target_compile_definitions(kernels_uot_tests PRIVATE FALLBACK_BLAS="$<TARGET_FILE:uot_fallback_blas>")
