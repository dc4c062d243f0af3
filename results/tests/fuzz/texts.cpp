// Texts that are kept or written by hand. What can be read of one is read again as the same: run files are
// mailed and cut off, reports of the gate are stored by CI and read by other versions, formulas and units of
// counter groups are in files of users.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/expression/expression.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/record/run_file/run_file.hpp"
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

void read_file(std::string_view input) {
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

const Registration run_file{{.name = "run_file", .one_input = read_file, .corpus = runs}};
const Registration run_line{{.name = "run_line", .one_input = read_line, .corpus = lines, .share = 2}};

void read_report(std::string_view input) {
  const auto parsed = parse_shallow(input);
  if (!parsed) return;
  const Json& json = *parsed;
  const GateReport report = gate_report_from(json);
  const Json told = to_json(report);
  require_same(told, to_json(gate_report_from(told)), "a report, read and written");
  require_printable(markdown_of(report));
  require_printable(github_of(report));
  require_printable(junit_of(report));
}

const Registration gate_report{{.name = "gate_report", .one_input = read_report, .corpus = [] {
                                  return files_of({"results/tests/golden/gate.json"});
                                }}};

void read_formula(std::string_view input) {
  const std::string text(input);
  const Formula formula(text, "group.json: /counters/0");
  if (Formula(formula.text(), "again").names() != formula.names())
    throw Broken("its names change as it is read again");
  for (const double value : {0., 1., -1e308, 1e-308}) {
    const auto found = formula.value([&](const std::string&) { return std::optional(value); });
    if (!found.value)
      require_readable(found.reason, input.size());
    else if (!std::isfinite(*found.value))
      throw Broken(fmt::format("{} is {}, and no reason says why", text, *found.value));
  }
  const auto unknown = formula.value([](const std::string&) { return std::nullopt; });
  if (unknown.value && !formula.names().empty())
    throw Broken(text + " has a value without that of its names");
  formula.unit(
      [](const std::string& name) { return UnitOfMeasure(name.size() % 2 ? "bytes" : "1", "unit"); });
}

void read_unit(std::string_view input) {
  const UnitOfMeasure unit(input, "group.json: /unit");
  if (!(UnitOfMeasure(unit.text(), "again") == unit))
    throw Broken("the unit " + unit.text() + " is read as another one");
}

std::vector<std::string> formulas() {
  return {"L1D.misses / L1D.accesses", "64 * (LLC.read_misses + LLC.write_misses)",
          "-a.b / -(c - 2.5e-3) * 1e6", "(((x))) + y / z - 1", "line_bytes * L2.misses / (seconds * 1e9)"};
}
std::vector<std::string> units() {
  return {"1", "bytes/accesses", "1/seconds", "bytes^2*flops/seconds^3", "accesses"};
}

const Registration formula{{.name = "formula", .one_input = read_formula, .corpus = formulas}};
const Registration unit{{.name = "unit", .one_input = read_unit, .corpus = units, .share = 0.5}};

}  // namespace
}  // namespace uotbench::fuzz
