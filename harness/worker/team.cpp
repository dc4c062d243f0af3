#include "harness/worker/team.hpp"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

void set_affinity(const std::vector<int>& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ::sched_setaffinity(0, sizeof mask, &mask);
}

/// The calling thread has its mask again at the end, also after an exception.
class MaskKept {
 public:
  MaskKept() {
    CPU_ZERO(&before_);
    ::sched_getaffinity(0, sizeof before_, &before_);
  }
  ~MaskKept() { ::sched_setaffinity(0, sizeof before_, &before_); }
  MaskKept(const MaskKept&) = delete;
  MaskKept& operator=(const MaskKept&) = delete;

 private:
  cpu_set_t before_;
};

/// Of the calling thread: whether subnormal numbers are 0, as operands and as results.
void set_flushing([[maybe_unused]] bool flushes) {
#ifdef __SSE__
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  constexpr unsigned both = flush_to_zero | denormals_are_zero;
  _mm_setcsr(flushes ? _mm_getcsr() | both : _mm_getcsr() & ~both);
#endif
}

std::size_t cache_bytes() {
  const auto level = [](int name) { return std::max(0L, ::sysconf(name)); };
  // L2 is private to a core on every machine this runs on, so it counts once per thread.
  return static_cast<std::size_t>(level(_SC_LEVEL3_CACHE_SIZE) +
                                  omp_get_max_threads() * level(_SC_LEVEL2_CACHE_SIZE));
}

/// Which CPUs share the cache of the highest level, as the system writes it: "0-7,64-71". Empty: unknown.
std::string sharers_of(int cpu, const std::string& root) {
  std::string sharers;
  int highest = 0;
  for (int index = 0;; ++index) {
    const std::string cache = root + "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    int level = 0;
    if (!(std::ifstream(cache + "/level") >> level)) return sharers;
    std::string list;
    if (level > highest && std::ifstream(cache + "/shared_cpu_list") >> list) {
      highest = level;
      sharers = list;
    }
  }
}

}  // namespace

Team::Team(int threads, std::vector<int> cpus, bool flushes)
    : threads_(threads), cpus_(std::move(cpus)), flushes_(flushes) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads_);
  int there = 0;
#pragma omp parallel num_threads(threads_)
  {
    enter(omp_get_thread_num());
#pragma omp atomic
    ++there;
  }
  if (there != threads_)
    throw Error(fmt::format("OpenMP gives {} of {} threads; unset OMP_THREAD_LIMIT", there, threads_));
}

void Team::enter(int index) const {
  if (pinned()) set_affinity({cpus_[static_cast<std::size_t>(index)]});
  set_flushing(flushes_);
}

void Team::keep_denormals() const {
  if (!flushes_) return;
#pragma omp parallel num_threads(threads_)
  set_flushing(false);
}

void Team::unpinned(const std::function<void()>& act) const {
  const MaskKept kept;
  if (!cpus_.empty()) set_affinity(cpus_);
  act();
}

// 64 MiB where the C library knows no cache sizes (Arm): larger than the private caches of every core.
Evictor::Evictor() : buffer_(std::max(4 * cache_bytes(), std::size_t{64} << 20)) {}

void Evictor::evict() {
#pragma omp parallel
  {
    const auto [from, to] = share(buffer_.size(), omp_get_thread_num(), omp_get_num_threads());
    for (std::size_t i = from; i < to; i += 64) buffer_[i] = static_cast<char>(buffer_[i] + 1);
  }
}

int threads_a_last_cache(const std::vector<int>& cpus, int threads, const std::string& root) {
  if (static_cast<int>(cpus.size()) < threads) return threads;
  std::set<std::string> before;
  std::string now;
  int row = 0, length = 0;
  for (int t = 0; t < threads; ++t) {
    const std::string its = sharers_of(cpus[static_cast<std::size_t>(t)], root);
    if (its.empty()) return threads;
    if (its != now) {
      if (!before.insert(its).second) return threads;  // it had threads before others did
      if (t > 0 && length == 0) length = row;
      if (row != length) return threads;
      now = its;
      row = 0;
    }
    ++row;
  }
  return length == 0 || row == length ? row : threads;
}

}  // namespace uotbench
