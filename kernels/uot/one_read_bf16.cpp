// One read of K (one_read.hpp) as bfloat16 (bfloat16_cells.hpp), half the bytes. The plan's cells are as far
// off as those of K: it is that of the rounded K, the one that somebody who keeps bfloat16 can form. In u, v
// and the marginals the errors average out.
#include "kernels/uot/parts/bfloat16_cells.hpp"

namespace uotbench::uot {
namespace {

struct OneReadBf16 : ReadOnce<float, Bfloat16Cells> {
  explicit OneReadBf16(const Problem<float>& problem) : ReadOnce(problem, Bfloat16Cells::copy(problem)) {}

  void finish(Result<float>& out) {
    const auto &u = scalings_.u, &v = scalings_.v;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < (out.plan.empty() ? 0 : p_.M); ++i)
      for (std::size_t j = 0; j < p_.N; ++j)
        out.plan[i * p_.N + j] = u[i] * value(rounded(p_.row(i)[j])) * v[j];
    out.write_scalings(u, v);
  }
};

/// R: two bytes per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * cells(at)}; }

std::string refuse(const Point& at) {
  if (cells(at) < 16)
    return "cells are off by up to 2^-8, which few do not average out: M N must be 16 or more";
  return "";
}

const Variant<OneReadBf16, void> variant{{.name = "uot/one_read_bf16",
                                          .summary = "one_read of K as bfloat16 (2 MN bytes moved)",
                                          .axes = one_read_axes(),
                                          .work = work,
                                          .refuse = refuse,
                                          .tolerance = 2e-3,
                                          .matrices = .5}};

}  // namespace
}  // namespace uotbench::uot
