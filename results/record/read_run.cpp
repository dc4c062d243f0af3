// Reading a run back: every line judged by itself, so that one broken line costs one record.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string_view>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/parallel.hpp"
#include "results/base/shape.hpp"
#include "results/record/line_shapes.hpp"
#include "results/record/run_file.hpp"
#include "results/record/run_line.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: no such run file", path.string()));
  std::string text;
  std::error_code unknown;
  if (const auto size = fs::file_size(path, unknown); !unknown) text.reserve(size);
  char block[1 << 16];
  while (in.read(block, sizeof block), in.gcount() > 0)
    text.append(block, static_cast<std::size_t>(in.gcount()));
  return text;
}

/// Whole lines, without their ends; then what follows the last one, where there is something.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Taking numbers out of text is most of the work.
std::vector<RunLine> parse_all(const std::vector<std::string_view>& lines) {
  std::vector<RunLine> parsed(lines.size());
  in_parts(lines.size(), 500, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parsed[i] = parse_run_line(lines[i]);
  });
  return parsed;
}

/// Throws Error naming what is missing.
CeilingAgain ceiling_again_from(const Json& json) try {
  return {.record = record_from(json.at("record")),
          .exceeded_by = json.at("exceeded_by").get<std::vector<std::string>>(),
          .was = json.at("was").get<double>()};
} catch (const Json::exception& error) {
  throw Error(plain_words(error));
}

}  // namespace

Json to_json(const CeilingAgain& ceiling) {
  return {{"kind", "ceiling"},
          {"exceeded_by", ceiling.exceeded_by},
          {"was", ceiling.was},
          {"record", to_json(ceiling.record)}};
}

Run read_run(const fs::path& path) {
  const std::string text = text_of(path);
  if (text.empty()) throw UsageError(fmt::format("{}: an empty file, not a run", path.string()));
  const auto lines = lines_of(text);
  if (parse_run_line(lines.front()).kind != "run" || text.find('\n') == std::string::npos)
    throw not_a_run(path);
  auto parsed = parse_all(lines);
  Run run{
      .path = path, .header = {}, .records = {}, .resumes = {}, .end = {}, .unfinished = {}, .warnings = {}};
  std::unordered_map<std::string_view, std::size_t> by_id;  // the last line of every id
  by_id.reserve(parsed.size());
  Json plan = Json::array();  // the last: --resume --force may have changed it
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    RunLine& line = parsed[i];
    const bool torn = i + 1 == parsed.size() && !text.ends_with('\n');
    if (torn || line.kind.empty() || (line.kind == "run" && i > 0)) {
      run.warnings.push_back(fmt::format("line {} of {} is {}: left out", i + 1, path.string(),
                                         torn ? "torn (cut off while being written)" : "not a record"));
    } else if (line.kind == "run") {
      run.header = std::move(line.json);
      for (const char* part :
           {"machine", "machines", "sweep", "options", "workers", "problem_axes", "axis_roles"})
        if (const auto found = run.header.find(part); found != run.header.end() && found->is_null())
          run.header.erase(found);  // not told
      if (const std::string wrong = misfit_of_header(run.header); !wrong.empty())
        throw UsageError(fmt::format("{}: line 1: {}", path.string(), wrong));
      plan = run.header.value("plan", Json::array());
      if (run.header.value("schema", 0) > run_schema)
        run.warnings.push_back(fmt::format("{} was written by a newer uotbench (schema {})", path.string(),
                                           run.header.value("schema", 0)));
    } else if (line.kind == "case") {
      if (line.record) {
        by_id[line.record->id] = i;  // a key stays in the first line of its id
      } else {
        run.warnings.push_back(
            fmt::format("line {} of {}: {}: left out", i + 1, path.string(), line.problem));
      }
      run.end.reset();
    } else if (line.kind == "resume") {
      if (const std::string wrong = misfit_of_header(line.json); !wrong.empty()) {
        run.warnings.push_back(fmt::format("line {} of {}: {}: left out", i + 1, path.string(), wrong));
        continue;
      }
      if (line.json.contains("plan")) plan = line.json["plan"];
      run.resumes.push_back(std::move(line.json));
      run.end.reset();
    } else if (line.kind == "ceiling") {
      try {
        run.ceilings_again.push_back(ceiling_again_from(line.json));
      } catch (const Error& error) {
        run.warnings.push_back(
            fmt::format("line {} of {}: {}: left out", i + 1, path.string(), error.what()));
      }
    } else if (line.kind == "end") {
      run.end = std::move(line.json);
    }
  }
  run.records.reserve(by_id.size());
  for (const auto& planned : plan) {
    const auto& id = planned.get_ref<const std::string&>();
    const auto found = by_id.find(id);
    if (found == by_id.end() || !is_final(parsed[found->second].record->status)) run.unfinished.push_back(id);
    if (found == by_id.end()) continue;
    const std::size_t place = found->second;
    by_id.erase(found);  // before its key goes
    run.records.push_back(std::move(*parsed[place].record));
  }
  if (!by_id.empty())
    run.warnings.push_back(
        fmt::format("{} holds {} that its plan does not name: left out", path.string(),
                    by_id.size() == 1 ? "a record" : fmt::format("{} records", by_id.size())));
  return run;
}

}  // namespace uotbench
