#include "results/record/run_file/run_line.hpp"

#include <fmt/format.h>

#include <utility>

#include "results/base/json.hpp"
#include "results/record/axes/impossible.hpp"

namespace uotbench {
namespace {

std::string kind_of(const Json& line) {
  const auto kind = line.is_object() ? line.find("kind") : line.end();
  return kind != line.end() && kind->is_string() ? kind->get<std::string>() : "";
}

}  // namespace

RunLine parse_run_line(std::string_view text) {
  RunLine line;
  Json json = parse_visible(text);
  line.kind = kind_of(json);
  if (line.kind != "case") {
    line.document = std::move(json);
    return line;
  }
  try {
    line.record = record_from(std::move(json));
    refuse_impossible(*line.record);  // whoever wrote it
  } catch (const Error& error) {
    line.problem = error.what();
  }
  return line;
}

UsageError not_a_run(const std::filesystem::path& path) {
  return UsageError(
      fmt::format("{}: not a run file (its first line is not {{\"kind\":\"run\",...}})", path.string()));
}

}  // namespace uotbench
