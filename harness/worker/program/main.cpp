// A worker that holds native variants. What it does is in the library; which worker it is, in build.cpp.
#include "harness/worker/alone/alone.hpp"
#include "harness/worker/serve/build.hpp"

int main(int argc, char** argv) { return uotbench::worker_main(argc, argv, uotbench::this_build()); }
