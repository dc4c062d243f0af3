#include "tools/uotbench/flags/help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

constexpr std::size_t most_of_names = 26;  // a longer name has its description below

bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

/// " FILE", " N"; nothing for a flag.
std::string value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  return " " + option.get_type_name();
}

HelpEntry entry_of(const CLI::Option& option) {
  if (option.get_positional())
    return {option.get_single_name() + (takes_many(option) ? "..." : ""), option.get_description()};
  std::string names;
  for (const auto& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const auto& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return {names + value_of(option), option.get_description()};
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    Terminal terminal = terminal_of(stdout);
    if (!terminal.width) terminal.width = 80;
    std::string text = paragraph("", help_about(*app), terminal) + '\n';
    text += paragraph("Usage: ", help_usage(*app, name), terminal, Style::strong);
    const auto blocks = help_blocks(*app);
    std::size_t names = 0;
    for (const auto& [title, entries] : blocks)
      for (const auto& entry : entries)
        if (entry.name.size() <= most_of_names) names = std::max(names, entry.name.size());
    for (const auto& [title, entries] : blocks) {
      text += '\n';
      if (!title.empty()) text += styled(title + ":", Style::strong, terminal) + '\n';
      for (const auto& entry : entries) text += lines_of(entry, names, terminal);
    }
    if (!app->get_footer().empty()) text += '\n' + app->get_footer() + '\n';
    return text;
  }

 private:
  static std::string lines_of(const HelpEntry& entry, std::size_t names, const Terminal& terminal) {
    const std::string margin(names + 4, ' ');
    if (entry.name.size() > names) return "  " + entry.name + '\n' + paragraph(margin, entry.about, terminal);
    return paragraph(fmt::format("  {:<{}}  ", entry.name, names), entry.about, terminal);
  }
};

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

std::string help_usage(const CLI::App& app, const std::string& name) {
  std::string text = name;
  for (const auto* option : app.get_options())
    if (option->get_required() && !option->get_positional())
      text += fmt::format(" --{}{}", option->get_lnames().front(), value_of(*option));
  text += " [OPTION...]";
  for (const auto* option : app.get_options())
    if (option->get_positional()) {
      const std::string word = entry_of(*option).name;
      text += option->get_required() ? " " + word : " [" + word + "]";
    }
  if (app.get_require_subcommand_min() > 0) text += " COMMAND";
  return text;
}

std::vector<const CLI::App*> commands_below(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string help_about(const CLI::App& app) {
  // "run" in the table of commands, "Run …" at the head of its own help.
  std::string about = app.get_description();
  if (!about.empty()) about.front() = static_cast<char>(std::toupper(about.front()));
  if (!about.empty() && !about.ends_with('.')) about += '.';
  return about;
}

std::vector<HelpBlock> help_blocks(const CLI::App& app) {
  std::vector<HelpBlock> blocks{{"", {}}, {"Commands", {}}};
  for (const auto* option : app.get_options())
    if (option->get_positional()) blocks[0].entries.push_back(entry_of(*option));
  for (const auto* command : commands_below(app))
    blocks[1].entries.push_back({command->get_name(), command->get_description()});
  for (const auto& group : app.get_groups()) {
    if (group.empty()) continue;  // hidden
    blocks.push_back({group, {}});
    for (const auto* option : app.get_options())
      if (!option->get_positional() && option->get_group() == group)
        blocks.back().entries.push_back(entry_of(*option));
  }
  // CLI11's own group, with --help, after those that we have named.
  std::ranges::stable_partition(blocks, [](const auto& block) { return block.title != "Options"; });
  std::erase_if(blocks, [](const auto& block) { return block.entries.empty(); });
  return blocks;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::vector<CompletedCommand> command_tree(const CLI::App& program) {
  std::vector<CompletedCommand> all;
  add(program, "", all);
  return all;
}

}  // namespace uotbench
