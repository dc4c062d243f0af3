#include "harness/trace/threads/replay.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "harness/trace/base/mapped.hpp"

namespace uotbench::trace {
namespace {

using Clock = std::uint32_t;
using Clocks = std::vector<Clock>;  // by thread

void join(Clocks& into, const Clocks& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

/// Cells of memory: as large as the smallest access to their page, so that neighbours are never taken for
/// one.
class Cells {
 public:
  /// To be called for every access, before the first index() is.
  void note(const Access& access) {
    const int grain = std::min(largest, std::countr_zero(access.address | access.size | 1u << largest));
    each_page(access, [&](Page& page, std::uint64_t) { page.grain = std::min(page.grain, grain); });
  }
  /// Calls act(index) for each cell that is accessed.
  template <class Act>
  void each(const Access& access, Act act) {
    std::uint64_t at = access.address;
    const std::uint64_t end = at + access.size;
    while (at < end) {
      Page& page = page_of(at / page_bytes);
      if (page.first == none) {
        page.first = cells_;
        cells_ += page_bytes >> page.grain;
      }
      const std::uint64_t stop = std::min(end, (at / page_bytes + 1) * page_bytes);
      for (; at < stop; at += std::uint64_t{1} << page.grain)
        act(page.first + (at % page_bytes >> page.grain));
    }
  }

 private:
  static constexpr std::uint64_t page_bytes = 4096, none = ~std::uint64_t{0};
  static constexpr int largest = 3;  // cells of 8 bytes
  struct Page {
    int grain = largest;
    std::uint64_t first = none;
  };

  template <class Act>
  void each_page(const Access& access, Act act) {
    const std::uint64_t last = (access.address + access.size - 1) / page_bytes;
    for (std::uint64_t page = access.address / page_bytes; page <= last; ++page) act(page_of(page), page);
  }
  Page& page_of(std::uint64_t number) {
    if (number != last_number_) {
      last_ = &pages_[number];  // stays where it is
      last_number_ = number;
    }
    return *last_;
  }

  std::unordered_map<std::uint64_t, Page> pages_;
  Page* last_ = nullptr;
  std::uint64_t last_number_ = none, cells_ = 0;
};

/// When a thread last did something to a cell, by its own clock; 0: never.
struct Moment {
  Clock clock;
  std::uint16_t site;
};
/// One thread's atomic accesses of a cell, and its plain reads.
struct OfThread {
  Moment reads, atomic_reads, atomic_writes;
};
struct Cell {
  Moment write;
  std::uint16_t writer, reader;
  Moment read;  // of the only reader
  std::uint64_t
      other;  // 1 + index of the first of the threads' OfThread; 0: one thread read, none atomically
};

class Finder {
 public:
  explicit Finder(const std::vector<const Log*>& logs)
      : threads_(logs.size()), now_(threads_, Clocks(threads_)), cells_(1 << 12), others_(1 << 10) {
    for (std::size_t thread = 0; thread < threads_; ++thread) now_[thread][thread] = 1;
    for (const Log* log : logs)
      for (Log::Reader reader(*log); reader.epoch() != Log::Reader::none;) places_.note(reader.next());
    for (const Log* log : logs) readers_.emplace_back(*log, true);
  }

  std::vector<RacingPair> all() {
    for (;;) {
      std::uint64_t epoch = Log::Reader::none;
      for (auto& reader : readers_) epoch = std::min(epoch, reader.epoch());
      if (epoch == Log::Reader::none) break;
      while (play(epoch)) continue;
      barrier();
    }
    std::vector<RacingPair> pairs;
    for (const auto& [key, pair] : found_) pairs.push_back(pair);
    std::ranges::stable_sort(pairs, std::greater{}, &RacingPair::count);
    return pairs;
  }

 private:
  /// Each thread up to its next meeting, then the first of these meetings. False: there was none.
  bool play(std::uint64_t epoch) {
    std::optional<std::size_t> first;
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      Log::Reader& reader = readers_[thread];
      while (reader.epoch() == epoch && !reader.at_meeting()) access(thread, reader.next());
      if (reader.epoch() == epoch && (!first || reader.number() < readers_[*first].number())) first = thread;
    }
    if (first) meet(*first, readers_[*first].next_meeting());
    return first.has_value();
  }

  void barrier() {
    Clocks all(threads_);
    for (const Clocks& clocks : now_) join(all, clocks);
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      now_[thread] = all;
      ++now_[thread][thread];
    }
  }
  void meet(std::size_t thread, const Meeting& meeting) {
    Clocks& object = objects_.try_emplace(meeting.object, threads_).first->second;
    if (meeting.acquires) {
      join(now_[thread], object);
    } else {
      join(object, now_[thread]);
      ++now_[thread][thread];
    }
  }

