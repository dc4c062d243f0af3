#include "kernels/ceiling/oracle/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/ceiling/shared/passes.hpp"
#include "kernels/ceiling/timed/faults.hpp"
#include "kernels/ceiling/timed/random_bits.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench::ceiling {
namespace {

constexpr std::string_view device_prefix = "ceiling/cuda_";
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a judge is told.
template <class Real>
struct Given {
  const Point& point;
  std::span<const Real> x, y;
  int iterations;
  bool on_device;  ///< whose iterations are one pass: nothing has to be woken

  std::int64_t passes(int arrays) const {
    return on_device ? iterations : iterations * ceiling::passes(point, arrays);
  }
};

/// Every y[i] against want(i). Tolerance and error are relative to it.
template <class Real, class Want>
Judgement compare(const Given<Real>& given, double tolerance, const Want& want) {
  const std::span<const Real> y = given.y;
  const auto is_right = [&](std::size_t i) {  // false for NaN
    const double right = want(i);
    return std::abs(static_cast<double>(y[i]) - right) <= tolerance * std::abs(right);
  };
  double worst = 0;
  std::size_t wrong = 0, first = y.size();
#pragma omp parallel for reduction(max : worst) reduction(+ : wrong) reduction(min : first) \
    if (y.size() >= worth_a_team)
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (is_right(i)) {
      const double right = want(i), off = std::abs(static_cast<double>(y[i]) - right);
      if (off > 0) worst = std::max(worst, off / std::abs(right));
    } else {
      ++wrong;
      first = std::min(first, i);
    }
  }
  Judgement judgement{.check = {.error = worst, .tolerance = tolerance, .oracle = "formula", .worst = "y"},
                      .reason = {}};
  if (wrong == 0) return judgement;
  judgement.check.error = infinity;
  WrongPlaces places(1, y.size());
  for (std::size_t i = first; i < y.size(); ++i)
    if (!is_right(i)) places.add(0, i);
  const std::string pattern =
      pattern_of(places, given.on_device ? 1 : static_cast<int>(given.point.integer("threads")));
  judgement.reason = fmt::format(
      "wrong: y has {} of {} elements wrong{}; first y[{}]: got {:.9g}, want {:.9g}", wrong, y.size(),
      pattern.empty() ? "" : ", " + pattern, first, static_cast<double>(y[first]), want(first));
  return judgement;
}

/// The words of x as whole numbers, added up once a pass: exact.
template <class Real>
Judgement judge_read(const Given<Real>& given) {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  const auto word = [](const Real& element) {
    Word bits;
    std::memcpy(&bits, &element, sizeof bits);
    return bits;
  };
  Word sum = 0;
#pragma omp parallel for reduction(+ : sum) if (given.x.size() >= worth_a_team)
  for (std::size_t i = 0; i < given.x.size(); ++i) sum += word(given.x[i]);
  const Word want = sum * static_cast<Word>(repeats(given.point)) * static_cast<Word>(given.passes(1)),
             got = word(given.y[0]);
  return {.check = {.error = got == want ? 0 : infinity, .tolerance = 0, .oracle = "formula", .worst = "y"},
          .reason = got == want ? "" : fmt::format("wrong: the words read add up to {}, want {}", got, want)};
}

template <class Real>
Judgement judge_write(const Given<Real>& given) {
  return compare(given, 0,
                 [&, passes = given.passes(1)](std::size_t) { return static_cast<double>(passes); });
}

/// x, but that the first element of each thread's part is the number of passes.
template <class Real>
Judgement judge_copy(const Given<Real>& given) {
  const auto threads = static_cast<int>(given.point.integer("threads"));
  std::vector<std::size_t> marks;
  for (int thread = 0; thread < threads; ++thread)
    if (const auto [first, last] = share(given.y.size(), thread, threads); first < last)
      marks.push_back(first);
  return compare(given, 0, [&, passes = given.passes(2)](std::size_t i) {
    return std::ranges::binary_search(marks, i) ? static_cast<double>(passes)
                                                : static_cast<double>(given.x[i]);
  });
}

/// x times 2 for each of 32 passes, times 1/2 for the next 32, and so on.
template <class Real>
Judgement judge_rmw(const Given<Real>& given) {
  const auto turn = static_cast<int>(given.passes(1) % 64);
  const double factor = std::ldexp(1., turn <= 32 ? turn : 64 - turn);
  return compare(given, 0, [&](std::size_t i) { return factor * static_cast<double>(given.x[i]); });
}

/// x + s (1 - x). Kernel and this formula round twice each, by half an epsilon at most.
template <class Real>
Judgement judge_triad(const Given<Real>& given) {
  const auto s = static_cast<double>(given.passes(3));
  return compare(given, 2 * static_cast<double>(std::numeric_limits<Real>::epsilon()), [&](std::size_t i) {
    return static_cast<double>(given.x[i]) + s * static_cast<double>(Real(1) - given.x[i]);
  });
}

template <class Real>
Judgement judge_fma(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    const std::size_t steps = given.on_device ? device_fma_steps : fma_steps;
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * steps);
  });
}

/// Halves, each within fast_exp_error (kernels/common/fast_exp.hpp) and added up with roundings that nearly
/// cancel.
template <class Real>
Judgement judge_exp(const Given<Real>& given) {
  const auto halves = static_cast<double>(static_cast<std::size_t>(given.iterations) * exp_steps);
  return compare(given, 64 * static_cast<double>(std::numeric_limits<Real>::epsilon()),
                 [&](std::size_t) { return halves / 2; });
}

