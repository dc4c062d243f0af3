// POT itself (ot.unbalanced.sinkhorn_knopp_unbalanced): two matrix-vector products an iteration by a BLAS, K
// v and K' u.
#include <Eigen/Core>
#include <limits>
#include <optional>

#include "kernels/uot/parts/openblas.hpp"
#include "kernels/uot/parts/scalings.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Gemv {
  using Matrix = Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

 public:
  static constexpr Declares declares{.restarts = true, .facts = true};

  explicit Gemv(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), scalings_(problem), Kv_(p_.M), Ku_(p_.N) {
    if (p_.at.text("blas") != "openblas") return;
    blas_.emplace(p_.team);
    gemv_ =
        blas_->template find<CblasGemv<Real>>(std::is_same_v<Real, float> ? "cblas_sgemv" : "cblas_dgemv");
  }

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    multiply(false, v, Kv_);
    for (std::size_t i = 0; i < p_.M; ++i) u[i] = next_scaling(u[i], p_.a[i], Kv_[i], p_);
    multiply(true, u, Ku_);
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], Ku_[j], p_);
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

  Facts facts() const { return {{"blas_core", blas_ ? Value(blas_->core()) : Value()}}; }

 private:
  Eigen::Index rows() const { return static_cast<Eigen::Index>(p_.M); }
  Eigen::Index columns() const { return static_cast<Eigen::Index>(p_.N); }

  void multiply(bool transposed, const std::vector<Real>& from, std::vector<Real>& to) {
    const Eigen::Map<const Vector> x(from.data(), static_cast<Eigen::Index>(from.size()));
    Eigen::Map<Vector> y(to.data(), static_cast<Eigen::Index>(to.size()));
    const Matrix K(K_.data(), rows(), columns());
    if (gemv_) {
      const auto M = static_cast<int>(p_.M), N = static_cast<int>(p_.N);
      gemv_(101, transposed ? 112 : 111, M, N, 1, K_.data(), N, x.data(), 1, 0, y.data(), 1);
    } else if (transposed) {
      y.noalias() = K.transpose() * x;
    } else {
      y.noalias() = K * x;
    }
  }

  const Problem<Real>& p_;
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  std::vector<Real> Kv_, Ku_;
  std::optional<OpenBlas> blas_;
  CblasGemv<Real> gemv_ = nullptr;
};

/// R, R: two elements per cell.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; }

std::string refuse(const Point& at) {
  if (at.text("blas") == "eigen" && at.integer("threads") > 1)
    return "Eigen's GEMV runs on one thread: threads must be 1";
  if (std::max(at.number("M"), at.number("N")) > std::numeric_limits<int>::max())
    return "BLAS takes sizes below 2^31";
  if (at.text("blas") == "openblas" && !OpenBlas::available())
    return "OpenBLAS is not installed: apt install libopenblas0-pthread";
  return "";
}

std::string foreign_code(const Point& at) { return at.text("blas") == "openblas" ? "OpenBLAS" : ""; }

const Variant<Gemv<float>, Gemv<double>> variant{{
    .name = "uot/gemv",
    .summary = "POT: two matrix-vector products by a BLAS (2 MN elements moved)",
    .axes = {{.name = "blas",
              .kind = Axis::Kind::text,
              .standard = "openblas",
              .values = {"openblas", "eigen"},
              .about = "who multiplies"}},
    .work = work,
    .refuse = refuse,
    .foreign_code = foreign_code,
}};

}  // namespace
}  // namespace uotbench::uot
