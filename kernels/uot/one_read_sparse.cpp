// multiscale_newton on those blocks of K that can matter (sparse_blocks.hpp), made of points in each solve.
// Which those are the solve on a quarter as many points says (coarse_start.hpp). At its end the bound is
// found again, with the scalings that it came to; where it fails what is missing is added, and the solve goes
// on.
#include "kernels/uot/timed/coarse/coarse_newton.hpp"
#include "kernels/uot/timed/points_pass.hpp"
#include "kernels/uot/timed/sparse_blocks.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadSparse {
  using Blocks = SparseBlocks<Real>;

 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};
  static constexpr Takes takes{.from_points = true, .canonical = false};

  explicit OneReadSparse(const Problem<Real>& problem)
      : p_(problem),
        fi_(p_.at.number("fi")),
        coarse_(problem),
        K_(p_.M, p_.N, p_.team.threads()),
        iteration_(problem),
        newton_(problem, coarse_) {}

  void restart() {
    iteration_.restart();
    remade_ = 0;
    std::vector<Real> v(p_.N, 1);
    coarse_.solve(v, iteration_.sigma);
    const bool kl = p_.at.text("reg_type") == "kl";
    rows_.emplace(coarse_.rows().order(), p_.X, p_.a, p_.d, gibbs_scale(p_.at), kl);
    columns_.emplace(coarse_.columns().order(), p_.Y, p_.b, p_.d, gibbs_scale(p_.at), kl);
    columns_->take(v, iteration_.scalings.v);
    std::vector<std::size_t> places(p_.N);
    std::iota(places.begin(), places.end(), std::size_t{0});
    newton_.linearise(rows_->cloud(), columns_->cloud(), std::move(places), columns_->masses());
    const auto* const start = coarse_.finest();
    if (!start) return keep(Reach::of_all(rows_->groups(), columns_->groups()));
    const PointLevel<Real>&x = coarse_.rows().level(1), &y = coarse_.columns().level(1);
    constexpr std::size_t fewer = CoarseCloud<Real>::fewer;
    keep(reach_of<Real>({x.measure, x.masses, start->scalings.u, block_rows / fewer},
                        {y.measure, y.masses, start->scalings.v, block_columns / fewer}, fi_, start->sigma,
                        p_.stopping.tol / guard));
  }

  void iterate() {
    newton_.iterate(iteration_, K_, rows_->masses().data(), columns_->masses().data());
    cells_read_ += static_cast<double>(K_.blocks() * Blocks::cells);
    change_ = iteration_.change();
    if (!change_.finite() && K_.share_kept() < 1) {  // the start was no solution at all
      iteration_.restart();
      keep(Reach::of_all(rows_->groups(), columns_->groups()));
    } else if (change_.error() < p_.stopping.tol && !K_.holds(*rows_, *columns_, reach(p_.stopping.tol))) {
      keep(reach(p_.stopping.tol / guard));
      ++remade_;
    } else {
      return;
    }
    iteration_.disturb();
    newton_.disturb();
    change_ = {};
    change_.u.step = std::numeric_limits<double>::infinity();  // of another matrix
  }

  Change<double> change() const { return change_; }

  void finish(Result<Real>& out) {
    std::vector<Real> u(p_.M), v(p_.N);
    rows_->give(iteration_.scalings.u, u);
    columns_->give(iteration_.scalings.v, v);
    if (!out.plan.empty()) KOfPoints<Real>(p_).write_plan(u, v, out.plan);
    out.write_scalings(u, v);
    shift_scalings(out, iteration_.sigma);
  }

  /// Of what is kept, two products and two additions a cell.
  Work work() const {
    Work work{.flops = 4 * cells_read_, .bytes_read = sizeof(Real) * cells_read_};
    work.counted = true;
    return work;
  }
  Facts facts() const {
    return {{"share_kept", K_.share_kept()},
            {"remade", remade_},
            {"coarse_iterations", coarse_.iterations()},
            {"newton_steps", newton_.steps()}};
  }

 private:
  /// When blocks are chosen the scalings are not the last ones yet.
  static constexpr double guard = 2;

  Reach reach(double theta) const {
    const auto &u = iteration_.scalings.u, &v = iteration_.scalings.v;
    return reach_of<Real>({rows_->measure(), rows_->masses(), u, block_rows},
                          {columns_->measure(), columns_->masses(), v, block_columns}, fi_, iteration_.sigma,
                          theta);
  }

  void keep(const Reach& reach) { K_.make(*rows_, *columns_, reach); }

  const Problem<Real>& p_;
  double fi_;
  CoarseStart<Real> coarse_;
  Blocks K_;
  std::optional<typename Blocks::Rows> rows_;
  std::optional<typename Blocks::Columns> columns_;
  ShiftedIteration<Real, SparsePass<Real>> iteration_;
  CoarseNewton<Real> newton_;
  Change<double> change_;
  double cells_read_ = 0;
  std::int64_t remade_ = 0;  ///< in the last solve
};

std::string refuse(const Point& at) { return refuse_without_points(at, "uot/one_read_sparse"); }

const Variant<OneReadSparse<float>, OneReadSparse<double>> variant{{
    .name = "uot/one_read_sparse",
    .summary = "multiscale on those blocks of K that matter at this reg, the bound checked at the end",
    .axes = one_read_axes(),  // of the coarse levels
    .refuse = refuse,
    .matrices = 1.4,
}};

}  // namespace
}  // namespace uotbench::uot
