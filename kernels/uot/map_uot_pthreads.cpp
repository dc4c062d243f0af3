// MAP-UOT in the paper's own threading (section 4.1.2): the rows are split over threads that are started for
// each pass and joined after it; the calling thread is one of them, and adds up their column sums alone. With
// pool=on the threads stay, which shows what starting them costs.
#include <utility>

#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/map_uot.hpp"
#include "kernels/uot/timed/own_threads.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUotPthreads {
 public:
  static constexpr KernelTraits declares{.begins = true};

  explicit MapUotPthreads(const Problem<Real>& problem)
      : p_(problem),
        plan_(problem),
        sums_(problem),
        pass_(p_.team, p_.at.text("pool") == "on", [this](int part) { rescale(part); }) {}

  void begin() { pass_.run(); }

  void iterate() {
    if (!std::exchange(stepped_, false)) column_step();
    pass_.run();
  }

  void finish(Result<Real>& out) {
    if (!std::exchange(stepped_, true)) column_step();
    plan_.write(out);
  }

 private:
  void column_step() {
    for (std::size_t j = 0; j < p_.N; ++j) plan_.set_column_factor(j, sums_.total(j));
  }

  void rescale(int part) {
    Real* const sums = sums_.of(part);
    const auto [first, last] = share(p_.M, part, p_.team.threads());
    for (std::size_t i = first; i < last; ++i) plan_.rescale_row(i, sums);
  }

  const Problem<Real>& p_;
  MapUotPlan<Real> plan_;
  ColumnSums<Real> sums_;
  OwnThreads pass_;
  bool stepped_ = false;  ///< finish() has made the column step after the last pass
};

const Variant<MapUotPthreads<float>, MapUotPthreads<double>> variant{{
    .name = "uot/map_uot_pthreads",
    .summary = "MAP-UOT as the paper threads it: started and joined every pass (2 MN elements moved)",
    .axes = {{.name = "pool",
              .kind = Axis::Kind::text,
              .standard = "off",
              .values = {"off", "on"},
              .about = "on: threads stay and are woken by a barrier"}},
    .work = map_uot_work,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
