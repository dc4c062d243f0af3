// The pricing of the solvers on a CPU: by name, and perhaps several arcs a source.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/phases.hpp"
#include "kernels/simplex/timed/pricings.hpp"

namespace uotbench::simplex {

inline Axis arcs_axis() {
  return {.name = "arcs_per_row",
          .standard = 1,
          .least = 1,
          .most = 16,
          .about = "new arcs a source and round, at most"};
}

inline Axis pricing_axis() {
  return {.name = "pricing",
          .kind = Axis::Kind::text,
          .standard = "best",
          .values = {"best", "loops", "lanes", "sorted", "boxes", "gemm"},
          .about = "how all pairs are priced; best: boxes for k = 2 and 3, gemm for more"};
}

/// Why this pricing cannot be; empty: it can.
inline std::string cannot_price(const Point& at) {
  const std::string pricing = at.text("pricing");
  const bool few = at.text("cost") != "matrix" && at.integer("k") != 2 && at.integer("k") != 3;
  if (at.text("cost") == "matrix" && pricing != "best")
    return "a matrix is priced row by row: pricing must be best";
  return few && (pricing == "lanes" || pricing == "boxes") ? "pricing=" + pricing + " is for k = 2 and 3"
                                                           : "";
}

/// Targets in one part for each arc that a source may get; each part is priced by itself.
class ShardedPricing {
 public:
  ShardedPricing(const std::string& which, const Costs& costs, std::size_t parts) : M_(costs.clouds.M) {
    const std::size_t N = costs.clouds.N, k = costs.clouds.k;
    parts_.resize(std::min(costs.C.empty() ? parts : 1, N));
    if (parts_.size() == 1) {
      parts_[0].pricing = pricing_named(which, costs);
      return;
    }
    // Every so manieth of an order in which neighbours are near: all parts are spread over the same places.
    const auto order = leaf_order(costs.clouds.Y, k, 1);
    for (std::size_t p = 0; p < N; ++p) {
      Part& part = parts_[p % parts_.size()];
      part.number.push_back(order[p]);
      const auto point = costs.clouds.Y.subspan(static_cast<std::size_t>(order[p]) * k, k);
      part.Y.insert(part.Y.end(), point.begin(), point.end());
    }
    for (Part& part : parts_)
      part.pricing = pricing_named(which, {{M_, part.number.size(), k, costs.clouds.X, part.Y}, {}});
    delta_.resize(M_);
    target_.resize(M_);
  }

  template <class Add>
  void operator()(std::span<const double> u, std::span<const double> v, double threshold, Priced& out,
                  const Add& add) {
    const Region price("price");
    if (parts_.size() == 1) {
      parts_[0].pricing->price(u, v, threshold, out);
      for (std::size_t i = 0; i < M_; ++i)
        if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
      return;
    }
    std::ranges::fill(out.delta, 0.);
    Priced part_out{delta_, target_};
    for (Part& part : parts_) {
      part.v.clear();
      for (const std::int32_t j : part.number) part.v.push_back(v[static_cast<std::size_t>(j)]);
      part.pricing->price(u, part.v, threshold, part_out);
      for (std::size_t i = 0; i < M_; ++i)
        if (target_[i] >= 0) {
          add(i, static_cast<std::size_t>(part.number[static_cast<std::size_t>(target_[i])]));
          out.delta[i] = std::min(out.delta[i], delta_[i]);
        }
    }
    out.evaluated += part_out.evaluated;
    out.skipped += part_out.skipped;
  }

  double bytes() const {
    double sum = 8 * static_cast<double>(delta_.size()) + 4 * static_cast<double>(target_.size());
    for (const Part& part : parts_)
      sum += part.pricing->bytes() + 8 * static_cast<double>(part.Y.size() + part.v.size()) +
             4 * static_cast<double>(part.number.size());
    return sum;
  }

 private:
  struct Part {
    std::vector<std::int32_t> number;
    std::vector<double> Y, v;
    std::unique_ptr<Pricing> pricing;
  };
  std::size_t M_;
  std::vector<Part> parts_;
  std::vector<double> delta_;
  std::vector<std::int32_t> target_;
};

}  // namespace uotbench::simplex
