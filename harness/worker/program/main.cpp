// A worker that holds native variants. What it does is in the library; which worker it is, in build.cpp.
#include "harness/worker/serve/serve.hpp"

int main(int argc, char** argv) { return uotbench::worker_main(argc, argv, uotbench::this_build()); }
