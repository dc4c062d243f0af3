// The command that started this program, for whoever wants to give it again.
#pragma once

#include <string>

namespace uotbench {

/// It as a shell takes it.
std::string own_command();
/// The same without --resume, --force and --output, which say where a run goes and not what it is.
std::string own_command_of_any_file();

}  // namespace uotbench
