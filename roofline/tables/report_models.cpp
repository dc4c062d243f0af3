#include "roofline/tables/report_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/units.hpp"
#include "roofline/model/ceilings_in_time.hpp"
#include "roofline/model/element_model.hpp"

namespace uotbench {
namespace {

Table::Row row_of(const CaseView& member, const ElementPrediction& it) {
  return {member.record->id,
          it.level,
          format_seconds(member.time->median),
          fmt::format("{} to {}", format_seconds(it.least_latency), format_seconds(it.most_latency)),
          format_bandwidth(it.measured),
          format_bandwidth(it.bandwidth),
          fmt::format("{}", it.equation),
          format_fixed(it.ratio(), 2)};
}

/// Why there is nothing to predict.
std::string nothing(bool declared) {
  return declared ? "There are no ceilings for the threads and places of these cases; uotbench machine "
                    "measures them."
                  : "No variant in these runs declares the work of an element (alpha and beta); "
                    "ceiling/copy, rmw and triad do.";
}

}  // namespace

Table models_of(const std::vector<const RunView*>& runs) {
  Table table{.title = "Models", .columns = {{"case"}}};
  for (const char* title :
       {"level", "latency", "predicted (Eq. 9)", "bandwidth", "predicted", "by Eq.", "ratio"})
    table.columns.push_back({title, Table::Holds::numbers});
  bool declared = false;
  for (const auto* view : runs) {
    const CeilingsInTime ceilings(*view->run);
    const Caches caches(view->run->header.machine);
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        const Record& record = *member.record;
        declared = declared || (record.work && record.work->element);
        const auto* its = ceilings.of(record);
        if (!its) continue;
        if (const auto prediction = predicted(member, *its, caches)) table.row(row_of(member, *prediction));
      }
  }
  table.about =
      table.rows.empty()
          ? nothing(declared)
          : "Latency and effective bandwidth of element-wise operations and stencils: Eq. 9 to 12 of X. He, "
            "PLOS ONE 2023, doi 10.1371/journal.pone.0282265, with this machine's measured ceilings. "
            "The ratio is that of the bandwidths, measured over predicted.";
  return table;
}

}  // namespace uotbench
