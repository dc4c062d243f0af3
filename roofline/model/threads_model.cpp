#include "roofline/model/threads_model.hpp"

#include <algorithm>
#include <array>

#include "roofline/model/caches.hpp"
#include "roofline/model/contention.hpp"

namespace uotbench {

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
