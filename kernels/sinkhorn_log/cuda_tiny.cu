// Matrices of 32 x 32 at most, by the million: as many lanes as one has rows keep it in registers, a row and
// a column each, for several iterations. It is exp(x - rowmax), with the potentials it came with, so that an
// iteration has products alone, and rows and columns are scaled in turn. Where a scaling leaves the range in
// which no product that counts underflows, the warp does its items again in logarithms, and that is counted.
#include "kernels/sinkhorn_log/timed/device_tiles.cuh"

namespace uotbench::sinkhorn_log {
namespace {

constexpr int threads = 128;

template <class Real>
struct Tiny {
  const Real *costs, *mu, *nu, *log_mu, *log_nu;
  Real *log_u, *log_v;
  std::size_t of_item;
  int B, M, N, steps;
  Real scale;  ///< -log2 e / reg
  bool symmetric;
  int* redone;
};

/// An item in L lanes of a warp, in base 2. Everything that is not there has no mass.
template <class Real, int L>
struct Lanes {
  const Tiny<Real>& t;
  Real (*tile)[L][L + 1];           ///< of the items of a warp
  Real (*vectors)[threads / L][L];  ///< of rows, of columns; of the block's items
  int in_warp = int(threadIdx.x) % 32 / L, lane = int(threadIdx.x) % L;
  int first = (int(blockIdx.x) * threads + int(threadIdx.x) / 32 * 32) / L, item = first + in_warp;
  bool row_is = item < t.B && lane < t.M, column_is = item < t.B && lane < t.N;
  Real u = minus_infinity<Real>, v = u;  ///< logarithms
  Real row[L] = {}, column[L] = {};

  /// Costs, whole sectors at a time; log u and log v.
  __device__ void load() {
    const int cells = t.M * t.N, count = min(32 / L, t.B - first) * cells;
    __syncwarp();
    for (int c = int(threadIdx.x) % 32; c < count; c += 32)
      tile[c / cells][c % cells / t.N][c % t.N] =
          t.costs[first * t.of_item + (t.of_item > 0 ? c : c % cells)] * t.scale;
    __syncwarp();
    if (row_is) u = t.log_u[std::size_t(item) * t.M + lane] * Real(tiles::log2_e);
    if (column_is) v = t.log_v[std::size_t(item) * t.N + lane] * Real(tiles::log2_e);
  }
  __device__ Real cell(int i, int j) const {
    return item < t.B && i < t.M && j < t.N ? tile[in_warp][i][j] : minus_infinity<Real>;
  }
  /// Elements of the other lanes, for all: `which` is 0 of rows, 1 of columns.
  __device__ const Real* shared_by_all(int which, Real mine) {
    Real* const all = vectors[which][threadIdx.x / L];
    all[lane] = mine;
    __syncwarp();
    return all;
  }
  __device__ static Real product(const Real (&line)[L], const Real* with) {
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < L; ++k) sum += line[k] * with[k];
    return sum;
  }
  __device__ static Real logsumexp(const Real (&line)[L], const Real* with) {
    Real top = minus_infinity<Real>, sum = 0;
#pragma unroll
    for (int k = 0; k < L; ++k) top = max(top, line[k] + with[k]);
    if (top == minus_infinity<Real>) return top;
#pragma unroll
    for (int k = 0; k < L; ++k) sum += exp2(line[k] + with[k] - top);
    return top + log2(sum);
  }

  /// False: a scaling left the range, and u and v are not to be used.
  __device__ bool by_products() {
    constexpr Real most = sizeof(Real) == 8 ? Real(0x1p256) : Real(0x1p32);
    const Real mu = row_is ? t.mu[std::size_t(item) * t.M + lane] : Real(0),
               nu = column_is ? t.nu[std::size_t(item) * t.N + lane] : Real(0);
    const Real* const potentials = shared_by_all(1, v);
    Real top = minus_infinity<Real>;
#pragma unroll
    for (int j = 0; j < L; ++j) {
      row[j] = cell(lane, j) + potentials[j];
      top = max(top, row[j]);
    }
    if (top == minus_infinity<Real>) top = 0;
#pragma unroll
    for (int j = 0; j < L; ++j) tile[in_warp][lane][j] = row[j] = exp2(row[j] - top);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < L; ++i) column[i] = tile[in_warp][i][lane];

    bool good = true;
    const auto scaling = [&](Real mass, Real before, Real sum) {
      if (mass == 0) return Real(0);
      const Real next = t.symmetric ? sqrt(before * (mass / sum)) : mass / sum;
      good = good && next >= 1 / most && next <= most;
      return next;
    };
    Real of_row = mu > 0 ? exp2(u + top) : Real(0), of_column = nu > 0 ? Real(1) : Real(0);
    good = mu == 0 || (of_row >= 1 / most && of_row <= most);
    for (int step = 0; step < t.steps; ++step) {
      const Real* const columns = t.symmetric ? shared_by_all(1, of_column) : vectors[1][threadIdx.x / L];
      of_column = scaling(nu, of_column, product(column, shared_by_all(0, of_row)));
      if (!t.symmetric) shared_by_all(1, of_column);
      of_row = scaling(mu, of_row, product(row, columns));
      if (t.symmetric) __syncwarp();
    }
    u = mu > 0 ? log2(of_row) - top : minus_infinity<Real>;
    v = nu > 0 ? v + log2(of_column) : minus_infinity<Real>;
    return good;
  }

