// log u or log v of a batch with an item a lane, in base 2: what kernels keep that work on items side by side.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "kernels/sinkhorn_log/parts/lane_product.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class BatchInLanes {
  using Pack = typename Lanes<Real>::Pack;
  static constexpr std::size_t W = Pack::size();

 public:
  /// log_mass, start: items x size; start may be empty. `remembers`: before() is wanted.
  BatchInLanes(std::size_t size, std::size_t items, std::span<const Real> log_mass, std::span<const Real> start,
               bool remembers)
      : logs(size, items),
        before(remembers ? size : 0, items),
        size_(size),
        items_(items),
        log_mass_(size, items),
        start_(start) {
    put(log_mass, log_mass_);
    restart();
  }

  Lanes<Real> logs;    ///< lanes beyond the last item hold that one again
  Lanes<Real> before;  ///< as they were at remember(); empty where nobody asks

  void restart() {
    if (!start_.empty()) put(start_, logs);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < logs.vectors(); ++v)
      for (std::size_t k = 0; k < size_; ++k) {
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
      for (std::size_t k = 0; k < size_; ++k) before.put(k, v, logs.pack(k, v));
  }

  /// next_potential() of a vector of items.
  void step(std::size_t k, std::size_t vector, Pack lse, bool symmetric) {
    const Pack mass = log_mass_.pack(k, vector);
    Pack next = mass - lse;
    if (symmetric) next = (before.pack(k, vector) + next) / 2;
    where(mass == minus_infinity<Real>, next) = minus_infinity<Real>;
    logs.put(k, vector, next);
  }

  /// items x size, in base e.
  std::vector<Real> natural() const {
    std::vector<Real> all(items_ * size_);
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < items_; ++b)
      for (std::size_t k = 0; k < size_; ++k)
        all[b * size_ + k] =
            static_cast<Real>(static_cast<double>(logs.lane(k, b)) / std::numbers::log2e);
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
        for (std::size_t k = 0; k < size_; ++k) {
          const double weight = static_cast<double>(mass[b * size_ + k]);
          if (weight == 0) continue;
          const double moved =
              (static_cast<double>(logs.lane(k, b)) - static_cast<double>(before.lane(k, b))) / std::numbers::log2e;
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
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t b = 0; b < to.vectors() * W; ++b)
        to.lane(k, b) = static_cast<Real>(std::numbers::log2e *
                                          static_cast<double>(from[std::min(b, items_ - 1) * size_ + k]));
  }

  std::size_t size_, items_;
  Lanes<Real> log_mass_;
  std::span<const Real> start_;
};

}  // namespace uotbench::sinkhorn_log
