#include "tools/uotbench/flags/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

const CLI::Validator not_empty([](std::string& text) { return text.empty() ? "needs a value" : ""; }, "");

double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text) try {
  return parse(text);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("{}: {}", flag, error.what()));
}

Document over_value(const char* flag, const std::string& text) try {
  return parse_over(text);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("{}: {}", flag, error.what()));
}

Document over_value(const char* flag, const std::string& text, const Run& run) {
  if (text.empty()) return {};
  Document over = over_value(flag, text);
  const ObjectDocument named(over);
  const auto require = [&](const char* key, std::string Record::*member) {
    if (!named.contains(key)) return;
    std::set<std::string> known;
    for (const auto& record : run.records) known.insert(record.*member);
    const std::string name = named.text(key);
    if (known.contains(name)) return;
    const std::vector<std::string> names(known.begin(), known.end());
    throw UsageError(fmt::format("{} {}: no case of \"{}\"{}; there are: {}", flag, text, name,
                                 did_you_mean(name, names), shortened(names, 12)));
  };
  require("variant", &Record::variant);
  require("worker", &Record::worker);
  return over;
}

void keep_matching(RunView& view, const std::string& filter) {
  const Pattern wanted(filter, "--filter");
  for (auto& group : view.groups)
    std::erase_if(group.cases, [&](const CaseView& member) { return !wanted.is_in(member.record->id); });
  std::erase_if(view.groups, [](const GroupView& group) { return group.cases.empty(); });
  if (view.groups.empty())
    throw UsageError(fmt::format("--filter {}: no case of {} matches; ids look like {}", filter,
                                 view.run->path.string(),
                                 view.run->records.empty() ? "-" : view.run->records.front().id));
}

void require_format(const std::string& format, const std::vector<std::string>& known) {
  if (std::ranges::find(known, format) == known.end())
    throw UsageError(fmt::format("--format {}: no such format{}; there are: {}", format,
                                 did_you_mean(format, known), fmt::join(known, ", ")));
}

void add_mcpu_flag(CLI::App& command, std::string& mcpu, const std::string& of) {
  command
      .add_option("--mcpu", mcpu,
                  of + "the CPU that llvm-mca models, by LLVM's name (default: that of the run's machine)")
      ->type_name("CPU");
}

}  // namespace uotbench
