uotbench_test_vectors(SinkhornLogLanes vectors/lanes.cpp)
