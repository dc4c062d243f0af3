// Four cells a thread in f32, two in f64, with loads and stores of 16 bytes: what XLA makes each thread do
// (the publication's section 5.10).
#include "kernels/stencil/timed/device_stepping.cuh"

namespace uotbench::stencil {
namespace {

/// 16 bytes of cells.
template <class Real>
struct alignas(16) Few {
  static constexpr int size = 16 / sizeof(Real);
  Real at[size];

  template <class Act>
  UOTBENCH_CELLWISE static Few of(const Act& act) {
    Few few;
    for (int l = 0; l < size; ++l) few.at[l] = act(l);
    return few;
  }
  UOTBENCH_CELLWISE friend Few operator+(const Few& a, const Few& b) {
    return of([&](int l) { return a.at[l] + b.at[l]; });
  }
  UOTBENCH_CELLWISE friend Few operator-(const Few& a, const Few& b) {
    return of([&](int l) { return a.at[l] - b.at[l]; });
  }
  UOTBENCH_CELLWISE friend Few operator*(const Few& a, const Few& b) {
    return of([&](int l) { return a.at[l] * b.at[l]; });
  }
  UOTBENCH_CELLWISE friend Few operator*(Real a, const Few& b) {
    return of([&](int l) { return a * b.at[l]; });
  }
};

/// CUDA's own vectors are what nvcc makes one load or store of.
template <class Real>
using Sixteen = std::conditional_t<sizeof(Real) == 4, float4, double2>;

template <class Real>
UOTBENCH_CELLWISE Few<Real> load_few(const Real* from) {
  const Sixteen<Real> all = *reinterpret_cast<const Sixteen<Real>*>(from);
  if constexpr (sizeof(Real) == 4)
    return {{all.x, all.y, all.z, all.w}};
  else
    return {{all.x, all.y}};
}
template <class Real>
UOTBENCH_CELLWISE void store_few(Real* to, const Few<Real>& few) {
  if constexpr (sizeof(Real) == 4)
    *reinterpret_cast<float4*>(to) = make_float4(few.at[0], few.at[1], few.at[2], few.at[3]);
  else
    *reinterpret_cast<double2*>(to) = make_double2(few.at[0], few.at[1]);
}

/// Cells k to k + size - 1, k a multiple of size.
template <class Real>
struct FewCells {
  const View<Real>& view;
  std::ptrdiff_t k;

  UOTBENCH_CELLWISE Few<Real> operator()(int f, int di = 0, int dj = 0) const {
    constexpr int size = Few<Real>::size;
    const Real* const from = view.in[f] + (k + di * view.row);
    const Few<Real> own = load_few(from);
    if (dj == 0) return own;
    if (dj > 0)
      return Few<Real>::of([&](int l) { return l + 1 < size ? own.at[(l + 1) % size] : from[size]; });
    return Few<Real>::of([&](int l) { return l > 0 ? own.at[(l + size - 1) % size] : from[-1]; });
  }
  UOTBENCH_CELLWISE void put(int f, const Few<Real>& value) const { store_few(view.out[f] + k, value); }
};

template <class Real, class Formula>
__global__ void few_cells_a_thread(Stage<Real, Formula> stage, std::size_t rows) {
  constexpr std::size_t size = Few<Real>::size;
  const Lines& lines = stage.lines;
  const std::size_t group = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::size_t row = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y; row < rows;
       row += std::size_t(gridDim.y) * blockDim.y) {
    const std::size_t first = lines.begin(row), last = lines.are_pieces() ? lines.last : lines.end(row);
    const std::size_t k = first / size * size + group * size;
    if (k >= last) continue;
    if (k >= first && k + size <= last) {
      stage.formula(FewCells<Real>{stage.view, std::ptrdiff_t(k)});
    } else {
      for (std::size_t one = k; one < k + size; ++one)
        if (one >= first && one < last) stage.formula(DeviceCell<Real>{stage.view, std::ptrdiff_t(one)});
    }
  }
}

struct InVectors {
  explicit InVectors(const Point& at) : shape(at) {}

  template <class Real, class Formula>
  void operator()(const Stage<Real, Formula>& stage) const {
    const Lines& lines = stage.lines;
    const std::size_t rows = lines.are_pieces() ? 1 : lines.count;
    const std::size_t groups = (lines.are_pieces() ? lines.cells() : lines.length) / Few<Real>::size + 2;
    constexpr std::size_t most = 65535;
    launch(few_cells_a_thread<Real, Formula>,
           dim3(blocks_of(groups, shape.columns),
                static_cast<unsigned>(std::min<std::size_t>(most, blocks_of(rows, shape.rows)))),
           shape.block(), 0, nullptr, stage, rows);
  }

  BlockShape shape;
};

/// Every row has to begin at a multiple of 16 bytes.
std::string refuse_rows(const Point& at) {
  if (std::string reason = block_refusal(at); !reason.empty()) return reason;
  const std::int64_t size = at.text("dtype") == "f64" ? 2 : 4;
  const std::string model = at.text("model");
  const bool plane = model == "heat2d" || model == "ns2d" || model == "predictor" || model == "corrector";
  if (!plane || at.integer("ny") % size == 0) return "";
  return "stencil/cuda_vec reads 16 bytes at a time: ny must be a multiple of " + std::to_string(size) +
         ", not " + std::to_string(at.integer("ny"));
}

const Variant<DeviceStepping<float, InVectors>, DeviceStepping<double, InVectors>> cuda_vec{{
    .name = "stencil/cuda_vec",
    .summary = "16 bytes of cells a thread, by float4 and double2",
    .axes = block_axes(),
    .work = device_work,
    .refuse = refuse_rows,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::stencil
