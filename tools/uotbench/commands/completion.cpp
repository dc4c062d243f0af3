// uotbench completion: what a shell needs to complete commands and flags, written from the commands
// themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/help.hpp"

namespace uotbench {
namespace {

using Tree = std::vector<CompletedCommand>;

/// What stands in a script for the command that a line has come to: "" or "/run" or "/baseline/save".
std::string cases_of_commands(const Tree& tree, const char* form) {
  std::string text;
  for (const auto& command : tree)
    if (!command.path.empty()) text += fmt::format(fmt::runtime(form), command.path);
  return text;
}

std::vector<std::string> names_of(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const auto& flag : command.flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

/// The flags after which a value comes, by what the shell offers for it.
struct Values {
  std::vector<std::string> files, texts;
  std::map<std::string, std::vector<std::string>> choices;  ///< by the flags' names, "-x|--long"
};

Values values_of(const CompletedCommand& command) {
  Values values;
  for (const auto& flag : command.flags) {
    if (!flag.takes_value) continue;
    if (!flag.choices.empty()) {
      values.choices[fmt::format("{}", fmt::join(flag.names, "|"))] = flag.choices;
      continue;
    }
    auto& names = flag.takes_file ? values.files : values.texts;
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  }
  return values;
}

std::string for_bash(const Tree& tree) {
  std::string text =
      "# Completion of uotbench for bash, as `uotbench completion bash` prints it.\n"
      "_uotbench() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
      "  local command=\"\" flags=\"\" words=\"\" files=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"$command/${COMP_WORDS[i]}\" in\n"
      "      /--sweep*) command=/run ;;\n";
  text += cases_of_commands(tree, "      {0}) command={0} ;;\n");
  text += "    esac\n  done\n  case \"$command\" in\n";
  for (const auto& command : tree) {
    const Values values = values_of(command);
    text += fmt::format("    \"{}\")\n      case \"$before\" in\n", command.path);
    if (!values.files.empty())
      text += fmt::format("        {}) mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return ;;\n",
                          fmt::join(values.files, "|"));
    for (const auto& [names, choices] : values.choices)
      text +=
          fmt::format("        {}) mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$current\"); return ;;\n",
                      names, fmt::join(choices, " "));
    if (!values.texts.empty())
      text += fmt::format("        {}) COMPREPLY=(); return ;;\n", fmt::join(values.texts, "|"));
    text += "      esac\n";
    text += fmt::format("      flags=\"{}\"\n", fmt::join(names_of(command), " "));
    const auto& words = command.commands.empty() ? command.choices : command.commands;
    if (!words.empty()) text += fmt::format("      words=\"{}\"\n", fmt::join(words, " "));
    if (command.takes_files) text += "      files=yes\n";
    text += "      ;;\n";
  }
  return text +
         "  esac\n"
         "  if [[ $current == -* ]]; then words=\"$flags\"; files=\"\"; fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\" || true; "
         "[[ -z $files ]] || compgen -f -- \"$current\")\n"
         "}\n"
         "complete -o filenames -F _uotbench uotbench\n";
}

/// A word with what it is for, as zsh's _describe takes it: the first ':' ends the word.
std::string described_for_zsh(const std::string& word, const std::string& about) {
  std::string name;
  for (const char c : word) name += c == ':' ? "\\:" : std::string(1, c);
  return shell_quoted(name + ":" + about);
}

std::string for_zsh(const Tree& tree) {
  std::string text =
      "#compdef uotbench\n"
      "# Completion of uotbench for zsh, as `uotbench completion zsh` prints it.\n"
      "_uotbench() {\n"
      "  local command= before=$words[CURRENT-1] i\n"
      "  local -a flags values\n"
      "  local files=\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    case $command/$words[i] in\n"
      "      /--sweep*) command=/run ;;\n";
  text += cases_of_commands(tree, "      {0}) command={0} ;;\n");
  text += "    esac\n  done\n  case $command in\n";
  for (const auto& command : tree) {
    const Values values = values_of(command);
    text += fmt::format("    ({})\n      case $before in\n", command.path.empty() ? "''" : command.path);
    if (!values.files.empty())
      text += fmt::format("        ({}) _files; return ;;\n", fmt::join(values.files, "|"));
    for (const auto& [names, choices] : values.choices)
      text += fmt::format("        ({}) compadd -- {}; return ;;\n", names, fmt::join(choices, " "));
    if (!values.texts.empty())
      text += fmt::format("        ({}) _message value; return ;;\n", fmt::join(values.texts, "|"));
    text += "      esac\n      flags=(\n";
    for (const auto& flag : command.flags)
      for (const auto& name : flag.names)
        text += fmt::format("        {}\n", described_for_zsh(name, flag.about));
    text += "      )\n";
    if (!command.commands.empty()) {
      text += "      values=(\n";
      for (const auto& below : tree)
        if (below.path.starts_with(command.path + "/") && below.path == command.path + "/" + below.name)
          text += fmt::format("        {}\n", described_for_zsh(below.name, below.about));
      text += "      )\n";
    } else if (!command.choices.empty()) {
      text += fmt::format("      values=({})\n", fmt::join(command.choices, " "));
    }
    if (command.takes_files) text += "      files=yes\n";
    text += "      ;;\n";
  }
  return text +
         "  esac\n"
         "  if [[ $PREFIX == -* ]]; then\n"
         "    _describe -o flag flags\n"
         "  else\n"
         "    (( $#values )) && _describe word values\n"
         "    [[ -z $files ]] || _files\n"
         "  fi\n"
         "}\n"
         "_uotbench \"$@\"\n";
}

/// In fish a backslash and a quote are escaped within quotes.
std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

std::string for_fish(const Tree& tree) {
  std::string text =
      "# Completion of uotbench for fish, as `uotbench completion fish` prints it.\n"
      "function __uotbench_command\n"
      "  set -l command ''\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    switch $command/$word\n"
      "      case '/--sweep*'\n"
      "        set command /run\n";
  text += cases_of_commands(tree, "      case {0}\n        set command {0}\n");
  text +=
      "    end\n"
      "  end\n"
      "  test \"$command\" = \"$argv[1]\"\n"
      "end\n"
      "complete -c uotbench -f\n";
  for (const auto& command : tree) {
    const std::string here =
        fmt::format("complete -c uotbench -n {}",
                    quoted_for_fish(fmt::format("__uotbench_command \"{}\"", command.path)));
    for (const auto& below : tree)
      if (below.path != "" && below.path == command.path + "/" + below.name)
        text += fmt::format("{} -a {} -d {}\n", here, below.name, quoted_for_fish(below.about));
    if (command.commands.empty() && !command.choices.empty())
      text += fmt::format("{} -a {}\n", here,
                          quoted_for_fish(fmt::format("{}", fmt::join(command.choices, " "))));
    if (command.takes_files) text += here + " -F\n";
    for (const auto& flag : command.flags) {
      text += here;
      for (const auto& name : flag.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (flag.takes_file)
        text += " -r -F";
      else if (!flag.choices.empty())
        text += fmt::format(" -x -a {}", quoted_for_fish(fmt::format("{}", fmt::join(flag.choices, " "))));
      else if (flag.takes_value)
        text += " -x";
      text += fmt::format(" -d {}\n", quoted_for_fish(flag.about));
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& program, Action& chosen) {
  auto shell = std::make_shared<std::string>();
  auto* command =
      program.add_subcommand("completion", "print what a shell needs to complete commands and flags");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
  command->footer(
      "An installation has them where the shells look. Otherwise:\n"
      "Examples:\n"
      "  source <(uotbench completion bash)\n"
      "  uotbench completion fish > ~/.config/fish/completions/uotbench.fish\n"
      "  uotbench completion zsh > ~/.zfunc/_uotbench");
  command->callback([shell, &program, &chosen] {
    chosen = [shell, &program] {
      using Writer = std::string (*)(const Tree&);
      const std::map<std::string, Writer> writers{{"bash", for_bash}, {"fish", for_fish}, {"zsh", for_zsh}};
      if (!writers.contains(*shell))
        throw UsageError(fmt::format("completion: no shell \"{}\"; there are: bash, zsh, fish", *shell));
      fmt::print("{}", writers.at(*shell)(command_tree(program)));
      return exit_ok;
    };
  });
}

}  // namespace uotbench
