// Algorithm 3's mistakes, and others that happen: what each of these kernels does no kernel may do, and a
// test names the message that says so.
#include "kernels/uot/timed/device_plan.cuh"

namespace uotbench::uot {
namespace {

/// Part 4 as part4 has it, the mistake being one of the axis `mistake`.
enum Mistake : int { none, as_printed, divergent, missing_lane, past_the_end, unaligned, spin, unwritten };
constexpr const char* names[] = {"none",         "as_printed", "divergent", "missing_lane",
                                 "past_the_end", "unaligned",  "spin",      "unwritten"};

template <int mistake>
__global__ void part4(float* P, const float* factors, float* row_sums, int* never, int pitch) {
  __shared__ float staged[64], sums[2];
  const int tx = threadIdx.x, lane = tx % 32, row = blockIdx.y, column = 64 * blockIdx.x + tx;
  if (mistake != unwritten || tx > 0) staged[tx] = column < pitch ? factors[column] : 0;
  if constexpr (mistake == unaligned) *reinterpret_cast<float4*>(P + 1) = float4{};
  if constexpr (mistake == spin)
    while (*static_cast<volatile int*>(never) == 0) continue;
  const bool inside = mistake == past_the_end ? column <= pitch : column < pitch;
  float sum = 0;
  if (inside) sum = P[std::size_t(row) * pitch + column] *= staged[tx];
  if (mistake == missing_lane && lane == 7) return;
  sum = warp_sum(sum);
  if (lane == 0) sums[tx / 32] = sum;
  if constexpr (mistake == divergent) {
    if (tx < 32)
      __syncthreads();
    else
      __syncthreads();
  } else if constexpr (mistake != as_printed) {
    __syncthreads();
  }
  if (tx == 0) atomicAdd(row_sums + row, sums[0] + sums[1]);
}

class Broken {
 public:
  explicit Broken(const Problem<float>& p) : plan_(p), never_(1) {
    never_.zero();
    const std::string mistake = p.at.text("mistake");
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((mistake == names[i] ? void(kernel_ = part4<int(i)>) : void()), ...);
    }
    (std::make_index_sequence<std::size(names)>());
  }

  void iterate() {
    launch(kernel_, dim3(blocks_of(plan_.pitch, 64), plan_.M), dim3(64), 0, nullptr, plan_.cells.data(),
           plan_.columns.factors.data(), plan_.rows.sums.data(), never_.data(), plan_.pitch);
  }
  void finish(Result<float>& out) { plan_.write(out); }

 private:
  DevicePlan<float> plan_;
  DeviceArray<int> never_;
  void (*kernel_)(float*, const float*, float*, int*, int) = nullptr;
};

const Variant<Broken, void> variant{{
    .name = "uot/cuda_broken",
    .summary = "part 4 with a mistake",
    .axes = {{.name = "mistake",
              .kind = Axis::Kind::text,
              .standard = "none",
              .values = std::vector<Value>(std::begin(names), std::end(names)),
              .about = "which"}},
    .work = [](const Point&) { return Work{}; },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
