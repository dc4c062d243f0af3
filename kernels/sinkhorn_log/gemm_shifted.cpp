// exp(-C/reg) is made once, and a half step is a matrix product over the batch: of exp(log u_b - max) with
// it, then a logarithm of each sum. MN multiply-adds an item and M + N exponentials an iteration, where
// kernels in logarithms take 2 MN exponentials. Sums that underflow are made again from C, by max-then-sum,
// and counted.
//
// An item is a lane of a vector, and the matrix is kept in blocks of 12 x 12, once for each half step. Where
// most lanes would be empty, items are multiplied one by one, with a matrix kept once.
#include <variant>

#include "kernels/sinkhorn_log/timed/few_items.hpp"
#include "kernels/sinkhorn_log/timed/many_items.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
class GemmShifted {
 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};

  explicit GemmShifted(const Problem<Real>& problem) : p_(problem) {
    if (FewItems<Real>::fit(problem.B))
      form_.template emplace<FewItems<Real>>(problem);
    else
      form_.template emplace<ManyItems<Real>>(problem);
  }

  void restart() {
    with_form([](auto& form) { form.restart(); });
  }
  void iterate() {
    with_form([&](auto& form) { again_ += form.iterate(); });
    ++iterations_;
  }
  Change change() const {
    Change all;
    with_form([&](const auto& form) { all = form.change(); });
    return all;
  }
  void finish(Result<Real>& out) {
    with_form([&](auto& form) { form.finish(out); });
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
  template <class Act>
  void with_form(Act act) {
    std::visit(
        [&](auto& form) {
          if constexpr (!std::is_same_v<decltype(form), std::monostate&>) act(form);
        },
        form_);
  }
  template <class Act>
  void with_form(Act act) const {
    const_cast<GemmShifted*>(this)->with_form([&](const auto& form) { act(form); });
  }

  const Problem<Real>& p_;
  std::variant<std::monostate, FewItems<Real>, ManyItems<Real>> form_;
  Again again_;
  std::size_t iterations_ = 0;
};

double elements(const Point& at) {
  const double B = at.number("B"), M = at.number("M"), N = at.number("N");
  const bool few =
      at.text("dtype") == "f64" ? FewItems<double>::fit(at.size("B")) : FewItems<float>::fit(at.size("B"));
  return few ? ItemProduct<double>::elements(M, N, B, at.number("threads"))
             : LaneProduct<double>::elements(M, N) + 3 * B * (M + N);
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
