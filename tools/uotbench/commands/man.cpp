// uotbench man: the manual page, written from what --help prints.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/help.hpp"

namespace uotbench {
namespace {

/// Text as troff takes it: nothing in it is a request, and its hyphens are those of commands.
std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text)
    if (c == '\\')
      made += "\\e";
    else if (c == '-')
      made += "\\-";
    else
      made += c;
  if (made.starts_with('.') || made.starts_with('\'')) made.insert(0, "\\&");
  return made;
}

/// Lines as they are.
std::string literal(const std::string& text) {
  std::string made = ".nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) made += line.empty() ? ".sp\n" : escaped(line) + '\n';
  return made + ".fi\n";
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const auto& [title, entries] : help_blocks(app)) {
    if (title == "Commands") continue;  // each has a section
    if (!title.empty()) text += fmt::format(".PP\n{}:\n", escaped(title));
    for (const auto& entry : entries)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(entry.name), escaped(entry.about));
  }
  return text;
}

void add_section(const CLI::App& app, const std::string& name, std::string& text) {
  text += fmt::format(".SS {}\n{}\n.PP\n\\fB{}\\fR\n", escaped(name), escaped(help_about(app)),
                      escaped(help_usage(app, "uotbench " + name)));
  text += options_of(app);
  if (!app.get_footer().empty()) text += ".PP\n" + literal(app.get_footer());
  for (const auto* below : commands_below(app)) add_section(*below, name + " " + below->get_name(), text);
}

struct ExitStatus {
  ExitCode code;
  const char* about;
};

constexpr ExitStatus statuses[]{{exit_ok, "all right; a skipped case is right"},
                                {exit_failed, "a case failed, or an output could not be written"},
                                {exit_usage, "the command or a file is wrong"},
                                {exit_regressed, "gate: a case is slower"},
                                {exit_inconclusive, "gate: no verdict"},
                                {exit_incomplete, "gate: a case is missing, or failed in both builds"},
                                {exit_not_comparable, "there is nothing to compare"},
                                {exit_not_built, "gate: a revision could not be built"},
                                {exit_interrupted, "stopped before the end"},
                                {exit_unread, "the reader of the output left early"}};

std::string page_of(const CLI::App& program) {
  std::string about = program.get_description();
  const auto first = about.substr(0, about.find(':'));
  std::string text = fmt::format(".TH UOTBENCH 1 \"\" \"uotbench {}\" \"User Commands\"\n", UOTBENCH_VERSION);
  text += fmt::format(".SH NAME\nuotbench \\- {}\n", escaped(first));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n", escaped(help_usage(program, "uotbench")));
  text += fmt::format(".SH DESCRIPTION\n{}\n{}", escaped(help_about(program)), options_of(program));
  text += ".SH COMMANDS\n";
  for (const auto* command : commands_below(program)) add_section(*command, command->get_name(), text);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : statuses)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(code), escaped(meaning));
  return text + ".SH EXAMPLES\n" + literal(program.get_footer());
}

}  // namespace

void add_man(CLI::App& program, Action& chosen) {
  auto* command = program.add_subcommand("man", "print this program's manual page, in troff");
  command->footer(
      "Examples:\n  uotbench man | man -l -\n  uotbench man > uotbench.1\n  uotbench man | groff -man -Tpdf "
      "> uotbench.pdf");
  command->callback([&program, &chosen] {
    chosen = [&program] {
      fmt::print("{}", page_of(program));
      return exit_ok;
    };
  });
}

}  // namespace uotbench
