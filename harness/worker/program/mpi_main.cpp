// A worker of several processes, which MPI starts.
#include "harness/worker/mpi/ranks_platform.hpp"
#include "harness/worker/serve/serve.hpp"

int main(int argc, char** argv) { return uotbench::ranks_main(argc, argv, uotbench::this_build()); }
