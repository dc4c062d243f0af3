// Records are independent of each other: work on many of them is shared out to the CPUs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
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

/// What act(begin, end) writes of each part, in order.
template <class Act>
std::string text_in_parts(std::size_t count, std::size_t worth_a_thread, const Act& act) {
  std::mutex one_at_a_time;
  std::map<std::size_t, std::string> pieces;
  in_parts(count, worth_a_thread, [&](std::size_t begin, std::size_t end) {
    std::string piece = act(begin, end);
    const std::scoped_lock lock(one_at_a_time);
    pieces[begin] = std::move(piece);
  });
  std::string text;
  for (auto& [begin, piece] : pieces) text = text.empty() ? std::move(piece) : std::move(text) + piece;
  return text;
}

}  // namespace uotbench
