// The commands as a shell's completion needs them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace uotbench {

struct CompletedFlag {
  std::vector<std::string> names;  ///< "-a", "--axis"
  std::string about;
  bool takes_value = false, takes_file = false;
  std::vector<std::string> choices = {};  ///< all values, where the help lists them
};

struct CompletedCommand {
  std::string path;  ///< "" of the program, "/run", "/baseline/save"
  std::string name, about;
  std::vector<CompletedFlag> flags;
  std::vector<std::string> commands;  ///< names of those below it
  std::vector<std::string> choices;   ///< of its first positional argument, where the help lists them
  bool takes_files = false;           ///< some positional argument is a file, or may be
};

/// The program first, then its commands, each before those below it. A value is a file where its type is
/// FILE, DIR or RUN, and one of a list where its type is "one|other".
std::vector<CompletedCommand> command_tree(const CLI::App& program);

}  // namespace uotbench
