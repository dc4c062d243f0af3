#include <algorithm>
#include <cmath>
#include <optional>

#include "results/record/timing.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

const Roof& CeilingOverTime::for_case(const Record& record, double when) const {
  const Roof* best =
      &*std::ranges::min_element(measured, {}, [&](const Roof& roof) { return std::abs(*roof.when - when); });
  for (const auto& [ids, roof] : exceeded)
    if (roof.value > best->value && std::ranges::find(ids, record.id) != ids.end()) best = &roof;
  return *best;
}

double CeilingOverTime::lowest() const { return std::ranges::min(measured, {}, &Roof::value).value; }
double CeilingOverTime::highest() const { return std::ranges::max(measured, {}, &Roof::value).value; }

CeilingsInTime::CeilingsInTime(const Run& run, const std::vector<Ceilings>& instead)
    : run_(run), all_(instead.empty() ? ceilings_of(run) : instead) {
  if (instead.empty() && !run.ceilings_again.empty()) find_repeated();
}

void CeilingsInTime::find_repeated() {
  for (const auto& again : run_.ceilings_again) {
    auto roof = roof_of(again, run_);
    if (!roof || !roof->is_point() || !roof->when) continue;
    CeilingOverTime* const series = series_of(*roof, at_any_time(again.record));
    if (!series) continue;
    if (again.exceeded_by.empty())
      series->measured.push_back(std::move(*roof));
    else
      series->exceeded.push_back({again.exceeded_by, std::move(*roof)});
  }
  // The sweep's own: of several workers the best, as for all cases.
  for (const auto& roof : ceilings_measured_in(run_).roofs)
    for (auto& series : repeated_)
      if (roof.when && series.its->fingerprint == run_.header.machine.fingerprint() &&
          is_same_ceiling(series.its->roofs[series.place], roof))
        series.measured.push_back(roof);
  std::erase_if(repeated_, [](const CeilingOverTime& series) { return series.measured.size() < 2; });
}

/// Made where it is new; null: `its` has no such roof.
CeilingOverTime* CeilingsInTime::series_of(const Roof& roof, const Ceilings* its) {
  if (!its) return nullptr;
  const auto place =
      std::ranges::find_if(its->roofs, [&](const Roof& known) { return is_same_ceiling(known, roof); });
  if (place == its->roofs.end()) return nullptr;
  const auto index = static_cast<std::size_t>(place - its->roofs.begin());
  const auto series = std::ranges::find_if(
      repeated_, [&](const CeilingOverTime& one) { return one.its == its && one.place == index; });
  return series == repeated_.end() ? &repeated_.emplace_back(CeilingOverTime{.its = its, .place = index})
                                   : &*series;
}

const Ceilings* CeilingsInTime::at_any_time(const Record& record) const {
  return ceilings_for(all_, run_, record);
}

const Ceilings* CeilingsInTime::of(const Record& record) const {
  const Ceilings* const its = at_any_time(record);
  const auto when = record.time ? when_measured(*record.time) : std::nullopt;
  if (!its || !when) return its;
  Chosen chosen{its, {}};
  for (const auto& series : repeated_)
    if (series.its == its) chosen.second.push_back(&series.for_case(record, *when));
  if (chosen.second.empty()) return its;
  if (const auto found = nearest_.find(chosen); found != nearest_.end()) return &found->second;
  Ceilings made = *its;
  auto roof = chosen.second.begin();
  for (const auto& series : repeated_)
    if (series.its == its) made.roofs[series.place] = **roof++;
  return &nearest_.emplace(std::move(chosen), std::move(made)).first->second;
}

bool CeilingsInTime::is_repeated(const Roof& roof, const Record& record) const {
  const Ceilings* const its = at_any_time(record);
  return std::ranges::any_of(repeated_, [&](const CeilingOverTime& series) {
    return series.its == its && is_same_ceiling(series.measured.front(), roof);
  });
}

}  // namespace uotbench
