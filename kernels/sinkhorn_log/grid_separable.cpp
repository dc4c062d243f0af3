// Squared distances on an n x n grid are a sum over its two coordinates, and so a half step is two
// one-dimensional ones: logsumexp over the rows for each column of pixels, then over the columns for each
// row: 2 n^3 pairs an item where C has n^4. C is not read; of the grid only the costs of n x n coordinates
// are.
//
// Each of the two is a matrix product over all lines of all items, as in gemm_shifted. Between them a field
// is turned, so that log u stands row by row, log v column by column.
#include "kernels/sinkhorn_log/timed/grid_sums.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class GridSeparable {
  using Pack = typename Lanes<Real>::Pack;

 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};

  explicit GridSeparable(const Problem<Real>& problem)
      : p_(problem),
        n_(problem.side),
        sums_(p_.C1, n_, static_cast<double>(p_.reg), p_.B),
        u_(n_, p_.B, {n_, sums_.lanes_of_item(), false}, p_.log_mu, p_.log_u0, remembers()),
        v_(n_, p_.B, {n_, sums_.lanes_of_item(), true}, p_.log_nu, p_.log_v0, remembers()) {}

  void restart() {
    u_.restart();
    v_.restart();
  }

  void iterate() {
    u_.remember();
    v_.remember();
    sum_over<sum_rows>(u_.logs, v_);
    sum_over<sum_columns>(p_.symmetric ? v_.before : v_.logs, u_);
    ++iterations_;
  }

  Change change() const {
    Change all = v_.change(p_.nu, static_cast<double>(p_.reg), true, p_.symmetric);
    all.merge(u_.change(p_.mu, static_cast<double>(p_.reg), p_.symmetric, p_.symmetric));
    return all;
  }

  void finish(Result<Real>& out) {
    write_result(out, p_, u_.natural(p_.mu.size()).data(), v_.natural(p_.nu.size()).data());
  }

  /// Four times n^3 multiply-adds and n^2 exponentials an item, and what was made again.
  Work work() const {
    const double n = static_cast<double>(n_), items = static_cast<double>(p_.B * iterations_);
    const double pixels = items * n * n, bytes = static_cast<double>(sizeof(Real));
    return {.flops = 8 * n * pixels,
            .bytes_read = 8 * bytes * pixels,
            .bytes_written = 6 * bytes * pixels,
            .working_set = bytes * (5 * static_cast<double>(p_.B) + 1) * n * n,
            .operations = {{"exp", 4 * pixels + static_cast<double>(again_.exponentials)}},
            .counted = true};
  }

  /// Of the one-dimensional sums since the start.
  Facts facts() const {
    if (iterations_ == 0) return {};
    const double sums = 4 * static_cast<double>(p_.B * n_ * n_ * iterations_);
    return {{"sums_made_again", static_cast<double>(again_.sums) / sums}};
  }

 private:
  bool remembers() const { return p_.symmetric || p_.stopping.at_solution; }

  template <bool over_rows>
  void sum_over(const Lanes<Real>& from, BatchInLanes<Real, LineALane>& to) {
    again_ += sums_.template logsumexp<over_rows>(
        from, [&](std::size_t k, std::size_t v, Pack lse) { to.step(k, v, lse, p_.symmetric); });
  }

  const Problem<Real>& p_;
  std::size_t n_;
  GridSums<Real> sums_;
  BatchInLanes<Real, LineALane> u_, v_;
  Again again_;
  std::size_t iterations_ = 0;
};

double elements(const Point& at) { return 3 * at.number("M") + 6 * at.number("B") * at.number("M"); }

std::string refuse(const Point& at) {
  if (at.text("cost") == "grid2d") return "";
  return "sinkhorn_log/grid_separable sums over the two coordinates of a grid: cost must be grid2d, not " +
         at.text("cost");
}

const Variant<GridSeparable<float>, GridSeparable<double>> variant{
    {
        .name = "sinkhorn_log/grid_separable",
        .summary =
            "on an n x n grid two one-dimensional logsumexps, as matrix products (4 n^3 pairs an item)",
        .refuse = refuse,
        .matrices = 0,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