  __device__ void by_logarithms() {
    const auto next = [&](Real mass, Real before, Real sum) {
      if (mass == minus_infinity<Real>) return mass;
      return t.symmetric ? (before + mass - sum) / 2 : mass - sum;
    };
    const Real mu = row_is ? t.log_mu[std::size_t(item) * t.M + lane] * Real(tiles::log2_e) : u,
               nu = column_is ? t.log_nu[std::size_t(item) * t.N + lane] * Real(tiles::log2_e) : v;
#pragma unroll
    for (int k = 0; k < L; ++k) {
      row[k] = cell(lane, k);
      column[k] = cell(k, lane);
    }
    for (int step = 0; step < t.steps; ++step) {
      const Real* const columns = t.symmetric ? shared_by_all(1, v) : vectors[1][threadIdx.x / L];
      v = next(nu, v, logsumexp(column, shared_by_all(0, u)));
      if (!t.symmetric) shared_by_all(1, v);
      u = next(mu, u, logsumexp(row, columns));
      if (t.symmetric) __syncwarp();
    }
  }

  __device__ void store() const {
    if (row_is) t.log_u[std::size_t(item) * t.M + lane] = u * Real(tiles::ln_2);
    if (column_is) t.log_v[std::size_t(item) * t.N + lane] = v * Real(tiles::ln_2);
  }
};

template <class Real, int L>
__global__ void __launch_bounds__(threads) tiny_steps(Tiny<Real> t) {
  __shared__ Real cells[threads / L][L][L + 1];
  __shared__ __align__(16) Real vectors[2][threads / L][L];
  const int of_warp = int(threadIdx.x) / 32 * (32 / L);
  Lanes<Real, L> lanes{t, cells + of_warp, vectors};
  lanes.load();
  const unsigned bad = __ballot_sync(~0u, !lanes.by_products());
  if (bad) {
    if (lanes.lane == 0 && (bad >> lanes.in_warp * L & (~0u >> (32 - L)))) atomicAdd(t.redone, 1);
    lanes.load();
    lanes.by_logarithms();
  }
  lanes.store();
}

template <class Real>
class CudaTiny : public DeviceBatch<Real> {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  explicit CudaTiny(const Problem<Real>& p)
      : DeviceBatch<Real>(p), mu_(p.mu), nu_(p.nu), redone_(1), steps_(int(p.at.integer("steps"))) {
    redone_.zero();
  }

  void iterate() {
    const Problem<Real>& p = this->p_;
    const auto lanes = int(std::max(p.M, p.N));
    lanes <= 4 ? run<4>() : lanes <= 8 ? run<8>() : lanes <= 16 ? run<16>() : run<32>();
  }
  /// How often an item was done again.
  Facts facts() const {
    int redone = 0;
    redone_.download({&redone, 1});
    return {{"redone", std::to_string(redone)}};
  }

 private:
  template <int L>
  void run() {
    const Problem<Real>& p = this->p_;
    const Tiny<Real> t{this->costs_.data(),
                       mu_.data(),
                       nu_.data(),
                       this->log_mu_.data(),
                       this->log_nu_.data(),
                       this->u_.data(),
                       this->v_.data(),
                       p.own_costs ? p.M * p.N : 0,
                       int(p.B),
                       int(p.M),
                       int(p.N),
                       steps_,
                       Real(-tiles::log2_e / double(p.reg)),
                       p.symmetric,
                       redone_.data()};
    launch(tiny_steps<Real, L>, dim3(blocks_of(p.B, threads / L)), dim3(threads), 0, nullptr, t);
  }

  DeviceArray<Real> mu_, nu_;
  DeviceArray<int> redone_;
  int steps_;
};

std::string refuse(const Point& at) {
  if (std::max(at.integer("M"), at.integer("N")) <= 32) return "";
  return "sinkhorn_log/cuda_tiny holds matrices of 32 x 32 at most: M and N must be 32 or less";
}

std::int64_t steps(const Point& at) { return at.integer("steps"); }

/// An exponential a cell and two flops a pair and iteration.
Work work(const Point& at) { return exp_work(at, .5, 2 * at.number("steps"), 1); }

double elements(const Point& at) {
  return device_elements(at) + at.number("B") * (at.number("M") + at.number("N"));
}

const Variant<CudaTiny<float>, CudaTiny<double>> variant{
    {
        .name = "sinkhorn_log/cuda_tiny",
        .summary = "matrices of 4 x 4 to 32 x 32 in registers for several iterations, a lane a row",
        .axes =
            {{.name = "steps", .standard = 10, .least = 1, .most = 1000, .about = "iterations of a launch"}},
        .work = work,
        .refuse = refuse,
        .device = true,
        .steps = steps,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
