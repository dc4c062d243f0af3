file(GLOB stencil_sources CONFIGURE_DEPENDS kernels/stencil/*.cpp)
uotbench_test_with_kernels(stencil ${stencil_sources})
