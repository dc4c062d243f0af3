// Run files are kept, mailed and cut off: what can be read of one is read again as the same.
#include "results/record/run_file/run_file.hpp"

#include <algorithm>

#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

std::string written(const Run& run) {
  std::string text = to_line(to_json(run.header)) + "\n";
  for (const auto& record : run.records) text += to_line(to_json(record)) + "\n";
  return text;
}

Json records_of(const Run& run) {
  Json all = Json::array();
  for (const auto& record : run.records) all.push_back(to_json(record));
  return all;
}

void read(std::string_view input) {
  const Run run = read_run(as_file(input, "run.jsonl"));
  for (const auto& warning : run.warnings) require_readable(warning, input.size());
  if (run.resumes.empty()) {  // which may bring another plan
    const Run again = read_run(as_file(written(run), "run.jsonl"));
    require_same(records_of(run), records_of(again), "records, read and written");
    require_same(Json(run.unfinished), Json(again.unfinished), "unfinished cases, read and written");
  }
}

void read_line(std::string_view input) {
  const RunLine line = parse_run_line(input.substr(0, input.find('\n')));
  if (!line.problem.empty()) require_readable(line.problem, input.size());
  if (!line.record) return;
  const RunLine again = parse_run_line(to_line(to_json(*line.record)));
  if (!again.record) throw Broken("a record that is read, written and then refused: " + again.problem);
  require_same(to_json(*line.record), to_json(*again.record), "a record, read and written");
}

std::vector<std::string> runs() {
  return files_of({"tools/tests/golden", "tools/tests/golden/first"}, ".jsonl");
}

std::vector<std::string> lines() {
  std::vector<std::string> all;
  for (const auto& text : runs())
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (end - begin < 4000) all.push_back(text.substr(begin, end - begin));
  return all;
}

const Registration run_file{{.name = "run_file", .one_input = read, .corpus = runs}};
const Registration run_line{{.name = "run_line", .one_input = read_line, .corpus = lines, .share = 2}};

}  // namespace
}  // namespace uotbench::fuzz
