#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "results/base/json.hpp"
#include "results/export/export.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/record.hpp"

namespace uotbench {
namespace {

Json context_of(const RunHeader& header) {
  const Json &fixed = header.machine.hashed(), &now = header.machine.recorded();
  Json context = Json::object();
  const auto copy = [&](const char* name, const Json& from, const char* key) {
    if (const Json value = from.value(key, Json()); !value.is_null()) context[name] = value;
  };
  if (!header.started.empty()) context["date"] = header.started;
  copy("host_name", now, "hostname");
  context["executable"] = "uotbench";
  copy("num_cpus", fixed, "logical_cpus");
  if (const Json mhz = now.value("mhz", Json()); mhz.is_number())
    context["mhz_per_cpu"] = std::llround(mhz.get<double>());
  if (const Json governor = now.value("governor", Json()); governor.is_string())
    context["cpu_scaling_enabled"] = governor != "performance";
  Json caches = Json::array();
  for (const auto& cache : fixed.value("caches", Json::array()))
    caches.push_back({{"type", cache.value("type", "") == "data" ? "Data" : "Unified"},
                      {"level", cache.value("level", Json())},
                      {"size", cache.value("bytes", Json())},
                      {"num_sharing", cache.value("shared_by", Json())}});
  context["caches"] = caches;
  copy("load_avg", now, "load");
  Json build_type;
  for (const auto& [name, build] : header.workers)
    if (const std::string type = build.build_type(); !type.empty() && build_type != "debug")
      build_type = type == "Debug" ? "debug" : "release";
  if (!build_type.is_null()) context["library_build_type"] = build_type;
  return context;
}

/// Rows are written one by one: as a tree, those of a large run would fill the memory.
class Rows {
 public:
  void add(const CaseView& view) {
    name_ = to_line(view.record->id);
    if (view.time) {
      add_times(view);
    } else {
      const Record& record = *view.record;
      const std::string why = record.reason ? ": " + *record.reason : "";
      begin(name_, "iteration");
      put("\"repetitions\":1,\"repetition_index\":0,\"threads\":{},\"error_occurred\":true,\"error_message\":"
          "{},"
          "\"iterations\":0,",
          threads_of(record),
          to_line(record.status == Status::ok ? "verified only, not timed" : name_of(record.status) + why));
      put("\"real_time\":0,\"cpu_time\":0,\"time_unit\":\"ns\"}}");
    }
    ++family_;
  }

  std::string text() && { return std::move(text_); }

 private:
  static std::string threads_of(const Record& record) {
    return std::to_string(settings_of(record.point).threads);
  }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void begin(const std::string& name, const char* type) {
    text_ += text_.empty() ? "\n" : ",\n";
    put("{{\"name\":{},\"family_index\":{},\"per_family_instance_index\":0,\"run_name\":{},\"run_type\":\"{}"
        "\",",
        name, family_, name_, type);
  }
  void end(double time, std::optional<double> cpu_time, double bytes, double scale = 1e9) {
    put("\"real_time\":{}", time * scale);
    if (cpu_time) put(",\"cpu_time\":{}", *cpu_time * scale);
    put(",\"time_unit\":\"ns\"");
    if (bytes > 0 && time > 0) put(",\"bytes_per_second\":{}", bytes / time);
    text_ += '}';
  }

  /// The counters of a benchmark of its own, of one process.
  void put_reported(const Record& record, std::size_t process, std::size_t processes, bool has_bytes) {
    for (const auto& [name, numbers] : record.env.reported().items())
      if (numbers.is_array() && numbers.size() == processes && !(has_bytes && name == "bytes_per_second"))
        put("{}:{},", to_line(name), to_line(numbers[process]));
  }

  /// Of the thread that takes the samples, as Google Benchmark's is; absent where it was not recorded.
  static std::optional<double> cpu_time_of(const ProcessSamples& process, const std::string& clock) {
    const double time = median(process.samples);
    if (clock == "cpu") return time;
    return process.busy ? std::optional(*process.busy * time) : std::nullopt;
  }

  struct Spread {
    double mean = 0, median = 0, stddev = 0;
    double share() const { return stddev / mean; }
  };
  static Spread spread_of(const std::vector<double>& times) {
    const auto count = static_cast<double>(times.size());
    Spread spread{.mean = std::accumulate(times.begin(), times.end(), 0.) / count,
                  .median = uotbench::median(times)};
    double squares = 0;
    for (const double time : times) squares += (time - spread.mean) * (time - spread.mean);
    spread.stddev = std::sqrt(squares / (count - 1));
    return spread;
  }

  void add_times(const CaseView& view) {
    const Record& record = *view.record;
    const double bytes = record.work ? record.work->bytes() : 0;
    const std::string threads = threads_of(record);
    std::vector<double> times, counts, known;
    std::vector<std::optional<double>> cpu_times;
    for (const auto& process : record.time->processes)
      if (!process.samples.empty()) {
        times.push_back(median(process.samples));
        cpu_times.push_back(cpu_time_of(process, record.time->clock));
        if (cpu_times.back()) known.push_back(*cpu_times.back());
        counts.push_back(static_cast<double>(process.samples.size()) *
                         static_cast<double>(record.time->inner));
      }
    for (std::size_t i = 0; i < times.size(); ++i) {
      begin(name_, "iteration");
      put("\"repetitions\":{},\"repetition_index\":{},\"threads\":{},\"iterations\":{:.0f},", times.size(), i,
          threads, counts[i]);
      put_reported(record, i, times.size(), bytes > 0);
      end(times[i], cpu_times[i], bytes);
    }
    if (times.size() < 2) return;
    const Spread spread = spread_of(times);
    const auto of_cpu =
        known.size() == times.size() ? std::optional(spread_of(known)) : std::nullopt;  // of all processes
    const auto aggregate = [&](const char* what, double Spread::*value, double of_bytes) {
      begin(to_line(fmt::format("{}_{}", record.id, what)), "aggregate");
      put("\"repetitions\":{0},\"threads\":{1},\"aggregate_name\":\"{2}\",\"aggregate_unit\":\"time\","
          "\"iterations\":{0},",
          times.size(), threads, what);
      end(spread.*value, of_cpu ? std::optional((*of_cpu).*value) : std::nullopt, of_bytes);
    };
    aggregate("mean", &Spread::mean, bytes);
    aggregate("median", &Spread::median, bytes);
    aggregate("stddev", &Spread::stddev, 0);
    if (!(spread.mean > 0)) return;
    begin(to_line(record.id + "_cv"), "aggregate");
    put("\"repetitions\":{0},\"threads\":{1},\"aggregate_name\":\"cv\",\"aggregate_unit\":\"percentage\","
        "\"iterations\":{0},",
        times.size(), threads);
    end(spread.share(), of_cpu && of_cpu->mean > 0 ? std::optional(of_cpu->share()) : std::nullopt, 0, 1);
  }

  std::string text_, name_;
  std::size_t family_ = 0;
};

}  // namespace

std::string to_gbench(const RunView& view) {
  Rows rows;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) rows.add(member);
  return fmt::format("{{\n\"context\":{},\n\"benchmarks\":[{}\n]\n}}\n",
                     to_line(context_of(view.run->header)), std::move(rows).text());
}

}  // namespace uotbench
