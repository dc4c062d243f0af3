file(GLOB ceiling_sources CONFIGURE_DEPENDS kernels/ceiling/*.cpp)
uotbench_sources_for(ceiling_sources native ${ceiling_sources})
uotbench_test_with_kernels(ceiling ${ceiling_sources})
