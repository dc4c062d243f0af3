// Adds that wait for each other, in one register: a cycle each on any x86 or ARM core, so that their rate is
// the clock. Both operands are registers: an add of a constant may be left out when it is decoded. y becomes
// the number of steps, of four adds each.
#include <cstdint>
#include <vector>

#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

constexpr std::uint64_t adds_in_a_step = 4;

template <class Real>
class Cycle {
 public:
  explicit Cycle(const Problem<Real>& p) : steps_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
#pragma omp parallel
    {
      std::uint64_t sum = 0, one = 1;
      for (std::size_t step = 0; step < cycle_steps; ++step)
        for (std::uint64_t add = 0; add < adds_in_a_step; ++add) {
          asm volatile("" : "+r"(sum), "+r"(one));
          sum += one;
        }
      steps_[static_cast<std::size_t>(omp_get_thread_num())] += static_cast<Real>(sum / adds_in_a_step);
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i) out.y[i] = steps_[i % steps_.size()];
  }

 private:
  std::vector<Real> steps_;  ///< of every thread
};

Work work(const Point& at) {
  const auto adds = static_cast<double>(at.size("threads") * cycle_steps * adds_in_a_step);
  return {.working_set = 0, .operations = {{"cycle", adds}}};
}

const Variant<Cycle<float>, Cycle<double>> variant{{
    .name = "ceiling/cycle",
    .summary = "adds that wait for each other: the clock",
    .work = work,
    .measures = Measures{"cycle"},
}};

}  // namespace
}  // namespace uotbench::ceiling
