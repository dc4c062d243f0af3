// POT itself (ot.unbalanced.sinkhorn_knopp_unbalanced): two matrix-vector products an iteration by a BLAS, K
// v and K' u.
#include "kernels/uot/timed/blas_products.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Gemv {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  explicit Gemv(const Problem<Real>& problem)
      : p_(problem),
        K_(private_copy(problem)),
        scalings_(problem),
        products_(problem),
        Kv_(p_.M),
        Ku_(p_.N) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    products_.rows(K_.data(), v, Kv_);
    for (std::size_t i = 0; i < p_.M; ++i) u[i] = next_scaling(u[i], p_.a[i], Kv_[i], p_);
    products_.columns(K_.data(), u, Ku_);
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], Ku_[j], p_);
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

  Facts facts() const { return products_.facts(); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  BlasProducts<Real> products_;
  std::vector<Real> Kv_, Ku_;
};

/// R, R: two elements per cell.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; }

const Variant<Gemv<float>, Gemv<double>> variant{{
    .name = "uot/gemv",
    .summary = "POT: two matrix-vector products by a BLAS (2 MN elements moved)",
    .axes = {blas_axis()},
    .work = work,
    .refuse = blas_refusal,
    .foreign_code = foreign_blas,
}};

}  // namespace
}  // namespace uotbench::uot
