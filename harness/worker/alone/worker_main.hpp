// All that a worker's main does.
#pragma once

#include "harness/worker/serve/build.hpp"

namespace uotbench {

/// Without arguments it serves the protocol on stdin, with arguments it runs one case alone. Returns the exit
/// code; throws nothing.
int worker_main(int argc, char** argv, const Build& build);

}  // namespace uotbench
