// Copies x into pages that it then gives back to the system, so that the next copy finds none of them: page
// faults. Small pages, also where huge ones are on.
#include <sys/mman.h>

#include <new>

#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class FreshPages : public Made {
 public:
  explicit FreshPages(const Problem<Real>& p) : Made("pages"), x_(copy_of(p)) {
    void* const at = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    copy_ = static_cast<Real*>(at);
    ::madvise(at, bytes(), MADV_NOHUGEPAGE);  // refused where there are none
  }
  ~FreshPages() { ::munmap(copy_, bytes()); }
  FreshPages(const FreshPages&) = delete;
  FreshPages& operator=(const FreshPages&) = delete;

  void iterate() {
    std::ranges::copy(x_.view(), copy_);
    total_ += sum_of_vectors(copy_, x_.size(), simd::vector_aligned);
    ::madvise(copy_, bytes(), MADV_DONTNEED);
  }

 private:
  std::size_t bytes() const { return x_.size() * sizeof(Real); }

  Buffer<Real> x_;
  Real* copy_;
};

Work work(const Point& at) {
  const double array = width(at) * at.number("N");
  return {.flops = at.number("N"),
          .bytes_read = array,
          .bytes_written = array,
          .write_allocate = array,
          .working_set = 2 * array};
}

const Variant<FreshPages<float>, FreshPages<double>> variant{{
    .name = "bottleneck/fresh_pages",
    .summary = "a copy into pages that the system has to find each time",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
