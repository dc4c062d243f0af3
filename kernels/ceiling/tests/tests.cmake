# They run the kernels themselves.
file(GLOB ceiling_sources CONFIGURE_DEPENDS kernels/ceiling/*.cpp)
list(FILTER ceiling_sources EXCLUDE REGEX "/oracle\\.cpp$")
target_sources(kernels_ceiling_tests PRIVATE ${ceiling_sources})
