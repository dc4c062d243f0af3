#include "results/view/efficiency.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "results/record/axes/case_parts.hpp"
#include "results/record/axes/settings_json.hpp"
#include "results/view/compared_times.hpp"

namespace uotbench {
namespace {

struct OfCpus {
  CaseView* member;
  double cpus, seconds;
  double work_of_cpu;  ///< flops, else operations; 0: not told
};

double amount_of(const Work& work) {
  return work.flops > 0 || work.operations.empty() ? work.flops : work.operations.front().count;
}

OfCpus of_cpus(CaseView& member) {
  const Record& record = *member.record;
  const auto cpus = static_cast<double>(settings_of(record.point).cpus());
  const double seconds = comparable_seconds(member);
  const double share = seconds / member.time->median;  // of the work, as of the time
  return {&member, cpus, seconds, record.work ? amount_of(*record.work) * share / cpus : 0};
}

/// What cases have in common that differ in the number of CPUs: and in their sizes, where `sized` is false.
std::string common_of(const Record& record, const AxisRoles& roles, bool sized) {
  ObjectDocument point = record.point.without({setting_axis::threads, setting_axis::ranks});
  if (!sized) point = point.without(roles.sizes(record));
  return record.variant + '\n' + record.worker + '\n' + name_of(record.time->per) + '\n' + point.line();
}

constexpr double tolerance = 1e-3;
bool each_has_as_much(const OfCpus& one, const OfCpus& other) {
  return one.work_of_cpu > 0 && std::fabs(other.work_of_cpu / one.work_of_cpu - 1) < tolerance;
}

using Alike = std::unordered_map<std::string, std::vector<OfCpus>>;

const OfCpus& with_fewest(const std::vector<OfCpus>& alike) {
  const OfCpus* least = &alike.front();
  for (const auto& one : alike)
    if (one.cpus < least->cpus) least = &one;
  return *least;
}

/// Of one thread and two the speedup tells as much, and a column less fits a terminal.
bool are_of_scaling(const RunView& view) {
  std::set<std::int64_t> cpus;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (member.record->point.contains(setting_axis::ranks)) return true;
      cpus.insert(settings_of(member.record->point).cpus());
    }
  return cpus.size() > 2;
}

bool have_several(const std::vector<OfCpus>& alike) {
  for (const auto& one : alike)
    if (one.cpus != alike.front().cpus) return true;
  return false;
}

}  // namespace

void add_efficiencies(RunView& view) {
  if (!are_of_scaling(view)) return;
  const AxisRoles roles(view.run->header);
  Alike strong, weak;
  for (auto& group : view.groups)
    for (auto& member : group.cases)
      if (has_time(member)) strong[common_of(*member.record, roles, true)].push_back(of_cpus(member));
  for (auto& [key, alike] : strong) {
    if (!have_several(alike)) {
      for (const auto& one : alike)
        if (one.work_of_cpu > 0) weak[common_of(*one.member->record, roles, false)].push_back(one);
      continue;
    }
    const OfCpus base = with_fewest(alike);
    // A ceiling of equal settings has every CPU do as much.
    for (auto& one : alike)
      one.member->efficiency =
          base.seconds / one.seconds * (each_has_as_much(base, one) ? 1 : base.cpus / one.cpus);
  }
  for (auto& [key, all] : weak) {
    if (!have_several(all)) continue;
    for (auto& one : all) {
      std::vector<OfCpus> alike;
      for (const auto& other : all)
        if (each_has_as_much(one, other)) alike.push_back(other);
      if (have_several(alike)) one.member->efficiency = with_fewest(alike).seconds / one.seconds;
    }
  }
}

}  // namespace uotbench
