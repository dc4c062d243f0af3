// Every thread gives 256 pages of its own back to the system and writes to each again: what a page fault
// takes, the system's clearing of the page and giving it back included. Small pages, also where huge ones are
// on. y becomes the number of pages that each thread found cleared.
#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <vector>

#include "kernels/ceiling/timed/faults.hpp"
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

/// Anonymous pages of one thread.
class alignas(cache_line) Pages {
 public:
  Pages() : size_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    void* const at = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    first_ = static_cast<volatile char*>(at);
    ::madvise(at, bytes(), MADV_NOHUGEPAGE);  // refused where there are none
  }
  ~Pages() { ::munmap(const_cast<char*>(first_), bytes()); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void give_back() { ::madvise(const_cast<char*>(first_), bytes(), MADV_DONTNEED); }
  void touch() {
    for (std::size_t page = 0; page < pages_touched; ++page) {
      volatile char& byte = first_[page * size_];
      if (byte == 0) ++cleared_;
      byte = 1;
    }
  }
  std::size_t cleared() const { return cleared_; }

 private:
  std::size_t bytes() const { return pages_touched * size_; }

  std::size_t size_, cleared_ = 0;
  volatile char* first_;
};

template <class Real>
class Fault {
 public:
  explicit Fault(const Problem<Real>& p) : of_thread_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
#pragma omp parallel
    {
      Pages& mine = of_thread_[static_cast<std::size_t>(omp_get_thread_num())];
      mine.give_back();
      mine.touch();
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i)
      out.y[i] = static_cast<Real>(of_thread_[i % of_thread_.size()].cleared());
  }

 private:
  std::vector<Pages> of_thread_;
};

Work work(const Point& at) {
  const auto faults = static_cast<double>(at.size("threads") * pages_touched);
  return {.working_set = 0, .operations = {{"fault", faults}}};
}

const Variant<Fault<float>, Fault<double>> variant{{
    .name = "ceiling/fault",
    .summary = "pages given back to the system and touched again: what a page fault takes",
    .work = work,
    .measures = Measures{"fault"},
}};

}  // namespace
}  // namespace uotbench::ceiling
