// NumPy's order on a GPU, as CuPy runs it: sums, factors and products are kernels of their own, so that the
// plan is read, then read and written, for rows and again for columns.
#include "kernels/uot/parts/device_plan.cuh"

namespace uotbench::uot {
namespace {

constexpr int threads = 256;

/// A block a row.
template <class Real>
__global__ void sum_rows(const Real* P, Real* sums, int N, int pitch) {
  __shared__ Real warps[threads / 32];
  const Real* const row = P + std::size_t(blockIdx.x) * pitch;
  Real sum = 0;
  for (int j = threadIdx.x; j < N; j += threads) sum += row[j];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < threads / 32; ++w) sum += warps[w];
  sums[blockIdx.x] = sum;
}

/// A block has 32 columns; its 8 warps share the rows.
template <class Real>
__global__ void sum_columns(const Real* P, Real* sums, int M, int pitch) {
  __shared__ Real warps[8][32];
  const int column = 32 * blockIdx.x + threadIdx.x;
  Real sum = 0;
  if (column < pitch)
    for (int i = threadIdx.y; i < M; i += 8) sum += P[std::size_t(i) * pitch + column];
  warps[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || column >= pitch) return;
  for (int w = 1; w < 8; ++w) sum += warps[w][threadIdx.x];
  sums[column] = sum;
}

constexpr bool of_rows = true, of_columns = false;

/// A thread a cell; factors of its row, or of its column.
template <class Real, bool rows>
__global__ void scale(Real* P, const Real* factors, int pitch) {
  const int column = blockIdx.x * threads + threadIdx.x;
  if (column < pitch) P[std::size_t(blockIdx.y) * pitch + column] *= factors[rows ? blockIdx.y : column];
}

template <class Real>
class Naive {
 public:
  explicit Naive(const Problem<Real>& p) : plan_(p), N_(static_cast<int>(p.N)) {}

  void iterate() {
    auto& [M, cells, pitch, rows, columns, scheme] = plan_;
    launch(sum_rows<Real>, dim3(M), dim3(threads), 0, nullptr, cells.data(), rows.sums.data(), N_, pitch);
    rows.set_factors(scheme);
    each_row(scale<Real, of_rows>, rows);
    launch(sum_columns<Real>, dim3(blocks_of(pitch, 32)), dim3(32, 8), 0, nullptr, cells.data(),
           columns.sums.data(), M, pitch);
    columns.set_factors(scheme);
    each_row(scale<Real, of_columns>, columns);
  }

  void finish(Result<Real>& out) { plan_.write(out); }

 private:
  /// Blocks of one row each, at most 65535 rows a launch.
  void each_row(void (*scaling)(Real*, const Real*, int), Side<Real>& side) {
    const bool by_row = &side == &plan_.rows;
    for (int first = 0; first < plan_.M; first += 65535) {
      const unsigned rows = std::min(plan_.M - first, 65535);
      launch(scaling, dim3(blocks_of(plan_.pitch, threads), rows), dim3(threads), 0, nullptr,
             plan_.cells.data() + std::size_t(first) * plan_.pitch,
             side.factors.data() + (by_row ? first : 0), plan_.pitch);
    }
  }

  DevicePlan<Real> plan_;
  int N_;
};

/// R, RW, R, RW.
Work work(const Point& at) {
  const double matrix = width(at) * cells(at);
  return {.flops = 4 * cells(at), .bytes_read = 4 * matrix, .bytes_written = 2 * matrix};
}

const Variant<Naive<float>, Naive<double>> variant{{
    .name = "uot/cuda_naive",
    .summary = "NumPy's order on a GPU, as CuPy has it: sums and products apart (6 MN elements moved)",
    .work = work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
