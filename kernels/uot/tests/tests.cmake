# They run the kernels themselves.
file(GLOB uot_sources CONFIGURE_DEPENDS kernels/uot/*.cpp)
target_sources(kernels_uot_tests PRIVATE ${uot_sources})
