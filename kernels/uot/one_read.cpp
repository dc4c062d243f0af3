// One read: K is never written. While a few rows of K are in cache, their scalings come from K v and go
// straight into the next K' u, so an iteration reads the matrix once: half of what two GEMVs or an in-place
// pass move. `rows` rows share each load of v and of the column sums.
#include "kernels/uot/one_read.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneRead {
 public:
  explicit OneRead(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), scalings_(problem), pass_(problem) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.rows(K_.data(), v.data(),
               [&](std::size_t i, Real dot) { return u[i] = next_scaling(u[i], p_.a[i], dot, p_); });
    pass_.columns([&](std::size_t j, Real sum) { v[j] = next_scaling(v[j], p_.b[j], sum, p_); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  OneReadPass<Real> pass_;
};

/// R: one element per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<OneRead<float>, OneRead<double>> variant{{
    .name = "uot/one_read",
    .summary = "scalings only, both steps in one read of K (1 MN elements moved)",
    .axes = {rows_at_once("rows of K in work at a time")},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
