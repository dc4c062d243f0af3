#include "harness/trace/warps/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/trace/warps/log.hpp"

namespace uotbench::trace {

constinit WarpRecorder* recorder = nullptr;

namespace {

/// What the recorder itself does is not the kernel's.
class Unseen {
 public:
  Unseen() : before_(recorder) { recorder = nullptr; }
  ~Unseen() {
    if (before_ && !before_->faulty()) recorder = before_;
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  WarpRecorder* before_;
};

}  // namespace

void WarpRecorder::begin_launch(int threads, bool same_kernel) {
  if (threads > most_threads_) {
    most_threads_ = (threads + 31) / 32 * 32;
    const auto count = static_cast<std::size_t>(most_threads_);
    logs_ = std::make_unique<ThreadLog[]>(count);
    words_ = std::make_unique<Mapped<std::uint64_t>>(count * ThreadLog::first);
    for (std::size_t i = 0; i < count; ++i) logs_[i].begin_with(words_->data() + i * ThreadLog::first);
  }
  threads_ = threads;
  recorder = nullptr;
  faulty_ = false;
  fault = {};
  sites.clear();
  paths_.assign(1, 0);
  shadow.begin_launch(memory.shared_bytes(), threads, same_kernel);
}

void WarpRecorder::begin_block() {
  shadow.begin_block();
  for (int i = 0; i < threads_; ++i) {
    ThreadLog& log = logs_[i];
    log.clear();
    log.dropped = log.path = 0;
    log.depth = 0;
    log.met = true;
  }
  recorded_ = 0;
}

void WarpRecorder::clear(int warp) {
  for (int lane = 0; lane < lanes(warp); ++lane) {
    ThreadLog& log = logs(warp)[lane];
    if (log.used == 0) continue;
    recorded_ -= log.used;
    log.clear();
  }
}

/// For this event.
void WarpRecorder::make_room(std::uint64_t event) {
  const Unseen unseen;
  store();
  set_limit();
  if (next_ < limit_) return;  // a meeting since then
  met_at_ = nullptr;
  ThreadLog& log = logs_[thread_];
  if (log.used - log.at_meeting + log.dropped >= options_.most_events)
    stop(fmt::format("made {} accesses and branches without meeting others: a wait that never ends",
                     options_.most_events),
         sites[event::site(event)].place, {thread_});
  if (!options_.count) {
    log.dropped += log.used - log.at_meeting;
    recorded_ -= log.used;
    log.used = log.at_meeting = 0;
  } else if (recorded_ >= options_.most_recorded) {
    stop(fmt::format(
             "the block made more than {} accesses and branches between two barriers: its tile or loop "
             "is too large to be counted",
             options_.most_recorded),
         sites[event::site(event)].place, {thread_});
  } else {
    log.grow();
  }
  next_ = log.end();
  set_limit();
}

void WarpRecorder::meet(std::uint64_t place) {
  append(event::of(0, number_of(place, EntryKey::meeting)));
  ThreadLog& log = logs_[thread_];
  log.at_meeting = static_cast<std::size_t>(next_ - log.begin());
  log.dropped = 0;
  met_at_ = next_;
}

void WarpRecorder::too_many_sites(std::uint64_t place) {
  stop(fmt::format("the kernel has more than {} places that access memory or branch, too many to distinguish",
                   WarpSites::most),
       place, {thread_});
}

SiteNumber WarpRecorder::new_number(std::uint64_t key, std::uint64_t place) {
  const Unseen unseen;
  Entry* const entry = sites.find(key);
  if (!entry) too_many_sites(place);
  if (entry->sites[0] == 0) {
    const bool meeting = (key & EntryKey::block) == EntryKey::meeting;
    entry->sites[0] =
        sites.add({.is = meeting ? Site::Is::meeting : Site::Is::block, .place = place, .counts = {}});
    if (entry->sites[0] == 0) too_many_sites(place);
  }
  return entry->sites[0];
}

Entry* WarpRecorder::settle(std::uint64_t key, std::uint64_t address, unsigned size, AccessKind kind,
                            std::uint64_t place) {
  const Unseen unseen;
  Entry* const entry = sites.find(key);
  if (!entry) too_many_sites(place);
  if (address - entry->begin <= entry->room && address % size == 0) return entry;  // its slot was another's
  const Region* const region = memory.find(address);
  if (!region || region->of != Region::Of::local)
    if (std::string obstacle = memory.obstacle(address, size, kind); !obstacle.empty())
      stop(std::move(obstacle), place, {thread_});
  const std::uint64_t bytes = region->span.end - region->span.begin;
  entry->begin = region->span.begin;
  entry->room = bytes >= size ? bytes - size : 0;
  if (region->of == Region::Of::local) {
    entry->then = Entry::Then::ignore;
    return entry;
  }
  entry->space = region->space();
  entry->shadow = region->shadow;
  entry->then = entry->space == Space::shared ? Entry::Then::check : Entry::Then::record;
  SiteNumber& site = entry->sites[static_cast<int>(entry->space)];
  if (site == 0) {
    Site fresh{.is = Site::Is::access, .place = place, .counts = {}};
    fresh.counts.space = entry->space;
    fresh.counts.kind = kind;
    fresh.counts.size = size;
    site = sites.add(std::move(fresh));
    if (site == 0) too_many_sites(place);
  }
  return entry;
}

void WarpRecorder::enter(ThreadLog& log, std::uint64_t place) {
  const Unseen unseen;
  log.callers[log.depth - 1] = log.path;
  const std::uint64_t way = place << EntryKey::path_bits | log.path >> 47;
  auto known = std::ranges::find(paths_, way);
  if (known == paths_.end()) {
    if (paths_.size() == std::size_t{1} << EntryKey::path_bits)
      stop(fmt::format("the kernel has more than {} ways to call functions that are not inlined, too many to "
                       "distinguish",
                       paths_.size() - 1),
           place, {thread_});
    known = paths_.insert(paths_.end(), way);
  }
  path_ = log.path = static_cast<std::uint64_t>(known - paths_.begin()) << 47;
}

void WarpRecorder::set_fault(Fault found) {
  if (faulty_) return;
  faulty_ = true;
  fault = std::move(found);
}

void WarpRecorder::stop(std::string text, std::uint64_t place, std::vector<int> threads,
                        std::uint64_t other_place) {
  recorder = nullptr;
  set_fault({std::move(text), place, std::move(threads), other_place});
  stop_();
  std::abort();  // it may not return
}

void WarpRecorder::report(const Race& race, unsigned size, AccessKind kind, std::uint64_t place) {
  const Unseen unseen;
  const auto did = [](AccessKind what, const char* read, const char* write, const char* change) {
    return what == AccessKind::read ? read : what == AccessKind::write ? write : change;
  };
  stop(fmt::format(
           "a race: thread {} {} {} byte{} of shared memory that thread {} {}, and neither a barrier nor a "
           "collective of their warp is between",
           thread_, did(kind, "reads", "writes", "changes"), size, size == 1 ? "" : "s", race.thread,
           did(race.kind, "read", "wrote", "changed")),
       place, {thread_, race.thread}, sites[race.site].place);
}

bool WarpRecorder::check_interval() {
  if (const auto* read = shadow.unwritten())
    set_fault({.text = fmt::format("reads {} byte{} of shared memory that no thread of the block has written",
                                   read->size, read->size == 1 ? "" : "s"),
               .place = sites[read->site].place,
               .threads = {read->thread}});
  return !faulty_;
}

Entry* WarpSites::find(std::uint64_t key) {
  for (std::size_t i = slot(key);; i = (i + 1) % slots) {
    Entry& entry = entries_[i];
    if (entry.key == key) return &entry;
    if (entry.key != 0) continue;
    if (used_.size() == most) return nullptr;
    used_.push_back(&entry);
    entry = {.key = key, .begin = ~std::uint64_t{0}};
    return &entry;
  }
}

SiteNumber WarpSites::add(Site site) {
  if (sites_.size() == most) return 0;
  sites_.push_back(std::move(site));
  return static_cast<SiteNumber>(sites_.size() - 1);
}

void WarpSites::clear() {
  for (Entry* entry : used_) *entry = {};
  used_.clear();
  sites_.assign(1, {});  // no event has the number of the start
}

}  // namespace uotbench::trace
