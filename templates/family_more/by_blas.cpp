// A diagonal matrix times a vector, by BLAS.
// needs: BLAS
#include <algorithm>
#include <vector>

#include "kernels/demo/problem.hpp"

extern "C" void ssbmv_(const char* uplo, const int* n, const int* k, const float* alpha, const float* a,
                       const int* lda, const float* x, const int* incx, const float* beta, float* y,
                       const int* incy);

namespace uotbench::demo {
namespace {

class ByBlas {
 public:
  explicit ByBlas(const Problem<float>& p) : x_(p.x.begin(), p.x.end()), y_(p.N) {}

  void iterate() {
    const int N = static_cast<int>(x_.size()), none = 0, one = 1;
    const float times = 1, keep = 0;
    ssbmv_("L", &N, &none, &times, x_.data(), &one, x_.data(), &one, &keep, y_.data(), &one);
  }

  void finish(Result<float>& out) { std::ranges::copy(y_, out.y.begin()); }

 private:
  std::vector<float> x_, y_;
};

const Variant<ByBlas, void> variant{{
    .name = "demo/by_blas",
    .summary = "a diagonal matrix times a vector",
    .work = work,
    .serial = true,
    .foreign_code = [](const Point&) -> std::string { return "BLAS"; },
}};

}  // namespace
}  // namespace uotbench::demo
