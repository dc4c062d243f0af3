// Rung 3 on a CPU: as rung 2, but each thread takes groups of queries of its own.
// Published: 185 ms on the 12 cores of a Xeon Gold 5118 (N = 16384, D = 128).
#include "kernels/match/timed/grouped.hpp"

namespace uotbench::match {
namespace {

class Cpu3 : public Grouped {
 public:
  using Grouped::Grouped;
  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t group = 0; group < groups(); ++group) match(group);
  }
};

const Variant<Cpu3, void> variant{{
    .name = "match/cpu3_openmp",
    .summary = "groups of queries split over OpenMP threads",
    .axes = Grouped::axes(),
    .work = grouped_work,
}};

}  // namespace
}  // namespace uotbench::match
