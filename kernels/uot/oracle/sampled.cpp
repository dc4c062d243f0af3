#include "kernels/uot/oracle/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/random.hpp"
#include "kernels/uot/oracle/data.hpp"

namespace uotbench::uot {
namespace {

/// Rows, and columns, that are computed: the first and the last, where vectors, tiles and threads end, and
/// others wherever they are.
constexpr std::size_t samples = 64, from_start = 8, from_end = 24;

std::vector<std::size_t> sampled(std::size_t count, std::uint64_t stream) {
  std::set<std::size_t> chosen;
  for (std::size_t k = 0; k < std::min(from_start, count); ++k) chosen.insert(k);
  for (std::size_t k = 0; k < std::min(from_end, count); ++k) chosen.insert(count - 1 - k);
  const RandomStream random(static_cast<std::int64_t>(count), stream);
  for (std::size_t k = 0; chosen.size() < std::min(samples, count); ++k)
    chosen.insert(random.below(k, count));
  return {chosen.begin(), chosen.end()};
}

/// One side of the problem: points, masses, and the scaling that was written.
template <class Real>
struct Side {
  const char* name;
  const char* lines;
  std::span<const Real> points, mass, scaling;
};

/// K_ij of a point of either side.
template <class Real>
struct Entry {
  double reg;
  bool kl;
  std::size_t d;

  double operator()(const Side<Real>& at, std::size_t i, const Side<Real>& other, std::size_t j) const {
    double cost = 0;
    for (std::size_t c = 0; c < d; ++c) {
      const double apart =
          static_cast<double>(at.points[i * d + c]) - static_cast<double>(other.points[j * d + c]);
      cost += apart * apart;
    }
    const double measure = kl ? static_cast<double>(at.mass[i]) * static_cast<double>(other.mass[j]) : 1;
    return measure * std::exp(-cost / reg);
  }
};
template <class Real>
Entry<Real> entry_of(const Point& problem) {
  return {problem.number("reg"), problem.text("reg_type") == "kl", dimensions(problem)};
}

/// "u[7] is nan", where any number of all is none; or nothing.
template <class Real>
std::string unusable(const Side<Real>& side) {
  const auto odd = std::ranges::find_if(side.scaling, [](Real x) { return !std::isfinite(x) || x < 0; });
  if (odd == side.scaling.end()) return "";
  unsigned char poison[sizeof(Real)];
  std::memset(poison, 0xFF, sizeof(Real));
  const auto at = odd - side.scaling.begin();
  if (std::memcmp(&*odd, poison, sizeof(Real)) == 0)
    return fmt::format("untouched: {}[{}] was never written", side.name, at);
  return fmt::format("{}: {}[{}] is {}", std::isfinite(*odd) ? "wrong" : "not finite", side.name, at, *odd);
}

class Samples {
 public:
  explicit Samples(double tolerance) : tolerance_(tolerance) {}

  /// What `side` should be, given the weights of the other.
  template <class Real, class Weight>
  void compare(const Side<Real>& side, const Side<Real>& other, const Entry<Real>& entry, double fi,
               const Weight& weight) {
    const auto chosen = sampled(side.scaling.size(), side.name[0]);
    judgement_.check.found.set(side.lines, chosen.size());
    std::vector<double> want(chosen.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < other.scaling.size(); ++j)
        sum += entry(side, chosen[k], other, j) * weight(j);
      const auto mass = static_cast<double>(side.mass[chosen[k]]);
      want[k] = mass == 0 ? 0 : std::pow(mass / sum, fi);
    }
    double off = 0, size = 0, farthest = 0;
    std::size_t wrong = 0, worst = 0;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const double apart = std::abs(static_cast<double>(side.scaling[chosen[k]]) - want[k]);
      off += apart;
      size += want[k];
      // A sample stands for thousands and owes each of its own digits, up to what stands out.
      const double relative = apart == 0 ? 0 : apart / want[k];
      wrong += !(relative <= single * tolerance_);
      if (relative > farthest) {
        farthest = relative;
        worst = k;
      }
    }
    const double error = off == 0 ? 0 : off / size;
    if (!(error <= judgement_.check.error)) {
      judgement_.check.error = error;
      judgement_.check.worst = side.name;
    }
    if (!judgement_.reason.empty() || (error <= tolerance_ && wrong == 0)) return;
    judgement_.reason = fmt::format(
        "wrong: {}[{}] got {:.7g}, want {:.7g}; {} of {} sampled {} are far off, error {:.2g} is their "
        "relative L1",
        side.name, chosen[worst], side.scaling[chosen[worst]], want[worst], wrong, chosen.size(), side.lines,
        error);
  }

  Judgement judged() {
    judgement_.check.kind = "sampled";
    judgement_.check.oracle = "sums-f64";
    judgement_.check.tolerance = tolerance_;
    return judgement_;
  }
  void refuse(const std::string& reason, const char* side) {
    judgement_.check.error = std::numeric_limits<double>::infinity();
    judgement_.check.worst = side;
    judgement_.reason = reason;
  }

 private:
  /// Times the tolerance on the mean that one sample may be off.
  static constexpr double single = 10;

  double tolerance_;
  Judgement judgement_;
};

}  // namespace

bool is_judged_in_full(const Point& problem) {
  return problem.number("M") * problem.number("N") <= 1 << 24;  // 128 MiB, a quarter of a second
}

template <class Real>
std::vector<double> kernel_of_points(const Point& problem, Arrays& inputs) {
  const Side<Real> rows{"u", "rows", inputs["X"].as<Real>(), inputs["a"].as<Real>(), {}};
  const Side<Real> columns{"v", "columns", inputs["Y"].as<Real>(), inputs["b"].as<Real>(), {}};
  const auto entry = entry_of<Real>(problem);
  const std::size_t M = rows.mass.size(), N = columns.mass.size();
  std::vector<double> K(M * N);
#pragma omp parallel for schedule(static) if (M * N >= worth_a_team)
  for (std::size_t i = 0; i < M; ++i)
    for (std::size_t j = 0; j < N; ++j) K[i * N + j] = entry(rows, i, columns, j);
  return K;
}

template <class Real>
Judgement judge_samples(const Point& problem, Arrays& inputs, Arrays& outputs, double tolerance) {
  const Side<Real> rows{"u", "rows", inputs["X"].as<Real>(), inputs["a"].as<Real>(), outputs["u"].as<Real>()};
  const Side<Real> columns{"v", "columns", inputs["Y"].as<Real>(), inputs["b"].as<Real>(),
                           outputs["v"].as<Real>()};
  Samples samples(tolerance);
  for (const auto& side : {rows, columns})
    if (const auto reason = unusable(side); !reason.empty()) {
      samples.refuse(reason, side.name);
      return samples.judged();
    }
  const double fi = problem.number("fi");
  const auto entry = entry_of<Real>(problem);
  samples.compare(rows, columns, entry, fi, [](std::size_t) { return 1.; });
  samples.compare(columns, rows, entry, fi,
                  [&](std::size_t i) { return static_cast<double>(rows.scaling[i]); });
  return samples.judged();
}

template std::vector<double> kernel_of_points<float>(const Point&, Arrays&);
template std::vector<double> kernel_of_points<double>(const Point&, Arrays&);
template Judgement judge_samples<float>(const Point&, Arrays&, Arrays&, double);
template Judgement judge_samples<double>(const Point&, Arrays&, Arrays&, double);

}  // namespace uotbench::uot
