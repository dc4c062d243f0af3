// Barycenters on an n x n grid: grid_separable's two one-dimensional logsumexps for the half steps of all
// histograms of all items at once, and the weighted mean in the same lanes. C is not read.
#include "kernels/sinkhorn_log/timed/barycenter.hpp"
#include "kernels/sinkhorn_log/timed/grid_sums.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// LineALane of fields that share the masses of their remainder by S.
struct SharedLineALane {
  LineALane line;
  std::size_t histograms, lanes_of_item = line.lanes_of_item;

  std::size_t operator()(std::size_t row, std::size_t lane) const {
    return line(row, lane % (histograms * lanes_of_item));
  }
};

template <class Real>
class BarycenterSeparable {
  using Pack = typename Lanes<Real>::Pack;

 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};

  explicit BarycenterSeparable(const BarycenterProblem<Real>& problem)
      : p_(problem),
        n_(problem.side),
        sums_(p_.C1, n_, static_cast<double>(p_.reg), p_.fields()),
        u_(n_, p_.fields(), {{n_, sums_.lanes_of_item(), false}, p_.S}, p_.log_mu, {},
           p_.stopping.at_solution),
        v_(n_, p_.fields() * sums_.lanes_of_item()),
        mean_(n_, p_.B * sums_.lanes_of_item()),
        mass_(n_, p_.S * sums_.lanes_of_item()) {
    const LineALane place{n_, sums_.lanes_of_item(), false};
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t lane = 0; lane < mass_.count(); ++lane) {
        const std::size_t at = place(k, lane);
        mass_.lane(k, lane) = at == nowhere ? Real(0) : p_.mu[at];
      }
    restart();
  }

  void restart() {
    u_.restart();
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < v_.vectors(); ++f)
      for (std::size_t k = 0; k < n_; ++k) v_.put(k, f, nothing_in_padding(f, 0));
  }

  void iterate() {
    u_.remember();
    again_ += sums_.template logsumexp<sum_columns>(
        v_, [&](std::size_t k, std::size_t f, Pack lse) { u_.step(k, f, lse, false); });
    again_ += sums_.template logsumexp<sum_rows>(
        u_.logs, [&](std::size_t k, std::size_t f, Pack lse) { v_.put(k, f, lse); });
    mix();
    ++iterations_;
  }

  /// In vectors: in doubles, lane by lane, a solve took twice as long.
  Change change() const {
    const std::size_t vectors = sums_.lanes_of_item() / Pack::size();
    return largest_change(p_.fields(), [&](std::size_t f) {
      Pack marginal = 0, furthest = 0, mass = 0;
      bool finite = true;
      for (std::size_t q = 0; q < vectors; ++q)
        for (std::size_t k = 0; k < n_; ++k) {
          const Pack weight = mass_.pack(k, f % p_.S * vectors + q);
          Pack moved = u_.logs.pack(k, f * vectors + q) - u_.before.pack(k, f * vectors + q);
          where(weight == 0, moved) = 0;
          finite = finite && all_of(moved - moved == 0);
          const Pack apart = abs(moved), less = exp2_or_zero(-apart);
          Pack off = 1 - less;
          where(moved < 0, off) = off / less;  // 2^apart - 1
          marginal += weight * off;
          furthest = max(furthest, apart);
          mass += weight;
        }
      return Change{.marginal = static_cast<double>(reduce(marginal)) / static_cast<double>(reduce(mass)),
                    .potential = static_cast<double>(p_.reg) * natural(hmax(furthest)),
                    .finite = finite};
    });
  }

  void finish(BarycenterResult<Real>& out) {
    std::vector<Real> log_b(p_.B * p_.N);
    write_field(u_.logs, false, out.log_us);
    write_field(v_, true, out.log_vs);
    write_field(mean_, true, log_b);
    write_barycenters(out, p_, log_b.data());
  }

  /// Four times n^3 multiply-adds and n^2 exponentials a field, and what was made again.
  Work work() const {
    const double n = static_cast<double>(n_), pixels = static_cast<double>(p_.fields() * iterations_) * n * n;
    const double bytes = static_cast<double>(sizeof(Real));
    return {.flops = (8 * n + 4) * pixels,
            .bytes_read = 10 * bytes * pixels,
            .bytes_written = 8 * bytes * pixels,
            .working_set = bytes * (6 * static_cast<double>(p_.fields()) + 1) * n * n,
            .operations = {{"exp", 4 * pixels + static_cast<double>(again_.exponentials)}},
            .counted = true};
  }

  /// Of the one-dimensional sums.
  Facts facts() const {
    const double sums = 4 * static_cast<double>(p_.fields() * n_ * n_ * iterations_);
    return {{"sums_made_again", static_cast<double>(again_.sums) / sums}};
  }

 private:
  static double natural(Real log2) { return static_cast<double>(log2) / std::numbers::log2e; }

  /// Lanes beyond a field's n lines hold -inf.
  Pack nothing_in_padding(std::size_t vector, Pack value) const {
    const std::size_t first = vector * Pack::size() % sums_.lanes_of_item();
    for (std::size_t k = 0; k < Pack::size(); ++k)
      if (first + k >= n_) value[k] = minus_infinity<Real>;
    return value;
  }

  /// v_ holds log a.
  void mix() {
    const std::size_t vectors = sums_.lanes_of_item() / Pack::size();
#pragma omp parallel for collapse(2) schedule(static) if (p_.fields() * n_ * n_ >= worth_a_team)
    for (std::size_t b = 0; b < p_.B; ++b)
      for (std::size_t q = 0; q < vectors; ++q)
        for (std::size_t k = 0; k < n_; ++k) {
          const auto vector_of = [&](std::size_t s) { return (b * p_.S + s) * vectors + q; };
          Pack mean = 0;
          for (std::size_t s = 0; s < p_.S; ++s)
            mean += p_.weights[b * p_.S + s] * finite(v_.pack(k, vector_of(s)));
          mean_.put(k, b * vectors + q, mean);
          for (std::size_t s = 0; s < p_.S; ++s) {
            const Pack log_a = v_.pack(k, vector_of(s));
            Pack log_v = mean - log_a;
            where(log_a == minus_infinity<Real>, log_v) = minus_infinity<Real>;
            v_.put(k, vector_of(s), log_v);
          }
        }
  }
  static Pack finite(Pack x) {
    where(x == minus_infinity<Real>, x) = 0;
    return x;
  }

  /// Items of n x n each, in base e.
  void write_field(const Lanes<Real>& from, bool turned, std::span<Real> to) const {
    const LineALane place{n_, sums_.lanes_of_item(), turned};
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t lane = 0; lane < from.count(); ++lane)
        if (const std::size_t at = place(k, lane); at != nowhere)
          to[at] = static_cast<Real>(natural(from.lane(k, lane)));
  }

  const BarycenterProblem<Real>& p_;
  std::size_t n_;
  GridSums<Real> sums_;
  BatchInLanes<Real, SharedLineALane> u_;  ///< a row of pixels a row
  Lanes<Real> v_, mean_;                   ///< a column of pixels a row; mean: log of the barycenters
  Lanes<Real> mass_;                       ///< of the histograms, as u_
  Again again_;
  std::size_t iterations_ = 0;
};

double elements(const Point& at) {
  return (3 + at.number("histograms")) * at.number("M") +
         5 * at.number("B") * at.number("histograms") * at.number("M");
}

std::string refuse(const Point& at) {
  if (at.text("cost") == "grid2d") return "";
  return "sinkhorn_log/barycenter_separable sums over the two coordinates of a grid: cost must be grid2d, "
         "not " +
         at.text("cost");
}

const BarycenterVariant<BarycenterSeparable<float>, BarycenterSeparable<double>> variant{
    {
        .name = "sinkhorn_log/barycenter_separable",
        .summary = "barycenters of n x n pixels by one-dimensional logsumexps, as matrix products",
        .refuse = refuse,
        .matrices = 0,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
