// one_read_sor that stays right where exp(-C/reg) underflows or u overflows (Schmitzer 2019, section 3.2;
// Chizat, Peyre, Schmitzer, Vialard 2018, section 3.4). In place of K it reads K~ = diag(e^f) K diag(e^g),
// made anew of the costs where its own u~ = u e^-f or v~ leave the range in which it is exact. With f come
// the masses a e^(-f/rho): so scaled, the problem is another of the same kind, and its iteration the same. An
// iteration in the log domain comes before K~ is made, so that no row or column of it that matters is empty.
#include <filesystem>

#include "harness/protocol/memory_folder.hpp"
#include "kernels/uot/timed/dimensions.hpp"
#include "kernels/uot/timed/log_domain.hpp"
#include "kernels/uot/timed/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadStabilised {
 public:
  static constexpr KernelTraits declares{.restarts = true};
  static constexpr Takes takes{.canonical = false};

  explicit OneReadStabilised(const Problem<Real>& problem)
      : p_(problem),
        C_(problem.C.size()),
        K_(private_copy(problem)),
        a_(problem.M),
        b_(problem.N),
        logs_(problem, C_.data()),
        iteration_(problem) {
    if (problem.C.empty()) throw Error("uot/one_read_stabilised makes K of costs; expected C, or X and Y");
    copy_rows(problem, problem.C, C_);
  }

  /// From K itself: where that is good enough nothing else is ever made.
  void restart() {
    if (rebuilds_ > 0) copy_rows(p_, p_.K, K_);
    rebuilds_ = 0;
    std::ranges::fill(logs_.f, 0.);
    std::ranges::fill(logs_.g, 0.);
    std::ranges::copy(p_.a, a_.begin());
    std::ranges::copy(p_.b, b_.begin());
    iteration_.restart();
  }

  void iterate() {
    iteration_.iterate(K_.data(), a_.data(), b_.data(), Steps::relaxed);
    rebuilt_ = !iteration_.scalings.within(reach);
    if (rebuilt_) rebuild();
  }

  Change<double> change() const {
    if (rebuilds_ == 0) return iteration_.change();
    if (!rebuilt_) return iteration_.change(logs_.f, logs_.g);
    Change<double> unknown;
    unknown.u.step = std::numeric_limits<double>::infinity();
    return unknown;
  }

  /// From the costs: a cell may be far below what K~ holds.
  void finish(Result<Real>& out) {
    constexpr double least = std::numeric_limits<Real>::min();
    if (rebuilds_ > 0 && logs_.log_mass() < std::log(least))
      throw Error("the whole plan has a mass of e^" + std::to_string(logs_.log_mass()) + ", less than " +
                  (wide ? "f64" : "f32") + " holds; try a larger reg or reg_m");
    absorb();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < (out.plan.empty() ? 0 : p_.M); ++i)
      for (std::size_t j = 0; j < p_.N; ++j)
        out.plan[i * p_.N + j] = static_cast<Real>(std::exp(logs_.log_cell(i, j)));
  }

 private:
  static constexpr bool wide = sizeof(Real) == 8;
  /// u~ and v~ stay within 1/reach and reach. Cells of K~, whose mean is 1, are 0 below `least_cell`: what
  /// they could grow to is nothing beside 1, and no product is subnormal. A line of so little mass that its
  /// cells would be 0 has none.
  static constexpr Real reach = wide ? Real(1e50) : Real(1e5);
  static constexpr double least_cell = wide ? 1e-150 : 1e-25, least_mass = wide ? 1e-140 : 1e-15;

  /// f and g of u and v as they are. A line that has been left out stays where it was.
  void absorb() {
    const auto add = [](std::vector<double>& logs, const std::vector<Real>& scalings, double sigma) {
      for (std::size_t k = 0; k < logs.size(); ++k)
        if (scalings[k] > 0) logs[k] += std::log(static_cast<double>(scalings[k])) + sigma;
    };
    add(logs_.f, iteration_.scalings.u, iteration_.sigma);
    add(logs_.g, iteration_.scalings.v, -iteration_.sigma);
    iteration_.restart();
  }

  void rebuild() {
    iteration_.undo();
    absorb();
    logs_.iterate();
    ++rebuilds_;
    const double log_cells = std::log(static_cast<double>(p_.M)) + std::log(static_cast<double>(p_.N));
    const auto scaled = [by = log_cells - logs_.log_mass()](double exponent, double at_least) {
      const double value = std::exp(exponent + by);
      return value < at_least ? Real(0) : static_cast<Real>(value);
    };
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) K_[i * p_.N + j] = scaled(logs_.log_cell(i, j), least_cell);
    for (std::size_t i = 0; i < p_.M; ++i) a_[i] = scaled(logs_.row_target(i), least_mass);
    for (std::size_t j = 0; j < p_.N; ++j) b_[j] = scaled(logs_.column_target(j), least_mass);
  }

  const Problem<Real>& p_;
  Buffer<Real> C_, K_;
  std::vector<Real> a_, b_;
  LogDomain<Real> logs_;
  ShiftedIteration<Real> iteration_;
  bool rebuilt_ = false;
  int rebuilds_ = 0;
};

/// R of K~, which is seldom made anew: those reads and exponentials are not counted.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

std::string refuse(const Point& at) {
  if (at.has("costs")) return "uot/one_read_stabilised reads C, which costs=absent does not make";
  const std::string data = at.text("data");
  const auto holds = [&](const char* file) {
    return std::filesystem::exists(std::filesystem::path(at.text("path")) / file);
  };
  const bool costs = data == "npy" ? dimensions_of(at) > 0 || is_in_memory(at.text("path")) ||
                                         holds("C.npy") || holds("C.csv")
                                   : data != "uniform";
  if (at.text("stop") == "change" && !costs)
    return "uot/one_read_stabilised makes K of costs, and data=" + data + " gives K itself";
  return "";
}

const Variant<OneReadStabilised<float>, OneReadStabilised<double>> variant{{
    .name = "uot/one_read_stabilised",
    .summary = "one_read_sor with absorbed potentials: right where its type holds neither K nor u",
    .axes = one_read_axes(),
    .work = work,
    .refuse = refuse,
    .matrices = 2,
}};

}  // namespace
}  // namespace uotbench::uot
