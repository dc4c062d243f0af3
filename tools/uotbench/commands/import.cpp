// uotbench import: results of other benchmark tools as run files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/host/facts/machine.hpp"
#include "harness/host/process/program.hpp"
#include "harness/protocol/point.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct ImportOptions {
  std::vector<std::string> files;
  std::string output, name;
};

/// What uotbench-adapter reads in a file (harness/python/adapters/files.py).
Json read_by_adapter(const std::string& file) {
  const Ended ended = run_program({.command = {bin_folder() / "uotbench-adapter", "--read", file},
                                   .errors_apart = true,
                                   .own_group = true});
  if (ended.code == exit_ok) return Json::parse(ended.said);
  const std::string why = ended.errors.substr(0, ended.errors.find('\n'));
  throw UsageError(
      "import: " +
      (why.empty() ? fmt::format("{}: uotbench-adapter ended with code {}", file, ended.code) : why));
}

Record record_of(const Json& json, const std::string& worker) {
  Record record;
  record.variant = json.at("variant");
  record.worker = worker;
  record.point = json.at("point");
  record.has_oracle = false;
  record.env.set("imported", json.at("rest"));
  std::vector<Axis> axes;
  for (const auto& [name, value] : record.point.json().items()) axes.push_back({.name = name});
  record.id = case_id(record.variant, axes, record.point.json(), Json::object(), worker);
  record.env.add_reported(json.at("reported"));
  if (json.at("reason").is_string()) {
    record.status = Status::failed;
    record.reason = on_one_line(json["reason"].get<std::string>());
    return record;
  }
  if (json.at("samples").empty()) return record;  // what only reports a number
  record.time = Timing{.stopped_by = "samples", .inner = json.at("inner")};
  record.time->processes.push_back({.samples = json.at("samples").get<std::vector<double>>()});
  require_sound(*record.time);
  return record;
}

/// What the file says of its machine replaces facts of this machine.
MachineFacts imported_machine(const Json& facts) {
  Json hashed{{"cpu", nullptr}};
  const Json host = value_in(facts, "host_name").is_null() ? value_in(facts, "machine_info", "node")
                                                           : value_in(facts, "host_name");
  const Json cpu = value_in(value_in(facts, "machine_info"), "cpu", "brand_raw");
  hashed["cpu"] = cpu.is_string()    ? cpu.get<std::string>()
                  : host.is_string() ? host.get<std::string>()
                                     : "imported";
  if (const auto cpus = whole_number<int>(value_in(facts, "num_cpus"))) hashed["logical_cpus"] = *cpus;
  return Json{{"fingerprint", fingerprint_of(hashed)}, {"hashed", hashed}, {"recorded", Json::object()}};
}

RunHeader header_of(const Json& json, const std::string& file, const std::string& worker,
                    const std::vector<Record>& records) {
  RunHeader header{.schema = run_schema, .uotbench = UOTBENCH_VERSION};
  header.plan.emplace();
  auto& roles = header.axis_roles["external"];
  for (const auto& record : records) {
    header.plan->push_back(record.id);
    for (const auto& [axis, value] : record.point.json().items()) roles[axis] = name_of(Role::setting);
  }
  Json build{{"imported_from", json.at("tool")}};
  if (const Json commit = value_in(json, "commit"); commit.is_string()) build["commit"] = commit;
  const Json started = value_in(json, "started");
  header.started = started.is_string() ? started.get<std::string>() : utc("{:%Y-%m-%dT%H:%M:%SZ}");
  header.sweep = Json{{"name", "import"}};
  header.options.emplace();
  header.machine = imported_machine(json.at("facts"));
  header.workers[worker] = build;
  header.problem_axes["external"];
  header.extra = Json{{"imported", {{"file", file}, {"tool", json.at("tool")}, {"facts", json.at("facts")}}}};
  return header;
}

/// Equal ids would replace each other.
void require_different(const std::vector<Record>& records, const std::string& file) {
  std::set<std::string> ids;
  for (const auto& record : records)
    if (!ids.insert(record.id).second)
      throw UsageError(
          fmt::format("import: {}: two results are called {}; expected different names", file, record.id));
}

void import_file(const std::string& file, const ImportOptions& options) {
  const Json json = read_by_adapter(file);
  const std::string worker = options.name.empty() ? json.at("tool").get<std::string>() : options.name;
  std::vector<Record> records;
  for (const auto& one : json.at("cases")) records.push_back(record_of(one, worker));
  if (records.empty()) throw UsageError(fmt::format("import: {}: holds no result", file));
  require_different(records, file);
  const fs::path output = options.output.empty() ? new_run("import") : fs::path(options.output);
  RunWriter run(output, RunFile::Mode::create, false);
  run.begin(header_of(json, file, worker, records));
  run.add(records);
  run.end(RunEnd(utc("{:%Y-%m-%dT%H:%M:%SZ}"), 0, true));
  fmt::print("{}: {} of {}, not verified\nrun file: {}\nnext:     uotbench show {}\n", on_one_line(file),
             counted(records.size(), "case"), text_in(json, "tool"), on_one_line(output.string()),
             on_one_line(output.string()));
}

int import_all(const ImportOptions& options) {
  if (!options.output.empty() && options.files.size() > 1)
    throw UsageError(fmt::format("import: --output {} with {} files; expected one file, or no --output",
                                 options.output, options.files.size()));
  for (const auto& file : options.files) import_file(file, options);
  return exit_ok;
}

}  // namespace

void add_import(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ImportOptions>();
  auto* command = program.add_subcommand("import", "make run files of the results of other benchmark tools");
  command
      ->add_option(
          "FILE", options->files,
          "JSON of Google Benchmark, pytest-benchmark, nvbench, hyperfine or asv, a cache of Kernel Tuner, "
          "CSV of likwid-perfctr")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "the run file to write; default: results/runs/import-UTC.jsonl")
      ->type_name("FILE");
  command
      ->add_option("--name", options->name, "the worker in case ids; default: gbench, pytest, hyperfine, ...")
      ->type_name("NAME");
  command->footer(
      "Examples:\n  ./bench --benchmark_out=bench.json && uotbench import bench.json\n"
      "  uotbench import before.json -o before.jsonl");
  command->callback([options, &chosen] { chosen = [options] { return import_all(*options); }; });
}

}  // namespace uotbench
