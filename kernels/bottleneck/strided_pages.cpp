// Adds up one element of each 4 KiB, then the next of each: every access needs another page, of which no TLB
// holds thousands. Small pages, also where huge ones are on.
#include <sys/mman.h>

#include "kernels/bottleneck/problem.hpp"

namespace uotbench::bottleneck {
namespace {

constexpr std::size_t page = 4096;

template <class Real>
class StridedPages : public Made {
 public:
  explicit StridedPages(const Problem<Real>& p) : Made("pages"), x_(p.N) {
    advise(MADV_NOHUGEPAGE);
    std::ranges::copy(p.x, x_.begin());
  }
  ~StridedPages() { advise(MADV_HUGEPAGE); }
  StridedPages(const StridedPages&) = delete;
  StridedPages& operator=(const StridedPages&) = delete;

  void iterate() {
    constexpr std::size_t stride = page / sizeof(Real);
    double sum = 0;
    for (std::size_t first = 0; first < std::min(stride, x_.size()); ++first)
      for (std::size_t i = first; i < x_.size(); i += stride) sum += static_cast<double>(x_[i]);
    total_ += sum;
  }

 private:
  /// Refused where there are no huge pages; smaller buffers share theirs with others.
  void advise(int advice) {
    if (const std::size_t bytes = x_.size() * sizeof(Real); bytes >= huge_page)
      ::madvise(x_.data(), bytes / page * page, advice);
  }

  Buffer<Real> x_;
};

const Variant<StridedPages<float>, StridedPages<double>> variant{{
    .name = "bottleneck/strided_pages",
    .summary = "an element of each 4 KiB, then the next of each",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
