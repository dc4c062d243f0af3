#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "roofline/model/reductions.hpp"
#include "roofline/model/traffic.hpp"
#include "roofline/tables/counter_rows.hpp"
#include "roofline/tables/counters_table.hpp"

namespace uotbench {
namespace {

Json json_of(const Traffic& traffic) {
  return {{"ratio", traffic.ratio ? Json(*traffic.ratio) : Json(nullptr)},
          {"reason", traffic.ratio ? Json(nullptr) : Json(traffic.reason)},
          {"counted", traffic.ratio ? Json(traffic.counted) : Json(nullptr)},
          {"modelled", traffic.modelled},
          {"source", traffic.origin.source},
          {"kind", traffic.origin.kind},
          {"doubt", traffic.doubt.empty() ? Json(nullptr) : Json(traffic.doubt)}};
}

}  // namespace

Json counters_json(const RunView& view) { return counters_json(view, nullptr); }

Json counters_json(const RunView& view, const Json& over) {
  require_counters(view);
  const Baselines bases(view, over);
  const Metrics metrics(view.run->header, view.run->records);
  const auto all = counter_names_in(view.run->records);
  Json cases = Json::array();
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      Json counters = Json::object(), rates = Json::object(), derived = Json::object();
      for (const auto& name : all)
        if (record.counters.contains(name)) counters[name] = to_json(counter_or_why(record, name));
      Json fewer = nullptr;
      const Record* const base = bases.of(member);
      if (base && base != &record) fewer = {{"than", base->id}};
      for (const std::string cache : counted_caches) {
        const std::string name = cache + ".misses";
        if (!counters.contains(name)) continue;
        rates[cache] = to_json(miss_rate(record, cache));
        if (fewer.is_null()) continue;
        fewer[name] = to_json(reduction(counter_or_why(record, name), counter_or_why(*base, name)));
        fewer[cache + ".rate"] = to_json(rate_reduction(record, *base, cache));
      }
      for (const auto& metric : metrics.all()) derived[metric.name] = to_json(value_of(metric, record));
      cases.push_back({{"id", record.id},
                       {"group", group.title},
                       {"status", outcome_of(record)},
                       {"counters", std::move(counters)},
                       {"rates", std::move(rates)},
                       {"fewer", std::move(fewer)},
                       {"metrics", std::move(derived)},
                       {"traffic", json_of(traffic_of(*view.run, record))}});
    }
  return {{"baseline", bases.text()}, {"warnings", metrics.warnings()}, {"cases", std::move(cases)}};
}

}  // namespace uotbench
