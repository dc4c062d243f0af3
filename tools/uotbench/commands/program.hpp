// uotbench: the program. Parses, dispatches, and is the only place that prints errors.
#pragma once

namespace uotbench {

/// main(): what the process is to exit with (tools/uotbench/flags/command.hpp).
int run_program(int argc, char** argv);

}  // namespace uotbench
