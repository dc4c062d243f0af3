// What the rungs are compared with: all scores by a GEMM of cuBLAS, stored, and read again for the best of
// each query: 8 N^2 bytes that the rungs never move (2.15 GB at N = 16384).
// workers: cuda
#include "harness/worker/cublas.hpp"
#include "kernels/match/timed/device_sets.cuh"

namespace uotbench::match {
namespace {

/// A warp a query.
__global__ void best_of_rows(const float* scores, int N, int rows, float* score, int* index) {
  const int row = (threadIdx.x + blockDim.x * blockIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float best = lowest;
  int at = -1;
  for (int i = lane; i < N; i += 32)
    if (const float each = scores[std::size_t(row) * N + i]; each > best) best = each, at = i;
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_down_sync(0xffffffffu, best, step);
    const int its = __shfl_down_sync(0xffffffffu, at, step);
    if (other > best) best = other, at = its;
  }
  if (lane == 0) score[row] = best, index[row] = at;
}

/// Queries whose scores are stored at once: 1 GiB at most.
std::size_t rows_at_once(std::size_t N) { return std::min(N, std::max<std::size_t>(1, (1u << 28) / N)); }

class CublasArgmax : public DeviceSets {
 public:
  static constexpr KernelTraits declares{.facts = true};

  explicit CublasArgmax(const Problem<float>& p) : DeviceSets(p), scores_(rows_at_once(p.N) * p.N) {}

  void iterate() {
    const Sets& s = sets();
    const int most = static_cast<int>(rows_at_once(s.N));
    for (int first = 0; first < s.N; first += most) {
      const int rows = std::min(most, s.N - first);
      blas_.multiply_transposed(s.N, rows, s.D, s.candidates, s.queries + std::size_t(first) * s.D,
                                scores_.data());
      launch(best_of_rows, dim3(unsigned(rows + 7) / 8), dim3(256), 0, nullptr, scores_.data(), s.N, rows,
             s.score + first, s.index + first);
    }
  }
  Facts facts() const { return {{"cublas", blas_.version()}}; }

 private:
  CuBlas blas_;
  DeviceArray<float> scores_;
};

Work work(const Point& at) {
  Work work = matching_work(at, 1);
  const double scores = width(at) * at.number("N") * at.number("N");
  work.bytes_read += scores, work.bytes_written += scores, *work.working_set += scores;
  return work;
}

class Unfused final : public Variant<CublasArgmax, void> {
 public:
  using Variant::Variant;
  double memory(const Point& at) const override {
    return Variant::memory(at) + width(at) * at.number("N") * double(rows_at_once(at.size("N")));
  }
};

const Unfused variant{{
    .name = "match/cublas_argmax",
    .summary = "all scores by cuBLAS, stored, then the best of each row",
    .work = work,
    .refuse =
        [](const Point&) {
          return CuBlas::available() ? std::string() : CuBlas::file() + " is not installed";
        },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
