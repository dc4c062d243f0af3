#include "harness/trace/threads/replay.hpp"

#include <algorithm>

namespace uotbench::trace {

std::uint64_t replay(const std::vector<const Log*>& logs, Pages& pages, Hierarchy& hierarchy,
                     std::uint64_t mark, const std::function<void()>& at_mark) {
  std::vector<Log::Reader> readers;
  for (const Log* log : logs) readers.emplace_back(*log);
  std::uint64_t longest_share = 0;
  bool marked = false;
  std::vector<std::uint64_t> accesses(readers.size());  // of the epoch
  while (true) {
    std::uint64_t epoch = Log::Reader::none;
    for (auto& reader : readers) epoch = std::min(epoch, reader.epoch());
    if (mark != Log::Reader::none && epoch >= mark) {
      at_mark();
      mark = Log::Reader::none;
      marked = true;
    }
    if (epoch == Log::Reader::none) return longest_share;
    std::ranges::fill(accesses, 0);
    for (bool any = true; any;) {
      any = false;
      for (std::size_t thread = 0; thread < readers.size(); ++thread) {
        if (readers[thread].epoch() != epoch) continue;
        const Access access = readers[thread].next();
        hierarchy.access(static_cast<int>(thread), pages.place_of(access.address), access.size, access.write,
                         access.site);
        ++accesses[thread];
        any = true;
      }
    }
    if (!marked) longest_share += std::ranges::max(accesses);
  }
}

}  // namespace uotbench::trace
