// Every variant's memory is touched first by the thread that works on it, so that its pages lie on the node
// of that thread. Which thread comes first is seen on any machine, as pages that are taken away are asked for
// again; where they lie only where there are several nodes.
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <csignal>
#include <cstdint>
#include <set>

#include "harness/worker/base/arena.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

constexpr std::size_t page = 4096, most_pages = std::size_t{1} << 18;  // 1 GiB
constexpr signed char nobody = -1;

// What the handler of faults needs: it may allocate nothing.
const char* watched = nullptr;
signed char toucher[most_pages];

/// Gives the page back and notes on which CPU the thread runs that asked for it.
void on_fault(int signal, siginfo_t* info, void*) {
  const auto at = static_cast<const char*>(info->si_addr);
  if (!watched || at < watched || at >= watched + page * most_pages) {
    ::signal(signal, SIG_DFL);
    return;
  }
  const auto number = static_cast<std::size_t>(at - watched) / page;
  ::mprotect(const_cast<char*>(watched) + number * page, page, PROT_READ | PROT_WRITE);
  __atomic_store_n(&toucher[number], static_cast<signed char>(::sched_getcpu()), __ATOMIC_RELAXED);
}

/// From here on the first thread at each page is noted.
void watch_again() {
  std::fill_n(toucher, most_pages, nobody);
  ::mprotect(const_cast<char*>(watched), page * most_pages, PROT_NONE);
}

class FirstTouchTest : public UotTest {
 protected:
  FirstTouchTest() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    for (int cpu = 0; cpu < 127; ++cpu)  // as far as a toucher counts
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &before_)) cpus.push_back(cpu);
  }
  ~FirstTouchTest() override { ::sched_setaffinity(0, sizeof before_, &before_); }

  std::vector<int> cpus;

 private:
  cpu_set_t before_;
};

/// Nodes of the pages that have a toucher, by move_pages(2), beside those of their touchers.
int pages_on_other_nodes(std::set<int>& nodes) {
  int others = 0;
  for (std::size_t number = 0; number < most_pages; ++number) {
    if (toucher[number] == nobody) continue;
    void* at = const_cast<char*>(watched) + number * page;
    int node = -1;
    if (::syscall(SYS_move_pages, 0, 1ul, &at, nullptr, &node, 0) != 0 || node < 0) continue;
    nodes.insert(node);
    const fs::path its = fs::path("/sys/devices/system/cpu") / ("cpu" + std::to_string(toucher[number]));
    others += !fs::exists(its / ("node" + std::to_string(node)));
  }
  return others;
}

TEST_F(FirstTouchTest, IsByTheThreadThatWorksOnAPage) {
  if (cpus.size() < 2) GTEST_SKIP() << "two threads need two CPUs";
  constexpr std::size_t M = 1024, N = 1024;
  // The first and the last, on different nodes where there are several.
  const Team team(2, {cpus.front(), cpus.back()});
  Point at = point({{"M", M}, {"N", N}, {"threads", 2}, {"dtype", "f32"}, {"data", "self"}});
  prepare(at);
  Arena arena(page * most_pages);
  watched = Arena::current()->data();
  struct sigaction catches = {}, before;
  catches.sa_sigaction = on_fault;
  catches.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &catches, &before);
  ::madvise(const_cast<char*>(watched), page * most_pages, MADV_NOHUGEPAGE);

  std::set<std::string> done;
  std::set<int> nodes;
  for (const uotbench::Variant* variant : variants()) {
    Json values = to_json(at);
    for (const auto& axis : variant->spec().axes)
      if (!values.contains(axis.name)) values[axis.name] = to_json(axis.standard);
    const Point its = point_from(values);
    if (!variant->refusal(its).empty() || variant->spec().serial) continue;
    if (variant->spec().foreign_code && !variant->spec().foreign_code(its).empty()) continue;
    // Its threads share every row: one page of each four rows, of 536 pages up to 256, lies across a border.
    if (variant->spec().name == "uot/one_read_symmetric") continue;
    Arrays arrays(in, true);
    watch_again();
    const auto instance = variant->load(its, arrays, team);
    instance->begin();
    instance->iterate();
    const std::vector<signed char> first(toucher, toucher + most_pages);
    const int others = pages_on_other_nodes(nodes);
    watch_again();
    instance->iterate();
    int used = 0, moved = 0;
    for (std::size_t number = 0; number < most_pages; ++number)
      if (toucher[number] != nobody) {
        ++used;
        moved += first[number] != toucher[number];
      }
    ::mprotect(const_cast<char*>(watched), page * most_pages, PROT_READ | PROT_WRITE);
    // What all threads use, such as scalings, has one that comes first: some pages of a thousand.
    constexpr int pages_of_matrix = M * N * 4 / page;
    EXPECT_LE(moved, pages_of_matrix / 20) << variant->spec().name << ": of " << used << " pages";
    if (nodes.size() > 1) {
      EXPECT_LE(others, pages_of_matrix / 20) << variant->spec().name;
    }
    done.insert(variant->spec().name);
  }
  ::sigaction(SIGSEGV, &before, nullptr);
  for (const char* variant : {"uot/map_uot", "uot/one_read", "uot/one_read_bf16", "uot/numpy_order",
                              "uot/coffee", "uot/map_uot_pthreads"})
    EXPECT_TRUE(done.contains(variant)) << variant;
}

}  // namespace
}  // namespace uotbench::uot
