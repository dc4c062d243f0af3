#include "results/record/axes/impossible.hpp"

#include <fmt/format.h>

#include <vector>

#include "results/base/units.hpp"
#include "results/record/axes/settings_json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// Per core and cycle: two loads and one store of 64 bytes (Zen 5, Golden Cove: AVX-512), and two fused
// multiply-adds of 16 floats. No core has run at more than 6.2 GHz without liquid nitrogen.
constexpr double hertz = 6.2e9, loaded = 128, stored = 64, computed = 64;

std::vector<double> all_samples(const Timing& time) {
  std::vector<double> all;
  for (const auto& process : time.processes)
    all.insert(all.end(), process.samples.begin(), process.samples.end());
  return all;
}

/// By the clock that only CUDA has, or by the axis of XLA's and PyTorch's kernels.
bool on_gpu(const Record& record) {
  const auto device = record.point.find("device");
  return record.time->clock == "cuda-event" || (device != record.point.end() && *device != "cpu");
}

}  // namespace

std::string why_impossible(const Record& record) {
  if (record.status != Status::ok || !record.time || !record.work || on_gpu(record)) return "";
  const auto samples = all_samples(*record.time);
  if (samples.empty()) return "";
  const double seconds = median(samples);
  const auto cores = static_cast<double>(settings_of(record.point).cpus());
  const Work& work = *record.work;
  const auto exceeds = [&](double amount, double per_cycle, auto* format, const char* what) -> std::string {
    const double rate = amount / seconds, most = per_cycle * hertz * cores;
    if (!(rate > most)) return "";
    return fmt::format("impossible: {} per {} {} {}; {:g} core{} cannot exceed {}", format_seconds(seconds),
                       name_of(record.time->per), what, format(rate), cores, cores > 1 ? "s" : "",
                       format(most));
  };
  std::string why = exceeds(work.bytes_read, loaded, format_bandwidth, "would read");
  if (why.empty()) why = exceeds(work.bytes_written, stored, format_bandwidth, "would write");
  if (why.empty()) why = exceeds(work.flops, computed, format_flops, "would compute");
  return why;
}

void refuse_impossible(Record& record) {
  std::string why = why_impossible(record);
  if (why.empty()) return;
  record.status = Status::failed;
  record.reason = std::move(why);
}

}  // namespace uotbench
