#include "results/record/axes/impossible.hpp"

#include <fmt/format.h>

#include <vector>

#include "results/base/units.hpp"
#include "results/record/axes/settings_json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// What no hardware exceeds, a second.
struct RateLimits {
  double read, written, flops;
  std::string of;
};

/// Per core and cycle: two loads and one store of 64 bytes (Zen 5, Golden Cove: AVX-512), and two fused
/// multiply-adds of 16 floats. No core has run at more than 6.2 GHz without liquid nitrogen.
RateLimits of_cores(double cores) {
  const double cycles = 6.2e9 * cores;
  return {128 * cycles, 64 * cycles, 64 * cycles, fmt::format("{:g} core{}", cores, cores > 1 ? "s" : "")};
}

/// Per multiprocessor and cycle: an operand from registers for each of 128 lanes (four times what L1 and
/// shared memory give), half as much written, and 8192 operations of tensor cores in 16 bits (Blackwell). No
/// GPU has more than 304 multiprocessors (MI300X), nor runs at more than 3.2 GHz.
RateLimits of_gpu() {
  constexpr double cycles = 304 * 3.2e9;
  return {512 * cycles, 256 * cycles, 8192 * cycles, "a GPU"};
}

std::vector<double> all_samples(const Timing& time) {
  std::vector<double> all;
  for (const auto& process : time.processes)
    all.insert(all.end(), process.samples.begin(), process.samples.end());
  return all;
}

/// By the clock that only CUDA has, or by the axis of XLA's and PyTorch's kernels.
bool on_gpu(const Record& record) {
  return record.time->clock == "cuda-event" ||
         (record.point.contains("device") && record.point.text("device") != "cpu");
}

}  // namespace

std::string why_impossible(const Record& record) {
  if (record.status != Status::ok || !record.time || !record.work) return "";
  const auto samples = all_samples(*record.time);
  if (samples.empty()) return "";
  const double seconds = median(samples);
  const RateLimits limits =
      on_gpu(record) ? of_gpu() : of_cores(static_cast<double>(settings_of(record.point).cpus()));
  const Work& work = *record.work;
  const auto exceeds = [&](double amount, double most, auto* format, const char* what) -> std::string {
    const double rate = amount / seconds;
    if (!(rate > most)) return "";
    return fmt::format("impossible: {} per {} {} {}; {} cannot exceed {}", format_seconds(seconds),
                       name_of(record.time->per), what, format(rate), limits.of, format(most));
  };
  std::string why = exceeds(work.bytes_read, limits.read, format_bandwidth, "would read");
  if (why.empty()) why = exceeds(work.bytes_written, limits.written, format_bandwidth, "would write");
  if (why.empty()) why = exceeds(work.flops, limits.flops, format_flops, "would compute");
  return why;
}

void refuse_impossible(Record& record) {
  std::string why = why_impossible(record);
  if (why.empty()) return;
  record.status = Status::failed;
  record.reason = std::move(why);
}

}  // namespace uotbench
