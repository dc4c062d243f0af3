// Three passes: the tensor expression logsumexp(log_u[:, :, None] - C / reg, dim=1) as a library without
// fusion takes it. A B x M x N tensor is made, its maxima are taken, and its exponentials are added up.
#include "kernels/sinkhorn_log/timed/half_steps.hpp"
#include "kernels/sinkhorn_log/timed/transposed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
struct ThreePassHalf : PlainHalf<Real> {
  static constexpr std::size_t lines_at_once = 1, items_at_once = 1;

  std::size_t add_up(const Blocks& mine, const Fields<Real>& from, Sums<Real>& to) const {
    const std::size_t count = from.lines;
    const auto each = [&](auto pass) {
      for (std::size_t k = mine.first; k < mine.last; ++k)
        pass(tensor + k * count, mine[k].line, mine[k].group);
    };
    each([&](Real* terms, std::size_t line, std::size_t b) {
      const Real *const row = costs + (own ? b * to.lines + line : line) * count, *const fields = from.of(b);
      for (std::size_t i = 0; i < count; ++i) terms[i] = fields[i] - row[i] * scale;
    });
    // The tensor's rows are terms with no costs left.
    each([&](Real* terms, std::size_t line, std::size_t b) {
      to.most[b * to.padded + line] = largest_of(Terms<Real>{terms, zeros, count, 0});
    });
    each([&](Real* terms, std::size_t line, std::size_t b) {
      const std::size_t at = b * to.padded + line;
      to.sums[at] = sum_of(Terms<Real>{terms, zeros, count, 0}, to.most[at], Real(1));
    });
    return 0;
  }

  bool own;
  const Real *costs, *zeros;  ///< costs: a row for each sum
  Real *tensor, scale;
};

template <class Real>
struct ThreePassHalves {
  explicit ThreePassHalves(const Problem<Real>& p)
      : transposed(transposed_costs(p.C, p.M, p.N)), tensor(p.B * p.M * p.N), zeros(std::max(p.M, p.N)) {
    std::ranges::fill(zeros, Real(0));
    for_v = {{}, p.own_costs, transposed.data(), zeros.data(), tensor.data(), to_base2<Real> / p.reg};
    for_u = for_v;
    for_u.costs = p.C.data();
  }

  Buffer<Real> transposed, tensor, zeros;
  ThreePassHalf<Real> for_v, for_u;
};

template <class Real>
using ThreePass = HalfSteps<Real, ThreePassHalves<Real>>;

/// A term is a product and a sum; then the maximum, the difference and the sum. The tensor is written once
/// and read twice.
Work work(const Point& at) {
  Work work = exp_work(at, 1, 5, 2);
  const double tensor = width(at) * pairs(at);
  work.bytes_read += 2 * tensor;
  work.bytes_written += tensor;
  work.write_allocate = tensor;
  work.working_set = *work.working_set + tensor / 2;
  return work;
}

const Variant<ThreePass<float>, ThreePass<double>> variant{
    {
        .name = "sinkhorn_log/three_pass",
        .summary = "the tensor expression: B x M x N terms made, their maxima taken, their sums",
        .work = work,
    },
    [](const Point& at) {
      return half_steps_elements(at) + transposed_elements(at) + pairs(at) / 2 +
             std::max(at.number("M"), at.number("N"));
    }};

}  // namespace
}  // namespace uotbench::sinkhorn_log
