// One line of a run file, taken apart.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct RunLine {
  std::string kind;              ///< "run", "case", …; empty where the line is no JSON object with a kind
  std::optional<Record> record;  ///< of a sound case
  std::string problem;           ///< why a case has no record
  Document document;             ///< the line itself, where it is no case
};

/// Throws nothing that a line could cause.
RunLine parse_run_line(std::string_view text);

UsageError not_a_run(const std::filesystem::path& path);

}  // namespace uotbench
