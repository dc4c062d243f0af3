#include "harness/trace/threads/replay.hpp"

#include <algorithm>

namespace uotbench::trace {

void replay(const std::vector<const Log*>& logs, Pages& pages, Hierarchy& hierarchy, std::uint64_t mark,
            const std::function<void()>& at_mark) {
  std::vector<Log::Reader> readers;
  for (const Log* log : logs) readers.emplace_back(*log);
  while (true) {
    std::uint64_t epoch = Log::Reader::none;
    for (auto& reader : readers) epoch = std::min(epoch, reader.epoch());
    if (mark != Log::Reader::none && epoch >= mark) {
      at_mark();
      mark = Log::Reader::none;
    }
    if (epoch == Log::Reader::none) return;
    for (bool any = true; any;) {
      any = false;
      for (std::size_t thread = 0; thread < readers.size(); ++thread) {
        if (readers[thread].epoch() != epoch) continue;
        const Access access = readers[thread].next();
        hierarchy.access(static_cast<int>(thread), pages.place_of(access.address), access.size, access.write,
                         access.site);
        any = true;
      }
    }
  }
}

}  // namespace uotbench::trace
