#include "roofline/model/ranks_model.hpp"

#include <algorithm>
#include <cmath>

#include "results/record/axes/settings_json.hpp"
#include "results/record/timing.hpp"
#include "roofline/model/contention.hpp"

namespace uotbench {

std::optional<RanksWork> RanksWork::of(const Record& record) {
  if (!record.work) return std::nullopt;
  const Settings settings = settings_of(record.point);
  const auto ranks = static_cast<double>(settings.ranks);
  double messages = 0, bytes = 0;
  for (const auto& [name, count] : record.work->operations) {
    if (name == "messages") messages = count;
    if (name == "bytes_sent") bytes = count;
  }
  if (!(messages > 0)) return std::nullopt;
  return RanksWork{.work = *record.work,
                   .dtype = setting_of(record).dtype,
                   .threads = static_cast<double>(settings.threads),
                   .calls = messages / ranks,
                   .bytes = bytes / messages};
}

namespace {

/// The least time of a node's part of the matrix.
struct MatrixFloors {
  std::string level;  ///< where it lives
  int processes;      ///< of the node
  double alone;       ///< under the roofs of one process, which does all of it
  double together;    ///< under those of all of them
};

std::optional<MatrixFloors> matrix_floors(const RanksWork& work, double ranks, const Nodes& nodes) {
  const double on_node = std::min(ranks, nodes.ranks_of_node), part = on_node / ranks;
  const auto roofs_of = [&](double processes) {
    return Roofs(*nodes.ceilings,
                 {.threads = static_cast<std::int64_t>(processes * work.threads),
                  .place = "close",
                  .dtype = work.dtype},
                 nodes.caches);
  };
  const auto seconds = [&](const Roofs& roofs, const Footprint& from) -> std::optional<double> {
    const auto memory = roofs.memory_floor(work.work, from);
    if (!memory) return std::nullopt;
    return part * std::max(*memory, roofs.compute_floor(work.work).value_or(0));
  };
  const Roofs all = roofs_of(on_node);
  const auto cpus = static_cast<std::int64_t>(on_node * work.threads);
  MatrixFloors floors{.level = "DRAM", .processes = static_cast<int>(on_node), .alone = 0, .together = 0};
  Footprint from{.level = "DRAM"};
  if (work.work.working_set) {
    from.bytes = *work.work.working_set * part;
    from.level = nodes.caches.level_of(*from.bytes, cpus, "close");
  }
  while (from.level != "DRAM" && !all.at(from)) from.level = nodes.caches.outside(from.level);
  const auto together = seconds(all, from);
  if (!together) return std::nullopt;
  floors.level = from.level;
  floors.together = *together;
  // Alone, too, each works on its own part of the data: the level stays the same.
  if (from.bytes) *from.bytes /= on_node;
  floors.alone = seconds(roofs_of(1), from).value_or(*together * on_node);
  return floors;
}

/// Of processes that each reach `share` of their own roof. What these hinder each other is what the roofs of
/// one and of all of them tell; whoever exceeds one's own roof exceeds that of all.
double matrix_seconds(const MatrixFloors& floors, double share) {
  const int all = floors.processes;
  const double together = std::max(floors.together, floors.alone / all);
  const double demand = demand_between(floors.alone, together, all) / std::max(1., share);
  return time_together(floors.alone / share, demand, all) * floors.together / together;
}

}  // namespace

std::optional<RanksTime> time_over(const RanksWork& work, double ranks, const Nodes& nodes,
                                   const ExchangeCosts& exchange) {
  const auto floors = matrix_floors(work, ranks, nodes);
  if (!floors) return std::nullopt;
  return RanksTime{.level = floors->level,
                   .matrix = matrix_seconds(*floors, work.share),
                   .exchange = work.calls * allreduce_seconds(exchange, nodes.network, work.bytes, ranks,
                                                              nodes.ranks_of_node)};
}

double quickest_launch(const CaseView& member) {
  return std::ranges::min(process_medians(*member.record->time));
}

std::optional<double> share_of_roof(const CaseView& member, const Nodes& nodes,
                                    const ExchangeCosts& exchange) {
  const auto work = RanksWork::of(*member.record);
  if (!work || !has_time(member)) return std::nullopt;
  const auto ranks = static_cast<double>(settings_of(member.record->point).ranks);
  const auto floors = matrix_floors(*work, ranks, nodes);
  const auto least = time_over(*work, ranks, nodes, exchange);
  const double seconds = quickest_launch(member);
  if (!floors || !least || seconds <= least->exchange) return std::nullopt;
  const double matrix = seconds - least->exchange;
  double low = 0, high = 100 * least->matrix / matrix;  // the more of its own roof, the less time
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (matrix_seconds(*floors, middle) > matrix ? low : high) = middle;
  }
  return low;
}

}  // namespace uotbench
