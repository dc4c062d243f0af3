// A kernel on a GPU: the fields in its memory, and a launcher that takes the stages of a step.
#pragma once

#include <type_traits>
#include <vector>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "kernels/stencil/problem.hpp"

namespace uotbench::stencil {

/// A cell in the GPU's memory.
template <class Real>
struct DeviceCell {
  const View<Real>& view;
  std::ptrdiff_t k;

  UOTBENCH_CELLWISE Real operator()(int f, int di = 0, int dj = 0) const {
    return view.in[f][k + di * view.row + dj];
  }
  UOTBENCH_CELLWISE void put(int f, Real value) const { view.out[f][k] = value; }
};

/// A thread a wall's cell: the pressure of the inner cell next to it.
template <class Real>
__global__ void close_walls(Real* p, std::size_t nx, std::size_t ny) {
  const std::size_t t = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= 2 * (nx + ny)) return;
  const std::size_t side = t % 2, place = t / 2;
  const std::size_t i = place < nx ? place : side * (nx - 1), j = place < nx ? side * (ny - 1) : place - nx;
  if (place >= nx && (j == 0 || j == ny - 1)) return;  // a corner, which the first ones write
  const std::size_t inner_i = i == 0 ? 1 : i == nx - 1 ? nx - 2 : i;
  const std::size_t inner_j = j == 0 ? 1 : j == ny - 1 ? ny - 2 : j;
  p[i * ny + j] = p[inner_i * ny + inner_j];
}

inline unsigned blocks_of(std::size_t count, std::size_t size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// The shape of a block: Bx rows of By cells that are side by side, as the publication has it.
struct BlockShape {
  explicit BlockShape(const Point& at)
      : rows(static_cast<unsigned>(at.integer("Bx"))), columns(static_cast<unsigned>(at.integer("By"))) {}

  /// Blocks over all lines; a block goes on to further lines where a grid cannot have that number.
  dim3 grid(const Lines& lines) const {
    constexpr unsigned most = 65535;
    return dim3(blocks_of(lines.length, columns), std::min(most, blocks_of(lines.count, rows)));
  }
  dim3 block() const { return dim3(columns, rows); }

  unsigned rows, columns;
};

inline std::vector<Axis> block_axes() {
  return {{.name = "Bx", .standard = 1, .least = 1, .most = 1024, .about = "rows of a thread block"},
          {.name = "By", .standard = 256, .least = 1, .most = 1024, .about = "cells of a row of a block"}};
}

inline std::string block_refusal(const Point& at) {
  const std::int64_t threads = at.integer("Bx") * at.integer("By");
  if (threads <= 1024) return "";
  return "a thread block has 1024 threads at most: Bx By must be 1024 or less, not " +
         std::to_string(threads);
}

/// Launcher is made from a Point and called with each stage.
template <class Real, class Launcher>
class DeviceStepping {
 public:
  static constexpr KernelTraits declares{.restarts = true, .lifetime = true};

  explicit DeviceStepping(const Problem<Real>& p) : p_(p), launcher_(p.at) {
    const int arrays = std::visit([](const auto& model) { return model.arrays; }, p.model);
    fields_.nx = p.nx;
    fields_.ny = p.ny;
    for (int f = 0; f < arrays; ++f) {
      const auto place = static_cast<std::size_t>(f);
      arrays_.emplace_back(p.nx * p.ny);
      fields_.at[place] = arrays_.back().data();
    }
    restart();
  }

  void restart() {
    odd_ = false;
    for (std::size_t f = 0; f < arrays_.size(); ++f)
      p_.start[f].empty() ? arrays_[f].zero() : arrays_[f].upload(p_.start[f]);
  }
  std::int64_t lifetime() const { return steps_of_a_mode(p_.at); }

  void iterate() {
    const auto run = [&](const auto& stage) {
      if (stage.lines.count > 0) launcher_(stage);
      const Walls<Real>& walls = stage.walls;
      constexpr unsigned threads = 256;
      if (walls.p)
        launch(close_walls<Real>, dim3(blocks_of(2 * (walls.nx + walls.ny), threads)), dim3(threads), 0,
               nullptr, walls.p, walls.nx, walls.ny);
    };
    std::visit([&](const auto& model) { model.stages(fields_, odd_, run); }, p_.model);
    odd_ = !odd_;
  }

  void finish(Result<Real>& out) {
    std::visit(
        [&](const auto& model) {
          for (std::size_t output = 0; output < out.arrays.size(); ++output)
            arrays_[static_cast<std::size_t>(model.result(static_cast<int>(output), odd_))].download(
                out.arrays[output]);
        },
        p_.model);
  }

 private:
  const Problem<Real>& p_;
  Launcher launcher_;
  std::vector<DeviceArray<Real>> arrays_;
  Fields<Real> fields_;
  bool odd_ = false;
};

/// A GPU's stores fetch no lines first.
inline Work device_work(const Point& at) { return sweep_work(at, Stores::whole_lines); }

}  // namespace uotbench::stencil
