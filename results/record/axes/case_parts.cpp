#include "results/record/axes/case_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "results/base/units.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

std::string family_of(const Record& record) { return record.variant.substr(0, record.variant.rfind('/')); }

std::string short_variant(const Record& record) {
  return record.variant.substr(record.variant.rfind('/') + 1);  // npos + 1 is 0
}

std::string axis_of(const std::string& part) { return part.substr(0, part.find(':')); }

AxisRoles::AxisRoles(const RunHeader& header) {
  for (const auto& [family, axes] : header.problem_axes) problem_[family].insert(axes.begin(), axes.end());
  for (const auto& [family, roles] : header.axis_roles)
    for (const auto& [axis, name] : roles)
      if (const auto role = role_named(name)) told_[family][axis] = *role;
}

std::optional<Role> AxisRoles::told(const std::string& family, const std::string& axis) const {
  const auto roles = told_.find(family);
  if (roles == told_.end()) return std::nullopt;
  const auto role = roles->second.find(axis);
  return role == roles->second.end() ? std::nullopt : std::optional(role->second);
}

bool AxisRoles::is_problem(const std::string& family, const std::string& axis) const {
  const auto axes = problem_.find(family);
  return axes != problem_.end() && axes->second.contains(axis);
}

bool AxisRoles::is_size(const std::string& family, const std::string& axis) const {
  // A variant's own size, that of a tile, is none of the problem's.
  if (problem_.contains(family) && !is_problem(family, axis)) return false;
  const auto role = told(family, axis);
  return role ? role == Role::size : was_size(axis);
}

bool AxisRoles::is_setting(const std::string& family, const std::string& axis) const {
  const auto role = told(family, axis);
  return role ? role == Role::setting : was_setting(axis);
}

std::vector<std::string> AxisRoles::sizes(const Record& record) const {
  const std::string family = family_of(record);
  std::vector<std::string> sizes;
  for (const auto& axis : record.point.names())
    if (is_size(family, axis)) sizes.push_back(axis);
  return sizes;
}

CaseParts AxisRoles::parts(const Record& record) const {
  CaseParts parts;
  const auto worker = record.id.rfind('@');
  if (!record.id.starts_with(record.variant) || worker == std::string::npos ||
      worker < record.variant.size()) {  // written by hand, or by something else
    parts.own.push_back(record.id);
    return parts;
  }
  const std::string family = family_of(record);
  for (std::size_t at = record.variant.size(); at < worker;) {
    const auto end = std::min(record.id.find('/', at + 1), worker);
    std::string part = record.id.substr(at + 1, end - at - 1);
    (is_problem(family, axis_of(part)) ? parts.problem : parts.own).push_back(std::move(part));
    at = end;
  }
  return parts;
}

// Stored runs and old workers have these names and no others: what is new tells its role.

bool was_size(std::string_view axis) { return axis == "M" || axis == "N"; }

bool was_setting(std::string_view axis) {
  constexpr std::array<std::string_view, 4> settings{"threads", "place", "cache", "order"};
  return std::ranges::find(settings, axis) != settings.end();
}

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
