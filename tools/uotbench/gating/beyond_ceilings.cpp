#include "tools/uotbench/gating/beyond_ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/model/model.hpp"
#include "tools/uotbench/running/machine_store.hpp"

namespace uotbench {

RunHeader with_stored_ceilings(RunHeader header) {
  if (const StoredCeilings stored = stored_ceilings(header.machine); stored.ceilings)
    header.ceilings = document_of(*stored.ceilings);
  return header;
}

void doubt_beyond_ceilings(GateReport& report, const Run& candidate) {
  const RunView view = view_under_roofs(candidate);
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.beyond_ceilings) continue;
      const auto one = std::ranges::find(report.cases, member.record->id, &GateCase::id);
      if (one == report.cases.end()) continue;
      const std::string doubt = member.ceilings_doubt();
      report.warnings.push_back(fmt::format("{}: the candidate: {}", one->id, doubt));
      if (!one->time || one->time->verdict != Verdict::improved) continue;
      one->time->verdict = Verdict::ok;
      one->time->reason += "; not called improved: " + doubt;
      settle(*one);
    }
}

}  // namespace uotbench
