// main() of a worker of several processes.
#pragma once

#include "harness/worker/serve/build.hpp"

namespace uotbench {

/// Serves, or, where it is one process that was started by hand, does what is on its command line. Returns
/// the exit code.
int ranks_main(int argc, char** argv, const Build& build);

}  // namespace uotbench
