#include "tools/uotbench/flags/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

#include "tools/uotbench/flags/help.hpp"

namespace uotbench {
namespace {

std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> all;
  if (type.find('|') == std::string::npos) return all;
  std::istringstream words(type);
  for (std::string word; std::getline(words, word, '|');) all.push_back(word);
  return all;
}

bool is_file(const std::string& type) { return type == "FILE" || type == "DIR" || type == "RUN"; }

CompletedFlag flag_of(const CLI::Option& option) {
  CompletedFlag flag{.names = {}, .about = option.get_description()};
  for (const auto& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) flag.names.push_back("--" + name);
  flag.takes_value = option.get_items_expected_max() > 0;
  if (!flag.takes_value) return flag;
  flag.takes_file = is_file(option.get_type_name());
  flag.choices = choices_in(option.get_type_name());
  return flag;
}

void add(const CLI::App& app, const std::string& path, std::vector<CompletedCommand>& all) {
  CompletedCommand command{.path = path,
                           .name = app.get_name(),
                           .about = app.get_description(),
                           .flags = {},
                           .commands = {},
                           .choices = {}};
  bool first = true;
  for (const auto* option : app.get_options()) {
    if (!option->get_positional()) {
      if (!option->get_group().empty()) command.flags.push_back(flag_of(*option));
      continue;
    }
    if (first) command.choices = choices_in(option->get_type_name());
    first = false;
    command.takes_files =
        command.takes_files || is_file(option->get_single_name()) || option->get_single_name() == "CMD";
  }
  for (const auto* below : commands_below(app)) command.commands.push_back(below->get_name());
  all.push_back(std::move(command));
  for (const auto* below : commands_below(app)) add(*below, path + "/" + below->get_name(), all);
}

}  // namespace

std::vector<CompletedCommand> command_tree(const CLI::App& program) {
  std::vector<CompletedCommand> all;
  add(program, "", all);
  return all;
}

}  // namespace uotbench
