// One read of K over processes, whose exchange hides behind the reading: the column sums of the first of
// `parts` parts of a process's rows are on their way while it reads the next ones. The iteration is the same;
// what is sent is `parts` times as much.
// workers: mpi mpi-*
#include "kernels/uot/timed/fused_pass.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiOneReadOverlap {
  /// Some of this process's rows, and their column sums.
  struct Part {
    Part(const Problem<Real>& whole, Range rows)
        : first(rows.first),
          problem(whole.at, whole.team, whole.K.subspan(rows.first * whole.N, rows.size() * whole.N),
                  whole.a.subspan(rows.first, rows.size()), whole.b),
          pass(problem),
          sums(whole.N) {}

    std::size_t first;
    Problem<Real> problem;
    FusedPass<Real> pass;
    std::vector<Real> sums;
  };

 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit MpiOneReadOverlap(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), scalings_(p_) {
    const auto parts = static_cast<int>(p_.at.integer("parts"));
    for (int part = 0; part < parts; ++part) {
      const auto [first, last] = share(p_.M, part, parts);
      parts_.push_back(std::make_unique<Part>(p_, Range{first, last}));
    }
    requests_.resize(parts_.size());
  }

  void restart() { scalings_.restart(); }

  void iterate() {
    auto &u = scalings_.u, &v = scalings_.v;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Part& its = *parts_[part];
      its.pass.rows(its.problem.K.data(), v.data(), [&](std::size_t i, Real dot) {
        return u[its.first + i] = next_scaling(u[its.first + i], its.problem.a[i], dot, p_);
      });
      its.pass.columns([&](std::size_t j, Real sum) { its.sums[j] = sum; });
      MPI_Iallreduce(MPI_IN_PLACE, its.sums.data(), static_cast<int>(p_.N), mpi_type<Real>(), MPI_SUM,
                     MPI_COMM_WORLD, &requests_[part]);
    }
    {
      const Region region(exchange);
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }
    for (std::size_t j = 0; j < p_.N; ++j) {
      Real sum = 0;
      for (const auto& part : parts_) sum += part->sums[j];
      v[j] = next_scaling(v[j], p_.b[j], sum, p_);
    }
  }

  void finish(RankResult<Real>& out) { out.write(problem_, scalings_.u, scalings_.v); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  Scalings<Real> scalings_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<MPI_Request> requests_;
};

Work work(const Point& at) {
  const double parts = at.number("parts");
  return with_exchange({.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}, at,
                       parts * at.number("N"), parts);
}

std::vector<Axis> axes() {
  auto all = one_read_axes();
  all.push_back({.name = "parts", .standard = 2, .least = 1, .most = 64, .about = "exchanges an iteration"});
  return all;
}

const RankVariant<MpiOneReadOverlap<float>, MpiOneReadOverlap<double>> variant{{
    .name = "uot/mpi_one_read_overlap",
    .summary = "one read over processes, sums exchanged while it reads on (1 MN elements moved)",
    .axes = axes(),
    .work = work,
    .phases = {exchange},
}};

}  // namespace
}  // namespace uotbench::uot
