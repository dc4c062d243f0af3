// K v and K' u by a BLAS: OpenBLAS, or Eigen's own.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/uot/problem.hpp"
#include "kernels/uot/timed/openblas.hpp"

namespace uotbench::uot {

/// The axis `blas`.
inline Axis blas_axis() {
  return {.name = "blas",
          .kind = Axis::Kind::text,
          .standard = "openblas",
          .values = {"openblas", "eigen"},
          .about = "who multiplies"};
}

inline std::string blas_refusal(const Point& at) {
  if (at.text("blas") == "eigen" && at.integer("threads") > 1)
    return "Eigen's GEMV runs on one thread: threads must be 1";
  if (std::max(at.number("M"), at.number("N")) > std::numeric_limits<int>::max())
    return "BLAS takes sizes below 2^31";
  if (at.text("blas") == "openblas" && !OpenBlas::available())
    return "OpenBLAS is not installed: apt install libopenblas0-pthread";
  return "";
}

inline std::string foreign_blas(const Point& at) { return at.text("blas") == "openblas" ? "OpenBLAS" : ""; }

template <class Real>
class BlasProducts {
  using Matrix = Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

 public:
  explicit BlasProducts(const Problem<Real>& problem) : p_(problem) {
    if (p_.at.text("blas") != "openblas") return;
    blas_.emplace(p_.team);
    gemv_ =
        blas_->template find<CblasGemv<Real>>(std::is_same_v<Real, float> ? "cblas_sgemv" : "cblas_dgemv");
  }

  /// to = K from
  void rows(const Real* K, const std::vector<Real>& from, std::vector<Real>& to) const {
    multiply(false, K, from, to);
  }
  /// to = K' from
  void columns(const Real* K, const std::vector<Real>& from, std::vector<Real>& to) const {
    multiply(true, K, from, to);
  }
  /// Which kernels the library runs; of Eigen's none are known.
  Facts facts() const { return blas_ ? blas_->facts() : Facts{{"blas_core", Value()}}; }

 private:
  void multiply(bool transposed, const Real* cells, const std::vector<Real>& from,
                std::vector<Real>& to) const {
    if (p_.M == 0) {  // of which a BLAS makes nothing, not even zeros
      std::ranges::fill(to, Real(0));
      return;
    }
    const Eigen::Map<const Vector> x(from.data(), static_cast<Eigen::Index>(from.size()));
    Eigen::Map<Vector> y(to.data(), static_cast<Eigen::Index>(to.size()));
    const Matrix K(cells, static_cast<Eigen::Index>(p_.M), static_cast<Eigen::Index>(p_.N));
    if (gemv_) {
      const auto M = static_cast<int>(p_.M), N = static_cast<int>(p_.N);
      gemv_(101, transposed ? 112 : 111, M, N, 1, cells, N, x.data(), 1, 0, y.data(), 1);
    } else if (transposed) {
      y.noalias() = K.transpose() * x;
    } else {
      y.noalias() = K * x;
    }
  }

  const Problem<Real>& p_;
  std::optional<OpenBlas> blas_;
  CblasGemv<Real> gemv_ = nullptr;
};

}  // namespace uotbench::uot
