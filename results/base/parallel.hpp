// Records are independent of each other: work on many of them is shared out to the CPUs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace uotbench {

/// act(begin, end) for parts of [0, count), one for each CPU; a part has at least `worth_a_thread` items,
/// some milliseconds of work. Throws what an act throws.
template <class Act>
void in_parts(std::size_t count, std::size_t worth_a_thread, const Act& act) {
  const std::size_t parts =
      std::clamp<std::size_t>(count / worth_a_thread, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::future<void>> others;
  for (std::size_t p = 1; p < parts; ++p)
    others.push_back(std::async(std::launch::async, act, count * p / parts, count * (p + 1) / parts));
  act(std::size_t{0}, count / parts);
  for (auto& other : others) other.get();
}

}  // namespace uotbench