  void access(std::size_t thread, const Access& access) {
    raced_ = false;
    places_.each(access, [&](std::uint64_t index) { touch(thread, access, cells_.grown(index)); });
  }
  void touch(std::size_t thread, const Access& access, Cell& cell) {
    check(cell.write, cell.writer, true, false, thread, access);
    if (access.write) check(cell.read, cell.reader, false, false, thread, access);
    if (cell.other != 0)
      for (std::size_t other = 0; other < threads_; ++other) {
        const OfThread& its = others_[cell.other - 1 + other];
        if (access.write) check(its.reads, other, false, false, thread, access);
        if (access.atomic) continue;
        check(its.atomic_writes, other, true, true, thread, access);
        if (access.write) check(its.atomic_reads, other, false, true, thread, access);
      }
    const Moment now{now_[thread][thread], static_cast<std::uint16_t>(access.site)};
    if (access.atomic)
      (access.write ? mine(cell, thread).atomic_writes : mine(cell, thread).atomic_reads) = now;
    else if (access.write)
      cell.write = now, cell.writer = static_cast<std::uint16_t>(thread);
    else if (cell.other == 0 &&
             (cell.read.clock == 0 || cell.reader == thread || cell.read.clock <= now_[thread][cell.reader]))
      cell.read = now, cell.reader = static_cast<std::uint16_t>(thread);
    else
      mine(cell, thread).reads = now;
  }
  OfThread& mine(Cell& cell, std::size_t thread) {
    if (cell.other == 0) {
      cell.other = 1 + used_;
      used_ += threads_;
      others_.grown(used_ - 1);
    }
    return others_[cell.other - 1 + thread];
  }

  void check(const Moment& before, std::size_t by, bool wrote, bool atomic, std::size_t thread,
             const Access& access) {
    if (before.clock == 0 || by == thread || before.clock <= now_[thread][by] || raced_) return;
    raced_ = true;  // an access is one race, however many cells it has
    const RacingPair::Side first{before.site, wrote, atomic, static_cast<int>(by)},
        second{access.site, access.write, access.atomic, static_cast<int>(thread)};
    const auto key = [](const RacingPair::Side& side) {
      return std::tuple(side.site, side.write, side.atomic);
    };
    const auto ordered = std::minmax(key(first), key(second));
    const auto [found, fresh] = found_.try_emplace(std::pair(ordered.first, ordered.second),
                                                   RacingPair{first, second, access.size, 0});
    ++found->second.count;
  }

  using Key = std::tuple<unsigned, bool, bool>;

  std::size_t threads_;
  std::vector<Clocks> now_;  // of each thread
  std::unordered_map<std::uint64_t, Clocks> objects_;
  std::vector<Log::Reader> readers_;
  Cells places_;
  Mapped<Cell> cells_;
  Mapped<OfThread> others_;
  std::uint64_t used_ = 0;  // of others_
  bool raced_ = false;
  std::map<std::pair<Key, Key>, RacingPair> found_;
};

}  // namespace

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

std::vector<RacingPair> find_races(const std::vector<const Log*>& logs) { return Finder(logs).all(); }

}  // namespace uotbench::trace
