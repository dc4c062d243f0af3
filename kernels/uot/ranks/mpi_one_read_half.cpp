// One read of K over processes (rank_one_read.hpp) that sends its sums in half of their bytes: float for
// double, bfloat16 for float. A sum is rounded in every process and at every addition on its way, to 2^-9 of
// itself in bfloat16, so the error grows with the number of processes.
// workers: mpi mpi-*
#include <bit>
#include <cstdint>

#include "kernels/uot/timed/ranks/rank_one_read.hpp"

namespace uotbench::uot {
namespace {

/// To the nearest bfloat16, ties to even. Sums are finite and not negative.
std::uint16_t rounded_sum(float sum) {
  const auto bits = std::bit_cast<std::uint32_t>(sum);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
float value_of(std::uint16_t sum) { return std::bit_cast<float>(std::uint32_t{sum} << 16); }

/// MPI knows no bfloat16.
void add_rounded(void* from, void* into, int* count, MPI_Datatype*) {
  const auto* const more = static_cast<const std::uint16_t*>(from);
  auto* const sums = static_cast<std::uint16_t*>(into);
  for (int j = 0; j < *count; ++j) sums[j] = rounded_sum(value_of(sums[j]) + value_of(more[j]));
}

class FloatSums {
 public:
  explicit FloatSums(std::size_t size) : sent_(size) {}
  void add_up(std::vector<double>& sums) {
    std::ranges::transform(sums, sent_.begin(), [](double sum) { return static_cast<float>(sum); });
    uot::add_up(sent_.data(), sent_.size());
    std::ranges::copy(sent_, sums.begin());
  }

 private:
  std::vector<float> sent_;
};

class Bfloat16Sums {
 public:
  explicit Bfloat16Sums(std::size_t size) : sent_(size) { MPI_Op_create(add_rounded, 1, &add_); }
  ~Bfloat16Sums() { MPI_Op_free(&add_); }
  Bfloat16Sums(const Bfloat16Sums&) = delete;
  Bfloat16Sums& operator=(const Bfloat16Sums&) = delete;

  void add_up(std::vector<float>& sums) {
    std::ranges::transform(sums, sent_.begin(), rounded_sum);
    {
      const Region region(exchange);
      MPI_Allreduce(MPI_IN_PLACE, sent_.data(), static_cast<int>(sent_.size()), MPI_UINT16_T, add_,
                    MPI_COMM_WORLD);
    }
    std::ranges::transform(sent_, sums.begin(), value_of);
  }

 private:
  std::vector<std::uint16_t> sent_;
  MPI_Op add_ = MPI_OP_NULL;
};

Work work(const Point& at) {
  return with_exchange({.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}, at, at.number("N") / 2);
}

const RankVariant<RankOneRead<float, Bfloat16Sums>, RankOneRead<double, FloatSums>> variant{{
    .name = "uot/mpi_one_read_half",
    .summary = "one read over processes, sums sent in half of their bytes (1 MN elements moved)",
    .axes = one_read_axes(),
    .work = work,
    .phases = {exchange},
    .tolerance = 1e-2,
}};

}  // namespace
}  // namespace uotbench::uot
