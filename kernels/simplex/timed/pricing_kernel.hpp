// A pricing step as a kernel: its counts, its answer.
#pragma once

#include <memory>
#include <vector>

#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/pricing.hpp"

namespace uotbench::simplex {

class PricingKernel {
 public:
  static constexpr KernelTraits declares{.unit = Unit::part, .work = true, .facts = true};

  void part() {
    Priced priced{delta_, best_};
    pricing_->price(u_, v_, 0, priced);
    ++steps_;
    evaluated_ += priced.evaluated;
    skipped_ += priced.skipped;
  }
  void iterate() { part(); }
  void finish(Result<double>& out) { out.write_prices(delta_, best_); }

  /// Points and potentials are read once and the answer is written; products are 2 k flops a pair.
  Work work() const {
    const double points = static_cast<double>(clouds_.M + clouds_.N), k = static_cast<double>(clouds_.k);
    const double bytes = 8 * (k + 1) * points;
    return Work{.flops = 2 * k * evaluated_,
                .bytes_read = bytes * steps_,
                .bytes_written = 12 * static_cast<double>(clouds_.M) * steps_,
                .working_set = bytes};
  }
  Facts facts() const {
    if (steps_ == 0) return {{"pricing_bytes", pricing_->bytes()}};  // absent is not zero
    const double steps = steps_;
    return {{"pairs_evaluated", evaluated_ / steps},
            {"pairs_skipped", skipped_ / steps},
            {"pricing_bytes", pricing_->bytes()}};
  }

 protected:
  PricingKernel(const Problem<double>& p, std::unique_ptr<Pricing> pricing)
      : clouds_{p.M, p.N, p.k, p.X, p.Y},
        u_(p.u),
        v_(p.v),
        delta_(p.M),
        best_(p.M),
        pricing_(std::move(pricing)) {}

  static Clouds clouds_of(const Problem<double>& p) { return {p.M, p.N, p.k, p.X, p.Y}; }

 private:
  Clouds clouds_;
  std::span<const double> u_, v_;
  std::vector<double> delta_;
  std::vector<std::int32_t> best_;
  std::unique_ptr<Pricing> pricing_;
  double steps_ = 0, evaluated_ = 0, skipped_ = 0;
};

}  // namespace uotbench::simplex
