# They run the kernels themselves.
file(GLOB stencil_sources CONFIGURE_DEPENDS kernels/stencil/*.cpp)
target_sources(kernels_stencil_tests PRIVATE ${stencil_sources})
