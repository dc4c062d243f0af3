// C is never stored: squared distances are computed again from the points where they are needed, in memory
// for B(M + N) numbers. Points are scaled once by sqrt(cost_scale log2(e) / reg).
//
// In up to 3 dimensions a distance is (x - y)^2, which keeps the digits of small ones. From 4 on, and where
// one item's points lie within `near` of their centre, it is 2<x, y> with |x|^2 taken off log u beforehand,
// so that a pair costs a multiply-add a dimension; |y|^2 is taken off afterwards or, of many dimensions, at
// once. Batches share each distance.
//
// There is no pass for the maximum (timed/shifted_steps.hpp).
#include "kernels/sinkhorn_log/timed/point_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
using Points = ShiftedSteps<Real, PointCosts<Real>>;

double dimensions(const Point& at) {
  return at.text("cost") == "points" ? at.number("d") : at.text("cost") == "grid2d" ? 2 : 1;
}

/// A pair's exponential, its sum and, of B items once, its distance: at most, for points near each other take
/// less.
Work work(const Point& at) {
  const double d = dimensions(at), lines = at.number("M") + at.number("N");
  const double distance = d <= few_dimensions ? 3 * d : 2 * d + 2;
  Work work = exp_work(at, 1, 2 + distance / at.number("B"), 0);
  work.bytes_read += d * lines * width(at);
  work.working_set = (d + 4 * at.number("B")) * lines * width(at);
  return work;
}

double elements(const Point& at) {
  const auto lines = [&](const char* axis) { return static_cast<double>(padded_lines(at.size(axis))); };
  return shifted_steps_elements(at) + (dimensions(at) + 1) * (lines("M") + lines("N"));
}

std::string refuse(const Point& at) {
  const std::string cost = at.text("cost");
  if (cost == "points" || cost == "grid1d" || cost == "grid2d") return "";
  return "sinkhorn_log/points makes C from points: cost must be points, grid1d or grid2d, not " + cost;
}

const Variant<Points<float>, Points<double>> variant{
    {
        .name = "sinkhorn_log/points",
        .summary = "squared distances computed from points, no pass for the maximum, C never stored",
        .work = work,
        .refuse = refuse,
        .matrices = 0,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
