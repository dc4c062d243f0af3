// POT's iteration on a GPU: K v and K' u, a GEMV of cuBLAS each, and the scalings by kernels of their own.
// workers: cuda
#include "harness/worker/cublas.hpp"
#include "kernels/uot/timed/device_plan.cuh"

namespace uotbench::uot {
namespace {

template <class Real>
__global__ void next_scalings(int n, Real* scalings, const Real* mass, const Real* sums,
                              Scheme<Real> scheme) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scalings[i] = scheme.next_scaling(scalings[i], mass[i], sums[i]);
}

template <class Real>
class Gemv {
 public:
  static constexpr KernelTraits declares{.facts = true};

  explicit Gemv(const Problem<Real>& p) : p_(p), K_(p.K, p.M, p.N), rows_(p.a), columns_(p.b) {}

  void iterate() {
    multiply(CUBLAS_OP_T, columns_, rows_);
    multiply(CUBLAS_OP_N, rows_, columns_);
  }

  void finish(Result<Real>& out) {
    write_result<Real>(out, p_, rows_.values(rows_.scalings), columns_.values(columns_.scalings));
  }

  Facts facts() const { return {{"cublas", blas_.version()}}; }

 private:
  /// to.sums = K or K' times from.scalings, then the step. cuBLAS counts by columns: K is N x M to it.
  void multiply(cublasOperation_t operation, Side<Real>& from, Side<Real>& to) {
    blas_.gemv(operation, columns_.n, rows_.n, K_.data(), static_cast<int>(K_.pitch), from.scalings.data(),
               to.sums.data());
    launch(next_scalings<Real>, dim3(blocks_of(to.n, 128)), dim3(128), 0, nullptr, to.n, to.scalings.data(),
           to.mass.data(), to.sums.data(), Scheme<Real>{p_.fi, p_.damped});
  }

  const Problem<Real>& p_;
  CuBlas blas_;
  DeviceMatrix<Real> K_;
  Side<Real> rows_, columns_;
};

/// R, R.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; }

const Variant<Gemv<float>, Gemv<double>> variant{{
    .name = "uot/cuda_gemv",
    .summary = "POT on a GPU: K v and K' u by cuBLAS (2 MN elements moved)",
    .work = work,
    .refuse =
        [](const Point&) {
          return CuBlas::available() ? std::string() : CuBlas::file() + " is not installed";
        },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
