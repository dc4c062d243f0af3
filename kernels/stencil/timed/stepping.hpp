// A kernel on the CPU: the fields, and a schedule that takes the stages of a step.
#pragma once

#include <omp.h>

#include <cstdint>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/stencil/problem.hpp"
#include "kernels/stencil/timed/cells.hpp"

namespace uotbench::stencil {

/// A model's fields in private memory. Every field begins a few lines further into its pages than the one
/// before, or cells of the same place would compete for one set of a cache.
template <class Real>
class OwnFields {
 public:
  explicit OwnFields(const Problem<Real>& p) : p_(p) {
    const int arrays = std::visit([](const auto& model) { return model.arrays; }, p.model);
    const std::size_t cells = p.nx * p.ny, lead = 5 * cache_line / sizeof(Real);
    fields_.nx = p.nx;
    fields_.ny = p.ny;
    for (int f = 0; f < arrays; ++f) {
      const auto place = static_cast<std::size_t>(f);
      buffers_.emplace_back(cells + lead * 6);
      fields_.at[place] = buffers_.back().data() + lead * place;
    }
    restart();
  }

  /// Back to the inputs; pages land with the threads that sweep them.
  void restart() {
    odd = false;
    const std::size_t nx = p_.nx, ny = p_.ny;
    const std::size_t rows = nx == 1 ? (ny + Lines::piece - 1) / Lines::piece : nx;
    const std::size_t length = nx == 1 ? Lines::piece : ny;
    for (std::size_t f = 0; f < buffers_.size(); ++f) {
      Real* const to = fields_.at[f];
      const auto from = p_.start[f];
#pragma omp parallel for schedule(static)
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t first = row * length, last = std::min(nx * ny, first + length);
        for (std::size_t k = first; k < last; ++k) to[k] = from.empty() ? Real(0) : from[k];
      }
    }
  }

  void finish(Result<Real>& out) const {
    std::visit(
        [&](const auto& model) {
          for (std::size_t output = 0; output < out.arrays.size(); ++output) {
            const int field = model.result(static_cast<int>(output), odd);
            std::copy_n(fields_.at[static_cast<std::size_t>(field)], p_.nx * p_.ny,
                        out.arrays[output].begin());
          }
        },
        p_.model);
  }

  const Fields<Real>& fields() const { return fields_; }

  bool odd = false;  ///< which half the next step reads

 private:
  const Problem<Real>& p_;
  std::vector<Buffer<Real>> buffers_;
  Fields<Real> fields_;
};

/// A kernel that sweeps over the cells once a stage. `Schedule` is made from a Problem and called with each
/// stage.
template <class Real, class Schedule>
class Stepping {
 public:
  static constexpr KernelTraits declares{.restarts = true, .lifetime = true};

  explicit Stepping(const Problem<Real>& p) : p_(p), own_(p), schedule_(p) {}

  void restart() { own_.restart(); }
  std::int64_t lifetime() const { return steps_of_a_mode(p_.at); }

  void iterate() {
    std::visit([&](const auto& model) { model.stages(own_.fields(), own_.odd, schedule_); }, p_.model);
    own_.odd = !own_.odd;
  }

  void finish(Result<Real>& out) { own_.finish(out); }

 private:
  const Problem<Real>& p_;
  OwnFields<Real> own_;
  Schedule schedule_;
};

}  // namespace uotbench::stencil
