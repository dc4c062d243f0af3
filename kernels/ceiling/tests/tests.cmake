# They run the kernels themselves.
file(GLOB ceiling_sources CONFIGURE_DEPENDS kernels/ceiling/*.cpp)
uotbench_sources_for(ceiling_sources native ${ceiling_sources})
target_sources(kernels_ceiling_tests PRIVATE ${ceiling_sources})
