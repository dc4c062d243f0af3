#include "harness/worker/last_cache.hpp"

#include <fstream>
#include <set>

namespace uotbench {
namespace {

/// Which CPUs share the cache of the highest level, as the system writes it: "0-7,64-71". Empty: not told.
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