/// Where in a chain of so many lines the chase stands: places are whole numbers, exact in f32.
template <class Real>
Judgement judge_chase(const Given<Real>& given) {
  const std::size_t steps = static_cast<std::size_t>(given.iterations) * chase_steps;
  return compare(given, 0,
                 [&](std::size_t) { return static_cast<double>(steps % chase_lines(given.point)); });
}

template <class Real>
Judgement judge_range(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * ranges_opened);
  });
}

/// Exact in f32 for more iterations than are judged.
template <class Real>
Judgement judge_cycle(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * cycle_steps);
  });
}

/// Exact in f32 for more iterations than are judged: a page that was not given back is not found cleared.
template <class Real>
Judgement judge_fault(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * pages_touched);
  });
}

template <class Real>
Judgement judge_misprediction(const Given<Real>& given) {
  std::size_t ones = 0;
  for (const unsigned char byte : random_bytes()) ones += static_cast<std::size_t>(std::popcount(byte));
  const std::size_t all = static_cast<std::size_t>(given.iterations) * ones;
  return compare(given, 0, [&](std::size_t) { return static_cast<double>(all % ones_modulo); });
}

template <class Real>
Judgement judge_region(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * regions_started);
  });
}

template <class Real>
Judgement judge_barrier(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t) {
    return static_cast<double>(static_cast<std::size_t>(given.iterations) * barriers_passed);
  });
}

/// x, but that the first element is the number of returns.
template <class Real>
Judgement judge_pingpong(const Given<Real>& given) {
  return compare(given, 0, [&](std::size_t i) {
    return i == 0 ? static_cast<double>(given.iterations) : static_cast<double>(given.x[i]);
  });
}

/// As many times x as there are processes, added up in any order; the first element is 1 more each time.
template <class Real>
Judgement judge_allreduce(const Given<Real>& given) {
  const double ranks = given.point.has("ranks") ? given.point.number("ranks") : 1;
  return compare(
      given, ranks * static_cast<double>(std::numeric_limits<Real>::epsilon()), [&](std::size_t i) {
        return ranks * (i == 0 ? static_cast<double>(given.iterations) : static_cast<double>(given.x[i]));
      });
}

template <class Real>
const std::map<std::string, Judgement (*)(const Given<Real>&)>& judges() {
  static const std::map<std::string, Judgement (*)(const Given<Real>&)> all{
      {"ceiling/allreduce", judge_allreduce<Real>},
      {"ceiling/barrier", judge_barrier<Real>},
      {"ceiling/pingpong", judge_pingpong<Real>},
      {"ceiling/chase", judge_chase<Real>},
      {"ceiling/copy", judge_copy<Real>},
      {"ceiling/copy_nt", judge_copy<Real>},
      {"ceiling/copy_nt_back", judge_copy<Real>},
      {"ceiling/cycle", judge_cycle<Real>},
      {"ceiling/exp", judge_exp<Real>},
      {"ceiling/fault", judge_fault<Real>},
      {"ceiling/fma", judge_fma<Real>},
      {"ceiling/misprediction", judge_misprediction<Real>},
      {"ceiling/range", judge_range<Real>},
      {"ceiling/read", judge_read<Real>},
      {"ceiling/region", judge_region<Real>},
      {"ceiling/rmw", judge_rmw<Real>},
      {"ceiling/strided_copy", judge_copy<Real>},
      {"ceiling/strided_read", judge_read<Real>},
      {"ceiling/strided_rmw", judge_rmw<Real>},
      {"ceiling/triad", judge_triad<Real>},
      {"ceiling/write", judge_write<Real>},
      {"ceiling/write_nt", judge_write<Real>}};
  return all;
}

template <class Real>
Judgement judged(const std::string& variant, const Given<Real>& given) {
  // A GPU's give what the CPU's give.
  const auto found =
      judges<Real>().find(given.on_device ? "ceiling/" + variant.substr(device_prefix.size()) : variant);
  if (found != judges<Real>().end()) return found->second(given);
  std::string known;
  for (const auto& [name, judge] : judges<Real>()) known += name + ", ";
  throw Error(fmt::format("{}: the oracle does not know what it has to give; it knows {}ceiling/spin",
                          variant, known));
}

}  // namespace

/// It may last longer: reading the clock takes time, and a busy machine takes the CPU away for a while; but a
/// hundred times as long and a second is no clock's doing.
Judgement judge_spin(double seconds, const Point& point) {
  constexpr double most_times = 100, grace = 1;
  const double asked = 1e-9 * point.number("ns");
  const double rounding = point.text("dtype") == "f64" ? 1e-15 : 1e-7;
  const double most = most_times * asked + grace;
  Judgement judgement{
      .check = {.error = seconds / asked - 1, .tolerance = most / asked - 1, .oracle = "ns", .worst = "y"},
      .reason = {}};
  if (seconds >= asked * (1 - rounding) && seconds < most) {
    judgement.check.error = std::max(0., judgement.check.error);
    return judgement;
  }
  judgement.check.error = infinity;
  judgement.reason = fmt::format("wrong: the last spin took {}, want {} to {}", format_seconds(seconds),
                                 format_seconds(asked), format_seconds(most));
  return judgement;
}

Judgement judge_arrays(const std::string& variant, const Point& point, const NpyArray& x, const NpyArray& y,
                       int iterations) {
  const bool on_device = variant.starts_with(device_prefix);
  if (point.text("dtype") == "f64")
    return judged<double>(variant, {point, x.as<double>(), y.as<double>(), iterations, on_device});
  return judged<float>(variant, {point, x.as<float>(), y.as<float>(), iterations, on_device});
}

}  // namespace uotbench::ceiling
