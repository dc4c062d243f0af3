#include "tools/uotbench/flags/flag_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "harness/protocol/suggest.hpp"
#include "results/base/error.hpp"

namespace uotbench {

const CLI::Validator not_empty([](std::string& text) { return text.empty() ? "needs a value" : ""; }, "");

double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text) try {
  return parse(text);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("{}: {}", flag, error.what()));
}

void require_format(const std::string& format, const std::vector<std::string>& known) {
  if (std::ranges::find(known, format) == known.end())
    throw UsageError(fmt::format("--format {}: no such format{}; there are: {}", format,
                                 did_you_mean(format, known), fmt::join(known, ", ")));
}

}  // namespace uotbench
