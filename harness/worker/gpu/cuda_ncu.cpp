#include "harness/worker/gpu/cuda_ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr const char* kernel_column = "Kernel Name";
constexpr const char* table_start = "\"ID\",";

using Row = std::vector<std::string>;

/// The fields of the row at `at` (RFC 4180: quoted, a quote within is two), which moves behind it.
Row row_at(const std::string& text, std::size_t& at) {
  Row row(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"')
      row.back() += text[++at];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      row.emplace_back();
    else if (c == '\n' && !quoted)
      break;
    else if (c != '\r')
      row.back() += c;
  }
  if (quoted) throw Error("ncu's table is cut short: a quote is not closed");
  ++at;
  return row;
}

/// Where the line begins that the table begins with; npos: there is none.
std::size_t start_of_table(const std::string& text) {
  if (text.starts_with(table_start)) return 0;
  const auto found = text.find(std::string("\n") + table_start);
  return found == std::string::npos ? found : found + 1;
}

/// "1,234.5", as ncu prints it in the locale C and in English. None for n/a and the like.
std::optional<double> number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, wrong] = std::from_chars(text.data(), end, value);
  if (wrong != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

enum class Merge { add, average, agree };

/// By the metric's roll-up, as "Metrics Structure" in the Nsight Compute Profiling Guide has them.
Merge merge_of(const std::string& metric, const std::string& unit) {
  const auto dot = metric.find('.');
  const std::string rollup = dot == std::string::npos ? "" : metric.substr(dot + 1);
  if ((rollup == "sum" || rollup == "avg") && unit != "%") return Merge::add;
  const bool rate = unit == "%" || rollup == "pct" || rollup == "ratio" || rollup.starts_with("sum.") ||
                    rollup.starts_with("avg.");
  return rate ? Merge::average : Merge::agree;
}

struct Part {
  double value = 0, weight = 0;
  void add(Merge merge, double more, double duration) {
    value += merge == Merge::average ? more * duration : more;
    weight += duration;
  }
  double total(Merge merge) const { return merge == Merge::average ? value / weight : value; }
};

EventCount merged(const NcuReport& report, const std::string& metric, Merge merge) {
  Part all;
  std::vector<std::pair<std::string, Part>> kernels;
  for (const auto& launch : report.launches) {
    const double value = *launch.values.at(metric);
    double duration = 1;
    if (merge == Merge::average) {
      const auto found = launch.values.find(ncu_duration);
      if (found == launch.values.end() || !found->second || *found->second <= 0)
        return {.reason =
                    fmt::format("ncu gave no duration of {}, by which averages are weighted", launch.kernel)};
      duration = *found->second;
    }
    all.add(merge, value, duration);
    auto kernel = std::ranges::find(kernels, launch.kernel, &std::pair<std::string, Part>::first);
    if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), {launch.kernel, {}});
    kernel->second.add(merge, value, duration);
  }
  EventCount count{.value = all.total(merge)};
  for (const auto& [kernel, part] : kernels) count.lines.push_back({kernel, part.total(merge)});
  if (merge == Merge::average && report.launches.size() > 1)
    count.note = fmt::format("mean of {} launches, each weighted by its duration", report.launches.size());
  return count;
}

EventCount agreed(const NcuReport& report, const std::string& metric) {
  EventCount count;
  for (const auto& launch : report.launches) {
    const double value = *launch.values.at(metric);
    if (count.value && *count.value != value)
      return {.reason = fmt::format("it differs between launches ({} and {}) and does not add up",
                                    *count.value, value)};
    count.value = value;
  }
  return count;
}

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

NcuReport read_ncu_report(const std::string& text) {
  NcuReport report;
  std::size_t at = start_of_table(text);
  if (at == std::string::npos) return report;
  const Row names = row_at(text, at);
  const auto kernel = std::ranges::find(names, kernel_column) - names.begin();
  if (static_cast<std::size_t>(kernel) == names.size())
    throw Error(fmt::format("ncu's table has no column \"{}\"", kernel_column));
  if (at >= text.size()) throw Error("ncu's table is cut short: no units");
  const Row units = row_at(text, at);
  for (std::size_t i = 0; i < std::min(names.size(), units.size()); ++i) report.units[names[i]] = units[i];
  while (at < text.size()) {
    if (text[at] != '"') {  // what ncu says at its end
      row_at(text, at);
      continue;
    }
    const Row row = row_at(text, at);
    if (row.size() != names.size())
      throw Error(
          fmt::format("ncu's table is cut short: a row has {} fields, not {}", row.size(), names.size()));
    auto& launch = report.launches.emplace_back();
    launch.kernel = row[static_cast<std::size_t>(kernel)];
    for (std::size_t i = 0; i < names.size(); ++i) launch.values[names[i]] = number(row[i]);
  }
  return report;
}

std::vector<std::string> ncu_errors(const std::string& text) {
  constexpr std::string_view mark = "==ERROR== ";
  std::vector<std::string> errors;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    errors.push_back(text.substr(at, text.find_first_of("\r\n", at) - at));
  }
  return errors;
}

EventCount ncu_count(const NcuReport& report, const std::string& metric) {
  const auto unit = report.units.find(metric);
  if (unit == report.units.end()) return {.reason = fmt::format("ncu's table has no \"{}\"", metric)};
  // Asked for in base units; of those, only bytes could be mistaken for what they are not.
  if (unit->second.size() > 4 && unit->second.find("byte") == 1)
    return {.reason = fmt::format("ncu gave it in {}, not in bytes", unit->second)};
  if (report.launches.empty()) return {.reason = "ncu saw no kernel in the iteration"};
  for (const auto& launch : report.launches)
    if (!launch.values.at(metric))
      return {.reason = fmt::format("ncu gave no value of it for {}", launch.kernel)};
  const Merge merge = merge_of(metric, unit->second);
  return merge == Merge::agree ? agreed(report, metric) : merged(report, metric, merge);
}

std::unique_ptr<CounterSource> ncu_source(const NcuOptions& options) {
  return std::make_unique<Ncu>(options);
}

}  // namespace uotbench
