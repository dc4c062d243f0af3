// POT over processes: each has a block of rows, multiplies it twice by a BLAS, and K' u is added up by one
// Allreduce.
// workers: mpi mpi-*
#include "kernels/uot/timed/blas_products.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MpiGemv {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  explicit MpiGemv(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), scalings_(p_), products_(p_), Kv_(p_.M), Ku_(p_.N) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    auto &u = scalings_.u, &v = scalings_.v;
    products_.rows(p_.K.data(), v, Kv_);
    for (std::size_t i = 0; i < p_.M; ++i) u[i] = next_scaling(u[i], p_.a[i], Kv_[i], p_);
    products_.columns(p_.K.data(), u, Ku_);
    add_up(Ku_.data(), Ku_.size());
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], Ku_[j], p_);
  }

  void finish(RankResult<Real>& out) { out.write(problem_, scalings_.u, scalings_.v); }

  Facts facts() const { return products_.facts(); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  Scalings<Real> scalings_;
  BlasProducts<Real> products_;
  std::vector<Real> Kv_, Ku_;
};

/// R, R: two elements per cell.
Work work(const Point& at) {
  return with_exchange({.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}, at, at.number("N"));
}

const RankVariant<MpiGemv<float>, MpiGemv<double>> variant{{
    .name = "uot/mpi_gemv",
    .summary = "POT over processes: two products by a BLAS, one Allreduce of N sums (2 MN elements moved)",
    .axes = {blas_axis()},
    .work = work,
    .refuse = blas_refusal,
    .phases = {exchange},
    .foreign_code = foreign_blas,
}};

}  // namespace
}  // namespace uotbench::uot
