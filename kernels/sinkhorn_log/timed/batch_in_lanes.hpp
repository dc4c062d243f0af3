// log u or log v of a batch in lanes, in base 2: what kernels keep that work on items side by side.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "kernels/sinkhorn_log/problem.hpp"
#include "kernels/sinkhorn_log/timed/lane_product.hpp"

namespace uotbench::sinkhorn_log {

/// An item a lane; lanes beyond the last item hold that one again.
struct ItemALane {
  static constexpr std::size_t lanes_of_item = 1;
  std::size_t items, size;

  /// Of an array of items x size: where the number of this row and lane is.
  std::size_t operator()(std::size_t row, std::size_t lane) const {
    return std::min(lane, items - 1) * size + row;
  }
};
/// Of a Place: a row and lane that hold nothing; -inf is there.
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

template <class Real, class Place = ItemALane>
class BatchInLanes {
  using Pack = typename Lanes<Real>::Pack;
  static constexpr std::size_t W = Pack::size();

 public:
  /// `place` says which number of log_mass (and of start, which may be empty) a row and lane are.
  /// `remembers`: before is wanted.
  BatchInLanes(std::size_t rows, std::size_t items, Place place, std::span<const Real> log_mass,
               std::span<const Real> start, bool remembers)
      : logs(rows, items * place.lanes_of_item),
        before(remembers ? rows : 0, items * place.lanes_of_item),
        items_(items),
        place_(place),
        log_mass_(rows, items * place.lanes_of_item),
        start_(start) {
    put(log_mass, log_mass_);
    restart();
  }

  Lanes<Real> logs;
  Lanes<Real> before;  ///< as they were at remember(); empty where not asked for

  void restart() {
    if (!start_.empty()) put(start_, logs);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < logs.vectors(); ++v)
      for (std::size_t k = 0; k < logs.rows(); ++k) {
        const Pack mass = log_mass_.pack(k, v);
        Pack log = start_.empty() ? Pack(0) : logs.pack(k, v);
        where(mass == minus_infinity<Real>, log) = minus_infinity<Real>;
        logs.put(k, v, log);
      }
  }
  void remember() {
    if (before.rows() == 0) return;
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < logs.vectors(); ++v)
      for (std::size_t k = 0; k < logs.rows(); ++k) before.put(k, v, logs.pack(k, v));
  }

  /// next_potential() of a vector of items.
  void step(std::size_t k, std::size_t vector, Pack lse, bool symmetric) {
    const Pack mass = log_mass_.pack(k, vector);
    Pack next = mass - lse;
    if (symmetric) next = (before.pack(k, vector) + next) / 2;
    where(mass == minus_infinity<Real>, next) = minus_infinity<Real>;
    logs.put(k, vector, next);
  }

  /// As the array of the masses, in base e.
  std::vector<Real> natural(std::size_t size) const {
    std::vector<Real> all(size);
    for (std::size_t k = 0; k < logs.rows(); ++k)
      for (std::size_t lane = 0; lane < logs.count(); ++lane)
        if (const std::size_t at = place_(k, lane); at != nowhere)
          all[at] = static_cast<Real>(static_cast<double>(logs.lane(k, lane)) / std::numbers::log2e);
    return all;
  }

  /// Since remember(), as Potentials::change() says.
  Change change(std::span<const Real> mass, double reg, bool marginal, bool symmetric) const {
    Change all;
#pragma omp parallel
    {
      Change mine;
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < items_; ++b) {
        Change item;
        for (std::size_t lane = b * place_.lanes_of_item; lane < (b + 1) * place_.lanes_of_item; ++lane)
          for (std::size_t k = 0; k < logs.rows(); ++k) {
            const std::size_t at = place_(k, lane);
            const double weight = at == nowhere ? 0 : static_cast<double>(mass[at]);
            if (weight == 0) continue;
            const double moved =
                (static_cast<double>(logs.lane(k, lane)) - static_cast<double>(before.lane(k, lane))) /
                std::numbers::log2e;
            item.finite = item.finite && std::isfinite(moved);
            item.potential = std::max(item.potential, reg * std::abs(moved));
            if (marginal) item.marginal += weight * std::abs(std::expm1(symmetric ? -2 * moved : -moved));
          }
        mine.merge(item);
      }
#pragma omp critical
      all.merge(mine);
    }
    return all;
  }

 private:
  void put(std::span<const Real> from, Lanes<Real>& to) {
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < to.rows(); ++k)
      for (std::size_t lane = 0; lane < to.vectors() * W; ++lane) {
        const std::size_t at = place_(k, lane);
        to.lane(k, lane) = at == nowhere
                               ? minus_infinity<Real>
                               : static_cast<Real>(std::numbers::log2e * static_cast<double>(from[at]));
      }
  }

  std::size_t items_;
  Place place_;
  Lanes<Real> log_mass_;
  std::span<const Real> start_;
};

}  // namespace uotbench::sinkhorn_log
