// one_read_sor that reads K as bfloat16, half the bytes, and ends at the solution for K itself (iterative
// refinement: Wilkinson 1963; Carson and Higham 2018). Where an iteration changes less than the format hides,
// K is read as given, once. Its dots and column sums over those of the rounded cells correct the iterations
// that follow: they are off by the format's error times what u and v have changed since.
#include "kernels/uot/parts/bfloat16_cells.hpp"
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

class OneReadMixed {
 public:
  static constexpr Declares declares{.restarts = true, .work = true};
  static constexpr bool canonical = false;

  explicit OneReadMixed(const Problem<float>& problem)
      : p_(problem),
        K_(problem.M * problem.N),
        iteration_(problem),
        pass_(problem),
        exact_pass_(problem),
        rows_(problem.M),
        columns_(problem.N) {}

  /// The smaller copy is a part of the solve.
  void restart() {
    iteration_.restart();
    Bfloat16Cells::copy(p_, K_);
    moved(4, 2);
    std::ranges::fill(rows_, 1.f);
    std::ranges::fill(columns_, 1.f);
    u_then_.clear();
    // A cell is off by 2^-9 of itself at most; in a line of them errors average out.
    error_ = hidden_ = std::exp2(-9) / std::sqrt(static_cast<double>(std::min(p_.M, p_.N)));
  }

  void iterate() {
    iteration_.iterate(pass_, K_.data(), p_.a.data(), p_.b.data(), true, Ratios{rows_, columns_});
    moved(2, 0);
    ++iterations_;
    hidden_ = error_ * since();
    if (iteration_.change().error() < hidden_ && 2 * hidden_ > p_.stopping.tol) correct();
  }

  /// And what the format may hide.
  Change<double> change() const {
    Change<double> change = iteration_.change();
    change.u.step += 2 * hidden_ * change.u.largest;
    return change;
  }

  Work work() const {
    return {.flops = 4 * cells(p_.at) * iterations_, .bytes_read = read_, .bytes_written = written_};
  }

  void finish(Result<float>& out) { iteration_.write(out, p_); }

 private:
  struct Ratios {
    const std::vector<float>&rows, &columns;
    float row(std::size_t i, float dot) const { return rows[i] * dot; }
    float column(std::size_t j, float sum) const { return columns[j] * sum; }
  };
  /// Those of K, kept.
  struct Kept {
    std::vector<float>&rows, &columns;
    float row(std::size_t i, float dot) const { return rows[i] = dot; }
    float column(std::size_t j, float sum) const { return columns[j] = sum; }
  };

  /// An iteration on K as given, and what the rounded cells make of the same u and v.
  void correct() {
    const std::vector<float> v = iteration_.scalings.v;
    const float by =
        iteration_.iterate(exact_pass_, p_.K.data(), p_.a.data(), p_.b.data(), true, Kept{rows_, columns_});
    u_then_ = iteration_.scalings.u;
    v_then_ = iteration_.scalings.v;
    const auto ratio = [](float exact, float cells) { return cells > 0 ? exact / cells : 1.f; };
    pass_.rows(K_.data(), v.data(), [&](std::size_t i, float dot) {
      rows_[i] = ratio(rows_[i], dot);
      return u_then_[i];
    });
    pass_.columns([&](std::size_t j, float sum) { columns_[j] = ratio(by * columns_[j], sum); });
    error_ = 0;
    for (const auto* ratios : {&rows_, &columns_})
      for (const float r : *ratios) error_ = std::max(error_, std::abs(static_cast<double>(r) - 1));
    hidden_ = 0;
    moved(4 + 2, 0);
    iterations_ += 2;
  }

  /// What u and v have changed since the correction, relative to themselves, at most 1; 1 before the first.
  double since() const {
    if (u_then_.empty()) return 1;
    float most = 0;
    const auto add = [&](const std::vector<float>& then, const std::vector<float>& now) {
      for (std::size_t k = 0; k < now.size(); ++k)
        if (then[k] > 0) most = std::max(most, std::abs(now[k] / then[k] - 1));
    };
    add(u_then_, iteration_.scalings.u);
    add(v_then_, iteration_.scalings.v);
    return std::min(1., static_cast<double>(most));
  }
  /// Bytes a cell.
  void moved(double read, double written) {
    read_ += read * cells(p_.at);
    written_ += written * cells(p_.at);
  }

  const Problem<float>& p_;
  Buffer<Bfloat16> K_;
  ShiftedIteration<float> iteration_;
  OneReadPass<float, Bfloat16Cells> pass_;
  OneReadPass<float> exact_pass_;
  std::vector<float> rows_, columns_;   ///< what is exact, over what the rounded cells make
  std::vector<float> u_then_, v_then_;  ///< when that was found
  double error_ = 0, hidden_ = 0;       ///< of the format; and what of it is left
  double read_ = 0, written_ = 0, iterations_ = 0;
};

const Variant<OneReadMixed, void> variant{{
    .name = "uot/one_read_mixed",
    .summary = "one_read_sor of K as bfloat16, corrected to the solution for K (2 MN bytes moved)",
    .axes = one_read_axes(),
    .matrices = .5,
}};

}  // namespace
}  // namespace uotbench::uot
