// one_read_sor on K as bfloat16 (bfloat16_cells.hpp) until what is left to do is no more than what the
// rounding did, then on K itself. The first iteration is on K and rounds each row while it is in cache: how
// far the dots of rounded rows are from its own, which are taken then, is the format's error on this K.
#include "kernels/uot/timed/bfloat16_cells.hpp"
#include "kernels/uot/timed/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

enum class Cells { rounding, rounded, exact };

/// Both matrices, and which of them an iteration reads.
struct TwoFormats {
  const float* exact;
  Bfloat16* rounded;
  std::vector<double>& errors;  ///< of the rows' dots, relative; written while rounding
  Cells cells;
};

class MixedPass {
 public:
  explicit MixedPass(const Problem<float>& problem) : N_(problem.N), exact_(problem), rounded_(problem) {}

  template <class Step>
  void rows(const TwoFormats& K, const float* v, Step step) {
    in_rounded_ = K.cells == Cells::rounded;
    if (in_rounded_) return rounded_.rows(K.rounded, v, step);
    if (K.cells == Cells::exact) return exact_.rows(K.exact, v, step);
    exact_.rows(K.exact, v, [&](std::size_t i, auto dots) {
      for (std::size_t r = 0; r < dots.size(); ++r) {
        const std::size_t row = (i + r) * N_;
        const float more = Bfloat16Cells::round(K.exact + row, K.rounded + row, N_, v);
        K.errors[i + r] = dots[r] > 0 ? static_cast<double>(more / dots[r]) : 0;
      }
      return step(i, dots);
    });
  }
  template <class Take>
  void columns(Take take) {
    in_rounded_ ? rounded_.columns(take) : exact_.columns(take);
  }

 private:
  std::size_t N_;
  bool in_rounded_ = false;
  FusedPass<float> exact_;
  FusedPass<float, Bfloat16Cells> rounded_;
};

class OneReadMixed {
 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};
  static constexpr Takes takes{.canonical = false};

  explicit OneReadMixed(const Problem<float>& problem)
      : p_(problem),
        K_(private_copy(problem)),
        rounded_(problem.M * problem.N),
        errors_(problem.M),
        iteration_(problem) {}

  void restart() {
    iteration_.restart();
    cells_ = Cells::rounding;
    in_rounded_ = 0;
  }

  void iterate() {
    iteration_.iterate(TwoFormats{K_.data(), rounded_.data(), errors_, cells_}, p_.a.data(), p_.b.data(),
                       Steps::relaxed);
    change_ = iteration_.change();
    const double cells = static_cast<double>(p_.M * p_.N);
    done_.flops += 4 * cells;
    done_.bytes_read += (cells_ == Cells::rounded ? 2 : 4) * cells;
    if (cells_ == Cells::rounding) {
      done_.bytes_written += 2 * cells;
      format_error_ = root_mean_square(errors_);
      cells_ = Cells::rounded;
    } else if (cells_ == Cells::rounded) {
      ++in_rounded_;
      const bool ends = change_.error() < p_.stopping.tol;
      if (!ends && !(iteration_.scalings.largest_step() < largest_of_many * format_error_)) return;
      cells_ = Cells::exact;
      iteration_.disturb();
      if (ends) change_.u.step = std::numeric_limits<double>::infinity();  // of the rounded K's problem only
    }
  }

  Change<double> change() const { return change_; }
  void finish(Result<float>& out) {
    write_result<float>(out, p_, iteration_.scalings.u, iteration_.scalings.v);
    shift_scalings(out, iteration_.sigma);
  }

  Work work() const {
    Work work = done_;
    work.counted = true;
    return work;
  }
  Facts facts() const { return {{"iterations_bf16", in_rounded_}, {"format_error", format_error_}}; }

 private:
  static constexpr double largest_of_many = 4;  ///< of normal numbers, in units of their root mean square

  static double root_mean_square(const std::vector<double>& xs) {
    double sum = 0;
    for (const double x : xs) sum += x * x;
    return std::sqrt(sum / static_cast<double>(xs.size()));
  }

  const Problem<float>& p_;
  Buffer<float> K_;
  Buffer<Bfloat16> rounded_;
  std::vector<double> errors_;
  ShiftedIteration<float, MixedPass> iteration_;
  Cells cells_ = Cells::rounding;
  Change<double> change_;
  Work done_;
  double format_error_ = 0;
  std::int64_t in_rounded_ = 0;  ///< iterations of the last solve
};

const Variant<OneReadMixed, void> variant{{
    .name = "uot/one_read_mixed",
    .summary = "one_read_sor on K as bfloat16, the last iterations on K itself",
    .axes = one_read_axes(),
    .matrices = 1.5,
}};

}  // namespace
}  // namespace uotbench::uot
