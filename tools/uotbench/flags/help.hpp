// The commands and flags of the program as data, and the help made of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class FormatterBase;
}  // namespace CLI

namespace uotbench {

/// Lays help out in the terminal's width, 80 columns where it has none: names in one column, descriptions
/// wrapped beside them. Commands inherit it from a program that has it before they are added.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// The same as data, for the man page and the completions of shells.
struct HelpEntry {
  std::string name, about;  ///< "-a, --axis AXIS=VALUES"
};
struct HelpBlock {
  std::string title;  ///< "How it is measured"; empty: of positional arguments
  std::vector<HelpEntry> entries;
};
std::vector<HelpBlock> help_blocks(const CLI::App& app);
/// "Run a sweep: …."
std::string help_about(const CLI::App& app);
/// "uotbench run [OPTION...] [VARIANT...]"
std::string help_usage(const CLI::App& app, const std::string& name);
/// The commands below it, in the order in which they were added.
std::vector<const CLI::App*> commands_below(const CLI::App& app);

// The commands as a shell's completion needs them.

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
