// MAP-UOT's Algorithm 1 on a GPU, which the paper calls unreasonable there (section 4.2.1): with a block for
// a row instead of a thread it is one pass, half of what parts 2 and 4 move.
#include <utility>

#include "kernels/uot/timed/whole_rows.cuh"

namespace uotbench::uot {
namespace {

/// Lines 6 to 14: the weights are column factors; rows are summed, scaled and stored.
template <class Real>
struct RowStep {
  Real *plan, *scalings;
  const Real* mass;
  int pitch;
  Scheme<Real> scheme;

  __device__ Real term(Real cell, Real weight) const { return cell * weight; }
  __device__ Real scale(int row, Real sum) const {
    Real scaling = scalings[row];
    const Real factor = scheme.factor(scaling, mass[row], sum);
    __syncthreads();  // all have read it
    if (threadIdx.x == 0) scalings[row] = scaling;
    return factor;
  }
  template <int count>
  __device__ void keep(int row, int column, const Real* terms) const {
    store_in_packs<count>(plan + std::size_t(row) * pitch + column, terms);
  }
};

/// Line 2.
template <class Real>
struct ColumnStep {
  Real *factors, *scalings;
  const Real* mass;
  Scheme<Real> scheme;

  __device__ void operator()(int j, Real sum) const {
    Real scaling = scalings[j];
    factors[j] = scheme.factor(scaling, mass[j], sum);
    scalings[j] = scaling;
  }
};

template <class Real>
class OnePass {
 public:
  static constexpr KernelTraits declares{.begins = true};

  explicit OnePass(const Problem<Real>& p) : p_(p), plan_(p), passes_(plan_.M, plan_.pitch) {}

  void begin() { pass(); }
  void iterate() {
    if (!std::exchange(stepped_, false)) column_step();
    pass();
  }
  void finish(Result<Real>& out) {
    if (!std::exchange(stepped_, true)) column_step();
    plan_.write(out);
    const auto factors = plan_.columns.values(plan_.columns.factors);
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) out.plan[i * p_.N + j] *= factors[j];
  }

 private:
  void pass() {
    passes_.over_rows(
        plan_.cells.data(), plan_.columns.factors.data(),
        {plan_.cells.data(), plan_.rows.scalings.data(), plan_.rows.mass.data(), plan_.pitch, plan_.scheme});
  }
  void column_step() {
    auto& columns = plan_.columns;
    passes_.over_columns(
        ColumnStep<Real>{columns.factors.data(), columns.scalings.data(), columns.mass.data(), plan_.scheme});
  }

  const Problem<Real>& p_;
  DevicePlan<Real> plan_;
  RowPasses<Real, Real, RowStep<Real>> passes_;
  bool stepped_ = false;  ///< finish() has made the column step after the last pass
};

/// RW.
Work work(const Point& at) {
  const double matrix = width(at) * cells(at);
  return {.flops = 4 * cells(at), .bytes_read = matrix, .bytes_written = matrix};
}

const Variant<OnePass<float>, OnePass<double>> variant{{
    .name = "uot/cuda_map_onepass",
    .summary =
        "MAP-UOT, Algorithm 1, on a GPU: whole rows in registers, one pass in place (2 MN elements moved)",
    .work = work,
    .device = true,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
