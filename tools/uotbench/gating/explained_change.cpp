#include "tools/uotbench/gating/explained_change.hpp"

#include <functional>
#include <utility>

#include "roofline/explain/changes.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/gating/beyond_ceilings.hpp"

namespace uotbench {

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
