// Online: one pass over the terms with a running maximum and sum, which an extra exponential rescales at each
// new maximum (T. Viehmann's kernel, arXiv 1907.01729; M. Milakov, N. Gimelshein 2018, arXiv 1805.02867). It
// keeps nothing but the potentials.
#include "kernels/sinkhorn_log/parts/online_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// Of L columns' vectors or L rows (online_steps.hpp), each with a maximum of its own.
struct RunningMaximum {
  /// Terms are t = field(s) - cost(s, k), in base 2: log u_s - C_sk / reg for the sum of column k.
  template <class Sums, class Field, class Cost>
  [[gnu::always_inline]] static void to(Sums& sums, std::size_t steps, const Field& field, const Cost& cost) {
    for (std::size_t s = 0; s < steps; s += Sums::block) {
      const std::size_t end = std::min(steps, s + Sums::block);
      // sum_k += 2^(t - most_k), unless a term leads its most_k by so much that this would overflow.
      if (sums.add_block(s, end, field, cost)) [[likely]]
        continue;
      // sum_k *= 2^(most_k - new most_k).
      sums.follow(s, end, field, cost);
      sums.add_block(s, end, field, cost);
    }
  }
};

/// A term is a product and a sum; then the difference, the maximum and the sum. New maxima are not counted:
/// how many there are is the data's own.
Work work(const Point& at) { return exp_work(at, 1, 5, 2); }

const Variant<OnlineSteps<float, Maxima::each, RunningMaximum>,
              OnlineSteps<double, Maxima::each, RunningMaximum>>
    variant{
        {
            .name = "sinkhorn_log/online",
            .summary =
                "running maximum and sum in one pass: an extra exponential for a maximum that leads by far",
            .work = work,
        },
        online_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
