#include "harness/trace/warps/tally.hpp"

#include <algorithm>

namespace uotbench::trace {
namespace {

/// One pass' words, by bank.
class Banks {
 public:
  void want(std::uint64_t word) {
    Words& words = banks_[word % 32];
    for (unsigned i = 0; i < words.count; ++i)
      if (words.word[i] == word) return;
    words.word[words.count++] = word;
    degree_ = std::max(degree_, words.count);
  }
  unsigned degree() const { return degree_; }

 private:
  struct Words {
    unsigned count = 0;
    std::uint64_t word[32];  // as many as lanes: a lane's words are in different banks
  };
  Words banks_[32];
  unsigned degree_ = 0;
};

/// Lanes from `begin` to `end`, together.
void pass(const Request& request, int begin, int end, Wavefronts& to) {
  Banks banks;
  for (int i = 0; i < request.lanes; ++i) {
    if (request.lane[i] < begin || request.lane[i] >= end) continue;
    for (unsigned byte = 0; byte < request.size; byte += 4) banks.want((request.at[i] + byte) / 4);
  }
  if (banks.degree() == 0) return;
  to.count += banks.degree();
  ++to.ideal;
  to.degree = std::max<std::uint64_t>(to.degree, banks.degree());
}

/// Whether all active pairs of lanes (i, i^other) in this group want the same address.
bool paired(const Request& request, int begin, int end, int other) {
  std::uint64_t at[32];
  std::uint32_t active = 0;
  for (int i = 0; i < request.lanes; ++i) {
    at[request.lane[i]] = request.at[i];
    active |= 1u << request.lane[i];
  }
  for (int lane = begin; lane < end; ++lane)
    if ((active >> lane & 1) && (active >> (lane ^ other) & 1) && at[lane] != at[lane ^ other]) return false;
  return true;
}

void halves_or_whole(const Request& request, int begin, int end, Wavefronts& to) {
  if (paired(request, begin, end, 1) || paired(request, begin, end, 2)) return pass(request, begin, end, to);
  const int middle = (begin + end) / 2;
  pass(request, begin, middle, to);
  pass(request, middle, end, to);
}

/// All the same word, or words one after another: what most requests are.
bool without_conflict(const Request& request) {
  const std::uint64_t first = request.at[0];
  bool same = true, next = true;
  for (int i = 1; i < request.lanes; ++i) {
    same &= request.at[i] == first;
    next &= request.at[i] == first + 4 * static_cast<unsigned>(i);
  }
  return same || next;
}

bool aligned(const Request& request, unsigned to) {
  for (int i = 0; i < request.lanes; ++i)
    if (request.at[i] % to != 0) return false;
  return true;
}

/// Whether it is the same lanes', `bytes` further on.
bool follows(const Request& first, const Request& later, unsigned bytes) {
  if (first.lanes != later.lanes) return false;
  for (int i = 0; i < first.lanes; ++i)
    if (first.lane[i] != later.lane[i] || later.at[i] != first.at[i] + bytes) return false;
  return true;
}

void add_widened(SiteCounts& to, std::uint64_t requests, const Wavefronts& waves) {
  to.widened_requests += requests;
  to.widened_wavefronts += waves.count;
  to.widened_ideal_wavefronts += waves.ideal;
}

}  // namespace

Wavefronts wavefronts(const Request& request) {
  if (request.size <= 4 && without_conflict(request)) return {1, 1, 1};
  Wavefronts result;
  if (request.size <= 4) {
    pass(request, 0, 32, result);
  } else if (request.size == 8) {
    halves_or_whole(request, 0, 32, result);
  } else {
    halves_or_whole(request, 0, 16, result);
    halves_or_whole(request, 16, 32, result);
  }
  return result;
}

void find_sectors(const Request& request, Sectors& sectors) {
  // Addresses of coalesced code come in order: then a look at each is enough.
  std::uint64_t sorted[32];
  bool rising = true;
  for (int i = 0; i < request.lanes; ++i) {
    sorted[i] = request.at[i] / 32;
    rising &= i == 0 || sorted[i] >= sorted[i - 1];
  }
  if (!rising) {
    for (int i = 1; i < request.lanes; ++i) {
      const std::uint64_t sector = sorted[i];
      int to = i;
      for (; to > 0 && sorted[to - 1] > sector; --to) sorted[to] = sorted[to - 1];
      sorted[to] = sector;
    }
  }
  sectors.count = sectors.lines = 0;
  for (int i = 0; i < request.lanes; ++i) {
    if (i > 0 && sorted[i] == sorted[i - 1]) continue;
    if (i == 0 || sorted[i] / 4 != sorted[i - 1] / 4) ++sectors.lines;
    sectors.number[sectors.count++] = sorted[i];
  }
  const int fitting = (request.lanes * static_cast<int>(request.size) + 31) / 32;
  sectors.ideal = std::min(sectors.count, fitting);
}

void WarpTally::count(SiteNumber site, const Request& request) {
  SiteCounts& to = sites_[site].counts;
  ++to.requests;
  to.lanes += static_cast<unsigned>(request.lanes);
  if (to.space == Space::global) return count_global(to, request);
  if (to.space == Space::constant) return;
  const Wavefronts waves = wavefronts(request);
  to.wavefronts += waves.count;
  to.ideal_wavefronts += waves.ideal;
  to.worst_degree = std::max(to.worst_degree, waves.degree);
  if (to.kind == AccessKind::read)
    widen(site, request, waves);
  else
    meeting();  // loads are not moved beyond what may change what they read
}

void WarpTally::count_global(SiteCounts& to, const Request& request) {
  Sectors sectors;
  find_sectors(request, sectors);
  to.sectors += static_cast<unsigned>(sectors.count);
  to.ideal_sectors += static_cast<unsigned>(sectors.ideal);
  to.lines += static_cast<unsigned>(sectors.lines);
  memory_.touch(sectors.number, sectors.count, to.kind);
}

void WarpTally::widen(SiteNumber site, const Request& request, const Wavefronts& written) {
  if (request.size != 4) return add_widened(sites_[site].counts, 1, written);
  const auto pending = std::ranges::find(pending_, site, &Pending::site);
  if (pending != pending_.end()) {
    if (follows(pending->first, request, 4 * static_cast<unsigned>(pending->loads))) {
      pending->written.count += written.count;
      pending->written.ideal += written.ideal;
      if (++pending->loads < 4) return;
      Request wide = pending->first;
      wide.size = 16;
      add_widened(sites_[site].counts, 1, wavefronts(wide));
      pending_.erase(pending);
      return;
    }
    give_up(*pending);
    pending_.erase(pending);
  }
  if (aligned(request, 16))
    pending_.push_back({site, 1, request, written});
  else
    add_widened(sites_[site].counts, 1, written);
}

void WarpTally::give_up(Pending& pending) {
  add_widened(sites_[pending.site].counts, static_cast<unsigned>(pending.loads), pending.written);
}

void WarpTally::meeting() {
  for (Pending& pending : pending_) give_up(pending);
  pending_.clear();
}

}  // namespace uotbench::trace
