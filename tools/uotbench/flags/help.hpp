// What --help prints.
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

}  // namespace uotbench
