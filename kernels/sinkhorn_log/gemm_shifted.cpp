// exp(-C/reg) is made once, and a half step is a matrix product over the batch: of exp(log u_b - max) with
// it, then a logarithm of each sum. MN multiply-adds an item and M + N exponentials an iteration, where
// kernels in logarithms take 2 MN exponentials. Sums that underflow are made again from C, by max-then-sum,
// and counted.
//
// An item is a lane of a vector. The matrix is kept in blocks of 12 x 12, once for each half step.
#include "kernels/sinkhorn_log/parts/batch_in_lanes.hpp"
#include "kernels/sinkhorn_log/parts/lane_product.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class GemmShifted {
  using Pack = typename Lanes<Real>::Pack;

 public:
  static constexpr Declares declares{.restarts = true, .work = true, .facts = true};

  explicit GemmShifted(const Problem<Real>& problem)
      : p_(problem),
        u_(problem.M, problem.B, {problem.B, problem.M}, problem.log_mu, problem.log_u0, remembers(problem)),
        v_(problem.N, problem.B, {problem.B, problem.N}, problem.log_nu, problem.log_v0, remembers(problem)),
        weights_u_(problem.M, problem.B),
        weights_v_(problem.N, problem.B),
        largest_(weights_u_.vectors() * Pack::size()),
        product_(problem.M, problem.N, [&](std::size_t i, std::size_t j) {
          return -std::numbers::log2e * problem.cost(0, i, j) / static_cast<double>(problem.reg);
        }) {}

  void restart() {
    u_.restart();
    v_.restart();
  }

  void iterate() {
    u_.remember();
    v_.remember();
    again_ += product_.template logsumexp<true>(
        u_.logs, weights_u_, largest_,
        [&](std::size_t j, std::size_t vector, Pack lse) { v_.step(j, vector, lse, p_.symmetric); });
    again_ += product_.template logsumexp<false>(
        p_.symmetric ? v_.before : v_.logs, weights_v_, largest_,
        [&](std::size_t i, std::size_t vector, Pack lse) { u_.step(i, vector, lse, p_.symmetric); });
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

  /// Two multiply-adds for each pair; exponentials of the weights, and of whole vectors made again.
  Work work() const {
    const double items = static_cast<double>(p_.B), lines = static_cast<double>(p_.M + p_.N);
    const double pairs = items * static_cast<double>(p_.M * p_.N), n = static_cast<double>(iterations_);
    const double moved = static_cast<double>(p_.M * p_.N) * 2 + 4 * items * lines;
    return {.flops = 4 * n * pairs,
            .bytes_read = static_cast<double>(sizeof(Real)) * n * moved,
            .bytes_written = static_cast<double>(sizeof(Real)) * n * 2 * items * lines,
            .working_set =
                static_cast<double>(sizeof(Real)) * (static_cast<double>(p_.M * p_.N) + 3 * items * lines),
            .operations = {{"exp", n * items * lines + static_cast<double>(again_.exponentials)}},
            .counted = true};
  }

  /// Of the sums since the start.
  Facts facts() const {
    if (iterations_ == 0) return {};
    const double sums = static_cast<double>(p_.B * (p_.M + p_.N) * iterations_);
    return {{"sums_made_again", static_cast<double>(again_.sums) / sums}};
  }

 private:
  static bool remembers(const Problem<Real>& p) { return p.symmetric || p.stopping.at_solution; }

  const Problem<Real>& p_;
  BatchInLanes<Real> u_, v_;
  Lanes<Real> weights_u_, weights_v_;
  Buffer<Real> largest_;  ///< of each item's logarithms
  LaneProduct<Real> product_;
  Again again_;
  std::size_t iterations_ = 0;
};

double elements(const Point& at) {
  return LaneProduct<double>::elements(at.number("M"), at.number("N")) +
         3 * at.number("B") * (at.number("M") + at.number("N"));
}

std::string refuse(const Point& at) {
  if (at.text("cost") != "own") return "";
  return "sinkhorn_log/gemm_shifted multiplies one matrix with the whole batch: cost must not be own";
}

const Variant<GemmShifted<float>, GemmShifted<double>> variant{
    {
        .name = "sinkhorn_log/gemm_shifted",
        .summary =
            "exp(log u - max) times exp(-C/reg), a matrix product over the batch (B(M+N) exponentials)",
        .refuse = refuse,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
