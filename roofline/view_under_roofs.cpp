#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/error.hpp"
#include "roofline/model.hpp"

namespace uotbench {
const Ceilings* ceilings_for(const std::vector<Ceilings>& ceilings, const std::string& device) {
  const auto found = std::ranges::find(ceilings, device, &Ceilings::device);
  return found == ceilings.end() ? nullptr : &*found;
}

RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead) try {
  RunView view = view_of(run);
  const std::vector<Ceilings> ceilings = instead.empty() ? ceilings_of(run) : instead;
  if (ceilings.empty()) return view;
  const Caches caches(run.header.value("machine", Json::object()));
  std::map<std::string, std::vector<std::string>> above;
  for (auto& group : view.groups)
    for (auto& member : group.cases) {
      const Ceilings* its = ceilings_for(ceilings, device_of(run.header, member.record->worker));
      if (its) member.roof = roof_of(member, *its, caches);
      if (member.roof && !member.roof->cause.empty())
        above[member.roof->cause].push_back(
            fmt::format("{} ({:.0f}%)", member.record->id, 100 * member.roof->fraction));
    }
  for (const auto& each : ceilings)
    if (const auto doubts = doubts_about(each); !doubts.empty()) view.warnings.push_back(doubts);
  for (const auto& [why, ids] : above)
    view.warnings.push_back(fmt::format("above the roof, {}: {}", why, shortened(ids)));
  return view;
} catch (const Json::exception& error) {
  throw UsageError(fmt::format("{}: not a sound run file: {}", run.path.string(), error.what()));
}

}  // namespace uotbench
