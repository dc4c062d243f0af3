// one_read with K as bfloat16 (bfloat16_cells.hpp), half the bytes. The plan's cells are as far off as those
// of K: it is that of the rounded K, the one that can be formed where only bfloat16 is kept. In u, v and the
// marginals the errors average out.
#include "kernels/uot/timed/bfloat16_cells.hpp"
#include "kernels/uot/timed/next_scalings.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

class OneReadBf16 {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  explicit OneReadBf16(const Problem<float>& problem)
      : p_(problem), K_(Bfloat16Cells::copy(problem)), scalings_(problem), next_(problem), pass_(problem) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.in_team([&] {
      pass_.my_rows(K_.data(), v.data(),
                    [&](std::size_t i, auto dots) { return next_(&u[i], &p_.a[i], dots); });
      pass_.my_columns([&](std::size_t j, auto sums) { next_(&v[j], &p_.b[j], sums); });
    });
  }

  Change<float> change() const { return scalings_.change(); }
  Facts facts() const { return pass_.facts(); }

  void finish(Result<float>& out) {
    const auto &u = scalings_.u, &v = scalings_.v;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < (out.plan.empty() ? 0 : p_.M); ++i)
      for (std::size_t j = 0; j < p_.N; ++j)
        out.plan[i * p_.N + j] = u[i] * value(rounded(p_.row(i)[j])) * v[j];
    out.write_scalings(u, v);
  }

 private:
  const Problem<float>& p_;
  Buffer<Bfloat16> K_;
  Scalings<float> scalings_;
  NextScalings<float> next_;
  FusedPass<float, Bfloat16Cells> pass_;
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
