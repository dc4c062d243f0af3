// C is never stored: a tile of dot products takes its place. With potentials shifted by the points' norms a
// term is log u_i - k |x_i|^2 + 2 k <x_i, y_j>, k = cost_scale / reg, so that all a tile has besides products
// is one number a term, and what an output has of its own is added once ("FlashSinkhorn", arXiv 2602.03067).
#include "kernels/sinkhorn_log/timed/device_tiles.cuh"

namespace uotbench::sinkhorn_log {
namespace {

/// n points, a dimension after another, and k log2 e times their squared norms.
template <class Real>
struct Points {
  const Real *coordinates, *norms;
  int n;
};

/// A tile has d x terms coordinates of the terms and d x columns of the outputs, these times 2 k log2 e.
template <class Real>
struct PointCosts {
  Points<Real> of_terms, of_outputs;
  Real twice;
  int d;

  std::size_t elements(int columns) const { return std::size_t(d) * (tiles::terms + columns); }

  __device__ void begin(const HalfStep<Real>&, Real* tile, int first) const {
    const int columns = int(blockDim.x);
    tiles::each(d * columns, [&](int t) {
      const int output = first + t % columns;
      if (output < of_outputs.n)
        tile[d * tiles::terms + t] =
            of_outputs.coordinates[std::size_t(t / columns) * of_outputs.n + output] * twice;
    });
  }
  __device__ void load(const HalfStep<Real>&, Real* tile, int, int term) const {
    tiles::each(d * tiles::terms, [&](int t) {
      const int s = term + t % tiles::terms;
      tile[t] =
          s < of_terms.n ? of_terms.coordinates[std::size_t(t / tiles::terms) * of_terms.n + s] : Real(0);
    });
  }
  __device__ void of(Real (&c)[tiles::at_once], const Real* tile, int s, int column) const {
    const Real* const outputs = tile + d * tiles::terms;
#pragma unroll
    for (int k = 0; k < tiles::at_once; ++k) c[k] = 0;
    for (int dimension = 0; dimension < d; ++dimension) {
      const Real y = outputs[dimension * int(blockDim.x) + column];
      const Real* const x = tile + dimension * tiles::terms + s;
#pragma unroll
      for (int k = 0; k < tiles::at_once; ++k) c[k] += x[k] * y;
    }
  }
  __device__ Real of_term(int s) const { return -of_terms.norms[s]; }
  __device__ Real of_output(int o) const { return -of_outputs.norms[o]; }
};

/// About the mean of all, as norms of points far from 0 would cancel; both sides have the same rounded ones.
template <class Real>
class DevicePoints {
 public:
  DevicePoints(std::span<const Real> points, const std::vector<double>& mean, double k)
      : coordinates_(points.size()), norms_(points.size() / mean.size()) {
    const std::size_t n = norms_.size(), d = mean.size();
    std::vector<Real> by_dimension(n * d), norms(n);
    for (std::size_t i = 0; i < n; ++i) {
      double norm = 0;
      for (std::size_t c = 0; c < d; ++c) {
        const auto x = Real(double(points[i * d + c]) - mean[c]);
        by_dimension[c * n + i] = x;
        norm += double(x) * double(x);
      }
      norms[i] = Real(k * tiles::log2_e * norm);
    }
    coordinates_.upload(by_dimension);
    norms_.upload(norms);
  }
  Points<Real> points() const { return {coordinates_.data(), norms_.data(), int(norms_.size())}; }

 private:
  DeviceArray<Real> coordinates_, norms_;
};

template <class Real>
std::vector<double> mean_of(std::span<const Real> x, std::span<const Real> y, std::size_t d) {
  std::vector<double> mean(d);
  for (const auto& side : {x, y})
    for (std::size_t i = 0; i < side.size(); ++i)
      mean[i % d] += double(side[i]) / double(side.size() / d) / 2;
  return mean;
}

template <class Real>
class CudaPoints : public TiledBatch<Real> {
 public:
  explicit CudaPoints(const Problem<Real>& p)
      : TiledBatch<Real>(p, false),
        k_(double(p.cost_scale) / double(p.reg)),
        x_(p.X, mean_of(p.X, p.Y, p.d), k_),
        y_(p.Y, mean_of(p.X, p.Y, p.d), k_) {}

  void iterate() {
    const auto twice = Real(2 * k_ * tiles::log2_e);
    const int d = int(this->p_.d);
    this->half_steps([&](const HalfStep<Real>& half) {
      this->step(half, half.of_columns ? PointCosts<Real>{x_.points(), y_.points(), twice, d}
                                       : PointCosts<Real>{y_.points(), x_.points(), twice, d});
    });
  }

 private:
  double k_;
  DevicePoints<Real> x_, y_;
};

double dimensions(const Point& at) {
  return at.text("cost") == "grid1d" ? 1 : at.text("cost") == "grid2d" ? 2 : at.number("d");
}

std::string refuse(const Point& at) {
  if (at.text("cost") == "own" || at.text("cost") == "npy" || at.text("cost") == "matrix")
    return "sinkhorn_log/cuda_points computes costs from points: cost must be points, grid1d or grid2d";
  return CudaPoints<float>::refuse(at, dimensions(at) * (tiles::terms + at.number("columns")));
}

/// A product serves the items that a thread holds. No C is read; the points are.
Work work(const Point& at) {
  const double held = std::min(8., at.number("items"));
  Work all = exp_work(at, 1, 4 + 2 * dimensions(at) / held, 0);
  all.bytes_read += width(at) * dimensions(at) * (at.number("M") + at.number("N"));
  return all;
}

double elements(const Point& at) {
  return device_elements(at) + (dimensions(at) + 1) * (at.number("M") + at.number("N"));
}

const Variant<CudaPoints<float>, CudaPoints<double>> variant{
    {
        .name = "sinkhorn_log/cuda_points",
        .summary = "C never stored: tiles of dot products, potentials shifted by norms",
        .axes = CudaPoints<float>::axes(),
        .work = work,
        .refuse = refuse,
        .device = true,
        .matrices = 0,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
