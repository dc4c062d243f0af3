#include "tools/uotbench/flags/flag_values.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "results/base/error.hpp"

namespace uotbench {

const CLI::Validator not_empty([](std::string& text) { return text.empty() ? "needs a value" : ""; }, "");

double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text) try {
  return parse(text);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("{}: {}", flag, error.what()));
}

}  // namespace uotbench
