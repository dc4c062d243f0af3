#include "roofline/model/ranks_model.hpp"

#include <algorithm>
#include <cmath>

#include "results/record/axes/settings_json.hpp"

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

std::optional<RanksTime> time_over(const RanksWork& work, double ranks, const Nodes& nodes,
                                   const ExchangeCosts& exchange) {
  const double on_node = std::min(ranks, nodes.ranks_of_node), part = on_node / ranks;
  const auto cpus = static_cast<std::int64_t>(on_node * work.threads);
  const Roofs roofs(*nodes.ceilings, {.threads = cpus, .place = "close", .dtype = work.dtype});
  RanksTime time{.level = "DRAM"};
  if (work.work.working_set) time.level = nodes.caches.level_of(*work.work.working_set * part, cpus, "close");
  while (time.level != "DRAM" && !roofs.bandwidth(time.level)) time.level = nodes.caches.outside(time.level);
  const auto memory = roofs.memory_floor(work.work, time.level);
  if (!memory) return std::nullopt;
  time.matrix = part * std::max(*memory, roofs.compute_floor(work.work).value_or(0)) / work.share;
  time.exchange =
      work.calls * allreduce_seconds(exchange, nodes.network, work.bytes, ranks, nodes.ranks_of_node);
  return time;
}

std::optional<double> share_of_roof(const CaseView& member, const Nodes& nodes,
                                    const ExchangeCosts& exchange) {
  const auto work = RanksWork::of(*member.record);
  if (!work || !has_time(member)) return std::nullopt;
  const auto ranks = static_cast<double>(settings_of(member.record->point).ranks);
  const auto least = time_over(*work, ranks, nodes, exchange);
  if (!least || member.time->median <= least->exchange) return std::nullopt;
  return least->matrix / (member.time->median - least->exchange);
}

}  // namespace uotbench
