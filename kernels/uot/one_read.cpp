// One read of K, which is never written: while a few rows are in cache, their products with v give their
// scalings u, and the rows times u go straight into the column sums, K' u. An iteration reads the matrix
// once: half of what two GEMVs or a pass in place move. How rows are grouped, shared and prefetched is in
// fused_pass.hpp.
#include "kernels/uot/timed/fused_pass.hpp"
#include "kernels/uot/timed/next_scalings.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneRead {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  explicit OneRead(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), scalings_(problem), next_(problem), pass_(problem) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.in_team([&] {
      // Rows i, i + 1, ...: from the dots K_i v to u_i; u_i K_i is then added to this thread's column sums.
      pass_.my_rows(K_.data(), v.data(),
                    [&](std::size_t i, auto dots) { return next_(&u[i], &p_.a[i], dots); });
      // Columns j, j + 1, ...: from the sums of all threads, (K' u)_j, to v_j.
      pass_.my_columns([&](std::size_t j, auto sums) { next_(&v[j], &p_.b[j], sums); });
    });
  }

  Change<Real> change() const { return scalings_.change(); }
  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }
  Facts facts() const { return pass_.facts(); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  NextScalings<Real> next_;
  FusedPass<Real> pass_;
};

/// R: one element per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<OneRead<float>, OneRead<double>> variant{{
    .name = "uot/one_read",
    .summary = "scalings only, both steps in one read of K (1 MN elements moved)",
    .axes = one_read_axes(),
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
