#include "tools/uotbench/gating/explained_change.hpp"

#include "results/base/json.hpp"
#include "roofline/explain/changes.hpp"
#include "tools/uotbench/running/machine_store.hpp"

namespace uotbench {

std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate) {
  if (!baseline || !candidate || !baseline->time || !candidate->time) return "";
  const StoredCeilings stored = stored_ceilings(header.machine);
  if (!stored.ceilings) return "";
  header.ceilings = Json::array({to_json(*stored.ceilings)});
  const auto run_of = [&](const Record& record) {
    Run run;
    run.header = header;
    run.records = {record};
    return run;
  };
  const Run before = run_of(*baseline), after = run_of(*candidate);
  const RunView a = view_under_roofs(before), b = view_under_roofs(after);
  const AnalyseCode none = [](const Run&, const Record&) { return InCore{.tool = {}}; };
  const auto of_a = explain_all(a, none), of_b = explain_all(b, none);
  return of_a.empty() || of_b.empty() ? "" : changed_part(of_a.front(), of_b.front());
}

}  // namespace uotbench
