// One read of K an iteration (one_read.cuh), K rounded to bfloat16: 8 bits of mantissa, half the bytes; its
// exponent is float's, so that small reg flushes nothing, as half's would. Arithmetic stays in float.
#include "kernels/uot/timed/one_read.cuh"

namespace uotbench::uot {
namespace {

std::vector<__nv_bfloat16> rounded(std::span<const float> K) {
  std::vector<__nv_bfloat16> cells(K.size());
  std::ranges::transform(K, cells.begin(), [](float cell) { return __float2bfloat16(cell); });
  return cells;
}

struct OneReadBf16 : OneRead<float, __nv_bfloat16> {
  explicit OneReadBf16(const Problem<float>& p) : OneRead(p, rounded(p.K)) {}
};

Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * cells(at)}; }

const Variant<OneReadBf16, void> variant{{
    .name = "uot/cuda_one_read_bf16",
    .summary = "scalings only, on a GPU: both steps in one read of K as bfloat16 (2 MN bytes moved)",
    .work = work,
    .device = true,
    .tolerance = 4e-3,  // twice the 2^-9 by which a cell is off: where few cells do not average out
}};

}  // namespace
}  // namespace uotbench::uot
