#include "roofline/model/scaling_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

// Processes that share a memory, as customers share a counter.

double time_together(double alone, double demand, int processes) {
  const double elsewhere = std::max(0., alone - demand);
  double waiting = 0, rate = 0;  // customers that one who comes finds at the counter; works a second
  for (int customers = 1; customers <= processes; ++customers) {
    const double there = demand * (1 + waiting);
    rate = customers / (elsewhere + there);
    waiting = rate * there;
  }
  return 1 / rate;
}

double demand_between(double alone, double together, int processes) {
  double low = 0, high = alone;
  constexpr int halvings = 50;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (time_together(alone, middle, processes) < together ? low : high) = middle;
  }
  return low;
}

// What it takes processes to exchange sums, from what messages take.

namespace {

/// Of a variant's cases of two processes: the bytes of a message, and the median; `part` of it.
SecondsBySize times_of(const std::vector<const RunView*>& views, const std::string& variant, double part) {
  SecondsBySize all;
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        const Record& record = *member.record;
        if (record.variant != variant || record.status != Status::ok || !has_time(member)) continue;
        if (settings_of(record.point).ranks != 2 || !record.work) continue;
        double messages = 0, bytes = 0;
        for (const auto& [name, count] : record.work->operations)
          (name == "messages" ? messages : bytes) = count;
        if (messages > 0) all.measured[bytes / messages] = part * member.time->median;
      }
  return all;
}

using Seconds = std::function<double(double bytes)>;

/// Of `ranks` processes that are alike. `step`: both ways, and added up; `message`: one way.
double of_equals(const Seconds& step, const Seconds& message, double bytes, double ranks) {
  if (ranks <= 1) return 0;
  const auto steps = static_cast<int>(std::ceil(std::log2(ranks)));
  double halving = 0, part = bytes;
  for (int i = 0; i < steps; ++i) {
    part /= 2;
    halving += step(part) + message(part);  // reduce-scatter, then allgather
  }
  return std::min(steps * step(bytes), halving);
}

}  // namespace

double SecondsBySize::per_byte() const {
  const auto last = std::prev(measured.end()), before = std::prev(last);
  return std::max(0., (last->second - before->second) / (last->first - before->first));
}

double SecondsBySize::at(double bytes) const {
  const auto above = measured.lower_bound(bytes);
  if (above == measured.begin()) return latency();
  const auto below = std::prev(above);
  const double more = bytes - below->first;
  if (above == measured.end()) return below->second + more * per_byte();
  return below->second + more * (above->second - below->second) / (above->first - below->first);
}

std::optional<ExchangeCosts> exchange_costs(const std::vector<const RunView*>& views) {
  ExchangeCosts costs{.message = times_of(views, "ceiling/pingpong", 0.5),
                      .step = times_of(views, "ceiling/allreduce", 1)};
  if (costs.message.measured.size() < 2 || costs.step.measured.size() < 2) return std::nullopt;
  return costs;
}

double allreduce_seconds(const ExchangeCosts& costs, const std::optional<Network>& network, double bytes,
                         double ranks, double ranks_of_node) {
  const Seconds step = [&](double size) { return costs.step.at(size); };
  const Seconds message = [&](double size) { return costs.message.at(size); };
  // What a step takes besides its message it takes on any network.
  const Seconds sent = [&](double size) {
    return network ? network->latency + size / network->bytes_per_second : message(size);
  };
  const Seconds exchanged = [&](double size) {
    return sent(size) + std::max(0., step(size) - message(size));
  };
  const double nodes = std::ceil(ranks / ranks_of_node);
  return of_equals(step, message, bytes, std::min(ranks, ranks_of_node)) +
         of_equals(network ? exchanged : step, sent, bytes, nodes);
}

// How long an iteration takes over processes.

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

// How long an iteration takes over the threads of another machine.

std::optional<ThreadsTime> time_on(const ThreadsWork& work, int threads, const Ceilings& machine) {
  if (!machine.cluster) return std::nullopt;
  const Roofs roofs(machine, {.threads = threads, .place = "close", .dtype = work.dtype});
  const Roof* const memory = roofs.bandwidth("DRAM");
  if (!memory) return std::nullopt;
  const Caches caches = listed_caches(machine.cluster->caches);
  ThreadsTime time{.level = "DRAM", .bound = {}};
  if (work.work.working_set) time.level = caches.level_of(*work.work.working_set, threads, "close");
  while (time.level != "DRAM" && !roofs.bandwidth(time.level)) time.level = caches.outside(time.level);

  const double floor = *roofs.memory_floor(work.work, {.level = time.level});
  const double of_cores = static_cast<double>(threads) / machine.cluster->cores;
  const double flops = roofs.compute_floor(work.work).value_or(0) / of_cores;
  time.matrix = std::max(time_together(work.alone, std::min(floor, work.alone), threads), flops);
  if (threads > 1) time.between = work.shared.value_or(0) * threads / memory->value;
  const std::array<std::pair<double, std::string>, 4> parts{{{work.alone / threads, "a core"},
                                                             {floor, time.level},
                                                             {flops, "flops"},
                                                             {time.between, "other cores"}}};
  time.bound = std::ranges::max_element(parts)->second;
  return time;
}

}  // namespace uotbench
