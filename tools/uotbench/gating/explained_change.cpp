#include "tools/uotbench/gating/explained_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "roofline/explain/changes.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
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

std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate) {
  if (!baseline || !candidate || !baseline->time || !candidate->time) return "";
  header = with_stored_ceilings(std::move(header));
  if (header.ceilings.is_null()) return "";
  const auto run_of = [&](const Record& record) {
    Run run;
    run.header = header;
    run.records = {record};
    return run;
  };
  const Run before = run_of(*baseline), after = run_of(*candidate);
  const RunView a = view_under_roofs(before), b = view_under_roofs(after);
  CodeAnalyser analyser;
  const auto of_a = explain_all(a, std::ref(analyser)), of_b = explain_all(b, std::ref(analyser));
  return of_a.empty() || of_b.empty() ? "" : changed_part(of_a.front(), of_b.front());
}

}  // namespace uotbench
