file(GLOB uot_sources CONFIGURE_DEPENDS kernels/uot/*.cpp)
uotbench_test_with_kernels(uot ${uot_sources})
