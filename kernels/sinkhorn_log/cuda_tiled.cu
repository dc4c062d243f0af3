// A tile of C in shared memory, used by the whole batch: what Viehmann's text (2019) names as left out. A
// cost is read once for as many items as a block has, and whole sectors of it in both half steps.
#include "kernels/sinkhorn_log/timed/device_tiles.cuh"

namespace uotbench::sinkhorn_log {
namespace {

/// A tile has terms x (columns + 1) of -C log2 e / reg: the column more puts a column's terms in all banks.
template <class Real>
struct StoredCosts {
  Real scale;

  static std::size_t elements(int columns) { return std::size_t(tiles::terms) * (columns + 1); }
  __device__ static int at(int s, int column) { return s * (int(blockDim.x) + 1) + column; }

  __device__ void begin(const HalfStep<Real>&, Real*, int) const {}
  /// Lanes go along the rows of C, whichever they are.
  __device__ void load(const HalfStep<Real>& half, Real* tile, int first, int term) const {
    const int columns = int(blockDim.x);
    tiles::each(tiles::terms * columns, [&](int t) {
      const int s = half.of_columns ? t / columns : t % tiles::terms;
      const int column = half.of_columns ? t % columns : t / tiles::terms;
      if (first + column < half.outputs)
        tile[at(s, column)] = term + s < half.sums
                                  ? half.costs_of(0, first + column)[(term + s) * half.of_sum] * scale
                                  : Real(0);
    });
  }
  __device__ void of(Real (&c)[tiles::at_once], const Real* tile, int s, int column) const {
#pragma unroll
    for (int k = 0; k < tiles::at_once; ++k) c[k] = tile[at(s + k, column)];
  }
  __device__ Real of_term(int) const { return 0; }
  __device__ Real of_output(int) const { return 0; }
};

template <class Real>
class CudaTiled : public TiledBatch<Real> {
 public:
  using TiledBatch<Real>::TiledBatch;
  void iterate() {
    const StoredCosts<Real> costs{Real(-tiles::log2_e / double(this->p_.reg))};
    this->half_steps([&](const HalfStep<Real>& half) { this->step(half, costs); });
  }
};

std::string refuse(const Point& at) {
  if (at.text("cost") == "own")
    return "sinkhorn_log/cuda_tiled uses costs for all items: cost must not be own";
  return CudaTiled<float>::refuse(at, double(StoredCosts<float>::elements(int(at.integer("columns")))));
}

/// A maximum that grows costs an exponential more, which few terms of 8 do.
Work work(const Point& at) { return exp_work(at, 1, 4, passes_of_tiles(at)); }

const Variant<CudaTiled<float>, CudaTiled<double>> variant{
    {
        .name = "sinkhorn_log/cuda_tiled",
        .summary = "tiles of C in shared memory, each used by many items",
        .axes = CudaTiled<float>::axes(),
        .work = work,
        .refuse = refuse,
        .device = true,
    },
    device_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
