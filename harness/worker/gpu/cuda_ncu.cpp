#include "harness/worker/gpu/cuda_ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/host/process/program.hpp"
#include "harness/host/process/temporary_folder.hpp"
#include "harness/worker/gpu/cuda_ncu_report.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool can_run(const std::string& program) {
  return program.find('/') == std::string::npos ? !program_in_path(program).empty() : is_program(program);
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "";
  const auto start = text.find_last_of("\r\n", end);
  return text.substr(start + 1, end - start);  // npos + 1 is 0
}

/// Those that ncu's "Failed to find metric regex:^NAME…" are about, where dots are written as "\.".
Words unknown_to_ncu(const Words& errors, const Words& metrics) {
  Words unknown;
  for (std::string error : errors) {
    if (error.find("metric") == std::string::npos) continue;
    std::erase(error, '\\');
    for (const auto& metric : metrics)
      if (error.find(metric) != std::string::npos) unknown.push_back(metric);
  }
  return unknown;
}

/// What ncu said when it had run to its end.
struct Said {
  NcuReport report;
  Words errors;
  std::string reason;  ///< why there is no count, one line; empty: there is
};

class Ncu final : public CounterSource {
 public:
  explicit Ncu(const NcuOptions& options) : options_(options) {}

  std::string name() const override { return "ncu"; }

  Obstacle obstacle() const override {
    if (const Json facts = platform() ? platform()->hello() : Json::object(); facts.contains("obstacle"))
      return {.reason = facts["obstacle"].get<std::string>()};
    if (!options_.phases)
      return {.reason = "this worker was built without NVTX, by which ncu knows what to count",
              .mend = "cmake -DUOTBENCH_WITH_NVTX=ON, and build again"};
    if (can_run(options_.ncu)) return {};
    return {.reason = fmt::format("there is no {} on PATH", options_.ncu),
            .mend = "export PATH=/usr/local/cuda/bin:$PATH, or install NVIDIA's nsight-compute"};
  }

  std::string refusal(const Variant& variant, const Point&) const override {
    return variant.spec().device ? "" : variant.spec().name + " does not run on a GPU";
  }

  EventCounts count(Instance&, const Team&, const CountRequest& request) override {
    EventCounts counts;
    Words metrics = request.events;
    Said said = run(request, metrics);
    // One that it does not know keeps it from counting the others.
    if (const Words unknown = unknown_to_ncu(said.errors, metrics); !unknown.empty()) {
      for (const auto& metric : unknown) {
        counts[metric] = {
            .reason = fmt::format("ncu knows no metric \"{}\" on this GPU; ncu --query-metrics lists them",
                                  metric)};
        std::erase(metrics, metric);
      }
      if (!metrics.empty()) said = run(request, metrics);
    }
    for (const auto& metric : metrics) {
      EventCount& count = counts[metric];
      count = said.reason.empty() ? ncu_count(said.report, metric) : EventCount{.reason = said.reason};
      if (count.value && request.cold && said.report.launches.size() > 1)
        count.note += fmt::format("{}caches were emptied before each of {} launches",
                                  count.note.empty() ? "" : "; ", said.report.launches.size());
    }
    return counts;
  }

 private:
  Said run(const CountRequest& request, Words metrics) const {
    const TemporaryFolder folder("ncu");
    const fs::path log = folder.path() / "ncu.csv";
    if (std::ranges::find(metrics, ncu_duration) == metrics.end()) metrics.emplace_back(ncu_duration);
    // ncu itself would take /proc/self/exe for its own.
    const fs::path program = options_.program.empty() ? fs::read_symlink("/proc/self/exe") : options_.program;
    const std::vector<std::string> command{options_.ncu,       "--target-processes",
                                           "application-only",  // the oracle computes nothing on the GPU
                                           "--clock-control",  "none",
                                           "--cache-control",  request.cold ? "all" : "none",
                                           "--nvtx",           "--nvtx-include",
                                           "uotbench@sample/", "--csv",
                                           "--page",           "raw",
                                           "--print-units",    "base",
                                           "--metrics",        fmt::format("{}", fmt::join(metrics, ",")),
                                           "--log-file",       log.string(),
                                           program.string(),   "--case",
                                           request.case_id,    "--once"};
    // Numbers are to have points in them, whoever runs it.
    const Ended ended =
        run_program({.command = command, .environment = {"LC_ALL=C"}, .seconds = options_.seconds});
    const std::string text = read_file(log);
    Said said{.report = {}, .errors = ncu_errors(text + "\n" + ended.said), .reason = {}};
    said.reason = failure(ended, said.errors);
    if (said.reason.empty()) said.report = read_ncu_report(text);
    if (said.reason.empty() && said.report.launches.empty())
      said.reason = "ncu saw no kernel in the iteration";
    return said;
  }

  std::string failure(const Ended& ended, const Words& errors) const {
    if (!ended.in_time) return fmt::format("ncu was not ready within {:g} s", options_.seconds);
    for (const auto& error : errors)
      if (error.find("ERR_NVGPUCTRPERM") != std::string::npos)
        return "the driver lets only administrators count: load it with "
               "NVreg_RestrictProfilingToAdminUsers=0, or "
               "start the container with --cap-add=SYS_ADMIN";
    if (!errors.empty()) return "ncu says: " + errors.front();
    if (ended.code == 0) return "";
    const std::string said = last_line(ended.said);
    return fmt::format("ncu ended with {}{}", ended.code, said.empty() ? "" : ": " + said);
  }

  NcuOptions options_;
};

const bool added = add_counter_source(ncu_source({.phases = has_phases()}));

}  // namespace

std::unique_ptr<CounterSource> ncu_source(const NcuOptions& options) {
  return std::make_unique<Ncu>(options);
}

}  // namespace uotbench
